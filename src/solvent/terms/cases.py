"""Terms that can only have a few values: choices between constants, and what is computed from them.

A program that chooses between plain numbers and goes on computing makes such terms.  Their values
with the condition of each say the same in booleans alone, which is what memory wants to know of an
index, and lets such a number stand beside a bitvector as each of its values may.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from solvent.errors import WidthError
from solvent.terms.booleans import ITE, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.softfloat import external
from solvent.terms.sorts import BitVecSort, Sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import coerce_bitvec

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Concrete, Guard, Operand

# How many different values are a few.
MOST = 64

# The condition of each value.
Conditions: TypeAlias = "dict[Concrete, Guard]"


def cases(term: Operand, most: int = MOST) -> list[tuple[Guard, Any]] | None:
    """The values that a term may have, each with its condition; `None` if they are not known.

    >>> from solvent.terms import Bool, Int
    >>> p, q = Bool("p"), Bool("q")
    >>> cases(ite(p, 1, 2) * 10 + ite(q, 0, 10))
    [(p and q, 10), (p and not q or q and not p, 20), (not p and not q, 30)]
    >>> cases(Int("x") + ite(p, 1, 2)), cases(3)
    (None, [(True, 3)])
    """
    if not isinstance(term, Term):
        return [(True, term)]
    known: dict[Term, Conditions | None] = {}
    stack: list[Term] = [term]
    while stack:
        top = stack[-1]
        missing = None
        if top not in known:
            missing = _visit(top, known, most)
        if missing is None:
            stack.pop()
        else:
            stack.append(missing)
    found = known[term]
    if found is None:
        return None
    return [(guard, external(value)) for value, guard in found.items()]


def _visit(term: Term, known: dict[Term, Conditions | None], most: int) -> Term | None:
    """Find the values of a term, or an argument whose values have to be found first."""
    if term.op is CONSTANT or term.op.builds:
        known[term] = None
        return None
    parts = term.key[2:] if term.op.base is ITE else term.key[1:]
    rows: list[Conditions] = []
    for part in parts:
        found: Conditions | None = known.get(part) if isinstance(part, Term) else {part: True}
        if found is None:
            if part not in known:
                return part
            known[term] = None
            return None
        rows.append(found)
    is_choice = term.op.base is ITE
    found = _chosen(term.key[1], *rows) if is_choice else _computed(term, rows, most)
    known[term] = None if found is None or len(found) > most else found
    return None


def _chosen(test: Guard, first: Conditions, second: Conditions) -> Conditions:
    """The values of an if-then-else."""
    result = {value: and_(test, guard) for value, guard in first.items()}
    other = not_(test)
    for value, guard in second.items():
        _add(result, value, and_(other, guard))
    return {value: guard for value, guard in result.items() if guard is not False}


def _computed(term: Term, rows: list[Conditions], most: int) -> Conditions | None:
    """The values of any other operator."""
    count = 1
    for row in rows:
        count *= len(row)
    if count > most * most:
        return None
    result: Conditions = {}
    for values in product(*[row.items() for row in rows]):
        guard = and_([condition for _, condition in values])
        if guard is not False:
            _add(result, term.op.fold(*[value for value, _ in values]), guard)
    return result


def _add(result: Conditions, value: Concrete, guard: Guard) -> None:
    result[value] = or_(result[value], guard) if value in result else guard


def coerce_choice(sort: BitVecSort, value: object) -> Bits:
    """Like `coerce_bitvec`, also for a symbolic int that is one of a few which fit."""
    if value.__class__ is not IntTerm:
        return coerce_bitvec(sort, value)
    found = cases(value)
    if found is None:
        return NotImplemented
    try:
        rows = [(guard, coerce_bitvec(sort, number)) for guard, number in found]
    except WidthError:
        return NotImplemented
    result = rows[-1][1]
    for guard, number in reversed(rows[:-1]):
        result = ite(guard, number, result)
    return result


Sort.coercers[BitVecSort] = coerce_choice
