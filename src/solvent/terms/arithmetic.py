"""The arithmetic that Int and Real share: sums, products, order, and their rules.

Normal forms: a constant summand or factor is last; `x - y` is `x + -y`; `x < y` is `not y <= x`,
so that a comparison and its complement are one term and its negation.  Comparisons with a
constant move every constant to the right.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from solvent.errors import EvaluationError
from solvent.terms.booleans import EQ, ITE, constant_chain, eq, ite, not_
from solvent.terms.ops import Op, ResultT
from solvent.terms.rules import rule
from solvent.terms.softfloat import FP
from solvent.terms.sorts import Bool, Int, IntSort, RealSort, Sort
from solvent.terms.term import Term, beside_float, binary, commutative, unary
from solvent.terms.values import sort_of

if TYPE_CHECKING:
    from solvent.terms.kinds import (
        FloatLike,
        Guard,
        Integer,
        Number,
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


# --- sums --------------------------------------------------------------------------------------


def _is_number(value: object) -> bool:
    return not isinstance(value, Term)


@rule(ADD, "x + x = x * 2", lambda x: (x, x), same=True, theories=NUMERIC)
def add_same(x: NumericTerm, _: NumericTerm) -> Numeric | None:
    return mul(x, 2)


@rule(ADD, "x + 0 = x", lambda x, u: (x, u), constant=True, theories=NUMERIC)
def add_zero(x: NumericTerm, c: Number) -> Numeric | None:
    return x if c == 0 else None


@rule(
    ADD,
    "(x + c) + d = x + (c + d)",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def add_constants(pair: NumericTerm, d: Number) -> Numeric | None:
    _, x, c = pair.key
    return plus(x, c + d) if _is_number(c) else None


@rule(ADD, "(x + c) + y = (x + y) + c", lambda x, y, c: (x + c, y), on=ADD, theories=NUMERIC)
def add_constant_last(pair: NumericTerm, y: NumericTerm) -> Numeric | None:
    _, x, c = pair.key
    return plus(plus(x, y), c) if not isinstance(c, Term) else None


@rule(ADD, "-x + x = 0", lambda x: (-x, x), on=NEG, theories=NUMERIC)
def add_inverse(negative: NumericTerm, x: NumericTerm) -> Numeric | None:
    return x.sort.coerce(0) if negative.key[1] is x else None


@rule(ADD, "(x + y) + -x = y", lambda x, y: (-x, x + y), on=NEG, theories=NUMERIC)
def add_cancel(negative: NumericTerm, pair: NumericTerm) -> Numeric | None:
    if pair.op is not ADD:
        return None
    x = negative.key[1]
    _, a, b = pair.key
    return b if a is x else a if b is x else None


@rule(ADD, "(-x + y) + x = y", lambda x, y: (-x + y, x), on=ADD, theories=NUMERIC)
def add_cancel_inner(pair: NumericTerm, x: NumericTerm) -> Numeric | None:
    _, a, b = pair.key
    if a.op is NEG and a.key[1] is x:
        return b
    if isinstance(b, Term) and b.op is NEG and b.key[1] is x:
        return a
    return None


@rule(ADD, "x * c + x = x * (c + 1)", lambda x, c: (x * c, x), on=MUL, theories=NUMERIC)
def add_multiple(product: NumericTerm, y: NumericTerm) -> Numeric | None:
    _, x, c = product.key
    return MUL(x, c + 1) if x is y and _is_number(c) else None


@rule(ADD, "x * c + x * d = x * (c + d)", lambda x, c, d: (x * c, x * d), on=MUL, theories=NUMERIC)
def add_multiples(product: NumericTerm, other: NumericTerm) -> Numeric | None:
    if other.op is not MUL:
        return None
    _, x, c = product.key
    _, y, d = other.key
    return MUL(x, c + d) if x is y and _is_number(c) and _is_number(d) else None


@rule(ADD, "-x + x * c = x * (c - 1)", lambda x, c: (-x, x * c), on=NEG, theories=NUMERIC)
def add_negative_multiple(negative: NumericTerm, product: NumericTerm) -> Numeric | None:
    if product.op is not MUL:
        return None
    _, x, c = product.key
    return MUL(x, c - 1) if x is negative.key[1] and _is_number(c) else None


@rule(
    ADD,
    "ite(p, c, d) + e = ite(p, c + e, d + e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=NUMERIC,
)
def add_to_choice(choice: NumericTerm, e: Number) -> Numeric | None:
    _, test, c, d = choice.key
    return ite(test, c + e, d + e) if _is_number(c) and _is_number(d) else None


# --- products and negation ---------------------------------------------------------------------


@rule(
    MUL, "x * 0 = 0, x * 1 = x, x * -1 = -x", lambda x, u: (x, u), constant=True, theories=NUMERIC
)
def mul_unit(x: NumericTerm, c: Number) -> Numeric | None:
    if c == 1:
        return x
    if c == 0:
        return c
    return neg(x) if c == -1 else None


@rule(
    MUL,
    "(x * c) * d = x * (c * d)",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
    theories=NUMERIC,
)
def mul_constants(product: NumericTerm, d: Number) -> Numeric | None:
    _, x, c = product.key
    return MUL(x, multiply(c, d)) if _is_number(c) else None


@rule(
    MUL,
    "(x + c) * d = x * d + c * d",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def mul_sum(pair: NumericTerm, d: Number) -> Numeric | None:
    _, x, c = pair.key
    return plus(mul(x, d), multiply(c, d)) if _is_number(c) else None


@rule(MUL, "-x * c = x * -c", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def mul_negative(negative: NumericTerm, c: Number) -> Numeric | None:
    return mul(negative.key[1], -c)


@rule(MUL, "(x * c) * y = (x * y) * c", lambda x, y, c: (x * c, y), on=MUL, theories=NUMERIC)
def mul_constant_last(product: NumericTerm, y: NumericTerm) -> Numeric | None:
    _, x, c = product.key
    return mul(mul(x, y), c) if _is_number(c) else None


@rule(
    MUL,
    "ite(p, c, d) * e = ite(p, c * e, d * e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=NUMERIC,
)
def mul_choice(choice: NumericTerm, e: Number) -> Numeric | None:
    _, test, c, d = choice.key
    if not (_is_number(c) and _is_number(d)):
        return None
    return ite(test, multiply(c, e), multiply(d, e))


@rule(NEG, "--x = x", lambda x: (-x,), on=NEG, theories=NUMERIC)
def neg_neg(negative: NumericTerm) -> Numeric | None:
    return negative.key[1]


@rule(NEG, "-(x + c) = -x + -c", lambda x, c: (x + c,), on=ADD, theories=NUMERIC)
def neg_sum(pair: NumericTerm) -> Numeric | None:
    _, x, c = pair.key
    return plus(neg(x), -c) if _is_number(c) else None


@rule(NEG, "-(x * c) = x * -c", lambda x, c: (x * c,), on=MUL, theories=NUMERIC)
def neg_multiple(product: NumericTerm) -> Numeric | None:
    _, x, c = product.key
    return MUL(x, -c) if _is_number(c) else None


@rule(
    NEG, "-ite(p, c, d) = ite(p, -c, -d)", lambda p, c, d: (ite(p, c, d),), on=ITE, theories=NUMERIC
)
def neg_choice(choice: NumericTerm) -> Numeric | None:
    _, test, c, d = choice.key
    return ite(test, -c, -d) if _is_number(c) and _is_number(d) else None


# --- order -------------------------------------------------------------------------------------


@rule(LE, "x <= x = True", lambda x: (x, x), same=True, theories=NUMERIC)
def le_same(x: NumericTerm, _: NumericTerm) -> Guard | None:
    return True


@rule(
    LE,
    "x + c <= d = x <= d - c",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def le_sum_constant(pair: NumericTerm, d: Number) -> Guard | None:
    _, x, c = pair.key
    return le(x, d - c) if _is_number(c) else None


@rule(
    LE,
    "d <= x + c = d - c <= x",
    lambda x, c, d: (d, x + c),
    on=ADD,
    left_constant=True,
    theories=NUMERIC,
)
def le_constant_sum(d: Number, pair: NumericTerm) -> Guard | None:
    _, x, c = pair.key
    return le(d - c, x) if _is_number(c) else None


@rule(
    LE,
    "c <= x = not x <= c - 1 for integers",
    lambda x, c: (c, x),
    left_constant=True,
    theories=("Int",),
)
def le_int_constant_left(c: Number, x: NumericTerm) -> Guard | None:
    return not_(le(x, c - 1)) if x.sort is Int and x.op is not ADD else None


@rule(LE, "-x <= c = -c <= x", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def le_negative_constant(negative: NumericTerm, c: Number) -> Guard | None:
    return le(-c, negative.key[1])


@rule(LE, "c <= -x = x <= -c", lambda x, c: (c, -x), on=NEG, left_constant=True, theories=("Real",))
def le_constant_negative(c: Number, negative: NumericTerm) -> Guard | None:
    return le(negative.key[1], -c)


@rule(
    LE,
    "x * c <= d = x <= d / c",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
    theories=NUMERIC,
)
def le_multiple_constant(product: NumericTerm, d: Number) -> Guard | None:
    _, x, c = product.key
    if not _is_number(c):
        return None
    if isinstance(c, int):
        return le(x, d // c) if c > 0 else le(-(d // -c), x)
    return le(x, d / c) if c > 0 else le(d / c, x)


@rule(
    LE,
    "x + c <= y + d = x + (c - d) <= y",
    lambda x, y, c, d: (x + c, y + d),
    on=ADD,
    theories=NUMERIC,
)
def le_sums(first: NumericTerm, second: NumericTerm) -> Guard | None:
    if second.op is not ADD:
        return None
    _, x, c = first.key
    _, y, d = second.key
    return LE(plus(x, c - d), y) if _is_number(c) and _is_number(d) else None


@rule(LE, "x + c <= x = c <= 0", lambda x, c: (x + c, x), on=ADD, theories=NUMERIC)
def le_sum_left(pair: NumericTerm, y: NumericTerm) -> Guard | None:
    _, x, c = pair.key
    return c <= 0 if x is y and _is_number(c) else None


@rule(LE, "x <= x + c = 0 <= c", lambda x, c: (x, x + c), right=ADD, theories=NUMERIC)
def le_sum_right(y: NumericTerm, pair: NumericTerm) -> Guard | None:
    _, x, c = pair.key
    return c >= 0 if x is y and _is_number(c) else None


def compare_choice(
    op: Op[Guard], choice: Term, constant: object, choice_first: bool
) -> Guard | None:
    """Push a comparison with a constant into a chain of choices between constants."""
    steps, x = constant_chain(choice)
    if isinstance(x, Term):
        return None

    def compare(value: object) -> Guard:
        return op.fold(value, constant) if choice_first else op.fold(constant, value)

    result = compare(x)
    for test, leaf in reversed(steps):
        result = ite(test, compare(leaf), result)
    return result


@rule(
    LE,
    "ite(p, c, d) <= e = ite(p, c <= e, d <= e)",
    lambda p, c, d, e: (ite(p, c, d), e),
    on=ITE,
    constant=True,
    theories=NUMERIC,
)
def le_choice_constant(choice: NumericTerm, e: Number) -> Guard | None:
    return compare_choice(LE, choice, e, choice_first=True)


@rule(
    LE,
    "e <= ite(p, c, d) = ite(p, e <= c, e <= d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=("Real",),
)
def le_constant_choice(e: Number, choice: NumericTerm) -> Guard | None:
    return compare_choice(LE, choice, e, choice_first=False)


# --- equality ----------------------------------------------------------------------------------


@rule(
    EQ,
    "(x + c == d) = (x == d - c)",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def eq_sum_constant(pair: NumericTerm, d: Number) -> Guard | None:
    _, x, c = pair.key
    return eq(x, d - c) if _is_number(c) else None


@rule(EQ, "(-x == c) = (x == -c)", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def eq_negative_constant(negative: NumericTerm, c: Number) -> Guard | None:
    return eq(negative.key[1], -c)


@rule(
    EQ,
    "(x * c == d) = (x == d / c), False if it does not divide",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
    theories=NUMERIC,
)
def eq_multiple_constant(product: NumericTerm, d: Number) -> Guard | None:
    _, x, c = product.key
    if not _is_number(c):
        return None
    if isinstance(c, int):
        return False if d % c else eq(x, d // c)
    return eq(x, d / c)


@rule(
    EQ,
    "(x + c == y + d) = (x + (c - d) == y)",
    lambda x, y, c, d: (x + c, y + d),
    on=ADD,
    theories=NUMERIC,
)
def eq_sums(first: NumericTerm, second: NumericTerm) -> Guard | None:
    if second.op is not ADD:
        return None
    _, x, c = first.key
    _, y, d = second.key
    return eq(plus(x, c - d), y) if _is_number(c) and _is_number(d) else None


@rule(EQ, "(x + y == x) = (y == 0)", lambda x, y: (x + y, x), on=ADD, theories=NUMERIC)
def eq_sum_operand(pair: NumericTerm, y: NumericTerm) -> Guard | None:
    _, a, b = pair.key
    if a is y:
        return eq(b, 0) if isinstance(b, Term) else b == 0
    return eq(a, 0) if b is y else None
