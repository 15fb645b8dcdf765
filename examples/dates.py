"""A date library: days since an epoch to year, month, day and back, without a loop or a table.

The year starts in March, so that the leap day is its last, and 400 years have the same number of
days always.

Proved: the two directions are inverse, months and days are in their ranges, and the day number is
what Python's `datetime.date` says, for all dates of a century.
Found: the formula without the rule of the 400 years differs from Python's calendar, from March of
2000 on.
"""

from __future__ import annotations

from datetime import date

from solvent import verify
from solvent.queries import integers

EPOCH = date(1970, 1, 1)


def days_from(year: int, month: int, day: int, full_rule: bool = True) -> int:
    """How many days a date is after the first of January 1970."""
    year -= month <= 2
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    centuries = year // 400 - year // 100 if full_rule else -(year // 100)
    correction = 719468 if full_rule else 719468 - 4
    return year * 365 + year // 4 + centuries + of_year - correction


def date_of(days: int) -> tuple[int, int, int]:
    """The year, month and day that is so many days after the first of January 1970."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return year + era * 400 + (month <= 2), month, day


def round_trips(days: int) -> None:
    year, month, day = date_of(days)
    assert 1 <= month <= 12
    assert 1 <= day <= 31
    assert days_from(year, month, day) == days


def agrees_with_python(day: date) -> None:
    if 1950 <= day.year < 2050:
        assert days_from(day.year, day.month, day.day) == day.toordinal() - EPOCH.toordinal()


def short_rule_agrees(day: date) -> None:
    if 1950 <= day.year < 2050:
        expected = day.toordinal() - EPOCH.toordinal()
        assert days_from(day.year, day.month, day.day, full_rule=False) == expected


if __name__ == "__main__":
    inverse = verify(round_trips, integers(0, 36524))
    python = verify(agrees_with_python)
    short = verify(short_rule_agrees)
    for result in (inverse, python, short):
        print(result)
