"""Powers with floats and negative exponents against CPython: exact ones, and by their values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Float, Int, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

# Floats whose small powers are exact, too large for sure, or no numbers.
EXACT = [
    0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -0.375, 1024.0, 94906265.0, -12345.5, 1e11, 2.0**-40,
    math.inf, -math.inf, math.nan, 1e200, -1e300, 1.7976931348623157e308, 2.0**600,
]  # fmt: skip


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 2.0])
def test_exact_powers(exponent: float) -> None:
    values = EXACT
    if exponent == 3:
        # The others have more than 53 bits.
        values = [x for x in EXACT if not 1e7 < abs(x) < 1e200]
    agree(lambda x: x**exponent, values)
    agree(lambda x: pow(x, exponent), values[:5])


@pytest.mark.parametrize("exponent", [-1, -2, -3.0])
def test_inverse_powers(exponent: float) -> None:
    values = [0.0, -0.0, 1.0, -1.0, 2.0, -0.25, 1024.0, math.inf, -math.inf, math.nan]
    agree(lambda x: x**exponent, values)
    agree(lambda n: n**exponent, [0, 1, 2, 4, -8, 1024])


def test_square_roots() -> None:
    agree(lambda x: x**0.5, [0.0, -0.0, 4.0, 2.25, 1e10, 2.0**-40, math.inf, -math.inf, math.nan])


@pytest.mark.parametrize(
    ("use", "values"),
    [
        (lambda x: x**2, [0.1, 1 / 3, 94906267.0, 1e-200, 5e-324]),
        (lambda x: x**3, [0.1, 94906265.0, 1e11]),
        (lambda x: x**-1, [3.0, 0.1, 5e-324]),
        (lambda x: x**0.5, [2.0, 0.1, -4.0, 5e-324]),
    ],
)
def test_what_is_rounded_is_not_known(use: Callable[[Any], Any], values: list[float]) -> None:
    outcome = execute(use, x := Float("x"))
    refused = [f for f in outcome.failures if isinstance(f.exception, NotLiftedError)]
    for value in values:
        assert any(evaluate(failure.condition, {x: value}) for failure in refused), value


def test_few_values() -> None:
    agree(lambda n: 1.05**n, range(-5, 30))
    agree(lambda n: (n / 4) ** 2.5, range(-6, 20))
    agree(lambda n: n**-2, range(-6, 20))
    agree(lambda n: n**0.5, range(-6, 60))
    agree(lambda a, b: a**b, range(-4, 5), range(-3, 4))
    agree(lambda a, b: (a * 0.5) ** b, range(-4, 5), range(-3, 4))
    agree(lambda p, x: x ** (2 if p else 0), [False, True], [0.5, -3.0])
    agree(lambda n: 10.0**n, range(300, 311))
    agree(lambda p: p**-1, [False, True])


@pytest.mark.parametrize(
    "use",
    [lambda x: x**0.3, lambda x: 2.0**x, lambda x: x**x, lambda x: x**17, lambda x: x**-0.5],
)
def test_refused(use: Callable[[Any], Any]) -> None:
    with pytest.raises(NotLiftedError, match="multiply"):
        execute(use, Float("x"))


def test_questions() -> None:
    def square(n: int) -> None:
        assume(0 <= n <= 1000)
        x = n / 8
        assert x**2 == x * x

    def growth(years: int) -> None:
        assume(0 <= years <= 33)
        assert 100 * 1.05**years < 500

    assert str(verify(square)).startswith("square: verified")
    assert "years=33" in str(verify(growth))

    def unknown(x: float) -> None:
        assume(0.5 <= x <= 2)
        assert x**2 >= 0

    assert "rounded" in str(verify(unknown))


def test_many_ints() -> None:
    agree(lambda n: (n * 0.5) ** 2, [0, 1, -7, 99999, -100000, 65536])
    outcome = execute(lambda n: n**-1, n := Int("n"))
    assert evaluate(outcome.value, {n: 4}) == 0.25
