"""The digits of symbolic floats: so many as are asked for, or the shortest that are read back.

Of all decimal numbers that a float is the nearest one to, `repr` writes the shortest, and of
several the one that is closest to it.  Decimal numbers of at most 15 digits are all told apart by
floats, so that only three matter: the float rounded to 15 digits, without the zeros at their end,
to 16, and to 17.  The first that is read back is the one, except for some powers of two, whose
neighbour below is nearer than the one above; these are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache

from solvent.lift.spelling.decimals import Digits, Rounded, halved_to_even, rounded_digits
from solvent.lift.spelling.numerals import digit_rows
from solvent.lift.spelling.significands import BITS, DIGITS, Significand
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.values import Guard

# So many decimal digits are read back as what they were written from.
_ENOUGH = 17


def leading_digits(found: Significand, count: int) -> list[Rounded]:
    """So many leading digits of a float, rounded half to even."""
    result = [Rounded(eq(found.number, 0), (48,) * count, 0)]
    for guard, exponent, number in _decades(found):
        rounded = _rounded_to(number, found.places, exponent, count)
        result += rounded_digits(guard, rounded, count, exponent)
    return [row for row in result if row.guard is not False]


def fixed_rows(
    found: Significand, decimals: int, alternate: bool
) -> tuple[Guard, list[Digits]] | None:
    """A float with so many decimals, and whether it is rounded to zero; `None` if it is large."""
    number = halved_to_even(found.number * 10**decimals, 1 << found.places)
    rows = digit_rows(number, most=(found.most * 10**decimals >> found.places) + 1)
    if rows is None:
        return None
    result: list[Digits] = []
    point = (46,) if decimals or alternate else ()
    for guard, codes in rows:
        codes = (*(48,) * (decimals + 1 - len(codes)), *codes)
        before = len(codes) - decimals
        result.append(Digits(guard, codes[:before], (*point, *codes[before:])))
    return eq(number, 0), result


def shortest_digits(found: Significand) -> list[Rounded]:
    """The digits that `repr` writes, some of them with zeros at their end."""
    if found.decimal is not None:
        number, places = found.decimal
        rows = digit_rows(number, most=10**DIGITS - 1)
        assert rows is not None, "a decimal number has few digits"
        return [Rounded(guard, codes, len(codes) - 1 - places) for guard, codes in rows]
    result = [Rounded(eq(found.number, 0), (48,), 0)]
    rest: Guard = True
    for exponent in _odd_powers():
        units = exponent + found.places
        if units >= 0 and found.least <= 1 << units <= found.most:
            here = eq(found.number, 1 << units)
            rest = and_(rest, not_(here))
            result.append(_written(here, exponent))
    for guard, exponent, number in _decades(found):
        here = and_(guard, rest)
        for count in (DIGITS, DIGITS + 1, _ENOUGH):
            rounded = _rounded_to(number, found.places, exponent, count)
            back: Guard = True
            if count < _ENOUGH:
                back = _is_read_back(found.places, exponent, number, rounded, count)
            result += rounded_digits(and_(here, back), rounded, count, exponent)
            here = and_(here, not_(back))
    return [row for row in result if row.guard is not False]


def _decades(found: Significand) -> Iterable[tuple[Guard, int, Integer]]:
    """For each decimal exponent its condition, and the number without what is larger there."""
    least, most = found.least, found.most
    if most < least:
        return
    unit = 1 << found.places
    number = found.number
    exponent = _exponent_of(Fraction(least, unit))
    last = _exponent_of(Fraction(most, unit))
    for place in range(exponent, last + 1):
        first, end = (_ceiling(Fraction(10) ** one * unit) for one in (place, place + 1))
        above = number >= first if place > exponent else number > 0
        below = number < end if place < last else True
        bits = (end - 1).bit_length()
        yield and_(above, below), place, number % (1 << bits) if most >> bits else number


def _exponent_of(number: Fraction) -> int:
    """The exponent of the first decimal digit."""
    exponent = len(str(number.numerator)) - len(str(number.denominator))
    return exponent if Fraction(10) ** exponent <= number else exponent - 1


def _ceiling(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)


def _rounded_to(number: Integer, places: int, exponent: int, count: int) -> Integer:
    """So many digits of a number with a decimal exponent."""
    unit = Fraction(10) ** (exponent - count + 1) * (1 << places)
    return halved_to_even(number * unit.denominator, unit.numerator)


def _is_read_back(
    places: int, exponent: int, number: Integer, rounded: Integer, count: int
) -> Guard:
    """Whether a number is the float that is nearest to its rounded digits."""
    unit = Fraction(10) ** (exponent - count + 1) * (1 << places)
    apart = rounded * unit.numerator - number * unit.denominator
    apart = 2 * ite(apart < 0, -apart, apart)
    low = Fraction(10) ** exponent * (1 << places)
    first = int(low).bit_length()
    last = int(low * 10).bit_length()
    result: Guard = False
    # The distance to the next float, one power of two after the other.
    for bits in range(last, first - 1, -1):
        shift = max(0, bits - BITS)
        step = (1 << shift) * unit.denominator
        distance = apart * (1 << max(0, BITS - bits))
        # In the middle between two floats, the one that ends with a zero is read.
        even = eq(number % (2 << shift), 0) if bits >= BITS else True
        here = or_(distance < step, and_(eq(distance, step), even))
        result = here if bits == last else ite(number < 1 << bits, here, result)
    return result


# --- powers of two --------------------------------------------------------------------------------


@cache
def _odd_powers() -> tuple[int, ...]:
    """The normal powers of two of which `repr` does not write what they are rounded to."""
    return tuple(exponent for exponent in range(-1022, 1024) if not _is_plain(2.0**exponent))


def _is_plain(number: float) -> bool:
    written = repr(number)
    rounded = (f"{number:.{count - 1}e}" for count in (DIGITS, DIGITS + 1, _ENOUGH))
    return Decimal(written) == Decimal(next(text for text in rounded if float(text) == number))


def _written(guard: Guard, exponent: int) -> Rounded:
    _, digits, last = Decimal(repr(2.0**exponent)).as_tuple()
    assert isinstance(last, int)
    return Rounded(guard, tuple(digit + 48 for digit in digits), len(digits) - 1 + last)
