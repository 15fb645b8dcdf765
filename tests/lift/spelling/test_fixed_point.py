"""Floats with a fixed number of decimals against CPython: formats and `round`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from solvent import Float, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate

# Ties, what is just beside them, numbers that are rounded up to a new digit, zeros and others.
VALUES = [
    0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, -0.005, 0.015, 1.005, 2.675, 0.045, 9.995, 99.5, 999.5,
    -999.9999, 5e-324, -1e-300, 0.1, 1 / 3, 123.456, -7.0, 0.9999999, 0.00005, 1e-5,
    math.nextafter(0.125, 1), math.nextafter(0.125, 0), math.nextafter(0.5, 0), 998.9995,
]  # fmt: skip
SPECIAL = [math.inf, -math.inf, math.nan]


def floats_agree(
    function: Callable[[Any], Any], values: Sequence[float], most: float = math.inf
) -> None:
    """A function of a float is the same on all values, infinities and NaN among them."""

    def bounded(value: float) -> Any:
        assume(not (most <= abs(value) < math.inf))
        return function(value)

    x = Float("x")
    outcome = execute(bounded, x)
    assert not outcome.failures
    for value in values:
        found = evaluate(outcome.value, {x: value})
        assert repr(found) == repr(function(value)), f"of {value!r}"


@pytest.mark.parametrize(
    "spec",
    [".2f", ".0f", "#.0f", "f", "+.1f", "08.2f", "z.1f", "_.3F", "010,.1f", "*^12.1f", "F"],
)
def test_formats(spec: str) -> None:
    floats_agree(lambda value: format(value, spec), [*VALUES, *SPECIAL], 1000.0)


@pytest.mark.parametrize("spec", ["%", ".1%", "+012,.0%"])
def test_percentages(spec: str) -> None:
    floats_agree(lambda value: format(value, spec), [*VALUES, *SPECIAL], 1000.0)


@pytest.mark.parametrize("template", ["%.2f", "%+08.1f|", "%-9.0f|", "%#.0f", "%F", "% f"])
def test_directives(template: str) -> None:
    floats_agree(lambda value: template % value, [*VALUES, *SPECIAL], 1000.0)


@pytest.mark.parametrize("decimals", [1, 2, 3, 6, 15, 22, 400])
def test_rounding(decimals: int) -> None:
    rng = random.Random(decimals)
    values = [*VALUES, *SPECIAL, 1e300, -(2.0**53), 2.0**52 + 0.5, 1e15 + 0.3]
    values += [rng.uniform(-1, 1) * 10 ** rng.randrange(-8, 18) for _ in range(200)]
    values += [rng.randrange(-(10**6), 10**6) / 2**7 for _ in range(100)]
    floats_agree(lambda value: round(value, decimals), values)


def test_mistakes() -> None:
    def wrong(value: float) -> Any:
        try:
            return format(value, "d")
        except ValueError as error:
            return str(error)

    floats_agree(wrong, [0.5])


@pytest.mark.parametrize(
    "use",
    [
        lambda x: f"{x:.99f}",
        lambda x: round(x, -1),
    ],
)
def test_refused(use: Callable[[Any], Any]) -> None:
    with pytest.raises(NotLiftedError):
        execute(use, Float("x"))


def test_large_floats_end_the_path() -> None:
    outcome = execute(lambda x: f"{x:.2f}", x := Float("x"))
    (refused,) = outcome.failures
    assert isinstance(refused.exception, NotLiftedError)
    assert evaluate(refused.condition, {x: 1e15})
    assert not evaluate(refused.condition, {x: 9e14})
    assert evaluate(outcome.value, {x: 1234.567}) == "1234.57"


def test_solvers_decide_it() -> None:
    def price(x: float) -> None:
        assume(0.0 <= x <= 10.0)
        assert f"{x:.1f}" != "7.3"

    found = verify(price, Float("x"))
    assert not found.holds, found
