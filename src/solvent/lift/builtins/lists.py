"""The methods of `list`, and `sorted`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import items as any_items
from solvent.lift import operators, sequences
from solvent.lift.api import lifted
from solvent.lift.iteration import items_of
from solvent.lift.purity import HARMLESS
from solvent.lift.registry import METHODS, Function, lifts, lifts_method
from solvent.lift.sorting import items_to_sort, sorted_items
from solvent.vm.kinds import type_name
from solvent.vm.limits import position
from solvent.vm.machine import JOURNALING, current
from solvent.vm.places import ITEMS
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

# What a derived class may define that the functions below would call by accident.
_SPECIAL = ("__bool__", "__delitem__", "__getitem__", "__iter__", "__len__", "__setitem__")
_SPECIAL_METHODS = ("append", "extend", "reverse")


def _is_bare(cls: type) -> bool:
    """Whether the items of a list of this class can be used as those of any list."""
    if cls is list:
        return True
    return all(
        getattr(cls, name, None) is getattr(list, name, None)
        for name in (*_SPECIAL, *_SPECIAL_METHODS)
    )


def list_method(name: str) -> Callable[[Function], Function]:
    """Register a method of `list`; one of a class that changes lists works on the items alone."""

    def register(function: Function) -> Function:
        @wraps(function)
        def method(items: list[Any], *args: Any, **named: Any) -> Any:
            if type(items) is list or _is_bare(type(items)):
                return function(items, *args, **named)
            bare = list.copy(items)
            result = function(bare, *args, **named)
            current().write_whole(ITEMS, items)
            ITEMS.restore(items, bare)
            return items if result is bare else result

        lifts_method(list, name=name)(method)
        return function

    return register


@list_method("append")
def append(items: list[Any], value: Any, /) -> None:
    """`items.append(value)`."""
    sequences.append(items, value)


_append = METHODS[list]["append"]


@lifts_method(list, name="append")
def append_at_once(items: list[Any], value: Any, /) -> None:
    """`items.append(value)`, without a detour if no path has to be able to undo it."""
    if type(items) is list and not JOURNALING and not (items and type(items[-1]) is Maybe):
        items.append(value)
    else:
        _append(items, value)


@list_method("pop")
def pop(items: list[Any], index: Any = -1, /) -> Any:
    """`items.pop(index)`."""
    if type(index) is Union:
        return over(index, lambda member: pop(items, member))
    return sequences.take(items, index)


@list_method("extend")
def extend(items: list[Any], more: Any, /) -> None:
    """`items.extend(more)`."""
    sequences.extend(items, more)


@list_method("insert")
def insert(items: list[Any], index: Any, value: Any, /) -> None:
    """`items.insert(index, value)`."""
    sequences.insert(items, index, value)


@list_method("remove")
def remove(items: list[Any], value: Any, /) -> None:
    """`items.remove(value)`."""
    sequences.remove(items, value)


@list_method("clear")
def clear(items: list[Any], /) -> None:
    """`items.clear()`."""
    current().write_whole(ITEMS, items)
    list.clear(items)


@list_method("index")
def index(items: list[Any], value: Any, start: Any = 0, stop: Any = sequences.END, /) -> Any:
    """`items.index(value, start, stop)`."""
    return sequences.index_of(items, value, start, stop, "list")


@list_method("count")
def count(items: list[Any], value: Any, /) -> Any:
    """`items.count(value)`."""
    return sequences.count_of(items, value)


@list_method("reverse")
def reverse(items: list[Any], /) -> None:
    """`items.reverse()`."""
    sequences.reverse(items)


@list_method("copy")
def copy(items: list[Any], /) -> list[Any]:
    """`items.copy()`."""
    return list.copy(items)


@list_method("sort")
def sort(items: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    """`items.sort(key=..., reverse=...)`."""
    if key is None or key in HARMLESS:
        new = sorted_items(list.copy(items), key, reverse)
    else:
        new = _sorted_while_empty(items, list.copy(items), key, reverse)
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, new)


@lifted
def _sorted_while_empty(items: Any, held: Any, key: Any, reverse: Any) -> Any:
    """The sorted items of a list, which is empty as long as its keys are computed."""
    _refill(items, [])
    try:
        return sorted_items(held, key, reverse)
    finally:
        _refill(items, held)


def _refill(items: list[Any], new: list[Any]) -> None:
    if new and len(items):
        raise NotLiftedError(
            f"{position()}: a list that its own `sort` changes by its key is not lifted; sort a "
            "copy of it"
        )
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, list(new))


@lifts(sorted)
def sorted_(source: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted(source, key=..., reverse=...)`."""
    if type(source) is Union:
        return over(source, lambda member: sorted_(member, key=key, reverse=reverse))
    return sorted_items(items_to_sort(source, key), key, reverse)


# --- special methods that are called by name ------------------------------------------------------


@list_method("__init__")
def initialise(items: list[Any], source: Any = (), /) -> None:
    """`list.__init__(items, source)`, as derived classes call it."""
    new = list(items_of(source))
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, new)


@list_method("__len__")
def length(items: list[Any], /) -> Any:
    """`items.__len__()`."""
    return sequences.length(items)


@list_method("__contains__")
def contains(items: list[Any], value: Any, /) -> Any:
    """`items.__contains__(value)`."""
    return any_items.among(value, items)


@list_method("__getitem__")
def get_item(items: list[Any], key: Any, /) -> Any:
    """`items.__getitem__(key)`."""
    return any_items.get_from_sequence(items, key, list)


@list_method("__setitem__")
def set_item(items: list[Any], key: Any, value: Any, /) -> None:
    """`items.__setitem__(key, value)`."""
    any_items.set_in_sequence(items, key, value)


@list_method("__delitem__")
def delete_item(items: list[Any], key: Any, /) -> None:
    """`items.__delitem__(key)`."""
    any_items.delete_from_sequence(items, key)


@list_method("__add__")
def add(items: list[Any], other: Any, /) -> Any:
    """`items.__add__(other)`."""
    if type(other) is Union:
        return over(other, lambda member: add(items, member))
    if not isinstance(other, list):
        kind = type_name(other)
        raise TypeError(f'can only concatenate list (not "{kind}") to list')
    return sequences.concatenate(items, other)


@list_method("__iadd__")
def add_in_place(items: list[Any], more: Any, /) -> list[Any]:
    """`items.__iadd__(more)`."""
    sequences.extend(items, more)
    return items


@list_method("__mul__")
def multiply(items: list[Any], number: Any, /) -> Any:
    """`items.__mul__(number)`."""
    if type(number) is Union:
        return over(number, lambda member: multiply(items, member))
    return sequences.repeat(items, number)


list_method("__rmul__")(multiply)


@list_method("__imul__")
def multiply_in_place(items: list[Any], number: Any, /) -> list[Any]:
    """`items.__imul__(number)`."""
    sequences.repeat_in_place(items, number)
    return items


def _compares(name: str) -> None:
    """Register a comparison that is called by name."""
    compare = getattr(operators, name)

    def method(items: list[Any], other: Any, /) -> Any:
        if type(other) is Union:
            return over(other, lambda member: method(items, member))
        return compare(items, other) if isinstance(other, list) else NotImplemented

    list_method(f"__{name}__")(method)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _compares(_name)
