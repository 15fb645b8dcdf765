"""Floats with a fixed number of decimals: the types `f` and `%` of formats, and `round`.

A float times a power of ten is exact in a wider sort of floats.  Rounded to a bitvector it has the
digits that Python writes, half to even; solvers decide that well, unlike the rational number that
a symbolic float is.
"""

from __future__ import annotations

from fractions import Fraction

from solvent.errors import NotLiftedError
from solvent.lift.spelling.decimals import Digits
from solvent.lift.spelling.spans import Codes
from solvent.terms import (
    bv_to_int,
    extract,
    fp,
    fp_mul,
    fp_to_ubv,
    is_finite,
    is_infinite,
    is_nan,
    is_negative,
    round_to_integral,
    to_float,
    udiv,
    ult,
    urem,
)
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.floats import Float64, FloatTerm
from solvent.terms.kinds import Bits, Floating, Integer
from solvent.terms.softfloat import RNE
from solvent.terms.sorts import float_sort
from solvent.vm.machine import current
from solvent.vm.values import Guard

# How many digits a float may have before the point, tried one after the other, and behind it.
_SIZES = (3, 6, 9, 12, 15)
_MOST_DECIMALS = 22
# Of a float that is as large as this with its decimals, rounding in decimal changes nothing.
_FINE = 2**53
# Beyond so many decimals, Python does not round at all.
_ALL_DECIMALS = 323


def _scaled(value: FloatTerm, decimals: int) -> Floating:
    """The size of a float times a power of ten, exactly."""
    wide = float_sort(12, 54 + (5**decimals).bit_length())
    return fp_mul(to_float(abs(value), wide), fp(10**decimals, wide))


def rounded(value: FloatTerm, decimals: int) -> Floating:
    """`round(value, decimals)`."""
    if decimals > _ALL_DECIMALS:
        return value
    if value.sort is not Float64 or not 0 < decimals <= _MOST_DECIMALS:
        raise NotLiftedError(
            f"`round` of a symbolic float to {decimals} decimals is not lifted, but to 1 to "
            f"{_MOST_DECIMALS} is; round a Real instead"
        )
    # Both parts of the quotient are floats, so that it is rounded only once.
    number = to_float(round_to_integral(_scaled(value, decimals)), Float64) / float(10**decimals)
    number = ite(is_negative(value), -number, number)
    fine = Fraction(_FINE, 10**decimals)
    return ite(or_(value >= fine, value <= -fine), value, number)


def fixed_digits(
    value: FloatTerm, decimals: int, alternate: bool
) -> tuple[Guard, list[Digits]] | None:
    """The digits of a float without its sign, and whether it is rounded to zero.

    `None` if it may have too many digits, or has too many decimals.
    """
    size = _size(value)
    if size is None or decimals > _MOST_DECIMALS or value.sort is not Float64:
        return None
    most = size + decimals + 1
    width = (10**most).bit_length()
    number = fp_to_ubv(_scaled(value, decimals), width, RNE)
    codes = tuple(_digit(number, place) for place in range(most - 1, -1, -1))
    rows = [
        Digits(is_nan(value), (), tuple(map(ord, "nan"))),
        Digits(is_infinite(value), (), tuple(map(ord, "inf"))),
    ]
    rest: Guard = is_finite(value)
    for count in range(decimals + 1, most + 1):
        here = ult(number, 10**count) if count < most else True
        rows.append(_split(and_(rest, here), codes[most - count :], decimals, alternate))
        rest = and_(rest, not_(here))
    return and_(is_finite(value), ult(number, 1)), rows


def _digit(number: Bits, place: int) -> Integer:
    return bv_to_int(extract(3, 0, urem(udiv(number, 10**place), 10))) + 48


def _split(guard: Guard, codes: Codes, decimals: int, alternate: bool) -> Digits:
    before = len(codes) - decimals
    point = (46,) if decimals or alternate else ()
    return Digits(guard, codes[:before], (*point, *codes[before:]))


def _size(value: FloatTerm) -> int | None:
    """How many digits a float has at most before the point; a solver is asked."""
    machine = current()
    for size in _SIZES:
        beyond = and_(is_finite(value), abs(value) >= 10**size)
        if beyond is False or not machine.limits.feasible(machine, beyond):
            return size
    return None
