"""What is known on the current path: choices whose tests the path has decided, and ranges of ints.

A position that was merged where paths met is concrete again as soon as the path has decided
between them, so that the number of steps of a loop over an iterator stays bounded without asking a
solver.  Only conditions that occur in the path as they are count.  Likewise the comparisons that
the path has decided say between which numbers an int lies.
"""

from __future__ import annotations

from typing import overload

from solvent.terms.booleans import AND, ITE, NOT, OR, BoolTerm, and_, ite, not_, or_
from solvent.terms.ranges import Range, Ranges
from solvent.terms.term import Term
from solvent.vm.machine import Machine, current
from solvent.vm.state import Path
from solvent.vm.values import Guard, Value

# How many conditions of the path are looked at, and how many parts of a value, how deep.
_CONDITIONS = 256
_PARTS = 500
_DEPTH = 64

# The widths in bits that a solver is asked about.
_WIDTHS = (8, 16, 32)
WORD = 64
# How long it may think about each: without an answer, there are no bounds.
_SECONDS = 2.0

# Under this key a machine remembers the ranges on a path.
_PATH_RANGES = object()

Facts = dict[int, bool]


# --- ranges ---------------------------------------------------------------------------------------


def bounds(value: Value) -> Range:
    """The least and the greatest value of an int on the current path, `None` if not known."""
    machine = current()
    known = machine.ranges.of(value)
    return known if None not in known else _ranges_on_path(machine).of(value)


def _ranges_on_path(machine: Machine) -> Ranges:
    path = machine.state.path
    known: tuple[Path, Ranges] | None = machine.notes.get(_PATH_RANGES)
    if known is not None and known[0] is path:
        return known[1]
    result = machine.ranges.copy()
    found: Path | None = path
    for _ in range(_CONDITIONS):
        if found is None:
            break
        result.learn(found.condition)
        found = found.parent
    machine.notes[_PATH_RANGES] = (path, result)
    return result


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
    result: Facts = {}
    path: Path | None = current().state.path
    for _ in range(_CONDITIONS):
        if path is None:
            break
        _learn(path.condition, True, result)
        path = path.parent
    return result


def _learn(condition: Guard, holds: bool, result: Facts) -> None:
    pending = [(condition, holds)]
    while pending and len(result) < _CONDITIONS:
        found, holds = pending.pop()
        if type(found) is not BoolTerm:
            continue
        if found.op is NOT:
            pending.append((found.key[1], not holds))
            continue
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
