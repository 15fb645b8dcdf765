"""ELF files: our own, those of Selfie, and damaged ones."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from solvent.riscu.cstar import compile_text
from solvent.riscu.elf import read_elf, write_elf
from solvent.riscu.emulator import emulate
from solvent.riscu.instructions import NUMBER, Instruction, encode
from solvent.riscu.program import PAGE, Program, ProgramError

TEXT = """uint64_t g = 41;
uint64_t main() { uint64_t* x; x = malloc(8); *x = g; write(1, "hi", 2); return *x + 1; }
"""


def test_a_program_is_read_back() -> None:
    program = compile_text(TEXT, "a.c")
    found = read_elf(write_elf(program), "other name")
    assert found == program
    assert emulate(found).exit_code == 42


def test_segments_can_be_mapped() -> None:
    file = write_elf(compile_text(TEXT, "a.c"))
    for number, flags in enumerate((5, 6)):
        row = struct.unpack_from("<IIQQQQQQ", file, 64 + 56 * number)
        assert row[:2] == (1, flags)
        assert row[2] % PAGE == row[3] % PAGE


@pytest.mark.skipif(shutil.which("readelf") is None, reason="there is no readelf")
def test_readelf_understands_it(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(write_elf(compile_text(TEXT, "a.c")))
    done = subprocess.run(
        ["readelf", "-hlSs", "-W", str(path)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "RISC-V" in done.stdout
    for name in ("_start", "main", "malloc", "write", "a.c", ".cstar.lines"):
        assert name in done.stdout


def selfie_file(
    words: list[int], data: bytes, length: int | None = None, offset: int = 64 + 56 + 8
) -> bytes:
    """A file as Selfie writes it: one segment, the length of the code before it."""
    code = b"".join(word.to_bytes(4, "little") for word in words)
    content = code + data
    header = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01".ljust(16, b"\0"), 2, 243, 1, 0x10000, 64, 0,
        0, 64, 56, 1, 0, 0, 0,
    )  # fmt: skip
    size = len(content)
    segment = struct.pack("<IIQQQQQQ", 1, 7, offset, 0x10000, 0x10000, size, size, 4096)
    length = len(code) if length is None else length
    file = header + segment + length.to_bytes(8, "little")
    return file + bytes(offset - len(file)) + content


A0, A7, T0 = NUMBER["a0"], NUMBER["a7"], NUMBER["t0"]
WORDS = [
    encode(one)
    for one in (
        Instruction("lui", T0, imm=0x10),
        Instruction("ld", A0, T0, imm=24),
        Instruction("addi", A7, 0, imm=93),
        Instruction("ecall"),
        Instruction("addi"),
        Instruction("addi"),
    )
]


@pytest.mark.parametrize("offset", [128, 4096])
def test_files_of_selfie(offset: int) -> None:
    # The code starts behind its length, or at the next page as it did in 2020.
    file = selfie_file(WORDS, (77).to_bytes(8, "little"), offset=offset)
    program = read_elf(file, "selfie.m")
    assert len(program.words) == len(WORDS)
    assert program.data_start == 0x10018
    assert program.heap_start == 0x10020
    assert emulate(program).exit_code == 77


@pytest.mark.parametrize("offset", [128, 4096])
@pytest.mark.parametrize("length", [1, 26, 36, 2**64 - 4])
def test_nonsense_about_the_length_of_the_code(length: int, offset: int) -> None:
    file = selfie_file(WORDS, (77).to_bytes(8, "little"), length, offset)
    message = f"selfie.m: {length} bytes of code are no whole instructions in a segment of 32"
    with pytest.raises(ProgramError, match=message):
        read_elf(file, "selfie.m")


def test_without_a_length_all_is_code() -> None:
    assert len(read_elf(selfie_file(WORDS, bytes(8), 0)).words) == len(WORDS) + 2


def test_the_entry_point_is_in_the_code() -> None:
    file = bytearray(selfie_file(WORDS, bytes(8)))
    file[24:32] = (0x10018).to_bytes(8, "little")
    with pytest.raises(ProgramError, match="there is no code at the entry point 0x10018"):
        read_elf(bytes(file), "selfie.m")


def test_instructions_that_are_missing_matter_when_they_are_reached() -> None:
    shift = 0x00209093
    program = read_elf(selfie_file([*WORDS, shift, shift], (5).to_bytes(8, "little")), "other.bin")
    # The word is loaded from below the data, but the run gets there.
    assert emulate(program).bad_state == 4
    program = read_elf(selfie_file([WORDS[4], shift], b""), "other.bin")
    with pytest.raises(ProgramError, match=r"other\.bin: 0x00209093 at 0x10004 is no instruction"):
        emulate(program)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: b"", "this is no ELF file of 64-bit RISC-V"),
        (lambda file: file[:40], "this is no ELF file of 64-bit RISC-V"),
        (lambda file: b"MZ" + file[2:], "this is no ELF file of 64-bit RISC-V"),
        (lambda file: file[:18] + b"\x3e\0" + file[20:], "this is no ELF file of 64-bit RISC-V"),
        (lambda file: file[:24] + bytes(8) + file[32:], "there is no code at the entry point 0x0"),
        (lambda file: file[:70], "this ELF file is damaged"),
        (lambda file: file[:-20], "this ELF file is damaged"),
        (lambda file: file[:4100], "this ELF file is damaged"),
    ],
)
def test_damaged_files(change: object, message: str) -> None:
    file = write_elf(compile_text(TEXT, "a.c"))
    with pytest.raises(ProgramError, match=f"bad.bin: {message}"):
        read_elf(change(file), "bad.bin")  # type: ignore[operator]


def test_a_program_without_data() -> None:
    program = Program([encode(Instruction("ecall"))], b"", 0x11000, 0x10000)
    assert read_elf(write_elf(program)).data_start == 0x11000


def test_whatever_a_file_holds_there_is_a_program_or_an_error() -> None:
    file = write_elf(compile_text(TEXT, "a.c"))
    pick = random.Random(1)
    refused = 0
    for _ in range(400):
        changed = bytearray(file)
        for _ in range(pick.randrange(1, 4)):
            # Headers are at the start and at the end.
            place = pick.choice((pick.randrange(180), len(file) - 1 - pick.randrange(500)))
            changed[place] = pick.choice((0, 255, pick.randrange(256)))
        try:
            read_elf(bytes(changed))
        except ProgramError:
            refused += 1
    assert 40 < refused < 360
