"""Levels: sizes grow up to what was asked, and never beyond."""

from __future__ import annotations

from solvent.queries.options import Options
from solvent.queries.spaces.making import lists, texts
from solvent.race.levels import LAST_BOUND, Sizes, Subject, levels
from solvent.terms import Int
from solvent.vm.values import Value


def number(x: int) -> int:
    return x


def both(xs: list[int], s: str) -> int:
    return len(xs) + len(s)


def anything(x: Value) -> Value:
    return x


def sizes(function: object, *args: Value, max_len: int = 3) -> Sizes:
    return Subject(function, args, {}, Options(max_len=max_len)).sizes()  # type: ignore[arg-type]


def test_inputs_without_lengths_have_one_length() -> None:
    assert sizes(number) == Sizes(None)
    assert sizes(anything, Int("x")) == Sizes(None)
    assert sizes(anything, [Int("x"), 2]) == Sizes(None)


def test_containers_start_empty() -> None:
    assert sizes(both) == Sizes(3, 0)
    assert sizes(both, max_len=5) == Sizes(5, 0)


def test_spaces_that_are_given_have_lengths_of_their_own() -> None:
    assert sizes(anything, lists(Int, min_len=2, max_len=5)) == Sizes(5, 2)
    assert sizes(anything, lists(texts(max_len=6), min_len=1, max_len=1)) == Sizes(6, 0)


def test_levels_grow_to_the_asked_one() -> None:
    found = [(level.length, level.bound) for level in levels(Sizes(3), None)]
    assert found[:4] == [(0, 4), (1, 8), (2, 16), (3, 32)]
    assert found[-1] == (3, LAST_BOUND)
    assert all(length == 3 for length, _ in found[3:])


def test_a_bound_is_never_exceeded() -> None:
    assert [(level.length, level.bound) for level in levels(Sizes(2), 3)] == [
        (0, 3),
        (1, 3),
        (2, 3),
    ]
    assert [level.bound for level in levels(Sizes(None), 0)] == [0]


def test_inputs_at_a_level_are_as_short_as_it_says() -> None:
    subject = Subject(anything, (lists(lists(Int, max_len=4), max_len=4),), {}, Options())
    found = subject.inputs(2)
    assert len(found.args[0]) == 2
    assert len(subject.inputs(4).args[0]) == len(subject.inputs().args[0]) == 4
