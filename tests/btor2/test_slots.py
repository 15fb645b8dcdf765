"""IC3 on memories: cells at any address, in designs as people write them and in random ones."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.btor2_hardware import Circuit
from solvent.btor2 import Evaluator, check, ic3, literals, parse, parse_witness, replay
from solvent.btor2.literals import CADICAL, fits, follows, is_available
from solvent.btor2.step_literals import ALL_CELLS, LiteralStep, numbers_of_slots
from solvent.errors import InternalError
from solvent.verdicts import Deadline, Verdict
from tests.btor2.random_models import Explicit, random_text

pytestmark = pytest.mark.skipif(not is_available(), reason="python-sat is missing")
# The package has a function of this name.
ic3_module: Any = importlib.import_module("solvent.btor2.ic3")

# Far more addresses than can be looked at one by one.
INDEX, ELEMENT, LIMIT = 32, 8, 9


class Design(Circuit):
    """A circuit with large memories, and inputs that say what is written where."""

    def __init__(self, bug: bool) -> None:
        super().__init__()
        self.bug = bug
        self.enable, self.address = self.input("enable", 1), self.input("address", INDEX)
        self.value, self.where = self.input("value", ELEMENT), self.input("where", INDEX)

    def memory(self, name: str) -> int:
        zero, sort = self.number(0, ELEMENT), self.array(INDEX, ELEMENT)
        memory = self.line("state", sort, name)
        self.line("init", sort, memory, zero)
        return memory

    def read(self, memory: int, address: int) -> int:
        return self.op("read", ELEMENT, memory, address)

    def written(self, memory: int, enable: int, address: int, value: int) -> int:
        sort = self.array(INDEX, ELEMENT)
        changed = self.line("write", sort, memory, address, value)
        return self.line("ite", sort, enable, changed, memory)

    def becomes(self, memory: int, following: int) -> None:
        self.line("next", self.array(INDEX, ELEMENT), memory, following)

    def small(self) -> int:
        """That something is written, and that it is small, unless there is the mistake."""
        is_small = self.op("ult", 1, self.value, self.number(LIMIT, ELEMENT))
        return self.enable if self.bug else self.op("and", 1, self.enable, is_small)

    def never_large(self, value: int) -> str:
        self.bad(self.op("ugte", 1, value, self.number(LIMIT, ELEMENT)), "large")
        return self.text()


def kept(bug: bool) -> str:
    """What was read once is kept for as long as inputs say."""
    one = Design(bug)
    memory = one.memory("memory")
    one.becomes(memory, one.written(memory, one.small(), one.address, one.value))
    register = one.state("register", ELEMENT, 0)
    loads = one.input("loads", 1)
    read = one.read(memory, one.where)
    one.next(register, ELEMENT, one.op("ite", ELEMENT, loads, read, register))
    return one.never_large(register)


def copied(bug: bool) -> str:
    """One memory gets what another has."""
    one = Design(bug)
    first, second = one.memory("first"), one.memory("second")
    source, target = one.input("source", INDEX), one.input("target", INDEX)
    one.becomes(first, one.written(first, one.small(), one.address, one.value))
    copies = one.input("copies", 1)
    one.becomes(second, one.written(second, copies, target, one.read(first, source)))
    return one.never_large(one.read(second, one.where))


def pointed(bug: bool) -> str:
    """Elements are addresses of others."""
    one = Design(bug)
    memory = one.memory("memory")
    one.becomes(memory, one.written(memory, one.small(), one.address, one.value))
    element = one.read(memory, one.where)
    there = one.line("uext", one.sort(INDEX), element, INDEX - ELEMENT)
    return one.never_large(one.read(memory, there))


def late(bug: bool) -> str:
    """One memory is written a step later, and what is under way is forwarded."""
    one = Design(bug)
    first, second = one.memory("first"), one.memory("second")
    one.becomes(first, one.written(first, one.enable, one.address, one.value))
    waits = one.state("waits", 1, 0)
    address, value = one.state("late", INDEX, 0), one.state("value", ELEMENT, 0)
    for state, width, what in (
        (waits, 1, one.enable),
        (address, INDEX, one.address),
        (value, ELEMENT, one.value),
    ):
        one.next(state, width, what)
    one.becomes(second, one.written(second, waits, address, value))
    there = one.op("and", 1, waits, one.op("eq", 1, address, one.where))
    read = one.read(second, one.where)
    forwarded = read if bug else one.op("ite", ELEMENT, there, value, read)
    one.bad(one.op("neq", 1, one.read(first, one.where), forwarded), "apart")
    return one.text()


def compared(bug: bool) -> str:
    """Two memories are the same."""
    one = Design(bug)
    first, second = one.memory("first"), one.memory("second")
    value = one.op("inc", ELEMENT, one.value) if bug else one.value
    one.becomes(first, one.written(first, one.enable, one.address, one.value))
    one.becomes(second, one.written(second, one.enable, one.address, value))
    one.bad(one.op("neq", 1, first, second), "apart")
    return one.text()


# When the mistake shows first.
DESIGNS: dict[Callable[[bool], str], int] = {kept: 2, copied: 2, pointed: 1, late: 1, compared: 1}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("engine", ["ic3", "auto"])
def test_designs(design: Callable[[bool], str], engine: str) -> None:
    good = check(parse(design(False)), engine=engine, kmax=5).answers[0]
    assert good.verdict is Verdict.HOLDS
    if design is not compared:
        # Terms prove by induction what only needs one step.
        assert good.engine == "IC3"
    bad = check(parse(design(True)), engine=engine, kmax=5).answers[0]
    assert (bad.verdict, bad.depth) == (Verdict.VIOLATED, DESIGNS[design])


def test_a_cell_of_any_address_is_in_the_invariant() -> None:
    step = LiteralStep(Evaluator(parse(copied(False))), 0, 1)
    assert step.is_exact
    (slots,) = step.groups
    # Those of the slot in the next state, of the bad state and of the copy, and what is written.
    assert len(slots.rows) == 3
    address = {bit for bit, (_, _, at) in step.slotted.items() if at < INDEX}
    cells = sorted(set(step.slotted) - address)
    large = frozenset((bit, True) for bit in cells[:1])
    assert len(step.outside(large)) == len(slots.rows)
    assert step.bundles(large | {(bit, False) for bit in address}) == [
        frozenset((bit, False) for bit in address)
    ]


def test_what_is_no_invariant_is_not_confirmed() -> None:
    step = LiteralStep(Evaluator(parse(kept(False))), 0, 1)
    highest = max(step.slotted)
    for cubes in ([], [frozenset({(highest, False)})], [frozenset({(highest, True)})]):
        with pytest.raises(InternalError, match="is not one"):
            step._confirm(cubes, Deadline(None))


def test_how_many_slots_are_tried() -> None:
    large, small = Evaluator(parse(kept(False))), Evaluator(parse(random_text(8, arrays=True)))
    assert numbers_of_slots(large, 0) == [1, 2, 3]
    assert numbers_of_slots(small, 0) == [ALL_CELLS]


def test_memories_that_are_compared() -> None:
    evaluator = Evaluator(parse(compared(False)))
    assert follows(evaluator, evaluator.bads)
    assert not fits(evaluator, evaluator.bads)


def mistakes(count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], int]:
    """Where IC3 with slots says otherwise than brute force, and how often it says nothing."""
    # As if the memories were large.
    monkeypatch.setattr(literals, "SMALL_MEMORY", 0)
    wrong, unknown = [], 0
    for seed in range(count):
        text = random_text(seed, arrays=True)
        model = parse(text)
        for k, time in enumerate(Explicit(model).first_times()):
            answer = ic3(model, k, solver=CADICAL)
            if answer.verdict is Verdict.UNKNOWN:
                unknown += 1
            elif (answer.verdict is Verdict.HOLDS) != (time is None):
                wrong.append(f"{seed}: {answer}, but it is {time}\n{text}")
            elif answer.witness is not None:
                assert replay(model, parse_witness(str(answer.witness))).holds
    return wrong, unknown


def test_random_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, unknown = mistakes(25, monkeypatch)
    assert not wrong, wrong[0]
    assert unknown <= 2


@pytest.mark.mass
def test_many_random_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, unknown = mistakes(1000, monkeypatch)
    assert not wrong, wrong[0]
    assert unknown <= 30
