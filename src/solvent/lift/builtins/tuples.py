"""The methods of `tuple`."""

from __future__ import annotations

from typing import Any

from solvent.lift import items as any_items
from solvent.lift import sequences
from solvent.lift.registry import lifts, lifts_method
from solvent.vm.spread import over
from solvent.vm.union import Union


def _bare(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items alone: a derived class may read them in its own way."""
    return items if type(items) is tuple else tuple.__getitem__(items, slice(None))


@lifts_method(tuple)
def index(items: tuple[Any, ...], value: Any, start: Any = 0, stop: Any = sequences.END, /) -> Any:
    """`items.index(value, start, stop)`."""
    return sequences.index_of(_bare(items), value, start, stop, "tuple")


@lifts_method(tuple)
def count(items: tuple[Any, ...], value: Any, /) -> Any:
    """`items.count(value)`."""
    return sequences.count_of(_bare(items), value)


@lifts_method(tuple, name="__len__")
def length(items: tuple[Any, ...], /) -> int:
    """`items.__len__()`."""
    return tuple.__len__(items)


@lifts_method(tuple, name="__contains__")
def contains(items: tuple[Any, ...], value: Any, /) -> Any:
    """`items.__contains__(value)`."""
    return any_items.among(value, _bare(items))


@lifts_method(tuple, name="__getitem__")
def get_item(items: tuple[Any, ...], key: Any, /) -> Any:
    """`items.__getitem__(key)`."""
    return any_items.get_from_sequence(_bare(items), key, tuple)


@lifts(tuple.__new__)
def new(cls: Any, source: Any = ()) -> Any:
    """`tuple.__new__(cls, source)`, which named tuples use."""
    from solvent.lift.displays import as_tuple

    items = as_tuple(source)
    if type(items) is Union:
        return over(items, lambda found: tuple.__new__(cls, found))
    return tuple.__new__(cls, items)
