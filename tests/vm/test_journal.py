"""The journal: what a path wrote can be undone, made again and merged with another path."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from solvent import Bool
from solvent.lift.under_model import evaluate
from solvent.vm.journal import Layer, apply, blend, capture, commit, note_slot, note_whole, undo
from solvent.vm.places import (
    ATTRIBUTES,
    CELL,
    CLASS_ATTRIBUTES,
    ENTRIES,
    ITEMS,
    MEMBERS,
    QUEUE,
)
from tests.lift.differential import snapshot

P = Bool("p")


class Thing:
    """An object with a `__dict__`."""


class Slotted:
    """An object with slots."""

    __slots__ = ("a", "b")


class World:
    """Some objects to write to."""

    def __init__(self) -> None:
        self.items: list[Any] = [1, 2, 3]
        self.queue: deque[Any] = deque([1, 2])
        self.entries: dict[Any, Any] = {"a": 1, "b": 2}
        self.members: set[Any] = {1, 2}
        self.thing = Thing()
        self.thing.a = 1  # type: ignore[attr-defined]
        self.slotted = Slotted()
        self.slotted.a = self.items  # type: ignore[attr-defined]

    def everything(self) -> Any:
        """What the objects hold."""
        return (
            self.items, self.queue, dict(self.entries), self.members, self.thing, self.slotted
        )  # fmt: skip


Write = Callable[[World, Layer], None]
small = st.integers(0, 5)


def set_item(world: World, layer: Layer, place: int, value: int) -> None:
    if world.items:
        place %= len(world.items)
        note_slot(layer, ITEMS, world.items, place)
        world.items[place] = value


def append(world: World, layer: Layer, place: int, value: int) -> None:
    note_whole(layer, ITEMS, world.items)
    world.items.append(value)


def remove(world: World, layer: Layer, place: int, value: int) -> None:
    note_whole(layer, ITEMS, world.items)
    if world.items:
        del world.items[place % len(world.items)]


def push(world: World, layer: Layer, place: int, value: int) -> None:
    note_whole(layer, QUEUE, world.queue)
    world.queue.appendleft(value)


def set_entry(world: World, layer: Layer, place: int, value: int) -> None:
    note_slot(layer, ENTRIES, world.entries, "abcdef"[place])
    world.entries["abcdef"[place]] = value


def delete_entry(world: World, layer: Layer, place: int, value: int) -> None:
    note_whole(layer, ENTRIES, world.entries)
    world.entries.pop("abcdef"[place], None)


def add(world: World, layer: Layer, place: int, value: int) -> None:
    note_whole(layer, MEMBERS, world.members)
    world.members.add(value)


def set_attribute(world: World, layer: Layer, place: int, value: int) -> None:
    owner: Any = world.thing if place % 2 else world.slotted
    name = "ab"[place // 3]
    note_slot(layer, ATTRIBUTES, owner, name)
    setattr(owner, name, value)


def delete_attribute(world: World, layer: Layer, place: int, value: int) -> None:
    owner: Any = world.thing if place % 2 else world.slotted
    note_slot(layer, ATTRIBUTES, owner, "a")
    if hasattr(owner, "a"):
        del owner.a


actions = st.sampled_from(
    [
        set_item, set_item, append, remove, push, set_entry, delete_entry, add, set_attribute,
        delete_attribute,
    ]
)  # fmt: skip
paths = st.lists(st.tuples(actions, small, small), max_size=8)


def run(path: Any, world: World, layer: Layer) -> None:
    for action, place, value in path:
        action(world, layer, place, value)


def after(*written: Any) -> Any:
    """What plain Python makes of writing these paths one after the other."""
    world = World()
    for path in written:
        run(path, world, {})
    return plain(world)


def plain(world: World) -> Any:
    """What the objects hold, without the order of keys, which undoing need not restore."""
    rows = list(copy.copy(world.everything()))
    rows[2] = sorted(rows[2].items())
    return snapshot(tuple(rows))


@given(paths, paths)
def test_undo_puts_back_what_was_there(before: Any, path: Any) -> None:
    world = World()
    run(before, world, {})
    layer: Layer = {}
    run(path, world, layer)
    undo(layer)
    assert plain(world) == after(before)
    assert layer == {}


@given(paths)
def test_apply_makes_the_writes_again(path: Any) -> None:
    world = World()
    layer: Layer = {}
    run(path, world, layer)
    effects = capture((layer,))
    undo(layer)
    apply(effects, layer)
    assert plain(world) == after(path)
    undo(layer)
    assert plain(world) == after()


@given(paths, paths)
def test_commit_lets_the_outer_layer_undo_both(outer: Any, inner: Any) -> None:
    world = World()
    below: Layer = {}
    run(outer, world, below)
    above: Layer = {}
    run(inner, world, above)
    commit(above, below)
    assert plain(world) == after(outer, inner)
    undo(below)
    assert plain(world) == after()


@settings(max_examples=600)
@given(paths, paths)
def test_capture_sees_the_writes_of_all_layers(outer: Any, inner: Any) -> None:
    world = World()
    below: Layer = {}
    run(outer, world, below)
    above: Layer = {}
    run(inner, world, above)
    effects = capture((below, above))
    undo(above)
    assert plain(world) == after(outer)
    undo(below)
    apply(effects, below)
    assert plain(world) == after(outer, inner)


def test_capture_when_an_inner_layer_makes_a_list_shorter() -> None:
    items = [1, 2, 3]
    below: Layer = {}
    note_slot(below, ITEMS, items, 2)
    items[2] = 7
    above: Layer = {}
    note_whole(above, ITEMS, items)
    items.clear()
    effects = capture((below, above))
    undo(above)
    undo(below)
    assert items == [1, 2, 3]
    apply(effects, below)
    assert items == []
    undo(below)
    assert items == [1, 2, 3]


@given(paths, paths)
def test_blend_merges_two_paths(first: Any, second: Any) -> None:
    world = World()
    layer: Layer = {}
    run(first, world, layer)
    effects = capture((layer,))
    undo(layer)
    run(second, world, layer)
    blend(P, effects, layer)
    for taken, path in ((True, first), (False, second)):
        found = evaluate(world.everything(), {P: taken})
        rows = list(found)
        rows[2] = sorted(rows[2].items())
        assert snapshot(tuple(rows)) == after(path)
    undo(layer)
    assert plain(world) == after()


def test_variables_of_closures_and_attributes_of_classes() -> None:
    variable: Any = 1

    def read() -> Any:
        return variable

    class Local:
        a = 1

    assert read.__closure__ is not None
    cell = read.__closure__[0]
    layer: Layer = {}
    note_slot(layer, CELL, cell, None)
    cell.cell_contents = 2
    for name in ("a", "b"):
        note_slot(layer, CLASS_ATTRIBUTES, Local, name)
        setattr(Local, name, 2)
    assert (read(), Local.a, Local.b) == (2, 2, 2)  # type: ignore[attr-defined]
    undo(layer)
    assert (read(), Local.a, hasattr(Local, "b")) == (1, 1, False)


class EqualToAll:
    """A value that says to be equal to anything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


def test_no_value_is_taken_for_an_empty_slot() -> None:
    class Local:
        a: Any = None

    odd: Any = EqualToAll()
    variable: Any = None
    cell = (lambda: variable).__closure__[0]  # type: ignore[index]
    owners: list[tuple[Any, Any, Any]] = [
        (CLASS_ATTRIBUTES, Local, "a"),
        (ATTRIBUTES, Thing(), "a"),
        (ATTRIBUTES, Slotted(), "a"),
        (ENTRIES, {"a": None}, "a"),
        (ITEMS, [None], 0),
        (CELL, cell, None),
    ]
    for kind, owner, slot in owners:
        layer: Layer = {}
        for value in (odd, None):
            note_slot(layer, kind, owner, slot)
            kind.write(owner, slot, value)
            assert kind.read(owner, slot) is value
        effects = capture((layer,))
        kind.write(owner, slot, odd)
        undo(layer)
        apply(effects, layer)
        assert kind.read(owner, slot) is None


def test_aliases_stay_aliases() -> None:
    world = World()
    alias = world.items
    layer: Layer = {}
    note_whole(layer, ITEMS, world.items)
    world.items.append(9)
    effects = capture((layer,))
    undo(layer)
    blend(P, effects, layer)
    assert world.slotted.a is alias is world.items  # type: ignore[attr-defined]
    assert evaluate(alias, {P: True}) == [1, 2, 3, 9]
    assert evaluate(alias, {P: False}) == [1, 2, 3]
