"""IEEE 754 floats with the semantics of Python's `float`.

`Float64` is Python's `float`: `+ - * / // %`, comparisons, `round` and `math.floor` mean what they
mean there.  `==` is IEEE's comparison (NaN equals nothing, the zeros are equal), while `eq` is
the logical equality of SMT-LIB, which tells the zeros apart.  Comparisons with integers and
fractions are exact, as Python's are.

Inside terms every concrete float is an `FP`; users are given Python floats for `Float64`
(`external`).  Rounding modes are concrete.

Partial functions have one meaning: where SMT-LIB leaves a result open (converting NaN or a number
that does not fit to a bitvector, an infinity to a real number, the smaller of the two zeros), the
functions here put a guard around the operator, so that every solver's model agrees with evaluation.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import solvent.terms.float_rules  # noqa: F401  (declares the rules)
from solvent.errors import SortError
from solvent.terms import softfloat as soft
from solvent.terms.arithmetic import complement
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_, xor
from solvent.terms.float_ops import (
    ADD_RNE,
    DIV_RNE,
    FP_ABS,
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
    FP_NEG,
    FP_REM,
    FP_ROUND_TO_INTEGRAL,
    FP_SQRT,
    FP_SUB,
    FP_TO_REAL,
    FP_TO_SBV,
    FP_TO_UBV,
    MUL_RNE,
    SUB_RNE,
    TO_FP_FROM_BITS,
    TO_FP_FROM_FLOAT,
    TO_FP_FROM_REAL,
    TO_FP_FROM_SIGNED,
    TO_FP_FROM_UNSIGNED,
    largest,
    least,
)
from solvent.terms.integers import IntTerm
from solvent.terms.ops import Op
from solvent.terms.reals import RealTerm
from solvent.terms.softfloat import FP, RNA, RNE, RTN, RTP, RTZ, RoundingMode, external
from solvent.terms.sorts import (
    TERM_CLASSES,
    FloatSort,
    Real,
    Sort,
    SortLike,
    as_sort,
    bitvec_sort,
    describe,
    float_sort,
)
from solvent.terms.term import Term
from solvent.terms.values import BV, make_bv, sort_of

Float16 = float_sort(5, 11)
Float32 = float_sort(8, 24)
Float64 = float_sort(11, 53)


class FloatTerm(Term):
    """A symbolic float, used like a `float`.

    A concrete zero divisor raises as in Python; a symbolic one follows IEEE 754.  The functions
    that give integers (`round`, `math.floor`, ...) give 0 for NaN and the infinities, for which
    Python raises.

    >>> from solvent.terms import Float
    >>> x, y = Float("x"), Float("y")
    >>> x + 1, -x * 2.5 < y, x == x
    (x + 1.0, x * (-2.5) < y, not is_nan(x))
    """

    __slots__ = ()
    __hash__ = object.__hash__

    sort: FloatSort

    def __add__(self, other: Any) -> Any:
        return _arithmetic(ADD_RNE, self, other)

    def __radd__(self, other: Any) -> Any:
        return _arithmetic(ADD_RNE, self, other, reflected=True)

    def __sub__(self, other: Any) -> Any:
        return _arithmetic(SUB_RNE, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _arithmetic(SUB_RNE, self, other, reflected=True)

    def __mul__(self, other: Any) -> Any:
        return _arithmetic(MUL_RNE, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _arithmetic(MUL_RNE, self, other, reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return _arithmetic(_python_div, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _arithmetic(_python_div, self, other, reflected=True)

    def __floordiv__(self, other: Any) -> Any:
        return _arithmetic(_python_floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _arithmetic(_python_floordiv, self, other, reflected=True)

    def __mod__(self, other: Any) -> Any:
        return _arithmetic(_python_mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _arithmetic(_python_mod, self, other, reflected=True)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, exponent: Any) -> NoReturn:
        _refuse_power(self, exponent)

    def __rpow__(self, base: Any) -> NoReturn:
        _refuse_power(base, self)

    def __neg__(self) -> Any:
        return external(FP_NEG(self))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return external(FP_ABS(self))

    # A number n that is no float lies between two: x < n exactly if x is below the upper one.

    def __lt__(self, other: Any) -> Any:
        bound = _bound(self, other, RTP)
        return bound if bound is NotImplemented else FP_LT(self, bound)

    def __le__(self, other: Any) -> Any:
        bound = _bound(self, other, RTN)
        return bound if bound is NotImplemented else FP_LEQ(self, bound)

    def __gt__(self, other: Any) -> Any:
        bound = _bound(self, other, RTN)
        return bound if bound is NotImplemented else FP_LT(bound, self)

    def __ge__(self, other: Any) -> Any:
        bound = _bound(self, other, RTP)
        return bound if bound is NotImplemented else FP_LEQ(bound, self)

    def __eq__(self, other: object) -> Any:
        below, above = _bound(self, other, RTN), _bound(self, other, RTP)
        if below is NotImplemented:
            return NotImplemented
        if below is above:
            return FP_EQ(self, below)
        if isinstance(below, FP) and isinstance(above, FP):
            return FP_EQ(self, below) if below == above else False
        return and_(FP_LEQ(above, self), FP_LEQ(self, below))

    def __ne__(self, other: object) -> Any:
        return complement(self.__eq__(other))

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return math.floor(float_to_real(round_to_integral(self)))
        if digits == 0:
            return round_to_integral(self)
        raise SortError(
            f"round({describe(self)}, {digits!r}) rounds in decimal, which floats cannot express; "
            "round a Real instead: round(float_to_real(x), n)"
        )

    def __trunc__(self) -> Any:
        return math.trunc(float_to_real(self))

    def __floor__(self) -> Any:
        return math.floor(float_to_real(self))

    def __ceil__(self) -> Any:
        return math.ceil(float_to_real(self))


TERM_CLASSES[FloatSort] = FloatTerm
for _sort in (Float16, Float32, Float64):
    _sort.term_class = FloatTerm


def _coerce_float(sort: FloatSort, value: Any) -> Any:
    cls = value.__class__
    if cls is FloatTerm or cls is FP:
        return value if value.sort is sort else NotImplemented
    if isinstance(value, float):
        return soft.from_number(RNE, sort, value)
    if isinstance(value, int):
        if sort is Float64:
            return soft.from_python(float(value))  # raises OverflowError as Python does
        return soft.from_fraction(RNE, sort, value)
    if isinstance(value, (IntTerm, BoolTerm)):
        return TO_FP_FROM_REAL.at(RNE, sort)(Real.coerce(value))
    return NotImplemented


Sort.coercers[FloatSort] = _coerce_float
Sort.defaults[FloatSort] = soft.zero


def _operand(self: FloatTerm, other: Any) -> Any:
    """The other operand of an operator as a float of the same sort."""
    if other.__class__ is FloatTerm and other.sort is self.sort:
        return other
    if isinstance(other, (Fraction, RealTerm)):
        return self.sort.require(to_float(other, self.sort))
    result = self.sort.coerce(other)
    if result is NotImplemented and isinstance(other, (Term, FP)):
        raise SortError(
            f"{describe(self)} and {describe(other)} are of different sorts; "
            "convert one with to_float"
        )
    return result


def _bound(self: FloatTerm, other: Any, rm: RoundingMode) -> Any:
    """The other operand of a comparison: a number is rounded so that the comparison is exact."""
    if isinstance(other, (float, FP, FloatTerm)):
        return _operand(self, other)
    number = Real.coerce(other)
    if number is NotImplemented:
        return _operand(self, other)
    return TO_FP_FROM_REAL.at(rm, self.sort)(number)


def _arithmetic(
    function: Callable[[Any, Any], Any], self: FloatTerm, other: Any, reflected: bool = False
) -> Any:
    other = _operand(self, other)
    if other is NotImplemented:
        return other
    return external(function(other, self) if reflected else function(self, other))


def _refuse_power(base: Any, exponent: Any) -> NoReturn:
    raise SortError(
        f"{describe(base)} ** {describe(exponent)}: a solver cannot round a power as the "
        "machine does; multiply instead"
    )


def _python_div(a: Any, b: Any) -> Any:
    if isinstance(b, FP) and soft.is_zero(b):
        raise ZeroDivisionError("float division by zero")
    return DIV_RNE(a, b)


def _zero_signed(sort: FloatSort, negative: Any) -> Any:
    return ite(negative, soft.zero(sort, negative=True), soft.zero(sort))


def _truncated_rest(a: Any, b: Any) -> Any:
    """C's `fmod`: a - b * n for a / b truncated to n; exact, with the sign of a."""
    divisor = FP_ABS(b)
    rest = FP_REM(FP_ABS(a), divisor)
    # The remainder of IEEE rounds the quotient to nearest; where that was up, go back one step.
    rest = ite(FP_LT(rest, soft.zero(a.sort)), ADD_RNE(rest, divisor), rest)
    return ite(FP_IS_NEGATIVE(a), FP_NEG(rest), rest)


def _python_mod(a: Any, b: Any) -> Any:
    """Python's `a % b`, step by step as CPython computes it; NaN for a symbolic zero divisor."""
    if isinstance(b, FP) and soft.is_zero(b):
        raise ZeroDivisionError("float modulo by zero")
    rest = _truncated_rest(a, b)
    zero = soft.zero(a.sort)
    signs_differ = xor(FP_LT(b, zero), FP_LT(rest, zero))
    return ite(
        FP_IS_ZERO(rest),
        _zero_signed(a.sort, FP_IS_NEGATIVE(b)),
        ite(signs_differ, ADD_RNE(rest, b), rest),
    )


def _python_floordiv(a: Any, b: Any) -> Any:
    """Python's `a // b`, step by step as CPython computes it; NaN for a symbolic zero divisor."""
    if isinstance(b, FP) and soft.is_zero(b):
        raise ZeroDivisionError("float floor division by zero")
    sort = a.sort
    zero = soft.zero(sort)
    one, half = (soft.from_fraction(RNE, sort, Fraction(1, d)) for d in (1, 2))
    rest = _truncated_rest(a, b)
    quotient = DIV_RNE(SUB_RNE(a, rest), b)
    signs_differ = xor(FP_LT(b, zero), FP_LT(rest, zero))
    adjust = and_(not_(FP_IS_ZERO(rest)), signs_differ)
    quotient = ite(adjust, SUB_RNE(quotient, one), quotient)
    below = FP_ROUND_TO_INTEGRAL.at(RTN)(quotient)
    nearest = ite(FP_LT(half, SUB_RNE(quotient, below)), ADD_RNE(below, one), below)
    sign = xor(FP_IS_NEGATIVE(a), FP_IS_NEGATIVE(b))
    return ite(FP_IS_ZERO(quotient), _zero_signed(sort, sign), nearest)


def promoted(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """An operator of Python between a symbolic Int, Real or Bool and a concrete float.

    As in Python the number becomes a float, but a comparison is exact.  Anything else is not
    implemented here.

    >>> from solvent.terms import Int
    >>> promoted(operator.add, Int("i"), 0.5), promoted(operator.le, Int("i"), 2.5)
    (to_float(to_real(i), Float64) + 0.5, i <= 2)
    """
    is_first = isinstance(a, (float, FP))
    value, number = (a, b) if is_first else (b, a)
    if not isinstance(value, (float, FP)):
        return NotImplemented
    if not isinstance(number, (IntTerm, RealTerm, BoolTerm)):
        return NotImplemented
    if function in (operator.lt, operator.le, operator.gt):
        value, number = _exactly(value, number)
    else:
        number = to_float(number, sort_of(value))
    return function(value, number) if is_first else function(number, value)


def _exactly(value: float | FP, number: Any) -> tuple[Any, Any]:
    """A concrete float and a number as operands of an exact comparison."""
    exact = value.number if isinstance(value, FP) else value
    if isinstance(exact, float) and not math.isfinite(exact):
        return exact, 0  # NaN and the infinities compare with every number as with zero
    return Fraction(exact), Real.coerce(number)


# --- public functions --------------------------------------------------------------------------


def _float_sort(sort: SortLike) -> FloatSort:
    result = as_sort(sort)
    if not isinstance(result, FloatSort):
        raise SortError(f"a sort of floats is needed, not {result}")
    return result


def _one(value: Any) -> Any:
    """A float term or an `FP` for an argument; Python numbers are of `Float64`."""
    return value if isinstance(value, (FloatTerm, FP)) else Float64.require(value)


def _several(name: str, *values: Any) -> list[Any]:
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
) -> Any:
    """A concrete float of a sort; a text is read as a decimal and rounded only once.

    >>> fp(0.1, Float32), fp("-1/3", Float16), fp("inf", Float32), fp(2.5)
    (fp(0.1, Float32), fp(-0.3333, Float16), fp('inf', Float32), 2.5)
    """
    target = _float_sort(sort)
    if isinstance(value, str):
        try:
            return external(soft.from_text(rm, target, value))
        except (ValueError, ZeroDivisionError):
            raise SortError(f"{value!r} is not a number") from None
    if isinstance(value, (int, float, Fraction, FP)):
        return external(soft.from_number(rm, target, value))
    raise SortError(f"a literal is made from a number, not from {describe(value)}")


def to_float(value: Any, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Any:
    """A number or a float of another sort as a float, rounded.

    As in Python, a concrete integer or fraction that is too large for `Float64` is an
    OverflowError; a symbolic one becomes an infinity.

    >>> from solvent.terms import Float, Int
    >>> to_float(3), to_float(Int("i")), to_float(Float("x"), Float32)
    (3.0, to_float(to_real(i), Float64), to_float(x, Float32))
    """
    target = _float_sort(sort)
    if isinstance(value, FloatTerm):
        return external(TO_FP_FROM_FLOAT.at(rm, target)(value))
    if isinstance(value, (float, FP)):
        return external(soft.from_number(rm, target, value))
    number = Real.coerce(value)
    if number is NotImplemented:
        if isinstance(value, (BitVecTerm, BV)):
            raise SortError(
                f"{describe(value)} can be read in three ways: use sbv_to_float, ubv_to_float or "
                "float_from_bits"
            )
        raise SortError(f"{describe(value)} is not a number")
    if isinstance(number, Fraction) and target is Float64 and rm is RNE:
        return float(number)
    return external(TO_FP_FROM_REAL.at(rm, target)(number))


def float_to_real(x: Any) -> Any:
    """A float as a real number, exactly.

    NaN and the infinities are 0 where they are symbolic, and raise as in Python where concrete.

    >>> from solvent.terms import Float
    >>> float_to_real(0.75), float_to_real(Float("x"))
    (Fraction(3, 4), ite(is_nan(x) or is_infinite(x), 0, float_to_real(x)))
    """
    x = _one(x)
    if isinstance(x, FP):
        return soft.to_fraction(x)
    return ite(is_finite(x), FP_TO_REAL(x), Fraction(0))


def float_to_int(x: Any) -> Any:
    """The integer part, as Python's `int(x)`; NaN and the infinities as in `float_to_real`.

    >>> float_to_int(-2.5)
    -2
    """
    return math.trunc(float_to_real(x))


def float_from_bits(bits: Any, sort: SortLike = Float64) -> Any:
    """The float that a bitvector represents in memory.

    >>> from solvent.terms import bv
    >>> float_from_bits(bv(0x3FF8 << 48, 64)), float_from_bits(0x3E00, Float16)
    (1.5, fp(1.5, Float16))
    """
    target = _float_sort(sort)
    pattern = bitvec_sort(target.ebits + target.sbits).require(bits)
    return external(TO_FP_FROM_BITS.at(target)(pattern))


def float_to_bits(x: Any) -> Any:
    """The bits of a concrete float in memory; those of NaN are the ones that CPython uses.

    SMT-LIB has no such function of terms.  Make it a constraint instead: with a fresh bitvector
    b, assume `eq(float_from_bits(b, sort), x)`.

    >>> float_to_bits(1.5) == 0x3FF8 << 48
    True
    """
    x = _one(x)
    width = x.sort.ebits + x.sort.sbits
    if isinstance(x, FP):
        return make_bv(x.bits, bitvec_sort(width))
    if x.op.base is TO_FP_FROM_BITS:
        return ite(FP_IS_NAN(x), float_to_bits(soft.nan(x.sort)), x.key[1])
    raise SortError(
        f"the bits of the symbolic {describe(x)} cannot be computed; take a fresh "
        f"b = BitVec.fresh('b', {width}) and assume eq(float_from_bits(b, {x.sort}), x)"
    )


def sbv_to_float(bits: Any, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Any:
    """The signed number that a bitvector stands for as a float, rounded.

    >>> from solvent.terms import bv
    >>> sbv_to_float(bv(255, 8)), ubv_to_float(bv(255, 8))
    (-1.0, 255.0)
    """
    return external(TO_FP_FROM_SIGNED.at(rm, _float_sort(sort))(_bits(bits)))


def ubv_to_float(bits: Any, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Any:
    """The unsigned number that a bitvector stands for as a float, rounded."""
    return external(TO_FP_FROM_UNSIGNED.at(rm, _float_sort(sort))(_bits(bits)))


def _bits(value: Any) -> Any:
    if not isinstance(value, (BitVecTerm, BV)):
        raise SortError(f"a bitvector is needed, not {describe(value)}")
    return value


def fp_to_sbv(x: Any, width: int, rm: RoundingMode) -> Any:
    """A float rounded to a signed bitvector; 0 if it does not fit.

    >>> fp_to_sbv(-2.5, 8, RoundingMode.RTZ).signed, fp_to_sbv(1e9, 8, RoundingMode.RTZ)
    (-2, bv(0, 8))
    """
    return _to_bitvector(FP_TO_SBV, x, width, rm, signed=True)


def fp_to_ubv(x: Any, width: int, rm: RoundingMode) -> Any:
    """A float rounded to an unsigned bitvector; 0 if it does not fit.

    >>> fp_to_ubv(2.5, 8, RoundingMode.RTP), fp_to_ubv(-1.0, 8, RoundingMode.RTP)
    (bv(3, 8), bv(0, 8))
    """
    return _to_bitvector(FP_TO_UBV, x, width, rm, signed=False)


def _to_bitvector(family: Op, x: Any, width: int, rm: RoundingMode, signed: bool) -> Any:
    nothing = make_bv(0, bitvec_sort(width))
    x = _one(x)
    result = family.at(rm, width)(x)
    if isinstance(x, FP):
        return result
    return ite(_rounds_into(x, rm, least(width, signed), largest(width, signed)), result, nothing)


def _rounds_into(x: FloatTerm, rm: RoundingMode, least: int, largest: int) -> Any:
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


def _reaches(x: FloatTerm, limit: Fraction, inclusive: bool, upwards: bool) -> Any:
    """Whether x is above a limit, or below; no NaN or infinity is."""
    # The float nearest to the limit on the side where the comparison stays exact.
    rm = RTP if inclusive == upwards else RTN
    bound = soft.from_fraction(rm, x.sort, limit)
    relation = FP_LEQ if inclusive else FP_LT
    return relation(bound, x) if upwards else relation(x, bound)


def fp_add(x: Any, y: Any, rm: RoundingMode = RNE) -> Any:
    """The sum, rounded as asked for.

    >>> fp_add(1.0, 1e-30), fp_add(1.0, 1e-30, RoundingMode.RTP)
    (1.0, 1.0000000000000002)
    """
    return external(FP_ADD.at(rm)(*_several("fp.add", x, y)))


def fp_sub(x: Any, y: Any, rm: RoundingMode = RNE) -> Any:
    """The difference, rounded as asked for."""
    return external(FP_SUB.at(rm)(*_several("fp.sub", x, y)))


def fp_mul(x: Any, y: Any, rm: RoundingMode = RNE) -> Any:
    """The product, rounded as asked for."""
    return external(FP_MUL.at(rm)(*_several("fp.mul", x, y)))


def fp_div(x: Any, y: Any, rm: RoundingMode = RNE) -> Any:
    """The quotient of IEEE 754, rounded as asked for; also by zero.

    >>> fp_div(1.0, 0.0)
    inf
    """
    return external(FP_DIV.at(rm)(*_several("fp.div", x, y)))


def fma(x: Any, y: Any, z: Any, rm: RoundingMode = RNE) -> Any:
    """`x * y + z`, rounded once.

    >>> fma(0.1, 10.0, -1.0), 0.1 * 10.0 - 1.0
    (5.551115123125783e-17, 0.0)
    """
    return external(FP_FMA.at(rm)(*_several("fp.fma", x, y, z)))


def sqrt(x: Any, rm: RoundingMode = RNE) -> Any:
    """The square root; NaN for negative numbers.

    >>> sqrt(2.0), sqrt(-1.0)
    (1.4142135623730951, nan)
    """
    return external(FP_SQRT.at(rm)(_one(x)))


def fp_rem(x: Any, y: Any) -> Any:
    """IEEE's remainder, as `math.remainder`: the quotient is rounded to nearest.

    >>> fp_rem(5.0, 3.0)
    -1.0
    """
    return external(FP_REM(*_several("fp.rem", x, y)))


def round_to_integral(x: Any, rm: RoundingMode = RNE) -> Any:
    """The nearest integer as a float.

    >>> round_to_integral(2.5), round_to_integral(-0.5, RoundingMode.RTP)
    (2.0, -0.0)
    """
    return external(FP_ROUND_TO_INTEGRAL.at(rm)(_one(x)))


def fp_min(x: Any, y: Any) -> Any:
    """The smaller float, a number before NaN, -0.0 before 0.0.

    >>> fp_min(float("nan"), 1.0), fp_min(0.0, -0.0)
    (1.0, -0.0)
    """
    a, b = _several("fp.min", x, y)
    both_zero = and_(FP_IS_ZERO(a), FP_IS_ZERO(b))
    return external(ite(both_zero, ite(FP_IS_NEGATIVE(a), a, b), FP_MIN(a, b)))


def fp_max(x: Any, y: Any) -> Any:
    """The larger float, a number before NaN, 0.0 before -0.0.

    >>> fp_max(float("nan"), 1.0), fp_max(-0.0, 0.0)
    (1.0, 0.0)
    """
    a, b = _several("fp.max", x, y)
    both_zero = and_(FP_IS_ZERO(a), FP_IS_ZERO(b))
    return external(ite(both_zero, ite(FP_IS_NEGATIVE(a), b, a), FP_MAX(a, b)))


def fp_eq(x: Any, y: Any) -> Any:
    """IEEE's comparison, as `==` on Python floats.

    >>> fp_eq(0.0, -0.0), fp_eq(float("nan"), float("nan"))
    (True, False)
    """
    return FP_EQ(*_several("fp.eq", x, y))


def is_nan(x: Any) -> Any:
    """Whether a float is not a number.

    >>> from solvent.terms import Float
    >>> is_nan(-abs(Float("x"))), is_nan(1.0)
    (is_nan(x), False)
    """
    return FP_IS_NAN(_one(x))


def is_infinite(x: Any) -> Any:
    """Whether a float is an infinity."""
    return FP_IS_INFINITE(_one(x))


def is_finite(x: Any) -> Any:
    """Whether a float is neither NaN nor an infinity."""
    x = _one(x)
    return not_(or_(FP_IS_NAN(x), FP_IS_INFINITE(x)))


def is_zero(x: Any) -> Any:
    """Whether a float is 0.0 or -0.0."""
    return FP_IS_ZERO(_one(x))


def is_normal(x: Any) -> Any:
    """Whether a float is finite and has a full significand."""
    return FP_IS_NORMAL(_one(x))


def is_subnormal(x: Any) -> Any:
    """Whether a float is so small that bits of its significand are lost; zero is not."""
    return FP_IS_SUBNORMAL(_one(x))


def is_negative(x: Any) -> Any:
    """Whether a float has a minus sign; NaN has no sign.

    >>> is_negative(-0.0), is_negative(float("nan"))
    (True, False)
    """
    return FP_IS_NEGATIVE(_one(x))


def is_positive(x: Any) -> Any:
    """Whether a float has a plus sign; NaN has no sign."""
    return FP_IS_POSITIVE(_one(x))
