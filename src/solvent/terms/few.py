"""The values of a symbolic int that is one of few known ones, whatever its constants are.

Where paths meet, numbers such as positions in a text become choices between known ones, and sums
and differences of these.  A range would have the numbers between them too.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from operator import add, mul
from typing import TYPE_CHECKING

from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.booleans import EQ, ITE, NOT
from solvent.terms.integers import DIV, MOD
from solvent.terms.sorts import Int
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Integer

# An int with more values than these has many.
MOST = 32

Values = frozenset[int]


class FewValues:
    """What ints may be, remembered.

    >>> from solvent.terms import Bool, Int, ite
    >>> place = ite(Bool("p"), 3, 7)
    >>> few = FewValues()
    >>> sorted(few.of(place)), sorted(few.of(ite(place < 0, 0, place + 1))), few.of(Int("n"))
    ([3, 7], [4, 8], None)
    """

    def __init__(self) -> None:
        self._known: dict[Term, Values | None] = {}

    def of(self, value: Integer) -> Values | None:
        """All values that an int may have, `None` if they are many or not known."""
        if not isinstance(value, Term):
            return frozenset((value,))
        known = self._known
        stack: list[Term] = [value]
        while stack:
            term = stack[-1]
            if term in known:
                stack.pop()
                continue
            missing = [part for part in _parts(term) if part not in known]
            if missing:
                stack += missing
            else:
                known[term] = self._computed(term)
        return known[value]

    def _part(self, value: Integer) -> Values | None:
        return self._known[value] if isinstance(value, Term) else frozenset((value,))

    def _computed(self, term: Term) -> Values | None:
        op = term.op
        if op.base is ITE:
            return self._chosen(*term.key[1:])
        parts = [self._part(part) for part in term.key[1:]] if op in _COMPUTED else []
        if not parts or None in parts:
            return None
        first, *others = (part for part in parts if part is not None)
        if op is NEG:
            return frozenset(-value for value in first)
        second = others[0]
        if op is DIV or op is MOD:
            if min(second) <= 0:
                return None
            # By a positive number, Python divides as the theory of integers does.
            found = (a // b if op is DIV else a % b for a, b in product(first, second))
        else:
            found = (add(a, b) if op is ADD else mul(a, b) for a, b in product(first, second))
        return _if_few(frozenset(found))

    def _chosen(self, test: Term, a: Integer, b: Integer) -> Values | None:
        outcome = self._decided(test)
        if outcome is not None:
            return self._part(a if outcome else b)
        first, second = self._part(a), self._part(b)
        return None if first is None or second is None else _if_few(first | second)

    def _decided(self, test: Term) -> bool | None:
        """Whether a comparison is true or false for all values of what it compares."""
        compared = _compared(test)
        if compared is None:
            return None
        first, second = self._part(compared[0]), self._part(compared[1])
        if first is None or second is None:
            return None
        inner, negated = (test.key[1], True) if test.op is NOT else (test, False)
        is_order = inner.op is LE
        found = {(a <= b if is_order else a == b) for a, b in product(first, second)}
        return found.pop() is not negated if len(found) == 1 else None


_COMPUTED = frozenset((ADD, MUL, NEG, DIV, MOD))


def _if_few(values: Values) -> Values | None:
    return values if len(values) <= MOST else None


def _compared(test: Term) -> tuple[Integer, Integer] | None:
    """The two ints that a test compares, if it does."""
    inner = test.key[1] if test.op is NOT else test
    if inner.op is not LE and inner.op is not EQ:
        return None
    _, a, b = inner.key
    return (a, b) if (a if isinstance(a, Term) else b).sort is Int else None


def _parts(term: Term) -> list[Term]:
    """The symbolic ints on which the values of one depend."""
    op = term.op
    parts: Iterable[Integer]
    if op.base is ITE:
        parts = (*term.key[2:], *(_compared(term.key[1]) or ()))
    elif op in _COMPUTED:
        parts = term.key[1:]
    else:
        return []
    return [part for part in parts if isinstance(part, Term)]
