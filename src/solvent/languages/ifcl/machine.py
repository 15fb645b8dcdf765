"""Stack-and-pointer machines that track who may see what: values, states, instructions, steps.

Everything in here is ordinary Python over immutable states.  A machine that cannot go on raises
`Stuck`, or an `IndexError` if it looks for something that is not on its stack or in its memory.

>>> from solvent.languages.ifcl import MACHINES, run
>>> b1 = MACHINES["B1"]
>>> run(b1, b1.program("Push 7@H", "Push 1@L", "Store"), 3)
End(label=False, memory=(0@L, 7@H))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from solvent.errors import SolventError
from solvent.lift import is_symbolic
from solvent.lift.registry import TRUSTED
from solvent.terms import bv
from solvent.vm import values
from solvent.vm.values import Guard

# Numbers, addresses and the program counter have so many bits.
WIDTH = 5
CELLS = 2

LOW, HIGH = False, True

# A bitvector, which may be symbolic and still be an index.
Number: TypeAlias = values.Value


class Stuck(Exception):
    """The machine has no rule for what it is to do."""


class MachineError(SolventError, ValueError):
    """A machine, program or bound that makes no sense."""


class Value(NamedTuple):
    """A number and its label: whether it is secret."""

    number: Number
    label: Guard

    def __repr__(self) -> str:
        return f"{shown(self.number)}@{label_name(self.label)}"


class Return(NamedTuple):
    """A return address on the stack, and whether the call returns a value."""

    pc: Value
    result: Guard

    def __repr__(self) -> str:
        return f"R({self.pc}, {shown(self.result)})"


# What is on a stack, and what is in the memory.
Stack = tuple[Value | Return, ...]
Memory = tuple[Value, ...]


class State(NamedTuple):
    """Where a machine is: the program counter, the stack (its top comes last), the memory."""

    pc: Value
    stack: Stack
    memory: Memory


class End(NamedTuple):
    """What can be seen when a machine has halted: the label of its counter, and its memory."""

    label: Guard
    memory: Memory


class Instruction(NamedTuple):
    """One instruction: the number of its operation, and an operand of each kind.

    `value` is a labelled number, `count` a public number, `result` says whether there is a result.
    An operation uses those that it needs.
    """

    code: Number
    value: Value
    count: Number
    result: Guard


Program = tuple[Instruction, ...]
Rule = Callable[[State, Instruction], State]


def number(found: int) -> Number:
    """A number of the machine."""
    return bv(found, WIDTH)


def shown(found: Number) -> str:
    """A number or flag as text."""
    return repr(found) if is_symbolic(found) else str(int(found))


def label_name(label: Guard) -> str:
    """A label as a letter."""
    return repr(label) if is_symbolic(label) else "H" if label else "L"


# What people are shown is a text also after a run, where there are no paths to tell apart.
TRUSTED.update((shown, label_name))


ZERO = Value(number(0), LOW)


@dataclass(frozen=True, slots=True)
class Operation:
    """What an instruction does: a name, a rule, and the operands that it takes."""

    name: str
    rule: Rule
    operands: tuple[str, ...] = ()


def _no_rule(state: State, instruction: Instruction) -> State:
    raise Stuck("a halted machine makes no step")


HALT = Operation("Halt", _no_rule)


@dataclass(frozen=True, slots=True)
class Machine:
    """A set of instructions, and when two runs count as ended.

    `Halt` belongs to every machine and is the instruction with the number 0.
    """

    name: str
    operations: tuple[Operation, ...]
    # Whether only runs that halt in a public state are compared.
    low_end: bool = False
    # How many steps are enough for the known counterexample, or have been verified.
    steps: int = 8
    # What is wrong with it, if anything is known.
    flaw: str = ""

    def __post_init__(self) -> None:
        if not self.operations:
            raise MachineError(f"the machine {self.name!r} has no operations")
        names = [operation.name for operation in self.instructions]
        for name in names:
            if names.count(name) > 1:
                raise MachineError(f"the machine {self.name!r} has two operations called {name!r}")

    @property
    def instructions(self) -> tuple[Operation, ...]:
        """All operations, `Halt` first; the place of one is its number."""
        return (HALT, *self.operations)

    @property
    def bits(self) -> int:
        """How many bits the number of an operation has."""
        return max(1, len(self.operations).bit_length())

    def operation(self, instruction: Instruction) -> Operation:
        """The operation of a concrete instruction; numbers that are too large mean the last."""
        return self.instructions[min(int(instruction.code), len(self.operations))]

    def program(self, *lines: str) -> Program:
        """A program from its text.

        >>> from solvent.languages.ifcl import MACHINES
        >>> machine = MACHINES["CR4"]
        >>> machine.text(machine.program("Push 3@H", "Call 0 1", "Return"))
        ['Push 3@H', 'Call 0 1', 'Return']
        """
        return tuple(self._instruction(line) for line in lines)

    def _instruction(self, line: str) -> Instruction:
        name, *given = line.split()
        codes = [place for place, found in enumerate(self.instructions) if found.name == name]
        if not codes:
            known = ", ".join(found.name for found in self.instructions)
            raise MachineError(f"{self.name} has no instruction {name!r}; it has {known}")
        kinds = self.instructions[codes[0]].operands
        if len(given) != len(kinds):
            wanted = " ".join(kind.upper() for kind in kinds) or "no operands"
            raise MachineError(f"{line!r}: {name} takes {wanted}")
        operands = {kind: _operand(kind, text) for kind, text in zip(kinds, given, strict=True)}
        return Instruction(
            bv(codes[0], self.bits),
            operands.get("value", ZERO),
            operands.get("count", number(0)),
            operands.get("result", False),
        )

    def text(self, program: Program) -> list[str]:
        """The lines of a concrete program."""
        return [self._line(instruction) for instruction in program]

    def _line(self, instruction: Instruction) -> str:
        operation = self.operation(instruction)
        operands = [getattr(instruction, kind) for kind in operation.operands]
        parts = [repr(found) if isinstance(found, Value) else shown(found) for found in operands]
        return " ".join([operation.name, *parts])


def _operand(kind: str, text: str) -> Any:
    patterns = {"value": r"(\d+)@([LH])", "count": r"(\d+)", "result": r"([01])"}
    found = re.fullmatch(patterns[kind], text)
    if found is None or int(found[1]) >= 1 << WIDTH:
        wanted = {"value": "a labelled number such as 3@H", "count": "a number", "result": "0 or 1"}
        raise MachineError(f"{text!r} is not {wanted[kind]} of {WIDTH} bits")
    if kind == "value":
        return Value(number(int(found[1])), found[2] == "H")
    return bool(int(found[1])) if kind == "result" else number(int(found[1]))


# --- running -----------------------------------------------------------------------------------


def initial() -> State:
    """The state in which every run begins."""
    return State(ZERO, (), (ZERO,) * CELLS)


def step(machine: Machine, state: State, instruction: Instruction) -> State:
    """Execute an instruction that is not `Halt`."""
    last = len(machine.operations)
    for code, operation in enumerate(machine.operations, 1):
        if code == last or instruction.code == code:
            return operation.rule(state, instruction)
    raise AssertionError("the last operation has all numbers that are left")


def states(machine: Machine, program: Program, steps: int) -> Iterator[State]:
    """All states of a run: up to the one in which it halts, or as many steps as there are."""
    state = initial()
    yield state
    for _ in range(steps):
        if halts(state, program):
            return
        state = step(machine, state, program[state.pc.number])
        yield state


def halts(state: State, program: Program) -> Guard:
    """Whether the next instruction is `Halt`, or the program is at its end."""
    halted: Guard = state.pc.number == len(program) or program[state.pc.number].code == 0
    return halted


def run(machine: Machine, program: Program, steps: int) -> End:
    """Run a program until it halts; halting takes a step too, unless the program is at its end."""
    state = initial()
    for _ in range(steps):
        if state.pc.number == len(program):
            return End(state.pc.label, state.memory)
        instruction = program[state.pc.number]
        if instruction.code == 0:
            return End(state.pc.label, state.memory)
        state = step(machine, state, instruction)
    if state.pc.number != len(program):
        raise Stuck(f"the machine has not halted after {steps} steps")
    return End(state.pc.label, state.memory)


# --- who can tell what apart -------------------------------------------------------------------


def same_values(a: Value, b: Value) -> Guard:
    """Whether two values are indistinguishable: both secret, or equal and public."""
    return a.label == b.label and (a.label or a.number == b.number)


def same_instructions(a: Instruction, b: Instruction) -> Guard:
    """Whether two instructions differ in secret numbers only."""
    return (
        a.code == b.code
        and same_values(a.value, b.value)
        and a.count == b.count
        and a.result == b.result
    )


def same_ends(a: End, b: End) -> Guard:
    """Whether two final states are indistinguishable: both secret, or public with such memories."""
    if a.label != b.label:
        return False
    return a.label or all(same_values(x, y) for x, y in zip(a.memory, b.memory, strict=True))
