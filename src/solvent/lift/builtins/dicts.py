"""The methods of `dict` and of its views, and the constructor.

The derived classes of `collections` have these methods too, apart from those of their own.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any

from solvent.lift import entries, mappings, operators, sets
from solvent.lift import items as any_items
from solvent.lift.builtins.sets import compared, disjoint
from solvent.lift.iteration import items_of
from solvent.lift.registry import lifts, lifts_method
from solvent.terms.booleans import not_
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

DICTS = (dict, OrderedDict, defaultdict)


@lifts(dict)
def make_dict(source: Any = (), /, **named: Any) -> dict[Any, Any]:
    """`dict(source, **named)`."""
    result: dict[Any, Any] = {}
    mappings.update(result, source, **named)
    return result


@lifts_method(dict, OrderedDict, defaultdict, name="__init__")
def initialise(found: dict[Any, Any], source: Any = (), /, **named: Any) -> None:
    """`dict.__init__(found, source, **named)`, as derived classes call it."""
    mappings.update(found, source, **named)


@lifts_method(*DICTS)
def get(found: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    """`found.get(key, default)`."""
    return mappings.get(found, key, default)


@lifts_method(*DICTS)
def keys(found: dict[Any, Any], /) -> Any:
    """`found.keys()`: Python's own view, which shows later changes."""
    return OrderedDict.keys(found) if isinstance(found, OrderedDict) else dict.keys(found)


@lifts_method(*DICTS)
def values(found: dict[Any, Any], /) -> Any:
    """`found.values()`."""
    return OrderedDict.values(found) if isinstance(found, OrderedDict) else dict.values(found)


@lifts_method(*DICTS)
def items(found: dict[Any, Any], /) -> Any:
    """`found.items()`."""
    return OrderedDict.items(found) if isinstance(found, OrderedDict) else dict.items(found)


@lifts_method(*DICTS)
def pop(found: dict[Any, Any], key: Any, /, *default: Any) -> Any:
    """`found.pop(key)` or `found.pop(key, default)`."""
    return mappings.pop(found, key, *default)


@lifts_method(OrderedDict, name="pop")
def pop_ordered(found: dict[Any, Any], key: Any, *default: Any, **named: Any) -> Any:
    """`found.pop(key, default=...)` of an ordered dict."""
    return mappings.pop(found, key, *default, *named.values())


@lifts_method(dict, defaultdict)
def popitem(found: dict[Any, Any], /) -> Any:
    """`found.popitem()`."""
    return mappings.pop_item(found)


@lifts_method(*DICTS)
def setdefault(found: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`found.setdefault(key, default)`."""
    return mappings.set_default(found, key, default)


@lifts_method(*DICTS)
def update(found: dict[Any, Any], source: Any = (), /, **named: Any) -> None:
    """`found.update(source, **named)`."""
    mappings.update(found, source, **named)


@lifts_method(*DICTS)
def clear(found: dict[Any, Any], /) -> None:
    """`found.clear()`."""
    mappings.clear(found)


@lifts_method(*DICTS)
def copy(found: dict[Any, Any], /) -> Any:
    """`found.copy()`."""
    return mappings.copy(found)


@lifts(dict.fromkeys)
def from_keys(source: Any, value: Any = None, /) -> Any:
    """`dict.fromkeys(source, value)`."""
    return filled({}, source, value)


def filled(result: Any, source: Any, value: Any) -> Any:
    """A dict with the items of an iterable as keys, all with one value."""
    if type(source) is Union:
        return over(source, lambda member: filled(mappings.like(result), member, value))
    for row in list(items_of(source)):
        guard, key = (row.guard, row.value) if type(row) is Maybe else (True, row)
        mappings.set_if(result, guard, key, value)
    return result


# --- special methods that are called by name ------------------------------------------------------


@lifts_method(*DICTS, name="__len__")
def length(found: dict[Any, Any], /) -> Any:
    """`found.__len__()`."""
    return mappings.size(found)


@lifts_method(*DICTS, name="__contains__")
def contains(found: dict[Any, Any], key: Any, /) -> Any:
    """`found.__contains__(key)`."""
    return mappings.contains(found, key)


@lifts_method(*DICTS, name="__getitem__")
def get_item(found: dict[Any, Any], key: Any, /) -> Any:
    """`found.__getitem__(key)`."""
    return mappings.get_item(found, key)


@lifts_method(*DICTS, name="__setitem__")
def set_item(found: dict[Any, Any], key: Any, value: Any, /) -> None:
    """`found.__setitem__(key, value)`."""
    mappings.set_item(found, key, value)


@lifts_method(*DICTS, name="__delitem__")
def delete_item(found: dict[Any, Any], key: Any, /) -> None:
    """`found.__delitem__(key)`."""
    mappings.delete_item(found, key)


@lifts_method(*DICTS, name="__eq__")
def equal(found: dict[Any, Any], other: Any, /) -> Any:
    """`found.__eq__(other)`."""
    if type(other) is Union:
        return over(other, lambda member: equal(found, member))
    return mappings.equal_entries(found, other) if isinstance(other, dict) else NotImplemented


@lifts_method(*DICTS, name="__ne__")
def unequal(found: dict[Any, Any], other: Any, /) -> Any:
    """`found.__ne__(other)`."""
    same = equal(found, other)
    return same if same is NotImplemented else not_(same)


@lifts_method(*DICTS, name="__or__")
def merged(found: dict[Any, Any], other: Any, /) -> Any:
    """`found.__or__(other)`."""
    return operators.or_(found, other) if isinstance(other, (dict, Union)) else NotImplemented


@lifts_method(*DICTS, name="__ior__")
def merged_in_place(found: dict[Any, Any], other: Any, /) -> Any:
    """`found.__ior__(other)`."""
    mappings.update(found, other)
    return found


# --- views ----------------------------------------------------------------------------------------

_ORDERED: OrderedDict[Any, Any] = OrderedDict()
SET_VIEWS: tuple[type, ...] = (*sets.VIEWS, type(_ORDERED.keys()), type(_ORDERED.items()))
VIEWS: tuple[type, ...] = (*SET_VIEWS, type({}.values()), type(_ORDERED.values()))


@lifts_method(*SET_VIEWS)
def isdisjoint(view: Any, other: Any, /) -> Any:
    """`view.isdisjoint(other)`."""
    return disjoint(sets.as_set(view), other)


@lifts_method(*VIEWS, name="__len__")
def view_length(view: Any, /) -> Any:
    """`view.__len__()`."""
    return mappings.size(entries.viewed(view))


@lifts_method(*SET_VIEWS, name="__contains__")
def view_contains(view: Any, item: Any, /) -> Any:
    """`view.__contains__(item)`."""
    return any_items.contained(item, view)


def _combines(name: str) -> None:
    """Register an operator of views, whose other operand may be any iterable."""

    def method(view: Any, other: Any, /) -> Any:
        return sets.set_method(name, sets.as_set(view), other)

    def reflected(view: Any, other: Any, /) -> Any:
        if type(other) is Union:
            return over(other, lambda member: reflected(view, member))
        return sets.set_method(name, sets.make(list(items_of(other))), sets.as_set(view))

    lifts_method(*SET_VIEWS, name=f"__{name}__")(method)
    lifts_method(*SET_VIEWS, name=f"__r{name}__")(reflected)


for _name in sets.OPERATIONS:
    _combines(_name)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    compared(_name, SET_VIEWS)
