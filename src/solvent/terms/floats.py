"""IEEE 754 floats: all operators of SMT-LIB's theory, Python's `float` on top, and their rules.

`Float64` is Python's `float`: `+ - * / // %`, comparisons, `round` and `math.floor` mean what they
mean there.  `==` is IEEE's comparison (NaN equals nothing, the zeros are equal), while `eq` is
the logical equality of SMT-LIB, which tells the zeros apart.  Comparisons with integers and
fractions are exact, as Python's are.

Inside terms every concrete float is an `FP`; users are given Python floats for `Float64`
(`external`).

*Rounding modes are concrete.*  An operator that rounds is a family whose first parameter is its
`RoundingMode`, and a conversion to floats has the target sort as its last parameter.  The mode is
an argument in SMT-LIB; it is part of `Op.smt`, so that `(` + `op.smt` + ` ` + arguments + `)` is
always an application in SMT-LIB: `fp.add RNE`, `(_ to_fp 8 24) RTZ`, `(_ fp.to_sbv 32) RTZ`.

*Partial functions have one meaning.*  Where SMT-LIB leaves a result open (converting NaN or a
number that does not fit to a bitvector, an infinity to a real number, the smaller of the two
zeros) the public functions put a guard around the operator, so that every solver's model agrees
with evaluation.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

from solvent.errors import SortError
from solvent.terms import softfloat as soft
from solvent.terms.arithmetic import ADD, LE, MUL, NEG, compare_choice, complement, operand_sort
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import ITE, BoolTerm, and_, eq, ite, not_, or_, xor
from solvent.terms.integers import IntTerm
from solvent.terms.ops import Op
from solvent.terms.printing import register_function, register_infix, register_prefix
from solvent.terms.reals import RealTerm
from solvent.terms.rules import rule
from solvent.terms.softfloat import FP, RNA, RNE, RTN, RTP, RTZ, RoundingMode
from solvent.terms.sorts import (
    TERM_CLASSES,
    Bool,
    FloatFamily,
    FloatSort,
    Real,
    Sort,
    as_sort,
    bitvec_sort,
    describe,
    float_sort,
)
from solvent.terms.term import Term, lookup, node, rewritten
from solvent.terms.values import BV, make_bv, sort_of

Float16 = float_sort(5, 11)
Float32 = float_sort(8, 24)
Float64 = float_sort(11, 53)


def external(value: Any) -> Any:
    """The value as users see it: a concrete `Float64` is a Python float.

    >>> external(soft.from_python(1.5)), external(3)
    (1.5, 3)
    """
    if value.__class__ is FP and value.sort is Float64:
        return soft.to_python(value)
    return value


# --- operators ---------------------------------------------------------------------------------


def _fits(number: int, width: int, signed: bool) -> bool:
    return _least(width, signed) <= number <= _largest(width, signed)


def _least(width: int, signed: bool) -> int:
    return -(1 << (width - 1)) if signed else 0


def _largest(width: int, signed: bool) -> int:
    return (1 << (width - signed)) - 1


def _to_bv(signed: bool) -> Callable[[RoundingMode, int, FP], BV]:
    def fold(rm: RoundingMode, width: int, a: FP) -> BV:
        sort = bitvec_sort(width)
        number = soft.round_to_integer(rm, a) if soft.is_finite(a) else 0
        return make_bv(number & sort.mask if _fits(number, width, signed) else 0, sort)

    return fold


def _rounded_sort(rm: RoundingMode, *args: Any) -> Sort[Any]:
    return operand_sort(*args)


def _truth(*_: Any) -> Sort[Any]:
    return Bool


def _rounded(name: str, fold: Callable[..., FP]) -> Op:
    """A family of operators by their rounding mode."""
    return Op(name, fold, _rounded_sort, lambda rm: f"{name} {rm}")


def _conversion(name: str, smt: str, fold: Callable[..., FP]) -> Op:
    """A family of rounding conversions to floats, by rounding mode and sort."""
    return Op(
        name,
        fold,
        lambda rm, sort, a: sort,
        lambda rm, sort: f"(_ {smt} {sort.ebits} {sort.sbits}) {rm}",
    )


FP_ADD = _rounded("fp.add", soft.add)
FP_SUB = _rounded("fp.sub", soft.sub)
FP_MUL = _rounded("fp.mul", soft.mul)
FP_DIV = _rounded("fp.div", soft.div)
FP_FMA = _rounded("fp.fma", soft.fma)
FP_SQRT = _rounded("fp.sqrt", soft.sqrt)
FP_ROUND_TO_INTEGRAL = _rounded("fp.roundToIntegral", soft.round_to_integral)
FP_REM = Op("fp.rem", soft.rem, operand_sort)
FP_MIN = Op("fp.min", soft.minimum, operand_sort)
FP_MAX = Op("fp.max", soft.maximum, operand_sort)
FP_NEG = Op("fp.neg", soft.neg, operand_sort)
FP_ABS = Op("fp.abs", soft.absolute, operand_sort)
FP_LEQ = Op("fp.leq", soft.leq, _truth)
FP_LT = Op("fp.lt", soft.lt, _truth)
FP_EQ = Op("fp.eq", soft.ieee_eq, _truth)
FP_IS_NORMAL = Op("fp.isNormal", soft.is_normal, _truth)
FP_IS_SUBNORMAL = Op("fp.isSubnormal", soft.is_subnormal, _truth)
FP_IS_ZERO = Op("fp.isZero", soft.is_zero, _truth)
FP_IS_INFINITE = Op("fp.isInfinite", soft.is_infinite, _truth)
FP_IS_NAN = Op("fp.isNaN", soft.is_nan, _truth)
FP_IS_NEGATIVE = Op("fp.isNegative", soft.is_negative, _truth)
FP_IS_POSITIVE = Op("fp.isPositive", soft.is_positive, _truth)
TO_FP_FROM_BITS = Op(
    "to_fp_from_bits",
    lambda sort, a: soft.from_bits(sort, a.value),
    lambda sort, a: sort,
    lambda sort: f"(_ to_fp {sort.ebits} {sort.sbits})",
)
TO_FP_FROM_FLOAT = _conversion("to_fp_from_float", "to_fp", soft.convert)
TO_FP_FROM_REAL = _conversion("to_fp_from_real", "to_fp", soft.from_fraction)
TO_FP_FROM_SIGNED = _conversion(
    "to_fp_from_signed", "to_fp", lambda rm, sort, a: soft.from_fraction(rm, sort, a.signed)
)
TO_FP_FROM_UNSIGNED = _conversion(
    "to_fp_unsigned", "to_fp_unsigned", lambda rm, sort, a: soft.from_fraction(rm, sort, a.value)
)
FP_TO_UBV = Op(
    "fp.to_ubv",
    _to_bv(signed=False),
    lambda rm, width, a: bitvec_sort(width),
    lambda rm, width: f"(_ fp.to_ubv {width}) {rm}",
)
FP_TO_SBV = Op(
    "fp.to_sbv",
    _to_bv(signed=True),
    lambda rm, width, a: bitvec_sort(width),
    lambda rm, width: f"(_ fp.to_sbv {width}) {rm}",
)
FP_TO_REAL = Op(
    "fp.to_real",
    lambda a: soft.to_fraction(a) if soft.is_finite(a) else Fraction(0),
    lambda a: Real,
)


def _constructor(family: Op, parameters: int = 0, commutative: bool = False) -> None:
    """Give an operator its constructor; the operands begin with that many parameters."""

    def construct(*operands: Any) -> Any:
        params, args = operands[:parameters], operands[parameters:]
        if commutative:
            args = _ordered(*args)
        op = family.at(*params) if parameters else family
        term = lookup((op, *args))
        if term is not None:
            return term
        result = _rewrite(family, params, args, commutative)
        if result is not None:
            return result
        sort = family.result(*operands)
        return node(sort.term_class, op, sort, *args)

    family.construct = construct


def _ordered(a: Any, b: Any) -> tuple[Any, Any]:
    """The operands by age, a concrete one last, so that both orders give one term."""
    if isinstance(b, Term) and (not isinstance(a, Term) or b.id < a.id):
        return b, a
    return a, b


def _rewrite(
    family: Op, params: tuple[Any, ...], args: tuple[Any, ...], commutative: bool
) -> Any:
    """What the rules that the shape of the operands triggers make of them, or None."""
    first, last = args[0], args[-1]
    if len(args) == 1:
        tables = [(family.constant_rules.get(None), args), (family.rules.get(last.op.base), args)]
    elif not isinstance(last, Term):
        heads = (None, first.op.base) if isinstance(first, Term) else (None,)
        tables = [(family.constant_rules.get(head), args) for head in heads]
    elif not isinstance(first, Term):
        tables = [(family.left_constant_rules.get(head), args) for head in (None, last.op.base)]
    else:
        tables = [
            (family.same_rules if first is last else None, args),
            (family.rules.get(first.op.base), args),
            (family.right_rules.get(last.op.base), args),
        ]
        if commutative:
            tables.append((family.rules.get(last.op.base), (last, first)))
    for rules, operands in tables:
        if rules:
            result = rewritten(rules, *params, *operands)
            if result is not None:
                return result
    return None


CLASSES = (
    FP_IS_NORMAL,
    FP_IS_SUBNORMAL,
    FP_IS_ZERO,
    FP_IS_INFINITE,
    FP_IS_NAN,
    FP_IS_NEGATIVE,
    FP_IS_POSITIVE,
)

for _family in (FP_ADD, FP_MUL):
    _constructor(_family, parameters=1, commutative=True)
for _family in (FP_SUB, FP_DIV, FP_FMA, FP_SQRT, FP_ROUND_TO_INTEGRAL, TO_FP_FROM_BITS):
    _constructor(_family, parameters=1)
for _family in (FP_REM, FP_MIN, FP_MAX, FP_NEG, FP_ABS, FP_LEQ, FP_LT, FP_TO_REAL, *CLASSES):
    _constructor(_family)
for _family in (
    TO_FP_FROM_FLOAT,
    TO_FP_FROM_REAL,
    TO_FP_FROM_SIGNED,
    TO_FP_FROM_UNSIGNED,
    FP_TO_UBV,
    FP_TO_SBV,
):
    _constructor(_family, parameters=2)
_constructor(FP_EQ, commutative=True)

# What Python's operators use.
_ADD, _SUB, _MUL, _DIV = (family.at(RNE) for family in (FP_ADD, FP_SUB, FP_MUL, FP_DIV))

register_infix(_ADD, "+", like=ADD)
register_infix(_SUB, "-", like=ADD)
register_infix(_MUL, "*", like=MUL)
register_infix(_DIV, "/", like=MUL)
register_infix(FP_LT, "<", like=LE)
register_infix(FP_LEQ, "<=", like=LE)
register_infix(FP_EQ, "==", like=LE, complement="!=")
register_prefix(FP_NEG, "-", like=NEG)
for _family, _name in {
    FP_ADD: "fp_add",
    FP_SUB: "fp_sub",
    FP_MUL: "fp_mul",
    FP_DIV: "fp_div",
    FP_FMA: "fma",
    FP_SQRT: "sqrt",
    FP_ROUND_TO_INTEGRAL: "round_to_integral",
    FP_REM: "fp_rem",
    FP_MIN: "fp_min",
    FP_MAX: "fp_max",
    FP_ABS: "abs",
    FP_IS_NORMAL: "is_normal",
    FP_IS_SUBNORMAL: "is_subnormal",
    FP_IS_ZERO: "is_zero",
    FP_IS_INFINITE: "is_infinite",
    FP_IS_NAN: "is_nan",
    FP_IS_NEGATIVE: "is_negative",
    FP_IS_POSITIVE: "is_positive",
    TO_FP_FROM_BITS: "float_from_bits",
    TO_FP_FROM_FLOAT: "to_float",
    TO_FP_FROM_REAL: "to_float",
    TO_FP_FROM_SIGNED: "signed_to_float",
    TO_FP_FROM_UNSIGNED: "bv_to_float",
    FP_TO_UBV: "fp_to_ubv",
    FP_TO_SBV: "fp_to_sbv",
    FP_TO_REAL: "float_to_real",
}.items():
    register_function(_family, _name)


# --- Python's float ----------------------------------------------------------------------------


class FloatTerm(Term):
    """A symbolic float, used like a `float`.

    A concrete zero divisor raises as in Python; a symbolic one follows IEEE 754.  The functions
    that give integers (`round`, `math.floor`, ...) give 0 for NaN and the infinities, for which
    Python raises.

    >>> from solvent.terms import Float
    >>> x, y = Float("x"), Float("y")
    >>> x + 1, -x * 2.5 < y, x == x
    (x + 1.0, x * -2.5 < y, not is_nan(x))
    """

    __slots__ = ()
    __hash__ = object.__hash__

    sort: FloatSort

    def __add__(self, other: Any) -> Any:
        return _arithmetic(_ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _arithmetic(_ADD, self, other, reflected=True)

    def __sub__(self, other: Any) -> Any:
        return _arithmetic(_SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _arithmetic(_SUB, self, other, reflected=True)

    def __mul__(self, other: Any) -> Any:
        return _arithmetic(_MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _arithmetic(_MUL, self, other, reflected=True)

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
    return _DIV(a, b)


def _zero_signed(sort: FloatSort, negative: Any) -> Any:
    return ite(negative, soft.zero(sort, negative=True), soft.zero(sort))


def _truncated_rest(a: Any, b: Any) -> Any:
    """C's `fmod`: a - b * n for a / b truncated to n; exact, with the sign of a."""
    divisor = FP_ABS(b)
    rest = FP_REM(FP_ABS(a), divisor)
    # The remainder of IEEE rounds the quotient to nearest; where that was up, go back one step.
    rest = ite(FP_LT(rest, soft.zero(a.sort)), _ADD(rest, divisor), rest)
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
        ite(signs_differ, _ADD(rest, b), rest),
    )


def _python_floordiv(a: Any, b: Any) -> Any:
    """Python's `a // b`, step by step as CPython computes it; NaN for a symbolic zero divisor."""
    if isinstance(b, FP) and soft.is_zero(b):
        raise ZeroDivisionError("float floor division by zero")
    sort = a.sort
    zero = soft.zero(sort)
    one, half = (soft.from_fraction(RNE, sort, Fraction(1, d)) for d in (1, 2))
    rest = _truncated_rest(a, b)
    quotient = _DIV(_SUB(a, rest), b)
    signs_differ = xor(FP_LT(b, zero), FP_LT(rest, zero))
    adjust = and_(not_(FP_IS_ZERO(rest)), signs_differ)
    quotient = ite(adjust, _SUB(quotient, one), quotient)
    below = FP_ROUND_TO_INTEGRAL.at(RTN)(quotient)
    nearest = ite(FP_LT(half, _SUB(quotient, below)), _ADD(below, one), below)
    sign = xor(FP_IS_NEGATIVE(a), FP_IS_NEGATIVE(b))
    return ite(FP_IS_ZERO(quotient), _zero_signed(sort, sign), nearest)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<=": operator.le,
    "=": operator.eq,
}


def promoted(symbol: str, a: Any, b: Any) -> Any:
    """An operator of Python between a symbolic Int, Real or Bool and a concrete float.

    As in Python the number becomes a float, but a comparison is exact.  Anything else is not
    implemented here.

    >>> from solvent.terms import Int
    >>> promoted("+", Int("i"), 0.5), promoted("<=", Int("i"), 2.5)
    (to_float(to_real(i)) + 0.5, i <= 2)
    """
    function = _OPERATORS.get(symbol)
    is_first = isinstance(a, (float, FP))
    value, number = (a, b) if is_first else (b, a)
    if (
        function is None
        or not isinstance(value, (float, FP))
        or not isinstance(number, (IntTerm, RealTerm, BoolTerm))
    ):
        return NotImplemented
    if symbol in ("=", "<="):
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


def _float_sort(sort: FloatSort | FloatFamily) -> FloatSort:
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
    sort: FloatSort | FloatFamily = Float64,
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


def to_float(
    value: Any, sort: FloatSort | FloatFamily = Float64, rm: RoundingMode = RNE
) -> Any:
    """A number or a float of another sort as a float, rounded.

    As in Python, a concrete integer or fraction that is too large for `Float64` is an
    OverflowError; a symbolic one becomes an infinity.

    >>> from solvent.terms import Float, Int
    >>> to_float(3), to_float(Int("i")), to_float(Float("x"), Float32)
    (3.0, to_float(to_real(i)), to_float(x, Float32))
    """
    target = _float_sort(sort)
    if isinstance(value, FloatTerm):
        return external(TO_FP_FROM_FLOAT.at(rm, target)(value))
    if isinstance(value, (float, FP)):
        return external(soft.from_number(rm, target, value))
    number = Real.coerce(value)
    if number is NotImplemented:
        advice = "; use bv_to_float or float_from_bits" if isinstance(value, (BitVecTerm, BV)) else ""
        raise SortError(f"{describe(value)} is not a number{advice}")
    if isinstance(number, Fraction) and target is Float64 and rm is RNE:
        return float(number)
    return external(TO_FP_FROM_REAL.at(rm, target)(number))


def float_to_real(x: Any) -> Any:
    """A float as a real number, exactly.

    NaN and the infinities are 0 where they are symbolic, and raise as in Python where concrete.

    >>> from solvent.terms import Float
    >>> float_to_real(0.75), float_to_real(Float("x"))
    (Fraction(3, 4), ite(is_finite(x), float_to_real(x), 0))
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


def float_from_bits(bits: Any, sort: FloatSort | FloatFamily = Float64) -> Any:
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


def bv_to_float(
    bits: Any,
    sort: FloatSort | FloatFamily = Float64,
    signed: bool = False,
    rm: RoundingMode = RNE,
) -> Any:
    """The number that a bitvector stands for as a float.

    >>> from solvent.terms import bv
    >>> bv_to_float(bv(255, 8)), bv_to_float(bv(255, 8), signed=True)
    (255.0, -1.0)
    """
    if not isinstance(bits, (BitVecTerm, BV)):
        raise SortError(f"a bitvector is needed, not {describe(bits)}")
    family = TO_FP_FROM_SIGNED if signed else TO_FP_FROM_UNSIGNED
    return external(family.at(rm, _float_sort(sort))(bits))


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
    if not isinstance(x, Term):
        return result
    return ite(_rounds_into(x, rm, _least(width, signed), _largest(width, signed)), result, nothing)


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


# --- rules: arithmetic -------------------------------------------------------------------------

FLOATS = ("Float",)


def _one_of(sort: FloatSort) -> FP:
    return soft.from_fraction(RNE, sort, 1)


@rule(FP_NEG, "--x = x", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
def neg_neg(x: Any) -> Any:
    return x.key[1]


@rule(FP_ABS, "abs(-x) = abs(x)", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
def abs_neg(x: Any) -> Any:
    return FP_ABS(x.key[1])


@rule(FP_ABS, "abs(abs(x)) = abs(x)", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS)
def abs_abs(x: Any) -> Any:
    return x


@rule(
    FP_NEG,
    "-ite(p, c, d) = ite(p, -c, -d)",
    lambda p, c, d: (ite(p, c, d),),
    on=ITE,
    theories=FLOATS,
)
def neg_choice(x: Any) -> Any:
    return _over_choice(FP_NEG, x)


@rule(
    FP_ABS,
    "abs(ite(p, c, d)) = ite(p, abs(c), abs(d))",
    lambda p, c, d: (ite(p, c, d),),
    on=ITE,
    theories=FLOATS,
)
def abs_choice(x: Any) -> Any:
    return _over_choice(FP_ABS, x)


def _over_choice(op: Op, choice: Any) -> Any:
    """The operator applied to both sides of a choice between constants."""
    _, test, c, d = choice.key
    if isinstance(c, Term) or isinstance(d, Term):
        return None
    return ite(test, op.fold(c), op.fold(d))


@rule(
    FP_ADD,
    "x + -0.0 = x; when rounding down, x + 0.0 = x",
    lambda x, m: (m, x, soft.zero(x.sort, negative=m is not RTN)),
    constant=True,
    theories=FLOATS,
)
def add_zero(rm: RoundingMode, x: Any, c: FP) -> Any:
    return x if soft.is_zero(c) and c.negative == (rm is not RTN) else None


@rule(
    FP_ADD,
    "x + nan = nan",
    lambda x, m: (m, x, soft.nan(x.sort)),
    constant=True,
    theories=FLOATS,
)
@rule(
    FP_MUL,
    "x * nan = nan",
    lambda x, m: (m, x, soft.nan(x.sort)),
    constant=True,
    theories=FLOATS,
)
@rule(
    FP_DIV,
    "x / nan = nan",
    lambda x, m: (m, x, soft.nan(x.sort)),
    constant=True,
    theories=FLOATS,
)
def nan_operand(rm: RoundingMode, x: Any, c: FP) -> Any:
    return c if soft.is_nan(c) else None


@rule(FP_ADD, "-x + y = y - x", lambda x, y, m: (m, -x, y), on=FP_NEG, theories=FLOATS)
def add_negative(rm: RoundingMode, negative: Any, y: Any) -> Any:
    return FP_SUB.at(rm)(y, negative.key[1])


@rule(
    FP_ADD,
    "-x + c = c - x",
    lambda x, c, m: (m, -x, c),
    on=FP_NEG,
    constant=True,
    theories=FLOATS,
)
def add_negative_constant(rm: RoundingMode, negative: Any, c: FP) -> Any:
    return FP_SUB.at(rm)(c, negative.key[1])


@rule(FP_SUB, "x - c = x + -c", lambda x, c, m: (m, x, c), constant=True, theories=FLOATS)
def sub_constant(rm: RoundingMode, x: Any, c: FP) -> Any:
    return FP_ADD.at(rm)(x, soft.neg(c))


@rule(FP_SUB, "x - -y = x + y", lambda x, y, m: (m, x, -y), right=FP_NEG, theories=FLOATS)
def sub_negative(rm: RoundingMode, x: Any, negative: Any) -> Any:
    return FP_ADD.at(rm)(x, negative.key[1])


@rule(
    FP_MUL,
    "x * 1.0 = x, x * -1.0 = -x",
    lambda x, u, m: (m, x, u),
    constant=True,
    theories=FLOATS,
)
@rule(
    FP_DIV,
    "x / 1.0 = x, x / -1.0 = -x",
    lambda x, u, m: (m, x, u),
    constant=True,
    theories=FLOATS,
)
def unit_operand(rm: RoundingMode, x: Any, c: FP) -> Any:
    if soft.absolute(c) != _one_of(c.sort):
        return None
    return FP_NEG(x) if c.negative else x


@rule(
    FP_MUL,
    "-x * c = x * -c",
    lambda x, c, m: (m, -x, c),
    on=FP_NEG,
    constant=True,
    theories=FLOATS,
)
def mul_negative_constant(rm: RoundingMode, negative: Any, c: FP) -> Any:
    return FP_MUL.at(rm)(negative.key[1], soft.neg(c))


@rule(FP_MUL, "-x * -y = x * y", lambda x, y, m: (m, -x, -y), on=FP_NEG, theories=FLOATS)
def mul_negatives(rm: RoundingMode, negative: Any, other: Any) -> Any:
    return FP_MUL.at(rm)(negative.key[1], other.key[1]) if other.op is FP_NEG else None


@rule(
    FP_DIV,
    "x / 2**k = x * 2**-k",
    lambda x, m: (m, x, soft.from_fraction(RNE, x.sort, 2)),
    constant=True,
    theories=FLOATS,
)
def div_power_of_two(rm: RoundingMode, x: Any, c: FP) -> Any:
    if not soft.is_finite(c) or soft.is_zero(c):
        return None
    inverse = soft.div(RTZ, _one_of(c.sort), c)
    # A rounded inverse times c is not 1.
    exact = soft.is_finite(inverse) and soft.to_fraction(inverse) * soft.to_fraction(c) == 1
    return FP_MUL.at(rm)(x, inverse) if exact else None


@rule(
    FP_ADD,
    "ite(p, c, d) + e = ite(p, c + e, d + e)",
    lambda p, c, d, e, m: (m, ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def add_to_choice(rm: RoundingMode, choice: Any, e: FP) -> Any:
    return _choice_with(FP_ADD.at(rm), choice, e)


@rule(
    FP_MUL,
    "ite(p, c, d) * e = ite(p, c * e, d * e)",
    lambda p, c, d, e, m: (m, ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def mul_choice(rm: RoundingMode, choice: Any, e: FP) -> Any:
    return _choice_with(FP_MUL.at(rm), choice, e)


def _choice_with(op: Op, choice: Any, e: FP) -> Any:
    _, test, c, d = choice.key
    if isinstance(c, Term) or isinstance(d, Term):
        return None
    return ite(test, op.fold(c, e), op.fold(d, e))


@rule(
    FP_ROUND_TO_INTEGRAL,
    "an integer stays",
    lambda x, m: (m, round_to_integral(x)),
    on=FP_ROUND_TO_INTEGRAL,
    theories=FLOATS,
)
def round_integral(rm: RoundingMode, x: Any) -> Any:
    return x


# --- rules: order ------------------------------------------------------------------------------


@rule(FP_LT, "x < x = False", lambda x: (x, x), same=True, theories=FLOATS)
def lt_same(x: Any, _: Any) -> Any:
    return False


@rule(FP_LEQ, "x <= x = not is_nan(x)", lambda x: (x, x), same=True, theories=FLOATS)
@rule(FP_EQ, "(x == x) = not is_nan(x)", lambda x: (x, x), same=True, theories=FLOATS)
def compare_same(x: Any, _: Any) -> Any:
    return not_(FP_IS_NAN(x))


@rule(
    FP_LT,
    "x < nan = False, x < -inf = False, x < -0.0 = x < 0.0",
    lambda x, u: (x, u),
    constant=True,
    theories=FLOATS,
)
def lt_constant(x: Any, c: FP) -> Any:
    if soft.is_nan(c) or c == soft.infinity(c.sort, negative=True):
        return False
    return FP_LT(x, soft.neg(c)) if soft.is_zero(c) and c.negative else None


@rule(
    FP_LT,
    "nan < x = False, inf < x = False, -0.0 < x = 0.0 < x",
    lambda x, u: (u, x),
    left_constant=True,
    theories=FLOATS,
)
def lt_constant_left(c: FP, x: Any) -> Any:
    if soft.is_nan(c) or c == soft.infinity(c.sort):
        return False
    return FP_LT(soft.neg(c), x) if soft.is_zero(c) and c.negative else None


@rule(
    FP_LEQ,
    "x <= nan = False, x <= inf = not is_nan(x), x <= -inf = (x == -inf), x <= -0.0 = x <= 0.0",
    lambda x, u: (x, u),
    constant=True,
    theories=FLOATS,
)
def leq_constant(x: Any, c: FP) -> Any:
    if soft.is_nan(c):
        return False
    if soft.is_infinite(c):
        return eq(x, c) if c.negative else not_(FP_IS_NAN(x))
    return FP_LEQ(x, soft.neg(c)) if soft.is_zero(c) and c.negative else None


@rule(
    FP_LEQ,
    "nan <= x = False, -inf <= x = not is_nan(x), inf <= x = (x == inf), -0.0 <= x = 0.0 <= x",
    lambda x, u: (u, x),
    left_constant=True,
    theories=FLOATS,
)
def leq_constant_left(c: FP, x: Any) -> Any:
    if soft.is_nan(c):
        return False
    if soft.is_infinite(c):
        return not_(FP_IS_NAN(x)) if c.negative else eq(x, c)
    return FP_LEQ(soft.neg(c), x) if soft.is_zero(c) and c.negative else None


@rule(
    FP_EQ,
    "(x == nan) = False, (x == 0.0) = is_zero(x), else the comparison is logical equality",
    lambda x, u: (x, u),
    constant=True,
    theories=FLOATS,
)
def eq_constant(x: Any, c: FP) -> Any:
    if soft.is_nan(c):
        return False
    return FP_IS_ZERO(x) if soft.is_zero(c) else eq(x, c)


@rule(
    FP_LT,
    "ite(p, c, d) < e = ite(p, c < e, d < e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def lt_choice(choice: Any, e: FP) -> Any:
    return compare_choice(FP_LT, choice, e, choice_first=True)


@rule(
    FP_LT,
    "e < ite(p, c, d) = ite(p, e < c, e < d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=FLOATS,
)
def lt_choice_right(e: FP, choice: Any) -> Any:
    return compare_choice(FP_LT, choice, e, choice_first=False)


@rule(
    FP_LEQ,
    "ite(p, c, d) <= e = ite(p, c <= e, d <= e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def leq_choice(choice: Any, e: FP) -> Any:
    return compare_choice(FP_LEQ, choice, e, choice_first=True)


@rule(
    FP_LEQ,
    "e <= ite(p, c, d) = ite(p, e <= c, e <= d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=FLOATS,
)
def leq_choice_right(e: FP, choice: Any) -> Any:
    return compare_choice(FP_LEQ, choice, e, choice_first=False)


# --- rules: classes ----------------------------------------------------------------------------


def _class_rules(family: Op) -> None:
    """What a class of floats is for a choice between constants."""

    @rule(
        family,
        f"{family}(ite(p, c, d)) = ite(p, {family}(c), {family}(d))",
        lambda p, u, d: (ite(p, u, d),),
        on=ITE,
        theories=FLOATS,
    )
    def class_of_choice(choice: Any) -> Any:
        return _over_choice(family, choice)


def _unsigned_class_rules(family: Op) -> None:
    """A class that does not depend on the sign."""

    @rule(family, f"{family}(-x) = {family}(x)", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
    @rule(family, f"{family}(abs(x)) = {family}(x)", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS)
    def class_without_sign(x: Any) -> Any:
        return family(x.key[1])


for _family in CLASSES:
    _class_rules(_family)
    if _family not in (FP_IS_NEGATIVE, FP_IS_POSITIVE):
        _unsigned_class_rules(_family)


@rule(
    FP_IS_NEGATIVE,
    "is_negative(-x) = is_positive(x)",
    lambda x: (-x,),
    on=FP_NEG,
    theories=FLOATS,
)
def negative_of_neg(x: Any) -> Any:
    return FP_IS_POSITIVE(x.key[1])


@rule(
    FP_IS_POSITIVE,
    "is_positive(-x) = is_negative(x)",
    lambda x: (-x,),
    on=FP_NEG,
    theories=FLOATS,
)
def positive_of_neg(x: Any) -> Any:
    return FP_IS_NEGATIVE(x.key[1])


@rule(
    FP_IS_NEGATIVE, "is_negative(abs(x)) = False", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS
)
def negative_of_abs(x: Any) -> Any:
    return False


@rule(
    FP_IS_POSITIVE,
    "is_positive(abs(x)) = not is_nan(x)",
    lambda x: (abs(x),),
    on=FP_ABS,
    theories=FLOATS,
)
def positive_of_abs(x: Any) -> Any:
    return not_(FP_IS_NAN(x.key[1]))


@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (bv_to_float(_example_bits(), x.sort, signed=True, rm=m),),
    on=TO_FP_FROM_SIGNED,
    theories=FLOATS,
)
@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (bv_to_float(_example_bits(), x.sort, rm=m),),
    on=TO_FP_FROM_UNSIGNED,
    theories=FLOATS,
)
@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (to_float(Real("r"), x.sort, m),),
    on=TO_FP_FROM_REAL,
    theories=FLOATS,
)
def number_is_not_nan(x: Any) -> Any:
    return False


def _example_bits() -> BitVecTerm:
    return bitvec_sort(5)("b")


# --- rules: conversions ------------------------------------------------------------------------


@rule(
    TO_FP_FROM_FLOAT,
    "to_float(x, its own sort) = x",
    lambda x, m: (m, x.sort, x),
    constant=True,
    theories=FLOATS,
)
def convert_to_same(rm: RoundingMode, sort: FloatSort, x: Any) -> Any:
    return x if x.sort is sort else None


@rule(
    TO_FP_FROM_FLOAT,
    "to_float(to_float(x, wider), sort) = to_float(x, sort)",
    lambda x, m: (m, x.sort, to_float(x, float_sort(x.sort.ebits + 1, x.sort.sbits + 1))),
    on=TO_FP_FROM_FLOAT,
    theories=FLOATS,
)
def convert_twice(rm: RoundingMode, sort: FloatSort, x: Any) -> Any:
    inner = x.key[1]
    is_exact = x.sort.ebits >= inner.sort.ebits and x.sort.sbits >= inner.sort.sbits
    return TO_FP_FROM_FLOAT.at(rm, sort)(inner) if is_exact else None
