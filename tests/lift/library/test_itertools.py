"""The module `itertools` against CPython."""

from __future__ import annotations

import itertools
from itertools import chain
from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


def ragged(n: Any) -> list[Any]:
    result = [10]
    if n > 0:
        result.append(20)
    if n > 1:
        result.append(n)
    return result


def test_chain() -> None:
    def f(n: int, m: int) -> Any:
        it = chain(ragged(n), (), "ab", ragged(m))
        first = next(it)
        return first, list(it), list(chain()), list(chain.from_iterable([ragged(n), [m]]))

    agree(f, SMALL, SMALL)


def test_chain_under_a_condition() -> None:
    def f(p: bool, q: bool) -> Any:
        it = chain([1, 2], [3, 4])
        if p:
            next(it)
        if q:
            next(it)
            next(it)
        return list(it)

    agree(f, BITS, BITS)


def test_rearrangements() -> None:
    def f(n: int) -> Any:
        items = ragged(n)
        return (
            list(itertools.product(items, "ab")), list(itertools.permutations(items, 2)),
            list(itertools.combinations(items, 2)), list(itertools.permutations(items)),
            list(itertools.combinations_with_replacement(items, 2)),
            list(itertools.product([n, 1], repeat=2)), list(itertools.product()),
        )  # fmt: skip

    agree(f, SMALL)


def test_rearrangements_under_a_condition() -> None:
    def f(p: bool, n: int) -> Any:
        it = itertools.product([1, n], [3, 4])
        if p:
            next(it)
        pair = next(it)
        return pair, list(it)

    agree(f, BITS, SMALL)


def test_large_products_are_lazy() -> None:
    def f(n: int) -> Any:
        for a, b, c in itertools.product(range(1000), repeat=3):
            if a + b + c > 1:
                return a, b, c + n
        return None

    agree(f, SMALL)


def test_symbolic_sizes_are_refused() -> None:
    with pytest.raises(NotLiftedError, match="symbolic number"):
        execute(lambda n: list(itertools.combinations([1, 2], n)), Int("n"))


def test_accumulate() -> None:
    def f(n: int) -> Any:
        return (
            list(itertools.accumulate(ragged(n))), list(itertools.accumulate([])),
            list(itertools.accumulate(ragged(n), lambda a, b: a * b)),
            list(itertools.accumulate(ragged(n), max, initial=15)),
            list(itertools.accumulate([], initial=n)),
        )  # fmt: skip

    agree(f, SMALL)


def test_takewhile_and_dropwhile() -> None:
    def f(n: int, m: int) -> Any:
        items = iter([0, n, m, 1])
        taken = list(itertools.takewhile(lambda x: x < 2, items))
        rest = list(items)
        return taken, rest, list(itertools.dropwhile(lambda x: x < m, [0, n, 1, 2, 0]))

    agree(f, SMALL, SMALL)


def test_takewhile_stays_ended() -> None:
    def f(n: int) -> Any:
        it = itertools.takewhile(lambda x: x < n, [0, 1, 0, 0])
        first = next(it, None)
        return first, next(it, None), next(it, None), list(it)

    agree(f, SMALL)


def test_islice() -> None:
    def f(n: int, m: int) -> Any:
        it = iter([0, 1, 2, 3, 4])
        part = list(itertools.islice(it, n))
        return (
            part,
            list(it),
            list(itertools.islice([5, 6, 7, 8], m, None, 2)),
            list(itertools.islice(itertools.count(n), 3)),
        )

    def negative(n: int) -> Any:
        return list(itertools.islice([1, 2], n - 1))

    agree(f, SMALL, SMALL)
    agree(negative, SMALL)


def test_islice_with_symbolic_bounds() -> None:
    def f(n: int, m: int) -> Any:
        return list(itertools.islice([0, 1, 2], n, m))

    agree(f, SMALL, [-1, 0, 2])


def test_count_repeat_cycle() -> None:
    def f(n: int) -> Any:
        numbers = itertools.count(n, 2)
        firsts = [next(numbers), next(numbers)]
        cycle = itertools.cycle(ragged(n))
        return (
            firsts, list(itertools.repeat("x", n)), [next(cycle) for _ in range(5)],
            list(zip(itertools.repeat(n), "ab")), next(itertools.cycle([]), "none"),
        )  # fmt: skip

    agree(f, SMALL)


def test_count_under_a_condition() -> None:
    def f(p: bool, q: bool) -> Any:
        ids = itertools.count()
        a = next(ids) if p else None
        b = next(ids) if q else None
        return a, b, next(ids)

    agree(f, BITS, BITS)


def test_groupby() -> None:
    def f(n: int, m: int) -> Any:
        result = []
        for key, group in itertools.groupby([1, n, m, 1]):
            result.append((key, list(group)))
        return result

    def skipped(n: int) -> Any:
        keys = []
        for key, _ in itertools.groupby([0, n, 1], lambda x: x > 0):
            keys.append(key)
        return keys

    agree(f, SMALL, SMALL)
    agree(skipped, SMALL)


def test_groups_end_when_the_next_starts() -> None:
    def f(n: int) -> Any:
        groups = itertools.groupby([1, 1, n])
        _, first = next(groups)
        taken = next(first)
        following = next(groups, None)
        return taken, list(first), following is None

    agree(f, SMALL)


def test_zip_longest() -> None:
    def f(n: int, m: int) -> Any:
        return (
            list(itertools.zip_longest(ragged(n), ragged(m), [1])),
            list(itertools.zip_longest("a", ragged(n), fillvalue=0)),
            list(itertools.zip_longest()),
        )

    agree(f, SMALL, SMALL)


def test_starmap_and_pairwise() -> None:
    def f(n: int) -> Any:
        rows = [(n, 2), (3, n)]
        return (
            list(itertools.starmap(lambda a, b: a - b, rows)),
            list(itertools.pairwise(ragged(n))),
            list(itertools.pairwise([])),
        )

    agree(f, SMALL)


def test_filterfalse_and_compress() -> None:
    def f(n: int, m: int) -> Any:
        return (
            list(itertools.filterfalse(lambda x: x > n, [m, 1, 2])),
            list(itertools.filterfalse(None, [n, 0, m])),
            list(itertools.compress("abc", [n, m, 1])),
            list(itertools.compress(ragged(n), [1, 0, 1])),
        )  # fmt: skip

    agree(f, SMALL, SMALL)


def test_tee() -> None:
    def f(p: bool, n: int) -> Any:
        a, b = itertools.tee(ragged(n))
        if p:
            next(a)
        return list(b), list(a)

    agree(f, BITS, SMALL)


def test_generators_through_itertools() -> None:
    def f(n: int) -> Any:
        def numbers() -> Any:
            k = n
            while True:
                yield k
                k += 1

        return list(itertools.islice(numbers(), 3)), list(zip("ab", numbers(), strict=False))

    agree(f, SMALL)
