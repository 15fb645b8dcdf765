"""`decimal` on symbolic numbers, against the one in C."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, DivisionByZero, InvalidOperation
from typing import Any

import pytest

from solvent.errors import NotLiftedError
from solvent.lift import execute
from solvent.terms import Int
from tests.lift.differential import agree


def test_sums() -> None:
    def add(a: int) -> Any:
        found = Decimal(a) + Decimal("0.10")
        return found, str(found), type(found) is Decimal, isinstance(found, Decimal)

    agree(add, [-3, 0, 7, 12])


def test_differences_and_products() -> None:
    def compute(a: int) -> Any:
        return Decimal(a) - Decimal("0.5"), Decimal("1.5") * Decimal(a), -Decimal(a)

    agree(compute, [0, 1, 9])


def test_quotients() -> None:
    def divide(a: int) -> Any:
        return Decimal(a) / 4

    agree(divide, [0, 1, 2, 3, 8, 11])


def test_divisions_by_zero() -> None:
    def divide(a: int) -> Any:
        try:
            return Decimal(a) / Decimal(0)
        except DivisionByZero as error:
            return type(error), str(error)

    agree(divide, [0, 1, 2])

    def undefined(a: int) -> Any:
        try:
            return Decimal(a) / Decimal(0)
        except InvalidOperation as error:
            return str(error)

    agree(undefined, [0, 1])


def test_comparisons() -> None:
    def compare(a: int) -> Any:
        found = Decimal(a)
        limit = Decimal("2.0")
        return found < limit, limit <= found, found == limit, limit == found, found == a

    agree(compare, [0, 1, 2, 3])


def test_rounding() -> None:
    def cents(a: int) -> Any:
        return (Decimal(a) / 8).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

    agree(cents, [0, 1, 3, 7])


def test_an_int_without_bounds() -> None:
    with pytest.raises(NotLiftedError, match="bounds"):
        execute(lambda a: Decimal(a), Int("a"))
