"""What one instruction does to a symbolic state: the step function, run symbolically once.

The memory and the system of the run only take notes: an instruction loads at most one word and
stores at most one.  So a loaded word is one unknown, `LOADED`, and whoever knows the memory puts
the word in its place.  The same holds for the bytes that a `read` gets: `INPUTS` has one unknown
for each number of bytes, as the models of section 6.4 do.

>>> from solvent.riscu.instructions import Instruction
>>> from solvent.riscu.cstar import compile_text
>>> program = compile_text("uint64_t main() { return 42; }")
>>> effect = effect_of(program, 0x10000, Instruction("divu", 10, 11, 12), {11: 7})
>>> effect.registers, [(str(fault), condition) for condition, fault in effect.faults]
({10: udiv(bv(7, 64), x12)}, [('division by zero', x12 == 0)])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solvent.lift.execution import execute as run_symbolically
from solvent.riscu.instructions import REGISTERS, Instruction
from solvent.riscu.program import Program
from solvent.riscu.state import REGISTER_COUNT, Machine
from solvent.riscu.step import execute
from solvent.riscu.syscalls import FAILED
from solvent.riscu.words import WIDTH, Word, leaves, symbolic_word
from solvent.terms import BV, BitVec, BitVecTerm, Term, and_, bv, eq, ite, or_, ule, zero_extend
from solvent.terms.kinds import Bits, Guard

CHUNK = 8
LOADED = BitVec("loaded", WIDTH)
INPUTS = tuple(BitVec(f"input{number}", 8 * (number + 1)) for number in range(CHUNK))
PROGRAM_BREAK = BitVec("program-break", WIDTH)
DONE = BitVec("bytes-read", WIDTH)
# How long the input is, and how many bytes of it were asked for.
LENGTH = BitVec("input-length", WIDTH)
REQUESTED = BitVec("bytes-requested", WIDTH)
REGISTER_NAMES = tuple(f"x{number}" for number in range(len(REGISTERS)))
UNKNOWN = tuple(BitVec(name, WIDTH) for name in REGISTER_NAMES)

ZERO = bv(0, WIDTH)


class NotedMemory:
    """A memory that remembers which word is loaded, and what is stored."""

    def __init__(self) -> None:
        self.loads: Guard = False
        self.address: Word = ZERO
        self.stores: Guard = False
        self.place: Word = ZERO
        self.value: Word = ZERO

    def load(self, address: Word) -> Word:
        """The unknown word."""
        self.loads = True
        self.address = address
        return LOADED

    def store(self, address: Word, value: Word) -> None:
        """Take a note."""
        self.stores = True
        self.place = address
        self.value = value


class NotedSystem:
    """Standard output takes everything, and there are no files.

    The standard input ends after `LENGTH` bytes, if it is known how many were requested before; or
    else it never ends.
    """

    def __init__(self, requested: Word | None) -> None:
        self.requested = requested
        self.asked: Word = ZERO
        self.taken: Word = ZERO

    def is_readable(self, descriptor: Word) -> Guard:
        """Only the standard input is."""
        return eq(descriptor, 0)

    def read(self, descriptor: Word, count: Word) -> tuple[Word, Word]:
        """Unknown bytes, as many as asked for and as there are."""
        self.asked = self.taken = count
        if self.requested is None:
            return chunk_of(count), count
        got = self.taken = available(self.requested, count)
        return ite(eq(got, 0), ZERO, chunk_of(got)), got

    def write(self, memory: object, descriptor: Word, address: Word, size: Word) -> Word:
        """Everything is written."""
        return ite(or_(eq(descriptor, 1), eq(descriptor, 2)), size, symbolic_word(FAILED))

    def open(self, memory: object, name: Word, flags: Word, mode: Word) -> Word:
        """There is no such file."""
        return symbolic_word(FAILED)


def available(requested: Word, count: Word) -> Bits:
    """How many of some bytes the input still has.

    A read gets less than it asks for only at the end, so what was requested is where it starts.
    """
    result: Bits = ZERO
    for number in range(1, CHUNK + 1):
        there = and_(ule(bv(number, WIDTH), count), ule(requested + number, LENGTH))
        result = ite(there, bv(number, WIDTH), result)
    return result


def chunk_of(count: Word) -> Bits:
    """So many unknown bytes, at least one, as a word (lines 11 to 14 of figure 9)."""
    result: Bits = INPUTS[-1]
    for number in range(CHUNK - 1):
        extended = zero_extend(WIDTH - 8 * (number + 1), INPUTS[number])
        result = ite(eq(count, number + 1), extended, result)
    return result


@dataclass(frozen=True, slots=True)
class Effect:
    """What an instruction changes, where it ends normally: that is under `normal`.

    `targets` are the addresses that the counter may go to, with their conditions; a jump to a
    register has one target without a known address, `jump`.
    """

    registers: dict[int, Bits]
    targets: tuple[tuple[Guard, int], ...]
    jump: Word | None
    loads: Guard
    address: Word
    stores: Guard
    place: Word
    value: Word
    program_break: Word
    done: Word
    asked: Word
    taken: Word
    normal: Guard
    faults: tuple[tuple[Guard, BaseException], ...]


def effect_of(
    program: Program,
    pc: int,
    instruction: Instruction,
    known: Mapping[int, Word],
    program_break: Word = PROGRAM_BREAK,
    done: Word = DONE,
    requested: Word | None = None,
) -> Effect:
    """What an instruction does, given what is known of registers; the others are unknown.

    The input ends if it is known how many bytes were requested before.
    """
    registers = [
        symbolic_word(known[number]) if number in known else UNKNOWN[number]
        for number in range(REGISTER_COUNT - 1)
    ]
    registers[0] = ZERO
    registers.append(ZERO)
    before = list(registers)
    memory, system = NotedMemory(), NotedSystem(requested)
    ended, read = symbolic_word(program_break), symbolic_word(done)
    # A machine is written for numbers, and lifted code runs it on bitvectors.
    machine = Machine(program, registers, memory, system, ended, read)  # type: ignore[arg-type]
    machine.pc = pc
    outcome = run_symbolically(execute, machine, instruction)
    targets, jump = _targets(machine.pc)
    return Effect(
        {
            number: after
            for number, (old, after) in enumerate(zip(before, registers, strict=True))
            if after is not old and number < REGISTER_COUNT - 1
        },
        () if outcome.halted else targets,
        None if outcome.halted else jump,
        memory.loads,
        memory.address,
        memory.stores,
        memory.place,
        memory.value,
        machine.program_break,
        machine.done,
        system.asked,
        system.taken,
        outcome.normal,
        tuple((failure.condition, failure.exception) for failure in outcome.failures),
    )


def _targets(pc: Word) -> tuple[tuple[tuple[Guard, int], ...], BitVecTerm | None]:
    """The known targets of a counter, and what it is if it comes from a register."""
    if isinstance(pc, BV):
        return ((True, pc.value),), None
    if not isinstance(pc, Term):
        return ((True, pc),), None
    found = leaves(pc)
    return ((), pc) if found is None else (tuple(found), None)
