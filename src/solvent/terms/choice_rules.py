"""The rewriting rules of equality and if-then-else: tests that an enclosing guard has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.booleans import (
    AND,
    EQ,
    ITE,
    NOT,
    OR,
    BoolTerm,
    and_,
    constant_chain,
    eq,
    ite,
    not_,
    or_,
)
from solvent.terms.rules import SHARED, rule
from solvent.terms.sorts import Bool, BoolSort, Sort
from solvent.terms.term import Term, same_operand
from solvent.terms.values import sort_of

if TYPE_CHECKING:
    from solvent.terms.kinds import Concrete, Guard, Operand


@rule(EQ, "(x == x) = True", lambda x: (x, x), same=True, theories=("Bool", "Int", "BitVec"))
def eq_same(x: Term, _: Term) -> Guard | None:
    return True


@rule(
    EQ, "(p == True) = p, (p == False) = not p", lambda p, b: (p, b), constant=True, on=(BoolSort,)
)
def bool_eq_constant(p: BoolTerm, c: bool) -> Guard | None:
    return p if c else not_(p)


@rule(EQ, "(not p == p) = False, (not p == q) = not (p == q)", lambda p, q: (~p, q), on=NOT)
def bool_eq_not(n: BoolTerm, q: BoolTerm) -> Guard | None:
    p = n.key[1]
    if p is q:
        return False
    if q.op is NOT:
        return eq(p, q.key[1])
    return not_(eq(p, q))


@rule(
    EQ,
    "(ite(p, c, x) == d) = (p and c == d) or (not p and x == d)",
    lambda p, q, c, d, x: (ite(p, c, ite(q, d, x)), d),
    on=ITE,
    constant=True,
    theories=("Int", "Real", "BitVec", "Str"),
)
def eq_ite_constant(chain: Term, d: Concrete) -> Guard | None:
    """Push a comparison with a constant into a chain of choices between constants."""
    steps, x = constant_chain(chain)
    if not steps or (isinstance(x, Term) and x.op.base is ITE):
        return None
    result = eq(x, d) if isinstance(x, Term) else x == d
    for test, leaf in reversed(steps):
        result = or_(test, result) if leaf == d else and_(not_(test), result)
    return result


@rule(
    EQ,
    "(ite(p, x, y) == x) = p or y == x",
    lambda p, x, y: (ite(p, x, y), x),
    on=ITE,
    needs=SHARED,
    theories=("Int", "BitVec"),
)
def eq_ite_branch(choice: Term, x: Term) -> Guard | None:
    _, test, a, b = choice.key
    if a is x:
        return or_(test, eq(b, x))
    if b is x:
        return or_(not_(test), eq(a, x))
    return None


def _pair(term: BoolTerm) -> tuple[Term, Concrete] | None:
    """The compared term and constant of an equation with a constant, or None."""
    _, x, c = term.key
    return None if isinstance(c, Term) else (x, c)


@rule(
    AND,
    "x == c and x == d = False for different constants",
    lambda x, c, d: (eq(x, c), eq(x, d)),
    on=EQ,
    needs=SHARED,
    theories=("Int", "BitVec"),
)
def and_different_constants(first: BoolTerm, second: BoolTerm) -> Guard | None:
    if second.op is not EQ:
        return None
    one, two = _pair(first), _pair(second)
    if one is None or two is None or one[0] is not two[0] or one[1] == two[1]:
        return None
    return False


@rule(
    AND,
    "x == c and not x == d = x == c for different constants",
    lambda x, c, d: (eq(x, c), not_(eq(x, d))),
    on=EQ,
    needs=SHARED,
    theories=("Int", "BitVec"),
)
def and_different_constant_negated(first: BoolTerm, negated: BoolTerm) -> Guard | None:
    if negated.op is not NOT or negated.key[1].op is not EQ:
        return None
    one, two = _pair(first), _pair(negated.key[1])
    if one is None or two is None or one[0] is not two[0] or one[1] == two[1]:
        return None
    return first


@rule(
    OR,
    "x == c or not x == d = not x == d for different constants",
    lambda x, c, d: (eq(x, c), not_(eq(x, d))),
    on=EQ,
    needs=SHARED,
    theories=("Int", "BitVec"),
)
def or_different_constant_negated(first: BoolTerm, negated: BoolTerm) -> Guard | None:
    return None if and_different_constant_negated(first, negated) is None else negated


# --- if-then-else ------------------------------------------------------------------------------


@rule(
    ITE,
    "ite(p, c, c) = c",
    lambda p, c: (sort_of(c), p, c, c),
    same=True,
    theories=("Int", "BitVec"),
)
def ite_same(_: Sort[Term], test: BoolTerm, a: Operand, b: Operand) -> Operand | None:
    return a


@rule(
    ITE,
    "ite(not p, x, y) = ite(p, y, x)",
    lambda p, x, y: (x.sort, ~p, x, y),
    on=NOT,
    theories=("Int", "BitVec", "Bool"),
)
def ite_negated_test(_: Sort[Term], test: BoolTerm, a: Operand, b: Operand) -> Operand | None:
    return ite(test.key[1], b, a)


@rule(
    ITE,
    "ite(p, True, q) = p or q, ite(p, not p, q) = not p and q and so on",
    lambda p, q, n: (Bool, p, (True, False, ~p, p)[n], q),
    on=(BoolSort,),
)
def bool_ite_constant_then(_: Sort[Term], test: BoolTerm, a: Guard, b: Guard) -> Guard | None:
    if a is True or a is test:
        return or_(test, b)
    # A chain such as `0 <= x <= 9` is `x <= 9 if t else t`.
    if a is False or (a.op is NOT and a.key[1] is test):
        return and_(not_(test), b)
    return None


@rule(
    ITE,
    "ite(p, q, True) = not p or q, ite(p, q, not p) = not p or q and so on",
    lambda p, q, n: (Bool, p, q, (True, False, ~p, p)[n]),
    on=(BoolSort,),
)
def bool_ite_constant_else(_: Sort[Term], test: BoolTerm, a: Guard, b: Guard) -> Guard | None:
    if b is True:
        return or_(not_(test), a)
    if b is False or b is test:
        return and_(test, a)
    if b.op is NOT and b.key[1] is test:
        return or_(b, a)
    return None


@rule(
    ITE,
    "ite(p, ite(p, x, y), z) = ite(p, x, z)",
    lambda p, x, y, z: (x.sort, p, ite(p, x, y), z),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_repeated_test_then(
    sort: Sort[Term], test: BoolTerm, a: Operand, b: Operand
) -> Operand | None:
    if isinstance(a, Term) and a.op.base is ITE and a.key[1] is test:
        return ite(test, a.key[2], b)
    return None


@rule(
    ITE,
    "ite(p, x, ite(p, y, z)) = ite(p, x, z)",
    lambda p, x, y, z: (x.sort, p, x, ite(p, y, z)),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_repeated_test_else(
    sort: Sort[Term], test: BoolTerm, a: Operand, b: Operand
) -> Operand | None:
    if isinstance(b, Term) and b.op.base is ITE and b.key[1] is test:
        return ite(test, a, b.key[3])
    return None


@rule(
    ITE,
    "ite(p, x, ite(q, x, y)) = ite(p or q, x, y)",
    lambda p, q, x, y: (x.sort, p, x, ite(q, x, y)),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_shared_then(sort: Sort[Term], test: BoolTerm, a: Operand, b: Operand) -> Operand | None:
    if isinstance(b, Term) and b.op.base is ITE:
        if same_operand(b.key[2], a):
            return ite(or_(test, b.key[1]), a, b.key[3])
        if same_operand(b.key[3], a):
            return ite(or_(test, not_(b.key[1])), a, b.key[2])
    return None


@rule(
    ITE,
    "ite(p, ite(q, x, y), y) = ite(p and q, x, y)",
    lambda p, q, x, y: (x.sort, p, ite(q, x, y), y),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_shared_else(sort: Sort[Term], test: BoolTerm, a: Operand, b: Operand) -> Operand | None:
    if isinstance(a, Term) and a.op.base is ITE:
        if same_operand(a.key[3], b):
            return ite(and_(test, a.key[1]), a.key[2], b)
        if same_operand(a.key[2], b):
            return ite(and_(test, not_(a.key[1])), a.key[3], b)
    return None
