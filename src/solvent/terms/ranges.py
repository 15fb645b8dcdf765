"""Between which numbers a symbolic int lies, from what is known of its constants.

Bounds of constants are learnt from conditions that hold, such as `0 <= c` and `c <= 9`; those of
everything else are computed from them, operator by operator.  A bound that is not known is `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.bitvector_ops import BV_TO_INT
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, not_
from solvent.terms.integers import DIV, MOD
from solvent.terms.sorts import Int
from solvent.terms.term import CONSTANT, Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Integer

Range = tuple[int | None, int | None]

_ANY: Range = (None, None)


class Ranges:
    """What is known about the values of integers.

    >>> from solvent.terms import Int, and_, ite
    >>> c = Int("c")
    >>> known = Ranges([and_(97 <= c, c <= 122)])
    >>> known.of(c - 97), known.of(ite(c > 100, c, 0)), known.of(Int("d") % 10), known.of(Int("d"))
    ((0, 25), (0, 122), (0, 9), (None, None))
    """

    def __init__(self, conditions: Iterable[Guard] = ()) -> None:
        self._constants: dict[Term, Range] = {}
        self._known: dict[Term, Range] = {}
        for condition in conditions:
            self.learn(condition)

    def copy(self) -> Ranges:
        """The same knowledge, to which more can be added."""
        result = Ranges()
        result._constants = dict(self._constants)
        return result

    def learn(self, condition: Guard) -> None:
        """Take the bounds of constants from a condition that holds."""
        pending = [condition]
        while pending:
            found = pending.pop()
            if not isinstance(found, Term):
                continue
            if found.op is AND:
                pending += found.key[1:]
            elif found.op is NOT and found.key[1].op is OR:
                pending += [not_(part) for part in found.key[1].key[1:]]
            else:
                self._take(found)

    def _take(self, condition: Term) -> None:
        negated = condition.op is NOT
        inner = condition.key[1] if negated else condition
        if inner.op is EQ and not negated:
            a, b = inner.key[1:]
            if type(b) is int:
                self._narrow(a, b, b)
        elif inner.op is LE:
            a, b = inner.key[1:]
            if type(b) is int:
                self._narrow(a, b + 1, None) if negated else self._narrow(a, None, b)
            elif type(a) is int:
                self._narrow(b, None, a - 1) if negated else self._narrow(b, a, None)

    def _narrow(self, term: Term, low: int | None, high: int | None) -> None:
        if term.op is not CONSTANT or term.sort is not Int:
            return
        old_low, old_high = self._constants.get(term, _ANY)
        new = (_inner(old_low, low, max), _inner(old_high, high, min))
        if new != (old_low, old_high):
            self._constants[term] = new
            self._known.clear()

    def of(self, value: Integer) -> Range:
        """The least and the greatest value that an int may have."""
        if not isinstance(value, Term):
            return value, value
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

    def refutes(self, condition: Guard) -> bool:
        """Whether a condition cannot hold, as far as ranges tell.

        >>> from solvent.terms import Int, ite, Bool
        >>> Ranges().refutes(ite(Bool("p"), 12, 14) < 12), Ranges().refutes(Int("x") < 12)
        (True, False)
        """
        if not isinstance(condition, Term):
            return condition is False
        op = condition.op
        if op is AND:
            return any(map(self.refutes, condition.key[1:]))
        if op is OR:
            return all(map(self.refutes, condition.key[1:]))
        negated = op is NOT
        inner = condition.key[1] if negated else condition
        if inner.op is LE and _are_ints(inner.key):
            return self._refutes_order(inner.key[1], inner.key[2], negated)
        if inner.op is EQ and not negated and _are_ints(inner.key):
            return self._refutes_equality(*inner.key[1:])
        return False

    def _refutes_order(self, a: Integer, b: Integer, negated: bool) -> bool:
        (low_a, high_a), (low_b, high_b) = self.of(a), self.of(b)
        if negated:
            return high_a is not None and low_b is not None and high_a <= low_b
        return low_a is not None and high_b is not None and low_a > high_b

    def _refutes_equality(self, a: Integer, b: Integer) -> bool:
        (low_a, high_a), (low_b, high_b) = self.of(a), self.of(b)
        return (low_a is not None and high_b is not None and low_a > high_b) or (
            low_b is not None and high_a is not None and low_b > high_a
        )

    def constants(self) -> dict[Term, Range]:
        """What has been learnt of constants."""
        return self._constants

    def _computed(self, term: Term) -> Range:
        op = term.op
        if op is CONSTANT:
            return self._constants.get(term, _ANY)
        if op.base is ITE:
            (a, b), (c, d) = self._part(term.key[2]), self._part(term.key[3])
            return _outer(a, c, min), _outer(b, d, max)
        if op is ADD:
            (a, b), (c, d) = self._part(term.key[1]), self._part(term.key[2])
            return _sum(a, c), _sum(b, d)
        if op is NEG:
            a, b = self._part(term.key[1])
            return None if b is None else -b, None if a is None else -a
        if op is MUL:
            return _product(self._part(term.key[1]), self._part(term.key[2]))
        if op is MOD or op is DIV:
            return self._divided(term)
        if op is BV_TO_INT:
            return 0, term.key[1].sort.mask
        return _ANY

    def _part(self, value: Integer) -> Range:
        return self._known[value] if isinstance(value, Term) else (value, value)

    def _divided(self, term: Term) -> Range:
        op, value, divisor = term.key
        low, high = self._part(value)
        if type(divisor) is not int or divisor == 0:
            return _ANY
        if op is MOD:
            size = abs(divisor)
            inside = low is not None and high is not None and low >= 0 and high < size
            return (low, high) if inside else (0, size - 1)
        if divisor < 0:
            return _ANY
        return None if low is None else low // divisor, None if high is None else high // divisor


def _are_ints(key: tuple[Any, ...]) -> bool:
    """Whether an operator compares ints."""
    _, a, b = key
    return (a if isinstance(a, Term) else b).sort is Int


def _parts(term: Term) -> list[Term]:
    """The symbolic ints on which the range of one depends."""
    op = term.op
    if op.base is ITE:
        parts = term.key[2:]
    elif op is ADD or op is MUL or op is NEG or op is MOD or op is DIV:
        parts = term.key[1:]
    else:
        return []
    return [part for part in parts if isinstance(part, Term)]


def _inner(old: int | None, new: int | None, better: Callable[[int, int], int]) -> int | None:
    if old is None or new is None:
        return new if old is None else old
    return better(old, new)


def _outer(a: int | None, b: int | None, better: Callable[[int, int], int]) -> int | None:
    return None if a is None or b is None else better(a, b)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _product(first: Range, second: Range) -> Range:
    (a, b), (c, d) = first, second
    if a is None or b is None or c is None or d is None:
        if a is not None and c is not None and a >= 0 and c >= 0:
            return a * c, None
        return _ANY
    corners = (a * c, a * d, b * c, b * d)
    return min(corners), max(corners)
