"""The emulator: how runs end, where, and what they need."""

from __future__ import annotations

import io
import os
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from solvent.riscu.cstar import compile_text
from solvent.riscu.elf import read_elf, write_elf
from solvent.riscu.emulator import Emulator, Run, emulate
from solvent.riscu.faults import Fault
from solvent.riscu.instructions import Instruction, encode
from solvent.riscu.program import Program
from solvent.riscu.state import initial_stack


def run(body: str, given: bytes = b"") -> Run:
    text = f"uint64_t main() {{\n  uint64_t* x;\n  x = malloc(16);\n  {body}\n  return 0;\n}}"
    return emulate(compile_text(text, "a.c"), given)


@pytest.mark.parametrize(
    ("body", "number", "text"),
    [
        ("return 7 / *x;", 2, "a.c(4,12): division by zero"),
        ("return 7 % *x;", 3, "a.c(4,12): division by zero (remainder)"),
        (
            "return *(x - x);",
            4,
            "a.c(4,10): INVALID: memory access below lower bound (0x0)",
        ),
        (
            "*(x + 536870912) = 1;",
            5,
            "a.c(4,3): INVALID: memory access at or above",
        ),
        (
            "x = (uint64_t*) ((uint64_t) x + 4); *x = 1;",
            6,
            "a.c(4,39): INVALID: word-una",
        ),
        (
            "read(0, (uint64_t*) 8, 1);",
            7,
            "a.c(4,3): INVALID: memory access below",
        ),
        (
            "read(0, (uint64_t*) 4294967296, 1);",
            8,
            "a.c(4,3): INVALID: memory access at",
        ),
        (
            "read(0, (uint64_t*) ((uint64_t) x + 1), 1);",
            9,
            "a.c(4,3): INVALID: word-una",
        ),
        (
            "write(1, x, 4294967296);",
            8,
            "a.c(4,3): INVALID: memory access at or above",
        ),
        (
            'open((uint64_t*) ((uint64_t) "x" + 1), 0, 0);',
            9,
            "a.c(4,3): INVALID: word-u",
        ),
    ],
)
def test_errors_name_their_line(body: str, number: int, text: str) -> None:
    result = run(body, b"x")
    assert result.bad_state == number
    assert isinstance(result.fault, Fault)
    assert str(result).startswith(text.replace("INVALID", "uncaught invalid address"))
    assert result.exit_code is None


def test_exit_codes() -> None:
    assert (run("return 0;").exit_code, run("return 0;").bad_state) == (0, None)
    assert (run("exit(7);").exit_code, run("exit(7);").bad_state) == (7, 1)
    assert str(run("exit(7);")) == "exit code 7"


def test_a_read_keeps_the_bytes_that_it_does_not_read() -> None:
    result = run("*x = -1; read(0, x, 3); return *x;", b"abc")
    assert result.exit_code == int.from_bytes(b"abc" + b"\xff" * 5, "little")


def test_a_read_at_the_end_of_the_input() -> None:
    result = run("return read(0, x, 12) * 100 + read(0, x, 1);", b"0123456789")
    assert (result.exit_code, result.consumed) == (1000, 10)
    assert run("return read(0, x, 0);").exit_code == 0


def test_limits() -> None:
    result = emulate(compile_text("uint64_t main() { while (1) { } }"), most_steps=1000)
    assert result.stopped == "not at its end after 1000 steps"
    assert (result.steps, result.exit_code, result.fault) == (1000, None, None)
    endless = "uint64_t main() { while (1) *(malloc(8)) = 1; }"
    emulator = Emulator(compile_text(endless), memory=1)
    assert emulator.most_words == 2**20 / 8
    emulator.most_words = 1000
    assert emulator.run().stopped == "out of memory"
    assert Emulator(compile_text(endless)).run(seconds=0.01).stopped == "out of time"


def test_an_invalid_system_call() -> None:
    program = Program([encode(Instruction("ecall"))], b"", 0x11000, 0x10000)
    result = emulate(program)
    assert (result.bad_state, str(result)) == (0, "address 0x10000: invalid syscall 0")


def test_output_goes_where_it_should() -> None:
    program = compile_text('uint64_t main() { write(1, "one", 3); write(2, "two", 3); return 0; }')
    assert emulate(program).output == b"onetwo"
    output = io.BytesIO()
    Emulator(program, output=output).run()
    assert output.getvalue() == b"onetwo"


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_bytes(b"contents")
    text = """uint64_t main() {
      uint64_t* x;
      uint64_t file;
      x = malloc(16);
      file = open("in.txt", 0, 0);
      if (read(file, x, 16) != 8) return 1;
      file = open("out.txt", 577, 420);
      if (write(file, x, 8) != 8) return 2;
      if (write(77, x, 8) != -1) return 3;
      return 0;
    }"""
    program = compile_text(text)
    # Only who asks for files gets them.
    assert emulate(program).exit_code == 1
    assert Emulator(program, files=True).run().exit_code == 0
    assert (tmp_path / "out.txt").read_bytes() == b"contents"


def result_of(call: str, before: str = "", **options: Any) -> Run:
    """A run that exits with what a call returns."""
    text = f"uint64_t main() {{ uint64_t* x; x = malloc(8); {before} return {call}; }}"
    return Emulator(compile_text(text), **options).run()


@pytest.mark.parametrize("flags", ["0", "1", "2", "65", "-1", "9223372036854775808"])
@pytest.mark.parametrize("name", ["/", ".", "", "no/such/file"])
def test_what_cannot_be_opened(
    name: str, flags: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    result = result_of(f'open("{name}", {flags}, -1)', files=True)
    assert result.exit_code == 2**64 - 1
    assert list(tmp_path.iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_name_that_never_ends_cannot_be_opened() -> None:
    before = "while ((uint64_t) x < 100000) { *x = -1; x = malloc(8); }"
    assert result_of("open((uint64_t*) 90000, 0, 0)", before, files=True).exit_code == 2**64 - 1


def test_output_is_limited_as_memory_is() -> None:
    tracemalloc.start()
    result = result_of("write(1, x, 800000000)", memory=1)
    assert (result.stopped, result.output) == ("out of memory", b"")
    assert result_of("write(1, x, 800000000)").stopped == "out of memory"
    many = "while (1) { write(1, x, 300000); }"
    endless = result_of("0", many, memory=1)
    assert (endless.stopped, len(endless.output)) == ("out of memory", 900_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 << 20


class Counting(io.RawIOBase):
    """A stream that takes everything and keeps nothing."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.ones = 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self.sizes.append(len(content))
        self.ones += bytes(content).count(b"\1")
        return len(content)


def test_much_output_goes_out_in_pieces() -> None:
    stream = Counting()
    before = "*x = 1; *(x + 20000000) = 256;"
    size = 200_000_000
    result = result_of(f"write(1, x, {size})", before, output=stream, memory=1)
    assert result.exit_code == size
    assert sum(stream.sizes) == size
    assert max(stream.sizes) <= 1 << 20
    assert stream.ones == 2


def test_output_that_nobody_takes() -> None:
    class Full(Counting):
        def write(self, content: Any) -> int:
            raise OSError(28, "No space left on device")

    assert result_of("write(1, x, 8)", output=Full()).exit_code == 2**64 - 1


def test_arguments_need_not_be_text() -> None:
    text = """uint64_t main(uint64_t argc, uint64_t* argv) {
      return *((uint64_t*) *(argv + 1));
    }"""
    program = compile_text(text)
    assert Emulator(program, arguments=[os.fsdecode(b"\xff")]).run().exit_code == 0xFF
    program.source = os.fsdecode(b"\xff.c")
    assert read_elf(write_elf(program)).source == program.source


def test_the_stack_at_the_start() -> None:
    pointer, words = initial_stack([b"program", b"a", b"12345678"])
    assert pointer % 8 == 0
    assert words[pointer] == 3
    texts = [words[words[pointer + 8 * number]].to_bytes(8, "little") for number in (1, 2, 3)]
    assert texts == [b"program\0", b"a" + bytes(7), b"12345678"]
    assert words[words[pointer + 24] + 8] == 0
    assert (words[pointer + 32], words[pointer + 40]) == (0, 0)


def test_it_is_fast() -> None:
    """At least 300,000 instructions a second; here half of that will do, on a busy machine."""
    text = "uint64_t main() { uint64_t i; i = 0; while (i < 20000) i = i + 1 * 1; return 0; }"
    program = compile_text(text)
    started = time.process_time()
    result = emulate(program)
    assert result.steps / (time.process_time() - started) > 150_000
