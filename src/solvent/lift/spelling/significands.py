"""Symbolic floats as whole numbers: how many units of a power of two a float is, exactly.

A float that was computed from ints with bounds is computed again with ints here, each operation
rounded to 53 bits as the machine does.  Any other float is read as a bitvector, as far as its size
lies in a window: what is beyond that ends the path, as nobody knows how it is written.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.spelling.decimals import halved_to_even
from solvent.lift.spelling.numerals import is_negative as is_below_zero
from solvent.terms import bv_to_int, fp_to_ubv, is_finite, is_infinite, is_nan, is_negative
from solvent.terms.booleans import ITE, BoolTerm, and_, eq, ite, not_, or_, xor
from solvent.terms.float_ops import (
    ADD_RNE,
    DIV_RNE,
    FP_ABS,
    FP_NEG,
    MUL_RNE,
    SUB_RNE,
    TO_FP_FROM_REAL,
    TO_FP_FROM_UNSIGNED,
)
from solvent.terms.floats import Float64, FloatTerm
from solvent.terms.kinds import Datum, Integer
from solvent.terms.ratios import ratio
from solvent.terms.softfloat import FP, RNE, RTZ, external, to_fraction
from solvent.terms.softfloat import is_finite as is_number
from solvent.terms.softfloat import is_negative as has_minus
from solvent.vm.machine import current
from solvent.vm.values import Guard, Value

# The bits of a significand.
BITS = 53
# Numbers of more bits are not computed with, and not with more than so many operations.
_WIDEST = 192
_MOST_STEPS = 24
# So many decimal digits tell floats apart.
DIGITS = 15
# How many digits a whole float may have, tried one after the other.
_SIZES = (3, 6, 9, 12, 15)
# What is refused of rounded floats is at least as large as this.
_LARGE = 1e9
# How long a solver may think about a size.
_SECONDS = 1.0
# The decimal exponents of floats that are written exactly, if nothing more is known of them: those
# that `repr` writes without an exponent, and some more.
LOWEST, HIGHEST = -7, 17
_LOW_STEPS, _HIGH_STEPS = (0, -3), (3, 6, 12)


class Significand(NamedTuple):
    """The size of a finite float: a whole number of units of two to the power of `-places`.

    `least` is at most what the number is if it is not zero.  `decimal` is an int and how many of
    its digits stand behind the point, if the float is the nearest one to a decimal number of at
    most 15 digits.
    """

    number: Integer
    places: int
    negative: Guard
    least: int
    decimal: tuple[Integer, int] | None = None
    # What the float may be that is not finite.
    nan: Guard = False
    infinite: Guard = False

    @property
    def most(self) -> int:
        """The largest number of units."""
        return _most(self.number)

    def signed(self, places: int) -> Integer:
        """The number of smaller units, below zero if the float is."""
        size = self.number * (1 << places - self.places)
        return ite(self.negative, -size, size)


class _UnknownError(Exception):
    """A float that was not computed from ints with bounds."""


def significand(value: FloatTerm) -> Significand:
    """A float as a whole number; paths on which it is too small or too large for that end.

    >>> from solvent.terms import Int
    >>> found = significand((Int("n") % 5) / 4)
    >>> found.number, found.places, found.decimal
    (mod(n, 5), 2, (mod(n, 5) * 25, 2))
    """
    found = of_ints(value)
    return _in_window(value) if found is None else found


def of_ints(value: FloatTerm) -> Significand | None:
    """A float that was computed from ints with bounds, or rounded to one, as a whole number."""
    if value.sort is not Float64:
        raise NotLiftedError(
            f"the text of a symbolic float of sort {value.sort} is not lifted; use a Float64"
        )
    walk = _Walk()
    try:
        found = walk.of(value)
    except _UnknownError:
        return None
    if not walk.wholes:
        return found
    return found._replace(nan=is_nan(value), infinite=is_infinite(value))


# --- floats of ints -------------------------------------------------------------------------------


class _Walk:
    """Computes floats of ints again, with ints."""

    def __init__(self) -> None:
        self._done: dict[FloatTerm, Significand] = {}
        # Whether some of the ints are floats that have been rounded, which may not be finite.
        self.wholes = False

    def of(self, value: Datum) -> Significand:
        """The size of a float."""
        if isinstance(value, FP):
            if not is_number(value):
                raise _UnknownError
            exact = abs(to_fraction(value))
            return _rounded(exact.numerator, exact.denominator, has_minus(value))
        if value not in self._done:
            if len(self._done) >= _MOST_STEPS:
                raise _UnknownError
            self._done[value] = self._step(value)
        return self._done[value]

    def _step(self, value: FloatTerm) -> Significand:
        op, args = value.op, value.key[1:]
        if op.base is TO_FP_FROM_REAL and op.params == (RNE, Float64):
            found = ratio(args[0])
            if found is None or type(found.below) is not int:
                raise _UnknownError
            return _of_signed(found.above, found.below)
        if op.base is TO_FP_FROM_UNSIGNED:
            self.wholes = True
            return _whole(value, bv_to_int(args[0]))
        if op is FP_NEG or op is FP_ABS:
            inner = self.of(args[0])
            return inner._replace(negative=op is FP_NEG and not_(inner.negative))
        if op.base is ITE:
            return self._chosen(*args)
        if op in (ADD_RNE, SUB_RNE):
            a, b = self.of(args[0]), self.of(args[1])
            return _sum(a, b if op is ADD_RNE else b._replace(negative=not_(b.negative)))
        if op is MUL_RNE or op is DIV_RNE:
            a, b = self.of(args[0]), self.of(args[1])
            return _product(a, b) if op is MUL_RNE else _quotient(a, b)
        raise _UnknownError

    def _chosen(self, test: BoolTerm, then: Datum, otherwise: Datum) -> Significand:
        a = self.of(then)
        try:
            b = self.of(otherwise)
        except _UnknownError:
            # `round` gives large floats back as they are: those are not written.
            _end_unless_small(and_(not_(test), is_finite(otherwise)), otherwise)
            return a
        places = max(a.places, b.places)
        sizes = [one.number * (1 << places - one.places) for one in (a, b)]
        least = min(one.least << places - one.places for one in (a, b))
        decimal = None
        if a.decimal is not None and b.decimal is not None:
            most = max(a.decimal[1], b.decimal[1])
            digits = [number * 10 ** (most - count) for number, count in (a.decimal, b.decimal)]
            decimal = _short(ite(test, *digits), most)
        negative = ite(test, a.negative, b.negative)
        return Significand(ite(test, *sizes), places, negative, least, decimal)


def _most(number: Integer) -> int:
    """The largest value that a number may have which is not negative."""
    _, high = bounds(number)
    if high is None or high.bit_length() > _WIDEST:
        raise _UnknownError
    return high


def _short(number: Integer, places: int) -> tuple[Integer, int] | None:
    """A decimal number, if it has at most 15 digits: floats tell all of those apart."""
    return (number, places) if _most(number) < 10**DIGITS else None


def _decimal(above: Integer, below: int) -> tuple[Integer, int] | None:
    """A quotient as a decimal number, if it is one with few digits."""
    for places in range(DIGITS + 1):
        if 10**places % below == 0:
            return _short(above * (10**places // below), places)
    return None


def _of_signed(above: Integer, below: int) -> Significand:
    low, _ = bounds(above)
    negative = is_below_zero(above)
    least = max(1, low) if low is not None else 1
    return _rounded(ite(negative, -above, above), below, negative, least)


def _rounded(above: Integer, below: int, negative: Guard, least: int = 1) -> Significand:
    """The float that is nearest to a quotient of ints, neither of them negative."""
    most = _most(above)
    decimal = _decimal(above, below)
    if below & (below - 1) == 0 and most <= 1 << BITS:
        return Significand(above, below.bit_length() - 1, negative, least, decimal)
    # From the power of two below the least quotient up to the one below the largest.
    first = least.bit_length() - below.bit_length() - 1
    last = max(first, most.bit_length() - below.bit_length())
    places = BITS - 1 - first
    if places + last > _WIDEST:
        raise _UnknownError
    number: Integer = 0
    for exponent in range(last, first - 1, -1):
        unit = Fraction(2) ** (exponent - BITS + 1) * below
        found = halved_to_even(above * unit.denominator, unit.numerator) * (1 << exponent - first)
        limit = -(-(Fraction(2) ** (exponent + 1)) * below // 1)
        number = found if exponent == last else ite(above < limit, found, number)
    smallest = max(1, (least << places) // below)
    return Significand(number, places, negative, smallest, decimal)


def _product(a: Significand, b: Significand) -> Significand:
    below = 1 << a.places + b.places
    sign = xor(a.negative, b.negative)
    return _rounded(a.number * b.number, below, sign, a.least * b.least)


def _quotient(a: Significand, b: Significand) -> Significand:
    if type(b.number) is not int or b.number == 0:
        raise _UnknownError
    by = Fraction(b.number, 1 << b.places) * (1 << a.places)
    sign = xor(a.negative, b.negative)
    factor = by.denominator
    return _rounded(a.number * factor, by.numerator, sign, a.least * factor)


def _sum(a: Significand, b: Significand) -> Significand:
    places = max(a.places, b.places)
    total = a.signed(places) + b.signed(places)
    found = _of_signed(total, 1 << places)
    # A sum that is zero has a sign only if both zeros have it.
    zeros = and_(a.negative, b.negative)
    return found._replace(negative=ite(eq(total, 0), zeros, found.negative))


# --- other floats ---------------------------------------------------------------------------------


def _whole(value: FloatTerm, number: Integer) -> Significand:
    """The float of a bitvector, which was rounded to it."""
    machine = current()
    for digits in _SIZES:
        beyond = number >= 10**digits
        if not machine.limits.feasible(machine, beyond, seconds=_SECONDS):
            break
    else:
        _end_where(beyond)
    # The bits could be those of more.
    number = ite(number < 10**digits, number, 0)
    return Significand(number, 0, False, 1, _short(number, 0))


def _end_unless_small(condition: Guard, value: Datum) -> None:
    """End the paths on which a condition holds, if all floats are large then."""
    machine = current()
    small = and_(condition, abs(external(value)) < _LARGE)
    if machine.limits.feasible(machine, small, seconds=_SECONDS):
        raise _UnknownError
    _end_where(condition)


def _end_where(condition: Guard) -> None:
    error = NotLiftedError(
        f"the text of a symbolic float that may be below 1e{LOWEST} or above 1e{HIGHEST} is not "
        "lifted for such numbers; assume bounds on it"
    )
    current().end_unknown(condition, error)


def _in_window(value: FloatTerm) -> Significand:
    """A float of any origin, whose size is asked for."""
    machine = current()
    if machine.chooses:
        # One value after the other answers sooner than a question about all digits.
        raise NotLiftedError(
            "the text of a symbolic float of unknown origin is not asked about where values may be "
            "chosen; explore without concretization"
        )
    size: Value = abs(value)
    finite = is_finite(value)

    def may_be(condition: Guard) -> bool:
        beyond = and_(finite, condition)
        return machine.limits.feasible(machine, beyond, seconds=_SECONDS)

    lowest, highest = LOWEST, HIGHEST
    small, large = and_(size > 0, size < _power(LOWEST)), size >= _power(HIGHEST)
    if may_be(or_(small, large)):
        _end_where(and_(finite, or_(small, large)))
    for exponent in _LOW_STEPS:
        if not may_be(and_(size > 0, size < _power(exponent))):
            lowest = exponent
            break
    for exponent in _HIGH_STEPS:
        if not may_be(size >= _power(exponent)):
            highest = exponent
            break
    # The last bit of the smallest float is the unit.
    places = BITS - 1 - ((10**-lowest).bit_length() * -1 if lowest < 0 else 0)
    most = 10**highest << places
    bits = fp_to_ubv(size * float(1 << places), most.bit_length(), RTZ)
    found = bv_to_int(bits)
    number = ite(found < most, found, 0)
    least = max(1, (1 << places) // 10**-lowest) if lowest < 0 else 1 << places
    return Significand(
        number, places, is_negative(value), least, None, is_nan(value), is_infinite(value)
    )


def _power(exponent: int) -> Fraction:
    return Fraction(10) ** exponent
