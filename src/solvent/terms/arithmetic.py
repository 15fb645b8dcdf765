"""The arithmetic that Int and Real share: sums, products, order.

Normal forms: `x - y` is `x + -y`; `x < y` is `not y <= x`, so that a comparison and its complement
are one term and its negation.  The rules are in `arithmetic_rules`.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from solvent.errors import EvaluationError
from solvent.terms.booleans import ite, not_
from solvent.terms.ops import Op, ResultT
from solvent.terms.softfloat import FP
from solvent.terms.sorts import Bool, Int, IntSort, RealSort, Sort
from solvent.terms.term import Term, beside_float, binary, commutative, unary
from solvent.terms.values import sort_of

if TYPE_CHECKING:
    from solvent.terms.kinds import (
        FloatLike,
        Guard,
        Integer,
        Numeric,
        NumericTerm,
        Operand,
        Rational,
    )

# The operators of a class of terms.
OperatorT = TypeVar("OperatorT")
NumberT = TypeVar("NumberT", int, Fraction)


def operand_sort(*args: Operand) -> Sort[Term]:
    """The sort of the operands: that of a term among them, if there is one."""
    for arg in args:
        if isinstance(arg, Term):
            return arg.sort
    return sort_of(args[0])


# Numbers in terms have at most so many bits: products of products would fill the memory.
MOST_BITS = 1 << 20


def check_bits(bits: int) -> None:
    """Refuse a number that would have too many bits."""
    if bits > MOST_BITS:
        raise EvaluationError(
            f"a number of more than {MOST_BITS} bits would result, which is too large"
        )


def _bits(number: int | Fraction) -> int:
    if isinstance(number, Fraction):
        return number.numerator.bit_length() + number.denominator.bit_length()
    return number.bit_length()


def multiply(a: NumberT, b: NumberT) -> NumberT:
    """The product of two numbers, unless it is too large.

    >>> multiply(3, 4)
    12
    """
    check_bits(_bits(a) + _bits(b))
    return a * b


def quotient(a: Fraction, b: Fraction) -> Fraction:
    """The quotient of two numbers, unless it is too large; 0 if the second is."""
    check_bits(_bits(a) + _bits(b))
    return a / b if b else Fraction(0)


ADD: Op[Any] = Op("+", lambda a, b: a + b, operand_sort)
MUL: Op[Any] = Op("*", multiply, operand_sort)
NEG: Op[Any] = Op("-", lambda a: -a, operand_sort)
LE: Op[Guard] = Op("<=", lambda a, b: a <= b, lambda a, b: Bool)

add = commutative(ADD, (IntSort, RealSort))
mul = commutative(MUL, (IntSort, RealSort))
neg = unary(NEG)
le = binary(LE, Bool, (IntSort, RealSort))

NUMERIC = ("Int", "Real")


@overload
def negate(value: Integer) -> Integer: ...
@overload
def negate(value: Rational) -> Rational: ...


def negate(value: Numeric) -> Numeric:
    """The negative of a term or number."""
    return neg(value) if isinstance(value, Term) else -value


@overload
def plus(a: Integer, b: Integer) -> Integer: ...
@overload
def plus(a: Rational, b: Rational) -> Rational: ...
@overload
def plus(a: Numeric, b: Numeric) -> Numeric: ...


def plus(a: Numeric, b: Numeric) -> Numeric:
    """The sum of terms or numbers of one sort."""
    return ADD(a, b)


def _subtract(self: NumericTerm, other: FloatLike) -> object:
    if isinstance(other, (int, Fraction)):
        return add(self, -other)
    if isinstance(other, ArithmeticTerm):
        return add(self, neg(other))
    coerced = self.sort.coerce(other)
    if coerced is NotImplemented:
        return beside_float(operator.sub, self, other)
    return add(self, negate(coerced))


def _subtract_from(self: NumericTerm, other: FloatLike) -> object:
    if isinstance(other, (float, FP)):
        return beside_float(operator.sub, other, self)
    return add(neg(self), other)


class ArithmeticTerm(Term, Generic[OperatorT, ResultT]):
    """What the terms of Int and Real have in common."""

    __slots__ = ()
    __hash__ = object.__hash__

    if TYPE_CHECKING:
        __add__: OperatorT
        __radd__: OperatorT
        __sub__: OperatorT
        __rsub__: OperatorT
        __mul__: OperatorT
        __rmul__: OperatorT

        def __neg__(self) -> ResultT: ...
        def __le__(self, other: FloatLike) -> Guard: ...
    else:
        __add__ = add
        __radd__ = add
        __sub__ = _subtract
        __rsub__ = _subtract_from
        __mul__ = mul
        __rmul__ = mul
        __neg__ = neg
        __le__ = le

    def __pos__(self) -> Self:
        return self

    def __ge__(self, other: FloatLike) -> Guard:
        if other.__class__ is int and self.sort is Int:
            return not_(le(self, other - 1))
        return le(other, self)

    def __gt__(self, other: FloatLike) -> Guard:
        if isinstance(other, (float, FP)):  # NaN is neither larger nor not
            return beside_float(operator.gt, self, other)
        return complement(le(self, other))

    def __lt__(self, other: FloatLike) -> Guard:
        if other.__class__ is int and self.sort is Int:
            return le(self, other - 1)
        if isinstance(other, (float, FP)):
            return beside_float(operator.lt, self, other)
        return complement(self.__ge__(other))

    def __abs__(self) -> ResultT:
        return ite(self >= 0, self, neg(self))


def complement(result: Guard) -> Guard:
    """The negation, passing on NotImplemented."""
    return result if result is NotImplemented else not_(result)
