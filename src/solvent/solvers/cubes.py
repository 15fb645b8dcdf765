"""Dividing a question into pieces that are easier: cube and conquer.

A division of a formula is a list of conditions of which at least one holds in each model of the
formula; a piece is the formula under one of them, simplified.  If no piece has a model, the formula
has none.  Conditions are, in this order: the parts of a disjunction at the root, as the places that
may fail and the paths to them are; tests of choices and other conditions near the root, and values
that a selector is compared with, whichever makes the pieces smallest (look-ahead); bits of vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solvent.terms.bitvectors import concat, extract
from solvent.terms.booleans import (
    AND,
    EQ,
    ITE,
    NOT,
    OR,
    BoolTerm,
    and_,
    conjuncts,
    eq,
    not_,
    or_,
)
from solvent.terms.graph import constants, reachable, size, substitute
from solvent.terms.kinds import Guard, Operand
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.sorts import BitVecSort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, bv

# Into so many parts a disjunction, or the values of a selector, are divided at most.
MOST_PARTS = 8
# So many conditions are tried out, of formulas of up to so many terms.
_MOST_TRIED = 12
_MOST_TERMS = 400_000
# A division whose pieces are not smaller than this, on the whole, is worse than one by bits.
_LITTLE = 1.8


@dataclass(frozen=True, slots=True)
class Division:
    """Conditions, one of which holds in each model, and the formula under each of them."""

    how: str
    conditions: tuple[Guard, ...]
    pieces: tuple[Guard, ...]


def divide(formula: Guard) -> Division | None:
    """A division of a formula, `None` if nothing in it can be divided.

    >>> from solvent.terms import Bool, Int
    >>> x, p = Int("x"), Bool("p")
    >>> found = divide(or_(and_(p, x > 3), and_(not_(p), x < -3)))
    >>> found.how, len(found.pieces)
    ('disjunction', 2)
    """
    if not isinstance(formula, BoolTerm):
        return None
    found = _by_disjunction(formula)
    if found is not None:
        return found
    terms = reachable([formula])
    if not QUANTIFIERS.isdisjoint([term.op.base for term in terms]):
        # What is bound by a quantifier is no condition of the whole.
        return None
    cost, best = min(_tried(formula, terms), key=lambda one: one[0], default=(0.0, None))
    if best is not None and cost < _LITTLE:
        return best
    return _by_bit(formula, terms) or best


def _by_disjunction(formula: BoolTerm) -> Division | None:
    """The parts of a disjunction: of the formula, or of one of the formulas that must all hold."""
    parts = conjuncts(formula)
    wide = [part for part in parts if isinstance(part, BoolTerm) and part.op is OR]
    if not wide:
        return None
    widest = max(wide, key=lambda part: len(disjuncts(part)))
    if len(parts) > 1 and len(disjuncts(widest)) < 3:
        # One of many clauses tells little.
        return None
    groups = _grouped(disjuncts(widest))
    rest = [part for part in parts if part is not widest]
    conditions = tuple(or_(group) for group in groups)
    pieces = tuple(and_(condition, *rest) for condition in conditions)
    return Division("disjunction", conditions, pieces)


def disjuncts(condition: Guard) -> list[Guard]:
    """The parts of a disjunction, from left to right.

    >>> from solvent.terms import Bool
    >>> p, q, r = Bool("p"), Bool("q"), Bool("r")
    >>> sorted(map(str, disjuncts(or_(p, q, r))))
    ['p', 'q', 'r']
    """
    found: list[Guard] = []
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, BoolTerm) and part.op is OR:
            pending += reversed(part.key[1:])
        else:
            found.append(part)
    return found


def _grouped(parts: Sequence[Guard]) -> list[list[Guard]]:
    """Parts in few groups, the largest ones in different groups."""
    groups: list[list[Guard]] = [[] for _ in range(min(MOST_PARTS, len(parts)))]
    weights = [0] * len(groups)
    for part in sorted(parts, key=size, reverse=True):
        lightest = weights.index(min(weights))
        groups[lightest].append(part)
        weights[lightest] += size(part)
    return groups


# --- look-ahead ----------------------------------------------------------------------------------


def _tried(formula: BoolTerm, terms: Sequence[Term]) -> Iterator[tuple[float, Division]]:
    """Divisions with what they cost: how large their pieces are, compared with the formula."""
    whole = size(formula)
    most = max(2, min(_MOST_TRIED, _MOST_TERMS // max(1, whole)))
    for condition in _conditions(formula, terms)[:most]:
        pieces = tuple(
            and_(literal, substitute(formula, {condition: value}))
            for literal, value in ((condition, True), (not_(condition), False))
        )
        found = Division("condition", (condition, not_(condition)), pieces)
        yield _cost(pieces, whole), found
    for selector, values in _selectors(terms)[: max(1, most // 4)]:
        equal = [eq(selector, value) for value in values]
        other = and_(*map(not_, equal))
        others = substitute(
            formula, dict.fromkeys((e for e in equal if isinstance(e, Term)), False)
        )
        pieces = (
            *(
                and_(same, substitute(formula, {selector: value}))
                for same, value in zip(equal, values, strict=True)
            ),
            and_(other, others),
        )
        found = Division("selector", (*equal, other), pieces)
        yield _cost(pieces, whole), found


def _cost(pieces: Sequence[Guard], whole: int) -> float:
    """How much work the pieces are, if that grows with the square of their size."""
    return sum((size(piece) / whole) ** 2 for piece in pieces)


def _conditions(formula: BoolTerm, terms: Sequence[Term]) -> list[BoolTerm]:
    """Conditions that much depends on, near the root first."""
    depth: dict[Term, int] = {formula: 0}
    used: dict[Term, int] = {}
    # Arguments come before what they are in.
    for term in reversed(terms):
        for arg in term.key[1:]:
            if isinstance(arg, Term):
                depth[arg] = min(depth.get(arg, depth[term] + 1), depth[term] + 1)
                # What a choice depends on counts more than what a conjunction has beside others.
                is_test = term.op.base is ITE and arg is term.key[1]
                used[arg] = used.get(arg, 0) + (3 if is_test else 1)
    found = [
        term
        for term in terms
        if isinstance(term, BoolTerm)
        and term is not formula
        and term.op not in (NOT, AND, OR)
        and used[term] > 1
    ]
    return sorted(found, key=lambda term: -used[term] / (2 + depth[term]))


def _selectors(terms: Sequence[Term]) -> list[tuple[Term, list[Operand]]]:
    """Constants that are compared with several values, with these."""
    values: dict[Term, dict[object, Operand]] = {}
    for term in terms:
        if term.op is EQ:
            first, second = term.key[1:]
            if isinstance(second, Term):
                first, second = second, first
            if isinstance(first, Term) and first.op is CONSTANT and isinstance(second, (int, BV)):
                values.setdefault(first, {})[second] = second
    found = [
        (selector, list(known.values()))
        for selector, known in values.items()
        if 2 <= len(known) <= MOST_PARTS
    ]
    return sorted(found, key=lambda one: -len(one[1]))


# --- bits ----------------------------------------------------------------------------------------


def _by_bit(formula: BoolTerm, terms: Sequence[Term]) -> Division | None:
    """A bit of a vector that is not known yet: the lowest one of what is used most.

    Bits of one vector come before those of another: a number of which all low bits are known is
    worth more than two of which half of them are.
    """
    known = _known_bits(formula)
    used: dict[Term, int] = {}
    for term in terms:
        for arg in term.key[1:]:
            if isinstance(arg, Term) and isinstance(arg.sort, BitVecSort) and arg.op is CONSTANT:
                used[arg] = used.get(arg, 0) + 1
    begun = {vector for vector, _ in known}
    for vector in sorted(used, key=lambda one: (one not in begun, -used[one])):
        assert isinstance(vector.sort, BitVecSort)
        width = vector.sort.width
        for bit in range(width):
            if (vector, bit) not in known and len([1 for v, _ in known if v is vector]) < width - 1:
                return _at_bit(formula, vector, bit, width)
    return None


def _known_bits(formula: BoolTerm) -> set[tuple[Term, int]]:
    """The bits that the formula itself says."""
    found: set[tuple[Term, int]] = set()
    for part in conjuncts(formula):
        for vector in constants(part):
            if isinstance(vector.sort, BitVecSort):
                found |= {
                    (vector, bit)
                    for bit in range(vector.sort.width)
                    if any(part is literal for literal in _literals(vector, bit))
                }
    return found


def _literals(vector: Term, bit: int) -> tuple[Guard, Guard]:
    one = eq(extract(bit, bit, vector), bv(1, 1))  # type: ignore[arg-type]
    zero = eq(extract(bit, bit, vector), bv(0, 1))  # type: ignore[arg-type]
    return zero, one


def _at_bit(formula: BoolTerm, vector: Term, bit: int, width: int) -> Division:
    literals = _literals(vector, bit)
    pieces: list[Guard] = []
    for value, literal in enumerate(literals):
        parts: list[Operand] = []
        if bit + 1 < width:
            parts.append(extract(width - 1, bit + 1, vector))  # type: ignore[arg-type]
        parts.append(bv(value, 1))
        if bit:
            parts.append(extract(bit - 1, 0, vector))  # type: ignore[arg-type]
        spelled = concat(*parts) if len(parts) > 1 else parts[0]  # type: ignore[arg-type]
        # The literals of other bits stay as they are, so that they are known for what they are.
        kept = [part for part in conjuncts(formula) if _is_about(part, vector)]
        rest = [part for part in conjuncts(formula) if not _is_about(part, vector)]
        pieces.append(and_(literal, *kept, substitute(and_(*rest), {vector: spelled})))
    return Division("bit", literals, tuple(pieces))


def _is_about(part: Guard, vector: Term) -> bool:
    """Whether a condition is about a vector alone."""
    found = constants(part)
    return len(found) == 1 and found[0] is vector
