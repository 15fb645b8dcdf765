"""Everyday functions on dates and times."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from benchmarks.everyday.claims import fails, holds

DAYS = [
    date(2023, 1, 1),
    date(2023, 12, 31),
    date(2024, 2, 29),
    date(2000, 2, 29),
    date(1999, 10, 5),
]


@holds(day=DAYS)
def weekday_from_the_number(day: date) -> None:
    assert (day.toordinal() + 6) % 7 == day.weekday()


@fails(day=DAYS)
def same_day_next_month(day: date) -> None:
    date(day.year, day.month + 1, day.day)


@holds(born=DAYS, today=DAYS)
def age(born: date, today: date) -> None:
    if born <= today:
        years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
        assert years >= 0


@fails(day=DAYS)
def same_day_next_year(day: date) -> None:
    if day.year < 9999:
        day.replace(year=day.year + 1)


@holds(days=range(-5, 400, 7))
def later_and_back(days: int) -> None:
    start = date(2024, 1, 31)
    if 0 <= days <= 400:
        assert (start + timedelta(days=days)) - start == timedelta(days=days)


@holds(day=DAYS)
def written_and_read(day: date) -> None:
    assert date.fromisoformat(day.isoformat()) == day


@fails(year=range(1890, 1910))
def every_fourth_year(year: int) -> None:
    if 1800 <= year <= 2100:
        assert calendar.isleap(year) == (year % 4 == 0)


@fails(seconds=[0, 1, 86399, 86400])
def seconds_of_a_duration(seconds: int) -> None:
    if 0 <= seconds < 10**6:
        assert timedelta(seconds=seconds).seconds == seconds


@holds(day=DAYS)
def quarter(day: date) -> None:
    assert 1 <= (day.month - 1) // 3 + 1 <= 4


@fails(first=DAYS, second=DAYS)
def days_between(first: date, second: date) -> None:
    assert (second - first).days >= 0
