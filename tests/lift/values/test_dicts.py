"""Dicts: every method against CPython, with symbolic keys and keys that only some paths have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from solvent import Int
from solvent.lift import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


def partial(p: Any, x: Any) -> dict[Any, Any]:
    """A dict with a symbolic key, and one that only some paths have."""
    table = {x: "x", 1: "one"}
    if p:
        table[2] = "two"
    return table


def test_get_and_membership() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        table = partial(p, x)
        keys = table.keys()
        return table.get(y), table.get(y, 7), y in table, 2 in table, y in keys, len(table)

    agree(f, BITS, SMALL, SMALL)


def test_items_that_may_be_missing() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        return partial(p, x)[y]

    agree(f, BITS, SMALL, SMALL)


def test_views() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        return list(table), list(table.keys()), list(table.values()), list(table.items())

    agree(f, BITS, SMALL)


def test_views_are_live() -> None:
    def f(p: Any, x: Any) -> Any:
        table = {0: "zero"}
        keys, values, items = table.keys(), table.values(), table.items()
        if p:
            table[x] = "x"
        pairs = []
        for key, value in items:
            pairs.append((key, value))
        return list(keys), list(values), pairs, len(keys), (x, "x") in items, "x" in values

    agree(f, BITS, SMALL)


def test_views_as_sets() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        other = {0: 1, x: 2}
        return (
            table.keys() == other.keys(),
            table.keys() == {0, 1},
            table.keys().isdisjoint([x, 7]),
            table.items().isdisjoint(other.items()),
            set(table.keys()),
            table.keys().__and__({1, 5}),
        )

    agree(f, BITS, SMALL)


def test_operators_of_views() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        keys = table.keys()
        return keys & {0, 2}, keys | {x}, {2} - keys, keys ^ keys, table.items() & {(1, "one")}

    agree(f, BITS, SMALL)


def test_inclusion_of_views() -> None:
    def f(p: Any, x: Any) -> Any:
        keys = partial(p, x).keys()
        return keys <= {0, 1, 2}, keys > {1}, {1, x} >= keys, keys.__lt__({0, 1, 2})

    agree(f, BITS, SMALL)


def test_pop() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        table = partial(p, x)
        first = table.pop(y, None)
        return first, table.pop(2), table

    agree(f, BITS, SMALL, SMALL)


def test_popitem() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        first = table.popitem()
        second = table.popitem() if p else None
        return first, second, table

    agree(f, BITS, SMALL)


def test_popitem_of_an_empty_dict() -> None:
    def f(p: Any) -> Any:
        table = {}
        if p:
            table["a"] = 1
        return table.popitem(), table

    agree(f, BITS)


def test_setdefault() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        table: dict[Any, Any] = {}
        if p:
            table[x] = [0]
        table.setdefault(y, []).append(y)
        table.setdefault(x, [9]).append(x)
        return table.get(0), table.get(1), table.get(2), table.setdefault("n")

    agree(f, BITS, SMALL, SMALL)


def test_update() -> None:
    def f(p: Any, x: Any) -> Any:
        table = {0: "a"}
        table.update(partial(p, x))
        table.update([(x, "b"), [5, p]], name=x)
        table.update({} if p else {7: 7})
        table.update(a=1)
        return [table.get(key) for key in (0, 1, 2, 5, 7, "name", "a")], len(table)

    agree(f, BITS, SMALL)


@pytest.mark.parametrize("source", [3, [1], [(1, 2, 3)], [(1, 2), "abc"], ["ab"], None])
def test_update_by_the_wrong_thing(source: Any) -> None:
    def f(p: Any, x: Any) -> Any:
        table = {1: x}
        if p:
            table.update(source)
        return table

    agree(f, BITS, SMALL)


def test_pairs_of_several_lengths() -> None:
    def f(p: Any, x: Any) -> Any:
        pair = [x, 1]
        if p:
            pair.append(2)
        return dict([(0, 0), pair])

    agree(f, BITS, SMALL)


def test_clear_and_copy() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        other = table.copy()
        if p:
            table.clear()
        table[x] = "new"
        return table.get(x), other.get(x), len(table), len(other), bool(table), other is table

    agree(f, BITS, SMALL)


def test_constructor() -> None:
    def f(p: Any, x: Any) -> Any:
        pairs = [(x, 1), (1, 2)]
        empty: dict[Any, Any] = dict()  # noqa: C408
        return (
            empty,
            dict(pairs),
            dict({x: 1}, a=x),
            dict(partial(p, x)),
            dict([(0, 1)] if p else {5: 6}),
            dict(zip([x, 2], "ab", strict=True)),
        )

    agree(f, BITS, SMALL)


def test_fromkeys() -> None:
    def f(p: Any, x: Any) -> Any:
        items = [x, 1]
        if p:
            items.append(2)
        table = dict.fromkeys(items, [])  # noqa: RUF024
        table[x].append(1)
        return table, dict.fromkeys("ab"), len(table)

    agree(f, BITS, SMALL)


def test_merging() -> None:
    def f(p: Any, x: Any) -> Any:
        first = partial(p, x)
        second = first | {2: "other", x: "y"}
        first |= {1: "changed"}
        first |= [(x, "z")]  # type: ignore[arg-type]
        return [second.get(key) for key in SMALL], [first.get(key) for key in SMALL]

    agree(f, BITS, SMALL)


def test_equality() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        first = partial(p, x)
        return first == {1: "one", y: "x"}, first != partial(True, y), first == 3

    agree(f, BITS, SMALL, SMALL)


def test_deletion() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        table = partial(p, x)
        del table[y]
        return [table.get(key) for key in SMALL], len(table)

    agree(f, BITS, SMALL, SMALL)


def test_changes_to_an_argument() -> None:
    def f(table: Any, alias: Any, p: Any, x: Any) -> Any:
        if p:
            alias[x] = table.pop("a")
        else:
            table.setdefault("b", []).append(x)
        alias["c"] = x
        return table is alias, len(table)

    def make(p: Any, x: Any) -> tuple[Any, ...]:
        table = {"a": 1}
        return table, table, p, x

    agree(f, BITS, SMALL, make=make)


def test_the_order_of_insertion() -> None:
    def f(p: Any, q: Any) -> Any:
        table = {"a": 0}
        if p:
            table["b"] = 1
        if q:
            table["c"] = 2
        table["d"] = 3
        return list(table.items())

    agree(f, BITS, BITS)


def test_what_does_not_need_the_order() -> None:
    def f(p: Any, x: Any) -> Any:
        table: dict[Any, Any] = {}
        if p:
            table["a"] = 1
        table["b"] = x
        table["a"] = 3
        return len(table), table["a"], "b" in table, set(table), table == {"a": 3, "b": x}

    agree(f, BITS, SMALL)


def test_keys_that_cannot_be_hashed() -> None:
    def f(p: Any, x: Any) -> Any:
        table: dict[Any, Any] = {x: 1}
        key = [x] if p else (x, [])
        return table.get(key)

    agree(f, BITS, SMALL)


@dataclass(frozen=True)
class Point:
    """A record that is used as a key."""

    x: Any
    y: Any


class Named:
    """An object with a hash of its own."""

    def __init__(self, name: Any) -> None:
        self.name = name

    def __eq__(self, other: Any) -> Any:
        return isinstance(other, Named) and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.name,))


def test_tuples_and_records_as_keys() -> None:
    def f(x: Any, y: Any) -> Any:
        table = {(x, 1): "a", (1, y): "b", Point(x, 0): "c"}
        table[Point(y, 0)] = "d"
        return table.get((1, 1)), table.get((0, 1)), table[Point(y, 0)], len(table), (y, 1) in table

    agree(f, SMALL, SMALL)


def test_frozensets_as_keys() -> None:
    def f(x: Any, y: Any) -> Any:
        table = {frozenset((x, 1)): "a"}
        table[frozenset((y, 1))] = "b"
        return len(table), table.get(frozenset((0, 1))), frozenset((1,)) in table

    agree(f, SMALL, SMALL)


def test_keys_of_several_types() -> None:
    def f(p: Any, x: Any) -> Any:
        key = x if p else "s"
        table = {key: 1, "s": 2}
        table[key] = 3
        return table.get("s"), table.get(1), len(table)

    agree(f, BITS, SMALL)


class Lower(dict):  # type: ignore[type-arg]
    """A dict that changes its keys."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key - 1, value)

    def __missing__(self, key: Any) -> Any:
        return key * 10


class Plain(dict):  # type: ignore[type-arg]
    """A dict with a method."""

    def bump(self, key: Any) -> None:
        self[key] = self.get(key, 0) + 1


def test_derived_classes() -> None:
    def f(p: Any, x: Any) -> Any:
        table = Lower()
        if p:
            table[x] = "v"
        plain = Plain()
        plain.bump(x)
        plain.bump(1)
        plain.update({x: 5}) if p else plain.bump(x)
        return table[x], table[x - 1], table.get(x), plain[x], plain.get(1), len(plain), plain

    agree(f, BITS, SMALL)


def test_special_methods_called_by_name() -> None:
    def f(p: Any, x: Any) -> Any:
        table = partial(p, x)
        table.__setitem__(5, x)
        found = table.__getitem__(5), table.__contains__(2), table.__len__()
        table.__delitem__(5)
        return found, table.__eq__(partial(True, 0)), dict.get(table, x), table.__eq__(3)

    agree(f, BITS, SMALL)


def test_concrete_dicts_are_pythons_own() -> None:
    def f(x: Any) -> Any:
        table = dict(a=1)  # noqa: C408
        table.update(b=2)
        return table.keys(), table

    keys, table = execute(f, Int("x")).value
    assert type(keys) is type({}.keys())
    assert keys == {"a", "b"}
    assert table == {"a": 1, "b": 2}
