"""The machine of a run, and the one of code that runs outside of any."""

from __future__ import annotations

from contextvars import Context

from solvent import Bool
from solvent.vm.machine import JOURNALING, Machine, current, path_of_run, running
from solvent.vm.places import ITEMS

P = Bool("p")


def test_the_path_of_a_run_is_that_of_its_assumptions() -> None:
    with running(Machine()) as machine:
        assert path_of_run() is True
        machine.assume(P)
        assert path_of_run() is P


def test_outside_of_any_run_there_is_no_path() -> None:
    def outside() -> None:
        assert path_of_run() is True
        current().assume(P)
        assert path_of_run() is True

    Context().run(outside)


def test_writes_are_remembered_as_long_as_a_layer_is_open() -> None:
    machine = Machine()
    assert id(machine) not in JOURNALING
    layer = machine.open_layer()
    assert id(machine) in JOURNALING
    machine.write_slot(ITEMS, [1], 0)
    assert len(layer) == 1
    machine.close_layer(machine.layers.pop())
    assert id(machine) not in JOURNALING
