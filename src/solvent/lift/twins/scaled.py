"""Decimal numbers with known exponents as ints: their sums, products, order and rounding.

What is computed from two ints is one int again, and becomes a number for each length that its
digits may have.  Where these were computed, the number remembers the int, so that nobody has to
read it from the digits: it is in the field that says whether a number is special, and counts as
false there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import (
    ROUND_05UP,
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
)

from solvent.lift.facts import bounds
from solvent.lift.spelling.numerals import digit_rows
from solvent.terms.booleans import and_, eq, ite, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm, text
from solvent.vm.slots import opened
from solvent.vm.spread import combine, over_pure
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value


@dataclass(frozen=True)
class Finite:
    """What a number says that is not special: which int its digits are with a sign.

    A copy of the number with another sign says the same.
    """

    number: Integer
    sign: Integer

    def __bool__(self) -> bool:
        return False


def scaled(number: Value, places: int) -> Integer:
    """The int that the digits of a number with its sign are, with some zeros after them."""
    fields = (opened(getattr(number, name))[1] for name in ("_is_special", "_sign", "_int"))
    result: Integer = _coefficient(*fields) * 10**places
    return result


def _coefficient(known: Value, sign: Integer, digits: Value) -> Integer:
    result: Integer
    if type(known) is Finite:
        return ite(eq(known.sign, sign), known.number, -known.number)
    if type(known) is Union:
        result = over_pure(known, lambda member: _coefficient(member, sign, digits))
    elif type(digits) is Union:
        result = over_pure(digits, lambda member: _coefficient(known, sign, member))
    else:
        result = 0
        for code in map(ord, digits) if isinstance(digits, str) else digits.codes:
            result = result * 10 + (code - 48)
        result = ite(eq(sign, 1), -result, result)
    return result


def shape(number: Value) -> tuple[Value, ...]:
    """What tells decimal numbers apart that do not merge: exponents, and how many digits there are.

    A number of which these differ between paths merges only with itself.
    """
    special, exponent, digits = (
        opened(getattr(number, name))[1] for name in ("_is_special", "_exp", "_int")
    )
    sizes = {_size(member) for _, member in choices_of(digits)}
    specials = {_is_special(member) for _, member in choices_of(special)}
    if type(exponent) not in (int, str) or len(specials) > 1 or len(sizes) > 1:
        return 2, id(number)
    is_special, size = specials.pop(), sizes.pop()
    unsettled = is_special is None or size is None
    return (2, id(number)) if unsettled else (int(is_special or 0), exponent, size)


def _is_special(found: Value) -> bool | None:
    return bool(found) if type(found) in (bool, Finite) else None


def _size(digits: Value) -> int | None:
    return len(digits) if isinstance(digits, (str, TextTerm)) else None


def is_settled(number: Value) -> bool:
    """Whether a number is finite, with an exponent and a number of digits that are known."""
    kind: int = shape(number)[0]
    return kind == 0


def made(cls: Value, sign: Integer, digits: Value, exponent: Value, special: Value) -> Value:
    """A new decimal number, which no path has seen before."""
    result = object.__new__(cls)
    result._sign, result._int = sign, digits
    result._exp, result._is_special = exponent, special
    return result


def negated(number: Value) -> Value:
    """A settled number with the other sign."""
    sign, digits, exponent = (
        opened(getattr(number, name))[1] for name in ("_sign", "_int", "_exp")
    )
    return made(type(number), 1 - sign, digits, exponent, Finite(-scaled(number, 0), 1 - sign))


def sign_of(number: Integer, zero: Integer) -> Integer:
    """1 for an int below zero and 0 for one above it; what else it is for zero is given."""
    return ite(number < 0, 1, ite(eq(number, 0), zero, 0))


def either_sign(a: Integer, b: Integer) -> Integer:
    """1 if one of two signs is."""
    return ite(or_(eq(a, 1), eq(b, 1)), 1, 0)


def both_signs(a: Integer, b: Integer) -> Integer:
    """1 if both of two signs are."""
    return ite(and_(eq(a, 1), eq(b, 1)), 1, 0)


def different_signs(a: Integer, b: Integer) -> Integer:
    """1 if only one of two signs is."""
    return ite(eq(a, b), 0, 1)


def order(a: Integer, b: Integer) -> Integer:
    """-1, 0 or 1 for an int that is less than another one, equal or greater."""
    return ite(a < b, -1, ite(eq(a, b), 0, 1))


def rounded(number: Value, drop: int, precision: int, mode: str) -> Value:
    """A settled number without its last digits, of which at most so many are left."""
    sign, exponent = (opened(getattr(number, name))[1] for name in ("_sign", "_exp"))
    whole, unit = scaled(number, 0), 10**drop
    size = ite(whole < 0, -whole, whole)
    quotient, rest = size // unit, size % unit
    up = _is_rounded_up(mode, sign, quotient, (rest, unit))
    result = quotient + ite(up, 1, 0)
    carried = eq(result, 10**precision)
    kept = ite(carried, 0, result)
    cls = type(number)
    signed = ite(eq(sign, 1), -kept, kept)
    found = spelled(cls, signed, sign, exponent + drop, precision)
    if carried is False:
        return found
    power = made(cls, sign, "1" + "0" * (precision - 1), exponent + drop + 1, False)
    return power if carried is True else combine([(carried, power), (True, found)])


def _is_rounded_up(mode: str, sign: Integer, quotient: Integer, part: tuple[Integer, int]) -> Guard:
    """Whether the size of a number grows where it is rounded: by its mode and what is cut off."""
    rest, unit = part
    some, half = rest > 0, eq(2 * rest, unit)
    modes: dict[str, Callable[[], Guard]] = {
        ROUND_DOWN: lambda: False,
        ROUND_UP: lambda: some,
        ROUND_CEILING: lambda: and_(some, eq(sign, 0)),
        ROUND_FLOOR: lambda: and_(some, eq(sign, 1)),
        ROUND_HALF_UP: lambda: 2 * rest >= unit,
        ROUND_HALF_DOWN: lambda: 2 * rest > unit,
        ROUND_HALF_EVEN: lambda: or_(2 * rest > unit, and_(half, eq(quotient % 2, 1))),
        ROUND_05UP: lambda: and_(some, eq(quotient % 5, 0)),
    }
    return modes[mode]()


def spelled(cls: Value, number: Integer, sign: Integer, exponent: int, size: int) -> Value:
    """The decimal numbers of an int of at most so many digits, one for each length."""
    if not isinstance(number, Term):
        return made(cls, sign, str(abs(number)), exponent, False)
    most = 10**size - 1
    low, high = bounds(number)
    if low is not None and high is not None:
        most = min(most, max(-low, high))
    rows = digit_rows(ite(number < 0, -number, number), most=most)
    assert rows is not None
    return combine(
        [
            (guard, made(cls, sign, text(codes), exponent, Finite(number, sign)))
            for guard, codes in rows
        ]
    )
