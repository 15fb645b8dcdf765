"""Lists, and `sorted`.

A list whose length differs between paths is ragged, see `sequences`.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable
from functools import wraps

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.messages import message
from solvent.lift.purity import HARMLESS
from solvent.lift.registry import METHODS, Function, lifts, lifts_method
from solvent.lift.sorting import items_to_sort, sorted_items
from solvent.lift.values import searching, sequences, slices
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, items_of
from solvent.lift.values.searching import among, lexicographic, lists_equal
from solvent.lift.values.sequences import ListLike, alternatives, is_ragged
from solvent.lift.values.slices import get_slice, set_slice
from solvent.terms.kinds import Integer
from solvent.vm.kinds import type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.own import position
from solvent.vm.places import ITEMS
from solvent.vm.slots import Maybe
from solvent.vm.spread import combine, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_INDEX = message(operator.getitem, [], 0)
_ASSIGNMENT = message(operator.setitem, [], 0, 0)


class Lists(Objects):
    """What lists do."""

    def derived(self, cls: type) -> Lists:
        return LISTS if _is_bare(cls) else CHANGED_LISTS

    def truth(self, value: list[Value]) -> Guard:
        if not value:
            return False
        first = value[0]
        return first.guard if type(first) is Maybe else True  # flat: hot path

    def length(self, value: list[Value]) -> Integer:
        return sequences.length(value)

    def get_item(self, owner: list[Value], key: Value) -> Value:
        if type(key) is Union:
            return over(key, lambda member: self.get_item(owner, member))
        if type(key) is slice:
            return get_slice(owner, key)
        return sequences.get_item(owner, key, _INDEX)

    def set_item(self, owner: list[Value], key: Value, value: Value) -> None:
        # Flat: hot path.
        if type(key) is int and -1 < key < len(owner) and type(owner[-1]) is not Maybe:
            current().write_slot(ITEMS, owner, key)
            owner[key] = value
        elif type(key) is Union:
            over(key, lambda member: self.set_item(owner, member, value))
        elif type(key) is slice:
            set_slice(owner, key, value)
        else:
            sequences.set_item(owner, key, value, _ASSIGNMENT)

    @over_members_of("key")
    def delete_item(self, owner: list[Value], key: Value) -> None:
        slices.delete_item(owner, key, _ASSIGNMENT)

    def contains(self, container: list[Value], item: Value) -> Guard:
        return among(item, container)

    def equal(self, a: list[Value], b: Value) -> Value:
        if not isinstance(b, list) or type(b).__eq__ is not list.__eq__:
            return NotImplemented
        return a is b or lists_equal(a, _bare(b))

    def ordered(self, a: list[Value], b: Value, name: str) -> Value:
        if not isinstance(b, list):
            return NotImplemented
        b = _bare(b)
        if is_ragged(a):
            return over(Union(tuple(alternatives(a))), lambda found: self.ordered(found, b, name))
        if is_ragged(b):
            return over(Union(tuple(alternatives(b))), lambda found: self.ordered(a, found, name))
        return lexicographic(a, b, name)

    def iterate(self, value: list[Value]) -> Iterable[Value]:
        return value

    def iterator(self, value: list[Value]) -> Value:
        return SequenceIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: list[Value]) -> Iterable[Value]:
        return value

    def fill(self, new: list[Value], value: list[Value], copying: Copying) -> None:
        list.extend(new, [copying.part(item) for item in list.copy(value)])

    def shown(self, value: list[Value], texts: Texts) -> Value:
        if texts.are_plain(value):
            return repr(value)
        rows = sequences.alternatives(list.copy(value))
        return combine([(guard, texts.listed("[", items, "]")) for guard, items in rows])

    def under(self, value: list[Value], evaluate: Evaluation) -> Value:
        cls = type(value)
        return refilled(value, cls.__new__(cls), evaluate)


def refilled(value: ListLike, result: Value, evaluate: Evaluation) -> Value:
    """A list or deque with the values of its items under a model, in an empty one."""
    evaluate.started(value, result)
    new = [evaluate.value(item) for item in items_under(value, evaluate)]
    if len(new) == len(value) and all(map(operator.is_, new, value)):
        evaluate.started(value, value)
        return value
    (list if isinstance(value, list) else deque).extend(result, new)
    return result


def items_under(items: Iterable[Value], evaluate: Evaluation) -> list[Value]:
    """The items that a possibly ragged list has under a model."""
    result = []
    for item in items:
        if type(item) is Maybe:  # flat: hot path
            if not evaluate.term(item.guard):
                break
            item = item.value
        result.append(item)
    return result


class ChangedLists(Lists):
    """What lists do of a class with its own access to items, where it leaves things to `list`."""

    def truth(self, value: list[Value]) -> Guard:
        return super().truth(list.copy(value))

    def length(self, value: list[Value]) -> Integer:
        return super().length(list.copy(value))

    def get_item(self, owner: list[Value], key: Value) -> Value:
        return super().get_item(list.copy(owner), key)

    def set_item(self, owner: list[Value], key: Value, value: Value) -> None:
        _on_items(owner, lambda items: LISTS.set_item(items, key, value))

    def delete_item(self, owner: list[Value], key: Value) -> None:
        _on_items(owner, lambda items: LISTS.delete_item(items, key))

    def contains(self, container: list[Value], item: Value) -> Guard:
        return super().contains(list.copy(container), item)

    def equal(self, a: list[Value], b: Value) -> Value:
        return True if a is b else super().equal(list.copy(a), b)

    def ordered(self, a: list[Value], b: Value, name: str) -> Value:
        return super().ordered(list.copy(a), b, name)

    def iterate(self, value: list[Value]) -> Iterable[Value]:
        return list.__iter__(value)

    def iterator(self, value: list[Value]) -> Value:
        return SequenceIterator(list.copy(value))

    def parts(self, value: list[Value]) -> Iterable[Value]:
        return list.copy(value)

    def shown(self, value: list[Value], texts: Texts) -> Value:
        return super().shown(list.copy(value), texts)


def _bare(items: list[Value]) -> list[Value]:
    """A list whose items are used: as it is, or they alone."""
    return items if type(items) is list or _is_bare(type(items)) else list.copy(items)


def _on_items(items: list[Value], action: Callable[[list[Value]], Value]) -> Value:
    """Do something with the items of a list alone, and keep what becomes of them."""
    bare = list.copy(items)
    result = action(bare)
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, bare)
    return items if result is bare else result


LISTS = Lists()
CHANGED_LISTS = ChangedLists()
behaves(LISTS, list)


# --- methods --------------------------------------------------------------------------------------

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
        def method(items: list[Value], *args: Value, **named: Value) -> Value:
            if type(items) is list or _is_bare(type(items)):
                return function(items, *args, **named)
            return _on_items(items, lambda bare: function(bare, *args, **named))

        lifts_method(list, name=name)(method)
        return function

    return register


@list_method("append")
def append(items: list[Value], value: Value, /) -> None:
    """`items.append(value)`."""
    sequences.append(items, value)


_append = METHODS[list]["append"]


@lifts_method(list, name="append")
def append_at_once(items: list[Value], value: Value, /) -> None:
    """`items.append(value)`, without a detour if no path has to be able to undo it."""
    # Flat: hot path.
    if type(items) is list and not JOURNALING and not (items and type(items[-1]) is Maybe):
        items.append(value)
    else:
        _append(items, value)


@list_method("pop")
def pop(items: list[Value], index: Value = -1, /) -> Value:
    """`items.pop(index)`."""
    if type(index) is Union:
        return over(index, lambda member: pop(items, member))
    return slices.take(items, index)


@list_method("extend")
def extend(items: list[Value], more: Value, /) -> None:
    """`items.extend(more)`."""
    sequences.extend(items, more)


@list_method("insert")
def insert(items: list[Value], index: Value, value: Value, /) -> None:
    """`items.insert(index, value)`."""
    sequences.insert(items, index, value)


@list_method("remove")
def remove(items: list[Value], value: Value, /) -> None:
    """`items.remove(value)`."""
    searching.remove(items, value)


@list_method("clear")
def clear(items: list[Value], /) -> None:
    """`items.clear()`."""
    current().write_whole(ITEMS, items)
    list.clear(items)


@list_method("index")
def index(
    items: list[Value], value: Value, start: Value = 0, stop: Value = sequences.END, /
) -> Value:
    """`items.index(value, start, stop)`."""
    return searching.index_of(items, value, start, stop, "list")


@list_method("count")
def count(items: list[Value], value: Value, /) -> Integer:
    """`items.count(value)`."""
    return searching.count_of(items, value)


@list_method("reverse")
def reverse(items: list[Value], /) -> None:
    """`items.reverse()`."""
    sequences.reverse(items)


@list_method("copy")
def copy(items: list[Value], /) -> list[Value]:
    """`items.copy()`."""
    return list.copy(items)


@list_method("sort")
def sort(items: list[Value], /, *, key: Value = None, reverse: Value = False) -> None:
    """`items.sort(key=..., reverse=...)`."""
    if key is None or key in HARMLESS:
        new = sorted_items(list.copy(items), key, reverse)
    else:
        new = _sorted_while_empty(items, list.copy(items), key, reverse)
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, new)


@lifted
def _sorted_while_empty(
    items: list[Value], held: list[Value], key: Value, reverse: Value
) -> list[Value]:
    """The sorted items of a list, which is empty as long as its keys are computed."""
    _refill(items, [])
    try:
        return sorted_items(held, key, reverse)
    finally:
        _refill(items, held)


def _refill(items: list[Value], new: list[Value]) -> None:
    if new and len(items):
        raise NotLiftedError(
            f"{position()}: a list that its own `sort` changes by its key is not lifted; sort a "
            "copy of it"
        )
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, list(new))


@lifts(list)
def make_list(source: Value = ()) -> list[Value]:
    """`list(source)`."""
    return list(items_of(source))


@lifts(sorted)
@over_members_of("source")
def sorted_(source: Value, /, *, key: Value = None, reverse: Value = False) -> Value:
    """`sorted(source, key=..., reverse=...)`."""
    return sorted_items(items_to_sort(source, key), key, reverse)


# --- special methods that are called by name ------------------------------------------------------


@list_method("__init__")
def initialise(items: list[Value], source: Value = (), /) -> None:
    """`list.__init__(items, source)`, as derived classes call it."""
    new = list(items_of(source))
    current().write_whole(ITEMS, items)
    ITEMS.restore(items, new)


@list_method("__len__")
def length(items: list[Value], /) -> Integer:
    """`items.__len__()`."""
    return sequences.length(items)


@list_method("__contains__")
def contains(items: list[Value], value: Value, /) -> Guard:
    """`items.__contains__(value)`."""
    return among(value, items)


@list_method("__getitem__")
def get_item(items: list[Value], key: Value, /) -> Value:
    """`items.__getitem__(key)`."""
    return LISTS.get_item(items, key)


@list_method("__setitem__")
def set_item(items: list[Value], key: Value, value: Value, /) -> None:
    """`items.__setitem__(key, value)`."""
    LISTS.set_item(items, key, value)


@list_method("__delitem__")
def delete_item(items: list[Value], key: Value, /) -> None:
    """`items.__delitem__(key)`."""
    LISTS.delete_item(items, key)


@list_method("__add__")
@over_members_of("other")
def add(items: list[Value], other: Value, /) -> Value:
    """`items.__add__(other)`."""
    if not isinstance(other, list):
        kind = type_name(other)
        raise TypeError(f'can only concatenate list (not "{kind}") to list')
    return sequences.concatenate(items, other)


@list_method("__iadd__")
def add_in_place(items: list[Value], more: Value, /) -> list[Value]:
    """`items.__iadd__(more)`."""
    sequences.extend(items, more)
    return items


@list_method("__mul__")
@over_members_of("number")
def multiply(items: list[Value], number: Value, /) -> Value:
    """`items.__mul__(number)`."""
    return sequences.repeat(items, number)


list_method("__rmul__")(multiply)


@list_method("__imul__")
def multiply_in_place(items: list[Value], number: Value, /) -> list[Value]:
    """`items.__imul__(number)`."""
    sequences.repeat_in_place(items, number)
    return items


def _compares(name: str) -> None:
    """Register a comparison that is called by name."""
    compare = operators.COMPARISONS[name]

    def method(items: list[Value], other: Value, /) -> Value:
        if type(other) is Union:
            return over(other, lambda member: method(items, member))
        return compare(items, other) if isinstance(other, list) else NotImplemented

    list_method(f"__{name}__")(method)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _compares(_name)
