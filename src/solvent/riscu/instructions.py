"""RISC-U: the fourteen instructions of figure 14, as words and as text.

RISC-U is a part of 64-bit RISC-V, and the encoding is RISC-V's.

>>> instruction = Instruction("addi", rd=10, rs1=0, imm=42)
>>> print(instruction, hex(encode(instruction)))
addi a0,zero,42 0x2a00513
>>> decode(encode(instruction)) == instruction
True
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent.errors import SolventError

WORD = 2**64 - 1

# The names of the 32 registers in the calling convention of RISC-V.
_LOWER = "zero ra sp gp tp t0 t1 t2 fp s1 a0 a1 a2 a3 a4 a5 a6 a7"
_UPPER = "s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
REGISTERS = f"{_LOWER} {_UPPER}".split()
NUMBER = {name: number for number, name in enumerate(REGISTERS)}

# Where a write to register zero goes: nobody reads it there.
SINK = 32

# Formats by instruction: opcode, then what tells instructions of one opcode apart.
_R = {"add": (0, 0x00), "sub": (0, 0x20), "mul": (0, 0x01)} | {
    "divu": (5, 0x01),
    "remu": (7, 0x01),
    "sltu": (3, 0x00),
}
_I = {"addi": (0x13, 0), "ld": (0x03, 3), "jalr": (0x67, 0)}
_OPCODE_R, _OPCODE_SD, _OPCODE_BEQ, _OPCODE_LUI, _OPCODE_JAL = 0x33, 0x23, 0x63, 0x37, 0x6F
_ECALL = 0x73

_BY_R = {codes: name for name, codes in _R.items()}
_BY_I = {codes: name for name, codes in _I.items()}

NAMES = (*_R, *_I, "sd", "beq", "lui", "jal", "ecall")


class EncodingError(SolventError, ValueError):
    """An instruction that does not fit into 32 bits, or 32 bits that are no instruction."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction; what it does not use is zero.

    `to` is the register that it writes, with writes to `zero` sent where nobody looks.
    """

    name: str
    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    imm: int = 0
    to: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", self.rd or SINK)

    def __str__(self) -> str:
        rd, rs1, rs2 = REGISTERS[self.rd], REGISTERS[self.rs1], REGISTERS[self.rs2]
        name, imm = self.name, self.imm
        if name in _R:
            return f"{name} {rd},{rs1},{rs2}"
        if name == "addi":
            return f"addi {rd},{rs1},{imm}"
        if name in _I:
            return f"{name} {rd},{imm}({rs1})"
        if name == "sd":
            return f"sd {rs2},{imm}({rs1})"
        if name == "beq":
            return f"beq {rs1},{rs2},{imm}"
        if name == "lui":
            return f"lui {rd},{imm & 0xFFFFF:#x}"
        return f"jal {rd},{imm}" if name == "jal" else "ecall"


def encode(instruction: Instruction) -> int:
    """The 32 bits of an instruction.

    >>> encode(Instruction("addi", imm=5000))
    Traceback (most recent call last):
        ...
    solvent.riscu.instructions.EncodingError: addi zero,zero,5000: 5000 does not fit
    """
    name, imm = instruction.name, instruction.imm
    rd, rs1, rs2 = instruction.rd << 7, instruction.rs1 << 15, instruction.rs2 << 20
    if name in _R:
        low, high = _R[name]
        return high << 25 | rs2 | rs1 | low << 12 | rd | _OPCODE_R
    if name in _I:
        opcode, low = _I[name]
        return _fits(instruction, 12, 1) << 20 | rs1 | low << 12 | rd | opcode
    if name == "sd":
        bits = _fits(instruction, 12, 1)
        return bits >> 5 << 25 | rs2 | rs1 | 3 << 12 | (bits & 31) << 7 | _OPCODE_SD
    if name == "beq":
        bits = _fits(instruction, 13, 2)
        high = (bits >> 12) << 31 | (bits >> 5 & 63) << 25
        return high | rs2 | rs1 | (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7 | _OPCODE_BEQ
    if name == "lui":
        return _fits(instruction, 20, 1) << 12 | rd | _OPCODE_LUI
    if name == "jal":
        bits = _fits(instruction, 21, 2)
        high = (bits >> 20) << 31 | (bits >> 1 & 1023) << 21
        return high | (bits >> 11 & 1) << 20 | (bits >> 12 & 255) << 12 | rd | _OPCODE_JAL
    if name == "ecall":
        return _ECALL
    raise EncodingError(f"RISC-U has no instruction {name} ({imm})")


def _fits(instruction: Instruction, width: int, unit: int) -> int:
    imm = instruction.imm
    if not -(1 << width - 1) <= imm < 1 << width - 1 or imm % unit:
        raise EncodingError(f"{instruction}: {imm} does not fit")
    return imm & (1 << width) - 1


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> width - 1 else bits


def decode(word: int) -> Instruction:
    """The instruction that 32 bits stand for.

    >>> print(decode(0xfe010113))
    addi sp,sp,-32
    >>> decode(0x00209093)
    Traceback (most recent call last):
        ...
    solvent.riscu.instructions.EncodingError: 0x00209093 is no instruction of RISC-U
    """
    opcode, low, high = word & 127, word >> 12 & 7, word >> 25
    rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    if opcode == _OPCODE_R and (low, high) in _BY_R:
        return Instruction(_BY_R[low, high], rd, rs1, rs2)
    if (opcode, low) in _BY_I:
        return Instruction(_BY_I[opcode, low], rd, rs1, 0, _signed(word >> 20, 12))
    if opcode == _OPCODE_SD and low == 3:
        return Instruction("sd", 0, rs1, rs2, _signed(high << 5 | rd, 12))
    if opcode == _OPCODE_BEQ and low == 0:
        bits = word >> 31 << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5
        return Instruction("beq", 0, rs1, rs2, _signed(bits | (word >> 8 & 15) << 1, 13))
    if opcode == _OPCODE_LUI:
        return Instruction("lui", rd, imm=_signed(word >> 12, 20))
    if opcode == _OPCODE_JAL:
        bits = word >> 31 << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11
        return Instruction("jal", rd, imm=_signed(bits | (word >> 21 & 1023) << 1, 21))
    if word == _ECALL:
        return Instruction("ecall")
    raise EncodingError(f"{word:#010x} is no instruction of RISC-U")
