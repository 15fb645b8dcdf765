"""The arithmetic that Int and Real share: sums, products, order, and their rules.

Normal forms: a constant summand or factor is last; `x - y` is `x + -y`; `x < y` is `not y <= x`,
so that a comparison and its complement are one term and its negation.  Comparisons with a
constant move every constant to the right.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

from solvent.errors import EvaluationError
from solvent.terms.booleans import EQ, ITE, constant_chain, eq, ite, not_
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.softfloat import FP
from solvent.terms.sorts import Bool, Int, IntSort, RealSort, Sort
from solvent.terms.term import Term, beside_float, binary, commutative, unary
from solvent.terms.values import sort_of


def operand_sort(*args: Any) -> Sort[Any]:
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


def multiply(a: Any, b: Any) -> Any:
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


ADD = Op("+", lambda a, b: a + b, operand_sort)
MUL = Op("*", multiply, operand_sort)
NEG = Op("-", lambda a: -a, operand_sort)
LE = Op("<=", lambda a, b: a <= b, lambda a, b: Bool)

add = commutative(ADD, (IntSort, RealSort))
mul = commutative(MUL, (IntSort, RealSort))
neg = unary(NEG)
le = binary(LE, Bool, (IntSort, RealSort))

NUMERIC = ("Int", "Real")


def negate(value: Any) -> Any:
    """The negative of a term or number."""
    return neg(value) if isinstance(value, Term) else -value


def plus(a: Any, b: Any) -> Any:
    """The sum of terms or numbers of one sort."""
    return ADD(a, b)


class ArithmeticTerm(Term):
    """What the terms of Int and Real have in common."""

    __slots__ = ()
    __hash__ = object.__hash__

    __add__ = add
    __radd__ = add
    __mul__ = mul
    __rmul__ = mul
    __neg__ = neg
    __le__ = le

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, (int, Fraction)):
            return add(self, -other)
        if isinstance(other, ArithmeticTerm):
            return add(self, neg(other))
        coerced = self.sort.coerce(other)
        if coerced is NotImplemented:
            return beside_float(operator.sub, self, other)
        return add(self, negate(coerced))

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, (float, FP)):
            return beside_float(operator.sub, other, self)
        return add(neg(self), other)

    def __ge__(self, other: Any) -> Any:
        if other.__class__ is int and self.sort is Int:
            return not_(le(self, other - 1))
        return le(other, self)

    def __gt__(self, other: Any) -> Any:
        if isinstance(other, (float, FP)):  # NaN is neither larger nor not
            return beside_float(operator.gt, self, other)
        return complement(le(self, other))

    def __lt__(self, other: Any) -> Any:
        if other.__class__ is int and self.sort is Int:
            return le(self, other - 1)
        if isinstance(other, (float, FP)):
            return beside_float(operator.lt, self, other)
        return complement(self.__ge__(other))

    def __abs__(self) -> Any:
        return ite(self >= 0, self, neg(self))


def complement(result: Any) -> Any:
    """The negation, passing on NotImplemented."""
    return result if result is NotImplemented else not_(result)


# --- sums --------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return not isinstance(value, Term)


@rule(ADD, "x + x = x * 2", lambda x: (x, x), same=True, theories=NUMERIC)
def add_same(x: Any, _: Any) -> Any:
    return mul(x, 2)


@rule(ADD, "x + 0 = x", lambda x, u: (x, u), constant=True, theories=NUMERIC)
def add_zero(x: Any, c: Any) -> Any:
    return x if c == 0 else None


@rule(
    ADD,
    "(x + c) + d = x + (c + d)",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def add_constants(pair: Any, d: Any) -> Any:
    _, x, c = pair.key
    return plus(x, c + d) if _is_number(c) else None


@rule(ADD, "(x + c) + y = (x + y) + c", lambda x, y, c: (x + c, y), on=ADD, theories=NUMERIC)
def add_constant_last(pair: Any, y: Any) -> Any:
    _, x, c = pair.key
    return plus(plus(x, y), c) if not isinstance(c, Term) else None


@rule(ADD, "-x + x = 0", lambda x: (-x, x), on=NEG, theories=NUMERIC)
def add_inverse(negative: Any, x: Any) -> Any:
    return x.sort.coerce(0) if negative.key[1] is x else None


@rule(ADD, "(x + y) + -x = y", lambda x, y: (-x, x + y), on=NEG, theories=NUMERIC)
def add_cancel(negative: Any, pair: Any) -> Any:
    if pair.op is not ADD:
        return None
    x = negative.key[1]
    _, a, b = pair.key
    return b if a is x else a if b is x else None


@rule(ADD, "(-x + y) + x = y", lambda x, y: (-x + y, x), on=ADD, theories=NUMERIC)
def add_cancel_inner(pair: Any, x: Any) -> Any:
    _, a, b = pair.key
    if a.op is NEG and a.key[1] is x:
        return b
    if isinstance(b, Term) and b.op is NEG and b.key[1] is x:
        return a
    return None


@rule(ADD, "x * c + x = x * (c + 1)", lambda x, c: (x * c, x), on=MUL, theories=NUMERIC)
def add_multiple(product: Any, y: Any) -> Any:
    _, x, c = product.key
    return MUL(x, c + 1) if x is y and _is_number(c) else None


@rule(ADD, "x * c + x * d = x * (c + d)", lambda x, c, d: (x * c, x * d), on=MUL, theories=NUMERIC)
def add_multiples(product: Any, other: Any) -> Any:
    if other.op is not MUL:
        return None
    _, x, c = product.key
    _, y, d = other.key
    return MUL(x, c + d) if x is y and _is_number(c) and _is_number(d) else None


@rule(ADD, "-x + x * c = x * (c - 1)", lambda x, c: (-x, x * c), on=NEG, theories=NUMERIC)
def add_negative_multiple(negative: Any, product: Any) -> Any:
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
def add_to_choice(choice: Any, e: Any) -> Any:
    _, test, c, d = choice.key
    return ite(test, c + e, d + e) if _is_number(c) and _is_number(d) else None


# --- products and negation ---------------------------------------------------------------------


@rule(
    MUL, "x * 0 = 0, x * 1 = x, x * -1 = -x", lambda x, u: (x, u), constant=True, theories=NUMERIC
)
def mul_unit(x: Any, c: Any) -> Any:
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
def mul_constants(product: Any, d: Any) -> Any:
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
def mul_sum(pair: Any, d: Any) -> Any:
    _, x, c = pair.key
    return plus(mul(x, d), multiply(c, d)) if _is_number(c) else None


@rule(MUL, "-x * c = x * -c", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def mul_negative(negative: Any, c: Any) -> Any:
    return mul(negative.key[1], -c)


@rule(MUL, "(x * c) * y = (x * y) * c", lambda x, y, c: (x * c, y), on=MUL, theories=NUMERIC)
def mul_constant_last(product: Any, y: Any) -> Any:
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
def mul_choice(choice: Any, e: Any) -> Any:
    _, test, c, d = choice.key
    if not (_is_number(c) and _is_number(d)):
        return None
    return ite(test, multiply(c, e), multiply(d, e))


@rule(NEG, "--x = x", lambda x: (-x,), on=NEG, theories=NUMERIC)
def neg_neg(negative: Any) -> Any:
    return negative.key[1]


@rule(NEG, "-(x + c) = -x + -c", lambda x, c: (x + c,), on=ADD, theories=NUMERIC)
def neg_sum(pair: Any) -> Any:
    _, x, c = pair.key
    return plus(neg(x), -c) if _is_number(c) else None


@rule(NEG, "-(x * c) = x * -c", lambda x, c: (x * c,), on=MUL, theories=NUMERIC)
def neg_multiple(product: Any) -> Any:
    _, x, c = product.key
    return MUL(x, -c) if _is_number(c) else None


@rule(
    NEG, "-ite(p, c, d) = ite(p, -c, -d)", lambda p, c, d: (ite(p, c, d),), on=ITE, theories=NUMERIC
)
def neg_choice(choice: Any) -> Any:
    _, test, c, d = choice.key
    return ite(test, -c, -d) if _is_number(c) and _is_number(d) else None


# --- order -------------------------------------------------------------------------------------


@rule(LE, "x <= x = True", lambda x: (x, x), same=True, theories=NUMERIC)
def le_same(x: Any, _: Any) -> Any:
    return True


@rule(
    LE,
    "x + c <= d = x <= d - c",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
    theories=NUMERIC,
)
def le_sum_constant(pair: Any, d: Any) -> Any:
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
def le_constant_sum(d: Any, pair: Any) -> Any:
    _, x, c = pair.key
    return le(d - c, x) if _is_number(c) else None


@rule(
    LE,
    "c <= x = not x <= c - 1 for integers",
    lambda x, c: (c, x),
    left_constant=True,
    theories=("Int",),
)
def le_int_constant_left(c: Any, x: Any) -> Any:
    return not_(le(x, c - 1)) if x.sort is Int and x.op is not ADD else None


@rule(LE, "-x <= c = -c <= x", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def le_negative_constant(negative: Any, c: Any) -> Any:
    return le(-c, negative.key[1])


@rule(LE, "c <= -x = x <= -c", lambda x, c: (c, -x), on=NEG, left_constant=True, theories=("Real",))
def le_constant_negative(c: Any, negative: Any) -> Any:
    return le(negative.key[1], -c)


@rule(
    LE,
    "x * c <= d = x <= d / c",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
    theories=NUMERIC,
)
def le_multiple_constant(product: Any, d: Any) -> Any:
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
def le_sums(first: Any, second: Any) -> Any:
    if second.op is not ADD:
        return None
    _, x, c = first.key
    _, y, d = second.key
    return LE(plus(x, c - d), y) if _is_number(c) and _is_number(d) else None


@rule(LE, "x + c <= x = c <= 0", lambda x, c: (x + c, x), on=ADD, theories=NUMERIC)
def le_sum_left(pair: Any, y: Any) -> Any:
    _, x, c = pair.key
    return c <= 0 if x is y and _is_number(c) else None


@rule(LE, "x <= x + c = 0 <= c", lambda x, c: (x, x + c), right=ADD, theories=NUMERIC)
def le_sum_right(y: Any, pair: Any) -> Any:
    _, x, c = pair.key
    return c >= 0 if x is y and _is_number(c) else None


def compare_choice(op: Op, choice: Any, constant: Any, choice_first: bool) -> Any:
    """Push a comparison with a constant into a chain of choices between constants."""
    steps, x = constant_chain(choice)
    if isinstance(x, Term):
        return None

    def compare(value: Any) -> Any:
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
def le_choice_constant(choice: Any, e: Any) -> Any:
    return compare_choice(LE, choice, e, choice_first=True)


@rule(
    LE,
    "e <= ite(p, c, d) = ite(p, e <= c, e <= d)",
    lambda p, c, d, e: (e, ite(p, c, d)),
    on=ITE,
    left_constant=True,
    theories=("Real",),
)
def le_constant_choice(e: Any, choice: Any) -> Any:
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
def eq_sum_constant(pair: Any, d: Any) -> Any:
    _, x, c = pair.key
    return eq(x, d - c) if _is_number(c) else None


@rule(EQ, "(-x == c) = (x == -c)", lambda x, c: (-x, c), on=NEG, constant=True, theories=NUMERIC)
def eq_negative_constant(negative: Any, c: Any) -> Any:
    return eq(negative.key[1], -c)


@rule(
    EQ,
    "(x * c == d) = (x == d / c), False if it does not divide",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
    theories=NUMERIC,
)
def eq_multiple_constant(product: Any, d: Any) -> Any:
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
def eq_sums(first: Any, second: Any) -> Any:
    if second.op is not ADD:
        return None
    _, x, c = first.key
    _, y, d = second.key
    return eq(plus(x, c - d), y) if _is_number(c) and _is_number(d) else None


@rule(EQ, "(x + y == x) = (y == 0)", lambda x, y: (x + y, x), on=ADD, theories=NUMERIC)
def eq_sum_operand(pair: Any, y: Any) -> Any:
    _, a, b = pair.key
    if a is y:
        return eq(b, 0) if isinstance(b, Term) else b == 0
    return eq(a, 0) if b is y else None
