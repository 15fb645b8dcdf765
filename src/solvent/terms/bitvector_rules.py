"""The rewriting rules of bitvector arithmetic, bits, shifts, division and order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.arithmetic_rules import compare_choice
from solvent.terms.bitvector_ops import (
    BVADD,
    BVAND,
    BVASHR,
    BVLSHR,
    BVMUL,
    BVNEG,
    BVNOT,
    BVOR,
    BVSDIV,
    BVSHL,
    BVSLE,
    BVSMOD,
    BVSREM,
    BVUDIV,
    BVULE,
    BVUREM,
    BVXOR,
    CONCAT,
    ZERO_EXTEND,
    bvadd,
    bvand,
    bvashr,
    bvmul,
    bvneg,
    bvnot,
    bvor,
    bvsle,
    bvule,
    bvxor,
    fold_concat,
    is_value,
)
from solvent.terms.bitvectors import BitVecTerm, concat, zero_extend
from solvent.terms.booleans import EQ, ITE, and_, eq, equals, ite, not_
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.term import Term, node
from solvent.terms.values import BV, bits_between, make_bv

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Guard

# --- rules: sums and products ------------------------------------------------------------------


@rule(BVADD, "x + x = x << 1", lambda x: (x, x), same=True)
def bvadd_same(x: BitVecTerm, _: BitVecTerm) -> Bits | None:
    return BVSHL(x, x.sort.coerce(1)) if x.width > 1 else x.sort.coerce(0)


@rule(BVADD, "x + 0 = x", lambda x, u: (x, u), constant=True)
def bvadd_zero(x: BitVecTerm, c: BV) -> Bits | None:
    return x if c.value == 0 else None


@rule(BVADD, "(x + c) + d = x + (c + d)", lambda x, c, d: (x + c, d), on=BVADD, constant=True)
def bvadd_constants(pair: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = pair.key
    return bvadd(x, c + d) if c.__class__ is BV else None


@rule(BVADD, "(-x + y) + x = y", lambda x, y: (-x + y, x))
@rule(BVADD, "(x + c) + y = (x + y) + c", lambda x, y, c: (x + c, y), on=BVADD)
def bvadd_inside_sum(pair: BitVecTerm, y: BitVecTerm) -> Bits | None:
    _, a, b = pair.key
    if b.__class__ is BV:
        return BVADD(BVADD(a, y), b)
    if a.op is BVNEG and a.key[1] is y:
        return b
    return a if b.op is BVNEG and b.key[1] is y else None


@rule(BVADD, "-x + x = 0", lambda x: (-x, x), on=BVNEG)
def bvadd_inverse(negative: BitVecTerm, x: BitVecTerm) -> Bits | None:
    return make_bv(0, x.sort) if negative.key[1] is x else None


@rule(BVADD, "-x + (x + y) = y", lambda x, y: (-x, x + y), on=BVNEG)
def bvadd_cancel(negative: BitVecTerm, pair: BitVecTerm) -> Bits | None:
    if pair.op is not BVADD:
        return None
    x = negative.key[1]
    _, a, b = pair.key
    return b if a is x else a if b is x else None


@rule(BVADD, "~x + x = -1", lambda x: (~x, x), on=BVNOT)
def bvadd_complement(inverted: BitVecTerm, x: BitVecTerm) -> Bits | None:
    return make_bv(x.sort.mask, x.sort) if inverted.key[1] is x else None


@rule(
    BVADD,
    "ite(p, c, d) + e = ite(p, c + e, d + e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
)
def bvadd_choice(choice: BitVecTerm, e: BV) -> Bits | None:
    return _into_choice(BVADD, choice, e)


@rule(
    BVAND,
    "ite(p, c, d) & e = ite(p, c & e, d & e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
)
def bvand_choice(choice: BitVecTerm, e: BV) -> Bits | None:
    return _into_choice(BVAND, choice, e)


@rule(
    BVMUL,
    "ite(p, c, d) * e = ite(p, c * e, d * e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
)
def bvmul_choice(choice: BitVecTerm, e: BV) -> Bits | None:
    return _into_choice(BVMUL, choice, e)


def _into_choice(op: Op[Bits], choice: BitVecTerm, e: BV) -> Bits | None:
    _, test, c, d = choice.key
    return ite(test, op.fold(c, e), op.fold(d, e)) if is_value(c) and is_value(d) else None


@rule(BVMUL, "x * 0 = 0, x * 1 = x, x * -1 = -x", lambda x, u: (x, u), constant=True)
def bvmul_unit(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return c
    if c.value == 1:
        return x
    return bvneg(x) if c.value == c.sort.mask else None


@rule(BVMUL, "x * 2**k = x << k", lambda x, u: (x, u), constant=True)
def bvmul_power_of_two(x: BitVecTerm, c: BV) -> Bits | None:
    value = c.value
    return (
        None
        if value & (value - 1) or value < 2
        else BVSHL(x, x.sort.coerce(value.bit_length() - 1))
    )


@rule(
    BVMUL,
    "(x * c) * d = x * (c * d)",
    lambda x, c, d: (node(BitVecTerm, BVMUL, x.sort, x, c), d),
    on=BVMUL,
    constant=True,
)
def bvmul_constants(product: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = product.key
    return bvmul(x, c * d) if is_value(c) else None


@rule(BVNEG, "--x = x", lambda x: (-x,), on=BVNEG)
@rule(BVNOT, "~~x = x", lambda x: (~x,), on=BVNOT)
def bv_involution(inner: BitVecTerm) -> Bits | None:
    return inner.key[1]


@rule(BVNEG, "-(x + c) = -x + -c", lambda x, c: (x + c,), on=BVADD)
def bvneg_sum(pair: BitVecTerm) -> Bits | None:
    _, x, c = pair.key
    return bvadd(bvneg(x), -c) if is_value(c) else None


@rule(BVNEG, "-(~x) = x + 1", lambda x: (~x,), on=BVNOT)
def bvneg_not(inverted: BitVecTerm) -> Bits | None:
    return bvadd(inverted.key[1], 1)


@rule(BVNEG, "-ite(p, c, d) = ite(p, -c, -d)", lambda p, c, d: (ite(p, c, d),), on=ITE)
def bvneg_choice(choice: BitVecTerm) -> Bits | None:
    _, test, c, d = choice.key
    return ite(test, -c, -d) if is_value(c) and is_value(d) else None


@rule(BVNOT, "~ite(p, c, d) = ite(p, ~c, ~d)", lambda p, c, d: (ite(p, c, d),), on=ITE)
def bvnot_choice(choice: BitVecTerm) -> Bits | None:
    _, test, c, d = choice.key
    return ite(test, ~c, ~d) if is_value(c) and is_value(d) else None


# --- rules: bits -------------------------------------------------------------------------------


@rule(BVAND, "x & x = x", lambda x: (x, x), same=True)
@rule(BVOR, "x | x = x", lambda x: (x, x), same=True)
def bv_idempotent(x: BitVecTerm, _: BitVecTerm) -> Bits | None:
    return x


@rule(BVXOR, "x ^ x = 0", lambda x: (x, x), same=True)
def bvxor_same(x: BitVecTerm, _: BitVecTerm) -> Bits | None:
    return make_bv(0, x.sort)


@rule(BVAND, "x & 0 = 0, x & -1 = x", lambda x, u: (x, u), constant=True)
def bvand_unit(x: BitVecTerm, c: BV) -> Bits | None:
    return c if c.value == 0 else x if c.value == c.sort.mask else None


@rule(BVOR, "x | 0 = x, x | -1 = -1", lambda x, u: (x, u), constant=True)
def bvor_unit(x: BitVecTerm, c: BV) -> Bits | None:
    return x if c.value == 0 else c if c.value == c.sort.mask else None


@rule(BVXOR, "x ^ 0 = x, x ^ -1 = ~x", lambda x, u: (x, u), constant=True)
def bvxor_unit(x: BitVecTerm, c: BV) -> Bits | None:
    return x if c.value == 0 else bvnot(x) if c.value == c.sort.mask else None


@rule(
    BVAND,
    "(x & c) & d = x & (c & d)",
    lambda x, c, d: (node(BitVecTerm, BVAND, x.sort, x, c), d),
    on=BVAND,
    constant=True,
)
def bvand_constants(pair: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = pair.key
    return bvand(x, c & d) if is_value(c) else None


@rule(
    BVOR,
    "(x | c) | d = x | (c | d)",
    lambda x, c, d: (node(BitVecTerm, BVOR, x.sort, x, c), d),
    on=BVOR,
    constant=True,
)
def bvor_constants(pair: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = pair.key
    return bvor(x, c | d) if is_value(c) else None


@rule(
    BVXOR,
    "(x ^ c) ^ d = x ^ (c ^ d)",
    lambda x, c, d: (node(BitVecTerm, BVXOR, x.sort, x, c), d),
    on=BVXOR,
    constant=True,
)
def bvxor_constants(pair: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = pair.key
    return bvxor(x, c ^ d) if is_value(c) else None


@rule(BVAND, "(x & y) & ~x = 0", lambda x, y: (x & y, ~x))
@rule(BVAND, "(x & y) & x = x & y", lambda x, y: (x & y, x), on=BVAND)
def bvand_absorbed(pair: BitVecTerm, x: BitVecTerm) -> Bits | None:
    _, a, b = pair.key
    if a is x or b is x:
        return pair
    if x.op is BVNOT and (a is x.key[1] or b is x.key[1]):
        return make_bv(0, x.sort)
    return None


@rule(BVOR, "(x | y) | ~x = -1", lambda x, y: (x | y, ~x))
@rule(BVOR, "(x | y) | x = x | y", lambda x, y: (x | y, x), on=BVOR)
def bvor_absorbed(pair: BitVecTerm, x: BitVecTerm) -> Bits | None:
    _, a, b = pair.key
    if a is x or b is x:
        return pair
    if x.op is BVNOT and (a is x.key[1] or b is x.key[1]):
        return make_bv(x.sort.mask, x.sort)
    return None


@rule(BVAND, "(x | y) & x = x", lambda x, y: (x | y, x), on=BVOR)
@rule(BVOR, "(x & y) | x = x", lambda x, y: (x & y, x), on=BVAND)
def bv_absorbing(pair: BitVecTerm, x: BitVecTerm) -> Bits | None:
    _, a, b = pair.key
    return x if a is x or b is x else None


@rule(BVXOR, "(x ^ y) ^ x = y", lambda x, y: (x ^ y, x), on=BVXOR)
def bvxor_cancel(pair: BitVecTerm, x: BitVecTerm) -> Bits | None:
    _, a, b = pair.key
    return b if a is x else a if b is x else None


@rule(BVAND, "~x & x = 0", lambda x: (~x, x), on=BVNOT)
def bvand_complement(inverted: BitVecTerm, x: BitVecTerm) -> Bits | None:
    return make_bv(0, x.sort) if inverted.key[1] is x else None


@rule(BVOR, "~x | x = -1", lambda x: (~x, x), on=BVNOT)
@rule(BVXOR, "~x ^ x = -1", lambda x: (~x, x), on=BVNOT)
def bvor_complement(inverted: BitVecTerm, x: BitVecTerm) -> Bits | None:
    return make_bv(x.sort.mask, x.sort) if inverted.key[1] is x else None


@rule(BVXOR, "~x ^ y = ~(x ^ y)", lambda x, y: (~x, y), on=BVNOT)
def bvxor_not(inverted: BitVecTerm, y: BitVecTerm) -> Bits | None:
    return BVNOT(bvxor(inverted.key[1], y))


# --- rules: shifts, division -------------------------------------------------------------------


@rule(BVSHL, "x << 0 = x, x << w = 0 from the width on", lambda x, u: (x, u), constant=True)
@rule(
    BVLSHR, "lshr(x, 0) = x, lshr(x, w) = 0 from the width on", lambda x, u: (x, u), constant=True
)
def shift_by_constant(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return x
    return make_bv(0, x.sort) if c.value >= x.width else None


@rule(
    BVASHR,
    "x >> 0 = x, x >> w = x >> (w - 1) from the width on",
    lambda x, u: (x, u),
    constant=True,
)
def ashr_by_constant(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return x
    return bvashr(x, x.width - 1) if c.value >= x.width > 1 else None


@rule(BVSHL, "0 << x = 0", lambda x, u: (u, x), left_constant=True)
@rule(BVLSHR, "lshr(0, x) = 0", lambda x, u: (u, x), left_constant=True)
@rule(BVASHR, "0 >> x = 0", lambda x, u: (u, x), left_constant=True)
def shift_of_zero(c: BV, x: BitVecTerm) -> Bits | None:
    return c if c.value == 0 else None


@rule(
    BVSHL,
    "(x << c) << d = x << (c + d)",
    lambda x, c, d: (node(BitVecTerm, BVSHL, x.sort, x, c), d),
    on=BVSHL,
    constant=True,
)
def shl_shl(inner: BitVecTerm, d: BV) -> Bits | None:
    return _shift_twice(BVSHL, inner, d)


@rule(
    BVLSHR,
    "lshr(lshr(x, c), d) = lshr(x, c + d)",
    lambda x, c, d: (node(BitVecTerm, BVLSHR, x.sort, x, c), d),
    on=BVLSHR,
    constant=True,
)
def lshr_lshr(inner: BitVecTerm, d: BV) -> Bits | None:
    return _shift_twice(BVLSHR, inner, d)


def _shift_twice(op: Op[Bits], inner: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = inner.key
    if not is_value(c):
        return None
    total = c.value + d.value
    return make_bv(0, x.sort) if total >= x.width else op(x, x.sort.coerce(total))


@rule(BVUDIV, "udiv(x, 1) = x, udiv(x, 0) = -1", lambda x, u: (x, u), constant=True)
def udiv_unit(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return make_bv(x.sort.mask, x.sort)
    return x if c.value == 1 else None


@rule(BVUREM, "urem(x, 1) = 0, urem(x, 0) = x", lambda x, u: (x, u), constant=True)
def urem_unit(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return x
    return make_bv(0, x.sort) if c.value == 1 else None


@rule(BVUDIV, "udiv(x, 2**k) = lshr(x, k)", lambda x, u: (x, u), constant=True)
def udiv_power_of_two(x: BitVecTerm, c: BV) -> Bits | None:
    value = c.value
    return (
        None
        if value & (value - 1) or value == 0
        else BVLSHR(x, x.sort.coerce(value.bit_length() - 1))
    )


@rule(BVUREM, "urem(x, 2**k) = x & (2**k - 1)", lambda x, u: (x, u), constant=True)
def urem_power_of_two(x: BitVecTerm, c: BV) -> Bits | None:
    value = c.value
    return None if value & (value - 1) or value == 0 else BVAND(x, x.sort.coerce(value - 1))


@rule(BVSDIV, "sdiv(x, 1) = x", lambda x, u: (x, u), constant=True)
def sdiv_one(x: BitVecTerm, c: BV) -> Bits | None:
    return x if c.value == 1 and x.width > 1 else None


@rule(BVSREM, "srem(x, 1) = 0, srem(x, 0) = x", lambda x, u: (x, u), constant=True)
@rule(BVSMOD, "smod(x, 1) = 0, smod(x, 0) = x", lambda x, u: (x, u), constant=True)
def srem_unit(x: BitVecTerm, c: BV) -> Bits | None:
    if c.value == 0:
        return x
    return make_bv(0, x.sort) if c.value == 1 else None


# --- rules: comparisons ------------------------------------------------------------------------


@rule(BVULE, "ule(x, x) = True", lambda x: (x, x), same=True)
@rule(BVSLE, "x <= x = True", lambda x: (x, x), same=True)
def bv_le_same(x: BitVecTerm, _: BitVecTerm) -> Guard | None:
    return True


@rule(BVULE, "ule(x, max) = True, ule(x, 0) = (x == 0)", lambda x, u: (x, u), constant=True)
def ule_bounds(x: BitVecTerm, c: BV) -> Guard | None:
    if c.value == c.sort.mask:
        return True
    return eq(x, c) if c.value == 0 else None


@rule(
    BVULE,
    "ule(c, x) = not ule(x, c - 1), ule(0, x) = True",
    lambda x, u: (u, x),
    left_constant=True,
)
def ule_constant_left(c: BV, x: BitVecTerm) -> Guard | None:
    return True if c.value == 0 else not_(bvule(x, c - 1))


@rule(BVSLE, "x <= max = True, x <= min = (x == min)", lambda x, u: (x, u), constant=True)
def sle_bounds(x: BitVecTerm, c: BV) -> Guard | None:
    largest = c.sort.mask >> 1
    if c.value == largest:
        return True
    return eq(x, c) if c.value == largest + 1 else None


@rule(BVSLE, "c <= x = not x <= c - 1, min <= x = True", lambda x, u: (u, x), left_constant=True)
def sle_constant_left(c: BV, x: BitVecTerm) -> Guard | None:
    return True if c.value == (c.sort.mask >> 1) + 1 else not_(bvsle(x, c - 1))


@rule(
    BVULE,
    "ule(ite(p, c, d), e) = ite(p, ule(c, e), ule(d, e))",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
)
def ule_choice(choice: BitVecTerm, e: BV) -> Guard | None:
    return compare_choice(BVULE, choice, e, choice_first=True)


@rule(
    BVSLE,
    "ite(p, c, d) <= e = ite(p, c <= e, d <= e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
)
def sle_choice(choice: BitVecTerm, e: BV) -> Guard | None:
    return compare_choice(BVSLE, choice, e, choice_first=True)


@rule(
    BVULE,
    "ule(zero_extend(k, x), c) = ule(x, c) or True",
    lambda x, c, u: (zero_extend(x.width, x), concat(u, c)),
    on=ZERO_EXTEND,
    constant=True,
)
def ule_zero_extend(extended: BitVecTerm, c: BV) -> Guard | None:
    x = extended.key[1]
    return True if c.value >= x.sort.mask else bvule(x, c.value)


@rule(
    EQ,
    "(zero_extend(k, x) == c) = (x == c), or False",
    lambda x, c, u: (zero_extend(x.width, x), concat(u, c)),
    on=ZERO_EXTEND,
    constant=True,
    theories=("BitVec",),
)
def eq_zero_extend(extended: BitVecTerm, c: BV) -> Guard | None:
    x = extended.key[1]
    return equals(x, c.value) if c.value <= x.sort.mask else False


@rule(
    EQ,
    "(x + c == d) = (x == d - c)",
    lambda x, c, d: (x + c, d),
    on=BVADD,
    constant=True,
    theories=("BitVec",),
)
def bv_eq_sum_constant(pair: BitVecTerm, d: BV) -> Guard | None:
    _, x, c = pair.key
    return equals(x, d - c) if is_value(c) else None


@rule(EQ, "(x + y == x) = (y == 0)", lambda x, y: (x + y, x), on=BVADD, theories=("BitVec",))
def bv_eq_sum_operand(pair: BitVecTerm, x: BitVecTerm) -> Guard | None:
    _, a, b = pair.key
    return eq(b, 0) if a is x else eq(a, 0) if b is x else None


@rule(
    EQ, "(-x == c) = (x == -c)", lambda x, c: (-x, c), on=BVNEG, constant=True, theories=("BitVec",)
)
def bv_eq_negative_constant(negative: BitVecTerm, c: BV) -> Guard | None:
    return equals(negative.key[1], -c)


@rule(
    EQ, "(~x == c) = (x == ~c)", lambda x, c: (~x, c), on=BVNOT, constant=True, theories=("BitVec",)
)
def bv_eq_not_constant(inverted: BitVecTerm, c: BV) -> Guard | None:
    return equals(inverted.key[1], ~c)


@rule(
    EQ,
    "(concat(x, y) == c) = (x == high bits) and (y == low bits)",
    lambda x, y, c, d: (concat(x, y), fold_concat(c, d)),
    on=CONCAT,
    constant=True,
    theories=("BitVec",),
)
def eq_concat_constant(pair: BitVecTerm, c: BV) -> Guard | None:
    tests = []
    parts = [(pair, c)]
    while parts:
        part, bits = parts.pop()
        if isinstance(part, Term) and part.op is CONCAT:
            _, a, b = part.key
            parts.append((b, bits_between(b.width - 1, 0, bits)))
            parts.append((a, bits_between(bits.width - 1, b.width, bits)))
        else:
            tests.append(eq(part, bits))
    return and_(tests)
