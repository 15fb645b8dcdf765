"""Forks: both sides of a branch, and what is left of them after the join."""

from __future__ import annotations

import itertools
from contextvars import Context
from typing import Any

import pytest

from solvent import Bool, evaluate
from solvent.lift import execute
from solvent.vm.forks import Fork
from solvent.vm.union import choices_of

P, Q = Bool("p"), Bool("q")


def test_a_fork_where_nothing_has_run_before() -> None:
    def both() -> Any:
        fork = Fork(P, (0,))
        assert fork.flip((1,)) == (0,)
        return fork.join((2,))

    (value,) = Context().run(both)
    assert [evaluate(value, {P: side}) for side in (True, False)] == [1, 2]


def in_two_ways(p: bool) -> Any:
    if p:
        found = [1, 2]
    else:
        found = [3]
    return found


def in_two_ways_negated(p: bool) -> Any:
    if not p:
        found = [3]
    else:
        found = [1, 2]
    return found


def inside_of_each_other(p: bool) -> Any:
    if p:
        found = {"a": [1, 2]}
    else:
        found = {"a": [3]}
    return found["a"]


def written_before_the_join(p: bool) -> Any:
    if p:
        found = [1]
        found.append(2)
    else:
        found = [4]
        found[0] = 3
    return found


ONE_HOLDS = [in_two_ways, in_two_ways_negated, inside_of_each_other, written_before_the_join]


@pytest.mark.parametrize("program", ONE_HOLDS)
def test_lists_that_only_one_variable_holds_become_one(program: Any) -> None:
    outcome = execute(program, P)
    assert type(outcome.value) is list
    assert outcome.stats.unions == 0
    assert [evaluate(outcome.value, {P: side}) for side in (True, False)] == [[1, 2], [3]]


def inside_of_another_fork(p: bool, q: bool) -> Any:
    found: Any = None
    if q:
        if p:
            found = [1]
            found.append(2)
        else:
            found = [4]
            found[0] = 3
    return found


def test_what_the_journal_remembers_is_no_alias() -> None:
    value = execute(inside_of_another_fork, P, Q).value
    assert sorted(type(member).__name__ for _, member in choices_of(value)) == ["NoneType", "list"]
    for p, q in itertools.product((True, False), repeat=2):
        assert evaluate(value, {P: p, Q: q}) == inside_of_another_fork(p, q)


def with_an_alias(p: bool) -> Any:
    if p:
        found = kept = [1, 2]
    else:
        found = kept = [3]
    kept.append(4)
    return found


def test_lists_that_two_variables_hold_stay_aliases() -> None:
    outcome = execute(with_an_alias, P)
    assert [evaluate(outcome.value, {P: side}) for side in (True, False)] == [[1, 2, 4], [3, 4]]


def on_the_first_side(p: bool, seen: list[int]) -> None:
    if p:
        seen.append(1)


def on_the_second_side(p: bool, seen: list[int]) -> None:
    if p:
        pass
    else:
        seen.append(1)


def on_both_sides(p: bool, seen: list[int]) -> None:
    if p:
        seen.append(1)
    else:
        seen[:] = [2, 3]


@pytest.mark.parametrize("program", [on_the_first_side, on_the_second_side, on_both_sides])
def test_what_one_side_writes_is_there_on_that_side_only(program: Any) -> None:
    seen = [0]
    execute(program, P, seen)
    for side in (True, False):
        expected = [0]
        program(side, expected)
        assert evaluate(seen, {P: side}) == expected
