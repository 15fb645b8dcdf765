"""A leap-year bug: a clock that stops on the last day of a leap year.

Found: `hasty_year` counts years down from a number of days; on day 366 of a leap year its loop
takes nothing away, so the variant that every loop needs, something that gets smaller, is
violated. A music player of 2008 did just this on New Year's Eve. And `julian_leap` forgets the
rule of the centuries.
Proved: `year_of` always makes progress, and agrees with Python's own dates for all days up to
December of 2104.
"""

from __future__ import annotations

import calendar
from datetime import date

from solvent import assume, verify

ORIGIN = 2096
BEFORE = date(ORIGIN, 1, 1).toordinal() - 1


def julian_leap(year: int) -> bool:
    return year % 4 == 0


def leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def hasty_year(days: int) -> int:
    """The year of a day, counted from 1 on the first of January of ORIGIN."""
    year = ORIGIN
    while days > 365:
        before = days
        if leap(year):
            if days > 366:
                days -= 366
                year += 1
        else:
            days -= 365
            year += 1
        assert days < before, "this loop goes on forever"
    return year


def year_of(days: int) -> int:
    """The same, right."""
    year = ORIGIN
    while days > (366 if leap(year) else 365):
        before = days
        days -= 366 if leap(year) else 365
        year += 1
        assert days < before, "this loop goes on forever"
    return year


def some_days(days: int) -> None:
    assume(1 <= days <= 9 * 365)


def hasty_year_ends(days: int) -> None:
    some_days(days)
    hasty_year(days)


def year_agrees_with_dates(days: int) -> None:
    some_days(days)
    year = year_of(days)
    assert date(year, 1, 1).toordinal() <= BEFORE + days <= date(year, 12, 31).toordinal()


def julian_is_gregorian(year: int) -> None:
    assume(year >= 1583)
    assert julian_leap(year) == calendar.isleap(year)


def leap_is_gregorian(year: int) -> None:
    assert leap(year) == calendar.isleap(year)


if __name__ == "__main__":
    stops = verify(hasty_year_ends)
    centuries = verify(julian_is_gregorian)
    rule = verify(leap_is_gregorian)
    agrees = verify(year_agrees_with_dates)
    for result in (stops, centuries, rule, agrees):
        print(result)
