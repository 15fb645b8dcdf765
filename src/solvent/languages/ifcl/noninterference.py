"""End-to-end noninterference: do programs that differ in secrets end in states that look alike?

`verify_noninterference` runs two symbolic programs that differ in secrets only and asks a solver
for instructions with which both halt in states that can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solvent import BitVec, Bool, evaluate, solve
from solvent.languages.ifcl.machine import (
    WIDTH,
    End,
    Instruction,
    Machine,
    MachineError,
    Program,
    State,
    Stuck,
    Value,
    number,
    run,
    same_ends,
    same_instructions,
    same_values,
    states,
)
from solvent.queries import QueryStats
from solvent.solvers import Status
from solvent.terms import ite
from solvent.terms.kinds import Guard

# The best one on nearly all machines; "bitwuzla,z3:QF_BV" asks two at the same time.
SOLVER = "bitwuzla"

# The program counter must be able to point behind the last instruction.
MOST_STEPS = (1 << WIDTH) - 1


# How differences are marked.
SECRETLY, VISIBLY = "~", "≠"

# A name, the same thing of both programs, and the mark between them.
Row = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two programs that differ in secrets only, and end in states that can be told apart."""

    machine: Machine
    first: Program
    second: Program
    steps: int

    def runs(self) -> tuple[list[State], list[State]]:
        """All states of both runs, by the interpreter as it is, on concrete values."""
        first, second = (
            list(states(self.machine, program, self.steps)) for program in (self.first, self.second)
        )
        return first, second

    @property
    def confirmed(self) -> bool:
        """Whether the interpreter, on the concrete programs, shows what was predicted."""
        pairs = zip(self.first, self.second, strict=True)
        if not all(same_instructions(a, b) for a, b in pairs):
            return False
        try:
            ends = [run(self.machine, program, self.steps) for program in (self.first, self.second)]
        except (Stuck, IndexError):
            return False
        if self.machine.low_end and any(end.label for end in ends):
            return False
        return not same_ends(*ends)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Both programs side by side, then both final states."""
        rows = [("", "first program", " ", "second program"), *self._listing(), ("",) * 4]
        rows += self._final_states()
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        for name, a, mark, b in rows:
            yield f"  {name:>{widths[0]}}  {a:<{widths[1]}} {mark or ' '} {b}".rstrip()
        yield f"  ({SECRETLY}: differs in what nobody can see, {VISIBLY}: can be told apart)"

    def _listing(self) -> Iterator[Row]:
        texts = zip(self.machine.text(self.first), self.machine.text(self.second), strict=True)
        for place, (a, b) in enumerate(texts):
            yield f"{place}", a, SECRETLY if a != b else "", b

    def _final_states(self) -> Iterator[Row]:
        runs = self.runs()
        first, second = (found[-1] for found in runs)
        yield _row("steps", f"{len(runs[0]) - 1}", f"{len(runs[1]) - 1}", False)
        yield _row("pc", repr(first.pc), repr(second.pc), first.pc.label != second.pc.label)
        stacks = [" ".join(map(repr, state.stack)) or "empty" for state in (first, second)]
        yield _row("stack", stacks[0], stacks[1], False)
        for cell, (a, b) in enumerate(zip(first.memory, second.memory, strict=True)):
            visible = not first.pc.label and not same_values(a, b)
            yield _row(f"memory[{cell}]", repr(a), repr(b), visible)

    def as_dict(self) -> dict[str, object]:
        """The programs and their runs, for JSON."""
        programs = (self.first, self.second)
        return {
            "confirmed": self.confirmed,
            "programs": [self.machine.text(program) for program in programs],
            "runs": [[_state(state) for state in found] for found in self.runs()],
        }


def _row(name: str, a: str, b: str, visible: Guard) -> Row:
    return name, a, VISIBLY if visible else SECRETLY if a != b else "", b


def _state(state: State) -> dict[str, object]:
    return {
        "pc": repr(state.pc),
        "stack": [repr(found) for found in state.stack],
        "memory": [repr(found) for found in state.memory],
    }


@dataclass(frozen=True, slots=True)
class Noninterference:
    """The answer: `holds`, or a counterexample, or neither and a reason."""

    machine: Machine
    steps: int
    status: Status
    stats: QueryStats
    reason: str = ""
    counterexample: Counterexample | None = None

    @property
    def holds(self) -> bool:
        """Whether no programs of this length leak a secret in this many steps."""
        return self.status is Status.UNSAT

    def __bool__(self) -> bool:
        raise TypeError("a result is neither true nor false: ask for .holds")

    def __str__(self) -> str:
        name = f"{self.machine.name}: {self.steps} steps"
        if self.counterexample is not None:
            checked = "confirmed" if self.counterexample.confirmed else "NOT confirmed"
            return f"{name}: a secret leaks ({checked} by running both)\n{self.counterexample}"
        if self.holds:
            return f"{name}: verified, no program leaks a secret"
        return f"{name}: unknown: {self.reason}"

    __repr__ = __str__

    def as_dict(self) -> dict[str, object]:
        """The answer for JSON."""
        found = self.counterexample
        return {
            "machine": self.machine.name,
            "steps": self.steps,
            "status": str(self.status),
            "holds": self.holds,
            "reason": self.reason,
            "counterexample": None if found is None else found.as_dict(),
            "stats": self.stats.as_dict(),
        }


def symbolic_programs(machine: Machine, length: int) -> tuple[Program, Program]:
    """Two programs of any instructions that differ in secret numbers only.

    >>> from solvent.languages.ifcl import MACHINES
    >>> first, second = symbolic_programs(MACHINES["basic"], 1)
    >>> first[0].value, second[0].value
    (number0@secret0, ite(secret0, other0, number0)@secret0)
    """
    kinds = {kind for operation in machine.operations for kind in operation.operands}
    pairs = [_instructions(machine, place, kinds) for place in range(length)]
    return tuple(first for first, _ in pairs), tuple(second for _, second in pairs)


def _instructions(machine: Machine, place: int, kinds: set[str]) -> tuple[Instruction, Instruction]:
    code = BitVec(f"code{place}", machine.bits)
    secret = Bool(f"secret{place}") if "value" in kinds else False
    result = Bool(f"result{place}") if "result" in kinds else False
    # No operation has both a labelled number and a public one, so that they can share it.
    public = BitVec(f"number{place}", WIDTH) if kinds & {"value", "count"} else number(0)
    other = ite(secret, BitVec(f"other{place}", WIDTH), public)
    return (
        Instruction(code, Value(public, secret), public, result),
        Instruction(code, Value(other, secret), public, result),
    )


def tell_apart(machine: Machine, first: Program, second: Program, steps: int) -> tuple[End, End]:
    """Run two programs, which must both halt, in states that can be told apart."""
    a, b = run(machine, first, steps), run(machine, second, steps)
    if machine.low_end:
        assert not a.label, "the first run ended in secret"
        assert not b.label, "the second run ended in secret"
    assert not same_ends(a, b), "the final states look alike"
    return a, b


def verify_noninterference(
    machine: Machine,
    max_steps: int | None = None,
    *,
    solver: str | None = None,
    timeout: float | None = None,
) -> Noninterference:
    """Whether no two programs of so many instructions, in so many steps, leak a secret.

    >>> from solvent.languages.ifcl import MACHINES
    >>> verify_noninterference(MACHINES["basic"], 3).holds
    True
    >>> verify_noninterference(MACHINES["B1"], 3).counterexample.confirmed
    True
    """
    steps = machine.steps if max_steps is None else max_steps
    if not 1 <= steps <= MOST_STEPS:
        raise MachineError(f"the number of steps must be from 1 to {MOST_STEPS}, not {steps}")
    first, second = symbolic_programs(machine, steps)
    found = solve(
        tell_apart, machine, first, second, steps, solver=solver or SOLVER, timeout=timeout
    )
    counterexample = None
    if found.model is not None:
        first, second = evaluate((first, second), found.model)
        counterexample = Counterexample(machine, first, second, steps)
    return Noninterference(machine, steps, found.status, found.stats, found.reason, counterexample)
