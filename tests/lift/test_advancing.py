"""Iterators that some paths have advanced further than others: each path goes on where it was."""

# Programs as people write them.
# ruff: noqa: B905, C417, E741

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import collections
import functools
import itertools
import operator
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pytest

from solvent import NotLiftedError
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


def adv(p: Any, it: Iterator[Any], k: int = 1) -> Iterator[Any]:
    """Advance an iterator on some paths only."""
    if p:
        for _ in range(k):
            next(it, None)
    return it


def zipped(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(zip(it, "abc"))


def zipped_with_itself(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(zip(it, it))


def sliced(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(itertools.islice(it, 2)), list(it)


def grouped(p: Any, x: Any) -> Any:
    it = iter([x, x, 1, 1, 2])
    adv(p, it)
    return [(k, list(g)) for k, g in itertools.groupby(it)]


def pairs(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return list(itertools.pairwise(it))


def chained(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return list(itertools.chain(it, [9], it))


def taken_while(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 0])
    adv(p, it)
    return list(itertools.takewhile(lambda v: v > 0, it)), list(it)


def enumerated(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 0])
    adv(p, it)
    return list(enumerate(it, x))


def mapped(p: Any, x: Any) -> Any:
    it = map(lambda v: v * 2, [x, 1, 2])
    adv(p, it)
    return list(it), list(it)


def filtered(p: Any, x: Any) -> Any:
    it = filter(None, [x, 1, 0, 2])
    adv(p, it)
    return list(it)


def summed(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return sum(it), list(it)


def searched(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 5])
    adv(p, it)
    return x in it, list(it)


def generator_advanced(p: Any, x: Any) -> Any:
    def g():
        yield x
        yield x + 1
        yield 7

    it = g()
    adv(p, it)
    return list(it)


def generator_sent(p: Any, x: Any) -> Any:
    def g():
        got = yield x
        while got != 5:
            got = yield got
        yield "end"

    it = g()
    next(it)
    if p:
        it.send(x)
    return it.send(5), list(it)


def generator_in_powerset(p: Any, x: Any) -> Any:
    def powerset(s):
        s = list(s)
        return itertools.chain.from_iterable(
            itertools.combinations(s, r) for r in range(len(s) + 1)
        )

    it = powerset([x, 1])
    adv(p, it)
    return list(it)


def counted(p: Any, x: Any) -> Any:
    it = itertools.count(x)
    adv(p, it)
    return [next(it) for _ in range(3)]


def cycled(p: Any, x: Any) -> Any:
    it = itertools.cycle([x, 1])
    adv(p, it)
    return [next(it) for _ in range(4)]


def accumulated(p: Any, x: Any) -> Any:
    it = itertools.accumulate([x, 1, 2])
    adv(p, it)
    return list(it)


def tee(p: Any, x: Any) -> Any:
    a, b = itertools.tee([x, 1, 2])
    adv(p, a)
    return list(a), list(b)


def dropped_while(p: Any, x: Any) -> Any:
    it = itertools.dropwhile(lambda v: v < 2, [x, 1, 2, 0])
    adv(p, it)
    return list(it)


def grouped_by_zip(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2, 3, 4])
    adv(p, it)
    return list(zip(*[it] * 2))


def items_of_dict(p: Any, x: Any) -> Any:
    it = iter({x: 1, 5: 2}.items())
    adv(p, it)
    return list(it)


def backwards(p: Any, x: Any) -> Any:
    it = reversed([x, 1, 2])
    adv(p, it)
    return list(it), operator.length_hint(it)


def unpacked(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    first, *rest = it
    return first, rest


def largest(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return max(it), next(it, "no")


def reduced(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it, 2)
    return functools.reduce(operator.add, it, 10)


def numbers(p: Any, x: Any) -> Any:
    it = iter(range(x + 2))
    adv(p, it)
    return list(it)


def grouper(p: Any, x: Any) -> Any:
    def grouper(it, n):
        args = [iter(it)] * n
        return itertools.zip_longest(*args, fillvalue=0)

    it = grouper([x, 1, 2], 2)
    adv(p, it)
    return list(it)


def generator_round_robin(p: Any, x: Any) -> Any:
    def roundrobin(*its):
        nexts = itertools.cycle(iter(i).__next__ for i in its)
        n = len(its)
        while n:
            try:
                for nx in nexts:
                    yield nx()
            except StopIteration:
                n -= 1
                nexts = itertools.cycle(itertools.islice(nexts, n))

    it = roundrobin([x, 1], [2], [3, 4])
    adv(p, it)
    return list(it)


def generator_unique(p: Any, x: Any) -> Any:
    def unique(it):
        seen = set()
        for e in itertools.filterfalse(seen.__contains__, it):
            seen.add(e)
            yield e

    it = unique([x, 1, 1, x, 2])
    adv(p, it)
    return list(it)


def sliding_window(p: Any, x: Any) -> Any:
    def sliding(it, n):
        it = iter(it)
        w = collections.deque(itertools.islice(it, n - 1), maxlen=n)
        for v in it:
            w.append(v)
            yield tuple(w)

    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(sliding(it, 2))


def partition(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])

    def partition(pred, it):
        t1, t2 = itertools.tee(it)
        return list(itertools.filterfalse(pred, t1)), list(filter(pred, t2))

    adv(p, it)
    return partition(lambda v: v > 1, it)


def generator_closed(p: Any, x: Any) -> Any:
    def g():
        try:
            yield x
            yield 1
        finally:
            out.append("closed")

    out = []
    it = g()
    next(it)
    if p:
        it.close()
    return list(it), out


def generator_expression(p: Any, x: Any) -> Any:
    it = (v * x for v in [1, 2, 3] if v != x)
    adv(p, it)
    return list(it)


def letters(p: Any, x: Any) -> Any:
    it = iter("abc")
    adv(p, it)
    return "".join(it), list(it)


def dict_of_pairs(p: Any, x: Any) -> Any:
    it = zip([x, 1, 2], "abc")
    adv(p, it)
    return dict(it)


def starmap(p: Any, x: Any) -> Any:
    it = itertools.starmap(pow, [(x, 2), (2, 3)])
    adv(p, it)
    return list(it)


def repeated(p: Any, x: Any) -> Any:
    it = itertools.repeat(x, 3)
    adv(p, it)
    return list(it)


def product(p: Any, x: Any) -> Any:
    it = itertools.product([x, 1], repeat=2)
    adv(p, it)
    return list(it)


def permutations(p: Any, x: Any) -> Any:
    it = itertools.permutations([x, 1, 2], 2)
    adv(p, it)
    return list(it)


def broken_off(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    for v in it:
        if v == 1:
            break
    return list(it)


def sorted_rest(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return sorted(it, reverse=True), set(it), tuple(it)


def until_sentinel(p: Any, x: Any) -> Any:
    it = iter(lambda: l.pop(), 2)
    l = [5, 2, 1, x]
    adv(p, it)
    return list(it), l


def generator_delegating(p: Any, x: Any) -> Any:
    def g():
        r = yield from h()
        yield r

    def h():
        yield x
        yield 2
        return 9

    it = g()
    adv(p, it)
    return list(it)


def compressed(p: Any, x: Any) -> Any:
    it = itertools.compress([x, 1, 2], [x, 1, p])
    adv(p, it)
    return list(it)


def grouped_by_key(p: Any, x: Any) -> Any:
    it = itertools.groupby([x, 1, 1, 2], key=lambda v: v % 2)
    adv(p, it)
    return [(k, list(g)) for k, g in it]


def batched(p: Any, x: Any) -> Any:
    def batched(it, n):
        it = iter(it)
        while batch := tuple(itertools.islice(it, n)):
            yield batch

    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(batched(it, 2))


def triples(p: Any, x: Any) -> Any:
    def triplewise(it):
        for (a, _), (b, c) in itertools.pairwise(itertools.pairwise(it)):
            yield a, b, c

    it = iter([x, 1, 2, 3])
    adv(p, it)
    return list(triplewise(it))


def any_then_all(p: Any, x: Any) -> Any:
    it = iter([x, 1, 2])
    adv(p, it)
    return any(v == 1 for v in it), all(it)


def consumed(p: Any, x: Any) -> Any:
    def consume(it, n):
        next(itertools.islice(it, n, n), None)

    it = iter([x, 1, 2, 3])
    if p:
        consume(it, 2)
    return list(it)


def found_in_enumeration(p: Any, x: Any) -> Any:
    it = enumerate([x, 1, 2])
    adv(p, it)
    for i, v in it:
        if i > x:
            return i, v, list(it)
    return None


def items_of_deque(p: Any, x: Any) -> Any:
    d = collections.deque([x, 1, 2])
    it = iter(d)
    adv(p, it)
    return list(it)


def list_that_grows(p: Any, x: Any) -> Any:
    l = [x, 1, 2]
    it = iter(l)
    adv(p, it)
    l.append(7)
    return next(it), list(it), list(it)


def exhausted(p: Any, x: Any) -> Any:
    it = iter([x, 1])
    if p:
        try:
            while True:
                next(it)
        except StopIteration:
            pass
    return list(it), next(it, None)


def generator_recursive(p: Any, x: Any) -> Any:
    def g(n):
        if n:
            yield n
            yield from g(n - 1)

    it = g(x)
    adv(p, it)
    return list(it)


PROGRAMS = [
    found
    for found in list(globals().values())
    if isinstance(found, FunctionType) and found.__code__.co_varnames[:2] == ("p", "x")
]


# What a generator does when something is sent to it or it is closed is not kept for other paths,
# nor what one that yields on some paths only writes to something that others may look at.
REFUSED = (generator_sent, generator_closed, generator_unique)


@pytest.mark.parametrize(
    "program",
    [found for found in PROGRAMS if found not in REFUSED],
    ids=lambda program: program.__name__,
)
def test_iterators(program: Any) -> None:
    agree(program, BITS, SMALL)


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_generators_are_refused_where_paths_meet(program: Any) -> None:
    with pytest.raises(NotLiftedError, match="on some paths only"):
        agree(program, BITS, SMALL)
