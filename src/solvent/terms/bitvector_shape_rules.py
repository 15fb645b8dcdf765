"""The rewriting rules of extraction, concatenation, extension and conversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.bitvector_ops import (
    BV_TO_INT,
    BVAND,
    BVMUL,
    BVOR,
    BVXOR,
    CONCAT,
    EXTRACT,
    INT_TO_BV,
    SIGN_EXTEND,
    ZERO_EXTEND,
    fold_concat,
    fold_sign_extend,
    fold_zero_extend,
    is_value,
    piece,
    some_bits,
)
from solvent.terms.bitvectors import BitVecTerm, bv_to_int, concat, sign_extend, zero_extend
from solvent.terms.booleans import ITE, ite
from solvent.terms.rules import rule
from solvent.terms.sorts import bitvec_sort
from solvent.terms.values import BV, make_bv

if TYPE_CHECKING:
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import Bits

# --- rules: extract, concat, extend ------------------------------------------------------------


@rule(EXTRACT, "x[w-1:0] = x", lambda x: (x.width - 1, 0, x), on=(None,))
def extract_all(high: int, low: int, x: BitVecTerm) -> Bits | None:
    return x if high - low + 1 == x.width else None


@rule(
    EXTRACT,
    "x[h:l][i:j] = x[l+i:l+j]",
    lambda x, k, n: some_bits(EXTRACT.at(2, 1)(concat_raw(x)), k, n),
    on=EXTRACT,
)
def extract_extract(high: int, low: int, x: BitVecTerm) -> Bits | None:
    inner_low = x.op.params[1]
    return piece(inner_low + high, inner_low + low, x.key[1])


@rule(
    EXTRACT,
    "concat(x, y)[i:j] = bits of x, of y, or of both",
    lambda x, y, k, n: some_bits(concat(x, y), k, n),
    on=CONCAT,
)
def extract_concat(high: int, low: int, x: BitVecTerm) -> Bits | None:
    _, a, b = x.key
    width = b.width
    if high < width:
        return piece(high, low, b)
    if low >= width:
        return piece(high - width, low - width, a)
    return CONCAT(piece(high - width, 0, a), piece(width - 1, low, b))


@rule(
    EXTRACT,
    "zero_extend(k, x)[i:j] = zero bits, bits of x, or both",
    lambda x, k, n: some_bits(zero_extend(2, x), k, n),
    on=ZERO_EXTEND,
)
def extract_zero_extend(high: int, low: int, x: BitVecTerm) -> Bits | None:
    inner = x.key[1]
    width = inner.width
    if high < width:
        return piece(high, low, inner)
    if low >= width:
        return make_bv(0, bitvec_sort(high - low + 1))
    return zero_extend(high - width + 1, piece(width - 1, low, inner))


@rule(
    EXTRACT,
    "sign_extend(k, x)[i:j] = bits of x, or all of them and copies of the sign",
    lambda x, k, n: some_bits(sign_extend(2, x), k, n),
    on=SIGN_EXTEND,
)
def extract_sign_extend(high: int, low: int, x: BitVecTerm) -> Bits | None:
    inner = x.key[1]
    width = inner.width
    if high < width:
        return piece(high, low, inner)
    if low == 0:
        return sign_extend(high - width + 1, inner)
    return None


@rule(
    EXTRACT,
    "(x & c)[i:j] = x[i:j] & c[i:j]",
    lambda x, y, c, d, k, n: some_bits(concat(x, y) & concat(c, d), k, n),
    on=BVAND,
)
@rule(
    EXTRACT,
    "(x | c)[i:j] = x[i:j] | c[i:j]",
    lambda x, y, c, d, k, n: some_bits(concat(x, y) | concat(c, d), k, n),
    on=BVOR,
)
@rule(
    EXTRACT,
    "(x ^ c)[i:j] = x[i:j] ^ c[i:j]",
    lambda x, y, c, d, k, n: some_bits(concat(x, y) ^ concat(c, d), k, n),
    on=BVXOR,
)
def extract_bitwise_constant(high: int, low: int, x: BitVecTerm) -> Bits | None:
    op, a, c = x.key
    return op(piece(high, low, a), piece(high, low, c)) if is_value(c) else None


@rule(
    EXTRACT,
    "ite(p, c, d)[i:j] = ite(p, c[i:j], d[i:j])",
    lambda p, c, d, k, n: some_bits(ite(p, concat(c, d), concat(d, c)), k, n),
    on=ITE,
)
def extract_choice(high: int, low: int, x: BitVecTerm) -> Bits | None:
    _, test, c, d = x.key
    return (
        ite(test, piece(high, low, c), piece(high, low, d)) if is_value(c) and is_value(d) else None
    )


@rule(
    CONCAT,
    "concat(x[i:j], x[j-1:l]) = x[i:l]",
    lambda x, k: (EXTRACT.at(2, 1)(concat_raw(x)), EXTRACT.at(k % 3, 0)(concat_raw(x))),
    on=EXTRACT,
)
def concat_adjacent(a: BitVecTerm, b: BitVecTerm) -> Bits | None:
    if a.op.base is not EXTRACT or a.key[1] is not b.key[1] or a.op.params[1] != b.op.params[0] + 1:
        return None
    return piece(a.op.params[0], b.op.params[1], a.key[1])


def concat_raw(x: BitVecTerm) -> Bits:
    """A term of at least 3 bits that no rule takes apart, for examples of rules."""
    return BVMUL(concat(x, x, x), concat(x, x, x))


@rule(CONCAT, "concat(0, x) = zero_extend(x)", lambda x, u: (u, x), left_constant=True)
def concat_zero(c: BV, x: BitVecTerm) -> Bits | None:
    return zero_extend(c.width, x) if c.value == 0 else None


@rule(
    CONCAT,
    "concat(concat(x, c), d) = concat(x, concat(c, d))",
    lambda x, c, d: (concat(x, c), d),
    on=CONCAT,
    constant=True,
)
def concat_constants(pair: BitVecTerm, d: BV) -> Bits | None:
    _, x, c = pair.key
    return CONCAT(x, fold_concat(c, d)) if is_value(c) else None


@rule(
    ZERO_EXTEND,
    "zero_extend(j, zero_extend(k, x)) = zero_extend(j + k, x)",
    lambda x, k: (k + 1, zero_extend(k + 1, x)),
    on=ZERO_EXTEND,
)
@rule(
    SIGN_EXTEND,
    "sign_extend(j, sign_extend(k, x)) = sign_extend(j + k, x)",
    lambda x, k: (k + 1, sign_extend(k + 1, x)),
    on=SIGN_EXTEND,
)
def extend_twice(count: int, x: BitVecTerm) -> Bits | None:
    return x.op.base.at(count + x.op.params[0])(x.key[1])


@rule(
    SIGN_EXTEND,
    "sign_extend(j, zero_extend(k, x)) = zero_extend(j + k, x)",
    lambda x, k: (k + 1, zero_extend(k + 1, x)),
    on=ZERO_EXTEND,
)
def sign_extend_zero_extend(count: int, x: BitVecTerm) -> Bits | None:
    return ZERO_EXTEND.at(count + x.op.params[0])(x.key[1])


@rule(
    ZERO_EXTEND,
    "zero_extend(k, ite(p, c, d)) = ite(p, zero_extend(k, c), zero_extend(k, d))",
    lambda p, c, d, k: (k + 1, ite(p, c, d)),
    on=ITE,
)
def zero_extend_choice(count: int, x: BitVecTerm) -> Bits | None:
    _, test, c, d = x.key
    return (
        ite(test, fold_zero_extend(count, c), fold_zero_extend(count, d))
        if is_value(c) and is_value(d)
        else None
    )


@rule(
    SIGN_EXTEND,
    "sign_extend(k, ite(p, c, d)) = ite(p, sign_extend(k, c), sign_extend(k, d))",
    lambda p, c, d, k: (k + 1, ite(p, c, d)),
    on=ITE,
)
def sign_extend_choice(count: int, x: BitVecTerm) -> Bits | None:
    _, test, c, d = x.key
    return (
        ite(test, fold_sign_extend(count, c), fold_sign_extend(count, d))
        if is_value(c) and is_value(d)
        else None
    )


# --- rules: conversions ------------------------------------------------------------------------


@rule(
    INT_TO_BV,
    "int_to_bv(w, bv_to_int(x)) = x, cut or extended to w",
    lambda x, k: (max(1, x.width + k - 2), bv_to_int(x)),
    on=BV_TO_INT,
    theories=("BitVec",),
)
def int_to_bv_of_bv(width: int, number: IntTerm) -> Bits | None:
    x = number.key[1]
    if width <= x.width:
        return piece(width - 1, 0, x)
    return zero_extend(width - x.width, x)
