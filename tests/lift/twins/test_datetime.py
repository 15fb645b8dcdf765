"""`datetime` on symbolic values: its Python code does what C does, for whole years of dates."""

from __future__ import annotations

import datetime as native
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from tests.lift.differential import agree

YEARS = [1, 4, 1900, 2000, 2023, 2024, 9999]
MONTHS = list(range(13 + 1))


def weekday(y: int, m: int, d: int) -> Any:
    found = date(y, m, d)
    return found, found.weekday(), found.toordinal()


def test_every_day_of_some_years() -> None:
    agree(weekday, [1900, 2000, 2023, 2024], [1, 2, 3, 12], [1, 28, 29, 30, 31])


def test_dates_that_do_not_exist() -> None:
    agree(weekday, [-1, 0, 1, 9999, 10000], [0, 1, 2, 4, 12, 13], [0, 1, 29, 30, 31, 32])
