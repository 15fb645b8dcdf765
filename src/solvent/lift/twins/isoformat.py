"""`fromisoformat` of times, with and without dates.

The texts that C reads are listed by their forms, in which a digit is 0; which of them it does read,
the running Python is asked, as versions differ.  What has none of the forms is wrong if it says
nothing of a zone; otherwise C is too lenient to be sure, and the text is refused.

This is run in the module that has run the Python code of the standard library already.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"
from __future__ import annotations

import datetime as _native
from collections.abc import Callable
from typing import Any

from solvent.lift.twins.refusing import unknown as _unknown

# What the code of the standard library and of this package has defined.
datetime: Any
time: Any
timedelta: Any
timezone: Any
_FORMS: tuple[str, ...]
_has_form: Callable[..., Any]
_isoweek_to_gregorian: Callable[..., Any]

_CLOCKS = ("00", "00:00", "0000", "00:00:00", "000000")
_FRACTIONS = ("", *(mark + "0" * count for mark in (".", ",", ":", "") for count in range(1, 10)))
_ZONES = ("", "Z", *(sign + clock for sign in "+-" for clock in _CLOCKS))


def _is_read(clock, fraction, zone):
    """Whether C takes the parts of a text of a form for what they are here."""
    digits = iter("11121322334455667788")
    parts = ["".join(next(digits) if c == "0" else c for c in part) for part in (clock, fraction)]
    try:
        found = _native.time.fromisoformat("".join(parts) + zone)
    except ValueError:
        return False
    fields = found.hour, found.minute, found.second, found.microsecond
    return fields == (*_clock_of(parts[0], clock), _microseconds(parts[1], fraction))


def _forms_of_times():
    """The forms of times that are read, by their length."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for clock in _CLOCKS:
        for fraction in _FRACTIONS:
            for zone in _ZONES:
                if _is_read(clock, fraction, zone):
                    length = len(clock + fraction + zone)
                    found.setdefault(length, []).append((clock, fraction, zone))
    return found


def _wrong(text):
    raise ValueError(f"Invalid isoformat string: {text!r}")


def _digits(text, form):
    """The digits of a text at the zeros of its form."""
    return [ord(text[place]) - 48 for place in range(len(form)) if form[place] == "0"]


def _clock_of(text, form):
    """Hour, minute and second."""
    digits = [*_digits(text, form), 0, 0, 0, 0]
    return digits[0] * 10 + digits[1], digits[2] * 10 + digits[3], digits[4] * 10 + digits[5]


def _microseconds(text, form):
    total = 0
    for digit in [*_digits(text, form), 0, 0, 0, 0, 0, 0][:6]:
        total = total * 10 + digit
    return total


_TIMES = _forms_of_times()


def _zone_of(text, form):
    if form == "":
        return None
    if form == "Z":
        return timezone.utc
    hours, minutes, seconds = _clock_of(text[1:], form[1:])
    offset = hours * 3600 + minutes * 60 + seconds
    if offset == 0:
        return timezone.utc
    return timezone(timedelta(seconds=offset if form[0] == "+" else -offset))


def _time_in(text, whole):
    """The fields of a time, or nothing if the text has no form of one."""
    for clock, fraction, zone in _TIMES.get(len(text), ()):
        if _has_form(text, clock + fraction + zone):
            end = len(clock) + len(fraction)
            return (
                *_clock_of(text, clock),
                _microseconds(text[len(clock) : end], fraction),
                _zone_of(text[end:], zone),
            )
    for character in text:
        if character in "+-Z":
            _unknown("`fromisoformat` of a symbolic text with an unusual zone is not lifted")
    _wrong(whole)


def _time_from_text(cls, time_string, /):
    if not isinstance(time_string, str):
        raise TypeError("fromisoformat: argument must be str")
    text = time_string.removeprefix("T")
    if len(text) < 2:
        _wrong(time_string)
    return cls(*_time_in(text, time_string))


def _datetime_from_text(cls, date_string, /):
    if not isinstance(date_string, str):
        raise TypeError("fromisoformat: argument must be str")
    for form in _FORMS:
        if len(date_string) == len(form) and _has_form(date_string, form):
            return cls(*_day_of(date_string, form, date_string))
        if len(date_string) > len(form) and _has_form(date_string[: len(form)], form):
            if not _is_separator(date_string[len(form)]):
                continue
            rest = date_string[len(form) + 1 :]
            day = _day_of(date_string[: len(form)], form, date_string)
            if len(rest) < 2:
                _wrong(date_string)
            return cls(*day, *_time_in(rest, date_string))
    for character in date_string[:4]:
        if not "0" <= character <= "9":
            _wrong(date_string)
    if len(date_string) < 7:
        _wrong(date_string)
    _unknown("`fromisoformat` of a symbolic text with an unusual date is not lifted")


def _is_separator(character):
    """Whether a character separates date and time, and is no part of either."""
    return not ("0" <= character <= "9" or character in "-W" or "\ud800" <= character <= "\udfff")


def _day_of(text, form, whole):
    digits = _digits(text, form)
    year = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3]
    second = digits[4] * 10 + digits[5]
    if "W" not in form:
        return year, second, digits[6] * 10 + digits[7]
    try:
        return _isoweek_to_gregorian(year, second, digits[6] if len(digits) > 6 else 1)
    except ValueError:
        _wrong(whole)


datetime.fromisoformat = classmethod(_datetime_from_text)
time.fromisoformat = classmethod(_time_from_text)
