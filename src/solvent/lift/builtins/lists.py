"""The methods of `list`."""

from __future__ import annotations

from typing import Any

from solvent.lift import sequences
from solvent.lift.registry import lifts_method


@lifts_method(list)
def append(items: list[Any], value: Any) -> None:
    """`items.append(value)`."""
    sequences.append(items, value)


@lifts_method(list)
def pop(items: list[Any], index: Any = -1) -> Any:
    """`items.pop(index)`."""
    return sequences.take(items, index)


@lifts_method(list)
def extend(items: list[Any], more: Any) -> None:
    """`items.extend(more)`."""
    sequences.extend(items, more)


@lifts_method(list)
def insert(items: list[Any], index: Any, value: Any) -> None:
    """`items.insert(index, value)`."""
    if sequences.is_ragged(items):
        sequences.by_length(items, lambda found: insert(found, index, value))
        return
    from solvent.vm.machine import current
    from solvent.vm.places import ITEMS

    current().write_whole(ITEMS, items)
    items.insert(index, value)
