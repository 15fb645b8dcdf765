"""The module `math` against CPython."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

from solvent import Float, Int, Real, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree, run

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


HOSTILE = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.75, 3.0, 1e-9, 7.25, -2.5, 1e16, 1 / 3, 5e-324, -5e-324,
    2.2250738585072014e-308, 1.7976931348623157e308, -1e300, math.inf, -math.inf, math.nan,
]  # fmt: skip


def same_on_floats(function: Any, *domains: list[float], keep: Any = None) -> None:
    """Compare with CPython on floats, and on ints that are concrete in the function."""
    inputs = [Float(f"x{place}") for place in range(len(domains))]
    outcome = execute(function, *inputs)
    for values in itertools.product(*domains):
        model = dict(zip(inputs, values, strict=True))
        found = [f.exception for f in outcome.failures if evaluate(f.condition, model)]
        if keep is not None and not keep(*values):
            assert [type(error) for error in found] == [NotLiftedError], values
            continue
        expected, error = run(function, values)
        if error is not None:
            assert [repr(failure) for failure in found] == [repr(error)], values
        else:
            assert not found, (values, found)
            assert repr(evaluate(outcome.value, model)) == repr(expected), values


@pytest.mark.parametrize("function", [math.fmod, math.remainder, math.isclose])
def test_functions_of_two_floats(function: Any) -> None:
    same_on_floats(lambda x, y: function(x, y), HOSTILE, HOSTILE)
    same_on_floats(lambda x: (function(x, 2), function(7, x) if x else 0), HOSTILE)


@pytest.mark.parametrize("function", [math.modf, math.frexp, math.degrees, math.radians])
def test_functions_of_one_float(function: Any) -> None:
    same_on_floats(lambda x: function(x), HOSTILE)


def test_tolerances() -> None:
    def f(x: Any, t: Any) -> Any:
        return math.isclose(x, 1.0, rel_tol=t), math.isclose(1.0, x, abs_tol=t)

    same_on_floats(f, HOSTILE, [0.0, -1.0, 0.5, 1e-9, math.inf, math.nan])
    agree(lambda p, n: math.isclose(n, 3, rel_tol=0.5 if p else 1), [False, True], range(5))


@pytest.mark.parametrize("i", [0, 1, -1, 52, -1022, 1022, 1023, 1500, 2100, 5000, 10**20])
def test_scaling(i: int) -> None:
    same_on_floats(lambda x: math.ldexp(x, i), HOSTILE)


def test_scaling_by_a_symbolic_number() -> None:
    numbers = [-1022, -53, -1, 0, 1, 60, 1022, 1023, 1024, 2045, 2098, 2**40, -1023, -(10**20)]
    x, i = Float("x"), Int("i")
    outcome = execute(lambda x, i: math.ldexp(x, i), x, i)
    for value, number in itertools.product(HOSTILE, numbers):
        model = {x: value, i: number}
        expected, error = run(math.ldexp, (value, number))
        found = [f.exception for f in outcome.failures if evaluate(f.condition, model)]
        if number < -1022 and value and math.isfinite(value):
            assert [type(failure) for failure in found] == [NotLiftedError]
        elif error is not None:
            assert [repr(failure) for failure in found] == [repr(error)]
        else:
            assert not found
            assert repr(evaluate(outcome.value, model)) == repr(expected), (value, number)


def test_a_float_is_put_together_again() -> None:
    same_on_floats(lambda x: math.ldexp(*math.frexp(x)) if abs(x) > 1e-200 else x, HOSTILE)


def test_exact_sums() -> None:
    same_on_floats(lambda x, y: math.fsum([x, y]), HOSTILE, HOSTILE)
    same_on_floats(lambda x: (math.fsum([x]), math.fsum((x, 1)), math.fsum([])), HOSTILE)
    agree(lambda n, p: math.fsum([n, 1, p, n]), range(-3, 4), [False, True])
    with pytest.raises(NotLiftedError, match="fsum"):
        execute(lambda x: math.fsum([x, 1.0, 2.0]), Float("x"))
    with pytest.raises(NotLiftedError, match="fsum"):
        execute(lambda n: math.fsum([n, 1]), Int("n"))


def test_each_of_few_values() -> None:
    def f(n: int, p: bool) -> Any:
        x = 0.5 if p else -0.0
        angle = n if p else x
        return math.sin(n), math.exp(x), math.atan2(n, x), math.cos(angle), math.pow(x, n + 4)

    def g(n: int) -> Any:
        return math.log2(n), math.log(n, 10)

    agree(f, range(-3, 4), [False, True])
    agree(g, range(-1, 9))


def test_square_roots_of_large_numbers() -> None:
    n = Int("n")
    outcome = execute(lambda n: math.isqrt(n), n)
    for number in (0, 1, 3, 4, 10**6, 10**6 - 1, 2**32, 2**64 - 1, 2**64):
        assert evaluate(outcome.normal, {n: number}) is True
        assert evaluate(outcome.value, {n: number}) == math.isqrt(number)
    beyond = [f.exception for f in outcome.failures if evaluate(f.condition, {n: 2**70})]
    assert [type(error) for error in beyond] == [NotLiftedError]


def test_numbers_beyond_a_limit_are_not_claimed() -> None:
    n = Int("n")
    outcome = execute(lambda n: (math.factorial(n), math.comb(n, 2)), n)
    assert evaluate(outcome.value, {n: 128}) == (math.factorial(128), math.comb(128, 2))
    beyond = [f.exception for f in outcome.failures if evaluate(f.condition, {n: 129})]
    assert [type(error) for error in beyond] == [NotLiftedError]


def test_what_a_root_is() -> None:
    def root(n: int) -> None:
        assume(0 <= n < 2**64)
        found = math.isqrt(n)
        assert found * found <= n < (found + 1) ** 2

    def of_square(n: int) -> None:
        assume(0 <= n < 2**32)
        assert math.isqrt(n * n) == n

    assert verify(root, Int("n")).holds
    assert verify(of_square, Int("n")).holds
