"""Displays and calls with `*`: what is spread out may have a length that differs between paths.

The rewriter hands over the parts in order, each with whether a `*` is before it.
"""

from __future__ import annotations

from typing import Any

from solvent.lift import mappings, sequences
from solvent.lift.iteration import iterate
from solvent.lift.operators import add
from solvent.vm.spread import combine, over
from solvent.vm.union import Maybe, Union

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


def apply(function: Any, parts: Parts, named: tuple[tuple[str | None, Any], ...]) -> Any:
    """`function(a, *b, c=d, **e)`; the name of what follows `**` is None."""
    arguments = tuple_display(parts)
    if type(arguments) is Union:
        return over(arguments, lambda found: apply_named(function, found, named))
    return apply_named(function, arguments, named)


def apply_named(
    function: Any, arguments: tuple[Any, ...], named: tuple[tuple[str | None, Any], ...]
) -> Any:
    """Call a function with keyword arguments, some of which only some paths have."""
    given: dict[str, Any] = {}
    for place, (name, value) in enumerate(named):
        if name is None:
            if type(value) is Union:
                before, after = named[:place], named[place + 1 :]
                return over(
                    value,
                    lambda m: apply_named(function, arguments, (*before, (None, m), *after)),  # noqa: B023
                )
            rows = _named_rows(value)
        else:
            rows = [(True, name, value)]
        for guard, key, found in rows:
            if key in given:
                shown = getattr(function, "__qualname__", function)
                raise TypeError(f"{shown}() got multiple values for keyword argument '{key}'")
            given[key] = found if guard is True else Maybe(guard, found)
    return _call_with(function, arguments, given)


def _named_rows(value: Any) -> list[tuple[Any, str, Any]]:
    if isinstance(value, dict):
        return mappings.entries(value)
    return [(True, key, value[key]) for key in value.keys()]  # noqa: SIM118


def _call_with(function: Any, arguments: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """Call a function once for each choice of keyword arguments."""
    for key, value in given.items():
        if type(value) is Maybe:
            without = {name: found for name, found in given.items() if name != key}
            return mappings.either(
                value.guard,
                lambda: _call_with(function, arguments, {**given, key: value.value}),  # noqa: B023
                lambda: _call_with(function, arguments, without),  # noqa: B023
            )
    return function(*arguments, **given)
