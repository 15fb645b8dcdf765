"""Displays and calls with `*`: what is spread out may have a length that differs between paths.

The rewriter hands over the parts in order, each with whether a `*` is before it.
"""

from __future__ import annotations

from typing import Any

from solvent.lift import sequences
from solvent.lift.iteration import iterate
from solvent.lift.operators import add
from solvent.vm.spread import combine, over
from solvent.vm.union import Union

Parts = tuple[tuple[bool, Any], ...]


def list_display(parts: Parts) -> list[Any]:
    """`[a, *b]`."""
    result: list[Any] = []
    for starred, value in parts:
        if starred:
            sequences.extend(result, value)
        else:
            sequences.append(result, value)
    return result


def tuple_display(parts: Parts) -> Any:
    """`(a, *b)`."""
    result: Any = ()
    for starred, value in parts:
        result = add(result, as_tuple(value) if starred else (value,))
    return result


def as_tuple(value: Any) -> Any:
    """The items of an iterable as a tuple, or as a union of tuples if its length differs."""
    if type(value) is tuple:
        return value
    if type(value) is Union:
        if all(type(member) is tuple for _, member in value._solvent_choices):
            return value
        return over(value, as_tuple)
    items = list(iterate(value))
    if sequences.is_ragged(items):
        return combine([(g, tuple(found)) for g, found in sequences.alternatives(items)])
    return tuple(items)


def set_parts(parts: Parts) -> list[Any]:
    """The elements of `{a, *b}`; those that only some paths have are `Maybe`s."""
    result: list[Any] = []
    for starred, value in parts:
        if starred:
            result.extend(iterate(value))
        else:
            result.append(value)
    return result


def apply(function: Any, parts: Parts, named: dict[str, Any]) -> Any:
    """`function(a, *b, **named)`."""
    arguments = tuple_display(parts)
    if type(arguments) is Union:
        return over(arguments, lambda found: function(*found, **named))
    return function(*arguments, **named)
