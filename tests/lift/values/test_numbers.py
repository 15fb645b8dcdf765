"""Methods of numbers against CPython."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Float, Int, Real
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

NUMBERS = [-9, -8, -1, 0, 1, 5, 8]


def test_bits() -> None:
    def f(n: int, p: bool) -> Any:
        return n.bit_length(), n.bit_count(), p.bit_length(), (n % 16).bit_count(), (5).bit_length()

    agree(f, NUMBERS, [False, True])


def test_bits_without_a_bound_are_those_of_a_word() -> None:
    outcome = execute(lambda n: (n.bit_length(), n.bit_count()), Int("n"))
    for number in (0, -1, 77, -(2**64) + 1, 2**64 - 1):
        assert evaluate(outcome.normal, {"n": number}) is True
        found = evaluate(outcome.value, {"n": number})
        assert found == (number.bit_length(), number.bit_count())
    [failure] = outcome.failures
    assert type(failure.exception) is NotLiftedError
    assert evaluate(failure.condition, {"n": 2**64}) is True


def test_other_methods() -> None:
    def f(n: int, p: bool) -> Any:
        return n.conjugate(), n.as_integer_ratio(), p.conjugate(), (n / 2).is_integer()

    agree(f, NUMBERS, [False, True])


def test_is_integer_of_floats() -> None:
    x = Float("x")
    outcome = execute(lambda v: v.is_integer(), x)
    for value in (0.0, -2.0, 0.5, 1e300, float("inf"), float("nan")):
        assert evaluate(outcome.value, {x: value}) is value.is_integer()


def test_refused_methods() -> None:
    with pytest.raises(NotLiftedError, match="to_bytes"):
        execute(lambda n: n.to_bytes(n, "big"), Int("n"))
    with pytest.raises(NotLiftedError, match="hex"):
        execute(lambda x: x.hex(), Float("x"))


def test_texts_of_floats_with_few_values() -> None:
    def texts(n: int, p: bool) -> Any:
        return str(n / 4), f"{float(n)}", repr(1e22 if p else -0.0), f"{n / 3}"

    agree(texts, range(-3, 4), [False, True])


def test_a_real_number_has_no_text() -> None:
    with pytest.raises(NotLiftedError, match="sort Real"):
        execute(lambda x: str(x), Real("x"))


def test_powers_of_floats_that_are_exact() -> None:
    def powers(n: int) -> Any:
        return (n / 4) ** 1, (n / 4) ** 0, (n / 4) ** 1.0

    agree(powers, range(-3, 4))
