"""Inputs as text: what is printed gives the same value again when it is pasted."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict, deque
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from solvent.queries.recipes import Recipe, remade
from solvent.queries.spelling import Speller, spelled


class Color(enum.Flag):
    """An enumeration whose members may be combined."""

    RED = 1
    GREEN = 2


class Pair(NamedTuple):
    """A named tuple."""

    left: Any
    right: Any


class Point:
    """An object without a `repr` that could be pasted."""

    def __init__(self, x: Any, y: Any = 0) -> None:
        self.x = x
        self.y = y


VALUES: list[Any] = [
    None,
    7,
    -1.5,
    float("inf"),
    "a'b\n",
    b"\x00",
    bytearray(b"ab"),
    [1, (2,), ()],
    {"a": {1}, 2: set()},
    frozenset({3}),
    frozenset(),
    deque([1], maxlen=2),
    Counter({"a": 2, "b": -1}),
    Counter(),
    defaultdict(list, {"a": [1]}),
    Color.RED,
    Color.RED | Color.GREEN,
    Pair(1, [Color.GREEN]),
    int,
    Point,
    len,
    Fraction(1, 3),
    range(3),
    slice(1, None),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_read_back(value: Any) -> None:
    again = eval(spelled(value))
    assert again == value
    assert type(again) is type(value)


def test_a_nan_is_read_back() -> None:
    again = eval(spelled([float("nan")]))
    assert again[0] != again[0]


def test_a_long_number_is_written() -> None:
    assert spelled([10**5000]).strip("[]") == "1" + "0" * 5000


def test_a_value_that_contains_itself_is_written() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert "..." in spelled(value)


def test_what_is_there_twice_is_there_twice_again() -> None:
    inner: list[int] = [1]
    other: dict[int, Any] = {1: inner}
    again = eval(spelled([inner, other, (inner, other), [1]]))
    assert again == [inner, other, (inner, other), [1]]
    assert again[0] is again[1][1] is again[2][0]
    assert again[1] is again[2][1]
    assert again[3] is not again[0]


def test_names_hold_for_a_whole_call() -> None:
    xs: list[int] = []
    speller = Speller([xs, xs])
    assert [speller.text(xs), speller.text(xs)] == ["(shared := [])", "shared"]


def test_objects_are_written_as_they_were_made() -> None:
    inner, outer = Point(1), Point(2)
    made = [(inner, Recipe(Point, (1,), {"y": 2})), (outer, Recipe(Point, (inner, [inner])))]
    assert spelled(outer, made) == "Point((shared := Point(1, y=2)), [shared])"


def test_objects_are_made_anew_once() -> None:
    inner, outer, copied = Point("inner"), Point("outer"), Point("copied")
    made = [(inner, Recipe(Point, (1,))), (outer, Recipe(Point, (inner,), {"y": [inner, copied]}))]
    (first, second), third = remade(((outer, inner), copied), made)
    assert first.x is second
    assert first.y[0] is second
    assert first.y[1] is third
    assert (second.x, third.x) == (1, "copied")
    assert third is not copied


def test_a_recipe_that_fails_leaves_a_copy() -> None:
    value = Point(1)
    copied = remade(value, [(value, Recipe(int, ("x",)))])
    assert copied is not value
    assert copied.x == 1


def test_what_is_not_needed_is_not_made() -> None:
    calls: list[int] = []
    value = Point(1)
    assert remade([2], [(value, Recipe(calls.append, (1,)))]) == [2]
    assert calls == []
