"""The digits of numbers as the types `e`, `f`, `g` and `%` of formats write them.

An int becomes a float first, which rounds large ones.  A number that is known to lie in a range has
finitely many sizes; in each of them the digits that are written are those of a quotient by a known
power of ten, rounded half to even.
"""

from __future__ import annotations

from typing import NamedTuple

from solvent.lift.facts import bounds
from solvent.lift.spelling.numerals import digit_code, digit_rows
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.values import Guard

# Ints up to here are floats, all of them.
EXACT = 2**53


class Digits(NamedTuple):
    """What is written of a number before the point, and behind it with the point, under a guard."""

    guard: Guard
    whole: Codes
    rest: Codes = ()


def as_double(value: Integer) -> Integer | None:
    """The value of the float that is nearest to an int that is not negative.

    `None` if the range of the int is not known.
    """
    _, most = bounds(value)
    if most is None:
        return None
    result = value
    for bits in range(54, most.bit_length() + 1):
        unit = 1 << (bits - 53)
        result = ite(value < 1 << (bits - 1), result, halved_to_even(value, unit) * unit)
    return result


def halved_to_even(value: Integer, unit: int) -> Integer:
    """The quotient by a positive number, rounded to the nearest, half to even.

    >>> [halved_to_even(value, 10) for value in (14, 15, 25, 26)]
    [1, 2, 2, 3]
    """
    if unit == 1:
        return value
    quotient, rest = value // unit, value % unit
    odd = eq(quotient % 2, 1)
    up = or_(2 * rest > unit, and_(eq(2 * rest, unit), odd))
    return quotient + ite(up, 1, 0)


def fixed(value: Integer, precision: int, alternate: bool) -> list[Digits] | None:
    """A whole number with so many zeros behind the point."""
    rows = digit_rows(value)
    if rows is None:
        return None
    rest = _behind_point((48,) * precision, alternate)
    return [Digits(guard, codes, rest) for guard, codes in rows]


def _behind_point(fraction: Codes, alternate: bool) -> Codes:
    return (46, *fraction) if fraction or alternate else ()


class Rounded(NamedTuple):
    """So many leading digits of a number, and the exponent of the first."""

    guard: Guard
    digits: Codes
    exponent: int


def leading(value: Integer, count: int) -> list[Rounded] | None:
    """The leading digits of a whole number, rounded."""
    rows = digit_rows(value)
    if rows is None:
        return None
    result: list[Rounded] = []
    for guard, codes in rows:
        size = len(codes)
        if size <= count:
            result.append(Rounded(guard, (*codes, *(48,) * (count - size)), size - 1))
        else:
            number = halved_to_even(value, 10 ** (size - count))
            result += rounded_digits(guard, number, count, size - 1)
    return result


def rounded_digits(guard: Guard, number: Integer, count: int, exponent: int) -> list[Rounded]:
    """An int of so many digits, or the next power of ten to which it was rounded up."""
    carried = eq(number, 10**count)
    digits = tuple(digit_code(number // 10**place % 10, 10) for place in range(count - 1, -1, -1))
    power = Rounded(and_(guard, carried), (49, *(48,) * (count - 1)), exponent + 1)
    rows = [Rounded(and_(guard, not_(carried)), digits, exponent), power]
    return [row for row in rows if row.guard is not False]


def scientific(rows: list[Rounded], alternate: bool, letter: str = "e") -> list[Digits]:
    """Numbers with one digit before the point and an exponent."""
    return [
        Digits(guard, codes[:1], _behind_point(codes[1:], alternate) + _exponent(exponent, letter))
        for guard, codes, exponent in rows
    ]


def _exponent(exponent: int, letter: str) -> Codes:
    return tuple(map(ord, f"{letter}{exponent:+03d}"))


# Numbers below this power of ten are written with an exponent.
_SMALLEST_EXPONENT = -4


class Style(NamedTuple):
    """How numbers are written that have an exponent only if they are large or small.

    `most` is the first exponent that is written.  With a `point` there is always one, and with a
    `digit` always a digit behind it, unless the exponent is written.
    """

    most: int
    point: bool
    digit: bool = False
    letter: str = "e"
    # Whether zeros at the end are kept.
    zeros: bool = False


def general(rows: list[Rounded], style: Style) -> list[Digits]:
    """Numbers as the types `g` and none write them, with the digits that are given."""
    result: list[Digits] = []
    for guard, codes, exponent in rows:
        end: Codes = ()
        before = exponent + 1
        if not _SMALLEST_EXPONENT <= exponent < style.most:
            end, before = _exponent(exponent, style.letter), 1
        elif before < 1:
            codes, before = (*(48,) * (1 - before), *codes), 1
        codes = (*codes, *(48,) * (before - len(codes)))
        whole, fraction = codes[:before], codes[before:]
        least = 1 if style.digit and not end else 0
        if style.zeros:
            rest = _behind_point(fraction or (48,) * least, style.point)
            result.append(Digits(guard, whole, (*rest, *end)))
            continue
        zeros: Guard = guard
        for size in range(len(fraction), least, -1):
            last = eq(fraction[size - 1], 48)
            rest = _behind_point(fraction[:size], style.point)
            result.append(Digits(and_(zeros, not_(last)), whole, (*rest, *end)))
            zeros = and_(zeros, last)
        rest = _behind_point(fraction[:least] or (48,) * least, style.point)
        result.append(Digits(zeros, whole, (*rest, *end)))
    return [row for row in result if row.guard is not False]
