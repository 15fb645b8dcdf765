"""Comparing ints with quotients of ints: as CPython does, by the exact quotient where it may."""

from __future__ import annotations

import itertools
import operator
import random
from fractions import Fraction

import pytest

from solvent import Int, assume, verify
from solvent.lift.quotients import exact_operands
from solvent.terms.floats import FloatTerm
from tests.lift.cases import SMALL, Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


@cases.on(range(-6, 7), range(1, 4), SMALL)
def in_all_orders(a, b, k):
    m = a / b
    return m < k, m <= k, m > k, m >= k, k < m, k <= m, m == k


@cases.on(range(-3, 4), range(-2, 3), SMALL)
def by_negative_numbers_and_zero(a, b, k):
    try:
        return a / b < k, k <= a / b, a / 3 > k
    except ZeroDivisionError:
        return None


@cases.on(range(-3, 4), SMALL, range(3))
def where_paths_met(a, k, which):
    m = a / 2 if which == 0 else a / 3 if which == 1 else 1.0
    n = float("nan") if which == 2 else a / 2
    return m < k, k <= m, n < k, k <= n


def test_the_exact_quotient_compares_as_the_rounded_one() -> None:
    """What the module says, on numbers of all sizes and those beside ints."""
    draw = random.Random(5)
    orders = (operator.lt, operator.le)
    for _ in range(20_000):
        b = draw.choice([draw.randint(1, 9), 2 ** draw.randint(0, 53), draw.randint(1, 2**53)])
        k = draw.randint(-(2**53) // b, 2**53 // b)
        a = k * b + draw.choice([-1, 0, 1, draw.randint(-b, b)])
        if abs(a) < 2**53:
            for order, (x, y) in itertools.product(orders, ((0, 1), (1, 0))):
                rounded, exact = (a / b, k), (Fraction(a, b), k)
                assert order(rounded[x], rounded[y]) == order(exact[x], exact[y])


def test_large_numbers_are_rounded() -> None:
    n = Int("n")
    large, small = n % 2**54 / 3, n % 2**53 / 3
    assert type(exact_operands(large, 5)[0]) is FloatTerm
    assert type(exact_operands(small, 5)[0]) is not FloatTerm
    assert type(exact_operands(small / 3, 5)[0]) is FloatTerm
    # An int of that size may be rounded to a float that is larger.
    assert 2**53 + 1 > (2**53 + 1) / 1


def test_means_are_between() -> None:
    def program(x: int, y: int, z: int) -> None:
        numbers = [x, y, z]
        assume(all(-1000 <= number <= 1000 for number in numbers))
        assert min(numbers) <= sum(numbers) / 3 <= max(numbers)

    def off_by_one(x: int, y: int) -> None:
        assume(0 <= x <= 100)
        assume(0 <= y <= 100)
        assert (x + y) / 2 < 100 or x + y > 200

    assert verify(program).holds
    assert verify(off_by_one).inputs == {"x": 100, "y": 100}
