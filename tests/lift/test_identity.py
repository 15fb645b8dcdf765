"""When values are one object: NaN in containers and in the fields of records."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from solvent import Float, Int, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()
# Two objects, so that they are told apart.
ONE, OTHER = [float("nan"), 1.0], [float("nan"), 1.0]


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


@cases.on([False, True], [False, True], ONE, OTHER)
def chosen(p, q, x, y):
    a = x if p else y
    b = [a, y][q]
    return [a] == [b], a in (x, b), (y, a, x).count(b), a == b, {1: a} == {1: b}


@cases.on([False, True], ONE, OTHER)
def in_other_orders(p, x, y):
    items = [x, y] if p else [y, x, y]
    items.reverse()
    return items == [x, y], items == [y, x], (x, 1) < (y, 0), items.index(x), items != [y, x, y]


@cases.on([False, True], ONE)
def beside_known_numbers(p, x):
    a = 2.0 if p else x
    return [a] == [2.0], a in [x, 1.0], [x] == [1.0]


# --- records --------------------------------------------------------------------------------------


class Touchy:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        if self.n == other.n == 0:
            raise ValueError("zero")
        return self.n == other.n or 0


@dataclass
class Pair:
    first: Any
    second: Any


@cases.on(ONE, OTHER, [1, 2])
def records(x, y, n):
    p, q = Pair(x, n), Pair(x, 1)
    return p == q, p != q, p == p, p in [q], Pair(x, y) == Pair(x, x), Pair(n, x) == Pair(1, y)


@cases.on(range(3), range(3))
def fields_with_methods_of_their_own(n, k):
    return Pair(n, Touchy(k)) == Pair(k, Touchy(0)), Pair(Touchy(n), k) != Pair(Touchy(1), n)


@cases.on(range(3), range(3))
def elements_with_methods_of_their_own(n, k):
    a, b = [n, Touchy(k)], [k, Touchy(0)]
    if n > k:
        a.append(n)
    return a == b, (n, Touchy(k)) == (k, Touchy(0)), [Touchy(n), k] != [Touchy(1), n]


# --- what is computed -----------------------------------------------------------------------------


def twice(n: int, x: float) -> None:
    if n == 123456789:
        assert [x + 1.0] == [x + 1.0]


def once(n: int, x: float) -> None:
    y = x + 1.0
    if n == 123456789:
        assert y in [y]


def by_one(n: int, x: float) -> None:
    if n == 123456789:
        assert x * 1.0 in (x / 1.0, x - 0.0)


def without_nan(x: float) -> None:
    if 0.0 <= x <= 2.0:
        assert {x + 1.0: 1}[x + 1.0] == 1


def test_what_is_computed_twice_is_no_proof() -> None:
    for function in (twice, once, by_one):
        n, x = Int("n"), Float("x")
        assert not verify(function, n, x).holds
        outcome = execute(function, n, x)
        for value, holds in ((float("nan"), False), (1.0, True)):
            assert evaluate(outcome.asserts, {n: 123456789, x: value}) is holds
        (failure,) = (
            f for f in outcome.failures
            if evaluate(f.condition, {n: 123456789, x: float("nan")})
        )  # fmt: skip
        assert isinstance(failure.exception, NotLiftedError)
    assert verify(without_nan, Float("x")).holds


NUMBERS = [[0, 1, 2, -3], [Fraction(0), Fraction(7, 2)], [True, False], [0.5, float("nan")]]


@pytest.mark.parametrize("others", NUMBERS, ids=["int", "Fraction", "bool", "float"])
@pytest.mark.parametrize(
    "compare",
    [
        lambda x, y: [y if x > 1 else x] == [y],
        lambda x, y: sorted([x, y]) == [x, y],
        lambda x, y: (y if x > 0 else x) in [x, y],
        lambda x, y: [max(x, y)] == [y],
        lambda x, y: [x, y].count(y if x > 0 else x),
    ],
    ids=["choice", "sorted", "member", "largest", "count"],
)
def test_nan_is_itself_where_it_is_one_of_several_types(
    compare: Callable[[Any, Any], Any], others: list[Any]
) -> None:
    agree(compare, others, [0.1, 0.0, -0.0, 2.5, math.inf, math.nan])
