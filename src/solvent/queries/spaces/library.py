"""Spaces of classes of the standard library that have a twin: dates, times, numbers."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from solvent.lift.twins.loading import with_fields
from solvent.queries.spaces.base import Making, Space
from solvent.terms import Float64, Int, and_, or_
from solvent.terms.kinds import Integer
from solvent.terms.texts import text
from solvent.vm.spread import combine
from solvent.vm.values import Guard, Value

# The least and the greatest value of each field, in the order of the constructors.
_Fields = tuple[tuple[str, tuple[int, int]], ...]
_DATE: _Fields = (("year", (1, 9999)), ("month", (1, 12)), ("day", (1, 31)))
_TIME: _Fields = (
    ("hour", (0, 23)),
    ("minute", (0, 59)),
    ("second", (0, 59)),
    ("microsecond", (0, 999999)),
)
_DURATION: _Fields = (
    ("days", (-999999999, 999999999)),
    ("seconds", (0, 86399)),
    ("microseconds", (0, 999999)),
)


@dataclass(frozen=True)
class Moments(Space):
    """All values of a class of `datetime`, without zones."""

    cls: type
    fields: _Fields
    # One of the values.
    sample: Value
    text: str

    def make(self, name: str, making: Making) -> Value:
        made: dict[str, Integer] = {}
        for field, (low, high) in self.fields:
            made[field] = value = Int(f"{name}.{field}")
            making.assume(and_(low <= value, value <= high))
        if "day" in made:
            making.assume(_is_day(made["year"], made["month"], made["day"]))
        return with_fields(self.sample, **made)

    def __str__(self) -> str:
        return self.text


def _is_day(year: Value, month: Value, day: Value) -> Guard:
    """Whether a month has a day; it may be 31 in any case."""
    leap = and_(year % 4 == 0, or_(year % 100 != 0, year % 400 == 0))
    long = and_([month != short for short in (2, 4, 6, 9, 11)])
    result: Guard = or_(day <= 28, and_(day == 29, leap), and_(month != 2, day <= 30), long)
    return result


@dataclass(frozen=True)
class Decimals(Space):
    """Decimal numbers of few digits."""

    most_digits: int = 3
    most_places: int = 2

    def make(self, name: str, making: Making) -> Value:
        sign, length, places = (Int(f"{name}.{part}") for part in ("sign", "length", "places"))
        digits = [Int(f"{name}.digits[{place}]") for place in range(self.most_digits)]
        making.assume(
            and_(sign >= 0, sign <= 1),
            and_(length >= 1, length <= self.most_digits),
            and_(places >= 0, places <= self.most_places),
            or_(length == 1, digits[0] != 48),
            *(and_(digit >= 48, digit <= 57) for digit in digits),
        )
        return combine(
            [
                (
                    and_(length == count, places == after),
                    with_fields(Decimal(0), sign=sign, int=text(digits[:count]), exp=-after),
                )
                for count in range(1, self.most_digits + 1)
                for after in range(self.most_places + 1)
            ]
        )

    def __str__(self) -> str:
        return (
            f"decimals of up to {self.most_digits} digits, up to {self.most_places} of them after "
            "the point"
        )


@dataclass(frozen=True)
class Complexes(Space):
    """All complex numbers: two floats."""

    def make(self, name: str, making: Making) -> Value:
        return with_fields(0j, real=Float64(f"{name}.real"), imag=Float64(f"{name}.imag"))

    def __str__(self) -> str:
        return "any complex"


# What the classes of the standard library stand for as annotations.
LIBRARY: dict[type, Callable[[int], Space]] = {
    moments.cls: lambda _, moments=moments: moments  # type: ignore[misc]
    for moments in (
        Moments(datetime.date, _DATE, datetime.date.min, "any date"),
        Moments(datetime.time, _TIME, datetime.time.min, "any time without a zone"),
        Moments(
            datetime.datetime, _DATE + _TIME, datetime.datetime.min, "any datetime without a zone"
        ),
        Moments(datetime.timedelta, _DURATION, datetime.timedelta(), "any timedelta"),
    )
}
LIBRARY[Decimal] = lambda _: Decimals()
LIBRARY[complex] = lambda _: Complexes()
