"""The rewriting rules of floats.

Few equations of arithmetic hold for floats.  Those below hold for NaN, infinities and both zeros,
and in the rounding modes that they name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from solvent.terms import softfloat as soft
from solvent.terms.arithmetic_rules import compare_choice
from solvent.terms.booleans import ITE, eq, ite, not_
from solvent.terms.float_ops import (
    CLASSES,
    FP_ABS,
    FP_ADD,
    FP_DIV,
    FP_EQ,
    FP_IS_NAN,
    FP_IS_NEGATIVE,
    FP_IS_POSITIVE,
    FP_IS_ZERO,
    FP_LEQ,
    FP_LT,
    FP_MUL,
    FP_NEG,
    FP_ROUND_TO_INTEGRAL,
    FP_SUB,
    TO_FP_FROM_FLOAT,
    TO_FP_FROM_REAL,
    TO_FP_FROM_SIGNED,
    TO_FP_FROM_UNSIGNED,
)
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.softfloat import FP, RNE, RTN, RTZ, RoundingMode
from solvent.terms.sorts import FloatSort, Real, bitvec_sort, float_sort
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.floats import FloatTerm
    from solvent.terms.kinds import Datum, Floating, Guard

FLOATS = ("Float",)


@cache
def _one_of(sort: FloatSort) -> FP:
    return soft.from_fraction(RNE, sort, 1)


@rule(FP_NEG, "--x = x", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
def neg_neg(x: FloatTerm) -> Datum | None:
    return x.key[1]


@rule(FP_ABS, "abs(-x) = abs(x)", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
def abs_neg(x: FloatTerm) -> Datum | None:
    return FP_ABS(x.key[1])


@rule(FP_ABS, "abs(abs(x)) = abs(x)", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS)
def abs_abs(x: FloatTerm) -> Datum | None:
    return x


@rule(
    FP_NEG,
    "-ite(p, c, d) = ite(p, -c, -d)",
    lambda p, c, d: (ite(p, c, d),),
    on=ITE,
    theories=FLOATS,
)
def neg_choice(x: FloatTerm) -> Datum | None:
    return _over_choice(FP_NEG, x)


@rule(
    FP_ABS,
    "abs(ite(p, c, d)) = ite(p, abs(c), abs(d))",
    lambda p, c, d: (ite(p, c, d),),
    on=ITE,
    theories=FLOATS,
)
def abs_choice(x: FloatTerm) -> Datum | None:
    return _over_choice(FP_ABS, x)


def _over_choice(op: Op[Any], choice: FloatTerm) -> Any:
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
def add_zero(rm: RoundingMode, x: FloatTerm, c: FP) -> Datum | None:
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
def nan_operand(rm: RoundingMode, x: FloatTerm, c: FP) -> Datum | None:
    return c if soft.is_nan(c) else None


@rule(FP_ADD, "-x + y = y - x", lambda x, y, m: (m, -x, y), on=FP_NEG, theories=FLOATS)
def add_negative(rm: RoundingMode, negative: FloatTerm, y: FloatTerm) -> Datum | None:
    return FP_SUB.at(rm)(y, negative.key[1])


@rule(
    FP_ADD,
    "-x + c = c - x",
    lambda x, c, m: (m, -x, c),
    on=FP_NEG,
    constant=True,
    theories=FLOATS,
)
def add_negative_constant(rm: RoundingMode, negative: FloatTerm, c: FP) -> Datum | None:
    return FP_SUB.at(rm)(c, negative.key[1])


@rule(FP_SUB, "x - c = x + -c", lambda x, c, m: (m, x, c), constant=True, theories=FLOATS)
def sub_constant(rm: RoundingMode, x: FloatTerm, c: FP) -> Datum | None:
    return FP_ADD.at(rm)(x, soft.neg(c))


@rule(FP_SUB, "x - -y = x + y", lambda x, y, m: (m, x, -y), right=FP_NEG, theories=FLOATS)
def sub_negative(rm: RoundingMode, x: FloatTerm, negative: FloatTerm) -> Datum | None:
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
def unit_operand(rm: RoundingMode, x: FloatTerm, c: FP) -> Datum | None:
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
def mul_negative_constant(rm: RoundingMode, negative: FloatTerm, c: FP) -> Datum | None:
    return FP_MUL.at(rm)(negative.key[1], soft.neg(c))


@rule(FP_MUL, "-x * -y = x * y", lambda x, y, m: (m, -x, -y), on=FP_NEG, theories=FLOATS)
def mul_negatives(rm: RoundingMode, negative: FloatTerm, other: FloatTerm) -> Datum | None:
    return FP_MUL.at(rm)(negative.key[1], other.key[1]) if other.op is FP_NEG else None


@rule(
    FP_DIV,
    "x / 2**k = x * 2**-k",
    lambda x, c, m: (m, x, c),
    constant=True,
    theories=FLOATS,
)
def div_power_of_two(rm: RoundingMode, x: FloatTerm, c: FP) -> Datum | None:
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
def add_to_choice(rm: RoundingMode, choice: FloatTerm, e: FP) -> Datum | None:
    return _choice_with(FP_ADD.at(rm), choice, e)


@rule(
    FP_MUL,
    "ite(p, c, d) * e = ite(p, c * e, d * e)",
    lambda p, c, d, e, m: (m, ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def mul_choice(rm: RoundingMode, choice: FloatTerm, e: FP) -> Datum | None:
    return _choice_with(FP_MUL.at(rm), choice, e)


def _choice_with(op: Op[Datum], choice: FloatTerm, e: FP) -> Datum | None:
    _, test, c, d = choice.key
    if isinstance(c, Term) or isinstance(d, Term):
        return None
    return ite(test, op.fold(c, e), op.fold(d, e))


@rule(
    FP_ROUND_TO_INTEGRAL,
    "an integer stays",
    lambda x, m: (m, FP_ROUND_TO_INTEGRAL.at(RTZ)(x)),
    on=FP_ROUND_TO_INTEGRAL,
    theories=FLOATS,
)
def round_integral(rm: RoundingMode, x: FloatTerm) -> Datum | None:
    return x


# --- order -------------------------------------------------------------------------------------


@rule(FP_LT, "x < x = False", lambda x: (x, x), same=True, theories=FLOATS)
def lt_same(x: FloatTerm, _: FloatTerm) -> Guard | None:
    return False


@rule(FP_LEQ, "x <= x = not is_nan(x)", lambda x: (x, x), same=True, theories=FLOATS)
@rule(FP_EQ, "(x == x) = not is_nan(x)", lambda x: (x, x), same=True, theories=FLOATS)
def compare_same(x: FloatTerm, _: FloatTerm) -> Guard | None:
    return not_(FP_IS_NAN(x))


@rule(
    FP_LT,
    "x < nan = False, x < -inf = False, x < -0.0 = x < 0.0",
    lambda x, u: (x, u),
    constant=True,
    theories=FLOATS,
)
def lt_constant(x: FloatTerm, c: FP) -> Guard | None:
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
def lt_constant_left(c: FP, x: FloatTerm) -> Guard | None:
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
def leq_constant(x: FloatTerm, c: FP) -> Guard | None:
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
def leq_constant_left(c: FP, x: FloatTerm) -> Guard | None:
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
def eq_constant(x: FloatTerm, c: FP) -> Guard | None:
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
def lt_choice(choice: FloatTerm, e: FP) -> Guard | None:
    return compare_choice(FP_LT, choice, e, choice_first=True)


@rule(
    FP_LT,
    "e < ite(p, c, d) = ite(p, e < c, e < d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=FLOATS,
)
def lt_choice_right(e: FP, choice: FloatTerm) -> Guard | None:
    return compare_choice(FP_LT, choice, e, choice_first=False)


@rule(
    FP_LEQ,
    "ite(p, c, d) <= e = ite(p, c <= e, d <= e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=FLOATS,
)
def leq_choice(choice: FloatTerm, e: FP) -> Guard | None:
    return compare_choice(FP_LEQ, choice, e, choice_first=True)


@rule(
    FP_LEQ,
    "e <= ite(p, c, d) = ite(p, e <= c, e <= d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=FLOATS,
)
def leq_choice_right(e: FP, choice: FloatTerm) -> Guard | None:
    return compare_choice(FP_LEQ, choice, e, choice_first=False)


# --- classes -----------------------------------------------------------------------------------


def _class_rules(family: Op[Guard]) -> None:
    """What a class of floats is for a choice between constants."""

    @rule(
        family,
        f"{family}(ite(p, c, d)) = ite(p, {family}(c), {family}(d))",
        lambda p, u, d: (ite(p, u, d),),
        on=ITE,
        theories=FLOATS,
    )
    def class_of_choice(choice: FloatTerm) -> Guard | None:
        return _over_choice(family, choice)


def _unsigned_class_rules(family: Op[Guard]) -> None:
    """A class that does not depend on the sign."""

    @rule(family, f"{family}(-x) = {family}(x)", lambda x: (-x,), on=FP_NEG, theories=FLOATS)
    @rule(
        family, f"{family}(abs(x)) = {family}(x)", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS
    )
    def class_without_sign(x: FloatTerm) -> Guard | None:
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
def negative_of_neg(x: FloatTerm) -> Guard | None:
    return FP_IS_POSITIVE(x.key[1])


@rule(
    FP_IS_POSITIVE,
    "is_positive(-x) = is_negative(x)",
    lambda x: (-x,),
    on=FP_NEG,
    theories=FLOATS,
)
def positive_of_neg(x: FloatTerm) -> Guard | None:
    return FP_IS_NEGATIVE(x.key[1])


@rule(
    FP_IS_NEGATIVE, "is_negative(abs(x)) = False", lambda x: (abs(x),), on=FP_ABS, theories=FLOATS
)
def negative_of_abs(x: FloatTerm) -> Guard | None:
    return False


@rule(
    FP_IS_POSITIVE,
    "is_positive(abs(x)) = not is_nan(x)",
    lambda x: (abs(x),),
    on=FP_ABS,
    theories=FLOATS,
)
def positive_of_abs(x: FloatTerm) -> Guard | None:
    return not_(FP_IS_NAN(x.key[1]))


@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (TO_FP_FROM_SIGNED.at(m, x.sort)(bitvec_sort(5)("b")),),
    on=TO_FP_FROM_SIGNED,
    theories=FLOATS,
)
@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (TO_FP_FROM_UNSIGNED.at(m, x.sort)(bitvec_sort(5)("b")),),
    on=TO_FP_FROM_UNSIGNED,
    theories=FLOATS,
)
@rule(
    FP_IS_NAN,
    "a number that was no float is not NaN",
    lambda x, m: (TO_FP_FROM_REAL.at(m, x.sort)(Real("r")),),
    on=TO_FP_FROM_REAL,
    theories=FLOATS,
)
def number_is_not_nan(x: FloatTerm) -> Guard | None:
    return False


# --- conversions -------------------------------------------------------------------------------


@rule(
    TO_FP_FROM_FLOAT,
    "to_float(x, its own sort) = x",
    lambda x, m: (m, x.sort, x),
    constant=True,
    theories=FLOATS,
)
def convert_to_same(rm: RoundingMode, sort: FloatSort, x: FloatTerm) -> Datum | None:
    return x if x.sort is sort else None


@rule(
    TO_FP_FROM_FLOAT,
    "to_float(to_float(x, wider), sort) = to_float(x, sort)",
    lambda x, m: (m, x.sort, _widened(x)),
    on=TO_FP_FROM_FLOAT,
    theories=FLOATS,
)
def convert_twice(rm: RoundingMode, sort: FloatSort, x: FloatTerm) -> Datum | None:
    inner = x.key[1]
    is_exact = x.sort.ebits >= inner.sort.ebits and x.sort.sbits >= inner.sort.sbits
    return TO_FP_FROM_FLOAT.at(rm, sort)(inner) if is_exact else None


def _widened(x: FloatTerm) -> Floating:
    return TO_FP_FROM_FLOAT.at(RNE, float_sort(x.sort.ebits + 1, x.sort.sbits + 1))(x)
