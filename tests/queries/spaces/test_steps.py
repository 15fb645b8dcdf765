"""Iterators, memory views, ranges and slices as inputs: exactly those of a small space.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvent import assume, integers, solve_all
from solvent.queries.spaces.characters import Binary
from solvent.queries.spaces.containers import Lists
from solvent.queries.spaces.steps import RANGE_STEPS, SLICE_STEPS, NumberRanges, Slices, Views
from tests.queries.spaces.enumerated import fails, holds, values


def test_each_iterator_once() -> None:
    found = values(Views(iter, Lists(integers(0, 1), 0, 2), "iterator"))
    assert all(type(one) is type(iter([])) for one in found)
    expected = [[], [0], [0, 0], [0, 1], [1], [1, 0], [1, 1]]
    assert sorted(map(list, found)) == expected


def test_each_memory_view_once() -> None:
    def small(value: Any) -> None:
        assert all(item < 2 for item in value)

    found = solve_all(small, Views(memoryview, Binary(0, 2), "memoryview"))
    views = [one.inputs["value"] for one in found]
    assert all(type(one) is memoryview for one in views)
    expected = [b"", b"\0", b"\0\0", b"\0\1", b"\1", b"\1\0", b"\1\1"]
    assert sorted(map(bytes, views)) == expected


def test_each_range_once() -> None:
    def small(value: Any) -> None:
        assume(-2 <= value.start <= 2)
        assume(-2 <= value.stop <= 2)

    found = [one.inputs["value"] for one in solve_all(small, NumberRanges(2))]
    ends = range(-2, 3)
    expected = [range(a, b, step) for a in ends for b in ends for step in RANGE_STEPS]
    spelled = sorted(repr(one) for one in expected if len(one) <= 2)
    assert sorted(map(repr, found)) == spelled


def test_each_slice_once() -> None:
    def small(value: Any) -> None:
        assume(value.start is None or 0 <= value.start <= 1)
        assume(value.stop is None or 0 <= value.stop <= 1)

    found = [one.inputs["value"] for one in solve_all(small, Slices())]
    ends = (None, 0, 1)
    expected = [slice(a, b, step) for a in ends for b in ends for step in SLICE_STEPS]
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


def progress(xs: Iterator[int], ys: Iterator[int]) -> None:
    for x in xs:
        if x == 5:
            break
    assert sum(1 for _ in xs) == 0 or next(ys, 3) != 4


def used_up(xs: Iterator[int]) -> None:
    first = list(xs)
    assert len(first) <= 3
    assert list(xs) == []


def parts(xs: list[int], found: slice) -> None:
    part = xs[found]
    assert len(part) <= len(xs)
    assert all(item in xs for item in part)


def test_iterators_move_on() -> None:
    fails(progress)
    holds(used_up)
    holds(parts)
