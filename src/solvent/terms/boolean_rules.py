"""The rewriting rules of and, or and not: units, complements, absorption, resolution.

These are the equivalences that the formulas of merged states meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.terms.booleans import AND, NOT, OR, BoolTerm, and_, not_, or_
from solvent.terms.rules import SHARED, rule
from solvent.terms.sorts import Bool
from solvent.terms.term import node

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard


@rule(AND, "p and p = p", lambda p: (p, p), same=True)
@rule(OR, "p or p = p", lambda p: (p, p), same=True)
def idempotent(p: BoolTerm, _: BoolTerm) -> Guard | None:
    return p


@rule(AND, "p and True = p, p and False = False", lambda p, c: (p, c), constant=True)
def and_constant(p: BoolTerm, c: bool) -> Guard | None:
    return p if c else False


@rule(OR, "p or True = True, p or False = p", lambda p, c: (p, c), constant=True)
def or_constant(p: BoolTerm, c: bool) -> Guard | None:
    return True if c else p


@rule(NOT, "not not p = p", lambda p: (raw_not(p),), on=NOT)
def double_negation(p: BoolTerm) -> Guard | None:
    return p.key[1]


def raw_not(p: BoolTerm) -> BoolTerm:
    """The negation of a term, built without rules, for examples of rules."""
    return node(BoolTerm, NOT, Bool, p)


@rule(AND, "not p and p = False", lambda p: (~p, p), on=NOT, needs=SHARED)
def and_complement(n: BoolTerm, p: BoolTerm) -> Guard | None:
    return False if n.key[1] is p else None


@rule(OR, "not p or p = True", lambda p: (~p, p), on=NOT, needs=SHARED)
def or_complement(n: BoolTerm, p: BoolTerm) -> Guard | None:
    return True if n.key[1] is p else None


@rule(AND, "not (p or q) and p = False", lambda p, q: (~(p | q), p), on=NOT, needs=SHARED)
def and_negated_or(n: BoolTerm, p: BoolTerm) -> Guard | None:
    inner = n.key[1]
    if inner.op is OR and (inner.key[1] is p or inner.key[2] is p):
        return False
    return None


@rule(OR, "not (p and q) or p = True", lambda p, q: (~(p & q), p), on=NOT, needs=SHARED)
def or_negated_and(n: BoolTerm, p: BoolTerm) -> Guard | None:
    inner = n.key[1]
    if inner.op is AND and (inner.key[1] is p or inner.key[2] is p):
        return True
    return None


@rule(AND, "not (p and q) and p = p and not q", lambda p, q: (~(p & q), p), on=NOT, needs=SHARED)
def and_negated_and(n: BoolTerm, p: BoolTerm) -> Guard | None:
    inner = n.key[1]
    if inner.op is AND:
        _, a, b = inner.key
        if a is p:
            return and_(p, not_(b))
        if b is p:
            return and_(p, not_(a))
    return None


@rule(OR, "not (p or q) or p = p or not q", lambda p, q: (~(p | q), p), on=NOT, needs=SHARED)
def or_negated_or(n: BoolTerm, p: BoolTerm) -> Guard | None:
    inner = n.key[1]
    if inner.op is OR:
        _, a, b = inner.key
        if a is p:
            return or_(p, not_(b))
        if b is p:
            return or_(p, not_(a))
    return None


@rule(AND, "(p and q) and p = p and q", lambda p, q: (p & q, p), on=AND, needs=SHARED)
@rule(OR, "(p or q) or p = p or q", lambda p, q: (p | q, p), on=OR, needs=SHARED)
def absorbed(pair: BoolTerm, p: BoolTerm) -> Guard | None:
    _, a, b = pair.key
    return pair if a is p or b is p else None


@rule(AND, "(p and q) and not p = False", lambda p, q: (p & q, ~p), on=AND, needs=SHARED)
def and_absorbed_complement(pair: BoolTerm, n: BoolTerm) -> Guard | None:
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p or b is p:
            return False
    if (a.op is NOT and a.key[1] is n) or (b.op is NOT and b.key[1] is n):
        return False
    return None


@rule(OR, "(p or q) or not p = True", lambda p, q: (p | q, ~p), on=OR, needs=SHARED)
def or_absorbed_complement(pair: BoolTerm, n: BoolTerm) -> Guard | None:
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p or b is p:
            return True
    if (a.op is NOT and a.key[1] is n) or (b.op is NOT and b.key[1] is n):
        return True
    return None


@rule(AND, "(p or q) and p = p", lambda p, q: (p | q, p), on=OR, needs=SHARED)
@rule(OR, "(p and q) or p = p", lambda p, q: (p & q, p), on=AND, needs=SHARED)
def absorbing(pair: BoolTerm, p: BoolTerm) -> Guard | None:
    _, a, b = pair.key
    return p if a is p or b is p else None


def _without_complement(pair: BoolTerm, n: BoolTerm) -> Guard | None:
    """The other half of a pair, if one half is the complement of `n`."""
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p:
            return b
        if b is p:
            return a
    if a.op is NOT and a.key[1] is n:
        return b
    if b.op is NOT and b.key[1] is n:
        return a
    return None


@rule(AND, "(p or q) and not p = q and not p", lambda p, q: (p | q, ~p), on=OR, needs=SHARED)
def and_unit_resolution(pair: BoolTerm, n: BoolTerm) -> Guard | None:
    rest = _without_complement(pair, n)
    return None if rest is None else and_(rest, n)


@rule(OR, "(p and q) or not p = q or not p", lambda p, q: (p & q, ~p), on=AND, needs=SHARED)
def or_unit_resolution(pair: BoolTerm, n: BoolTerm) -> Guard | None:
    rest = _without_complement(pair, n)
    return None if rest is None else or_(rest, n)


def _resolve(first: BoolTerm, second: BoolTerm) -> Guard | None:
    """The common half of two pairs whose other halves are complements."""
    _, a, b = first.key
    _, c, d = second.key
    for common, left, other, right in ((a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)):
        if common is other and (
            (left.op is NOT and left.key[1] is right) or (right.op is NOT and right.key[1] is left)
        ):
            return common
    return None


@rule(AND, "(p or q) and (p or not q) = p", lambda p, q: (p | q, p | ~q), on=OR, needs=SHARED)
def and_resolution(first: BoolTerm, second: BoolTerm) -> Guard | None:
    return _resolve(first, second) if second.op is OR else None


@rule(OR, "(p and q) or (p and not q) = p", lambda p, q: (p & q, p & ~q), on=AND, needs=SHARED)
def or_resolution(first: BoolTerm, second: BoolTerm) -> Guard | None:
    return _resolve(first, second) if second.op is AND else None
