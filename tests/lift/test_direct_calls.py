"""Lifted functions that are called directly and refused in the middle: nothing is left of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from solvent import Int, assume, lifted
from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.vm.machine import JOURNALING, Machine, running


def refused(x: Any) -> Any:
    return hash(str(x))


@lifted
def in_branch(x: Any) -> Any:
    if x > 0:
        return refused(x)
    return 1


@lifted
def in_arm(x: Any) -> Any:
    if x == 1:
        y = 2
    elif x == 2:
        y = 3
    elif x == 3:
        y = refused(x)
    else:
        y = 5
    return y


@lifted
def in_loop(x: Any) -> Any:
    for i in range(3):
        if x == i:
            continue
        if x > i:
            break
        refused(x)
    return x


@lifted
def after_return(x: Any) -> Any:
    if x > 5:
        return 0
    if x > 1:
        for i in range(2):
            if x == i:
                return 4
            refused(x)
    return 1


@lifted
def inside_of_a_call(x: Any) -> Any:
    if x > 0:
        return after_return(x)
    return 2


@lifted
def in_handler(x: Any) -> Any:
    try:
        if x > 0:
            raise ValueError("a")
        y = 1
    except ValueError:
        refused(x)
    return y


@lifted
def in_cleanup(x: Any) -> Any:
    try:
        if x > 0:
            raise ValueError("a")
    finally:
        refused(x)


@lifted
def in_with(x: Any) -> Any:
    with contextlib.suppress(KeyError):
        if x > 0:
            refused(x)
    return 1


@lifted
def in_comprehension(x: Any) -> Any:
    return [refused(x) for i in range(3) if x > i]


@lifted
def of_union(x: Any) -> Any:
    found = x if x > 0 else "a" if x > -2 else None
    return found[refused(x)] if found == "a" else refused(found)


@lifted
def in_match(x: Any) -> Any:
    match x:
        case 1:
            return 1
        case 2:
            return refused(x)
    return 3


@lifted
def steps(x: Any) -> Iterator[Any]:
    if x > 0:
        yield 1
    yield refused(x)


@lifted
def of_generator(x: Any) -> Any:
    found = steps(x)
    if x > 2:
        next(found)
    return next(found)


@lifted
def after_assumption(x: Any) -> Any:
    if x > 0:
        assume(x < 5)
        refused(x)
    return 1


@lifted
def sign(x: Any) -> Any:
    return 1 if x > 0 else -1


REFUSED = [
    in_branch, in_arm, in_loop, after_return, inside_of_a_call, in_handler, in_cleanup, in_with,
    in_comprehension, of_union, in_match, of_generator, after_assumption,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_nothing_is_left_open(function: Callable[[Any], Any]) -> None:
    machine = Machine()
    machine.ambient = True
    x = Int("x")
    with running(machine):
        with pytest.raises(NotLiftedError):
            function(x)
        assert machine.state.path.term is True
        assert not machine.forks
        assert not machine.scopes
        assert not machine.layers
        assert id(machine) not in JOURNALING
        # On a path on which x is positive, the other side would not matter.
        assert repr(sign(x)) == "ite(x <= 0, -1, 1)"
        assert bounds(x) == (None, None)


def test_an_assumption_for_good_is_kept() -> None:
    machine = Machine()
    machine.ambient = True
    x = Int("x")
    with running(machine):
        assume(x > 0)
        with pytest.raises(NotLiftedError):
            in_arm(x)
        assert repr(machine.state.path.term) == "x > 0"
