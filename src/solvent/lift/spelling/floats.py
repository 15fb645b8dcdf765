"""Floats read from texts.

The digits of a number are an int; its point and exponent are a power of ten, of which there are
finitely many that matter.  So the number is an exact rational, which is rounded once, as CPython
does.
"""

from __future__ import annotations

import math
from fractions import Fraction

from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import is_code, is_in
from solvent.lift.spelling.numerals import digit_of, number_spaces
from solvent.lift.spelling.spans import Codes
from solvent.terms import fp, to_float, to_real
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Floating, Integer, Rational
from solvent.vm.values import Guard

# Ten to the power of the first is no float any more; what is below the second is rounded to zero.
_LARGEST, _SMALLEST = 309, -324

_WORDS = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}


class _Reader:
    """Where the reading of a number is, and what has been read of it."""

    def __init__(self) -> None:
        # Before the number, behind its sign, behind a digit of each of its three parts.
        self.before: Guard = True
        self.sign: Guard = False
        self.whole: Guard = False
        self.fraction: Guard = False
        self.power: Guard = False
        # Behind an underscore that follows a digit of each part.
        self.whole_line: Guard = False
        self.fraction_line: Guard = False
        self.power_line: Guard = False
        # Behind a point with and without digits before it, an `e`, its sign, and the number.
        self.point: Guard = False
        self.bare_point: Guard = False
        self.letter: Guard = False
        self.power_sign: Guard = False
        self.after: Guard = False
        self.negative: Guard = False
        self.small: Guard = False
        self.digits: Integer = 0
        self.places: Integer = 0
        self.exponent: Integer = 0

    def complete(self) -> Guard:
        """Whether a number may end here."""
        return or_([self.whole, self.fraction, self.power, self.point, self.after])

    def read(self, code: Integer, native: type[str] | type[bytes]) -> None:
        """Read one character."""
        valid, value = digit_of(code, 10)
        minus = is_code(code, 45)
        signed = or_(minus, is_code(code, 43))
        line, dot = is_code(code, 95), is_code(code, 46)
        start = or_(self.before, self.sign)
        into_whole = and_(valid, or_([start, self.whole, self.whole_line]))
        behind_point = or_([self.point, self.bare_point, self.fraction, self.fraction_line])
        into_fraction = and_(valid, behind_point)
        behind_letter = or_([self.letter, self.power_sign, self.power, self.power_line])
        into_power = and_(valid, behind_letter)
        self.digits = ite(or_(into_whole, into_fraction), self.digits * 10 + value, self.digits)
        self.places = ite(into_fraction, self.places + 1, self.places)
        self.exponent = ite(into_power, self.exponent * 10 + value, self.exponent)
        self.negative = or_(self.negative, and_(self.before, minus))
        self.small = or_(self.small, and_(self.letter, minus))
        space = is_in(code, number_spaces(native))
        ended = self.complete()
        mantissa = or_([self.whole, self.fraction, self.point])
        self.after = and_(space, ended)
        self.power_sign = and_(self.letter, signed)
        self.letter = and_(mantissa, or_(is_code(code, 101), is_code(code, 69)))
        self.point, self.bare_point = and_(self.whole, dot), and_(start, dot)
        self.whole_line = and_(self.whole, line)
        self.fraction_line = and_(self.fraction, line)
        self.power_line = and_(self.power, line)
        self.whole, self.fraction, self.power = into_whole, into_fraction, into_power
        self.sign = and_(self.before, signed)
        self.before = and_(self.before, space)


def read_float(codes: Codes, native: type[str] | type[bytes] = str) -> tuple[Guard, Floating]:
    """Whether `float` reads a text, and the number that it reads.

    >>> from solvent.terms import Int
    >>> read_float((49, 46, 53))
    (True, 1.5)
    """
    reader = _Reader()
    # Whether a word may start at each place, and the sign before it.
    starts: list[tuple[Guard, Guard]] = []
    for code in codes:
        starts.append((or_(reader.before, reader.sign), reader.negative))
        reader.read(code, native)
    scale = ite(reader.small, -reader.exponent, reader.exponent) - reader.places
    number = _scaled(reader.digits, scale, len(codes))
    valid, value = reader.complete(), ite(reader.negative, -number, number)
    ends: Guard = True
    for place in range(len(codes), -1, -1):
        for word, meant in _WORDS.items():
            start = place - len(word)
            if start >= 0:
                guard, negative = starts[start]
                here = and_([guard, ends, *_spelled(codes[start:place], word)])
                valid = or_(valid, here)
                value = ite(here, ite(negative, -meant, meant), value)
        ends = and_(ends, place > 0 and is_in(codes[place - 1], number_spaces(native)))
    return valid, value


def _spelled(codes: Codes, word: str) -> list[Guard]:
    """Whether characters are a word, in small or capital letters."""
    return [
        or_(is_code(code, ord(letter)), is_code(code, ord(letter.upper())))
        for code, letter in zip(codes, word, strict=True)
    ]


def _scaled(digits: Integer, scale: Integer, size: int) -> Floating:
    """The float that is nearest to an int of at most so many digits times a power of ten."""
    low, high = bounds(scale)
    least = _SMALLEST - size - 1
    least = least if low is None else max(low, least)
    most = _LARGEST if high is None else min(high, _LARGEST)
    exact = _times_power(to_real(digits), scale, least, max(least, most))
    number = fp(exact) if isinstance(exact, Fraction) else to_float(exact)
    number = ite(scale < least, 0.0, number)
    return ite(and_(scale > most, not_(eq(digits, 0))), math.inf, ite(scale > most, 0.0, number))


def _times_power(number: Rational, scale: Integer, low: int, high: int) -> Rational:
    """A number times ten to a power that lies between two."""
    if low == high:
        return number * Fraction(10) ** low
    middle = (low + high) // 2
    return ite(
        scale <= middle,
        _times_power(number, scale, low, middle),
        _times_power(number, scale, middle + 1, high),
    )


def wrong_float() -> str:
    """What `float` says of a text that it cannot read, up to the text."""
    return str(raised(float, "?")).removesuffix("'?'")
