"""`datetime` on symbolic values: its Python code does what C does, for whole years of dates."""

from __future__ import annotations

import copy
import datetime as native
import itertools
import pickle
import sys
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import pytest

from solvent.errors import NotLiftedError
from solvent.lift import evaluate, execute, is_union
from solvent.lift.twins.loading import loaded, made_native
from solvent.lift.twins.table import BY_MODULE
from solvent.terms import Bool, Int
from tests.lift.differential import agree

# A leap year, one that is none, centuries of both kinds, and the ends of the calendar.
YEARS = [1, 1900, 2000, 2023, 2024, 9999]
DAYS = [0, 1, 28, 29, 30, 31, 32]


def test_days_of_the_calendar() -> None:
    def look(y: int, m: int, d: int) -> Any:
        found = date(y, m, d)
        return found, found.weekday(), found.toordinal(), found.isoweekday(), found.year, found.day

    agree(look, YEARS, list(range(14)), DAYS)


def test_years_and_months_that_do_not_exist() -> None:
    def make(y: int, m: int) -> Any:
        return date(y, m, 1)

    agree(make, [-(1 << 31) - 1, -1, 0, 10000, (1 << 31) - 1, 1 << 31, 1 << 63], [0, 1, 12, 13])


def test_ordinals() -> None:
    def back(n: int) -> Any:
        found = date.fromordinal(n)
        return found, found.toordinal() == n

    days = [(1900, 2, 28), (1900, 12, 31), (2000, 2, 28), (2024, 2, 28), (2024, 12, 30)]
    near = [date(y, m, d).toordinal() for y, m, d in days]
    agree(back, [-1, 0, 1, 2, 3652058, 3652059, 3652060, *(n + i for n in near for i in range(3))])


def test_weeks_of_the_year() -> None:
    def weeks(d: int) -> Any:
        return tuple((date(2020, 12, 25) + timedelta(days=d)).isocalendar())

    agree(weeks, list(range(14)))

    def of_week(w: int, d: int) -> Any:
        return date.fromisocalendar(2020, w, d)

    agree(of_week, [0, 1, 52, 53, 54], [-(1 << 70), 0, 1, 7, 8, 1 << 33])


def test_more_arguments_than_there_are() -> None:
    agree(lambda n: time(n, 0, 0, 0, None, 0), [0, 1])  # type: ignore[misc]
    agree(lambda n: date(n, 1, 1, 1), [1, 2])  # type: ignore[call-arg]
    agree(lambda n: date(n, 1, 1).strftime("a", "b"), [1, 2])  # type: ignore[call-arg]


def test_dates_that_move() -> None:
    def move(n: int) -> Any:
        found = date(2023, 12, 30) + timedelta(days=n)
        before = date(2023, 12, 30) - timedelta(days=n)
        return found, before, found - before, found - date(2023, 12, 30)

    agree(move, list(range(-70, 70, 3)))


def test_dates_that_leave_the_calendar() -> None:
    def move(n: int) -> Any:
        return date(9999, 12, 30) + timedelta(days=n), date(1, 1, 2) - timedelta(days=n)

    agree(move, [-2, -1, 0, 1, 2, 3])


def test_comparisons_with_dates_of_c() -> None:
    def compare(d: int) -> Any:
        found = date(2024, 2, d)
        other = date(2024, 2, 15)
        return (
            found < other, other < found, found == other, other == found, found != other,
            found >= other, max(found, other), sorted([other, found]), found in [other],
            other - found, timedelta(1) * d, d * timedelta(1),
        )  # fmt: skip

    agree(compare, [1, 14, 15, 16, 29])


def test_operands_that_do_not_fit() -> None:
    def add(d: int) -> Any:
        return date(2024, 2, d) + date(2024, 1, 1)  # type: ignore[operator]

    agree(add, [1])

    def order(d: int) -> Any:
        return date(2024, 2, d) < datetime(2024, 1, 1)

    agree(order, [1])

    def less(d: int) -> Any:
        return date(2024, 2, d) < d  # type: ignore[operator]

    agree(less, [1])

    def subtract(d: int) -> Any:
        return date(2024, 2, d) - datetime(2024, 1, 1)  # type: ignore[operator]

    agree(subtract, [1])

    def divide(d: int) -> Any:
        return date(2024, 2, d) // date(2024, 1, d)  # type: ignore[operator]

    agree(divide, [1])


def test_replacing_parts() -> None:
    def replace(y: int, d: int) -> Any:
        return date(2024, 2, d).replace(year=y), date(2024, 2, 29).replace(year=y)

    agree(replace, [0, 2000, 2023, 2024], [1, 29, 30])


def test_texts_of_dates() -> None:
    def texts(y: int, m: int) -> Any:
        found = date(y, m, 7)
        return found.isoformat(), str(found), repr(found), f"{found}", f"{found:%d.%m.%Y}"

    agree(texts, [1, 987, 2024], [1, 9, 10])


def test_texts_by_a_format() -> None:
    def texts(d: int, h: int) -> Any:
        found = datetime(2024, 3, d, h, 5, 9, 42)
        return found.strftime("%a %A %b %B %d %j %y|%H:%M:%S.%f %I %p %w %u %%")

    agree(texts, [1, 2, 3, 31], [0, 11, 12, 23])
    with pytest.raises(NotLiftedError, match="%c"):
        execute(lambda d: date(2024, 1, d).strftime("%c"), Int("d"))


def test_dates_that_are_read() -> None:
    def read(a: int, b: int) -> Any:
        return date.fromisoformat(f"2024-{a:02d}-{b:02d}")

    agree(read, [0, 1, 2, 12, 13], [0, 1, 29, 30, 31, 32])


@pytest.mark.parametrize(
    "text",
    ["2024-02-29", "20240229", "2024-W09-4", "2024W094", "2024-W09", "2024W09", "2024-W54-1",
     " 204-02-29", "2_24-02-29", "２024-02-29", "2024-0229", "202402-29", "2024-02-2", "2024/02/29",
     "+024-02-29", "2024-02-30"],
)  # fmt: skip
def test_forms_of_dates(text: str) -> None:
    """The last character is symbolic, and all that can stand there are tried."""

    def read(last: int) -> Any:
        return date.fromisoformat(text[:-1] + chr(last))

    agree(read, sorted({ord(text[-1]), ord("0"), ord("9"), ord("-"), ord("a"), 0x0661}))


def test_durations() -> None:
    def duration(a: int, b: int) -> Any:
        found = timedelta(days=a, seconds=b, milliseconds=b, hours=a)
        return (
            found, found.days, found.seconds, found.microseconds, -found, abs(found), found * 3,
            3 * found, found // 7, found + timedelta(1), timedelta(1) - found, bool(found),
            found < timedelta(1), found == timedelta(0), found // timedelta(hours=1),
            found % timedelta(hours=7), divmod(found, timedelta(hours=7)), str(found),
        )  # fmt: skip

    agree(duration, [-3, 0, 1, 400], [-86401, -1, 0, 1, 5000])


def test_seconds_of_durations() -> None:
    def seconds(a: int, b: int) -> Any:
        found = timedelta(seconds=a, microseconds=b)
        return found.total_seconds(), found / timedelta(seconds=2), found * a

    agree(seconds, [-3, 0, 1, 86400], [-1, 0, 250_000])


def test_durations_that_are_too_long() -> None:
    def long(n: int) -> Any:
        return timedelta(days=n), timedelta(days=1) * n

    agree(long, [-(10**9), -999999999, 999999999, 10**9, 1 << 31, -(1 << 31) - 1])


def test_durations_of_other_things() -> None:
    def duration(n: int) -> Any:
        return timedelta(n, "a")  # type: ignore[arg-type]

    agree(duration, [1])
    with pytest.raises(NotLiftedError, match="floats"):
        execute(lambda n: timedelta(days=n, hours=0.5), Int("n"))


def test_times() -> None:
    def clock(h: int, m: int) -> Any:
        found = time(h, m, 7)
        return (
            found,
            found.isoformat(),
            str(found),
            found < time(12),
            found.replace(minute=h),
            repr(found),
        )

    agree(clock, [-1, 0, 12, 23, 24], [-1, 0, 59, 60])


def test_dates_with_times() -> None:
    def moment(d: int, h: int) -> Any:
        found = datetime(2024, 2, d, h, 30)
        later = found + timedelta(hours=h, days=d)
        return (
            found, later, later - found, found.date(), found.time(), later.isoformat(), str(later),
            repr(later), later > datetime(2024, 3, 1), found.replace(hour=d), later.weekday(),
            datetime.combine(found.date(), time(h)), found - timedelta(hours=25),
        )  # fmt: skip

    agree(moment, [1, 28, 29, 30], [0, 13, 23, 24])


def test_parts_that_are_no_date_or_time() -> None:
    def combine(day: int, which: int) -> Any:
        given = [time(1), "time", None, 3, date(2024, 1, 1), timedelta(1)][which]
        if day:
            return datetime.combine(date(2024, 2, day), given)
        return datetime.combine(given, time(2))

    agree(combine, [0, 1, 29], range(6))


def test_dates_with_zones() -> None:
    east = timezone(timedelta(hours=5, minutes=30), "East")

    def moment(h: int) -> Any:
        found = datetime(2024, 2, 29, h, tzinfo=native.UTC)
        other = datetime(2024, 2, 29, h, tzinfo=east)
        return (
            found, other, found - other, found == other, found < datetime(2024, 3, 1, tzinfo=east),
            found.tzinfo is native.UTC, found.utcoffset(), other.tzname(), other.isoformat(),
            other.astimezone(native.UTC), found.timestamp(),
        )  # fmt: skip

    agree(moment, [0, 5, 6, 23])

    def mixed(h: int) -> Any:
        naive = datetime(2024, 2, 29, h)
        return naive == datetime(2024, 2, 29, tzinfo=native.UTC), naive < datetime(
            2024, 2, 29, tzinfo=east
        )

    agree(mixed, [0])

    def subtract(h: int) -> Any:
        return datetime(2024, 2, 29, h) - datetime(2024, 2, 29, tzinfo=east)

    agree(subtract, [0])


def test_zones_with_symbolic_offsets() -> None:
    def zone(h: int) -> Any:
        found = timezone(timedelta(hours=h))
        return found, datetime(2024, 1, 1, tzinfo=found).isoformat()

    agree(zone, [-24, -23, 0, 5, 24])


# --- what the program sees of them ----------------------------------------------------------------


def test_the_class_of_a_date() -> None:
    def classes(d: int) -> Any:
        found = date(2024, 1, d)
        moment = datetime(2024, 1, d)
        return (
            type(found) is date, found.__class__ is date, isinstance(found, date),
            isinstance(found, datetime), isinstance(moment, date), type(moment) is datetime,
            isinstance(found, (int, date)), isinstance(found, int), type(found).__name__,
            issubclass(type(moment), date), isinstance(timedelta(d), timedelta), type(found),
        )  # fmt: skip

    agree(classes, [1, 2])


def test_class_patterns() -> None:
    def match(d: int, p: bool) -> Any:
        value = datetime(2024, 1, d) if p else date(2024, 2, d)
        match value:
            case datetime(day=1):
                return "first"
            case datetime(hour=h, day=day):
                return (h, day)
            case date(month=m):
                return m
        return None

    agree(match, [1, 2], [False, True])


def test_dates_of_c_that_meet() -> None:
    def choose(p: bool, q: bool) -> Any:
        found = date(2024, 1, 31) if p else date(2023, 2, 28)
        for _ in range(6):
            if q:
                found = found + timedelta(days=1)
        return found, found.month, found.weekday(), found > date(2024, 1, 1)

    # Dates merge field by field instead of piling up.
    assert not is_union(agree(choose, [False, True], [False, True]).value[0])


def test_a_date_or_nothing() -> None:
    def choose(p: bool, d: int) -> Any:
        found = date(2024, 1, d) if p else None
        return found, found == date(2024, 1, 2), found is None, isinstance(found, date), not found

    agree(choose, [False, True], [1, 2])


def test_dates_as_keys() -> None:
    def keys(d: int) -> Any:
        found = {date(2024, 1, 1): "a", date(2024, 1, d): "b"}
        found[date(2024, 1, 2)] = "c"
        members = {date(2024, 1, d), date(2024, 1, 1), date(2024, 1, 1 + d)}
        return (
            len(found), found.get(date(2024, 1, d)), date(2024, 1, 2) in found, len(members),
            sorted(members), found, date(2024, 1, d) in {date(2024, 1, 3)},
        )  # fmt: skip

    agree(keys, [1, 2, 3])


def test_the_hash_of_a_symbolic_date() -> None:
    with pytest.raises(NotLiftedError, match="hash"):
        execute(lambda d: hash(date(2024, 1, d)), Int("d"))


def test_identity_is_not_told() -> None:
    def same(p: object) -> Any:
        first, second = date(2024, 1, 1), date(2024, 1, 1)
        found = first if p else second
        return found is first

    with pytest.raises(NotLiftedError, match="one object"):
        execute(same, Bool("p"))


def test_classes_that_derive_from_dates() -> None:
    class Day(date):
        pass

    def compare(d: int) -> Any:
        return date(2024, 1, d) < Day(2024, 1, 2)

    with pytest.raises(NotLiftedError, match="Day"):
        execute(compare, Int("d"))


def test_dates_that_are_evaluated() -> None:
    outcome = execute(lambda d: [date(2024, 2, d), timedelta(d), datetime(2024, 2, d)], Int("d"))
    found = evaluate(outcome.value, {"d": 29})
    assert found == [date(2024, 2, 29), timedelta(29), datetime(2024, 2, 29)]
    assert [type(value) for value in found] == [date, timedelta, datetime]
    assert [hash(value) for value in found] == list(map(hash, pickle.loads(pickle.dumps(found))))
    assert repr(found[0]) == "datetime.date(2024, 2, 29)"
    assert "d" in repr(outcome.value[0])


def test_copies() -> None:
    def copies(d: int) -> Any:
        found = date(2024, 1, d)
        return copy.copy(found), copy.deepcopy([found, found])

    agree(copies, [1, 2])


def test_the_module_stays_what_it_is() -> None:
    assert native.date.__flags__ & (1 << 9) == 0, "date is not the class of C"
    before = dict(sys.modules)
    execute(lambda d: date(2024, 1, d).isoformat(), Int("d"))
    assert "_pydatetime" not in sys.modules or "_pydatetime" in before
    assert sys.modules["datetime"] is native
    assert native.date(2024, 1, 1).weekday() == 0


def test_times_that_are_read() -> None:
    def read(a: int, b: int) -> Any:
        clock = time.fromisoformat(f"{a:02d}:{b:02d}")
        moment = datetime.fromisoformat(f"2024-02-29T{a:02d}:{b:02d}:07.5")
        return clock, time.fromisoformat(f"T{a:02d}"), moment

    agree(read, [0, 24], [0, 59, 60])


def test_characters_that_make_a_time() -> None:
    def read(a: int, b: int) -> Any:
        return time.fromisoformat("1" + chr(a) + chr(b) + "3")

    agree(read, [*map(ord, "07:.,Tx")], [*map(ord, "1:.,")])


def test_zones_that_are_read() -> None:
    def read(a: int, b: int) -> Any:
        found = datetime.fromisoformat(f"2024-02-29 12:30{chr(a)}{b:02d}:30")
        return found.utcoffset(), found.isoformat(), time.fromisoformat("12:30Z").isoformat()

    agree(read, [ord("+"), ord("-")], [0, 5, 23, 24])


TEXTS_OF_TIMES = sorted(
    {"".join(found) for size in range(6) for found in itertools.product("1:.,T", repeat=size)}
)


def test_every_short_text_of_a_time() -> None:
    read = loaded(BY_MODULE["datetime"]).time.fromisoformat

    def outcome(function: Any, text: str) -> Any:
        try:
            return function(text)
        except ValueError as error:
            return str(error)

    for text in [*TEXTS_OF_TIMES, "12:30:45.1234567", "123045,5", "12:30:45:5", "1230455"]:
        found, expected = outcome(read, text), outcome(time.fromisoformat, text)
        same = found if isinstance(found, str) else made_native(found)
        assert same == expected, text


def test_an_unusual_zone_is_refused() -> None:
    def read(a: int) -> Any:
        return time.fromisoformat("12:30:4" + chr(a) + "+01:00")

    failures = execute(read, Int("a")).failures
    assert any(isinstance(failure.exception, NotLiftedError) for failure in failures)


def test_times_by_a_format() -> None:
    def read(a: int, b: int) -> Any:
        return datetime.strptime(f"{a} Feb 2024, {b}h", "%d %b %Y, %Hh")

    agree(read, [0, 29, 30], [9, 24])


def test_units_of_a_time() -> None:
    agree(lambda c, h: time(h).isoformat("hour" + chr(c)), [97, 115, 0xD800], [0, 9])


def test_zones_are_asked_about_moments() -> None:
    wrong: Any = "x"

    def asked(a: int) -> Any:
        return timezone(timedelta(hours=a)).utcoffset(wrong)

    def named(a: int) -> Any:
        zone = timezone(timedelta(hours=a), "EST")
        known = zone.tzname(None), zone.dst(None), zone.utcoffset(datetime(2024, 1, 1))
        return known, zone.tzname(wrong)

    agree(asked, [0, 5])
    agree(named, [0, 5])


_SECONDS = [
    -62135596801, -62135596800, -1, 0, 86399, 951782400, 1709164800, 253402300799, 253402300800,
    10**14, 67768036191676800, 1 << 63, -(1 << 63) - 1,
]  # fmt: skip


@pytest.mark.parametrize("hours", [0, 2, -2])
def test_moments_by_their_number(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))

    def moment(n: int) -> Any:
        found = datetime.fromtimestamp(n, zone)
        return found, found.timestamp() == n

    agree(moment, _SECONDS)


def test_parts_of_seconds() -> None:
    def moment(x: float) -> Any:
        found = datetime.fromtimestamp(x, native.UTC)
        return found, found.microsecond

    numbers = [-1.5, 1.9999999, 5e-7, 1.5e-6, -5e-7, 0.1, 253402300799.9999999, 1e30]
    agree(moment, [*numbers, float("nan"), float("-inf")])


def test_moments_of_no_zone() -> None:
    def local(n: int) -> Any:
        return datetime.fromtimestamp(n)

    with pytest.raises(NotLiftedError, match=r"give `fromtimestamp` a zone"):
        execute(local, Int("n"))
