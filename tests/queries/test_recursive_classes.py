"""Classes whose instances have instances of the same class: lists that are linked, and trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict

import pytest

from solvent import verify, verify_all
from solvent.queries.inputs import bind


@dataclass
class Link:
    """A list that is linked."""

    value: int
    rest: Link | None = None


@dataclass
class Tree:
    """A binary tree."""

    left: Tree | None
    right: Tree | None


class Folder:
    """A class with a constructor, and a list of its own instances."""

    def __init__(self, size: int, folders: list[Folder]) -> None:
        self.size = size
        self.folders = folders


class Pair(NamedTuple):
    """What may have another pair."""

    value: int
    other: Pair | None


class Row(TypedDict):
    """A dictionary of dictionaries."""

    key: int
    rows: dict[bool, Row]


@dataclass
class Even:
    """One of two classes that have each other."""

    odd: Odd | None


@dataclass
class Odd:
    """The other one."""

    evens: list[Even] = field(default_factory=list)


def length(link: Link | None) -> int:
    return 0 if link is None else 1 + length(link.rest)


def depth(tree: Tree | None) -> int:
    return 0 if tree is None else 1 + max(depth(tree.left), depth(tree.right))


def nodes(tree: Tree | None) -> int:
    return 0 if tree is None else 1 + nodes(tree.left) + nodes(tree.right)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_there_are_as_many_in_a_row_as_a_container_has_items(most: int) -> None:
    """All lengths up to that are inputs, and no others."""

    def lengths(link: Link | None) -> None:
        found = length(link)
        assert found != 0
        assert found != 1
        assert found != 2
        assert found != 3
        assert found != 4

    failing = {length(found.inputs["link"]) for found in verify_all(lengths, max_len=most)}
    assert failing == set(range(most + 1))


def test_trees_of_all_shapes_are_inputs() -> None:
    """There are 26 binary trees that are at most 3 deep, with the empty one."""

    def is_whole(tree: Tree | None) -> None:
        assert depth(tree) <= 3
        assert nodes(tree) != 7

    def leans(tree: Tree | None) -> None:
        if tree is not None and tree.left is None and tree.right is not None:
            assert tree.right.left is None or tree.right.right is not None

    assert nodes(verify(is_whole).inputs["tree"]) == 7
    found = verify(leans, budget=60)
    assert found.confirmed
    # The smallest one: what ends comes first.
    assert (depth(found.inputs["tree"]), nodes(found.inputs["tree"])) == (3, 3)


def sizes_add_up(folder: Folder) -> None:
    total = folder.size + sum(one.size for one in folder.folders)
    assert total != 77 or not folder.folders


def third(pair: Pair) -> None:
    if pair.other is not None and pair.other.other is not None:
        assert pair.other.other.value != 5


def rows_of_rows(row: Row) -> None:
    for one in row["rows"].values():
        assert one["key"] != 9


def each_other(even: Even) -> None:
    if even.odd is not None:
        for one in even.odd.evens:
            assert one.odd is None


@pytest.mark.parametrize("function", [sizes_add_up, third, rows_of_rows, each_other])
def test_fields_and_items_of_all_kinds(function) -> None:
    assert verify(function, max_len=3 if function is third else 2).confirmed


def test_how_deep_they_are_is_told() -> None:
    def about(link: Link, folder: Folder) -> None: ...

    derived = bind(about, (), {}, 2).derived
    assert {name: derived[name] for name in ("link", "folder")} == {
        "link": "Link(value: any int, rest: None or Link(...); up to 2 deep)",
        "folder": "Folder(size: any int, folders: a list of up to 2 items, each Folder(...); "
        "up to 2 deep)",
    }
