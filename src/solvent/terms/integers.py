"""Unbounded integers with Python's semantics.

`//` and `%` round towards minus infinity as Python's do; SMT-LIB's `div` and `mod` are Euclidean
and available under these names.  Division by zero raises where the divisor is concrete; where it
is symbolic, `div(x, 0)` is 0 and `mod(x, 0)` is x in every model, and it is the caller's business
to exclude it.

Bitwise operators and shifts are exact on unbounded integers when one operand is concrete.  When
both are symbolic, a width must be known: from their form (a number that came out of a bitvector,
a remainder), or given by the caller (`bit_and(x, y, width=32)`).

The rules of division are in `integer_rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solvent.errors import SortError
from solvent.terms.arithmetic import (
    MUL,
    ArithmeticTerm,
    add,
    check_bits,
    le,
    negate,
    plus,
)
from solvent.terms.bitvector_ops import BV_TO_INT
from solvent.terms.bitvectors import bv_to_int, int_to_bv
from solvent.terms.booleans import ITE, BoolTerm, and_, equals, ite, not_, not_equals
from solvent.terms.hooks import HOOKS, BinaryFunction
from solvent.terms.operators import (
    IntOperator,
    int_division,
    int_divmod,
    int_floor_division,
    int_operator,
)
from solvent.terms.ops import Op
from solvent.terms.sorts import TERM_CLASSES, Int, IntSort, Real, Sort, bitvec_sort, describe
from solvent.terms.term import Term, beside_float, binary, unary

if TYPE_CHECKING:
    from solvent.terms.kinds import (
        Floating,
        FloatLike,
        Guard,
        Integer,
        IntLike,
        NumericTerm,
        Rational,
        RealLike,
    )


def euclidean_div(a: int, b: int) -> int:
    """SMT-LIB's `div`: the remainder is never negative; 0 for a zero divisor."""
    if b == 0:
        return 0
    return a // b if b > 0 else -(a // -b)


def euclidean_mod(a: int, b: int) -> int:
    """SMT-LIB's `mod`: never negative; the dividend for a zero divisor."""
    return a if b == 0 else a % abs(b)


DIV: Op[Integer] = Op("div", euclidean_div, lambda a, b: Int)
MOD: Op[Integer] = Op("mod", euclidean_mod, lambda a, b: Int)
TO_REAL: Op[Rational] = Op("to_real", Fraction, lambda a: Real)

_div = binary(DIV)
_mod = binary(MOD)
_to_real = unary(TO_REAL, Real)


class IntTerm(ArithmeticTerm[IntOperator, "int | IntTerm"]):
    """A symbolic integer, used like an `int`.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> 2 * x + x - 1, x < 5, -7 // Int("y") == 3
    (x * 3 - 1, x <= 4, ite(y <= 0, div(7, -y), div(-7, y)) == 3)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return not_equals(self, other)

    @int_floor_division
    def __floordiv__(self, other: FloatLike) -> object:
        return _promoted(floordiv, self, other, lambda a, b: a // b)

    @int_floor_division
    def __rfloordiv__(self, other: FloatLike) -> object:
        return _promoted(floordiv, other, self, lambda a, b: a // b)

    @int_operator
    def __mod__(self, other: FloatLike) -> object:
        return _promoted(floormod, self, other, lambda a, b: a % b)

    @int_operator
    def __rmod__(self, other: FloatLike) -> object:
        return _promoted(floormod, other, self, lambda a, b: a % b)

    @int_divmod
    def __divmod__(self, other: FloatLike) -> object:
        return self // other, self % other

    @int_divmod
    def __rdivmod__(self, other: FloatLike) -> object:
        return other // self, other % self

    @int_division
    def __truediv__(self, other: FloatLike) -> object:
        return _promoted(true_divide, self, other, lambda a, b: a / b)

    @int_division
    def __rtruediv__(self, other: FloatLike) -> object:
        return _promoted(true_divide, other, self, lambda a, b: a / b)

    def __pow__(self, exponent: int) -> Integer:
        return power(self, exponent)

    def __rpow__(self, base: int) -> Integer:
        if base == 2:
            return shift_left(1, self)
        raise SortError(f"the exponent must be concrete, not {describe(self)}")

    def __round__(self, digits: int | None = None) -> Integer:
        if digits is None or digits >= 0:
            return self
        # Python rounds half to even, at the digit asked for.
        unit = 10**-digits
        return to_real(self).__truediv__(unit).__round__() * unit

    def __trunc__(self) -> IntTerm:
        return self

    def __floor__(self) -> IntTerm:
        return self

    def __ceil__(self) -> IntTerm:
        return self

    def __lshift__(self, other: IntLike) -> Integer:
        return shift_left(self, other)

    def __rlshift__(self, other: IntLike) -> Integer:
        return shift_left(other, self)

    def __rshift__(self, other: IntLike) -> Integer:
        return shift_right(self, other)

    def __rrshift__(self, other: IntLike) -> Integer:
        return shift_right(other, self)

    def __and__(self, other: IntLike) -> Integer:
        return bit_and(self, other)

    __rand__ = __and__

    def __or__(self, other: IntLike) -> Integer:
        return bit_or(self, other)

    __ror__ = __or__

    def __xor__(self, other: IntLike) -> Integer:
        return bit_xor(self, other)

    __rxor__ = __xor__

    def __invert__(self) -> Integer:
        return add(negate(self), -1)


TERM_CLASSES[IntSort] = IntTerm
Int.term_class = IntTerm


def _coerce_int(sort: IntSort, value: object) -> Integer:
    if value.__class__ is IntTerm or value.__class__ is int:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, BoolTerm):
        return value.as_int()
    return NotImplemented


Sort.coercers[IntSort] = _coerce_int
Sort.defaults[IntSort] = lambda sort: 0


def _promoted(
    function: Callable[[Integer, Integer], object],
    a: FloatLike,
    b: FloatLike,
    in_reals: BinaryFunction,
) -> object:
    """Apply an integer function, or the operator of Real if one operand is a fraction."""
    x, y = Int.coerce(a), Int.coerce(b)
    if x is not NotImplemented and y is not NotImplemented:
        return function(x, y)
    first, second = Real.coerce(a), Real.coerce(b)
    if first is not NotImplemented and second is not NotImplemented:
        return in_reals(first, second)
    return beside_float(in_reals, a, b)


def to_real(value: RealLike) -> Rational:
    """An integer as a real number.

    >>> from solvent.terms import Int
    >>> to_real(3), to_real(Int("x"))
    (Fraction(3, 1), to_real(x))
    """
    if isinstance(value, Term) and value.sort is Real:
        return value  # type: ignore[return-value]  # a `RealTerm`, which is defined above
    if isinstance(value, Fraction):
        return value
    return TO_REAL(Int.require(value))


# --- division ----------------------------------------------------------------------------------


def div(a: IntLike, b: IntLike) -> Integer:
    """SMT-LIB's Euclidean quotient: `a == b * div(a, b) + mod(a, b)` with `0 <= mod(a, b)`.

    >>> div(-7, -2), mod(-7, -2)
    (4, 1)
    """
    return DIV(Int.require(a), Int.require(b))


def mod(a: IntLike, b: IntLike) -> Integer:
    """SMT-LIB's Euclidean remainder, which is never negative."""
    return MOD(Int.require(a), Int.require(b))


def floordiv(a: IntLike, b: IntLike) -> Integer:
    """Python's `a // b`."""
    a, b = Int.require(a), Int.require(b)
    if not isinstance(b, Term):
        if b == 0 or not isinstance(a, Term):
            return (0 if b == 0 else a) // b  # raises ZeroDivisionError as Python does
        return _div(a, b) if b > 0 else DIV(negate(a), -b)
    return ite(not_(le(b, 0)), DIV(a, b), DIV(negate(a), negate(b)))


def floormod(a: IntLike, b: IntLike) -> Integer:
    """Python's `a % b`, which has the sign of `b`."""
    a, b = Int.require(a), Int.require(b)
    if not isinstance(b, Term):
        if b == 0 or not isinstance(a, Term):
            return (0 if b == 0 else a) % b
        return _mod(a, b) if b > 0 else negate(MOD(negate(a), -b))
    return ite(not_(le(b, 0)), MOD(a, b), negate(MOD(negate(a), negate(b))))


def true_divide(a: Integer, b: Integer) -> Floating:
    """Python's `a / b` on integers: the correctly rounded float of the exact quotient."""
    if not isinstance(b, Term) and (b == 0 or not isinstance(a, Term)):
        return (0 if b == 0 else a) / b
    quotient = HOOKS.to_float(to_real(a) / to_real(b))
    # The sign of a zero quotient is that of Python's division, not that of a real number.
    return ite(and_(a == 0, b < 0), -0.0, quotient)


def power(base: NumericTerm, exponent: int) -> Any:
    """`base ** exponent` for a concrete exponent of at least 0."""
    if not isinstance(exponent, int):
        if isinstance(exponent, Term):
            raise SortError(f"the exponent must be concrete, not {describe(exponent)}")
        return NotImplemented
    if exponent < 0:
        raise SortError(f"a symbolic base needs an exponent of at least 0, not {exponent}")
    result = base.sort.coerce(1)
    square = base
    while exponent:
        if exponent & 1:
            result = MUL(square, result)
        exponent >>= 1
        if exponent:
            square = MUL(square, square)
    return result


# --- bits --------------------------------------------------------------------------------------


def known_width(value: Integer) -> int | None:
    """A number of bits that the value, which is then not negative, is known to fit in.

    >>> from solvent.terms import Int
    >>> known_width(Int("x") % 100), known_width(Int("x"))
    (7, None)
    """
    if not isinstance(value, Term):
        return max(1, int(value).bit_length()) if value >= 0 else None
    widest = 0
    leaves = [value]
    for _ in range(64):
        if not leaves:
            return widest
        leaf = leaves.pop()
        width: int | None
        if not isinstance(leaf, Term):
            width = known_width(leaf)
        elif leaf.op is BV_TO_INT:
            width = leaf.key[1].sort.width
        elif leaf.op is MOD and not isinstance(leaf.key[2], Term) and leaf.key[2] != 0:
            width = max(1, (abs(leaf.key[2]) - 1).bit_length())
        elif leaf.op.base is ITE:
            leaves.extend(leaf.key[2:])
            continue
        else:
            return None
        if width is None:
            return None
        widest = max(widest, width)
    return None


def _via_bits(name: str, a: Integer, b: Integer, width: int | None) -> Integer:
    """A bitwise operator on two symbolic integers, computed on bitvectors of a known width."""
    if width is None:
        widths = known_width(a), known_width(b)
        if widths[0] is None or widths[1] is None:
            function = {"&": "bit_and", "|": "bit_or", "^": "bit_xor"}[name]
            raise SortError(
                f"{describe(a)} {name} {describe(b)}: two unbounded symbolic integers have no "
                f"known width; write {function}(a, b, width=32) for numbers that fit, or use BitVec"
            )
        width = max(widths[0], widths[1])
        signed = False
    else:
        bitvec_sort(width)  # complains about a width that does not exist
        signed = True
    x, y = int_to_bv(a, width), int_to_bv(b, width)
    bits = {"&": lambda: x & y, "|": lambda: x | y, "^": lambda: x ^ y}[name]()
    return bv_to_int(bits, signed=signed)


def _masked(x: IntTerm, mask: int) -> Integer:
    """`x & mask` for a mask that is not negative: the sum of its runs of ones."""
    result: Integer = 0
    position = 0
    while mask:
        skip = (mask & -mask).bit_length() - 1
        position += skip
        mask >>= skip
        run = (~mask & (mask + 1)).bit_length() - 1
        bits = MUL(MOD(DIV(x, 1 << position) if position else x, 1 << run), 1 << position)
        result = plus(bits, result)
        mask >>= run
        position += run
    return result


def bit_and(a: IntLike, b: IntLike, width: int | None = None) -> Integer:
    """`a & b` on integers; give a width if both are symbolic.

    The width is that of the operands in two's complement.

    >>> from solvent.terms import Int
    >>> Int("x") & 7
    mod(x, 8)
    """
    a, b = Int.coerce(a), Int.coerce(b)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    if not isinstance(a, Term):
        a, b = b, a
    if isinstance(b, Term):
        return _via_bits("&", a, b, width)
    if not isinstance(a, Term):
        return a & b
    if b >= 0:
        return _masked(a, b)
    return plus(a, negate(_masked(a, ~b)))


def bit_or(a: IntLike, b: IntLike, width: int | None = None) -> Integer:
    """`a | b` on integers; give a width if both are symbolic.

    >>> from solvent.terms import Int
    >>> Int("x") | 1
    x - mod(x, 2) + 1
    """
    a, b = Int.coerce(a), Int.coerce(b)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    if isinstance(a, Term) and isinstance(b, Term):
        return _via_bits("|", a, b, width)
    if not isinstance(a, Term) and not isinstance(b, Term):
        return a | b
    return plus(plus(a, b), negate(bit_and(a, b)))


def bit_xor(a: IntLike, b: IntLike, width: int | None = None) -> Integer:
    """`a ^ b` on integers; give a width if both are symbolic."""
    a, b = Int.coerce(a), Int.coerce(b)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    if isinstance(a, Term) and isinstance(b, Term):
        return _via_bits("^", a, b, width)
    if not isinstance(a, Term) and not isinstance(b, Term):
        return a ^ b
    return plus(plus(a, b), MUL(bit_and(a, b), -2))


def _by_known_amount(
    name: str, amount: IntTerm, width: int | None, shifted: Callable[[int], Integer]
) -> Integer:
    """A shift by a symbolic amount of known width: a choice between all its values."""
    bound = known_width(amount)
    if width is not None:
        largest = width
    elif bound is not None and bound <= 6:
        largest = (1 << bound) - 1
    else:
        raise SortError(
            f"a shift {name} by {describe(amount)} needs a bound; write "
            f"{'shift_left' if name == '<<' else 'shift_right'}(x, amount, width=32) "
            "if the amount is between 0 and 32, or use BitVec"
        )
    result = shifted(largest)
    for k in reversed(range(largest)):
        result = ite(amount == k, shifted(k), result)
    return result


def shift_left(a: IntLike, b: IntLike, width: int | None = None) -> Integer:
    """`a << b`; if `b` is symbolic, `width` bounds it: it is taken to be between 0 and `width`.

    >>> from solvent.terms import Int
    >>> Int("x") << 3
    x * 8
    """
    a, b = Int.coerce(a), Int.coerce(b)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    if isinstance(b, Term):
        return _by_known_amount("<<", b, width, lambda k: shift_left(a, k))
    check_bits(b)
    return MUL(a, 1 << b) if isinstance(a, Term) else a << b


def shift_right(a: IntLike, b: IntLike, width: int | None = None) -> Integer:
    """`a >> b`, rounding down; if `b` is symbolic, `width` bounds it.

    >>> from solvent.terms import Int
    >>> Int("x") >> 3
    div(x, 8)
    """
    a, b = Int.coerce(a), Int.coerce(b)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    if isinstance(b, Term):
        return _by_known_amount(">>", b, width, lambda k: shift_right(a, k))
    if not isinstance(a, Term) or b < 0:
        return 0 >> b if b < 0 else a >> b  # a negative count raises ValueError
    check_bits(b)
    return DIV(a, 1 << b)


def in_range(value: IntLike, low: IntLike, high: IntLike) -> Guard:
    """`low <= value < high`.

    >>> from solvent.terms import Int
    >>> in_range(Int("i"), 0, 10)
    i > -1 and i <= 9
    """
    return and_(value >= low, value < high)
