"""Displays and calls with `*`: what is spread out may have a length that differs between paths.

The rewriter hands over the parts in order, each with whether a `*` is before it.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from solvent.lift.facts import on_path
from solvent.lift.operators import add
from solvent.lift.values import entries, mappings, sequences
from solvent.lift.values.protocol import items_of
from solvent.lift.values.tuples import as_tuple
from solvent.terms.booleans import not_, or_
from solvent.terms.core import COMPILED
from solvent.vm.orders import swaps_of
from solvent.vm.slots import is_partial, opened, slot
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

Parts = tuple[tuple[bool, Value], ...]
# Keyword arguments; the name of what follows `**` is None.
Named = tuple[tuple[str | None, Value], ...]


def snapshot(value: Value) -> Value:
    """What follows a `*` as it is now, since what comes later in the display may change it."""
    if type(value) in (tuple, str, bytes, range):
        return value
    if type(value) is Union:
        return over(value, snapshot)
    if not (hasattr(type(value), "__iter__") or hasattr(type(value), "__getitem__")):
        return value
    return list(items_of(value))


@over_members_of("value")
def dict_snapshot(value: Value) -> Value:
    """What follows a `**` as it is now."""
    return mappings.copy(value) if type(value) in (dict, defaultdict, OrderedDict) else value


def list_display(parts: Parts) -> list[Value]:
    """`[a, *b]`."""
    result: list[Value] = []
    for starred, value in parts:
        if starred:
            sequences.extend(result, value)
        else:
            sequences.append(result, value)
    return result


def tuple_display(parts: Parts) -> Value:
    """`(a, *b)`."""
    result: Value = ()
    for starred, value in parts:
        result = add(result, as_tuple(value) if starred else (value,))
    return result


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast

    snapshot, tuple_display = fast(snapshot), fast(tuple_display)


def set_parts(parts: Parts) -> list[Value]:
    """The elements of `{a, *b}`; those that only some paths have are partial."""
    result: list[Value] = []
    for starred, value in parts:
        if starred:
            result.extend(items_of(value))
        else:
            result.append(value)
    return result


def apply(function: Callable[..., Value], parts: Parts, named: Named) -> Value:
    """`function(a, *b, c=d, **e)`."""
    arguments = tuple_display(parts)
    if type(arguments) is Union:
        return over(arguments, lambda found: apply_named(function, found, named))
    return apply_named(function, arguments, named)


def apply_named(
    function: Callable[..., Value], arguments: tuple[Value, ...], named: Named
) -> Value:
    """Call a function with keyword arguments, some of which only some paths have."""
    given: dict[str, Value] = {}
    for place, (name, value) in enumerate(named):
        if name is None:
            spread = _spreading(value)
            if spread is not None:
                before, after = named[:place], named[place + 1 :]
                return spread(
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
            given[key] = slot(guard, found)
    return _call_with(function, arguments, given)


def _spreading(value: Value) -> Callable[..., Value] | None:
    """What does something for each of the dicts that the value after `**` may be."""
    if type(value) is Union:
        return over
    return _by_order if isinstance(value, dict) and swaps_of(value) else None


def _by_order(
    found: dict[Value, Value],
    action: Callable[[dict[Value, Value]], Value],
    done: tuple[tuple[Value, Value], ...] = (),
) -> Value:
    """Do something for each plain dict that one may be whose order differs between paths."""
    there = or_([guard for guard, _, _ in entries.entries_of(found)])
    rows = [(on_path(guard), (key, value)) for guard, key, value in entries.ends(found, False)]
    choices = [*rows, (on_path(not_(there)), None)]
    choices = [choice for choice in choices if choice[0] is not False]
    choices[-1] = (True, choices[-1][1])

    def go_on(first: tuple[Value, Value] | None) -> Value:
        if first is None:
            return action(dict(done))
        rest = mappings.copy(found)
        entries.drop(rest, first[0])
        return _by_order(rest, action, (*done, first))

    return over(Union(tuple(choices)), go_on) if len(choices) > 1 else go_on(choices[0][1])


def _named_rows(value: Value) -> list[tuple[Guard, str, Value]]:
    if isinstance(value, dict):
        return entries.entries_of(value)
    return [(True, key, value[key]) for key in value.keys()]  # noqa: SIM118


def _call_with(
    function: Callable[..., Value], arguments: tuple[Value, ...], given: dict[str, Value]
) -> Value:
    """Call a function once for each choice of keyword arguments."""
    for key, value in given.items():
        if is_partial(value):
            guard, found = opened(value)
            without = {name: found for name, found in given.items() if name != key}
            return either(
                guard,
                lambda: _call_with(function, arguments, {**given, key: found}),  # noqa: B023
                lambda: _call_with(function, arguments, without),  # noqa: B023
            )
    return function(*arguments, **given)
