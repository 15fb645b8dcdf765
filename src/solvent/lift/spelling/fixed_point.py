"""Floats with a fixed number of decimals: the types `f` and `%` of formats, and `round`.

A float is a whole number of units of a power of two, as far as its decimals are concerned: what
is smaller is rounded to zero.  Times a power of ten, and rounded half to even, that is a bitvector
with the digits that Python writes; solvers decide that well, unlike the rational number that a
symbolic float is.
"""

from __future__ import annotations

from fractions import Fraction

from solvent.errors import NotLiftedError
from solvent.lift.spelling.decimals import Digits
from solvent.lift.spelling.spans import Codes
from solvent.terms import (
    bv_to_int,
    extract,
    fp_to_ubv,
    is_finite,
    is_infinite,
    is_nan,
    is_negative,
    ubv_to_float,
    udiv,
    ult,
    urem,
    zero_extend,
)
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.floats import Float64, FloatTerm
from solvent.terms.kinds import Bits, Floating, Integer
from solvent.terms.softfloat import RTZ
from solvent.terms.values import bv
from solvent.vm.machine import current
from solvent.vm.values import Guard

# How many digits a float may have before the point, tried one after the other, and behind it.
_SIZES = (3, 6, 9, 12, 15)
_MOST_DECIMALS = 22
# Of a float that is as large as this with its decimals, rounding in decimal changes nothing.
_FINE = 2**53
# Beyond so many decimals, Python does not round at all.
_ALL_DECIMALS = 323
# The bits of a significand.
_BITS = 53


def _scaled(value: FloatTerm, decimals: int, most: int) -> Bits:
    """The size of a float times a power of ten, rounded half to even, if it is below a limit."""
    power = 10**decimals
    # Floats that have a bit below the unit are less than a quarter of the last decimal.
    places = _BITS + power.bit_length() + 1
    units = fp_to_ubv(abs(value) * 2.0**places, (most << places).bit_length(), RTZ)
    width = units.sort.width + power.bit_length()
    product = zero_extend(width - units.sort.width, units) * bv(power, width)
    quotient = extract(width - 1, places, product)
    rest = extract(places - 1, 0, product)
    half = bv(1 << places - 1, places)
    odd = eq(extract(0, 0, quotient), bv(1, 1))
    up = or_(ult(half, rest), and_(eq(rest, half), odd))
    return ite(up, quotient + bv(1, quotient.sort.width), quotient)


def rounded(value: FloatTerm, decimals: int) -> Floating:
    """`round(value, decimals)`."""
    if decimals > _ALL_DECIMALS:
        return value
    if value.sort is not Float64 or not 0 < decimals <= _MOST_DECIMALS:
        raise NotLiftedError(
            f"`round` of a symbolic float to {decimals} decimals is not lifted, but to 1 to "
            f"{_MOST_DECIMALS} is; round a Real instead"
        )
    fine = Fraction(_FINE, 10**decimals)
    digits = _scaled(value, decimals, _FINE // 10**decimals + 1)
    # Both parts of the quotient are floats, so that it is rounded only once.
    number = ubv_to_float(digits) / float(10**decimals)
    number = ite(is_negative(value), -number, number)
    # Neither large floats nor those that are no numbers are changed.
    return ite(and_(value < fine, value > -fine), number, value)


def fixed_digits(
    value: FloatTerm, decimals: int, alternate: bool
) -> tuple[Guard, list[Digits]] | None:
    """The digits of a float without its sign, and whether it is rounded to zero.

    `None` if it has too many decimals.  Paths on which it has too many digits before the point end.
    """
    if decimals > _MOST_DECIMALS or value.sort is not Float64:
        return None
    size = _size(value)
    most = size + decimals + 1
    width = (10**most).bit_length()
    number = _scaled(value, decimals, 10**size)
    number = zero_extend(max(0, width - number.sort.width), number)
    codes = tuple(_digit(number, place) for place in range(most - 1, -1, -1))
    rows = special_rows(is_nan(value), is_infinite(value))
    rest: Guard = is_finite(value)
    for count in range(decimals + 1, most + 1):
        here = ult(number, 10**count) if count < most else True
        rows.append(_split(and_(rest, here), codes[most - count :], decimals, alternate))
        rest = and_(rest, not_(here))
    return and_(is_finite(value), ult(number, 1)), rows


def special_rows(nan: Guard, infinite: Guard) -> list[Digits]:
    """What is written of floats that are not finite, without a sign."""
    return [Digits(nan, (), tuple(map(ord, "nan"))), Digits(infinite, (), tuple(map(ord, "inf")))]


def _digit(number: Bits, place: int) -> Integer:
    return bv_to_int(extract(3, 0, urem(udiv(number, 10**place), 10))) + 48


def _split(guard: Guard, codes: Codes, decimals: int, alternate: bool) -> Digits:
    before = len(codes) - decimals
    point = (46,) if decimals or alternate else ()
    return Digits(guard, codes[:before], (*point, *codes[before:]))


def _size(value: FloatTerm) -> int:
    """How many digits a float has at most before the point; a solver is asked."""
    machine = current()
    for size in _SIZES:
        beyond = and_(is_finite(value), abs(value) >= 10**size)
        if beyond is False or not machine.limits.feasible(machine, beyond):
            return size
    error = NotLiftedError(
        f"a fixed number of decimals of a symbolic float from 1e{_SIZES[-1]} on is not lifted; "
        "assume that it is smaller"
    )
    machine.end_unknown(beyond, error)
    return _SIZES[-1]
