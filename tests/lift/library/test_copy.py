"""`copy.copy` and `copy.deepcopy`: contents and aliases of symbolic objects against CPython."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError, evaluate
from solvent.lift import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


class Node:
    """An object with attributes."""

    def __init__(self, value: Any, child: Any = None) -> None:
        self.value = value
        self.child = child


class Slotted:
    """An object with slots."""

    __slots__ = ("a", "b")

    def __init__(self, a: Any) -> None:
        self.a = a


class Private:
    """An object with slots that have private names."""

    __slots__ = ("__items",)

    def __init__(self, items: Any) -> None:
        self.__items = items

    def add(self, item: Any) -> None:
        self.__items.append(item)

    def total(self) -> Any:
        return sum(self.__items)


class Special:
    """An object that copies itself."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __copy__(self) -> Any:
        return Special(self.value + 10)

    def __deepcopy__(self, memo: Any) -> Any:
        result = Special(copy.deepcopy(self.value, memo))
        if self.value == 1:
            result.value = 100
        return result


class Stateful:
    """An object that tells its state."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getstate__(self) -> Any:
        return {"value": self.value + 1}

    def __setstate__(self, state: Any) -> None:
        self.value = state["value"] * 2


@dataclass(frozen=True)
class Record:
    """An immutable record that holds something mutable."""

    items: Any


class Named(list):  # type: ignore[type-arg]
    """A list with an attribute."""

    name: Any = None


def ragged(p: Any, x: Any) -> list[Any]:
    """A list of one or two items."""
    items = [x]
    if p:
        items.append([x])
    return items


def test_shallow_copies() -> None:
    def f(p: Any, x: Any) -> Any:
        inner = [x]
        table = {x: inner, 1: "one"}
        if p:
            table[5] = inner
        queue = deque([inner, x], maxlen=3)
        results = []
        for found in ([inner, x], table, {x, 1}, queue, (inner,), frozenset((x,)), x, "s", None):
            results.append((found, copy.copy(found)))
        inner.append(9)
        return results

    agree(f, BITS, SMALL)


def test_a_shallow_copy_is_another_object() -> None:
    def f(p: Any, x: Any) -> Any:
        items = ragged(p, x)
        other = copy.copy(items)
        other.append("new")
        if p:
            other[1].append("shared")
        return items, other, other is items

    agree(f, BITS, SMALL)


def test_shallow_copies_of_objects() -> None:
    def f(p: Any, x: Any) -> Any:
        node = Node(x, [1])
        if p:
            node.extra = 3  # type: ignore[attr-defined]
        other = copy.copy(node)
        other.value = 7
        other.child.append(x)
        slotted = Slotted([x])
        if p:
            slotted.b = 1
        second = copy.copy(slotted)
        second.a.append(2)
        return node, other, slotted.a, second.a, second.a is slotted.a, hasattr(other, "extra")

    agree(f, BITS, SMALL)


def test_private_slots() -> None:
    def f(p: Any, x: Any) -> Any:
        first = Private([x])
        deep, shallow = copy.deepcopy(first), copy.copy(first)
        if p:
            first.add(5)
        return first, first.total(), deep.total(), shallow.total()

    agree(f, BITS, SMALL)


def test_private_slots_of_arguments() -> None:
    # The items are a list of plain Python's, which is written under a condition.
    def f(box: Any, p: Any) -> Any:
        if p:
            box.add(4)
        return box.total()

    p, x = Bool("p"), Int("x")
    outcome = execute(f, Private([x]), p)
    assert [evaluate(outcome.value, {p: bit, x: 3}) for bit in BITS] == [3, 7]
    assert evaluate(Private([x]), {x: 3}).total() == 3


def test_deep_copies() -> None:
    def f(p: Any, x: Any) -> Any:
        inner = [x]
        outer = {"a": inner, "b": (inner, 1), x: ragged(p, x)}
        if p:
            outer["c"] = inner
        other = copy.deepcopy(outer)
        inner.append("old")
        other["a"].append("new")
        return outer, other

    agree(f, BITS, SMALL)


def test_aliases_stay_aliases() -> None:
    def f(p: Any, x: Any) -> Any:
        first, second = [x], [2]
        chosen = first if p else second
        whole = [first, second, chosen, chosen]
        other = copy.deepcopy(whole)
        other[2].append("new")
        chosen.append("old")
        return whole, other, other[2] is other[0], other[3] is other[2], other[2] is chosen

    agree(f, BITS, SMALL)


def test_cycles() -> None:
    def f(p: Any, x: Any) -> Any:
        node = Node(x)
        node.child = node if p else Node(1, node)
        items: list[Any] = [x]
        items.append((items, 1))
        other, more = copy.deepcopy(node), copy.deepcopy(items)
        other.value = 5
        return node, other, other.child.value, more[1][0] is more, more[1][0] is items

    agree(f, BITS, SMALL)


def test_what_is_immutable_is_shared() -> None:
    def f(x: Any) -> Any:
        pair = (x, ("a", 1))
        held = ([x], 1)
        return copy.deepcopy(pair) is pair, copy.deepcopy(held) is held, copy.deepcopy(x)

    agree(f, SMALL)


def test_collections() -> None:
    def f(p: Any, x: Any) -> Any:
        counts = Counter([x, 1])
        groups: Any = defaultdict(list, {1: [x]})
        ordered: Any = OrderedDict(b=[x], a=1)
        queue = deque([[x]], maxlen=2)
        named = Named([[x]])
        named.name = [1]
        held = [counts, groups, ordered, queue, named]
        if p:
            ordered.move_to_end("b")
            ordered.move_to_end("b", last=False)
        other: Any = copy.deepcopy(held)
        counts[x] += 1
        groups[1].append(2)
        other[1][7].append(3)
        other[3].append(1)
        other[4].name.append(2)
        shallow = copy.copy(named)
        return held, other, other[3].maxlen, named.name, other[4].name, shallow.name is named.name

    agree(f, BITS, SMALL)


def test_sets_and_records() -> None:
    def f(p: Any, x: Any) -> Any:
        found = {x, 1}
        if p:
            found.add(7)
        record = Record([x])
        other, second = copy.deepcopy(found), copy.deepcopy(record)
        other.add(9)
        second.items.append(p)
        return found, other, record.items, second.items

    agree(f, BITS, SMALL)


def test_methods_of_the_class() -> None:
    def f(p: Any, x: Any) -> Any:
        special, state = Special(x), Stateful(x)
        found = special if p else state
        return copy.copy(found), copy.deepcopy(found), copy.deepcopy([special, special, state])

    agree(f, BITS, SMALL)


def test_a_method_that_would_run_on_some_paths_only() -> None:
    def f(p: Any, x: Any) -> Any:
        return copy.deepcopy([Special(x) if p else None])

    with pytest.raises(NotLiftedError, match="__deepcopy__"):
        execute(f, Bool("p"), Int("x"))


def test_copies_under_a_condition() -> None:
    def f(items: Any, p: Any, x: Any) -> Any:
        other = items
        if p:
            other = copy.deepcopy(items)
            other[0].append(x)
        other.append(1)
        return other, other is items

    agree(f, BITS, SMALL, make=lambda p, x: ([[x]], p, x))


def test_concrete_objects() -> None:
    def f(x: Any) -> Any:
        data = {"a": [1, {2}], "b": (3, [4])}
        return copy.deepcopy(data), data

    new, old = execute(f, Int("x")).value
    assert new == old
    assert new["a"] is not old["a"]
