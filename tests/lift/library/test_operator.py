"""The module `operator` against CPython."""

from __future__ import annotations

import operator
from typing import Any

from tests.lift.differential import agree

SMALL = [-1, 0, 1, 2]
BITS = [False, True]
SECOND = operator.itemgetter(1)
CALL = operator.methodcaller("shifted", 2, sign=-1)


class Point:
    def __init__(self, x: int, inner: Any = None) -> None:
        self.x = x
        self.inner = inner

    def shifted(self, by: int, sign: int = 1) -> int:
        return self.x + by * sign if self.x > 0 else 0

    def __index__(self) -> int:
        return self.x


def test_arithmetic() -> None:
    def f(a: int, b: int) -> Any:
        return (
            operator.add(a, b), operator.sub(a, b), operator.mul(a, b), operator.neg(a),
            operator.eq(a, b), operator.lt(a, b), operator.not_(a), operator.truth(a),
            operator.is_(a, None), operator.pow(a, 2), operator.abs(a), operator.invert(a),
            operator.contains([a, 1], b), operator.index(Point(a)), operator.index(a > 0),
        )  # fmt: skip

    def division(a: int, b: int) -> Any:
        return operator.floordiv(a, b), operator.mod(a, b)

    agree(f, SMALL, SMALL)
    agree(division, SMALL, SMALL)


def test_in_place() -> None:
    def f(p: bool, items: list[int]) -> Any:
        same = items
        if p:
            items = operator.iadd(items, [4])
        return same is items, operator.iadd(3, 4), operator.concat([1], items)

    agree(f, BITS, make=lambda p: (p, [1]))


def test_items() -> None:
    def f(n: int, items: list[int]) -> Any:
        operator.setitem(items, n, 9)
        if n > 0:
            operator.delitem(items, 0)
        return operator.getitem(items, 0), operator.countOf(items, 9), operator.indexOf(items, 9)

    def missing(n: int) -> Any:
        return operator.indexOf([1, 2], n)

    agree(f, SMALL, make=lambda n: (n, [1, 2, 3]))
    agree(missing, SMALL)


def test_getters() -> None:
    def f(n: int) -> Any:
        rows = [(n, 2), (1, n)]
        point = Point(n, Point(5))
        return (
            SECOND(rows[0]), operator.itemgetter(0, 1)(rows[1]), operator.itemgetter(n)([1, 2, 3]),
            operator.attrgetter("x", "inner.x")(point), CALL(point),
            operator.methodcaller("shifted", n)(point), max(rows, key=operator.itemgetter(0)),
            list(map(SECOND, rows)),
        )  # fmt: skip

    agree(f, SMALL)


def test_sums_by_operator() -> None:
    def f(n: int) -> Any:
        return list(map(operator.mul, [1, n], [n, 3]))

    agree(f, SMALL)
