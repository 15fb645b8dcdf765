"""What is known on the current path: choices whose tests the path has decided.

A position that was merged where paths met is concrete again as soon as the path has decided
between them, so that the number of steps of a loop over an iterator stays bounded without asking a
solver.  Only conditions that occur in the path as they are count.
"""

from __future__ import annotations

from typing import Any

from solvent.terms.booleans import AND, ITE, NOT, OR, BoolTerm, and_, ite, not_, or_
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.state import Path

# How many conditions of the path, and how many parts of a value, are looked at.
_CONDITIONS = 256
_DEPTH = 64

Facts = dict[int, bool]


def on_path(value: Any) -> Any:
    """A value that is the same on the current path, simplified by what the path has decided."""
    if not isinstance(value, Term):
        return value
    facts = _facts()
    return _simplified(value, facts, _DEPTH) if facts else value


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


def _learn(condition: Any, holds: bool, result: Facts) -> None:
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


def _simplified(value: Any, facts: Facts, depth: int) -> Any:
    if not isinstance(value, Term) or depth == 0:
        return value
    known = facts.get(id(value))
    if known is not None:
        return known
    op = value.op
    if op.base is ITE:
        _, test, a, b = value.key
        test = _simplified(test, facts, depth - 1)
        if type(test) is bool:
            return _simplified(a if test else b, facts, depth - 1)
        return ite(test, _simplified(a, facts, depth - 1), _simplified(b, facts, depth - 1))
    if op is NOT:
        return not_(_simplified(value.key[1], facts, depth - 1))
    if op is AND or op is OR:
        parts = [_simplified(part, facts, depth - 1) for part in value.key[1:]]
        return and_(parts) if op is AND else or_(parts)
    return value
