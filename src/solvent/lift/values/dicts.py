"""Dicts: what they do, their methods and the constructor.

What a dict holds is in `entries`, what programs do with it in `mappings`.  The derived classes of
`collections` are dicts too, apart from the methods of their own.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import ItemsView, Iterable, KeysView, ValuesView
from itertools import chain
from types import MappingProxyType

from solvent.lift.hashing import is_symbolic_key
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values import entries, mappings, sequences
from solvent.lift.values.iterators import SnapshotIterator, watched
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, items_of
from solvent.terms.booleans import not_, or_
from solvent.terms.kinds import Integer
from solvent.vm import orders
from solvent.vm.slots import guard_of, is_partial, opened
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

DICTS = (dict, OrderedDict, defaultdict)


class Dicts(Objects):
    """What dicts do."""

    def truth(self, value: Value) -> Guard:
        held = dict.values(value)
        return not all(map(is_partial, held)) or or_(list(map(guard_of, held)))

    def length(self, value: Value) -> Integer:
        return len(value) if entries.is_plain(value) else mappings.size(value)

    def get_item(self, owner: Value, key: Value) -> Value:
        return mappings.get_item(owner, key)

    # The function itself, without a call in between: programs on plain data assign a lot.
    set_item = staticmethod(mappings.set_item)

    def delete_item(self, owner: Value, key: Value) -> None:
        mappings.delete_item(owner, key)

    def contains(self, container: Value, item: Value) -> Guard:
        return mappings.contains(container, item)

    def equal(self, a: Value, b: Value) -> Value:
        if not isinstance(b, dict):
            return NotImplemented
        return a is b or mappings.equal(a, b)

    def iterate(self, value: Value) -> Iterable[Value]:
        return watched(keys_in_order(value), value)

    def iterator(self, value: Value) -> Value:
        return SnapshotIterator(entries.rows_in_order(value, "keys"), value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def adopt(self, value: dict[Value, Value]) -> None:
        if any(map(is_symbolic_key, value)) and orders.SYMBOLIC not in value:
            pairs = list(dict.items(value))
            dict.clear(value)
            for key, entry in pairs:
                mappings.set_item(value, key, entry)

    def parts(self, value: Value) -> Iterable[Value]:
        return [*dict.keys(value), *dict.values(value)]

    def guarded(self, value: Value) -> Iterable[Value]:
        rows = entries.entries_of(value)
        return chain(chain.from_iterable(rows), orders.swaps_of(value).values())

    def fill(self, new: Value, value: Value, copying: Copying) -> None:
        if isinstance(value, defaultdict):
            new.default_factory = value.default_factory
        for key, entry in list(entries.raw_items(value)):
            entries.put(new, copying.part(key), copying.part(entry))

    def shown(self, value: Value, texts: Texts) -> Value:
        if texts.are_plain(self.parts(value)):
            return repr(value)
        rows = entries.rows_in_order(value)
        return sequences.by_alternative(rows, lambda pairs: _text(value, pairs, texts))

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        if not dict.__len__(value):
            return value
        result = mappings.like(value)
        evaluate.started(value, result)
        changed = not entries.is_plain(value)
        for key, entry in entries.entries_under(value, evaluate.term):
            new_key, new_value = evaluate.value(key), evaluate.value(entry)
            changed = changed or new_key is not key or new_value is not entry
            entries.put(result, new_key, new_value)
        if not changed:
            evaluate.started(value, value)
            return value
        return result


# How Python writes them, before 3.12 and since.
_ORDERED_AS_PAIRS = "[" in repr(OrderedDict({1: 1}))


def _text(found: dict[Value, Value], pairs: list[Value], texts: Texts) -> Value:
    """The text of a dict with these entries."""
    cls = type(found)
    start = f"{cls.__name__}("
    if isinstance(found, OrderedDict) and (_ORDERED_AS_PAIRS or not pairs):
        return texts.joined(start, texts.listed("[", pairs, "]") if pairs else "", ")")
    shown: list[Value] = ["{"]
    for key, value in pairs:
        shown += [texts.of(key), ": ", texts.of(value), ", "]
    text = texts.joined(*(shown[:-1] if pairs else shown), "}")
    if isinstance(found, OrderedDict):
        return texts.joined(start, text, ")")
    if isinstance(found, defaultdict):
        return texts.joined(start, texts.of(found.default_factory), ", ", text, ")")
    return text


def keys_in_order(
    found: dict[Value, Value], mapping: MappingProxyType[Value, Value] | None = None
) -> list[Value]:
    """The keys of a dict in order, those of only some paths partial."""
    if entries.is_plain(found):
        return list(found)
    return entries.rows_in_order(found if mapping is None else mapping, "keys")


behaves(Dicts(), *DICTS)


# --- methods --------------------------------------------------------------------------------------


@lifts(dict)
def make_dict(source: Value = (), /, **named: Value) -> dict[Value, Value]:
    """`dict(source, **named)`."""
    result: dict[Value, Value] = {}
    mappings.update(result, source, **named)
    return result


@lifts_method(dict, OrderedDict, defaultdict, name="__init__")
def initialise(found: dict[Value, Value], source: Value = (), /, **named: Value) -> None:
    """`dict.__init__(found, source, **named)`, as derived classes call it."""
    mappings.update(found, source, **named)


@lifts_method(*DICTS)
def get(found: dict[Value, Value], key: Value, default: Value = None, /) -> Value:
    """`found.get(key, default)`."""
    return mappings.get(found, key, default)


@lifts_method(*DICTS)
def keys(found: dict[Value, Value], /) -> KeysView[Value]:
    """`found.keys()`: Python's own view, which shows later changes."""
    return OrderedDict.keys(found) if isinstance(found, OrderedDict) else dict.keys(found)


@lifts_method(*DICTS)
def values(found: dict[Value, Value], /) -> ValuesView[Value]:
    """`found.values()`."""
    return OrderedDict.values(found) if isinstance(found, OrderedDict) else dict.values(found)


@lifts_method(*DICTS)
def items(found: dict[Value, Value], /) -> ItemsView[Value, Value]:
    """`found.items()`."""
    return OrderedDict.items(found) if isinstance(found, OrderedDict) else dict.items(found)


@lifts_method(*DICTS)
def pop(found: dict[Value, Value], key: Value, /, *default: Value) -> Value:
    """`found.pop(key)` or `found.pop(key, default)`."""
    return mappings.pop(found, key, *default)


@lifts_method(OrderedDict, name="pop")
def pop_ordered(found: dict[Value, Value], key: Value, *default: Value, **named: Value) -> Value:
    """`found.pop(key, default=...)` of an ordered dict."""
    return mappings.pop(found, key, *default, *named.values())


@lifts_method(dict, defaultdict)
def popitem(found: dict[Value, Value], /) -> Value:
    """`found.popitem()`."""
    return mappings.pop_item(found)


@lifts_method(*DICTS)
def setdefault(found: dict[Value, Value], key: Value, default: Value = None) -> Value:
    """`found.setdefault(key, default)`."""
    return mappings.set_default(found, key, default)


@lifts_method(*DICTS)
def update(found: dict[Value, Value], source: Value = (), /, **named: Value) -> None:
    """`found.update(source, **named)`."""
    mappings.update(found, source, **named)


@lifts_method(*DICTS)
def clear(found: dict[Value, Value], /) -> None:
    """`found.clear()`."""
    mappings.clear(found)


@lifts_method(*DICTS)
def copy(found: dict[Value, Value], /) -> dict[Value, Value]:
    """`found.copy()`."""
    return mappings.copy(found)


@lifts(dict.fromkeys)
def from_keys(source: Value, value: Value = None, /) -> Value:
    """`dict.fromkeys(source, value)`."""
    return filled({}, source, value)


def filled(result: dict[Value, Value], source: Value, value: Value) -> Value:
    """A dict with the items of an iterable as keys, all with one value."""
    if type(source) is Union:
        return over(source, lambda member: filled(mappings.like(result), member, value))
    for row in list(items_of(source)):
        guard, key = opened(row)
        mappings.set_if(result, guard, key, value)
    return result


# --- special methods that are called by name ------------------------------------------------------


@lifts_method(*DICTS, name="__len__")
def length(found: dict[Value, Value], /) -> Integer:
    """`found.__len__()`."""
    return mappings.size(found)


@lifts_method(*DICTS, name="__contains__")
def contains(found: dict[Value, Value], key: Value, /) -> Guard:
    """`found.__contains__(key)`."""
    return mappings.contains(found, key)


@lifts_method(*DICTS, name="__getitem__")
def get_item(found: dict[Value, Value], key: Value, /) -> Value:
    """`found.__getitem__(key)`."""
    return mappings.get_item(found, key)


@lifts_method(*DICTS, name="__setitem__")
def set_item(found: dict[Value, Value], key: Value, value: Value, /) -> None:
    """`found.__setitem__(key, value)`."""
    mappings.set_item(found, key, value)


@lifts_method(*DICTS, name="__delitem__")
def delete_item(found: dict[Value, Value], key: Value, /) -> None:
    """`found.__delitem__(key)`."""
    mappings.delete_item(found, key)


@lifts_method(*DICTS, name="__eq__")
@over_members_of("other")
def equal(found: dict[Value, Value], other: Value, /) -> Value:
    """`found.__eq__(other)`."""
    return mappings.equal_entries(found, other) if isinstance(other, dict) else NotImplemented


@lifts_method(*DICTS, name="__ne__")
def unequal(found: dict[Value, Value], other: Value, /) -> Value:
    """`found.__ne__(other)`."""
    same = equal(found, other)
    return same if same is NotImplemented else not_(same)


@lifts_method(*DICTS, name="__or__")
@over_members_of("other")
def merged(found: dict[Value, Value], other: Value, /) -> Value:
    """`found.__or__(other)`."""
    return mappings.merged_dict(found, other) if isinstance(other, dict) else NotImplemented


@lifts_method(*DICTS, name="__ior__")
def merged_in_place(found: dict[Value, Value], other: Value, /) -> dict[Value, Value]:
    """`found.__ior__(other)`."""
    mappings.update(found, other)
    return found
