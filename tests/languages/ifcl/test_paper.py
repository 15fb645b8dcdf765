"""The machines as the paper has them do what those of the other formulation do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent.languages.ifcl import MACHINES, Instruction, Stuck, Value, paper
from solvent.languages.ifcl.machine import Machine, number, run
from solvent.languages.ifcl.noninterference import verify_noninterference
from solvent.solvers import Status
from solvent.terms import bv

LENGTH = 6


def programs(machine: Machine, source: random.Random) -> tuple[Any, Any]:
    """One random program in both formulations."""
    own, steps = [], []
    found = paper.operations(machine)
    for _ in range(LENGTH):
        code = source.randrange(len(found))
        pushed = Value(number(source.randrange(8)), source.random() < 0.5)
        count, result = number(source.randrange(3)), source.random() < 0.5
        own.append(Instruction(bv(code, machine.bits), pushed, count, result))
        rule, arity = found[code]
        flag = Value(number(int(result)), False)
        operands = {
            "push": (pushed,),
            "call": (Value(count, False), flag),
            "call_without_result": (Value(count, False),),
        }.get(rule.__name__, (flag,) * arity)
        steps.append(paper.Step(rule, operands))
    return tuple(own), tuple(steps)


def end_of_own(machine: Machine, program: Any) -> Any:
    try:
        return tuple(run(machine, program, LENGTH))
    except (Stuck, IndexError):
        return None


def end_of_paper(program: Any) -> Any:
    try:
        state = paper.run(paper.start(program), LENGTH)
    except (Stuck, IndexError, AssertionError):
        return None
    return (state.pc.label, state.memory) if state.pc.number == len(program) else None


@pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda machine: machine.name)
def test_programs_end_in_the_same_states(machine: Machine) -> None:
    source = random.Random(machine.name)
    ended = 0
    for _ in range(600):
        own, steps = programs(machine, source)
        expected = end_of_own(machine, own)
        assert end_of_paper(steps) == expected
        ended += expected is not None
    assert ended > 20


@pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda machine: machine.name)
def test_both_formulations_have_the_same_answer(machine: Machine) -> None:
    for steps in (1, 3):
        own = verify_noninterference(machine, steps)
        found = paper.find_leak(machine, steps, solver="z3")
        assert found.status is own.status
        assert found.model is None or found.confirmed


def test_the_known_leaks() -> None:
    for name in ("B1", "J2"):
        machine = MACHINES[name]
        assert paper.find_leak(machine, machine.steps - 1).status is Status.UNSAT
        found = paper.find_leak(machine, machine.steps)
        assert found.status is Status.SAT
        assert found.confirmed


def test_secrets_look_alike_and_programs_count() -> None:
    public, secret = Value(number(3), False), Value(number(3), True)
    assert paper.same_values(secret, Value(number(4), True))
    assert not paper.same_values(public, Value(number(4), False))
    assert not paper.same_values(public, secret)
    one = (paper.Step(paper.push, (public,)),)
    other = (paper.Step(paper.push, (secret,)),)
    assert not paper.same_programs(one, other)
    assert not paper.same_programs(one, (paper.Step(paper.noop, ()),))
    assert not paper.same_states(paper.start(one), paper.start(other))
    assert paper.same_states(paper.start(one), paper.start(one))
