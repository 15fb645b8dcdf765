"""The encoding of RISC-U, held against RISC-V's manual and against itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.riscu.instructions import NAMES, EncodingError, Instruction, decode, encode

registers = st.integers(0, 31)
twelve = st.integers(-2048, 2047)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    name = draw(st.sampled_from(NAMES))
    if name == "ecall":
        return Instruction("ecall")
    if name == "lui":
        return Instruction("lui", draw(registers), imm=draw(st.integers(-(2**19), 2**19 - 1)))
    if name == "jal":
        return Instruction("jal", draw(registers), imm=2 * draw(st.integers(-(2**19), 2**19 - 1)))
    if name == "beq":
        return Instruction("beq", 0, draw(registers), draw(registers), 2 * draw(twelve))
    if name == "sd":
        return Instruction("sd", 0, draw(registers), draw(registers), draw(twelve))
    if name in ("addi", "ld", "jalr"):
        return Instruction(name, draw(registers), draw(registers), 0, draw(twelve))
    return Instruction(name, draw(registers), draw(registers), draw(registers))


@given(instructions())
def test_what_is_encoded_is_decoded(instruction: Instruction) -> None:
    word = encode(instruction)
    assert 0 <= word < 2**32
    assert decode(word) == instruction


@given(st.integers(0, 2**32 - 1))
def test_what_is_decoded_is_encoded(word: int) -> None:
    try:
        instruction = decode(word)
    except EncodingError:
        return
    assert encode(instruction) == word


@pytest.mark.parametrize(
    ("word", "text"),
    [
        # As assembled by GNU as for rv64im.
        (0x00C58533, "add a0,a1,a2"),
        (0x40C58533, "sub a0,a1,a2"),
        (0x02C58533, "mul a0,a1,a2"),
        (0x02C5D533, "divu a0,a1,a2"),
        (0x02C5F533, "remu a0,a1,a2"),
        (0x00C5B533, "sltu a0,a1,a2"),
        (0xFFF58513, "addi a0,a1,-1"),
        (0x0085B503, "ld a0,8(a1)"),
        (0xFEA5BC23, "sd a0,-8(a1)"),
        (0x00008067, "jalr zero,0(ra)"),
        (0x00B50463, "beq a0,a1,8"),
        (0xFEB50EE3, "beq a0,a1,-4"),
        (0x008000EF, "jal ra,8"),
        (0xFFDFF06F, "jal zero,-4"),
        (0x12345537, "lui a0,0x12345"),
        (0x00000073, "ecall"),
    ],
)
def test_known_words(word: int, text: str) -> None:
    assert str(decode(word)) == text
    assert encode(decode(word)) == word


@pytest.mark.parametrize(
    "word", [0, 0x00209093, 0x00100073, 0x00C5C533, 0x00059503, 0x00B51463, 0xFFFFFFFF]
)
def test_other_words_are_no_instructions(word: int) -> None:
    with pytest.raises(EncodingError, match=f"{word:#010x} is no instruction of RISC-U"):
        decode(word)


@pytest.mark.parametrize(
    "instruction",
    [
        Instruction("addi", imm=2048),
        Instruction("sd", imm=-2049),
        Instruction("beq", imm=3),
        Instruction("beq", imm=4096),
        Instruction("jal", imm=2**20),
        Instruction("lui", imm=2**19),
    ],
)
def test_what_does_not_fit(instruction: Instruction) -> None:
    with pytest.raises(EncodingError, match="does not fit"):
        encode(instruction)


def test_unknown_names() -> None:
    with pytest.raises(EncodingError, match="RISC-U has no instruction xor"):
        encode(Instruction("xor"))
