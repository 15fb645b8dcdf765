"""Frames of a run have room: calls do not ask the system for memory again and again."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable

import pytest

from solvent.vm.room import roomy, with_room

DEPTHS, CALLS = range(1, 400), 64


def leaf(a: int, b: int, c: int, d: int) -> int:
    return a + b + c + d


def faults_at(depth: int) -> int:
    """How many pages of memory the system gives while a function is called at some depth."""
    if depth:
        return faults_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for number in range(CALLS):
        leaf(number, number, number, number)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def worst() -> int:
    return max(map(faults_at, DEPTHS))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count pages in another way")
def test_calls_at_any_depth_get_no_memory_from_the_system() -> None:
    found: list[int] = []
    # The system gives and takes pages for reasons of its own, but not each time.
    for _ in range(3):
        with_room(lambda: found.append(worst()))
    assert min(found) < CALLS // 2
    # This is what it is for: somewhere each call gets a page.
    assert max(worst() for _ in range(3)) >= CALLS


def test_what_an_action_raises_is_raised() -> None:
    def fails() -> None:
        raise KeyError("inside")

    with pytest.raises(KeyError):
        with_room(fails)


def test_rooms_are_nested() -> None:
    deepest: list[int] = []

    def inside(levels: int) -> Callable[[], None]:
        return (lambda: with_room(inside(levels - 1))) if levels else (lambda: deepest.append(0))

    with_room(inside(50))
    assert deepest == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count pages in another way")
def test_many_small_runs_share_one_room() -> None:
    def faults_of_small_runs() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(CALLS):
            with_room(lambda: None)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    shared = roomy(faults_of_small_runs)
    assert min(shared() for _ in range(3)) < CALLS // 2
    assert max(faults_of_small_runs() for _ in range(3)) >= CALLS
    # What fails gives its room back, and so it is asked for again.
    with pytest.raises(ZeroDivisionError):
        roomy(lambda: 1 // 0)()
    assert max(faults_of_small_runs() for _ in range(3)) >= CALLS
