"""The operators on bitvectors: their meaning on concrete values, and their constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.arithmetic import operand_sort
from solvent.terms.ops import Op
from solvent.terms.sorts import Bool, Int, Sort, bitvec_sort
from solvent.terms.term import (
    Term,
    binary,
    commutative,
    lookup,
    node,
    parametric,
    rewritten,
    unary,
)
from solvent.terms.values import BV, bits_between, make_bv

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Guard, Integer

# --- concrete semantics ------------------------------------------------------------------------


def _udiv(a: BV, b: BV) -> BV:
    return make_bv(a.value // b.value if b.value else a.sort.mask, a.sort)


def _urem(a: BV, b: BV) -> BV:
    return make_bv(a.value % b.value if b.value else a.value, a.sort)


def _sdiv(a: BV, b: BV) -> BV:
    """Rounds towards zero; by zero it gives 1 for negative dividends and else -1."""
    x, y = a.signed, b.signed
    if y == 0:
        return make_bv(1 if x < 0 else a.sort.mask, a.sort)
    quotient = abs(x) // abs(y)
    return a.wrapped(quotient if (x < 0) == (y < 0) else -quotient)


def _srem(a: BV, b: BV) -> BV:
    x, y = a.signed, b.signed
    if y == 0:
        return a
    remainder = abs(x) % abs(y)
    return a.wrapped(-remainder if x < 0 else remainder)


def _smod(a: BV, b: BV) -> BV:
    return a.wrapped(a.signed % b.signed) if b.value else a


def _lshr(a: BV, b: BV) -> BV:
    return make_bv(a.value >> b.value if b.value < a.width else 0, a.sort)


def fold_concat(a: BV, b: BV) -> BV:
    return make_bv(a.value << b.width | b.value, bitvec_sort(a.width + b.width))


def fold_zero_extend(count: int, a: BV) -> BV:
    return make_bv(a.value, bitvec_sort(a.width + count))


def fold_sign_extend(count: int, a: BV) -> BV:
    sort = bitvec_sort(a.width + count)
    return make_bv(a.signed & sort.mask, sort)


def _width(value: Bits) -> int:
    return value.sort.width


def _to_bool(a: Bits, b: Bits) -> Sort[Term]:
    return Bool


BVADD: Op[Bits] = Op("bvadd", lambda a, b: a + b, operand_sort)
BVMUL: Op[Bits] = Op("bvmul", lambda a, b: a * b, operand_sort)
BVNEG: Op[Bits] = Op("bvneg", lambda a: -a, operand_sort)
BVAND: Op[Bits] = Op("bvand", lambda a, b: a & b, operand_sort)
BVOR: Op[Bits] = Op("bvor", lambda a, b: a | b, operand_sort)
BVXOR: Op[Bits] = Op("bvxor", lambda a, b: a ^ b, operand_sort)
BVNOT: Op[Bits] = Op("bvnot", lambda a: ~a, operand_sort)
BVSHL: Op[Bits] = Op("bvshl", lambda a, b: a << b, operand_sort)
BVLSHR: Op[Bits] = Op("bvlshr", _lshr, operand_sort)
BVASHR: Op[Bits] = Op("bvashr", lambda a, b: a >> b, operand_sort)
BVUDIV: Op[Bits] = Op("bvudiv", _udiv, operand_sort)
BVUREM: Op[Bits] = Op("bvurem", _urem, operand_sort)
BVSDIV: Op[Bits] = Op("bvsdiv", _sdiv, operand_sort)
BVSREM: Op[Bits] = Op("bvsrem", _srem, operand_sort)
BVSMOD: Op[Bits] = Op("bvsmod", _smod, operand_sort)
BVULE: Op[Guard] = Op("bvule", lambda a, b: a.value <= b.value, _to_bool)
BVSLE: Op[Guard] = Op("bvsle", lambda a, b: a.signed <= b.signed, _to_bool)
CONCAT: Op[Bits] = Op("concat", fold_concat, lambda a, b: bitvec_sort(_width(a) + _width(b)))
EXTRACT: Op[Bits] = Op("extract", bits_between, lambda high, low, a: bitvec_sort(high - low + 1))
ZERO_EXTEND: Op[Bits] = Op(
    "zero_extend", fold_zero_extend, lambda count, a: bitvec_sort(_width(a) + count)
)
SIGN_EXTEND: Op[Bits] = Op(
    "sign_extend", fold_sign_extend, lambda count, a: bitvec_sort(_width(a) + count)
)
BV_TO_INT: Op[Integer] = Op("ubv_to_int", lambda a: a.value, lambda a: Int)
INT_TO_BV: Op[Bits] = Op(
    "int_to_bv",
    lambda width, a: make_bv(a & (1 << width) - 1, bitvec_sort(width)),
    lambda width, a: bitvec_sort(width),
)

bvadd = commutative(BVADD)
bvmul = commutative(BVMUL)
bvneg = unary(BVNEG)
bvand = commutative(BVAND)
bvor = commutative(BVOR)
bvxor = commutative(BVXOR)
bvnot = unary(BVNOT)
bvshl = binary(BVSHL)
binary(BVLSHR)
bvashr = binary(BVASHR)
binary(BVUDIV)
binary(BVUREM)
binary(BVSDIV)
binary(BVSREM)
binary(BVSMOD)
bvule = binary(BVULE, Bool)
bvsle = binary(BVSLE, Bool)
unary(BV_TO_INT, Int)

for _family in (EXTRACT, ZERO_EXTEND, SIGN_EXTEND, INT_TO_BV):
    parametric(_family)


def _concat_construct(a: Bits, b: Bits) -> Bits:
    key = (CONCAT, a, b)
    term = lookup(key)
    if term is not None:
        return term
    if isinstance(a, Term):
        if isinstance(b, Term):
            result = rewritten(CONCAT.rules.get(b.op.base, ()), a, b)
            if result is None:
                result = rewritten(CONCAT.right_rules.get(a.op.base, ()), a, b)
        else:
            result = rewritten(CONCAT.constant_rules.get(a.op.base, ()), a, b)
    else:
        result = rewritten(CONCAT.left_constant_rules.get(None, ()), a, b)
        if result is None and isinstance(b, Term):
            result = rewritten(CONCAT.left_constant_rules.get(b.op.base, ()), a, b)
    if result is not None:
        return result
    sort = bitvec_sort(a.width + b.width)
    return node(sort.term_class, CONCAT, sort, a, b)


CONCAT.construct = _concat_construct


# --- for the rules -----------------------------------------------------------------------------


def is_value(value: object) -> bool:
    """Whether an operand is a concrete bitvector."""
    return value.__class__ is BV


def piece(high: int, low: int, x: Bits) -> Bits:
    """Bits of a term or value."""
    if low == 0 and high == x.width - 1:
        return x
    return EXTRACT.at(high, low)(x)


def some_bits(x: Bits, k: int, n: int) -> tuple[int, int, Bits]:
    """Positions in x and x itself, for examples of rules."""
    low = k % x.width
    return low + n % (x.width - low), low, x
