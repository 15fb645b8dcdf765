"""Values that show at once that a path can be taken, so that no solver has to be asked.

A path is often little more than a row of equations between unknowns and known numbers, and what
was not the case before is excluded by them.  Such values are read off the path, and put into the
rest of it; where that decides everything, they are a part of a model.  Where it does not, nothing
is known.
"""

from __future__ import annotations

from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import AND, EQ, NOT, OR, BoolTerm
from solvent.terms.integers import IntTerm
from solvent.terms.term import CONSTANT, Term
from solvent.vm.state import Path
from solvent.vm.values import Guard, Value

# So many terms are looked at, and so deeply, before it is left to a solver.
_LOOK = 500
_DEPTH = 30
# From so many bits on, a bitvector has more values than are looked at.
_WIDE = 10

Fact = tuple[Guard, bool]


def is_possible(condition: Guard, path: Path) -> bool:
    """Whether it is easily seen that a condition can be true on a path.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> path = Path(Path(Path(None, True), (x == 1) & (y == 1), False), x == 2)
    >>> is_possible(y == 1, path), is_possible(y != 1, path), is_possible(x == 3, path)
    (True, True, False)
    """
    facts: list[Fact] = [(condition, True)]
    place: Path | None = path
    while place is not None:
        facts.append((place.decision, place.holds))
        place = place.parent
    return _Values().fit(facts)


class _Values:
    """Values of unknowns."""

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.known: dict[Term, Value] = {}
        self.left = _LOOK

    def fit(self, facts: list[Fact]) -> bool:
        """Whether the facts can all be true; the list is used up."""
        known = self.known
        others: list[tuple[Term, Value]] = []
        pending: list[Fact] = []
        while facts:
            fact, holds = facts.pop()
            self.left -= 1
            if self.left < 0:
                return False
            if not isinstance(fact, BoolTerm):
                if fact is not holds:
                    return False
                continue
            op = fact.op
            if op is NOT:
                facts.append((fact.key[1], not holds))
            elif (op is AND and holds) or (op is OR and not holds):
                facts += [(part, holds) for part in fact.key[1:]]
            elif op is CONSTANT:
                if known.setdefault(fact, holds) is not holds:
                    return False
            elif (found := _equation(fact)) is None:
                pending.append((fact, holds))
            elif not holds:
                others.append(found)
            elif known.setdefault(*found) != found[1]:
                return False
        return all(known.get(unknown) != value for unknown, value in others) and all(
            self.value(fact, _DEPTH) is holds for fact, holds in pending
        )

    def value(self, term: Value, depth: int) -> Value:
        """The value of a term, or None if it is not known."""
        if not isinstance(term, Term):
            return term
        op = term.op
        if op is CONSTANT:
            return self.known.get(term)
        self.left -= 1
        if depth == 0 or self.left < 0:
            return None
        if op is NOT:
            found = self.value(term.key[1], depth - 1)
            return None if found is None else not found
        if op is AND or op is OR:
            absorbing = op is OR
            values = [self.value(part, depth - 1) for part in term.key[1:]]
            if absorbing in values:
                return absorbing
            return None if None in values else not absorbing
        if op.base is EQ:
            first, second = (self.value(part, depth - 1) for part in term.key[1:])
            if first is None or second is None:
                # An unknown that nothing says is one of the values that occur nowhere.
                return False if _equation(term) is not None else None
            return bool(first == second)
        return None


def _equation(fact: Term) -> tuple[Term, Value] | None:
    """The unknown that a fact equates with a value, if it does and the unknown has many values."""
    if fact.op.base is not EQ:
        return None
    _, unknown, value = fact.key
    if isinstance(value, Term):
        unknown, value = value, unknown
    if isinstance(value, Term) or not isinstance(unknown, Term) or unknown.op is not CONSTANT:
        return None
    wide = isinstance(unknown, BitVecTerm) and unknown.width >= _WIDE
    return (unknown, value) if wide or isinstance(unknown, IntTerm) else None
