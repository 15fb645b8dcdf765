"""IEEE 754 floats with the semantics of Python's `float`.

`Float64` is Python's `float`: `+ - * / // %`, comparisons, `round` and `math.floor` mean what they
mean there.  `==` is IEEE's comparison (NaN equals nothing, the zeros are equal), while `eq` is
the logical equality of SMT-LIB, which tells the zeros apart.  Comparisons with integers and
fractions are exact, as Python's are.

Inside terms every concrete float is an `FP`; users are given Python floats for `Float64`
(`external`).  Rounding modes are concrete.

The operators are in `float_ops`, their rules in `float_rules`, functions in `float_functions`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, overload

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
    FP_EQ,
    FP_IS_INFINITE,
    FP_IS_NAN,
    FP_IS_NEGATIVE,
    FP_IS_ZERO,
    FP_LEQ,
    FP_LT,
    FP_NEG,
    FP_REM,
    FP_ROUND_TO_INTEGRAL,
    FP_TO_REAL,
    MUL_RNE,
    SUB_RNE,
    TO_FP_FROM_FLOAT,
    TO_FP_FROM_REAL,
)
from solvent.terms.hooks import HOOKS, BinaryFunction
from solvent.terms.integers import IntTerm
from solvent.terms.operators import float_operator
from solvent.terms.reals import RealTerm
from solvent.terms.softfloat import FP, RNE, RTN, RTP, RoundingMode, external
from solvent.terms.sorts import (
    TERM_CLASSES,
    FloatSort,
    Real,
    Sort,
    SortLike,
    as_sort,
    describe,
    float_sort,
)
from solvent.terms.term import Term
from solvent.terms.values import BV, sort_of

if TYPE_CHECKING:
    from solvent.terms.kinds import (
        Datum,
        Floating,
        FloatLike,
        Guard,
        Integer,
        Number,
        Numeric,
        Rational,
        RealLike,
    )

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

    def __add__(self, other: FloatLike) -> Floating:
        return _arithmetic(ADD_RNE, self, other)

    def __sub__(self, other: FloatLike) -> Floating:
        return _arithmetic(SUB_RNE, self, other)

    def __mul__(self, other: FloatLike) -> Floating:
        return _arithmetic(MUL_RNE, self, other)

    def __truediv__(self, other: FloatLike) -> Floating:
        return _arithmetic(_python_div, self, other)

    def __floordiv__(self, other: FloatLike) -> Floating:
        return _arithmetic(_python_floordiv, self, other)

    def __mod__(self, other: FloatLike) -> Floating:
        return _arithmetic(_python_mod, self, other)

    __radd__ = float_operator(lambda self, other: _arithmetic(ADD_RNE, self, other, True))
    __rsub__ = float_operator(lambda self, other: _arithmetic(SUB_RNE, self, other, True))
    __rmul__ = float_operator(lambda self, other: _arithmetic(MUL_RNE, self, other, True))
    __rtruediv__ = float_operator(lambda self, other: _arithmetic(_python_div, self, other, True))
    __rfloordiv__ = float_operator(
        lambda self, other: _arithmetic(_python_floordiv, self, other, True)
    )
    __rmod__ = float_operator(lambda self, other: _arithmetic(_python_mod, self, other, True))

    def __divmod__(self, other: FloatLike) -> tuple[Floating, Floating]:
        return self // other, self % other

    def __rdivmod__(self, other: FloatLike) -> tuple[Floating, Floating]:
        return other // self, other % self

    def __pow__(self, exponent: object) -> NoReturn:
        _refuse_power(self, exponent)

    def __rpow__(self, base: object) -> NoReturn:
        _refuse_power(base, self)

    def __neg__(self) -> Floating:
        return external(FP_NEG(self))

    def __pos__(self) -> FloatTerm:
        return self

    def __abs__(self) -> Floating:
        return external(FP_ABS(self))

    # A number n that is no float lies between two: x < n exactly if x is below the upper one.

    def __lt__(self, other: FloatLike) -> Guard:
        bound = _bound(self, other, RTP)
        return bound if bound is NotImplemented else FP_LT(self, bound)

    def __le__(self, other: FloatLike) -> Guard:
        bound = _bound(self, other, RTN)
        return bound if bound is NotImplemented else FP_LEQ(self, bound)

    def __gt__(self, other: FloatLike) -> Guard:
        bound = _bound(self, other, RTN)
        return bound if bound is NotImplemented else FP_LT(bound, self)

    def __ge__(self, other: FloatLike) -> Guard:
        bound = _bound(self, other, RTP)
        return bound if bound is NotImplemented else FP_LEQ(bound, self)

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        below, above = _bound(self, other, RTN), _bound(self, other, RTP)
        if below is NotImplemented:
            return NotImplemented
        if below is above:
            return FP_EQ(self, below)
        if isinstance(below, FP) and isinstance(above, FP):
            return FP_EQ(self, below) if below == above else False
        return and_(FP_LEQ(above, self), FP_LEQ(self, below))

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return complement(self.__eq__(other))

    @overload
    def __round__(self, digits: None = None) -> Integer: ...
    @overload
    def __round__(self, digits: int) -> Floating: ...

    def __round__(self, digits: int | None = None) -> Integer | Floating:
        if digits is None:
            return math.floor(float_to_real(round_to_integral(self)))
        if digits == 0:
            return round_to_integral(self)
        raise SortError(
            f"round({describe(self)}, {digits!r}) rounds in decimal, which floats cannot express; "
            "round a Real instead: round(float_to_real(x), n)"
        )

    def __trunc__(self) -> Integer:
        return math.trunc(float_to_real(self))

    def __floor__(self) -> Integer:
        return math.floor(float_to_real(self))

    def __ceil__(self) -> Integer:
        return math.ceil(float_to_real(self))


TERM_CLASSES[FloatSort] = FloatTerm
for _sort in (Float16, Float32, Float64):
    _sort.term_class = FloatTerm


def _coerce_float(sort: FloatSort, value: Any) -> Datum:
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


def _operand(self: FloatTerm, other: object) -> Datum:
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


def _bound(self: FloatTerm, other: object, rm: RoundingMode) -> Datum:
    """The other operand of a comparison: a number is rounded so that the comparison is exact."""
    if isinstance(other, (float, FP, FloatTerm)):
        return _operand(self, other)
    number = Real.coerce(other)
    if number is NotImplemented:
        return _operand(self, other)
    return TO_FP_FROM_REAL.at(rm, self.sort)(number)


def _arithmetic(
    function: Callable[[Datum, Datum], Datum],
    self: FloatTerm,
    other: FloatLike,
    reflected: bool = False,
) -> Floating:
    operand = _operand(self, other)
    if operand is NotImplemented:
        return operand
    return external(function(operand, self) if reflected else function(self, operand))


def _refuse_power(base: object, exponent: object) -> NoReturn:
    raise SortError(
        f"{describe(base)} ** {describe(exponent)}: a solver cannot round a power as the "
        "machine does; multiply instead"
    )


def _python_div(a: Datum, b: Datum) -> Datum:
    if isinstance(b, FP) and soft.is_zero(b):
        raise ZeroDivisionError("float division by zero")
    return DIV_RNE(a, b)


def _zero_signed(sort: FloatSort, negative: Guard) -> Datum:
    return ite(negative, soft.zero(sort, negative=True), soft.zero(sort))


def _truncated_rest(a: Datum, b: Datum) -> Datum:
    """C's `fmod`: a - b * n for a / b truncated to n; exact, with the sign of a."""
    divisor = FP_ABS(b)
    rest = FP_REM(FP_ABS(a), divisor)
    # The remainder of IEEE rounds the quotient to nearest; where that was up, go back one step.
    rest = ite(FP_LT(rest, soft.zero(a.sort)), ADD_RNE(rest, divisor), rest)
    return ite(FP_IS_NEGATIVE(a), FP_NEG(rest), rest)


def _python_mod(a: Datum, b: Datum) -> Datum:
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


def _python_floordiv(a: Datum, b: Datum) -> Datum:
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


def promoted(function: BinaryFunction, a: object, b: object) -> Any:
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


def _exactly(value: float | FP, number: RealLike) -> tuple[Number | float, Numeric]:
    """A concrete float and a number as operands of an exact comparison."""
    exact = value.number if isinstance(value, FP) else value
    if isinstance(exact, float) and not math.isfinite(exact):
        return exact, 0  # NaN and the infinities compare with every number as with zero
    return Fraction(exact), Real.coerce(number)


# --- conversions that the operators need ---------------------------------------------------------


def float_sort_of(sort: SortLike) -> FloatSort:
    """The sort of floats that an argument names."""
    result = as_sort(sort)
    if not isinstance(result, FloatSort):
        raise SortError(f"a sort of floats is needed, not {result}")
    return result


def float_of(value: FloatLike) -> Datum:
    """A float term or an `FP` for an argument; Python numbers are of `Float64`."""
    return value if isinstance(value, (FloatTerm, FP)) else Float64.require(value)


def to_float(value: FloatLike, sort: SortLike = Float64, rm: RoundingMode = RNE) -> Floating:
    """A number or a float of another sort as a float, rounded.

    As in Python, a concrete integer or fraction that is too large for `Float64` is an
    OverflowError; a symbolic one becomes an infinity.

    >>> from solvent.terms import Float, Int
    >>> to_float(3), to_float(Int("i")), to_float(Float("x"), Float32)
    (3.0, to_float(to_real(i), Float64), to_float(x, Float32))
    """
    target = float_sort_of(sort)
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


HOOKS.promoted = promoted
HOOKS.to_float = to_float


def float_to_real(x: FloatLike) -> Rational:
    """A float as a real number, exactly.

    NaN and the infinities are 0 where they are symbolic, and raise as in Python where concrete.

    >>> from solvent.terms import Float
    >>> float_to_real(0.75), float_to_real(Float("x"))
    (Fraction(3, 4), ite(is_nan(x) or is_infinite(x), 0, float_to_real(x)))
    """
    x = float_of(x)
    if isinstance(x, FP):
        return soft.to_fraction(x)
    return ite(is_finite(x), FP_TO_REAL(x), Fraction(0))


def round_to_integral(x: FloatLike, rm: RoundingMode = RNE) -> Floating:
    """The nearest integer as a float.

    >>> round_to_integral(2.5), round_to_integral(-0.5, RoundingMode.RTP)
    (2.0, -0.0)
    """
    return external(FP_ROUND_TO_INTEGRAL.at(rm)(float_of(x)))


def is_finite(x: FloatLike) -> Guard:
    """Whether a float is neither NaN nor an infinity."""
    x = float_of(x)
    return not_(or_(FP_IS_NAN(x), FP_IS_INFINITE(x)))
