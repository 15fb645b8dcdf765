"""The operators of IEEE 754 floats: SMT-LIB's theory, by its names.

An operator that rounds is a family whose first parameter is its `RoundingMode`, and a conversion
to floats has the target sort as its last parameter.  The mode is an argument in SMT-LIB; it is
part of `Op.smt`, so that `(` + `op.smt` + ` ` + arguments + `)` is always an application in
SMT-LIB: `fp.add RNE`, `(_ to_fp 8 24) RTZ`, `(_ fp.to_sbv 32) RTZ`.

Where SMT-LIB leaves a result open, `fold` gives 0 (or the zero of its choice), and the functions of
`solvent.terms.floats` see to it that no solver can give anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solvent.terms import softfloat as soft
from solvent.terms.arithmetic import ADD, LE, MUL, NEG, operand_sort
from solvent.terms.ops import Op
from solvent.terms.printing import register_function, register_infix, register_prefix
from solvent.terms.softfloat import FP, RNE, RoundingMode
from solvent.terms.sorts import Bool, Real, Sort, bitvec_sort
from solvent.terms.term import Term, lookup, node, rewritten
from solvent.terms.values import BV, make_bv

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Datum, Guard, Operand, Rational


def fits(number: int, width: int, signed: bool) -> bool:
    """Whether a bitvector of a width can stand for a number."""
    return least(width, signed) <= number <= largest(width, signed)


def least(width: int, signed: bool) -> int:
    """The smallest number that a bitvector stands for."""
    return -(1 << (width - 1)) if signed else 0


def largest(width: int, signed: bool) -> int:
    """The largest number that a bitvector stands for."""
    return (1 << (width - signed)) - 1


def _to_bv(signed: bool) -> Callable[[RoundingMode, int, FP], BV]:
    def fold(rm: RoundingMode, width: int, a: FP) -> BV:
        sort = bitvec_sort(width)
        number = soft.round_to_integer(rm, a) if soft.is_finite(a) else 0
        return make_bv(number & sort.mask if fits(number, width, signed) else 0, sort)

    return fold


def _rounded_sort(rm: RoundingMode, *args: Datum) -> Sort[Term]:
    return operand_sort(*args)


def _truth(*_: object) -> Sort[Term]:
    return Bool


def _rounded(name: str, fold: Callable[..., FP]) -> Op[Datum]:
    """A family of operators by their rounding mode."""
    return Op(name, fold, _rounded_sort, lambda rm: f"{name} {rm}")


def _conversion(name: str, smt: str, fold: Callable[..., FP]) -> Op[Datum]:
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
FP_REM: Op[Datum] = Op("fp.rem", soft.rem, operand_sort)
FP_MIN: Op[Datum] = Op("fp.min", soft.minimum, operand_sort)
FP_MAX: Op[Datum] = Op("fp.max", soft.maximum, operand_sort)
FP_NEG: Op[Datum] = Op("fp.neg", soft.neg, operand_sort)
FP_ABS: Op[Datum] = Op("fp.abs", soft.absolute, operand_sort)
FP_LEQ: Op[Guard] = Op("fp.leq", soft.leq, _truth)
FP_LT: Op[Guard] = Op("fp.lt", soft.lt, _truth)
FP_EQ: Op[Guard] = Op("fp.eq", soft.ieee_eq, _truth)
FP_IS_NORMAL: Op[Guard] = Op("fp.isNormal", soft.is_normal, _truth)
FP_IS_SUBNORMAL: Op[Guard] = Op("fp.isSubnormal", soft.is_subnormal, _truth)
FP_IS_ZERO: Op[Guard] = Op("fp.isZero", soft.is_zero, _truth)
FP_IS_INFINITE: Op[Guard] = Op("fp.isInfinite", soft.is_infinite, _truth)
FP_IS_NAN: Op[Guard] = Op("fp.isNaN", soft.is_nan, _truth)
FP_IS_NEGATIVE: Op[Guard] = Op("fp.isNegative", soft.is_negative, _truth)
FP_IS_POSITIVE: Op[Guard] = Op("fp.isPositive", soft.is_positive, _truth)
TO_FP_FROM_BITS: Op[Datum] = Op(
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
FP_TO_UBV: Op[Bits] = Op(
    "fp.to_ubv",
    _to_bv(signed=False),
    lambda rm, width, a: bitvec_sort(width),
    lambda rm, width: f"(_ fp.to_ubv {width}) {rm}",
)
FP_TO_SBV: Op[Bits] = Op(
    "fp.to_sbv",
    _to_bv(signed=True),
    lambda rm, width, a: bitvec_sort(width),
    lambda rm, width: f"(_ fp.to_sbv {width}) {rm}",
)
FP_TO_REAL: Op[Rational] = Op(
    "fp.to_real",
    lambda a: soft.to_fraction(a) if soft.is_finite(a) else Fraction(0),
    lambda a: Real,
)


def _constructor(family: Op[object], parameters: int = 0, commutative: bool = False) -> None:
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


def _ordered(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """The operands by age, a concrete one last, so that both orders give one term."""
    if isinstance(b, Term) and (not isinstance(a, Term) or b.id < a.id):
        return b, a
    return a, b


def _rewrite(
    family: Op[object], params: tuple[object, ...], args: tuple[Operand, ...], commutative: bool
) -> Any:
    """What the rules that the shape of the operands triggers make of them, or None."""
    first, last = args[0], args[-1]
    if len(args) == 1 or not isinstance(last, Term):
        result = rewritten(family.constant_rules.get(None, ()), *params, *args)
        if result is None and isinstance(first, Term):
            table = family.rules if len(args) == 1 else family.constant_rules
            result = rewritten(table.get(first.op.base, ()), *params, *args)
        return result
    if not isinstance(first, Term):
        table = family.left_constant_rules
        result = rewritten(table.get(None, ()), *params, *args)
        if result is None:
            result = rewritten(table.get(last.op.base, ()), *params, *args)
        return result
    if first is last:
        for same in family.same_rules:
            return same(*params, *args)
    result = rewritten(family.rules.get(first.op.base, ()), *params, *args)
    if result is None:
        result = rewritten(family.right_rules.get(last.op.base, ()), *params, *args)
    if result is None and commutative:
        result = rewritten(family.rules.get(last.op.base, ()), *params, last, first)
    return result


CLASSES = (
    FP_IS_NORMAL,
    FP_IS_SUBNORMAL,
    FP_IS_ZERO,
    FP_IS_INFINITE,
    FP_IS_NAN,
    FP_IS_NEGATIVE,
    FP_IS_POSITIVE,
)

_family: Op[object]
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
ADD_RNE, SUB_RNE, MUL_RNE, DIV_RNE = (family.at(RNE) for family in (FP_ADD, FP_SUB, FP_MUL, FP_DIV))

register_infix(ADD_RNE, "+", like=ADD)
register_infix(SUB_RNE, "-", like=ADD)
register_infix(MUL_RNE, "*", like=MUL)
register_infix(DIV_RNE, "/", like=MUL)
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
    TO_FP_FROM_SIGNED: "sbv_to_float",
    TO_FP_FROM_UNSIGNED: "ubv_to_float",
    FP_TO_UBV: "fp_to_ubv",
    FP_TO_SBV: "fp_to_sbv",
    FP_TO_REAL: "float_to_real",
}.items():
    register_function(_family, _name)
