"""Views of dicts: keys, values and items, which show later changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView

from solvent.lift.identity import same_where
from solvent.lift.registry import lifts_method
from solvent.lift.values import entries, mappings, sets
from solvent.lift.values.dicts import keys_in_order
from solvent.lift.values.iterators import SnapshotIterator, Unchanged, watched
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import behaves, items_of
from solvent.lift.values.sets import compared, disjoint
from solvent.terms.kinds import Integer
from solvent.vm.slots import UNBOUND, Maybe
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_NOTHING: dict[Value, Value] = {}
_ORDERED: OrderedDict[Value, Value] = OrderedDict()

# Which part of a dict each view shows.
SHOWN: dict[type, str] = {
    type(_NOTHING.keys()): "keys", type(_NOTHING.values()): "values",
    type(_NOTHING.items()): "items",
    type(_ORDERED.keys()): "keys", type(_ORDERED.values()): "values",
    type(_ORDERED.items()): "items",
}  # fmt: skip


def live(found: dict[Value, Value], key: Value, what: str) -> Value:
    """The key, value or item of a dict for a key that it has, as it is now."""
    if what == "keys":
        return key
    if type(key) is Union:
        return over(key, lambda member: live(found, member, what))
    value = dict.get(found, key, UNBOUND)
    if type(value) is Maybe:  # flat: hot path
        # Where a key is there, no other one is equal to it.
        value = mappings.look_up(found, key)[1] if value.guard is False else value.value
    return value if what == "values" else (key, value)


class ViewIterator(SnapshotIterator):
    """The values or items of a dict, as they are when they are taken."""

    __slots__ = ("what",)

    def __init__(self, items: list[Value], owner: dict[Value, Value], what: str) -> None:
        super().__init__(items, owner)
        self.what = what

    def python_type(self) -> type:
        return type(iter(getattr(self.unchanged.owner, self.what)()))

    def shown(self, key: Value) -> Value:
        return live(self.unchanged.owner, key, self.what)


def _live_rows(rows: list[Value], owner: dict[Value, Value], what: str) -> Iterator[Value]:
    """The values or items of a dict for a loop, which may change it."""
    unchanged = Unchanged(owner)
    for row in rows:
        if type(row) is Maybe:  # flat: hot path
            yield Maybe(row.guard, live(owner, row.value, what))
        else:
            yield live(owner, row, what)
        unchanged.check()


class Views(Objects):
    """What views do."""

    def length(self, value: Value) -> Integer:
        return mappings.size(value.mapping)

    def iterate(self, value: Value) -> Iterable[Value]:
        found, what = entries.viewed(value), SHOWN[type(value)]
        rows = keys_in_order(found, value.mapping)
        return watched(rows, found) if what == "keys" else _live_rows(rows, found, what)

    def iterator(self, value: Value) -> Value:
        rows = entries.rows_in_order(value.mapping, "keys")
        found, what = entries.viewed(value), SHOWN[type(value)]
        return SnapshotIterator(rows, found) if what == "keys" else ViewIterator(rows, found, what)

    def is_lazy(self, cls: type) -> bool:
        return False


class SetViews(Views):
    """What the views do that are sets: those of keys and of items."""

    def contains(self, container: Value, item: Value) -> Guard:
        found = entries.viewed(container)
        if isinstance(container, sets.KEYS):
            return mappings.contains(found, item)
        if type(item) is Union:
            return over(item, lambda member: self.contains(container, member))  # type: ignore[no-any-return]
        if not isinstance(item, tuple) or len(item) != 2:
            return False
        there, value = mappings.look_up(found, item[0])
        return False if there is False else same_where(there, value, item[1])

    def equal(self, a: Value, b: Value) -> Value:
        if isinstance(b, (*sets.SETS, KeysView, ItemsView)):
            return sets.equal(sets.as_set(a), sets.as_set(b))
        return NotImplemented

    def ordered(self, a: Value, b: Value, name: str) -> Value:
        return sets.ordered(a, b, name) if isinstance(b, sets.SET_LIKE) else NotImplemented


VIEWS_OF_SETS = SetViews()


SET_VIEWS: tuple[type, ...] = (*sets.VIEWS, type(_ORDERED.keys()), type(_ORDERED.items()))
VIEWS: tuple[type, ...] = (*SET_VIEWS, type({}.values()), type(_ORDERED.values()))


@lifts_method(*SET_VIEWS)
def isdisjoint(view: Value, other: Value, /) -> Guard:
    """`view.isdisjoint(other)`."""
    return disjoint(sets.as_set(view), other)


@lifts_method(*VIEWS, name="__len__")
def view_length(view: Value, /) -> Integer:
    """`view.__len__()`."""
    return mappings.size(entries.viewed(view))


@lifts_method(*SET_VIEWS, name="__contains__")
def view_contains(view: Value, item: Value, /) -> Guard:
    """`view.__contains__(item)`."""
    return VIEWS_OF_SETS.contains(view, item)


def _combines(name: str) -> None:
    """Register an operator of views, whose other operand may be any iterable."""

    def method(view: Value, other: Value, /) -> Value:
        return sets.set_method(name, sets.as_set(view), other)

    def reflected(view: Value, other: Value, /) -> Value:
        if type(other) is Union:
            return over(other, lambda member: reflected(view, member))
        return sets.set_method(name, sets.make(list(items_of(other))), sets.as_set(view))

    lifts_method(*SET_VIEWS, name=f"__{name}__")(method)
    lifts_method(*SET_VIEWS, name=f"__r{name}__")(reflected)


for _name in sets.OPERATIONS:
    _combines(_name)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    compared(_name, SET_VIEWS)


behaves(Views(), *VIEWS)
behaves(VIEWS_OF_SETS, *SET_VIEWS)
