"""Sorting by keys that have no total order is what Python's own sort makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Float, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.unordered import has_no_order
from tests.lift.differential import agree

FEW = [math.nan, 1.0, 2.0]


class Odd:
    """Has an order with a circle in it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __lt__(self, other: Odd) -> bool:
        return (other.value - self.value) % 3 == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b, c: sorted([a, b, c]),
        lambda a, b, c: sorted([a, b, c], reverse=True),
        lambda a, b, c: sorted([3.0, a, 1.0, b]),
        lambda a, b, c: sorted([a, b, c], key=lambda value: -value),
        lambda a, b, c: sorted([(a, 1), (b, 2), (c, 3)]),
        lambda a, b, c: sorted(["one", "two", "three"], key=lambda w: [a, b, c][len(w) % 3]),
    ],
)
def test_numbers_that_are_none(function: Callable[..., Any]) -> None:
    # Tuples are compared by identity first, and inputs are different objects.
    unlike = [[*numbers, float("nan")] for numbers in ([1.0, 2.0, 3.0],) * 3]
    agree(function, *unlike)


def test_as_many_as_there_are() -> None:
    def some(a: float, b: float, c: float, more: bool) -> list[float]:
        numbers = [2.0, a, b]
        if more:
            numbers.append(c)
        numbers.sort()
        return numbers

    agree(some, FEW, FEW, FEW, [True, False])


def test_five() -> None:
    agree(lambda a, b, c, d, e: sorted([a, b, c, d, e]), FEW, FEW, FEW, [1.5, 4.0], [math.nan])


def test_orders_of_the_program() -> None:
    def sort(*numbers: int) -> list[int]:
        return [odd.value for odd in sorted(map(Odd, numbers))]

    agree(sort, range(3), range(3), range(3), range(3))


def test_orders_of_as_many_as_there_are() -> None:
    class Rank:
        def __init__(self, value: int) -> None:
            self.value = value

        def __lt__(self, other: Rank) -> bool:
            return self.value < other.value

    def ranked(a: int, b: int, c: int) -> list[int]:
        found = [Rank(a), Rank(2), Rank(b), Rank(1)]
        if c:
            found += [Rank(c), Rank(0), Rank(a)]
        return [rank.value for rank in sorted(found)]

    agree(ranked, range(3), range(3), range(3))


def test_inclusion() -> None:
    agree(lambda a, b: sorted([{a, 2}, {b}, {a, b}, set()]), [1, 2, 3], [1, 2, 3])


def test_many_need_an_order() -> None:
    numbers = [Float(f"x{place}") for place in range(6)]
    outcome = execute(lambda: sorted(numbers))
    (refused,) = outcome.failures
    assert isinstance(refused.exception, NotLiftedError)

    def smallest() -> None:
        for number in numbers:
            assume(number == number)
        found = sorted(numbers)
        assert len(found) == 6

    assert verify(smallest).holds


def test_the_first_is_not_the_smallest() -> None:
    def first(x: float, y: float) -> None:
        assert sorted([3.0, x, 1.0, y])[0] <= 1.0

    assert not verify(first, Float("x"), Float("y")).holds


def test_plain_orders_are_orders() -> None:
    assert has_no_order([True] * 3, lambda a, b: (b - a) % 3 == 1) is True
    assert has_no_order([True] * 3, lambda a, b: a < b) is False
