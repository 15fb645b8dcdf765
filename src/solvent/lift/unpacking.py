"""Taking things apart: unpacking, and `*value` in calls and displays.

The guard of an item that only some paths have implies the guard of the item before, so that a path
on which an item is missing has reached the end.
"""

from __future__ import annotations

from types import GeneratorType
from typing import TYPE_CHECKING

from solvent.errors import NotLiftedError
from solvent.lift.values import sequences
from solvent.lift.values.protocol import is_lazy, items_of, iterate
from solvent.lift.values.stepping import first_items
from solvent.lift.values.tapes import is_uneven
from solvent.terms.booleans import and_, not_
from solvent.terms.core import COMPILED
from solvent.terms.term import Term
from solvent.vm.kinds import python_type, type_name
from solvent.vm.machine import current
from solvent.vm.slots import guard_of, is_partial, value_in
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


def plain_items(value: Value, what: str) -> list[Value]:
    """The items of an iterable whose length is the same on every path."""
    result = list(items_of(value))
    if sequences.is_ragged(result):
        raise NotLiftedError(f"{what} has a length that differs between paths, which is not lifted")
    return result


def unpack(value: Value, count: int) -> tuple[Value, ...]:
    """`a, b = value`."""
    cls = type(value)
    if cls is Union:
        return over(value, lambda member: unpack(member, count))  # type: ignore[no-any-return]
    kind = python_type(value)
    # Symbolic numbers can be asked for bits, but a symbolic text has items.
    if (isinstance(value, Term) and kind not in (str, bytes)) or not (
        hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    ):
        raise TypeError(f"cannot unpack non-iterable {type_name(value)} object")
    if cls is tuple or (cls is list and not sequences.is_ragged(value)):
        items = tuple(value)
    else:
        found = _first(value, count + 1)
        if sequences.is_ragged(found):
            _check_length(found, count, count)
            found = [value_in(item) for item in found[:count]]
        items = tuple(found)
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast

    unpack = fast(unpack)


def _first(value: Value, count: int) -> list[Value]:
    """The first items of an iterable: `count` of them, or more if some are not there everywhere."""
    cls = type(value)
    if is_uneven(value) if cls is GeneratorType else is_lazy(cls):
        return list(first_items(value, count))
    found: list[Value] = []
    for item in iterate(value):
        found.append(item)
        if len(found) >= count and not is_partial(item):
            break
    return found


def _check_length(found: list[Value], least: int, most: int | None) -> None:
    machine = current()
    expected = f"expected {'at least ' if most is None else ''}{least}"
    fixed = sequences.fixed_length(found)
    for count in range(min(len(found), least - 1), fixed - 1, -1):
        more = _reaches(found, count + 1) if count < len(found) else False
        missing = and_(_reaches(found, count), not_(more))
        if count == fixed and len(found) < least:
            missing = True
        message = f"not enough values to unpack ({expected}, got {count})"
        machine.fail_if(missing, ValueError(message))
    if most is not None and len(found) > most:
        error = ValueError(f"too many values to unpack (expected {most})")
        machine.fail_if(guard_of(found[most]), error)
        del found[most:]


def _reaches(found: list[Value], count: int) -> Guard:
    """The guard under which a ragged list has so many items."""
    return guard_of(found[count - 1]) if count else True


@over_members_of("value")
def unpack_star(value: Value, before: int, after: int) -> tuple[Value, ...]:
    """`a, *b, c = value`."""
    items = list(items_of(value))
    if sequences.is_ragged(items):
        _check_length(items, before + after, None)
        rows = [row for row in sequences.alternatives(items) if len(row[1]) >= before + after]
        if len(rows) == 1:
            return unpack_star(rows[0][1], before, after)
        every = Union(tuple(rows))
        return over(every, lambda found: unpack_star(found, before, after))  # type: ignore[no-any-return]
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    end = len(items) - after
    return (*items[:before], items[before:end], *items[end:])


def spread_out(value: Value) -> Value:
    """`*value` in a call or a display."""
    if type(value) in (tuple, range, str):
        return value
    return plain_items(value, "what follows `*`")
