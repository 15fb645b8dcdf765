"""The module `math` against CPython."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from solvent import Float, Int, Real
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

NUMBERS = [-3, -1, 0, 2, 5]
FLOATS = [0.0, -0.0, 1.5, -2.5, 1e300, float("inf"), float("-inf"), float("nan")]


def test_rounding() -> None:
    def f(n: int, p: bool) -> Any:
        half = n / 2
        return math.floor(half), math.ceil(half), math.trunc(half), math.floor(n), math.ceil(p)

    agree(f, NUMBERS, [False, True])


def test_rounding_of_reals() -> None:
    r = Real("r")
    outcome = execute(lambda v: (math.floor(v), math.ceil(v), math.trunc(v)), r)
    for value in (Fraction(7, 2), Fraction(-7, 2), Fraction(3)):
        expected = (math.floor(value), math.ceil(value), math.trunc(value))
        assert evaluate(outcome.value, {r: value}) == expected


@pytest.mark.parametrize(
    "function",
    [math.isnan, math.isinf, math.isfinite, math.fabs, math.floor, math.sqrt, round, int],
)
def test_floats(function: Any) -> None:
    x = Float("x")
    outcome = execute(lambda v: function(v), x)
    for value in FLOATS:
        expected = attempt(function, value)
        found = [repr(f.exception) for f in outcome.failures if evaluate(f.condition, {x: value})]
        if not found:
            assert evaluate(outcome.asserts, {x: value})
            found = [repr(evaluate(outcome.value, {x: value}))]
        assert found == [expected]


def attempt(function: Any, value: float) -> str:
    """The result or the exception of a function."""
    try:
        return repr(function(value))
    except (ValueError, OverflowError) as error:
        return repr(error)


def test_copysign() -> None:
    def f(n: int) -> Any:
        return math.copysign(2, n), math.copysign(n, -1.0), math.copysign(n, 3), math.fabs(n)

    agree(f, NUMBERS)


def test_whole_numbers() -> None:
    def f(n: int, m: int) -> Any:
        return math.gcd(n, m), math.gcd(n), math.lcm(n, 4), math.gcd(), math.prod([n, m, 2])

    agree(f, [-3, 0, 2, 4], [0, 2, 6])


def test_counting() -> None:
    def f(n: int) -> Any:
        return math.factorial(n)

    def g(n: int, k: int) -> Any:
        return math.comb(n, k), math.perm(n, k)

    def root(n: int) -> Any:
        return math.isqrt(n)

    agree(f, [-1, 0, 1, 4])
    agree(g, [-1, 0, 3], [-1, 0, 2, 4])
    agree(root, [-1, 0, 3, 4, 8])


def test_concrete_numbers() -> None:
    def f(p: bool) -> Any:
        x = 2.0 if p else 3
        return math.log(x), math.sin(x), math.hypot(3, x), math.pow(x, 2), math.dist((0,), (4,))

    agree(f, [False, True])


@pytest.mark.parametrize("function", [math.sin, math.log, math.exp, math.hypot])
def test_refused(function: Any) -> None:
    with pytest.raises(NotLiftedError, match=f"math.{function.__name__}"):
        execute(lambda x: function(x), Int("x"))
