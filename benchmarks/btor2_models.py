"""Models of small processors that run a program, like those that are made from machine code.

Each instruction has a flag that says whether it is the next one; registers and memory choose
between what the instructions would do; reading takes an input.  The programs are like those that a
simple compiler makes: everything goes over a stack in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from solvent.btor2 import Builder, Model
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    and_,
    bv,
    concat,
    eq,
    ite,
    not_,
    or_,
    select,
    store,
    udiv,
    ult,
    urem,
)

WORD = 64
SP, T0, T1, A0 = 2, 5, 6, 10
STACK = 0x10000


@dataclass
class Code:
    """A program under construction: instructions as tuples."""

    instructions: list[tuple[Any, ...]] = field(default_factory=list)

    def emit(self, *instruction: Any) -> int:
        """Add an instruction and tell its position."""
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def push(self, register: int) -> None:
        self.emit("addi", SP, SP, -8)
        self.emit("sd", register, 0, SP)

    def pop(self, register: int) -> None:
        self.emit("ld", register, 0, SP)
        self.emit("addi", SP, SP, 8)

    def constant(self, value: int) -> None:
        self.emit("li", T0, value)
        self.push(T0)

    def binary(self, name: str) -> None:
        self.pop(T1)
        self.pop(T0)
        self.emit(name, T0, T0, T1)
        self.push(T0)

    def load(self, address: int) -> None:
        self.emit("li", T0, address)
        self.emit("ld", T0, 0, T0)
        self.push(T0)

    def store(self, address: int) -> None:
        self.emit("li", T1, address)
        self.pop(T0)
        self.emit("sd", T0, 0, T1)

    def unless_equal(self) -> int:
        """A jump, whose target is set later, if the two values on top differ."""
        self.pop(T1)
        self.pop(T0)
        return self.emit("bne", T0, T1, None)

    def here(self, jump: int) -> None:
        *rest, _ = self.instructions[jump]
        self.instructions[jump] = (*rest, len(self.instructions))


def two_reads() -> Code:
    """Reads two characters, and divides by zero if they are '4' and '2'."""
    code = Code()
    code.emit("read", 0x2000)
    code.emit("read", 0x2008)
    code.load(0x2000)
    code.constant(ord("4"))
    first = code.unless_equal()
    code.load(0x2008)
    code.constant(ord("2"))
    second = code.unless_equal()
    code.load(0x2000)
    code.constant(0)
    code.binary("divu")
    code.store(0x2008)
    code.here(first)
    code.here(second)
    return ended(padded(code))


def branching(depth: int) -> Code:
    """Reads a character for each branch, counts those that are large, and divides by the rest."""
    code = Code()
    code.constant(depth)
    code.store(0x3000)
    for k in range(depth):
        code.emit("read", 0x2000 + 8 * k)
    for k in range(depth):
        code.load(0x2000 + 8 * k)
        code.constant(65 + k)
        jump = code.unless_equal()
        code.load(0x3000)
        code.constant(1)
        code.binary("sub")
        code.store(0x3000)
        code.here(jump)
    code.constant(7)
    code.load(0x3000)
    code.binary("divu")
    code.store(0x3008)
    return ended(code)


def straight(length: int) -> Code:
    """Sums up constants and divides by what remains, which is zero."""
    code = Code()
    code.constant(0)
    code.store(0x3000)
    for k in range(length):
        code.load(0x3000)
        code.constant(k)
        code.binary("add")
        code.store(0x3000)
    code.load(0x3000)
    code.constant(sum(range(length)))
    code.binary("sub")
    code.store(0x3000)
    code.constant(1)
    code.load(0x3000)
    code.binary("divu")
    return ended(code)


def counting() -> Code:
    """Counts a character that was read down to zero, and divides by it then."""
    code = Code()
    code.emit("read", 0x2000)
    start = len(code.instructions)
    code.load(0x2000)
    code.constant(0)
    jump = code.unless_equal()
    code.constant(1)
    code.load(0x2000)
    code.binary("divu")
    code.here(jump)
    code.load(0x2000)
    code.constant(1)
    code.binary("sub")
    code.store(0x2000)
    code.emit("jal", start)
    return ended(code)


def padded(code: Code) -> Code:
    code.constant(0)
    code.store(0x3000)
    return code


def ended(code: Code) -> Code:
    code.emit("jal", len(code.instructions))
    return code


def model(code: Code, free_memory: bool = False) -> Model:
    """The model of a processor that runs a program; bad: division by zero, a bad address."""
    builder = Builder("processor")
    flags = [Bool(f"pc{k}") for k in range(len(code.instructions))]
    registers = {r: BitVec(f"r{r}", WORD) for r in (SP, T0, T1, A0)}
    memory = Array("memory", BitVec(WORD), BitVec(WORD))
    given = BitVec("input0", 8)
    builder.input(given)
    first = {SP: STACK}
    for k, flag in enumerate(flags):
        builder.node(k == 0)
        builder.state(flag)
        builder.init(flag, k == 0)
    for number, register in registers.items():
        builder.node(bv(first.get(number, 0), WORD))
        builder.state(register)
        builder.init(register, bv(first.get(number, 0), WORD))
    if not free_memory:
        builder.node(bv(0, WORD))
    builder.state(memory)
    if not free_memory:
        builder.init(memory, bv(0, WORD))
    _Steps(builder, flags, registers, memory, given).run(code)
    return builder.model


_BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "divu": udiv,
    "remu": urem,
    "sltu": lambda a, b: ite(ult(a, b), bv(1, WORD), bv(0, WORD)),
}


class _Steps:
    def __init__(
        self, builder: Builder, flags: list[Any], registers: dict[int, Any], memory: Any, given: Any
    ) -> None:
        self.builder = builder
        self.flags = flags
        self.registers = registers
        self.memory = memory
        self.given = given
        self.after = dict(registers)
        self.stored = memory
        self.entries: dict[int, list[Any]] = {}
        self.divisions: list[Any] = []
        self.low: list[Any] = []
        self.high: list[Any] = []

    def run(self, code: Code) -> None:
        for k, instruction in enumerate(code.instructions):
            self.instruction(k, *instruction)
        for k, flag in enumerate(self.flags):
            self.builder.next(flag, or_(*self.entries.get(k, [False])))
        for number, register in self.registers.items():
            self.builder.next(register, self.after[number])
        self.builder.next(self.memory, self.stored)
        self.builder.bad(or_(*self.divisions, False), "division by zero")
        self.builder.bad(or_(*self.low, False), "below")
        self.builder.bad(or_(*self.high, False), "above")

    def go(self, target: int, condition: Any) -> None:
        self.entries.setdefault(target, []).append(condition)

    def set(self, flag: Any, register: int, value: Any) -> None:
        self.after[register] = ite(flag, value, self.after[register])

    def address(self, flag: Any, offset: int, base: int) -> Any:
        address = self.registers[base] + bv(offset, WORD)
        self.low.append(and_(flag, ult(address, bv(0x1000, WORD))))
        self.high.append(and_(flag, not_(ult(address, bv(1 << 32, WORD)))))
        return address

    def instruction(self, k: int, name: str, *args: Any) -> None:
        flag = self.flags[k]
        if name == "jal":
            self.go(args[0], flag)
            return
        if name == "bne":
            a, b, target = args
            equal = eq(self.registers[a], self.registers[b])
            self.go(k + 1, and_(flag, equal))
            self.go(target, and_(flag, not_(equal)))
            return
        self.go(k + 1, flag)
        if name == "li":
            self.set(flag, args[0], bv(args[1], WORD))
        elif name == "addi":
            self.set(flag, args[0], self.registers[args[1]] + bv(args[2], WORD))
        elif name == "ld":
            address = self.address(flag, args[1], args[2])
            self.set(flag, args[0], select(self.memory, address))
        elif name == "sd":
            address = self.address(flag, args[1], args[2])
            written = store(self.memory, address, self.registers[args[0]])
            self.stored = ite(flag, written, self.stored)
        elif name == "read":
            value = concat(bv(0, WORD - 8), self.given)
            self.stored = ite(flag, store(self.memory, bv(args[0], WORD), value), self.stored)
        else:
            a, b = (self.registers[r] for r in args[1:])
            if name in ("divu", "remu"):
                self.divisions.append(and_(flag, eq(b, bv(0, WORD))))
            self.set(flag, args[0], _BINARY[name](a, b))


MODELS = {
    "straight": (lambda: model(straight(8)), 140),
    "two reads": (lambda: model(two_reads()), 140),
    "two reads, free memory": (lambda: model(two_reads(), free_memory=True), 140),
    "branching": (lambda: model(branching(4)), 140),
}
