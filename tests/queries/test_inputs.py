"""Spaces of inputs: every value of a small space is found, and no other.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from solvent import (
    BitVec,
    Int,
    assume,
    dicts,
    integers,
    lists,
    objects,
    one_of,
    sets,
    solve,
    solve_all,
    tuples,
    verify,
)
from solvent.errors import InputSpaceError
from solvent.queries.inputs import bind
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import Space
from solvent.queries.spaces.making import binary
from solvent.terms import Sort


def values(space: Space) -> list[Any]:
    """All values of a finite space, by asking for them."""

    def keep(value: Any) -> None:
        return None

    return [found.inputs["value"] for found in solve_all(keep, space)]


@dataclass
class Point:
    """A mutable object."""

    x: int
    y: bool


class Pair(NamedTuple):
    """A named tuple."""

    left: bool
    right: Literal["a", "b"]


class Color(Enum):
    """An enumeration."""

    RED = 1
    GREEN = 2


BITS = integers(0, 1)


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (integers(2, 4), [2, 3, 4]),
        (one_of("a", None, 3), ["a", None, 3]),
        (one_of(None, integers(5, 6)), [None, 5, 6]),
        (lists(BITS, max_len=2), [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]),
        (lists(BITS, min_len=1, max_len=1), [[0], [1]]),
        (lists(BITS, max_len=0), [[]]),
        (tuples(BITS, bool), [(0, False), (0, True), (1, False), (1, True)]),
        (sets(BITS, max_len=2), [set(), {0}, {1}, {0, 1}]),
        (dicts(["k"], BITS, max_len=1), [{}, {"k": 0}, {"k": 1}]),
        (of_annotation(Color), [Color.RED, Color.GREEN]),
        (of_annotation(bool | None), [None, False, True]),
        (of_annotation(Literal[1, "x"]), [1, "x"]),
        (of_annotation(tuple[bool, ...], max_len=1), [(), (False,), (True,)]),
        (
            of_annotation(Pair),
            [Pair(left, right) for left in (False, True) for right in ("a", "b")],
        ),
        (
            of_annotation(Annotated[list[int], lists(integers(7, 7), max_len=1)]),
            [[], [7]],
        ),
        (
            of_annotation(frozenset[bool], max_len=1),
            [frozenset(), frozenset({False}), frozenset({True})],
        ),
    ],
    ids=str,
)
def test_exactly_the_values_of_a_space(space: Space, expected: list[Any]) -> None:
    found = values(space)
    assert len(found) == len(expected)
    for value in expected:
        assert sum(value == other and type(value) is type(other) for other in found) == 1


def test_dictionaries_of_two_entries() -> None:
    found = values(dicts(integers(0, 1), integers(0, 1), max_len=2))
    expected = [{}]
    for key in (0, 1):
        expected += [{key: value} for value in (0, 1)]
    expected += [{0: a, 1: b} for a, b in itertools.product((0, 1), repeat=2)]
    assert sorted(map(sorted_items, found)) == sorted(map(sorted_items, expected))


def sorted_items(mapping: dict[int, int]) -> list[tuple[int, int]]:
    """A dictionary without its order."""
    return sorted(mapping.items())


def test_objects_are_made_anew() -> None:
    def move(point: Point) -> None:
        before = point.x
        point.x += 1
        assert point.x != 8 or not point.y
        assert point.x > before

    result = verify(move, objects(Point, x=Int, y=bool))
    assert result.inputs["point"] == Point(7, True)
    assert result.confirmed


@pytest.mark.parametrize(
    ("annotation", "value"),
    [(int, 3), (bool, True), (float, 2.5), (str, "ab"), (Fraction, Fraction(1, 3))],
)
def test_simple_annotations(annotation: Any, value: Any) -> None:
    def is_value(x: Any) -> None:
        assert x == value

    is_value.__annotations__["x"] = annotation
    found = solve(is_value).inputs["x"]
    assert found == value
    assert type(found) is type(value)


def test_sorts_are_annotations() -> None:
    def carry(x: Any) -> None:
        assert x + 1 != 0

    carry.__annotations__["x"] = BitVec(8)
    assert verify(carry).inputs["x"] == 255


def test_annotations_in_quotes() -> None:
    def f(xs: list[int]) -> None:
        assert len(xs) < 2

    assert len(verify(f).inputs["xs"]) >= 2


def test_derived_spaces_are_told() -> None:
    def f(xs: list[int], k: int) -> None:
        assert len(xs) < k

    result = verify(f, max_len=2)
    assert result.derived == {"xs": "lists of up to 2 items, each any int", "k": "any int"}
    assert "inputs tried: xs: lists of up to 2 items" in str(result)


def test_defaults_and_keywords() -> None:
    def f(a: int, b: int = 5, *rest: int, c: int, **more: int) -> None:
        assert (a, b, rest, c, more) != (1, 5, (), 2, {})

    result = verify(f)
    assert result.call.endswith("f(a=1, c=2)")

    def g(a: int, *rest: int, **more: int) -> None:
        assert a + sum(rest) + sum(more.values()) != 10

    result = verify(g, Int("a"), Int("r"), 3, z=Int("z"))
    assert result.confirmed
    assert (
        eval(result.call.removeprefix("test_defaults_and_keywords.<locals>."), {"g": plain_sum})
        == 10
    )


def plain_sum(a: int, *rest: int, **more: int) -> int:
    """What `g` adds up."""
    return a + sum(rest) + sum(more.values())


def no_annotation(x):  # type: ignore[no-untyped-def]
    """A parameter that nothing is known about."""
    return x


def bare_list(xs: list) -> None:  # type: ignore[type-arg]
    """A list of anything."""


@dataclass
class Endless:
    """A class that contains itself, always."""

    value: int
    child: Endless


def linked(node: Endless) -> None:
    """A structure that cannot be made."""


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_annotation, "the parameter `x` has no value and no annotation"),
        (linked, "`Endless` contains itself"),
    ],
)
def test_what_cannot_be_made(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(InputSpaceError, match=message):
        bind(function, (), {})


def test_wrong_arguments_and_bounds() -> None:
    with pytest.raises(InputSpaceError, match="too many positional arguments"):
        bind(bare_list, (1, 2), {})
    with pytest.raises(InputSpaceError, match="there are no lengths from 3 to 2"):
        lists(Int, min_len=3, max_len=2)
    with pytest.raises(InputSpaceError, match="there are no ints from 3 to 2"):
        integers(3, 2)
    with pytest.raises(InputSpaceError, match="needs at least one value"):
        one_of()
    assert isinstance(Int, Sort)


# --- bytes ----------------------------------------------------------------------------------------


def framed(data: bytes) -> None:
    if data[:1] == b"\x02" and len(data) == 3:
        assert data.endswith(b"\x03")


def summed(data: bytearray) -> None:
    data.append(1)
    assert sum(data) != 3 * 255 + 1


def read_as_text(data: bytes) -> None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    assert text != "\u20ac"


def test_bytes_are_found() -> None:
    found = verify(framed)
    assert found.inputs["data"][0] == 2
    assert found.inputs["data"][2] != 3
    assert "bytes of up to 3" in str(found)
    assert verify(summed).inputs == {"data": bytearray(b"\xff\xff\xff")}
    assert verify(read_as_text).inputs == {"data": b"\xe2\x82\xac"}


def of_few(data: bytes) -> None:
    assume(all(byte % 100 == 55 for byte in data))


def test_every_byte_is_in_the_space() -> None:
    found = [result.inputs["data"] for result in solve_all(of_few, binary(max_len=1))]
    assert sorted(found) == [b"", b"7", b"\x9b", b"\xff"]


def of_few_in_buffers(data: bytearray) -> None:
    assume(all(byte < 2 for byte in data))


def test_every_bytearray_is_in_the_space() -> None:
    found = [bytes(result.inputs["data"]) for result in solve_all(of_few_in_buffers, max_len=1)]
    assert sorted(found) == [b"", b"\x00", b"\x01"]


def test_what_spaces_of_bytes_are_called() -> None:
    assert str(binary(min_len=1, max_len=2)) == "bytes of 1 to 2"
    assert str(of_annotation(bytearray)) == "bytearray of up to 3"
    with pytest.raises(InputSpaceError, match="no lengths from 3 to 2"):
        binary(min_len=3, max_len=2)
