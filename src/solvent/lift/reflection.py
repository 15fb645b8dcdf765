"""Symbolic reflection: looking at symbolic values from a program (sections 2.3 and 4.7)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any

from solvent.lift import mappings
from solvent.lift.builtins.core import type_of
from solvent.lift.calls import is_concrete
from solvent.lift.sequences import alternatives, is_ragged
from solvent.lift.truth import truth
from solvent.terms.graph import constants
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.owned import elements_of
from solvent.vm.shapes import record_fields
from solvent.vm.spread import over
from solvent.vm.state import State
from solvent.vm.union import Maybe, Union, choices_of, exclusive


def is_union(value: Any) -> bool:
    """Whether a value is a union.

    >>> is_union(3)
    False
    """
    return type(value) is Union


def is_symbolic(value: Any) -> bool:
    """Whether a value is, or contains, something symbolic.

    >>> from solvent import Int
    >>> is_symbolic([1, Int("x")]), is_symbolic([1, 2])
    (True, False)
    """
    return bool(symbolics(value)) or not is_concrete(value)


def members(value: Any) -> list[tuple[Any, Any]]:
    """Guards and values of a union: under any model exactly one of the guards holds.

    Other values are their own only member; a list whose length differs between paths has a member
    for each length.

    >>> members(3)
    [(True, 3)]
    """
    if type(value) is list and is_ragged(value):
        return exclusive(tuple(alternatives(value)))
    return exclusive(choices_of(value))


def cardinality(value: Any) -> int:
    """How many members a value has.

    >>> cardinality("a")
    1
    """
    return len(members(value))


def symbolics(value: Any) -> list[Term]:
    """The symbolic constants that occur in a value, in order of first occurrence.

    >>> from solvent import Int
    >>> symbolics([Int("x") + Int("y"), (Int("x"),)])
    [x, y]
    """
    found: dict[Term, None] = {}
    seen: dict[int, Any] = {}
    stack: list[Any] = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, Term):
            found.update(dict.fromkeys(constants(value)))
            continue
        if id(value) in seen or isinstance(value, (int, str, float, bytes, type)):
            continue
        seen[id(value)] = value
        stack.extend(reversed(_parts(value)))
    return list(found)


def _parts(value: Any) -> list[Any]:
    if type(value) is Union:
        return [part for choice in value._solvent_choices for part in choice]
    if type(value) is Maybe:
        return [value.guard, value.value]
    if isinstance(value, dict):
        return [part for entry in mappings.entries(value) for part in entry]
    if isinstance(value, (set, frozenset)):
        return [part for pair in elements_of(value).items() for part in pair]  # type: ignore[arg-type]
    if isinstance(value, (list, tuple, deque)):
        return list(value)
    if record_fields(type(value)) is not None or hasattr(value, "__dict__"):
        return list(getattr(value, "__dict__", {}).values()) if not callable(value) else []
    return []


def for_all(value: Any, function: Callable[[Any], Any]) -> Any:
    """Apply a function to each member of a union as it is, under its guard, and merge the results.

    >>> for_all(" a ", str.strip)
    'a'
    """
    if type(value) is list and is_ragged(value):
        value = Union(tuple(alternatives(value)))
    if type(value) is Union:
        return over(value, function)
    return function(value)


def lift_with_for_all(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that knows nothing of symbolic values take unions: each member in turn.

    >>> import re
    >>> starts_with_digit = lift_with_for_all(lambda s: re.match("[0-9]", s) is not None)
    >>> starts_with_digit("1a")
    True
    """

    @wraps(function)
    def spread(*args: Any, **named: Any) -> Any:
        for place, value in enumerate(args):
            if type(value) is Union or (type(value) is list and is_ragged(value)):
                return for_all(
                    value,
                    lambda m: spread(*args[:place], m, *args[place + 1 :], **named),  # noqa: B023
                )
        for name, value in named.items():
            if type(value) is Union:
                return for_all(value, lambda m: spread(*args, **{**named, name: m}))  # noqa: B023
        return function(*args, **named)

    return spread


def assume(condition: Any) -> None:
    """Go on only where the condition holds; other inputs are not of interest."""
    current().assume(truth(condition))


def state() -> State:
    """The state of the run that is going on: assumptions, assertions, failures, path."""
    return current().state


__all__ = [
    "assume", "cardinality", "for_all", "is_symbolic", "is_union", "lift_with_for_all", "members",
    "state", "symbolics", "type_of",
]  # fmt: skip
