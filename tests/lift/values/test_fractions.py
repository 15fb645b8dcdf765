"""Symbolic real numbers are fractions to the program, with each operation of CPython's `Fraction`.

Among the values are some too large and too small for a float, and half-way cases of rounding.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from solvent import Real, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from tests.lift.differential import agree

TOO_LARGE = 2**1024 - 2**970
FRACTIONS = [
    *(Fraction(0), Fraction(1, 3), Fraction(-7, 2), Fraction(5), Fraction(5, 2), Fraction(-1, 2)),
    *(Fraction(10**400), Fraction(-TOO_LARGE), Fraction(TOO_LARGE) - 1, Fraction(1, 10**400)),
    Fraction(0.1),
]
FLOATS = [0.1, 0.0, -0.0, 2.5, math.inf, -math.inf, math.nan, 1e308, 5e-324]
INTS = [0, 1, -3, 10**320]

OF_ONE: list[Callable[[Any], Any]] = [
    lambda x: float(x),
    lambda x: int(x),
    lambda x: (x.real, x.imag, x.conjugate()),
    lambda x: x.is_integer(),
    lambda x: x.hex(),
    lambda x: (type(x), x.__class__, str(type(x))),
    lambda x: (isinstance(x, float), isinstance(x, (int, Fraction))),
    lambda x: isinstance(x, numbers.Rational),
    lambda x: type(x if x > 0 else 1),
    lambda x: type(x if x > 0 else 1.5),
    lambda x: isinstance(x if x > 0 else 1.5, float),
    lambda x: 1.5 + x,
    lambda x: x * 0.5,
    lambda x: 2.0 / x,
    lambda x: 1 / x,
    lambda x: Fraction(1, 2) / x,
    lambda x: x // 0.3,
    lambda x: x % 0.3,
    lambda x: divmod(x, 0.7),
    lambda x: divmod(x, 2),
    lambda x: 7 % x,
    lambda x: (-x, +x, abs(x), bool(x)),
    lambda x: (round(x), round(x, 1), math.floor(x), math.ceil(x), math.trunc(x)),
    lambda x: (x**2, x**0),
    lambda x: (x == 0.1, x < math.nan, x < math.inf, x in [5, 0.1]),
    lambda x: (max(x, 0.5), min(x, 0.25), sorted([x, 1, 0.5])),
    lambda x: sum([x, 1.5]),
    lambda x: math.isfinite(x),
    lambda x: math.copysign(1, x),
    lambda x: math.copysign(x, -1.0),
    lambda x: math.fabs(x),
    lambda x: (x.__add__(1), x.__add__(Fraction(1, 2)), x.__add__("a"), x.__eq__("a")),
    lambda x: x.__rsub__(2.5),
    lambda x: x.__float__(),
    lambda x: x + "a",
    lambda x: x < "a",
    lambda x: x == "a",
    lambda x: range(x),
    lambda x: x << 1,
    lambda x: math.gcd(x, 2),
    lambda x: float(x) == x,
    lambda x: int(float(x)),
    lambda x: {x: 1}.get(5),
    lambda x: len({x, 5}),
    lambda x: (Fraction(x), Fraction(x, 2), Fraction(1, 2) * Fraction(x if x > 0 else 1)),
    lambda x: Fraction(3, x),
]
OF_TWO: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x + y,
    lambda x, y: y - x,
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, y: y / x,
    lambda x, y: x // y,
    lambda x, y: y % x,
    lambda x, y: (x < y, x <= y, y < x, x == y, y != x),
    lambda x, y: (max(x, y), min(y, x)),
    lambda x, y: x if x < y else y,
    lambda x, y: math.copysign(x, y),
    lambda x, y: (x in [y], sorted([x, y]) == [x, y]),
]


@pytest.mark.parametrize("operation", OF_ONE, ids=range(len(OF_ONE)))
def test_one_fraction(operation: Callable[[Any], Any]) -> None:
    agree(operation, FRACTIONS)


@pytest.mark.parametrize("others", [FLOATS, INTS, FRACTIONS], ids=["float", "int", "Fraction"])
@pytest.mark.parametrize("operation", OF_TWO, ids=range(len(OF_TWO)))
def test_a_fraction_and_a_number(operation: Callable[[Any, Any], Any], others: list[Any]) -> None:
    agree(operation, FRACTIONS, others)


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x.numerator,
        lambda x: x.denominator,
        lambda x: x.as_integer_ratio(),
        lambda x: x.limit_denominator(3),
        lambda x: x + 1j,
        lambda x: str(x),
        lambda x: Fraction(1.5, x),
    ],
    ids=["numerator", "denominator", "ratio", "limit", "complex", "text", "of two"],
)
def test_what_solvers_do_not_know_of_a_fraction_is_refused(
    operation: Callable[[Any], Any],
) -> None:
    with pytest.raises(NotLiftedError):
        execute(operation, Real("x"))


def test_claims_about_the_type_of_a_fraction() -> None:
    def is_float(x: Fraction) -> None:
        assert isinstance(x + 1, float)

    def is_whole(x: Fraction) -> None:
        assert x.denominator == 1

    def stays(x: Fraction) -> None:
        assert type(x) is Fraction
        assert isinstance(x / 3, Fraction)

    assert verify(is_float).confirmed
    with pytest.raises(NotLiftedError):
        verify(is_whole)
    assert verify(stays).holds
