"""Functions on floats: literals, bits and bitvectors, IEEE 754's operations, classes of floats.

Where SMT-LIB leaves a result open (a number that does not fit a bitvector, the smaller of the two
zeros), the functions put a guard around the operator, so that every solver's model agrees with
evaluation.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from solvent.errors import SortError
from solvent.terms import softfloat as soft
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import and_, ite
from solvent.terms.float_ops import (
    FP_ADD,
    FP_DIV,
    FP_EQ,
    FP_FMA,
    FP_IS_INFINITE,
    FP_IS_NAN,
    FP_IS_NEGATIVE,
    FP_IS_NORMAL,
    FP_IS_POSITIVE,
    FP_IS_SUBNORMAL,
    FP_IS_ZERO,
    FP_LEQ,
    FP_LT,
    FP_MAX,
    FP_MIN,
    FP_MUL,
    FP_REM,
    FP_SQRT,
    FP_SUB,
    FP_TO_SBV,
    FP_TO_UBV,
    TO_FP_FROM_BITS,
    TO_FP_FROM_SIGNED,
    TO_FP_FROM_UNSIGNED,
    largest,
    least,
)
from solvent.terms.floats import Float64, FloatTerm, float_of, float_sort_of, float_to_real
from solvent.terms.ops import Op
from solvent.terms.softfloat import FP, RNA, RNE, RTN, RTP, RTZ, RoundingMode, external
from solvent.terms.sorts import SortLike, bitvec_sort, describe
from solvent.terms.values import BV, make_bv

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Datum, Floating, FloatLike, Guard, Integer


def _several(name: str, *values: FloatLike) -> list[Datum]:
    """Arguments as floats of one sort, that of the first which tells its sort."""
    sort = next((v.sort for v in values if isinstance(v, (FloatTerm, FP))), Float64)
    results = [sort.coerce(value) for value in values]
    if any(result is NotImplemented for result in results):
        listed = " and ".join(map(describe, values))
        raise SortError(f"{name} needs floats of one sort: {listed}")
    return results


def fp(
    value: float | Fraction | str | FP,
    sort: SortLike = Float64,
    rm: RoundingMode = RNE,
) -> float | FP:
    """A concrete float of a sort; a text is read as a decimal and rounded only once.

    >>> from solvent.terms import Float16, Float32
    >>> fp(0.1, Float32), fp("-1/3", Float16), fp("inf", Float32), fp(2.5)
    (fp(0.1, Float32), fp(-0.3333, Float16), fp('inf', Float32), 2.5)
    """
    target = float_sort_of(sort)
    if isinstance(value, str):
        try:
            return external(soft.from_text(rm, target, value))
        except (ValueError, ZeroDivisionError):
            raise SortError(f"{value!r} is not a number") from None
    if isinstance(value, (int, float, Fraction, FP)):
        return external(soft.from_number(rm, target, value))
    raise SortError(f"a literal is made from a number, not from {describe(value)}")


def float_to_int(x: FloatLike) -> Integer:
    """The integer part, as Python's `int(x)`; NaN and the infinities as in `float_to_real`.

    >>> float_to_int(-2.5)
    -2
    """
    return math.trunc(float_to_real(x))


def float_from_bits(bits: Bits, sort: SortLike = Float64) -> Floating:
    """The float that a bitvector represents in memory.

    >>> from solvent.terms import Float16, bv
    >>> float_from_bits(bv(0x3FF8 << 48, 64)), float_from_bits(0x3E00, Float16)
    (1.5, fp(1.5, Float16))
    """
    target = float_sort_of(sort)
    pattern = bitvec_sort(target.ebits + target.sbits).require(bits)
    return external(TO_FP_FROM_BITS.at(target)(pattern))


def float_to_bits(x: FloatLike) -> Bits:
    """The bits of a concrete float in memory; those of NaN are the ones that CPython uses.

    SMT-LIB has no such function of terms.  Make it a constraint instead: with a fresh bitvector
    b, assume `eq(float_from_bits(b, sort), x)`.

    >>> float_to_bits(1.5) == 0x3FF8 << 48
    True
    """
    x = float_of(x)
    width = x.sort.ebits + x.sort.sbits
    if isinstance(x, FP):
        return make_bv(x.bits, bitvec_sort(width))
    if x.op.base is TO_FP_FROM_BITS:
        return ite(FP_IS_NAN(x), float_to_bits(soft.nan(x.sort)), x.key[1])
    raise SortError(
        f"the bits of the symbolic {describe(x)} cannot be computed; take a fresh "
        f"b = BitVec.fresh('b', {width}) and assume eq(float_from_bits(b, {x.sort}), x)"
    )


def pattern_of(x: FloatLike) -> Bits | None:
    """The bitvector that a float was read from, if it was.

    >>> from solvent.terms import BitVec, Float64
    >>> pattern_of(float_from_bits(BitVec("b", 64))), pattern_of(Float64("x"))
    (b, None)
    """
    return x.key[1] if isinstance(x, FloatTerm) and x.op.base is TO_FP_FROM_BITS else None


def sbv_to_float(bits: Bits, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Floating:
    """The signed number that a bitvector stands for as a float, rounded.

    >>> from solvent.terms import bv
    >>> sbv_to_float(bv(255, 8)), ubv_to_float(bv(255, 8))
    (-1.0, 255.0)
    """
    return external(TO_FP_FROM_SIGNED.at(rm, float_sort_of(sort))(_bits(bits)))


def ubv_to_float(bits: Bits, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Floating:
    """The unsigned number that a bitvector stands for as a float, rounded."""
    return external(TO_FP_FROM_UNSIGNED.at(rm, float_sort_of(sort))(_bits(bits)))


def _bits(value: Bits) -> Bits:
    if not isinstance(value, (BitVecTerm, BV)):
        raise SortError(f"a bitvector is needed, not {describe(value)}")
    return value


def fp_to_sbv(x: FloatLike, width: int, rm: RoundingMode) -> Bits:
    """A float rounded to a signed bitvector; 0 if it does not fit.

    >>> fp_to_sbv(-2.5, 8, RoundingMode.RTZ).signed, fp_to_sbv(1e9, 8, RoundingMode.RTZ)
    (-2, bv(0, 8))
    """
    return _to_bitvector(FP_TO_SBV, x, width, rm, signed=True)


def fp_to_ubv(x: FloatLike, width: int, rm: RoundingMode) -> Bits:
    """A float rounded to an unsigned bitvector; 0 if it does not fit.

    >>> fp_to_ubv(2.5, 8, RoundingMode.RTP), fp_to_ubv(-1.0, 8, RoundingMode.RTP)
    (bv(3, 8), bv(0, 8))
    """
    return _to_bitvector(FP_TO_UBV, x, width, rm, signed=False)


def _to_bitvector(
    family: Op[Bits], x: FloatLike, width: int, rm: RoundingMode, signed: bool
) -> Bits:
    nothing = make_bv(0, bitvec_sort(width))
    x = float_of(x)
    result = family.at(rm, width)(x)
    if isinstance(x, FP):
        return result
    return ite(_rounds_into(x, rm, least(width, signed), largest(width, signed)), result, nothing)


def _rounds_into(x: FloatTerm, rm: RoundingMode, least: int, largest: int) -> Guard:
    """Whether x rounds to an integer from `least`, which is at most 0, to `largest`."""
    # How far below and above the range numbers still round into it.
    margins = {RNE: (1, 1), RNA: (1, 1), RTP: (2, 0), RTN: (0, 2), RTZ: (2, 2)}
    below, above = (Fraction(margin, 2) for margin in margins[rm])
    return and_(
        _reaches(x, least - below, inclusive=_rounds_to(rm, least - below, least), upwards=True),
        _reaches(x, largest + above, _rounds_to(rm, largest + above, largest), upwards=False),
    )


def _rounds_to(rm: RoundingMode, number: Fraction, target: int) -> bool:
    magnitude = abs(number)
    negative = number < 0
    natural = soft.round_quotient(rm, negative, magnitude.numerator, magnitude.denominator)
    return (-natural if negative else natural) == target


def _reaches(x: FloatTerm, limit: Fraction, inclusive: bool, upwards: bool) -> Guard:
    """Whether x is above a limit, or below; no NaN or infinity is."""
    # The float nearest to the limit on the side where the comparison stays exact.
    rm = RTP if inclusive == upwards else RTN
    bound = soft.from_fraction(rm, x.sort, limit)
    relation = FP_LEQ if inclusive else FP_LT
    return relation(bound, x) if upwards else relation(x, bound)


def fp_add(x: FloatLike, y: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The sum, rounded as asked for.

    >>> fp_add(1.0, 1e-30), fp_add(1.0, 1e-30, RoundingMode.RTP)
    (1.0, 1.0000000000000002)
    """
    return external(FP_ADD.at(rm)(*_several("fp.add", x, y)))


def fp_sub(x: FloatLike, y: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The difference, rounded as asked for."""
    return external(FP_SUB.at(rm)(*_several("fp.sub", x, y)))


def fp_mul(x: FloatLike, y: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The product, rounded as asked for."""
    return external(FP_MUL.at(rm)(*_several("fp.mul", x, y)))


def fp_div(x: FloatLike, y: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The quotient of IEEE 754, rounded as asked for; also by zero.

    >>> fp_div(1.0, 0.0)
    inf
    """
    return external(FP_DIV.at(rm)(*_several("fp.div", x, y)))


def fma(x: FloatLike, y: FloatLike, z: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """`x * y + z`, rounded once.

    >>> fma(0.1, 10.0, -1.0), 0.1 * 10.0 - 1.0
    (5.551115123125783e-17, 0.0)
    """
    return external(FP_FMA.at(rm)(*_several("fp.fma", x, y, z)))


def sqrt(x: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The square root; NaN for negative numbers.

    >>> sqrt(2.0), sqrt(-1.0)
    (1.4142135623730951, nan)
    """
    return external(FP_SQRT.at(rm)(float_of(x)))


def fp_rem(x: FloatLike, y: FloatLike) -> Floating:
    """IEEE's remainder, as `math.remainder`: the quotient is rounded to nearest.

    >>> fp_rem(5.0, 3.0)
    -1.0
    """
    return external(FP_REM(*_several("fp.rem", x, y)))


def fp_min(x: FloatLike, y: FloatLike) -> Floating:
    """The smaller float, a number before NaN, -0.0 before 0.0.

    >>> fp_min(float("nan"), 1.0), fp_min(0.0, -0.0)
    (1.0, -0.0)
    """
    a, b = _several("fp.min", x, y)
    both_zero = and_(FP_IS_ZERO(a), FP_IS_ZERO(b))
    return external(ite(both_zero, ite(FP_IS_NEGATIVE(a), a, b), FP_MIN(a, b)))


def fp_max(x: FloatLike, y: FloatLike) -> Floating:
    """The larger float, a number before NaN, 0.0 before -0.0.

    >>> fp_max(float("nan"), 1.0), fp_max(-0.0, 0.0)
    (1.0, 0.0)
    """
    a, b = _several("fp.max", x, y)
    both_zero = and_(FP_IS_ZERO(a), FP_IS_ZERO(b))
    return external(ite(both_zero, ite(FP_IS_NEGATIVE(a), b, a), FP_MAX(a, b)))


def fp_eq(x: FloatLike, y: FloatLike) -> Guard:
    """IEEE's comparison, as `==` on Python floats.

    >>> fp_eq(0.0, -0.0), fp_eq(float("nan"), float("nan"))
    (True, False)
    """
    return FP_EQ(*_several("fp.eq", x, y))


def is_nan(x: FloatLike) -> Guard:
    """Whether a float is not a number.

    >>> from solvent.terms import Float
    >>> is_nan(-abs(Float("x"))), is_nan(1.0)
    (is_nan(x), False)
    """
    return FP_IS_NAN(float_of(x))


def is_infinite(x: FloatLike) -> Guard:
    """Whether a float is an infinity."""
    return FP_IS_INFINITE(float_of(x))


def is_zero(x: FloatLike) -> Guard:
    """Whether a float is 0.0 or -0.0."""
    return FP_IS_ZERO(float_of(x))


def is_normal(x: FloatLike) -> Guard:
    """Whether a float is finite and has a full significand."""
    return FP_IS_NORMAL(float_of(x))


def is_subnormal(x: FloatLike) -> Guard:
    """Whether a float is so small that bits of its significand are lost; zero is not."""
    return FP_IS_SUBNORMAL(float_of(x))


def is_negative(x: FloatLike) -> Guard:
    """Whether a float has a minus sign; NaN has no sign.

    >>> is_negative(-0.0), is_negative(float("nan"))
    (True, False)
    """
    return FP_IS_NEGATIVE(float_of(x))


def is_positive(x: FloatLike) -> Guard:
    """Whether a float has a plus sign; NaN has no sign."""
    return FP_IS_POSITIVE(float_of(x))
