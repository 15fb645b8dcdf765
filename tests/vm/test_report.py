"""What the core counts: joins, unions and their sizes, and who is told."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Bool
from solvent.lift import execute
from solvent.vm.report import Stats

P, Q = Bool("p"), Bool("q")


def one_join(p: bool, q: bool) -> Any:
    if p:
        x = 1
    else:
        x = 2
    return x


def two_returns(p: bool, q: bool) -> Any:
    if p:
        return 1
    return 2


def three_returns(p: bool, q: bool) -> Any:
    for found, result in ((p, 1), (q, 2)):
        if found:
            return result
    return 3


def one_union(p: bool, q: bool) -> Any:
    if p:
        x: Any = 1
    else:
        x = None
    return x


def growing_union(p: bool, q: bool) -> Any:
    x: Any = "a"
    if p:
        x = None
    if q:
        x = 1
    return x


@pytest.mark.parametrize(
    ("program", "joins", "unions", "sizes", "largest"),
    [
        (one_join, 1, 0, 0, 0),
        (two_returns, 1, 0, 0, 0),
        (three_returns, 2, 0, 0, 0),
        (one_union, 1, 1, 2, 2),
        (growing_union, 2, 2, 2 + 3, 3),
    ],
)
def test_counts(program: Any, joins: int, unions: int, sizes: int, largest: int) -> None:
    stats = execute(program, P, Q).stats
    assert (stats.joins, stats.unions) == (joins, unions)
    assert (stats.union_sizes, stats.largest_union) == (sizes, largest)
    assert stats.as_dict()["union_sizes"] == sizes


def test_all_listeners_are_told_of_everything() -> None:
    told: list[list[tuple[str, Any]]] = [[], []]
    stats = Stats()
    for seen in told:
        stats.listeners.append(lambda *event, seen=seen: seen.append(event))
    stats.joined()
    stats.union_made(3)
    stats.union_made(2)
    stats.asked("sat")
    assert told[0] == [("join", None), ("union", 3), ("union", 2), ("solver", "sat")]
    assert told[1] == told[0]
    assert (stats.joins, stats.unions, stats.union_sizes, stats.largest_union) == (1, 2, 5, 3)
    assert stats.solver_calls == 1
