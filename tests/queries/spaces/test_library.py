"""Parameters that are dates, times, durations and decimal numbers: all valid ones, no others."""

from __future__ import annotations

import itertools
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from solvent import verify
from solvent.lift import evaluate
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import Making


def is_valid(cls: type, values: dict[str, int]) -> bool:
    """Whether the assumptions of the space of a class allow for some values of its fields."""
    making = Making()
    of_annotation(cls).make("d", making)
    return all(evaluate(each, values) for each in making.assumptions)


@pytest.mark.parametrize("year", [0, 1, 1900, 2000, 2023, 2024, 9999, 10000])
def test_the_days_that_exist(year: int) -> None:
    for month, day in itertools.product(range(14), range(33)):
        try:
            exists = bool(date(year, month, day))
        except ValueError:
            exists = False
        values = {"d.year": year, "d.month": month, "d.day": day}
        assert is_valid(date, values) == exists, (year, month, day)


def test_what_is_said_and_printed() -> None:
    def early(d: date, t: time, n: timedelta, m: datetime, x: Decimal) -> None:
        assert d != date(2024, 2, 29) or t != time(1, 2, 3, 4) or n != timedelta(5) or x != 7

    result = verify(early, m=datetime(2024, 1, 1))
    assert result.derived == {
        "d": "any date",
        "t": "any time without a zone",
        "n": "any timedelta",
        "x": "decimals of up to 3 digits, up to 2 of them after the point",
    }
    assert result.confirmed
    assert result.call is not None
    assert "d=datetime.date(2024, 2, 29), t=datetime.time(1, 2, 3, 4)" in result.call
    assert "n=datetime.timedelta(days=5)" in result.call


def test_what_holds_for_every_date() -> None:
    def counted(d: date) -> None:
        assert date.fromordinal(d.toordinal()) == d
        assert 0 <= d.weekday() <= 6
        assert d.replace(day=1) <= d

    assert verify(counted).holds


def test_a_datetime() -> None:
    def noon(m: datetime) -> None:
        assert m.time() != time(12)

    assert verify(noon).confirmed
