"""Bitvectors: their terms, and functions for all operators of SMT-LIB's theory.

As for machine integers, Python's `<`, `<=`, `>>`, `//` and `%` on bitvectors read them as signed
(and `//` and `%` floor); `ult`, `lshr`, `udiv` and so on are the unsigned readings.  The functions
are total as in SMT-LIB: `udiv(x, 0)` is all ones and `urem(x, 0)` is `x`; the operators `//` and
`%` raise `ZeroDivisionError` for a concrete zero divisor.

Normal forms: constants last, `x - y` is `x + -y`, `x < y` is `not y <= x`; the derived operators
(`nand`, `rotate_left`, `repeat`, overflow predicates, ...) are built from the basic ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.errors import SortError, WidthError
from solvent.terms.arithmetic import complement
from solvent.terms.bitvector_ops import (
    BV_TO_INT,
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
    EXTRACT,
    INT_TO_BV,
    SIGN_EXTEND,
    ZERO_EXTEND,
    bvadd,
    bvand,
    bvashr,
    bvmul,
    bvneg,
    bvnot,
    bvor,
    bvshl,
    bvsle,
    bvxor,
)
from solvent.terms.booleans import (
    EQ,
    and_,
    eq,
    equals,
    ite,
    not_,
    not_equals,
    or_,
)
from solvent.terms.operators import bitvec_operator
from solvent.terms.ops import Op, ResultT
from solvent.terms.sorts import (
    TERM_CLASSES,
    BitVecSort,
    Int,
    Sort,
    bitvec_sort,
    describe,
)
from solvent.terms.term import Term
from solvent.terms.values import BV, bit_range, make_bv, require_bits

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, BitVecLike, Guard, Integer, IntLike


class BitVecTerm(Term):
    """A symbolic bitvector.

    >>> from solvent.terms import BitVec
    >>> x, y = BitVec("x", 8), BitVec("y", 8)
    >>> x + 1 - x, x & 0, x[7:4].sort, x ^ y ^ x
    (bv(1, 8), bv(0, 8), BitVec(4), y)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    sort: BitVecSort

    @property
    def width(self) -> int:
        """The number of bits."""
        return self.sort.width

    __add__ = bitvec_operator(bvadd)
    __radd__ = bitvec_operator(bvadd)
    __mul__ = bitvec_operator(bvmul)
    __rmul__ = bitvec_operator(bvmul)
    __and__ = bitvec_operator(bvand)
    __rand__ = bitvec_operator(bvand)
    __or__ = bitvec_operator(bvor)
    __ror__ = bitvec_operator(bvor)
    __xor__ = bitvec_operator(bvxor)
    __rxor__ = bitvec_operator(bvxor)
    __lshift__ = bitvec_operator(bvshl)
    __rlshift__ = bitvec_operator(lambda self, other: bvshl(other, self))
    __rshift__ = bitvec_operator(bvashr)
    __rrshift__ = bitvec_operator(lambda self, other: bvashr(other, self))

    if TYPE_CHECKING:

        def __neg__(self) -> Bits: ...
        def __invert__(self) -> Bits: ...
        def __le__(self, other: BitVecLike) -> Guard: ...
    else:
        __neg__ = bvneg
        __invert__ = bvnot
        __le__ = bvsle

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        # A number that does not fit is no error here: as for concrete bitvectors, it differs.
        return False if _is_too_large(self, other) else equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return True if _is_too_large(self, other) else not_equals(self, other)

    def __pos__(self) -> BitVecTerm:
        return self

    def __sub__(self, other: BitVecLike) -> Bits:
        other = _operand(self, other)
        return other if other is NotImplemented else bvadd(self, -other)

    def __rsub__(self, other: BitVecLike) -> Bits:
        return bvadd(bvneg(self), other)

    def __ge__(self, other: BitVecLike) -> Guard:
        return bvsle(other, self)

    def __lt__(self, other: BitVecLike) -> Guard:
        return complement(bvsle(other, self))

    def __gt__(self, other: BitVecLike) -> Guard:
        return complement(bvsle(self, other))

    def __floordiv__(self, other: BitVecLike) -> Bits:
        other = _operand(self, other)
        return other if other is NotImplemented else _floordiv(self, other)

    def __rfloordiv__(self, other: BitVecLike) -> Bits:
        other = _operand(self, other)
        return other if other is NotImplemented else _floordiv(other, self)

    def __mod__(self, other: BitVecLike) -> Bits:
        other = _operand(self, other)
        return other if other is NotImplemented else _floormod(self, other)

    def __rmod__(self, other: BitVecLike) -> Bits:
        other = _operand(self, other)
        return other if other is NotImplemented else _floormod(other, self)

    def __abs__(self) -> Bits:
        return ite(self < 0, bvneg(self), self)

    def __getitem__(self, position: int | slice) -> Bits:
        """`x[7:4]` are the bits 7 to 4, most significant first; `x[0]` is the lowest bit."""
        return EXTRACT.at(*bit_range(self, position))(self)


TERM_CLASSES[BitVecSort] = BitVecTerm


def _is_too_large(term: BitVecTerm, other: object) -> bool:
    return other.__class__ is int and not -(term.sort.mask // 2) - 1 <= other <= term.sort.mask


def _operand(self: BitVecTerm, other: BitVecLike) -> Bits:
    """The other operand as a bitvector of the same width; two widths are an error."""
    result = self.sort.coerce(other)
    if result is NotImplemented and isinstance(getattr(other, "sort", None), Sort):
        raise SortError(f"operands of one width are needed: {describe(self)} and {describe(other)}")
    return result


def _floordiv(a: Bits, b: Bits) -> Bits:
    if isinstance(b, BV) and b.value == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    # Truncation rounds up where the signs differ and something is left over.
    quotient, rest = BVSDIV(a, b), BVSREM(a, b)
    differ = not_(eq(BVSLE(a.sort.coerce(0), a), BVSLE(b.sort.coerce(0), b)))
    return ite(and_(differ, not_(eq(rest, 0))), quotient - 1, quotient)


def _floormod(a: Bits, b: Bits) -> Bits:
    if isinstance(b, BV) and b.value == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return BVSMOD(a, b)


def _of_one_width(name: str, a: BitVecLike, b: BitVecLike) -> tuple[Bits, Bits]:
    """Bitvectors and integers, at least one of which has a width, as bitvectors of that width."""
    for value in (a, b):
        if isinstance(value, (BitVecTerm, BV)):
            sort = value.sort
            x, y = sort.coerce(a), sort.coerce(b)
            if x is not NotImplemented and y is not NotImplemented:
                return x, y
            break
    raise SortError(f"{name} needs bitvectors of one width: {describe(a)} and {describe(b)}")


def _operands(op: Op[ResultT], a: BitVecLike, b: BitVecLike) -> ResultT:
    """Apply to bitvectors and integers at least one of which has a width."""
    return op(*_of_one_width(op.name, a, b))


def _bits(value: Bits) -> Bits:
    if not isinstance(value, (BitVecTerm, BV)):
        raise SortError(f"a bitvector is needed, not {describe(value)}")
    return value


# --- public functions --------------------------------------------------------------------------


def udiv(a: BitVecLike, b: BitVecLike) -> Bits:
    """The unsigned quotient; all ones for a zero divisor.

    >>> from solvent.terms import bv
    >>> udiv(bv(200, 8), 3), udiv(bv(1, 8), 0)
    (bv(66, 8), bv(255, 8))
    """
    return _operands(BVUDIV, a, b)


def urem(a: BitVecLike, b: BitVecLike) -> Bits:
    """The unsigned remainder; the dividend for a zero divisor."""
    return _operands(BVUREM, a, b)


def sdiv(a: BitVecLike, b: BitVecLike) -> Bits:
    """The signed quotient, rounded towards zero (SMT-LIB's `bvsdiv`)."""
    return _operands(BVSDIV, a, b)


def srem(a: BitVecLike, b: BitVecLike) -> Bits:
    """The signed remainder with the sign of the dividend (SMT-LIB's `bvsrem`)."""
    return _operands(BVSREM, a, b)


def smod(a: BitVecLike, b: BitVecLike) -> Bits:
    """The signed remainder with the sign of the divisor (SMT-LIB's `bvsmod`)."""
    return _operands(BVSMOD, a, b)


def ule(a: BitVecLike, b: BitVecLike) -> Guard:
    """Unsigned `<=`.

    >>> from solvent.terms import BitVec
    >>> ule(BitVec("x", 8), 255)
    True
    """
    return _operands(BVULE, a, b)


def ult(a: BitVecLike, b: BitVecLike) -> Guard:
    """Unsigned `<`."""
    return not_(ule(b, a))


def uge(a: BitVecLike, b: BitVecLike) -> Guard:
    """Unsigned `>=`."""
    return ule(b, a)


def ugt(a: BitVecLike, b: BitVecLike) -> Guard:
    """Unsigned `>`."""
    return not_(ule(a, b))


def sle(a: BitVecLike, b: BitVecLike) -> Guard:
    """Signed `<=`, as the operator."""
    return _operands(BVSLE, a, b)


def slt(a: BitVecLike, b: BitVecLike) -> Guard:
    """Signed `<`, as the operator."""
    return not_(sle(b, a))


def sge(a: BitVecLike, b: BitVecLike) -> Guard:
    """Signed `>=`, as the operator."""
    return sle(b, a)


def sgt(a: BitVecLike, b: BitVecLike) -> Guard:
    """Signed `>`, as the operator."""
    return not_(sle(a, b))


def shl(a: BitVecLike, b: BitVecLike) -> Bits:
    """Shift left; zero when the amount is the width or more."""
    return _operands(BVSHL, a, b)


def lshr(a: BitVecLike, b: BitVecLike) -> Bits:
    """Shift right, filling with zeros."""
    return _operands(BVLSHR, a, b)


def ashr(a: BitVecLike, b: BitVecLike) -> Bits:
    """Shift right, filling with the sign, as the operator `>>`."""
    return _operands(BVASHR, a, b)


def nand(a: BitVecLike, b: BitVecLike) -> Bits:
    """The complement of `a & b`."""
    return BVNOT(_operands(BVAND, a, b))


def nor(a: BitVecLike, b: BitVecLike) -> Bits:
    """The complement of `a | b`."""
    return BVNOT(_operands(BVOR, a, b))


def xnor(a: BitVecLike, b: BitVecLike) -> Bits:
    """The complement of `a ^ b`."""
    return BVNOT(_operands(BVXOR, a, b))


def bvcomp(a: BitVecLike, b: BitVecLike) -> Bits:
    """One bit: 1 if the operands are equal."""
    one = make_bv(1, bitvec_sort(1))
    return ite(_operands(EQ, a, b), one, make_bv(0, one.sort))


def concat(*parts: Bits) -> Bits:
    """The bits of all parts in one bitvector, the first part's the most significant.

    >>> from solvent.terms import bv
    >>> concat(bv(1, 4), bv(2, 4))
    bv(18, 8)
    """
    if not parts:
        raise WidthError("concat needs at least one bitvector")
    result = _bits(parts[0])
    for part in parts[1:]:
        result = CONCAT(result, _bits(part))
    return result


def extract(high: int, low: int, a: Bits) -> Bits:
    """The bits `high` down to `low`, both included.

    >>> from solvent.terms import bv
    >>> extract(7, 4, bv(0xAB, 8))
    bv(10, 4)
    """
    require_bits(high, low, _bits(a))
    return EXTRACT.at(high, low)(a)


def zero_extend(count: int, a: Bits) -> Bits:
    """`count` zero bits in front."""
    _require_count(count, 0)
    return ZERO_EXTEND.at(count)(_bits(a)) if count else _bits(a)


def sign_extend(count: int, a: Bits) -> Bits:
    """`count` copies of the sign bit in front."""
    _require_count(count, 0)
    return SIGN_EXTEND.at(count)(_bits(a)) if count else _bits(a)


def _require_count(count: int, least: int) -> None:
    if type(count) is not int or count < least:
        raise WidthError(f"a count of at least {least} is needed, not {count!r}")


def repeat(count: int, a: Bits) -> Bits:
    """The bits of `a`, `count` times."""
    _require_count(count, 1)
    # By doubling: so many concatenations one by one would be of as many sorts.
    doubled = _bits(a)
    result: Bits | None = None
    while True:
        if count & 1:
            result = doubled if result is None else CONCAT(doubled, result)
        count >>= 1
        if result is not None and not count:
            return result
        doubled = CONCAT(doubled, doubled)


def rotate_left(count: int, a: Bits) -> Bits:
    """Rotate by a concrete count.

    >>> from solvent.terms import bv
    >>> rotate_left(4, bv(0xAB, 8))
    bv(186, 8)
    """
    width = _bits(a).width
    _require_count(count, 0)
    count %= width
    if count == 0:
        return a
    return concat(extract(width - count - 1, 0, a), extract(width - 1, width - count, a))


def rotate_right(count: int, a: Bits) -> Bits:
    """Rotate by a concrete count."""
    _require_count(count, 0)
    return rotate_left(_bits(a).width - count % a.width, a)


def bv_to_int(a: Bits, signed: bool = False) -> Integer:
    """The number that the bits stand for.

    >>> from solvent.terms import bv
    >>> bv_to_int(bv(255, 8)), bv_to_int(bv(255, 8), signed=True)
    (255, -1)
    """
    number = BV_TO_INT(_bits(a))
    if not signed:
        return number
    return ite(a < 0, number - (1 << a.width), number)


def int_to_bv(a: IntLike, width: int) -> Bits:
    """The lowest bits of an integer in two's complement.

    >>> int_to_bv(-1, 8)
    bv(255, 8)
    """
    bitvec_sort(width)
    return INT_TO_BV.at(width)(Int.require(a))


def redor(a: Bits) -> Bits:
    """One bit: whether any bit is set."""
    return BVNOT(bvcomp(a, 0))


def redand(a: Bits) -> Bits:
    """One bit: whether all bits are set."""
    return bvcomp(a, _bits(a).sort.mask)


def uadd_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a + b` overflows as unsigned numbers (SMT-LIB's `bvuaddo`)."""
    return ult(_operands(BVADD, a, b), a)


def sadd_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a + b` overflows as signed numbers (`bvsaddo`)."""
    a, b = _of_one_width("bvsaddo", a, b)
    total = BVADD(a, b)
    return or_(and_(sge(a, 0), sge(b, 0), slt(total, 0)), and_(slt(a, 0), slt(b, 0), sge(total, 0)))


def umul_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a * b` overflows as unsigned numbers (`bvumulo`)."""
    a, b = _of_one_width("bvumulo", a, b)
    width = a.width
    product = BVMUL(zero_extend(width, a), zero_extend(width, b))
    return not_(eq(extract(2 * width - 1, width, product), 0))


def smul_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a * b` overflows as signed numbers (`bvsmulo`)."""
    a, b = _of_one_width("bvsmulo", a, b)
    width = a.width
    product = BVMUL(sign_extend(width, a), sign_extend(width, b))
    return not_(eq(sign_extend(width, extract(width - 1, 0, product)), product))


def usub_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a - b` overflows as unsigned numbers (`bvusubo`)."""
    return ult(a, b)


def ssub_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether `a - b` overflows as signed numbers (`bvssubo`)."""
    a, b = _of_one_width("bvssubo", a, b)
    difference = BVADD(a, BVNEG(b))
    return or_(
        and_(sge(a, 0), slt(b, 0), slt(difference, 0)),
        and_(slt(a, 0), sge(b, 0), sge(difference, 0)),
    )


def neg_overflow(a: Bits) -> Guard:
    """Whether `-a` overflows as a signed number (`bvnego`)."""
    return eq(a, make_bv(1 << (_bits(a).width - 1), a.sort))


def sdiv_overflow(a: BitVecLike, b: BitVecLike) -> Guard:
    """Whether the signed quotient overflows (`bvsdivo`)."""
    a, b = _of_one_width("bvsdivo", a, b)
    return and_(neg_overflow(a), eq(b, a.sort.mask))
