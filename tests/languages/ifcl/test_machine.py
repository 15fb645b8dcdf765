"""The interpreter on concrete programs, and the lifted one against it on random programs."""

from __future__ import annotations

import random

import pytest

from solvent import evaluate
from solvent.languages.ifcl import (
    MACHINES,
    End,
    Instruction,
    Machine,
    MachineError,
    Operation,
    Return,
    State,
    Stuck,
    Value,
    run,
    states,
)
from solvent.languages.ifcl.machine import WIDTH, number, same_ends, same_values
from solvent.languages.ifcl.noninterference import symbolic_programs
from solvent.lift import execute
from solvent.terms import bv


def value(text: str) -> Value:
    digits, _, label = text.partition("@")
    return Value(number(int(digits)), label == "H")


def final(name: str, *lines: str, steps: int = 20) -> State:
    machine = MACHINES[name]
    return list(states(machine, machine.program(*lines), steps))[-1]


@pytest.mark.parametrize(
    ("name", "lines", "stack"),
    [
        ("basic", ["Push 3@L", "Noop", "Push 4@H"], ["3@L", "4@H"]),
        ("basic", ["Push 3@L", "Push 4@H", "Pop"], ["3@L"]),
        ("basic", ["Push 30@H", "Push 4@L", "Add"], ["2@H"]),
        ("basic", ["Push 3@L", "Push 4@L", "Add"], ["7@L"]),
        ("B3", ["Push 3@H", "Push 4@H", "Add"], ["7@L"]),
        ("basic", ["Push 1@H", "Load"], ["0@H"]),
        ("B4", ["Push 1@H", "Load"], ["0@L"]),
        ("basic", ["Push 5@H", "Push 1@L", "Store", "Push 1@L", "Load"], ["5@H"]),
        ("jump", ["Push 3@L", "Jump", "Push 1@L", "Push 2@L"], ["2@L"]),
    ],
)
def test_the_stack(name: str, lines: list[str], stack: list[str]) -> None:
    assert final(name, *lines).stack == tuple(map(value, stack))


@pytest.mark.parametrize(
    ("name", "address", "expected"),
    [
        ("B1", "1@H", ("0@L", "9@L")),
        ("B2", "1@H", ("0@L", "9@H")),
        ("B3", "1@L", ("0@L", "9@L")),
        ("basic", "0@L", ("9@L", "0@L")),
    ],
)
def test_store(name: str, address: str, expected: tuple[str, str]) -> None:
    found = final(name, "Push 9@L", f"Push {address}", "Store")
    assert found.memory == tuple(map(value, expected))


@pytest.mark.parametrize(("name", "pc"), [("J1", "4@L"), ("J2", "4@L"), ("jump", "4@H")])
def test_jump_labels(name: str, pc: str) -> None:
    assert final(name, "Push 2@H", "Jump", "Push 4@L", "Jump").pc == value(pc)
    assert final(name, "Push 2@H", "Jump", steps=2).pc == value("2@L" if name == "J1" else "2@H")


def test_a_call_puts_the_return_address_below_its_arguments() -> None:
    found = final("call", "Push 7@L", "Push 8@L", "Push 5@H", "Call 1 1", "Halt", "Halt")
    assert found.stack == (value("7@L"), Return(value("4@L"), True), value("8@L"))
    assert found.pc == value("5@H")


@pytest.mark.parametrize(
    ("name", "call", "back", "stack"),
    [
        ("call", "Call 0 1", "Return", ["6@H"]),
        ("call", "Call 0 0", "Return", []),
        ("CR2", "Call 0", "Return 1", ["6@L"]),
        ("CR3", "Call 0", "Return 1", ["6@H"]),
        ("CR3", "Call 0", "Return 0", []),
    ],
)
def test_return(name: str, call: str, back: str, stack: list[str]) -> None:
    found = final(name, "Push 3@H", call, "Halt", "Push 6@L", back)
    assert found.stack == tuple(map(value, stack))
    assert found.pc == value("2@L")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("basic", ["Pop"]),
        ("basic", ["Push 1@L", "Add"]),
        ("basic", ["Push 2@L", "Load"]),
        ("basic", ["Push 1@L", "Push 2@L", "Store"]),
        ("basic", ["Push 1@L", "Push 1@H", "Store"]),
        ("jump", ["Push 9@L", "Jump", "Noop"]),
        ("jump", ["Push 0@L", "Jump"]),
        ("call", ["Return"]),
        ("call", ["Push 2@L", "Call 1 0", "Noop"]),
        ("call", ["Push 2@L", "Call 0 0", "Pop"]),
        ("call", ["Push 2@L", "Call 0 0", "Load"]),
        ("call", ["Push 2@L", "Call 0 1", "Return"]),
        ("call", ["Push 4@H", "Call 0 0", "Halt", "Halt", "Push 1@L", "Push 0@L", "Store"]),
    ],
)
def test_stuck(name: str, lines: list[str]) -> None:
    machine = MACHINES[name]
    with pytest.raises((Stuck, IndexError)):
        run(machine, machine.program(*lines), len(lines))


def test_halting() -> None:
    machine = MACHINES["basic"]
    program = machine.program("Noop", "Halt", "Noop")
    assert run(machine, program, 2) == End(False, (value("0@L"),) * 2)
    with pytest.raises(Stuck, match="not halted after 1 steps"):
        run(machine, program, 1)
    # The end of the program needs no step of its own.
    assert run(machine, program[:1], 1).label is False


def test_who_can_tell_what_apart() -> None:
    low, high = value("1@L"), value("1@H")
    assert same_values(high, value("2@H"))
    assert not same_values(low, value("2@L"))
    assert not same_values(low, high)
    assert same_ends(End(True, (low, low)), End(True, (low, high)))
    assert not same_ends(End(False, (low, low)), End(True, (low, low)))
    assert not same_ends(End(False, (low, low)), End(False, (low, high)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Fly", "B1 has no instruction 'Fly'; it has Halt, Noop"),
        ("Push", "'Push': Push takes VALUE"),
        ("Pop 1", "Pop takes no operands"),
        ("Push 3", "'3' is not a labelled number such as 3@H of 5 bits"),
        ("Push 32@L", "'32@L' is not a labelled number"),
        ("Push -1@L", "'-1@L' is not a labelled number"),
    ],
)
def test_bad_programs(line: str, message: str) -> None:
    with pytest.raises(MachineError, match=message.replace("(", r"\(")):
        MACHINES["B1"].program(line)


def test_bad_machines() -> None:
    def nothing(state: State, instruction: Instruction) -> State:
        return state

    with pytest.raises(MachineError, match="has no operations"):
        Machine("empty", ())
    with pytest.raises(MachineError, match="two operations called 'Halt'"):
        Machine("twice", (Operation("Halt", nothing),))


# --- the lifted interpreter --------------------------------------------------------------------


PUSH = 2


def random_program(machine: Machine, length: int, source: random.Random) -> dict[str, object]:
    """Values for the constants of the first symbolic program; small numbers are more useful."""
    chosen: dict[str, object] = {}
    for place in range(length):
        code = PUSH if source.random() < 0.4 else source.randrange(1 << machine.bits)
        chosen[f"code{place}"] = bv(code, machine.bits)
        small = source.randrange(length + 1) if source.random() < 0.9 else source.randrange(32)
        chosen[f"number{place}"] = bv(small, WIDTH)
        chosen[f"secret{place}"] = source.random() < 0.3
        chosen[f"result{place}"] = source.random() < 0.5
    return chosen


@pytest.mark.parametrize("name", MACHINES)
def test_the_lifted_interpreter_agrees_with_the_plain_one(name: str) -> None:
    machine, length = MACHINES[name], 5
    first, _ = symbolic_programs(machine, length)
    outcome = execute(run, machine, first, length)
    source = random.Random(name)
    ended = 0
    for _ in range(60):
        chosen = random_program(machine, length, source)
        concrete = evaluate(first, chosen)
        try:
            expected = run(machine, concrete, length)
        except (Stuck, IndexError):
            expected = None
        formulas = (outcome.normal, outcome.assumes, outcome.asserts, outcome.value)
        *conditions, value = evaluate(formulas, chosen)
        ends = expected is not None
        assert conditions == [ends, True, ends]
        if ends:
            ended += 1
            assert value == expected
    assert ended >= 3
