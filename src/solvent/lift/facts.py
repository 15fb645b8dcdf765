"""What is known on the current path: choices whose tests the path has decided, and ranges of ints.

A position that was merged where paths met is concrete again as soon as the path has decided
between them, so that the number of steps of a loop over an iterator stays bounded without asking a
solver.  Only conditions that occur in the path as they are count.  Likewise the comparisons that
the path has decided say between which numbers an int lies.

Paths are asked about as they are run, one after the other and each mostly where the last one was or
a little further: what is known goes along with them, and is taken back to where two paths part.
"""

from __future__ import annotations

from itertools import islice
from typing import overload

from solvent.terms.booleans import AND, ITE, NOT, OR, BoolTerm, and_, ite, not_, or_
from solvent.terms.few import MOST, FewValues
from solvent.terms.integers import IntTerm
from solvent.terms.ranges import Range, Ranges, conjuncts
from solvent.terms.term import Term
from solvent.vm.machine import Machine, current
from solvent.vm.state import Path
from solvent.vm.values import Guard, Value

# How many parts of a condition of the path are looked at, and of a value, how deep.
_PARTS_OF_CONDITION = 10_000
_PARTS = 500
_DEPTH = 64
# How many conditions of which one of several ways holds.
_CHOICES = 256

# The widths in bits that a solver is asked about.
_WIDTHS = (8, 16, 32)
WORD = 64
# How long it may think about each: without an answer, there are no bounds.
_SECONDS = 2.0

# Under this key a machine remembers what it knows on a path.
_KNOWN = object()
# Under this one the ranges there, with what its choices leave.
_PATH_RANGES = object()
# And under this one what ints may be.
_FEW_VALUES = object()

Facts = dict[int, bool]


# --- ranges ---------------------------------------------------------------------------------------


def bounds(value: Value) -> Range:
    """The least and the greatest value of an int on the current path, `None` if not known."""
    machine = current()
    known = machine.ranges.of(value)
    return known if None not in known else _ranges_on_path(machine).of(value)


def possible(value: Value) -> list[int] | None:
    """The values that an int may have on the current path, in order, if they are few.

    >>> from solvent.terms import Bool, Int, ite
    >>> possible(ite(Bool("p"), 2, 5) + 1), possible(Int("n") % 3), possible(Int("n"))
    ([3, 6], [0, 1, 2], None)
    """
    if type(value) is not IntTerm:
        return [value] if type(value) is int else None
    machine = current()
    known: FewValues | None = machine.notes.get(_FEW_VALUES)
    if known is None:
        known = machine.notes[_FEW_VALUES] = FewValues()
    found = known.of(value)
    if found is not None:
        return sorted(found)
    low, high = bounds(value)
    if low is None or high is None or not 0 <= high - low < MOST:
        return None
    return list(range(low, high + 1))


def has_bounds_everywhere(value: Value) -> bool:
    """Whether the bounds of an int are the same on all paths."""
    return None not in current().ranges.of(value)


def _ranges_on_path(machine: Machine) -> Ranges:
    known = _known(machine)
    if not known.choices:
        return known.ranges
    path = machine.state.path
    found: tuple[_Known, Path, Ranges] | None = machine.notes.get(_PATH_RANGES)
    if found is not None and found[0] is known and found[1] is path:
        return found[2]
    result, facts, choices = known.ranges.copy(), dict(known.facts), known.choices[::-1]
    # Facts are by identity, so that what they are about must stay.
    kept: list[Guard] = []
    # What is found is looked at, too.
    for choice in islice(choices, _CHOICES):
        left = _left_of(choice, facts)
        if left is not choice:
            kept.append(left)
            _learn(left, facts, [])
            result.learn(left)
            choices += _choices(left)
    machine.notes[_PATH_RANGES] = (known, path, result)
    return result


def _choices(condition: Guard) -> list[BoolTerm]:
    """The parts of a condition of which one of several ways holds."""
    return [
        part
        for part in conjuncts(condition)
        if type(part) is BoolTerm and (part.op is OR or (part.op is NOT and part.key[1].op is AND))
    ]


def _left_of(choice: BoolTerm, facts: Facts) -> Guard:
    """What a choice that holds says where the path has decided parts of it."""
    negated = choice.op is NOT
    inner = choice.key[1] if negated else choice
    # The choice itself is among the facts, its parts are what is looked up.
    left: Guard = _Simplifier(facts).rebuilt(inner, _DEPTH)
    return choice if left is inner else not_(left) if negated else left


def asked_bounds(value: Value) -> Range:
    """The same, from a solver if the path does not say it: in steps of bits, up to a word."""
    low, high = bounds(value)
    if low is not None and high is not None:
        return low, high
    machine = current()

    def fits(width: int) -> bool:
        outside = or_(value < -(1 << width - 1), value >= 1 << width - 1)
        return not machine.limits.feasible(machine, outside, seconds=_SECONDS)

    if not fits(WORD):
        return low, high
    half = 1 << next((width for width in _WIDTHS if fits(width)), WORD) - 1
    least = -half if low is None else max(low, -half)
    most = half - 1 if high is None else min(high, half - 1)
    return least, most


# --- choices --------------------------------------------------------------------------------------


@overload
def on_path(value: Guard) -> Guard: ...
@overload
def on_path(value: Value) -> Value: ...
def on_path(value: Value) -> Value:
    """A value that is the same on the current path, simplified by what the path has decided."""
    if not isinstance(value, Term):
        return value
    facts = _facts()
    return _Simplifier(facts).simplified(value, _DEPTH) if facts else value


def _facts() -> Facts:
    """Which conditions are true or false on the path, by identity."""
    return _known(current()).facts


# --- going along with the path --------------------------------------------------------------------


class _Known:
    """What the conditions of a path say, from the first to the last."""

    def __init__(self, machine: Machine) -> None:
        self.everywhere = machine.ranges.mark()
        self.facts: Facts = {}
        self.ranges = machine.ranges.copy()
        # The path and all before it, each with its place and with what was known before it.  Facts
        # are found by the identity of conditions, which stay alive here.
        self._paths: list[tuple[Path, Guard]] = []
        self._places: dict[int, int] = {}
        self._before: list[tuple[list[tuple[int, bool | None]], tuple[int, int], int]] = []
        # The conditions of which one of several ways holds, from the first to the last.
        self.choices: list[BoolTerm] = []

    def follow(self, path: Path) -> None:
        """Go to another path: back to where they part, and on from there."""
        ahead: list[Path] = []
        found: Path | None = path
        while found is not None and id(found) not in self._places:
            ahead.append(found)
            found = found.parent
        self._go_back(0 if found is None else self._places[id(found)] + 1)
        for one in reversed(ahead):
            mark = self.ranges.mark()
            changed: list[tuple[int, bool | None]] = []
            condition = one.condition
            self._places[id(one)] = len(self._paths)
            self._paths.append((one, condition))
            self._before.append((changed, mark, len(self.choices)))
            self.choices += _choices(condition)
            self.ranges.learn(condition)
            _learn(condition, self.facts, changed)

    def _go_back(self, count: int) -> None:
        facts = self.facts
        while len(self._paths) > count:
            path, _ = self._paths.pop()
            del self._places[id(path)]
            changed, mark, count_of_choices = self._before.pop()
            del self.choices[count_of_choices:]
            for key, old in reversed(changed):
                if old is None:
                    del facts[key]
                else:
                    facts[key] = old
            self.ranges.forget(mark)


def _known(machine: Machine) -> _Known:
    known: _Known | None = machine.notes.get(_KNOWN)
    if known is None or known.everywhere != machine.ranges.mark():
        known = machine.notes[_KNOWN] = _Known(machine)
    known.follow(machine.state.path)
    return known


def _learn(condition: Guard, result: Facts, changed: list[tuple[int, bool | None]]) -> None:
    pending = [(condition, True)]
    while pending and len(changed) < _PARTS_OF_CONDITION:
        found, holds = pending.pop()
        if type(found) is not BoolTerm:
            continue
        if found.op is NOT:
            pending.append((found.key[1], not holds))
            continue
        changed.append((id(found), result.get(id(found))))
        result[id(found)] = holds
        # All parts of a conjunction hold, and none of those of a refuted disjunction.
        if found.op is (AND if holds else OR):
            pending += [(part, holds) for part in found.key[1:]]


class _Simplifier:
    """Simplifies one value."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        # What is done, by identity; the value itself keeps its parts alive.
        self.done: dict[int, Value] = {}

    def simplified(self, value: Value, depth: int) -> Value:
        """The value, with what is known put in."""
        if not isinstance(value, Term) or depth == 0:
            return value
        known = self.facts.get(id(value))
        if known is not None:
            return known
        if id(value) in self.done:
            return self.done[id(value)]
        if len(self.done) >= _PARTS:
            return value
        self.done[id(value)] = value
        result = self.done[id(value)] = self.rebuilt(value, depth - 1)
        return result

    def rebuilt(self, value: Term, depth: int) -> Value:
        """A term of which the parts are simplified."""
        op = value.op
        if op.base is ITE:
            _, test, a, b = value.key
            test = self.simplified(test, depth)
            if type(test) is bool:
                return self.simplified(a if test else b, depth)
            first, second = self.simplified(a, depth), self.simplified(b, depth)
            if test is value.key[1] and first is a and second is b:
                return value
            return ite(test, first, second)
        if op is not NOT and op is not AND and op is not OR:
            return value
        parts = [self.simplified(part, depth) for part in value.key[1:]]
        if all(new is old for new, old in zip(parts, value.key[1:], strict=True)):
            return value
        if op is NOT:
            return not_(parts[0])
        return and_(parts) if op is AND else or_(parts)
