"""Numbers and their texts: the digits of ints, and ints read from digits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from solvent.lift.facts import asked_bounds, bounds
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import as_ranges, characters, is_code, is_in, known_range
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.classes import Alphabet
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import text
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

# Ints with more decimal digits than this are not spelled out.
MOST_DIGITS = 40


def digits(value: IntTerm, base: int = 10) -> Value:
    """The digits of an int that is not negative, a text; `None` if it may be too large.

    >>> from solvent.terms import Int
    >>> digits(Int("n") % 2)
    text(mod(n, 2) + 48)
    """
    rows = digit_rows(value, base)
    return None if rows is None else gathered([(guard, text(codes)) for guard, codes in rows])


def digit_rows(
    value: Integer, base: int = 10, most: int | None = None
) -> list[tuple[Guard, Codes]] | None:
    """The digits of an int that is not negative under guards of which exactly one holds.

    There is one row for each number of digits; `None` if it may be too large.  Where the caller
    does not know how large it may be, its bounds are asked for.
    """
    if most is None:
        _, most = asked_bounds(value)
    if most is None or most >= 10**MOST_DIGITS:
        return None
    codes: Codes = ()
    rows: list[tuple[Guard, Codes]] = []
    power = 1
    least: Guard = True
    while True:
        digit = value // power if power > 1 else value
        if power * base <= most or not _is_digit_everywhere(digit, base):
            digit = digit % base
        codes = (digit_code(digit, base), *codes)
        power *= base
        if power > most:
            rows.append((least, codes))
            return [row for row in rows if row[0] is not False]
        rows.append((and_(least, value < power), codes))
        least = value >= power


def _is_digit_everywhere(digit: Integer, base: int) -> bool:
    """Whether a number is a digit on every path: its text may be looked at where others meet."""
    low, high = current().ranges.of(digit)
    return low is not None and high is not None and low >= 0 and high < base


def digit_code(digit: Integer, base: int) -> Integer:
    """The code point of a digit, small letters from ten on."""
    if base == 2 and isinstance(digit, Term):
        return ite(eq(digit, 0), 48, 49)
    _, most = bounds(digit)
    if base <= 10 or (most is not None and most < 10):
        return digit + 48
    return ite(digit < 10, digit + 48, digit + 87)


def is_negative(value: Integer) -> Guard:
    """Whether an int is below zero, decided by its range where that can tell."""
    low, high = bounds(value)
    if low is not None and low >= 0:
        return False
    return True if high is not None and high < 0 else value < 0


def decimal(value: IntTerm) -> Value:
    """`str(value)` as a text, or `None` if its size is not known."""
    return signed(value, "", 10)


def signed(value: Integer, prefix: str, base: int) -> Value:
    """The sign of an int, a prefix and its digits; `None` if it may be too large.

    >>> from solvent.terms import Int
    >>> signed(Int("n") % 8, "0o", 8)
    text(48, 111, mod(n, 8) + 48)
    """
    negative = is_negative(value)
    rows = digit_rows(ite(negative, -value, value), base)
    if rows is None:
        return None
    marks = tuple(map(ord, prefix))
    found: list[Choice] = []
    for guard, codes in rows:
        found.append((and_(guard, not_(negative)), text((*marks, *codes))))
        found.append((and_(guard, negative), text((45, *marks, *codes))))
    return gathered(found)


# --- reading --------------------------------------------------------------------------------------


@cache
def _decimals() -> tuple[tuple[int, int, int], ...]:
    """First and last code points of runs of decimal digits, and the value of the first."""
    result: list[tuple[int, int, int]] = []
    for first, last in characters(str.isdecimal):
        for code in range(first, last + 1):
            value = unicodedata.decimal(chr(code))
            start, end, least = result[-1] if result else (0, -2, 0)
            if end == code - 1 and value == least + code - start:
                result[-1] = (start, code, least)
            else:
                result.append((code, code, value))
    return tuple(result)


def digit_of(code: Integer, base: int) -> tuple[Guard, Integer]:
    """Whether a character is a digit in a base, and its value where it is."""
    low, high = known_range(code) if isinstance(code, Term) else (code, code)
    runs = [run for run in _digits_of_all(base) if run[0] <= high and run[1] >= low]
    valid = is_in(code, tuple((first, last) for first, last, _ in runs))
    return valid, _value(code, runs) if runs else 0


@cache
def _digits_of_all(base: int) -> list[tuple[int, int, int]]:
    """First and last digits of a base in all scripts, and the value of the first."""
    runs = list(_decimals())
    if base > 10:
        runs += [(97, 86 + base, 10), (65, 54 + base, 10)]
    cut = [(first, min(last, first + base - 1 - start), start) for first, last, start in runs]
    return sorted(run for run in cut if run[0] <= run[1])


def _value(code: Integer, runs: list[tuple[int, int, int]]) -> Integer:
    """The value of a digit that lies in one of some runs."""
    if len(runs) == 1:
        first, _, start = runs[0]
        return code - first + start
    middle = len(runs) // 2
    return ite(code < runs[middle][0], _value(code, runs[:middle]), _value(code, runs[middle:]))


@cache
def number_spaces(native: type[str] | type[bytes]) -> Alphabet:
    """The white space around numbers, which is less than that of `str.isspace`.

    >>> number_spaces(bytes)
    ((9, 13), (32, 32))
    """
    known = [chr(code) for a, b in characters(str.isspace) for code in range(a, b + 1)]
    if native is bytes:
        known = [character for character in known if character.isascii()]
    made: Callable[[str], str | bytes] = str if native is str else str.encode
    return as_ranges(ord(one) for one in known if _is_read(made(one + "1")))


def _is_read(literal: str | bytes) -> bool:
    try:
        return int(literal) == 1
    except ValueError:
        return False


_PREFIXES = {2: "bB", 8: "oO", 16: "xX"}


class _Reading(NamedTuple):
    """What was found of a number in a text, where it is one."""

    complete: Guard
    number: Integer
    # Whether there is a prefix, and whether the first digit is a zero.
    prefixed: Guard
    naught: Guard


def read_int(
    codes: Codes, base: int, native: type[str] | type[bytes] = str
) -> tuple[Guard, Integer]:
    """Whether `int` reads a text in a base, and the number that it reads.

    White space around it, a sign, underscores between digits and, in some bases, a prefix are
    allowed.  In base 0 the prefix tells the base, and a number without one has no zeros in front.
    """
    if base:
        found = _read(codes, base, native)
        return found.complete, found.number
    found = _read(codes, 10, native)
    valid = and_(found.complete, or_(not_(found.naught), eq(found.number, 0)))
    number = found.number
    for other in _PREFIXES:
        found = _read(codes, other, native)
        here = and_(found.complete, found.prefixed)
        valid = or_(valid, here)
        number = ite(here, found.number, number)
    return valid, number


def _read(codes: Codes, base: int, native: type[str] | type[bytes]) -> _Reading:
    # Where the reading is: before the number, behind the sign, behind the 0 of a prefix, behind the
    # prefix, behind a digit, behind an underscore, behind the number.
    before: Guard = True
    sign: Guard = False
    zero: Guard = False
    prefix: Guard = False
    digit: Guard = False
    under: Guard = False
    after: Guard = False
    negative: Guard = False
    prefixed: Guard = False
    naught: Guard = False
    number: Integer = 0
    letters = _PREFIXES.get(base, "")
    for code in codes:
        space = is_in(code, number_spaces(native))
        minus, plus = is_code(code, 45), is_code(code, 43)
        line = is_code(code, 95)
        valid, value = digit_of(code, base)
        letter = or_([is_code(code, ord(one)) for one in letters])
        start = or_(before, sign)
        grows = or_([start, zero, prefix, digit, under])
        into_digit = and_(valid, grows)
        number = ite(into_digit, number * base + value, number)
        negative = or_(negative, and_(before, minus))
        # A 0 that may begin a prefix is a digit too, if no letter of a prefix follows.
        first_naught = and_([start, valid, eq(value, 0)])
        into_zero = first_naught if letters else False
        into_prefix = and_(zero, letter)
        prefixed = or_(prefixed, into_prefix)
        naught = or_(naught, first_naught)
        sign, zero, prefix, digit, under, after, before = (
            and_(before, or_(minus, plus)),
            into_zero,
            into_prefix,
            and_(into_digit, not_(into_zero)),
            and_(line, or_([digit, zero, prefix])),
            and_(space, or_([digit, zero, after])),
            and_(before, space),
        )
    complete = or_([digit, zero, after])
    return _Reading(complete, ite(negative, -number, number), prefixed, naught)


def wrong_literal(base: int) -> str:
    """What `int` says of a text that it cannot read, up to the text."""
    return str(raised(int, "?", base)).removesuffix("'?'")
