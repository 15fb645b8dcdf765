"""Models of programs: the same machine as the emulator, the bad states of figure 17."""

from __future__ import annotations

import os

import pytest

from solvent.btor2.parser import parse
from solvent.btor2.printer import print_model
from solvent.riscu.cstar import compile_text
from solvent.riscu.elf import write_elf
from solvent.riscu.faults import PROPERTIES
from solvent.riscu.instructions import NUMBER, Instruction, encode
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program, ProgramError
from tests.riscu.corpus import CORPUS
from tests.riscu.lockstep import lockstep
from tests.riscu.random_programs import random_program

COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "6"))


def raw(*instructions: Instruction) -> Program:
    """A program without a compiler."""
    return Program([encode(one) for one in instructions], bytes(16), 0x11000, 0x10000)


def test_model_and_emulator_go_in_lockstep_on_random_programs() -> None:
    ends = {
        lockstep(compile_text(random_program(seed, 15)), seed, 250) for seed in range(4, 4 + COUNT)
    }
    assert len(ends) >= 3


@pytest.mark.parametrize(
    "name", ["ten_bytes", "says_hello", "size_from_input", "memory_exhausted", "arguments"]
)
def test_model_and_emulator_go_in_lockstep_on_the_corpus(name: str) -> None:
    lockstep(CORPUS[name].program, 3, 150)


@pytest.mark.parametrize("name", ["ten_bytes", "size_from_input", "reads_to_the_end"])
def test_model_and_emulator_agree_where_the_input_ends(name: str) -> None:
    for length in (0, 1, 2, 9, 10):
        lockstep(CORPUS[name].program, 3, 250, length)


A0, A1, A2, A7, T0 = (NUMBER[name] for name in ("a0", "a1", "a2", "a7", "t0"))
CALL = (Instruction("addi", A7, 0, imm=99), Instruction("ecall"))
READ_FAR = (
    Instruction("addi", A1, 0, imm=-8),
    Instruction("addi", A2, 0, imm=1),
    Instruction("addi", A7, 0, imm=63),
    Instruction("ecall"),
)


@pytest.mark.parametrize(
    ("instructions", "end"),
    [
        (CALL, "InvalidSyscall"),
        ((Instruction("divu", T0, T0, T0),), "DivisionByZero"),
        ((Instruction("remu", T0, T0, T0),), "RemainderByZero"),
        ((Instruction("ld", T0, 0, imm=8),), "AddressBelow"),
        ((Instruction("ld", T0, 0, imm=-8),), "AddressAbove"),
        ((Instruction("lui", T0, imm=0x12), Instruction("sd", 0, T0, T0, 4)), "AddressUnaligned"),
        ((Instruction("jalr", 0, 0, imm=8),), "AddressBelow"),
        ((Instruction("jalr", 0, 0, imm=-8),), "AddressAbove"),
        (
            (Instruction("lui", T0, imm=0x10), Instruction("jalr", T0, T0, imm=2)),
            "AddressUnaligned",
        ),
        (READ_FAR, "BufferAbove"),
        ((Instruction("jal", T0, imm=4), Instruction("jalr", T0, T0, imm=4)), "AddressAbove"),
    ],
)
def test_errors_of_instructions(instructions: tuple[Instruction, ...], end: str) -> None:
    assert lockstep(raw(*instructions), 1, 10) == end


@pytest.mark.parametrize(
    ("instruction", "number"),
    [
        (Instruction("jal", 0, imm=64), 5),
        (Instruction("jal", 0, imm=-64), 4),
        (Instruction("jal", 0, imm=2), 6),
        (Instruction("beq", 0, 0, 0, 64), 5),
        (Instruction("addi", T0, T0, imm=1), 5),
    ],
)
def test_leaving_the_code_is_a_bad_state(instruction: Instruction, number: int) -> None:
    from solvent.btor2.simulate import Simulator

    step = Simulator(generate_model(raw(instruction))).step()
    assert [number for number, holds in enumerate(step.bads) if holds] == [number]


def test_the_bad_states_of_figure_17() -> None:
    model = generate_model(compile_text("uint64_t main() { return 0; }"))
    names = [f"b{number}-{name.replace(' ', '-')}" for number, name in enumerate(PROPERTIES)]
    assert [node.symbol for node in model.bads] == names
    assert [node.symbol for node in model.inputs] == [f"input{number}" for number in range(8)]
    assert [node.sort.width for node in model.inputs] == [8 * size for size in range(1, 9)]


def test_the_text_of_a_model_is_read_back() -> None:
    text = print_model(generate_model(CORPUS["two_reads_then_division"].program))
    assert print_model(parse(text)) == text
    assert len(parse(text).nodes) < 1500


def test_memory_may_be_free() -> None:
    program = CORPUS["memory_constraint"].program
    free = generate_model(program, free_memory=True)
    assert "uninitialized-memory" in [node.symbol for node in free.states]
    zero = generate_model(program)
    assert "uninitialized-memory" not in [node.symbol for node in zero.states]


def test_words_that_are_no_instructions_are_named() -> None:
    program = raw(Instruction("addi"))
    program.words.append(0x00209093)
    message = "0x00209093 at 0x10004 is no instruction of RISC-U"
    with pytest.raises(ProgramError, match=message):
        generate_model(program)
    assert write_elf(program)
