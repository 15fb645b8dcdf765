"""`statistics`: means of exact numbers, of known and unknown lengths."""

from __future__ import annotations

import statistics
from fractions import Fraction

import pytest

from solvent import verify
from solvent.lift.calls import call
from tests.lift.differential import agree


def between(xs: list[Fraction]) -> None:
    if xs:
        assert min(xs) <= statistics.mean(xs) <= max(xs)


def balanced(x: Fraction, n: int, xs: list[Fraction]) -> None:
    numbers = [x, n, *xs]
    mean = statistics.mean(numbers)
    assert sum(number - mean for number in numbers) == 0


@pytest.mark.parametrize("program", [between, balanced])
def test_means_of_fractions(program: object) -> None:
    assert verify(program).holds


def test_claim_about_means_that_fails() -> None:
    def program(xs: list[Fraction]) -> None:
        assert len(xs) < 2 or statistics.mean(xs) != Fraction(7, 3)

    result = verify(program)
    assert statistics.mean(result.inputs["xs"]) == Fraction(7, 3)
    assert result.confirmed


def test_mean_of_nothing() -> None:
    def program(xs: list[Fraction]) -> Fraction:
        return statistics.mean(xs)

    assert verify(program).inputs == {"xs": []}


def test_other_numbers_as_before() -> None:
    agree(lambda a, b: statistics.mean([a, b, 3]), range(-2, 3), range(3))
    assert call(statistics.mean)([Fraction(1, 3), 1]) == Fraction(2, 3)
    assert call(statistics.mean)(iter([1.0, 4])) == 2.5
