"""Single instructions, compared with what RISC-V's specification and Linux say of them."""

from __future__ import annotations

import pytest

from solvent.riscu.emulator import Emulator
from solvent.riscu.instructions import NUMBER, Instruction, encode
from solvent.riscu.program import CODE_START, Program

RA, T0 = NUMBER["ra"], NUMBER["t0"]
NOTHING = Instruction("addi")
DATA = 0x11000


def at(place: int, instruction: Instruction) -> Emulator:
    """A machine that is at this instruction, the so many-th of eight."""
    code = [NOTHING] * 8
    code[place] = instruction
    emulator = Emulator(Program(list(map(encode, code)), b"", DATA, CODE_START))
    emulator.machine.pc = CODE_START + 4 * place
    return emulator


# "The address of the instruction following the jump (pc + 4) is written to register rd."
@pytest.mark.parametrize("place", range(7))
@pytest.mark.parametrize("jump", ["jal", "jalr"])
def test_a_jump_leaves_the_address_of_what_follows_it(jump: str, place: int) -> None:
    target = CODE_START + 8
    here = CODE_START + 4 * place
    if jump == "jal":
        instruction = Instruction("jal", rd=RA, imm=target - here)
    else:
        instruction = Instruction("jalr", rd=RA, rs1=T0, imm=-12)
    emulator = at(place, instruction)
    emulator.machine.registers[T0] = target + 12
    emulator.step()
    assert emulator.machine.pc == target
    assert emulator.machine.registers[RA] == here + 4


# "... adding the sign-extended 12-bit I-immediate to the register rs1, then setting the
# least-significant bit of the result to zero."
def test_an_indirect_jump_clears_the_lowest_bit() -> None:
    emulator = at(3, Instruction("jalr", rd=T0, rs1=T0, imm=1))
    emulator.machine.registers[T0] = CODE_START + 16
    emulator.step()
    assert emulator.machine.pc == CODE_START + 16
    assert emulator.machine.registers[T0] == CODE_START + 16


@pytest.mark.parametrize("buffer", [0, 8, 1, 2**32, 2**64 - 8])
def test_a_write_of_nothing_looks_at_no_buffer(buffer: int) -> None:
    emulator = at(1, Instruction("ecall"))
    registers = emulator.machine.registers
    for name, value in {"a7": 64, "a0": 1, "a1": buffer, "a2": 0}.items():
        registers[NUMBER[name]] = value
    emulator.step()
    assert registers[NUMBER["a0"]] == 0
    assert emulator.machine.pc == CODE_START + 8
    assert bytes(emulator.system.written) == b""
