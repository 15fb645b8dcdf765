"""What each instruction does: figure 14, as lifted Python.

This is the only place that knows.  The plain functions (`EXECUTE`), run on numbers, are the
emulator; the lifted ones, run on symbolic registers, give the transitions of which models are
made, and the steps of the direct engine.  Errors are exceptions, so that a symbolic run lists
them with their conditions.

A `read` takes up to eight bytes in one step and stays at its instruction until it has all: `done`
counts the bytes so far.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.lift.api import lifted
from solvent.riscu.faults import (
    AddressAbove,
    AddressBelow,
    AddressUnaligned,
    BufferAbove,
    BufferBelow,
    BufferUnaligned,
    DivisionByZero,
    Exited,
    InvalidSyscall,
    RemainderByZero,
)
from solvent.riscu.instructions import NUMBER, Instruction
from solvent.riscu.program import UPPER
from solvent.riscu.state import Machine
from solvent.riscu.syscalls import BRK, EXIT, FAILED, OPENAT, READ, WRITE
from solvent.riscu.words import WORD, above_bytes, below, flag, quotient, remainder, word

SP, A0, A1, A2, A3, A7 = (NUMBER[name] for name in ("sp", "a0", "a1", "a2", "a3", "a7"))

Execute = Callable[[Machine, Instruction], None]

# --- arithmetic --------------------------------------------------------------------------------


def lui(machine: Machine, i: Instruction) -> None:
    """rd <- imm * 2**12"""
    machine.registers[i.to] = word(i.imm << 12)
    machine.pc += 4


def addi(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 + imm"""
    registers = machine.registers
    registers[i.to] = (registers[i.rs1] + i.imm) & WORD
    machine.pc += 4


def add(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 + rs2"""
    registers = machine.registers
    registers[i.to] = (registers[i.rs1] + registers[i.rs2]) & WORD
    machine.pc += 4


def sub(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 - rs2"""
    registers = machine.registers
    registers[i.to] = (registers[i.rs1] - registers[i.rs2]) & WORD
    machine.pc += 4


def mul(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 * rs2"""
    registers = machine.registers
    registers[i.to] = (registers[i.rs1] * registers[i.rs2]) & WORD
    machine.pc += 4


def divu(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 / rs2"""
    registers = machine.registers
    if registers[i.rs2] == 0:
        raise DivisionByZero(0)
    registers[i.to] = quotient(registers[i.rs1], registers[i.rs2])
    machine.pc += 4


def remu(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 mod rs2"""
    registers = machine.registers
    if registers[i.rs2] == 0:
        raise RemainderByZero(0)
    registers[i.to] = remainder(registers[i.rs1], registers[i.rs2])
    machine.pc += 4


def sltu(machine: Machine, i: Instruction) -> None:
    """rd <- rs1 < rs2"""
    registers = machine.registers
    registers[i.to] = flag(below(registers[i.rs1], registers[i.rs2]))
    machine.pc += 4


# --- memory ------------------------------------------------------------------------------------


def check_address(machine: Machine, address: int) -> None:
    """An instruction may only access whole words of the memory."""
    if below(address, machine.lowest):
        raise AddressBelow(address)
    if not below(address, UPPER):
        raise AddressAbove(address)
    if address & 7 != 0:
        raise AddressUnaligned(address)


def ld(machine: Machine, i: Instruction) -> None:
    """rd <- memory[rs1 + imm]"""
    address = (machine.registers[i.rs1] + i.imm) & WORD
    check_address(machine, address)
    machine.registers[i.to] = machine.memory.load(address)
    machine.pc += 4


def sd(machine: Machine, i: Instruction) -> None:
    """memory[rs1 + imm] <- rs2"""
    address = (machine.registers[i.rs1] + i.imm) & WORD
    check_address(machine, address)
    machine.memory.store(address, machine.registers[i.rs2])
    machine.pc += 4


# --- control -----------------------------------------------------------------------------------


def beq(machine: Machine, i: Instruction) -> None:
    """if rs1 == rs2 then pc <- pc + imm"""
    if machine.registers[i.rs1] == machine.registers[i.rs2]:
        machine.pc += i.imm
    else:
        machine.pc += 4


def jal(machine: Machine, i: Instruction) -> None:
    """rd <- pc + 4, pc <- pc + imm"""
    machine.registers[i.to] = word(machine.pc + 4)
    machine.pc += i.imm


def jalr(machine: Machine, i: Instruction) -> None:
    """rd <- pc + 4, pc <- rs1 + imm"""
    target = (machine.registers[i.rs1] + i.imm) & WORD - 1
    if below(target, machine.code_start):
        raise AddressBelow(target)
    if not below(target, machine.code_end):
        raise AddressAbove(target)
    if target & 3 != 0:
        raise AddressUnaligned(target)
    machine.registers[i.to] = word(machine.pc + 4)
    machine.pc = target


# --- system calls ------------------------------------------------------------------------------


def ecall(machine: Machine, i: Instruction) -> None:
    """System call number a7 with parameters a0 to a3."""
    number = machine.registers[A7]
    if number == EXIT:
        raise Exited(machine.registers[A0])
    elif number == READ:
        _read(machine)
    elif number == WRITE:
        _write(machine)
    elif number == OPENAT:
        _open(machine)
    elif number == BRK:
        _brk(machine)
    else:
        raise InvalidSyscall(number)


def check_buffer(machine: Machine, address: int) -> None:
    """A system call may only access whole words of the memory."""
    if below(address, machine.lowest):
        raise BufferBelow(address)
    if not below(address, UPPER):
        raise BufferAbove(address)
    if address & 7 != 0:
        raise BufferUnaligned(address)


def _finish(machine: Machine, result: int) -> None:
    machine.registers[A0] = result
    machine.done = word(0)
    machine.pc += 4


def _read(machine: Machine) -> None:
    size, done = machine.registers[A2], machine.done
    if size == done:
        _finish(machine, done)
    elif machine.system.is_readable(machine.registers[A0]):
        _read_chunk(machine, size, done)
    else:
        _finish(machine, word(FAILED))


def _read_chunk(machine: Machine, size: int, done: int) -> None:
    address = (machine.registers[A1] + done) & WORD
    check_buffer(machine, address)
    left = (size - done) & WORD
    wanted = left if below(left, 8) else word(8)
    chunk, got = machine.system.read(machine.registers[A0], wanted)
    # The bytes of the word that are not read keep their values.
    memory = machine.memory
    memory.store(address, memory.load(address) & above_bytes(got) | chunk)
    done = (done + got) & WORD
    if done == size or got != wanted:
        _finish(machine, done)
    else:
        machine.done = done


def _write(machine: Machine) -> None:
    buffer, size = machine.registers[A1], machine.registers[A2]
    if size != 0:
        check_buffer(machine, buffer)
        if below((UPPER - buffer) & WORD, size):
            raise BufferAbove((buffer + size - 1) & WORD)
    _finish(machine, machine.system.write(machine.memory, machine.registers[A0], buffer, size))


def _open(machine: Machine) -> None:
    name = machine.registers[A1]
    check_buffer(machine, name)
    flags, mode = machine.registers[A2], machine.registers[A3]
    _finish(machine, machine.system.open(machine.memory, name, flags, mode))


def _brk(machine: Machine) -> None:
    wanted = machine.registers[A0]
    # The heap only grows, in whole words, and stays below the stack.
    refused = below(wanted, machine.program_break)
    if refused or not below(wanted, machine.registers[SP]) or wanted & 7 != 0:
        _finish(machine, machine.program_break)
    else:
        machine.program_break = wanted
        _finish(machine, wanted)


# --- the step ----------------------------------------------------------------------------------

EXECUTE: dict[str, Execute] = {
    "lui": lui,
    "addi": addi,
    "add": add,
    "sub": sub,
    "mul": mul,
    "divu": divu,
    "remu": remu,
    "sltu": sltu,
    "ld": ld,
    "sd": sd,
    "beq": beq,
    "jal": jal,
    "jalr": jalr,
    "ecall": ecall,
}


@lifted
def execute(machine: Machine, instruction: Instruction) -> None:
    """One step of the machine, whose counter is at the instruction."""
    EXECUTE[instruction.name](machine, instruction)
