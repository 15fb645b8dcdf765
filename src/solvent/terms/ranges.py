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
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.sorts import Int
from solvent.terms.term import CONSTANT, Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Integer

Range = tuple[int | None, int | None]

_ANY: Range = (None, None)

# How deeply nested choices are looked into for common bounds, and how many parts in all.
_DEPTH = 8
_PARTS = 20_000
# How many orders of two symbolic numbers are remembered, and how often bounds go along them.
_PAIRS = 16
_ROUNDS = 4


class Ranges:
    """What is known about the values of integers.

    >>> from solvent.terms import Int, and_, ite
    >>> c = Int("c")
    >>> known = Ranges([and_(97 <= c, c <= 122)])
    >>> known.of(c - 97), known.of(ite(c > 100, c, 0)), known.of(Int("d") % 10), known.of(Int("d"))
    ((0, 25), (0, 122), (0, 9), (None, None))
    >>> a, b = Int("a"), Int("b")
    >>> Ranges([and_(0 <= a, a < b, b <= 9)]).of(a)
    (0, 8)
    """

    def __init__(self, conditions: Iterable[Guard] = ()) -> None:
        self._constants: dict[Term, Range] = {}
        self._known: dict[Term, Range] = {}
        # Pairs of numbers of which the first is at most the second minus a distance.
        self._pairs: dict[tuple[int, int, int], tuple[IntTerm, IntTerm, int]] = {}
        # What was known before of constants of which more has been learnt since, oldest first.
        self._changes: list[tuple[Term, Range]] = []
        for condition in conditions:
            self.learn(condition)

    def mark(self) -> tuple[int, int]:
        """How much is known now, to go back to."""
        return len(self._changes), len(self._pairs)

    def forget(self, mark: tuple[int, int]) -> None:
        """Forget what has been learnt since a mark.

        >>> from solvent.terms import Int
        >>> x, known = Int("x"), Ranges()
        >>> mark = known.mark()
        >>> known.learn(x <= 5)
        >>> known.forget(mark)
        >>> known.of(x)
        (None, None)
        """
        changes, pairs = mark
        if changes < len(self._changes):
            self._known.clear()
        while len(self._changes) > changes:
            term, old = self._changes.pop()
            self._constants[term] = old
        while len(self._pairs) > pairs:
            self._pairs.popitem()

    def copy(self) -> Ranges:
        """The same knowledge, to which more can be added."""
        result = Ranges()
        result._constants = dict(self._constants)
        result._pairs = dict(self._pairs)
        return result

    def learn_common(self, condition: Guard) -> None:
        """Take bounds from a condition that holds, and what all ways to satisfy it have in common.

        >>> from solvent.terms import Bool, Int, and_, or_
        >>> x, p = Int("x"), Bool("p")
        >>> known = Ranges()
        >>> known.learn_common(or_(and_(0 <= x, x <= 5, p), and_(3 <= x, x <= 9)))
        >>> known.of(x)
        (0, 9)
        """
        for term, (low, high) in _Common().of(condition, _DEPTH).items():
            self._narrow(term, low, high)

    def learn(self, condition: Guard) -> None:
        """Take the bounds of constants from a condition that holds."""
        for found in conjuncts(condition):
            self._take(found)
        for _ in range(_ROUNDS if self._pairs else 0):
            before = dict(self._constants)
            for a, b, distance in self._pairs.values():
                high, low = self.of(b)[1], self.of(a)[0]
                self._narrow(a, None, None if high is None else high - distance)
                self._narrow(b, None if low is None else low + distance, None)
            if before == self._constants:
                break

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
            elif isinstance(a, IntTerm) and CONSTANT in (a.op, b.op) and len(self._pairs) < _PAIRS:
                x, y, distance = (b, a, 1) if negated else (a, b, 0)
                self._pairs[x.id, y.id, distance] = x, y, distance

    def bounds(self) -> dict[Term, Range]:
        """What is known of constants.

        >>> from solvent.terms import Int
        >>> Ranges([Int("x") <= 5]).bounds()
        {x: (None, 5)}
        """
        return {term: known for term, known in self._constants.items() if known != _ANY}

    def narrow(self, term: Term, low: int | None, high: int | None) -> None:
        """Take bounds of a constant.

        >>> from solvent.terms import Int
        >>> known = Ranges()
        >>> known.narrow(Int("x"), 0, None)
        >>> known.of(Int("x") + 1)
        (1, None)
        """
        self._narrow(term, low, high)

    def _narrow(self, term: Term, low: int | None, high: int | None) -> None:
        if term.op is not CONSTANT or term.sort is not Int:
            return
        old_low, old_high = self._constants.get(term, _ANY)
        new = (_inner(old_low, low, max), _inner(old_high, high, min))
        if new != (old_low, old_high):
            self._changes.append((term, (old_low, old_high)))
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
            return self._chosen(*term.key[1:])
        if op is ADD:
            (a, b), (c, d) = self._part(term.key[1]), self._part(term.key[2])
            return _sum(a, c), _sum(b, d)
        if op is NEG:
            return _negated(self._part(term.key[1]))
        if op is MUL:
            return _product(self._part(term.key[1]), self._part(term.key[2]))
        if op is MOD or op is DIV:
            return self._divided(term)
        if op is BV_TO_INT:
            return 0, term.key[1].sort.mask
        return _ANY

    def _part(self, value: Integer) -> Range:
        return self._known[value] if isinstance(value, Term) else (value, value)

    def _chosen(self, test: Term, a: Integer, b: Integer) -> Range:
        """The range of a choice whose sides know the test, as those of `abs` and `min` do."""
        first, second = self._part(a), self._part(b)
        order = _order(test)
        if order is None:
            return _hull(first, second)
        x, y, holds = order
        # Where x <= y, the one is at most the largest y and the other at least the smallest x.
        (low_x, high_x), (low_y, high_y) = self._part(x), self._part(y)
        then = {id(x): (None, high_y), id(y): (low_x, None)}
        above = None if low_y is None else low_y + 1
        below = None if high_x is None else high_x - 1
        otherwise = {id(x): (above, None), id(y): (None, below)}
        if not holds:
            then, otherwise = otherwise, then
        narrowed = [_known_better(a, first, then), _known_better(b, second, otherwise)]
        if high_x is not None and low_y is not None and high_x <= low_y:
            return narrowed[0 if holds else 1]
        if low_x is not None and high_y is not None and low_x > high_y:
            return narrowed[1 if holds else 0]
        # A side that cannot be taken does not count.
        possible = [(low, high) for low, high in narrowed if _is_possible(low, high)]
        return _hull(possible[0], possible[-1]) if possible else _hull(first, second)

    def _divided(self, term: Term) -> Range:
        """The range of a Euclidean quotient or remainder; by zero they are 0 and the number."""
        op, value, divisor = term.key
        number, by = self._part(value), self._part(divisor)
        size = _size(by)
        found = _remainder(number, size) if op is MOD else _quotient(number, size)
        if op is DIV and (by[0] is None or by[0] < 0):
            found = _hull(found, _negated(found))
        return _hull(found, number if op is MOD else (0, 0)) if _may_be_zero(by) else found


def conjuncts(condition: Guard) -> Iterable[Term]:
    """The parts of a condition that all hold if it does."""
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
            yield found


def _disjuncts(choice: Term) -> list[Any]:
    """The parts of a choice of which one holds, those of choices in it included."""
    result: dict[Any, None] = {}
    pending: list[Any] = [choice]
    seen: set[Term] = set()
    while pending:
        found = pending.pop()
        if not isinstance(found, Term) or found.op is not OR:
            result[found] = None
        elif found not in seen:
            seen.add(found)
            pending += found.key[1:]
    return list(result)


class _Common:
    """The bounds that all ways to satisfy a condition have in common."""

    def __init__(self) -> None:
        self._left = _PARTS
        self._done: dict[tuple[Term, int], dict[Term, Range]] = {}

    def of(self, condition: Guard, depth: int) -> dict[Term, Range]:
        """The bounds of constants that a condition implies."""
        known = Ranges()
        for found in conjuncts(condition):
            self._left -= 1
            if self._left < 0:
                break
            if found.op is OR and depth:
                for term, (low, high) in self._of_any(found, depth).items():
                    known._narrow(term, low, high)
            else:
                known._take(found)
        return known.constants()

    def _of_any(self, choice: Term, depth: int) -> dict[Term, Range]:
        key = choice, depth
        if key not in self._done:
            first, *others = _disjuncts(choice)
            common = dict(self.of(first, depth - 1))
            for part in others:
                found = self.of(part, depth - 1) if common else {}
                common = {
                    term: _hull(bounds, found[term])
                    for term, bounds in common.items()
                    if term in found
                }
            self._done[key] = common
        return self._done[key]


def _order(test: Term) -> tuple[Integer, Integer, bool] | None:
    """Two ints of which the first is at most the second if the test is the truth value."""
    holds = test.op is not NOT
    inner = test if holds else test.key[1]
    if inner.op is not LE or not _are_ints(inner.key):
        return None
    return inner.key[1], inner.key[2], holds


def _known_better(value: Integer, found: Range, better: dict[int, Range]) -> Range:
    """The range of a number, itself or its opposite one of those of which more is known."""
    if not isinstance(value, Term):
        return found
    more = better.get(id(value))
    if more is None and value.op is NEG:
        more = better.get(id(value.key[1]))
        more = None if more is None else _negated(more)
    if more is None:
        return found
    return _inner(found[0], more[0], max), _inner(found[1], more[1], min)


def _is_possible(low: int | None, high: int | None) -> bool:
    return low is None or high is None or low <= high


def _may_be_zero(found: Range) -> bool:
    low, high = found
    return (low is None or low <= 0) and (high is None or high >= 0)


def _negated(found: Range) -> Range:
    low, high = found
    return None if high is None else -high, None if low is None else -low


def _hull(first: Range, second: Range) -> Range:
    return _outer(first[0], second[0], min), _outer(first[1], second[1], max)


def _size(divisor: Range) -> tuple[int, int | None]:
    """The least and the greatest absolute value of a number that is not zero."""
    low, high = divisor
    if low is not None and low > 0:
        return low, high
    if high is not None and high < 0:
        return -high, None if low is None else -low
    return 1, None if low is None or high is None else max(-low, high, 1)


def _remainder(number: Range, size: tuple[int, int | None]) -> Range:
    """What is left of a number that is divided by one of a positive size."""
    low, high = number
    least, most = size
    if low is not None and low >= 0:
        if high is not None and high < least:
            return low, high
        return 0, _inner(high, None if most is None else most - 1, min)
    return 0, None if most is None else most - 1


def _quotient(number: Range, size: tuple[int, int | None]) -> Range:
    """A number divided by one of a positive size, rounded down."""
    low, high = number
    least, most = size

    def by_largest(value: int) -> int:
        # Division by ever larger numbers ends at zero, or just below it.
        return (-1 if value < 0 else 0) if most is None else value // most

    lowest = None if low is None else low // least if low < 0 else by_largest(low)
    highest = None if high is None else high // least if high >= 0 else by_largest(high)
    return lowest, highest


def _are_ints(key: tuple[Any, ...]) -> bool:
    """Whether an operator compares ints."""
    _, a, b = key
    return (a if isinstance(a, Term) else b).sort is Int


def _parts(term: Term) -> list[Term]:
    """The symbolic ints on which the range of one depends."""
    op = term.op
    if op.base is ITE:
        order = _order(term.key[1])
        parts = term.key[2:] if order is None else (*term.key[2:], *order[:2])
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
