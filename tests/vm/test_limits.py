"""When the solver is asked whether a loop or a recursion goes on."""

from __future__ import annotations

from typing import Any, cast

import pytest

from solvent import Bool
from solvent.terms import ite
from solvent.terms.ranges import Ranges
from solvent.vm.limits import Limits
from solvent.vm.machine import Machine
from solvent.vm.state import PathEnd

P = Bool("p")


def test_it_is_asked_at_powers_of_two_and_after_a_number_always() -> None:
    limits = Limits()
    limits.ask_after = 70
    asked = [count for count in range(1, 74) if limits.asks(count)]
    assert asked == [4, 8, 16, 32, 64, 71, 72, 73]


class Scripted(Limits):
    """Limits whose solver finds possible what it is told to, and counts."""

    __slots__ = ("asked", "possible")

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.possible: tuple[Any, ...] = (P, ~P)

    def feasible(self, machine: Machine, condition: Any) -> bool:
        self.asked += condition is P
        return any(condition is one for one in self.possible)


class Recursing:
    """A machine in a recursion of a depth at which the solver may be asked."""

    scopes = ()

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def recursion(self, code: Any) -> int:
        return self.depth


def occasions(limits: Scripted, count: int, depth: int = 4) -> list[bool]:
    """Whether the solver was asked on each of so many occasions."""
    machine = cast(Machine, Recursing(depth))
    result = []
    for _ in range(count):
        before = limits.asked
        limits.decide(machine, P, occasions.__code__)
        result.append(limits.asked > before)
    return result


def pauses(asked: list[bool]) -> list[int]:
    """How many occasions were let pass after each time that it was asked."""
    found: list[int] = []
    for one in asked:
        if one:
            found.append(0)
        else:
            found[-1] += 1
    return found[:-1]


def test_it_is_asked_ever_more_rarely_while_it_finds_nothing() -> None:
    found = pauses(occasions(Scripted(), 400))
    assert found[:22] == [0] * 16 + [1, 2, 4, 8, 16, 32]
    assert set(found[22:]) == {64}


def test_it_is_asked_often_again_once_it_has_found_something() -> None:
    for impossible in (P, ~P):
        limits = Scripted()
        occasions(limits, 400)
        limits.possible = (~P,) if impossible is P else (P,)
        while not any(occasions(limits, 1)):
            pass
        limits.possible = (P, ~P)
        while not any(occasions(limits, 1)):
            pass
        # The first of the sixteen was already asked.
        assert pauses(occasions(limits, 40)) == [0] * 15 + [1, 2, 4, 8]


def test_it_is_not_asked_between_powers_of_two() -> None:
    for depth in (1, 2, 3, 5, 6, 7, 9, 63):
        assert occasions(Scripted(), 3, depth) == [False] * 3
    for depth in (4, 8, 64, 65, 66, 100):
        assert occasions(Scripted(), 3, depth) == [True] * 3


@pytest.mark.parametrize(("possible", "decided"), [((P,), True), ((~P,), False), ((P, ~P), P)])
def test_the_side_that_is_left_is_decided(possible: tuple[Any, ...], decided: Any) -> None:
    limits = Scripted()
    limits.possible = possible
    machine = cast(Machine, Recursing(4))
    assert limits.decide(machine, P, occasions.__code__) is decided


def test_a_path_that_no_input_takes_ends() -> None:
    limits = Scripted()
    limits.possible = ()
    with pytest.raises(PathEnd):
        limits.decide(cast(Machine, Recursing(4)), P, occasions.__code__)


def test_loops_are_asked_about_ever_more_rarely_and_often_again() -> None:
    limits = Scripted()
    machine = cast(Machine, Looping())

    def asked(times: int) -> list[bool]:
        result = []
        for _ in range(times):
            before = limits.asked
            limits.may_go_on(machine, 4, P)
            result.append(limits.asked > before)
        return result

    found = pauses(asked(250))
    assert found[:5] == [0, 0, 1, 4, 16]
    assert set(found[5:]) == {64}
    limits.possible = (~P,)
    while not any(asked(1)):
        pass
    limits.possible = (P, ~P)
    assert asked(3) == [True] * 3


def test_a_loop_that_ranges_end_is_not_asked_about() -> None:
    limits = Scripted()
    end = ite(P, 12, 14)
    assert not limits.may_go_on(cast(Machine, Looping()), 4, end < 12)
    assert limits.asked == 0


class Looping:
    """A machine of which only the ranges of numbers are asked for."""

    ranges = Ranges()
