"""Each fault, put in one at a time, is caught by generated programs; without faults none is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from solvent.reference import faults
from solvent.reference.differential import ROUTES
from solvent.reference.enumeration import Test
from solvent.reference.faults import (
    FACTORY,
    FAULTS,
    MACHINE,
    MACHINE_FAULTS,
    RULES,
    TABLE_2,
    Fault,
    Suite,
    broken_machine,
    disagreement,
    find,
    find_all,
)
from solvent.reference.naive import NaiveFactory
from solvent.reference.syntax import parse, size
from solvent.vm import forks, journal, machine, merge, owned, spread
from solvent.vm.forks import Fork
from solvent.vm.machine import Machine
from solvent.vm.scopes import Scope

COUNT, SEED = 2_000, 3


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite(COUNT, SEED)


def test_the_faults_of_table_2() -> None:
    locations = [FAULTS[name].location for name in list(FAULTS)[: len(TABLE_2)]]
    assert locations == [FACTORY] * 3 + [RULES] * 8
    assert len(FAULTS) == len(TABLE_2) + len(MACHINE_FAULTS)
    assert len(MACHINE_FAULTS) >= 10


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_caught(name: str, suite: Suite) -> None:
    found = find(name, suite)
    assert found.caught
    assert size(parse(found.program)) <= 12
    assert found.detail


@pytest.mark.parametrize("route", ["naive", "machine", "interpreter"])
def test_without_a_fault_nothing_is_caught(route: str, suite: Suite) -> None:
    sound = "optimised" if route == "naive" else "naive"
    fault = Fault("none", MACHINE, {route: ROUTES[route]}, sound)
    for place in range(0, COUNT, 40):
        assert disagreement(fault, route, suite.tests[place], suite.sound(sound, place)) == ""


@pytest.mark.parametrize("name", MACHINE_FAULTS)
def test_the_machine_is_as_before_afterwards(name: str) -> None:
    def parts() -> list[object]:
        owners = (Fork, Machine, Scope, forks, journal, machine, merge, owned, spread)
        return [dict(vars(owner)) for owner in owners]

    before = parts()
    with broken_machine(MACHINE_FAULTS[name]):
        assert parts() != before
    assert parts() == before


def test_a_program_that_goes_wrong_anyway_catches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a mistake in the machine would make every fault look as if it were caught."""
    wrong = faults.by_rules(NaiveFactory, faults.ErrorAborts)
    fault = Fault("none", MACHINE, {"machine": wrong}, "naive")
    test = Test.of(parse("(if p (error) x)"))
    sound = ROUTES["naive"](test, 100)
    assert disagreement(fault, "machine", test, sound)
    monkeypatch.setattr(faults, "ROUTES", {**ROUTES, "machine": wrong})
    assert disagreement(fault, "machine", test, sound) == ""


def test_what_is_not_caught() -> None:
    name = "CALL takes tt for the guards of the bodies"
    found = find(name, Suite(30, SEED))
    assert (found.caught, found.needed, found.program) == (False, None, "")


def test_on_an_executor() -> None:
    names = list(FAULTS)[7:11]
    with ThreadPoolExecutor(2) as executor:
        found = find_all(60, SEED, executor, names)
    here = find_all(60, SEED, names=names)
    assert [catch.name for catch in found] == names
    assert [catch.needed for catch in found] == [catch.needed for catch in here]
