"""The journal of writes: what a path changed, so that it can be undone, redone and merged.

A layer belongs to one side of a fork or to a scope that paths may leave early.  It remembers for
each place that was written since it was opened what was there before.  A place is a slot of an
object (an item, a key, an attribute, a variable) or the whole contents of a container, when its
length or order changes.  The kinds of places are in `places`.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.vm.owned import IN_SLOT, merge_owned
from solvent.vm.places import Contents, Kind
from solvent.vm.values import Guard, Value

NOTHING: Contents = object()


class Record:
    """What a layer remembers of one object, or what a path made of it.

    Either the whole contents, or those of some slots.
    """

    __slots__ = ("kind", "owner", "slots", "whole")

    def __init__(
        self, kind: Kind, owner: object, whole: Contents, slots: dict[Value, Value]
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.whole = whole
        self.slots = slots


# By kind and identity of the object; the record keeps the object alive.
Layer = dict[tuple[Kind, int], Record]
Effects = Layer


def note_slot(layer: Layer, kind: Kind, owner: object, slot: Value) -> None:
    """Remember a slot before it is written."""
    key = (kind, id(owner))
    record = layer.get(key)
    if record is None:
        layer[key] = Record(kind, owner, NOTHING, {slot: kind.read(owner, slot)})
    elif record.whole is NOTHING and slot not in record.slots:
        record.slots[slot] = kind.read(owner, slot)


def note_old(layer: Layer, kind: Kind, owner: object, slot: Value, old: Value) -> None:
    """Remember what a slot held before it was written."""
    key = (kind, id(owner))
    record = layer.get(key)
    if record is None:
        layer[key] = Record(kind, owner, NOTHING, {slot: old})
    elif record.whole is NOTHING:
        record.slots.setdefault(slot, old)


def note_whole(layer: Layer, kind: Kind, owner: object) -> None:
    """Remember the contents of an object before its length or order changes."""
    key = (kind, id(owner))
    record = layer.get(key)
    if record is None:
        layer[key] = Record(kind, owner, kind.contents(owner), {})
    elif record.whole is NOTHING:
        record.whole = kind.patched(kind.contents(owner), record.slots)
        record.slots = {}


def undo(layer: Layer) -> None:
    """Put back what was there when the layer was opened, and empty the layer."""
    for record in reversed(layer.values()):
        kind, owner = record.kind, record.owner
        if record.whole is not NOTHING:
            kind.restore(owner, record.whole)
        for slot, old in reversed(record.slots.items()):
            kind.write(owner, slot, old)
    layer.clear()


def capture(layers: Sequence[Layer]) -> Effects:
    """What is now in the places that any of the layers remembers."""
    effects: Effects = {}
    # Where any layer remembers the whole, slots that another one remembers may be gone.
    for layer in layers:
        for key, record in layer.items():
            if record.whole is not NOTHING and key not in effects:
                kind, owner = record.kind, record.owner
                effects[key] = Record(kind, owner, kind.contents(owner), {})
    for layer in layers:
        for key, record in layer.items():
            found = effects.get(key)
            if found is None:
                found = effects[key] = Record(record.kind, record.owner, NOTHING, {})
            elif found.whole is not NOTHING:
                continue
            for slot in record.slots:
                if slot not in found.slots:
                    found.slots[slot] = record.kind.read(record.owner, slot)
    return effects


def commit(layer: Layer, parent: Layer | None) -> None:
    """Close a layer but keep its writes; `parent` remembers what it did not remember yet."""
    if parent is None:
        return
    for key, record in layer.items():
        outer = parent.get(key)
        if outer is None:
            parent[key] = record
        elif outer.whole is not NOTHING:
            continue
        elif record.whole is not NOTHING:
            outer.whole = record.kind.patched(record.whole, outer.slots)
            outer.slots = {}
        else:
            for slot, old in record.slots.items():
                outer.slots.setdefault(slot, old)


def apply(effects: Effects, layer: Layer) -> None:
    """Make the writes of a path again."""
    for record in effects.values():
        kind, owner = record.kind, record.owner
        if record.whole is not NOTHING:
            note_whole(layer, kind, owner)
            kind.restore(owner, record.whole)
        else:
            for slot, value in record.slots.items():
                note_slot(layer, kind, owner, slot)
                kind.write(owner, slot, value)


def blend(c: Guard, effects: Effects, layer: Layer) -> None:
    """Merge the writes of another path into the heap.

    Both paths started from what `layer` remembers.  The heap is as the one path left it; afterwards
    every place holds what the path with these effects wrote where `c` holds, and what it held
    before elsewhere.
    """
    for key, record in effects.items():
        _blend_record(c, record, layer, key)
    for key in list(layer):
        if key not in effects:
            record = layer[key]
            _blend_record(c, Record(record.kind, record.owner, NOTHING, {}), layer, key)


def _blend_record(c: Guard, record: Record, layer: Layer, key: tuple[Kind, int]) -> None:
    kind, owner = record.kind, record.owner
    before = layer.get(key)
    if record.whole is not NOTHING or (before is not None and before.whole is not NOTHING):
        note_whole(layer, kind, owner)
        there = record.whole
        if there is NOTHING:
            there = kind.patched(kind.copied(layer[key].whole), record.slots)
        kind.restore(owner, kind.merged(c, there, kind.contents(owner)))
        return
    for slot in record.slots:
        note_slot(layer, kind, owner, slot)
    _blend_slots(c, record, layer[key])


def _blend_slots(c: Guard, record: Record, before: Record) -> None:
    kind, owner, written = record.kind, record.owner, record.slots
    for slot, old in before.slots.items():
        there = written.pop(slot, old)
        here = kind.read(owner, slot)
        if there is not here:
            old = None
            kind.write(owner, slot, merge_owned(c, there, here, IN_SLOT, IN_SLOT))
