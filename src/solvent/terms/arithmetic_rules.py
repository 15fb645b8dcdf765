"""The rewriting rules of Int and Real: sums, products, order, equality.

Normal forms: a constant summand or factor is last; comparisons with a constant move every constant
to the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.arithmetic import ADD, LE, MUL, NEG, NUMERIC, le, mul, multiply, neg, plus
from solvent.terms.booleans import EQ, ITE, constant_chain, eq, ite, not_
from solvent.terms.ops import Op
from solvent.terms.rules import SHARED, rule
from solvent.terms.sorts import Int
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Number, Numeric, NumericTerm

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


@rule(ADD, "-x + x = 0", lambda x: (-x, x), on=NEG, theories=NUMERIC, needs=SHARED)
def add_inverse(negative: NumericTerm, x: NumericTerm) -> Numeric | None:
    return x.sort.coerce(0) if negative.key[1] is x else None


@rule(
    ADD,
    "(x + y) + -x = y",
    lambda x, y: (-x, x + y),
    on=NEG,
    theories=NUMERIC,
    needs=SHARED,
)
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


@rule(
    ADD,
    "x * c + x = x * (c + 1)",
    lambda x, c: (x * c, x),
    on=MUL,
    theories=NUMERIC,
    needs=SHARED,
)
def add_multiple(product: NumericTerm, y: NumericTerm) -> Numeric | None:
    _, x, c = product.key
    return MUL(x, c + 1) if x is y and _is_number(c) else None


@rule(
    ADD,
    "x * c + x * d = x * (c + d)",
    lambda x, c, d: (x * c, x * d),
    on=MUL,
    theories=NUMERIC,
    needs=SHARED,
)
def add_multiples(product: NumericTerm, other: NumericTerm) -> Numeric | None:
    if other.op is not MUL:
        return None
    _, x, c = product.key
    _, y, d = other.key
    return MUL(x, c + d) if x is y and _is_number(c) and _is_number(d) else None


@rule(
    ADD,
    "-x + x * c = x * (c - 1)",
    lambda x, c: (-x, x * c),
    on=NEG,
    theories=NUMERIC,
    needs=SHARED,
)
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
