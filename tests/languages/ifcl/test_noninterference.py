"""Which machines leak, with the bounds of table 3, and what a counterexample looks like."""

from __future__ import annotations

import pytest

from solvent.languages.figure10 import fit, r_squared
from solvent.languages.ifcl import (
    MACHINES,
    Counterexample,
    Instruction,
    Machine,
    MachineError,
    Operation,
    State,
    Value,
    verify_noninterference,
)
from solvent.languages.ifcl import rules as r
from solvent.languages.ifcl.benchmarks import benchmarks, figure10_benchmarks
from solvent.solvers import Status
from tests.patience import FOREVER

SLOW = {"CR2", "CR3", "CR4"}
FLAWED = [
    pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name, machine in MACHINES.items()
    if machine.flaw
]


@pytest.mark.parametrize("name", FLAWED)
def test_the_flaws_are_found_within_the_bounds_of_table_3(name: str) -> None:
    result = verify_noninterference(MACHINES[name], timeout=FOREVER)
    assert result.status is Status.SAT
    assert result.counterexample is not None
    assert result.counterexample.confirmed
    assert not result.holds


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("basic", 5),
        ("jump", 5),
        ("call", 4),
        ("B1", 2),
        ("B2", 2),
        ("B3", 4),
        ("B4", 5),
        ("J2", 3),
        pytest.param("basic", 8, marks=pytest.mark.mass),
        pytest.param("jump", 8, marks=pytest.mark.mass),
        pytest.param("call", 7, marks=pytest.mark.mass),
    ],
)
def test_nothing_leaks_within_these_bounds(name: str, steps: int) -> None:
    result = verify_noninterference(MACHINES[name], steps, timeout=FOREVER)
    assert result.holds
    assert result.counterexample is None
    assert "verified" in str(result)


# By hand, in the manner of "Testing noninterference, quickly": {a,b} is a secret of both programs.
KNOWN = {
    "B1": ["Push 1@L", "Push {0,1}@H", "Store", "Halt"],
    "B2": ["Push 1@L", "Push {0,1}@H", "Store", "Halt"],
    "B3": ["Push 1@L", "Push 0@L", "Push {0,1}@H", "Add", "Store", "Halt"],
    "B4": ["Push 0@L", "Push 1@L", "Push 0@L", "Store", "Push {0,1}@H", "Load", "Store", "Halt"],
    "J1": ["Push {3,6}@H", "Jump", "Halt", "Push 1@L", "Push 0@L", "Store", "Halt"],
    "CR1": ["Push {3,6}@H", "Call 0", "Halt", "Push 1@L", "Push 0@L", "Store", "Return 0"],
    "CR2": [
        "Push 0@L", "Push {7,8}@H", "Call 1", "Push 0@L", "Store", "Halt", "Halt", "Push 1@L",
        "Return 1",
    ],
    "CR4": [
        "Push 5@L", "Call 0 1", "Push 0@L", "Store", "Halt", "Push 0@L", "Push {8,9}@H",
        "Call 0 0", "Pop", "Push 0@L", "Return",
    ],
}  # fmt: skip


def known(name: str, machine: Machine) -> Counterexample:
    pair = []
    for place in (0, 1):
        lines = []
        for line in KNOWN[name]:
            before, brace, rest = line.partition("{")
            inside, _, after = rest.partition("}")
            lines.append(before + inside.split(",")[place] + after if brace else line)
        pair.append(machine.program(*lines))
    return Counterexample(machine, pair[0], pair[1], 13)


@pytest.mark.parametrize("name", KNOWN)
def test_known_counterexamples_leak_on_the_flawed_machines(name: str) -> None:
    assert known(name, MACHINES[name]).confirmed


@pytest.mark.parametrize(
    ("name", "correct"),
    [("B1", "basic"), ("B2", "basic"), ("B3", "basic"), ("B4", "basic"), ("J1", "jump"),
     ("CR4", "call")],
)  # fmt: skip
def test_known_counterexamples_are_none_on_the_correct_machines(name: str, correct: str) -> None:
    assert not known(name, MACHINES[correct]).confirmed


def test_programs_that_differ_in_public_are_no_counterexample() -> None:
    machine = MACHINES["basic"]
    a, b = (machine.program(f"Push {n}@L", "Push 0@L", "Store") for n in (1, 2))
    assert not Counterexample(machine, a, b, 3).confirmed


def test_what_a_counterexample_looks_like() -> None:
    machine = MACHINES["B1"]
    a, b = (machine.program("Push 1@L", f"Push {n}@H", "Store") for n in (0, 1))
    assert str(Counterexample(machine, a, b, 3)).splitlines() == [
        "             first program   second program",
        "          0  Push 1@L        Push 1@L",
        "          1  Push 0@H      ~ Push 1@H",
        "          2  Store           Store",
        "",
        "      steps  3               3",
        "         pc  3@L             3@L",
        "      stack  empty           empty",
        "  memory[0]  1@L           ≠ 0@L",
        "  memory[1]  0@L           ≠ 1@L",
        "  (~: differs in what nobody can see, ≠: can be told apart)",
    ]


def test_a_machine_of_your_own() -> None:
    def leak(state: State, instruction: Instruction) -> State:
        *rest, top = state.stack
        pc = Value(state.pc.number + 1, state.pc.label)
        return State(pc, (*rest, Value(top.number, False)), state.memory)

    kept = (r.PUSH, r.STORE)
    assert verify_noninterference(Machine("kept", kept), 4).holds
    leaky = Machine("leaky", (*kept, Operation("Declassify", leak)))
    result = verify_noninterference(leaky, 4)
    assert result.counterexample is not None
    assert result.counterexample.confirmed
    assert "Declassify" in str(result.counterexample)


@pytest.mark.parametrize("steps", [0, -1, 32])
def test_impossible_bounds(steps: int) -> None:
    with pytest.raises(MachineError, match="must be from 1 to 31"):
        verify_noninterference(MACHINES["B1"], steps)


def test_a_result_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"\.holds"):
        bool(verify_noninterference(MACHINES["basic"], 1))


def test_a_time_limit_gives_an_answer() -> None:
    result = verify_noninterference(MACHINES["call"], 9, timeout=0.2)
    assert result.status is Status.UNKNOWN
    assert not result.holds
    assert "unknown: timeout" in str(result)


# --- benchmarks --------------------------------------------------------------------------------


def test_the_benchmarks_are_those_of_table_3() -> None:
    rows = {found.name: found for found in benchmarks()}
    bounds = {name: row.details for name, row in rows.items() if row.paper is not None}
    assert {name: (d["instructions"], d["steps"]) for name, d in bounds.items() if d} == {
        "B1": (7, 3), "B2": (7, 3), "B3": (7, 5), "B4": (7, 7), "J1": (8, 6), "J2": (8, 4),
        "CR1": (9, 7), "CR2": (9, 8), "CR3": (9, 8), "CR4": (9, 10),
    }  # fmt: skip
    outcome = rows["B1"].run(60)
    assert outcome.expected
    assert outcome.answer == "counterexample"
    assert outcome.joins > 0
    assert outcome.union_sum >= 2 * outcome.unions > 0


def test_unions_grow_as_in_figure_10() -> None:
    points = []
    for found in figure10_benchmarks()[:10]:
        outcome = found.run(60)
        points.append((outcome.joins, outcome.union_sum))
    assert r_squared(points, fit(points)) > 0.99
    assert points[-1][1] < 5000
