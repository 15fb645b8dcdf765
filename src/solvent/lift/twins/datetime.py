"""What `datetime` in C does otherwise than `datetime` in Python: numbers are of C, messages differ.

This is run in the module that has run the Python code of the standard library already.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"
from __future__ import annotations

import datetime as _native
import math as _math
import time as _clock
from collections.abc import Callable
from typing import Any

from solvent.lift.messages import message as _message
from solvent.lift.messages import raised as _raised
from solvent.lift.twins.refusing import refuse as _refuse
from solvent.lift.twins.refusing import template as _template
from solvent.lift.twins.remembering import is_one as _is_one
from solvent.lift.twins.remembering import is_zero as _is_zero
from solvent.lift.twins.remembering import known_ordinal as _known_ordinal
from solvent.lift.twins.remembering import known_second as _known_second
from solvent.vm.kinds import type_name as _type_name

# What the code of the standard library has defined.
date: Any
datetime: Any
time: Any
timedelta: Any
timezone: Any
tzinfo: Any
_IsoCalendarDate: Any
_date_class: Any
_time_class: Any
_MAXORDINAL: int
_days_in_month: Callable[..., Any]
_cmp: Callable[..., Any]
_index: Callable[..., Any]
_is_leap: Callable[..., Any]
_isoweek1monday: Callable[..., Any]
_ord2ymd: Callable[..., Any]
_ymd2ord: Callable[..., Any]

_TOO_LONG = _message(_native.date, 1 << 80, 1, 1)
_TOO_LARGE = _message(_native.date, 1 << 40, 1, 1)
_TOO_SMALL = _message(_native.date, -1 << 40, 1, 1)
_TOO_MANY_DAYS = _message(_native.timedelta, 1 << 40)
_YEAR = _template(_native.date, 10000, 1, 1, value=10000)
_MONTH = _template(_native.date, 1, 77, 1, value=77)
_DAY = _template(_native.date, 1, 1, 77, value=77)
_HOUR = _template(_native.time, 77, value=77)
_MINUTE = _template(_native.time, 0, 77, value=77)
_SECOND = _template(_native.time, 0, 0, 77, value=77)
_MICROSECOND = _template(_native.time, 0, 0, 0, 7777777, value=7777777)
_FOLD = _template(lambda: _native.time(fold=77), value=77)
_DAYS = _template(_native.timedelta, 10**9, value=10**9)
_ORDINAL = _message(_native.date.fromordinal, 0)
_RANGE = _message(lambda: _native.date.max + _native.timedelta(1))
_OFFSET = _template(_native.timezone, _native.timedelta(9), value=repr(_native.timedelta(9)))
_ZONE: Any = _native.UTC
_ZONE_OFFSET = _template(_ZONE.utcoffset, 7, value="int")
_ZONE_NAME = _template(_ZONE.tzname, 7, value="int")
_ZONE_SUMMER = _template(_ZONE.dst, 7, value="int")
_NAIVE = _message(lambda: _native.datetime.min - _native.datetime(1, 1, 1, tzinfo=_native.UTC))
_NAIVE_ORDER = _message(
    lambda: _native.datetime.min < _native.datetime(1, 1, 1, tzinfo=_native.UTC)
)
_NAIVE_TIME = _message(lambda: _native.time() < _native.time(tzinfo=_native.UTC))
_ISO_COMPONENT = _message(_native.date.fromisocalendar, 1 << 40, 1, 1)
_ISO_YEAR = _template(_native.date.fromisocalendar, 10000, 1, 1, value=10000)
_ISO_WEEK = _template(_native.date.fromisocalendar, 1, 77, 1, value=77)
_ISO_DAY = _template(_native.date.fromisocalendar, 1, 1, 77, value=77)
_NO_DATE = _message(_native.datetime.combine, 1, _native.time()).removesuffix("int")
_NO_TIME = _message(_native.datetime.combine, _native.date.min, 1).removesuffix("int")


def _said(parts, value):
    """A message that shows a value."""
    return parts[0] if len(parts) == 1 else f"{parts[0]}{value}{parts[1]}"


def _int(value):
    """An argument as the `int` of C."""
    value = _index(value)
    if value > 0x7FFFFFFF:
        raise OverflowError(_TOO_LONG if value > 0x7FFFFFFFFFFFFFFF else _TOO_LARGE)
    if value < -0x80000000:
        raise OverflowError(_TOO_LONG if value < -0x8000000000000000 else _TOO_SMALL)
    return value


def _check_date_fields(year, month, day):
    year, month, day = _int(year), _int(month), _int(day)
    if not 1 <= year <= 9999:
        raise ValueError(_said(_YEAR, year))
    if not 1 <= month <= 12:
        raise ValueError(_said(_MONTH, month))
    if not 1 <= day <= _days_in_month(year, month):
        raise ValueError(_said(_DAY, day))
    return year, month, day


def _check_time_fields(hour, minute, second, microsecond, fold):
    hour, minute, second = _int(hour), _int(minute), _int(second)
    microsecond, fold = _int(microsecond), _int(fold)
    if not 0 <= hour <= 23:
        raise ValueError(_said(_HOUR, hour))
    if not 0 <= minute <= 59:
        raise ValueError(_said(_MINUTE, minute))
    if not 0 <= second <= 59:
        raise ValueError(_said(_SECOND, second))
    if not 0 <= microsecond <= 999999:
        raise ValueError(_said(_MICROSECOND, microsecond))
    if not 0 <= fold <= 1:
        raise ValueError(_said(_FOLD, fold))
    return hour, minute, second, microsecond, fold


def _check_tzinfo_arg(tz):
    if tz is not None and not isinstance(tz, tzinfo):
        name = type(tz).__name__
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{name}'")


def _cmperror(x, y):
    raise TypeError(f"can't compare {_type_name(x)} to {_type_name(y)}")


# --- durations ------------------------------------------------------------------------------------


def _new_timedelta(
    cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0
):
    for name, part in (
        ("days", days),
        ("seconds", seconds),
        ("microseconds", microseconds),
        ("milliseconds", milliseconds),
        ("minutes", minutes),
        ("hours", hours),
        ("weeks", weeks),
    ):
        if isinstance(part, float):
            _refuse(
                "a `timedelta` of floats and symbolic numbers is not lifted; give it whole numbers "
                "of microseconds"
            )
        if not isinstance(part, int):
            raise TypeError(f"unsupported type for timedelta {name} component: {_type_name(part)}")
    return _duration(
        cls,
        days + weeks * 7,
        seconds + minutes * 60 + hours * 3600,
        microseconds + milliseconds * 1000,
    )


def _duration(cls, days, seconds, microseconds):
    carried, microseconds = divmod(microseconds, 1000000)
    carried, seconds = divmod(seconds + carried, 86400)
    days = days + carried
    if not -0x80000000 <= days <= 0x7FFFFFFF:
        raise OverflowError(_TOO_MANY_DAYS)
    if not -999999999 <= days <= 999999999:
        raise OverflowError(_said(_DAYS, days))
    self = object.__new__(cls)
    self._days = days
    self._seconds = seconds
    self._microseconds = microseconds
    self._hashcode = -1
    return self


def _total_seconds(self):
    seconds = self._days * 86400 + self._seconds
    if _is_zero(self._microseconds):
        # The quotient by 1 is rounded as that of a million times as much by a million is.
        return seconds / 1
    return (seconds * 10**6 + self._microseconds) / 10**6


timedelta.__new__ = _new_timedelta
timedelta.total_seconds = _total_seconds


# --- dates ----------------------------------------------------------------------------------------


def _from_ordinal(cls, ordinal):
    ordinal = _int(ordinal)
    if ordinal < 1:
        raise ValueError(_ORDINAL)
    if ordinal > _MAXORDINAL:
        raise ValueError(_said(_YEAR, _ord2ymd(ordinal)[0]))
    return _of_ordinal(cls, ordinal)


def _of_ordinal(cls, ordinal, of_day=0, microsecond=0, zone=None):
    """The date or datetime of a day that exists; it remembers the numbers of day and second."""
    self = object.__new__(cls)
    self._year, self._month, self._day = _ord2ymd(ordinal)
    if issubclass(cls, datetime):
        self._hour, self._minute, self._second = of_day // 3600, of_day // 60 % 60, of_day % 60
        self._microsecond, self._tzinfo, self._fold = microsecond, zone, 0
        self._hashcode = (ordinal, of_day)
    else:
        self._hashcode = (ordinal,)
    return self


def _to_ordinal(self):
    """The number of the day, which is not computed again from year, month and day."""
    ordinal = _known_ordinal(self)
    return _ymd2ord(self._year, self._month, self._day) if ordinal is None else ordinal


def _day_key(self, other):
    """What orders two days."""
    if _known_ordinal(self) is None and _known_ordinal(other) is None:
        return (self._year, self._month, self._day), (other._year, other._month, other._day)
    return (self.toordinal(),), (other.toordinal(),)


def _compared_dates(self, other):
    first, second = _day_key(self, other)
    return _cmp(first, second)


def _component(value):
    """A part of a week's date, as the `int` of C."""
    value = _index(value)
    if not -0x80000000 <= value <= 0x7FFFFFFF:
        raise ValueError(_ISO_COMPONENT)
    return value


def _isoweek_to_gregorian(year, week, day):
    year, week, day = _component(year), _component(week), _component(day)
    if not 1 <= year <= 9999:
        raise ValueError(_said(_ISO_YEAR, year))
    if not 0 < week < 53:
        first = _ymd2ord(year, 1, 1) % 7
        if not (week == 53 and (first == 4 or (first == 3 and _is_leap(year)))):
            raise ValueError(_said(_ISO_WEEK, week))
    if not 0 < day < 8:
        raise ValueError(_said(_ISO_DAY, day))
    return _ord2ymd(_isoweek1monday(year) + (week - 1) * 7 + (day - 1))


def _date_plus(self, other):
    if not isinstance(other, timedelta):
        return NotImplemented
    return _date_moved(self, other._days)


def _date_moved(self, days):
    ordinal = self.toordinal() + days
    if 0 < ordinal <= _MAXORDINAL:
        return _of_ordinal(type(self), ordinal)
    raise OverflowError(_RANGE)


def _date_minus(self, other):
    if isinstance(other, timedelta):
        return _date_moved(self, -other._days)
    if isinstance(other, date) and not isinstance(other, datetime):
        return timedelta(self.toordinal() - other.toordinal())
    return NotImplemented


_KEPT = object()


def _replaced_date(self, year=_KEPT, month=_KEPT, day=_KEPT):
    return type(self)(
        self._year if year is _KEPT else year,
        self._month if month is _KEPT else month,
        self._day if day is _KEPT else day,
    )


# The forms of dates that are read: digits are 0, other characters themselves.
_FORMS = ("0000-00-00", "00000000", "0000-W00-0", "0000W000", "0000-W00", "0000W00")


def _has_form(text, form):
    for character, expected in zip(text, form, strict=True):
        if expected == "0":
            if not "0" <= character <= "9":
                return False
        elif character != expected:
            return False
    return True


def _date_from_text(cls, date_string, /):
    if not isinstance(date_string, str):
        raise TypeError("fromisoformat: argument must be str")
    for form in _FORMS:
        if len(date_string) == len(form) and _has_form(date_string, form):
            digits = [ord(character) - 48 for character in date_string if character not in "-W"]
            return _of_digits(cls, digits, "W" in form, date_string)
    raise ValueError(f"Invalid isoformat string: {date_string!r}")


def _of_digits(cls, digits, by_weeks, date_string):
    year = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3]
    second = digits[4] * 10 + digits[5]
    if not by_weeks:
        return cls(year, second, digits[6] * 10 + digits[7])
    try:
        found = _isoweek_to_gregorian(year, second, digits[6] if len(digits) > 6 else 1)
    except ValueError:
        raise ValueError(f"Invalid isoformat string: {date_string!r}") from None
    return cls(*found)


date.toordinal = _to_ordinal
date._cmp = _compared_dates
date.fromordinal = classmethod(_from_ordinal)
date.fromisoformat = classmethod(_date_from_text)
date.__add__ = date.__radd__ = _date_plus
date.__sub__ = _date_minus
date.replace = _replaced_date
_IsoCalendarDate.__repr__ = lambda self: (
    f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"
)


# --- dates with times -----------------------------------------------------------------------------


def _second_of_day(self):
    """The number of a second, which is not computed again from hour, minute and second."""
    known = _known_second(self)
    return self._hour * 3600 + self._minute * 60 + self._second if known is None else known


def _moved(self, days, seconds, microseconds):
    carried, microsecond = divmod(self._microsecond + microseconds, 1000000)
    of_day = _second_of_day(self) + seconds + carried
    carried, of_day = divmod(of_day, 86400)
    ordinal = self.toordinal() + days + carried
    if not 0 < ordinal <= _MAXORDINAL:
        raise OverflowError(_RANGE)
    return _of_ordinal(type(self), ordinal, of_day, microsecond, self._tzinfo)


def _datetime_plus(self, other):
    if not isinstance(other, timedelta):
        return NotImplemented
    return _moved(self, other._days, other._seconds, other._microseconds)


def _datetime_minus(self, other):
    if isinstance(other, timedelta):
        return _moved(self, -other._days, -other._seconds, -other._microseconds)
    if not isinstance(other, datetime):
        return NotImplemented
    base = timedelta(
        self.toordinal() - other.toordinal(),
        _second_of_day(self) - _second_of_day(other),
        self._microsecond - other._microsecond,
    )
    if self._tzinfo is other._tzinfo:
        return base
    first, second = self.utcoffset(), other.utcoffset()
    if first == second:
        return base
    if first is None or second is None:
        raise TypeError(_NAIVE)
    return base + second - first


def _replaced_datetime(
    self, year=_KEPT, month=_KEPT, day=_KEPT, hour=_KEPT, minute=_KEPT, second=_KEPT,
    microsecond=_KEPT, tzinfo=_KEPT, *, fold=_KEPT
):  # fmt: skip
    return type(self)(
        self._year if year is _KEPT else year,
        self._month if month is _KEPT else month,
        self._day if day is _KEPT else day,
        self._hour if hour is _KEPT else hour,
        self._minute if minute is _KEPT else minute,
        self._second if second is _KEPT else second,
        self._microsecond if microsecond is _KEPT else microsecond,
        self._tzinfo if tzinfo is _KEPT else tzinfo,
        fold=self._fold if fold is _KEPT else fold,
    )


def _replaced_time(
    self, hour=_KEPT, minute=_KEPT, second=_KEPT, microsecond=_KEPT, tzinfo=_KEPT, *, fold=_KEPT
):
    return type(self)(
        self._hour if hour is _KEPT else hour,
        self._minute if minute is _KEPT else minute,
        self._second if second is _KEPT else second,
        self._microsecond if microsecond is _KEPT else microsecond,
        self._tzinfo if tzinfo is _KEPT else tzinfo,
        fold=self._fold if fold is _KEPT else fold,
    )


_datetimes_in_order = datetime._cmp
_times_in_order = time._cmp


def _is_mixed(self, other):
    """Whether one of two times has a zone."""
    if self._tzinfo is other._tzinfo:
        return False
    return (self.utcoffset() is None) is not (other.utcoffset() is None)


def _compared_datetimes(self, other, allow_mixed=False):
    if not allow_mixed and _is_mixed(self, other):
        raise TypeError(_NAIVE_ORDER)
    if self._tzinfo is other._tzinfo:
        first, second = _day_key(self, other)
        return _cmp((*first, *_clock_key(self, other)), (*second, *_clock_key(other, self)))
    return _datetimes_in_order(self, other, allow_mixed)


def _clock_key(self, other):
    """What orders one of two times of a day."""
    if _known_second(self) is None and _known_second(other) is None:
        return self._hour, self._minute, self._second, self._microsecond
    return _second_of_day(self), self._microsecond


def _compared_times(self, other, allow_mixed=False):
    if not allow_mixed and _is_mixed(self, other):
        raise TypeError(_NAIVE_TIME)
    return _times_in_order(self, other, allow_mixed)


_combine_in_python = datetime.combine.__func__


def _given(value):
    """How C names what was given for an argument."""
    return "None" if value is None else _type_name(value)


def _combined(cls, date, time, tzinfo=True):
    if not isinstance(date, _date_class):
        raise TypeError(_NO_DATE + _given(date))
    if not isinstance(time, _time_class):
        raise TypeError(_NO_TIME + _given(time))
    return _combine_in_python(cls, date, time, tzinfo)


# --- moments by their number ----------------------------------------------------------------------

_FIRST_SECONDS = 1 << 63
# Beyond these the number of the year has more than 32 bits.
_FIRST_YEARS, _LAST_YEARS = -67768040609740800, 67768036191676799
_DAY_OF_THE_EPOCH = _native.date(1970, 1, 1).toordinal()


def _at(seconds):
    """How C fails for a moment outside of all calendars."""
    return _raised(_native.datetime.fromtimestamp, seconds, _native.UTC)


_NO_TIME_T = _at(_FIRST_SECONDS)
_NO_CLOCK = _at(_LAST_YEARS + 1)
_NO_NUMBER = _at(float("nan"))
_NO_YEAR = _template(_native.datetime.fromtimestamp, 253402300800, _native.UTC, value=10000)


def _in_seconds(moment):
    """A number of seconds as whole ones and microseconds, rounded to even."""
    if not isinstance(moment, float):
        return _index(moment), 0
    if _math.isnan(moment):
        raise ValueError(*_NO_NUMBER.args)
    if not -_FIRST_SECONDS <= moment < _FIRST_SECONDS:
        raise OverflowError(*_NO_TIME_T.args)
    fraction, whole = _math.modf(moment)
    seconds, microseconds = int(whole), round(fraction * 1e6)
    if microseconds >= 1000000:
        return seconds + 1, microseconds - 1000000
    if microseconds < 0:
        return seconds - 1, microseconds + 1000000
    return seconds, microseconds


def _from_timestamp(cls, moment, utc, zone):
    if not utc:
        _refuse("a symbolic number of seconds in the machine's own zone is not lifted; "
                "give `fromtimestamp` a zone, such as `timezone.utc`")  # fmt: skip
    seconds, microseconds = _in_seconds(moment)
    if not -_FIRST_SECONDS <= seconds < _FIRST_SECONDS:
        raise OverflowError(*_NO_TIME_T.args)
    if not _FIRST_YEARS <= seconds <= _LAST_YEARS:
        raise OSError(*_NO_CLOCK.args)
    days, of_day = divmod(seconds, 86400)
    ordinal = days + _DAY_OF_THE_EPOCH
    if not 0 < ordinal <= _MAXORDINAL:
        raise ValueError(_said(_NO_YEAR, _ord2ymd(ordinal)[0]))
    found = _of_ordinal(cls, ordinal, of_day, microseconds, zone)
    return found if zone is None else zone.fromutc(found)


datetime._fromtimestamp = classmethod(_from_timestamp)
datetime.combine = classmethod(_combined)
datetime._cmp = _compared_datetimes
time._cmp = _compared_times
datetime.__add__ = datetime.__radd__ = _datetime_plus
datetime.__sub__ = _datetime_minus
datetime.replace = _replaced_datetime
time.replace = _replaced_time


# --- zones ----------------------------------------------------------------------------------------

_zone_made = timezone.__new__


def _new_timezone(cls, offset, *name):
    if isinstance(offset, timedelta) and not -timedelta(1) < offset < timedelta(1):
        raise ValueError(_said(_OFFSET, repr(offset)))
    return _zone_made(cls, offset, *name)


def _from_utc(self, dt, /):
    if not isinstance(dt, datetime):
        raise TypeError("fromutc() argument must be a datetime instance or None")
    if not _is_one(dt._tzinfo, self):
        raise ValueError("fromutc: dt.tzinfo is not self")
    return dt + self._offset


def _same_zones(self, other):
    if isinstance(other, timezone):
        return self._offset == other.utcoffset(None)
    return NotImplemented


def _only_of_moments(method, complaint):
    """A method of zones that is asked about a moment or about none."""

    def asked(self, dt, /):
        if dt is not None and not isinstance(dt, datetime):
            raise TypeError(_said(complaint, type(dt).__name__))
        return method(self, dt)

    return asked


timezone.utcoffset = _only_of_moments(timezone.utcoffset, _ZONE_OFFSET)
timezone.tzname = _only_of_moments(timezone.tzname, _ZONE_NAME)
timezone.dst = _only_of_moments(timezone.dst, _ZONE_SUMMER)
timezone.__new__ = _new_timezone
timezone.fromutc = _from_utc
timezone.__eq__ = _same_zones
timezone.__hash__ = lambda self: hash(self._offset)


# --- texts by a format ----------------------------------------------------------------------------


def _clock_names(code, place, count):
    """What the clock of the machine writes for each value of a field."""
    fields: Any = [2024, 1, 1, 0, 0, 0, 0, 1, -1]
    names = []
    for value in range(count):
        fields[place] = value + (place == 1)
        names.append(_clock.strftime(code, tuple(fields)))
    return names


_NAMES = {
    "a": _clock_names("%a", 6, 7),
    "A": _clock_names("%A", 6, 7),
    "b": _clock_names("%b", 1, 12),
    "B": _clock_names("%B", 1, 12),
    "p": _clock_names("%p", 3, 24),
}
_YEARS_HAVE_FOUR_DIGITS = len(_native.date(1, 1, 1).strftime("%Y")) == 4


def _build_struct_time(y, m, d, hh, mm, ss, dstflag):
    weekday = (_ymd2ord(y, m, d) + 6) % 7
    return (y, m, d, hh, mm, ss, weekday, _ymd2ord(y, m, d) - _ymd2ord(y, 1, 1) + 1, dstflag)


def _time_tuple(self):
    _refuse("`timetuple` of a symbolic date is not lifted; use its attributes")


date.timetuple = datetime.timetuple = datetime.utctimetuple = _time_tuple


def _strftime(self, format, /, *more):
    if more:
        raise TypeError(_message(_native.date.min.strftime, "", *map(str, range(len(more)))))
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {_type_name(format)}")
    parts = []
    place = 0
    while place < len(format):
        character = format[place]
        place += 1
        if character != "%":
            parts.append(character)
            continue
        if place == len(format):
            _refuse("`strftime` with a `%` at the end of the format is not lifted; leave it out")
        parts.append(_field(self, format[place]))
        place += 1
    return "".join(parts)


def _field(self, code):
    year, month, day, hour, minute, second, microsecond = (
        getattr(self, "_year", 1900), getattr(self, "_month", 1), getattr(self, "_day", 1),
        getattr(self, "_hour", 0), getattr(self, "_minute", 0), getattr(self, "_second", 0),
        getattr(self, "_microsecond", 0),
    )  # fmt: skip
    if code == "Y":
        return f"{year:04d}" if _YEARS_HAVE_FOUR_DIGITS else str(year)
    if code in _TWO_DIGITS:
        return f"{_TWO_DIGITS[code](year, month, day, hour, minute, second):02d}"
    if code == "f":
        return f"{microsecond:06d}"
    if code == "j":
        return f"{_ymd2ord(year, month, day) - _ymd2ord(year, 1, 1) + 1:03d}"
    weekday = (_ymd2ord(year, month, day) + 6) % 7
    if code in "aA":
        return _NAMES[code][weekday]
    if code in "bB":
        return _NAMES[code][month - 1]
    if code == "p":
        return _NAMES["p"][hour]
    if code == "w":
        return str((weekday + 1) % 7)
    if code == "u":
        return str(weekday + 1)
    if code == "%":
        return "%"
    _refuse(f"`%{code}` in `strftime` of a symbolic date is not lifted; use other fields")


_TWO_DIGITS = {
    "m": lambda year, month, day, hour, minute, second: month,
    "d": lambda year, month, day, hour, minute, second: day,
    "H": lambda year, month, day, hour, minute, second: hour,
    "M": lambda year, month, day, hour, minute, second: minute,
    "S": lambda year, month, day, hour, minute, second: second,
    "y": lambda year, month, day, hour, minute, second: year % 100,
    "I": lambda year, month, day, hour, minute, second: (hour + 11) % 12 + 1,
}

date.strftime = datetime.strftime = time.strftime = _strftime


_time_text = _format_time  # type: ignore[used-before-def]


def _format_time(hh, mm, ss, us, timespec="auto"):
    if isinstance(timespec, str):
        # C encodes it before it looks at it, which fails for surrogates.
        timespec.encode()
    return _time_text(hh, mm, ss, us, timespec)
