"""`iter`, `next` and the builtin iterators against CPython."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2, 3]


def ragged(x: Any) -> list[Any]:
    """A list whose length differs between paths (used inside lifted functions)."""
    result = [10]
    if x > 0:
        result.append(20)
    if x > 1:
        result.append(30)
    return result


def test_next_under_a_condition() -> None:
    def f(p: bool, q: bool) -> Any:
        it = iter([1, 2, 3])
        if p:
            next(it)
        if q:
            next(it)
        return next(it), list(it)

    agree(f, BITS, BITS)


def test_next_raises_where_the_end_is_reached() -> None:
    def f(n: int) -> Any:
        it = iter((1, 2))
        taken = []
        for _ in range(n):
            taken.append(next(it))
        return taken

    agree(f, SMALL)


def test_next_with_default() -> None:
    def f(n: int) -> Any:
        it = iter([1, 2])
        for _ in range(n):
            next(it, None)
        return next(it, None), next(it, "end")

    agree(f, SMALL)


def test_next_catches_stop_iteration() -> None:
    def f(n: int) -> Any:
        it = iter(ragged(n))
        total = 0
        while True:
            try:
                total += next(it)
            except StopIteration:
                return total, next(it, -1)

    agree(f, SMALL)


def test_an_ended_list_iterator_stays_ended() -> None:
    def f(p: bool, xs: list[int]) -> Any:
        it = iter(xs)
        next(it)
        if p:
            next(it, None)
        xs.append(7)
        return list(it)

    agree(f, BITS, make=lambda p: (p, [1]))


def test_iterators_are_shared() -> None:
    def f(p: bool) -> Any:
        it = iter("abcdef")
        other = it
        if p:
            next(other)
        pairs = list(zip(it, it, strict=False))
        return pairs, it is other, iter(it) is it

    agree(f, BITS)


def test_loop_and_next_share_the_position() -> None:
    def f(n: int) -> Any:
        it = iter([0, 1, 2, 3, 4])
        seen = []
        for x in it:
            seen.append(x)
            if x >= n:
                break
            next(it)
        return seen, list(it)

    agree(f, SMALL)


def test_one_of_two_iterators() -> None:
    def f(p: bool) -> Any:
        a, b = iter([1, 2, 3]), iter((4, 5))
        it = a if p else b
        first = next(it)
        return first, list(it), list(a), list(b)

    agree(f, BITS)


def test_iterator_over_symbolic_range_and_string() -> None:
    def f(n: int) -> Any:
        it = iter(range(n))
        first = next(it, -1)
        return first, list(it)

    def g(text: str) -> Any:
        if len(text) > 3:
            return None
        it = iter(text)
        first = next(it, "")
        return first, [c + "!" for c in it]

    agree(f, SMALL)
    agree(g, ["", "a", "ab", "xyz"])


def test_iterator_over_dict_and_set() -> None:
    def f(p: bool, d: dict[Any, Any]) -> Any:
        if p:
            d["b"] = 2
        it = iter(d)
        values = iter(d.values())
        return next(it), next(it, None), next(values), list(values), next(iter({5}))

    def changed(p: bool, d: dict[Any, Any]) -> Any:
        it = iter(d)
        next(it)
        if p:
            d["c"] = 3
        return next(it)

    agree(f, BITS, make=lambda p: (p, {"a": 1}))
    agree(changed, BITS, make=lambda p: (p, {"a": 1, "b": 2}))


class Countdown:
    def __init__(self, start: int) -> None:
        self.left = start

    def __iter__(self) -> Countdown:
        return self

    def __next__(self) -> int:
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Digits:
    def __init__(self, count: int) -> None:
        self.count = count

    def __getitem__(self, place: int) -> int:
        if place >= self.count:
            raise IndexError(place)
        return place * 10


def test_own_iterators() -> None:
    def f(n: int) -> Any:
        it = Countdown(n)
        first = next(it, None)
        rest = [x + 1 for x in it]
        return first, rest, it.left

    def g(n: int) -> Any:
        return list(Digits(n)), sum(Digits(n)), next(iter(Digits(n)))

    def h(n: int) -> Any:
        a, b = Countdown(n)
        return a, b

    agree(f, SMALL)
    agree(g, SMALL)
    agree(h, SMALL)


def test_iter_with_sentinel() -> None:
    def f(n: int, items: list[int]) -> Any:
        result = list(iter(items.pop, n))
        return result, items

    agree(f, [1, 2, 3], make=lambda n: (n, [1, 2, 3, 4]))


def test_enumerate() -> None:
    def f(n: int, start: int) -> Any:
        result = []
        for place, value in enumerate(ragged(n), start):
            result.append((place, value))
        return result, list(enumerate("ab")), list(enumerate([], start=3))

    agree(f, SMALL, [0, 5])


def test_zip() -> None:
    def f(n: int, m: int) -> Any:
        a, b = iter(ragged(n)), iter(ragged(m))
        rows = list(zip(a, b))  # noqa: B905
        return rows, list(a), list(b), list(zip())

    agree(f, [0, 1, 2], [0, 1, 2])


def test_zip_strict() -> None:
    def f(n: int, m: int) -> Any:
        return list(zip(ragged(n), ragged(m), "xyz", strict=True))

    agree(f, [0, 1, 2], [0, 1, 2])


def test_map_runs_only_where_there_is_an_item() -> None:
    def f(n: int) -> Any:
        log = []

        def note(x: int) -> int:
            log.append(x)
            return x * 2

        it = map(note, ragged(n))
        first = next(it)
        return first, list(it), log

    def several(n: int) -> Any:
        return list(map(lambda a, b: a - b, ragged(n), [1, 2, 3, 4]))

    agree(f, SMALL)
    agree(several, SMALL)


def test_map_is_lazy() -> None:
    def f(p: bool) -> Any:
        log = []
        it = map(log.append, [1, 2, 3])
        if p:
            next(it)
        return log

    agree(f, BITS)


def test_filter() -> None:
    def f(n: int, m: int) -> Any:
        it = filter(lambda x: x > m, [1, n, 3, n])
        first = next(it, None)
        return first, list(it), list(filter(None, [n, m, 0, 4]))

    agree(f, SMALL, SMALL)


def test_reversed() -> None:
    def f(n: int) -> Any:
        items = ragged(n)
        it = reversed(items)
        first = next(it)
        return (
            first,
            list(it),
            list(reversed((1, n))),
            list(reversed(range(n))),
            [*reversed("abc")],
            list(reversed({1: 2, 3: 4})),
        )

    agree(f, SMALL)


def test_reversed_refuses_sets() -> None:
    def f(n: int) -> Any:
        return reversed({n, 5})

    agree(f, SMALL)


def test_not_iterable() -> None:
    def f(n: int) -> Any:
        return next(n)

    def g(n: int) -> Any:
        return iter(n)

    def h(n: int) -> Any:
        return next([n])

    agree(f, SMALL)
    agree(g, SMALL)
    agree(h, SMALL)


def test_unpacking_takes_no_more_than_it_needs() -> None:
    def f(n: int) -> Any:
        it = iter([1, 2, 3, 4])
        if n > 0:
            next(it)
        try:
            a, b = it
        except ValueError as error:
            return str(error), list(it)
        return a, b

    def g(n: int) -> Any:
        a, b = ragged(n)
        return a, b

    def star(n: int) -> Any:
        a, b, *c = iter(ragged(n))
        return a, b, c

    agree(f, SMALL)
    agree(g, SMALL)
    agree(star, SMALL)


def test_native_iterators_are_refused_under_a_condition() -> None:
    native = iter([1, 2, 3])

    def f(n: int) -> Any:
        if n > 0:
            return next(native)
        return 0

    with pytest.raises(NotLiftedError, match="make a list"):
        execute(f, Int("n"))


def test_concrete_iterators_are_lazy() -> None:
    def f(n: int) -> Any:
        log = []

        def numbers() -> Any:
            k = 0
            while True:
                log.append(k)
                yield k
                k += 1

        for place, value in zip(range(3), map(n.__add__, numbers()), strict=False):
            log.append((place, value))
        return log

    agree(f, SMALL)


def test_symbolic_ranges_are_sequences() -> None:
    def f(n: int, i: int) -> Any:
        numbers = range(n, 2 * n + 1)
        down = range(n, 0, -2)
        return len(numbers), len(down), list(numbers[1:]), list(down[:i]), list(down)

    def index(n: int, i: int) -> Any:
        return range(n)[i], range(1, n, 2)[i]

    agree(f, SMALL, [-2, 0, 1])
    agree(index, SMALL, [-2, 0, 1])


def test_ranges_with_symbolic_steps() -> None:
    def f(n: int, k: int) -> Any:
        numbers = range(n, 4, k)
        same = numbers == range(0, 4, 2), 3 in numbers
        return len(numbers), *same, [*numbers], numbers[-1] if numbers else None, numbers.index(3)

    def g(i: int, k: int) -> Any:
        return [*range(1, i + 4)[i:2:k]], [*range(0, 2 * i, 2)[:i:k]], [*range(i)[::k]]

    agree(f, [-1, 0, 3, 5], [-2, 0, 1, 3])
    agree(g, [-2, 0, 1, 3], [-2, 0, 1, 2])


def test_membership_takes_items() -> None:
    def f(n: int) -> Any:
        it = iter([1, 2, 3])
        found = n in it
        return found, list(it), n in (x for x in [n, 5])

    agree(f, SMALL)
