"""The direct engine: merging, loops, symbolic addresses, limits."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.riscu.answers import ProgramAnswer
from solvent.riscu.checking import check_model
from solvent.riscu.cstar import compile_text
from solvent.riscu.direct import check_program
from solvent.riscu.emulator import emulate
from solvent.riscu.exploring import Search
from solvent.riscu.instructions import NUMBER, Instruction, encode
from solvent.riscu.program import Program
from solvent.solvers import Solver
from solvent.verdicts import Deadline, Verdict
from tests.riscu.corpus import CORPUS

A7 = NUMBER["a7"]


def check(body: str, before: str = "", **options: object) -> ProgramAnswer:
    """Check a program that has read one byte into `*x`."""
    start = "uint64_t* x; uint64_t i; uint64_t s; x = malloc(8); i = 0; s = 0; read(0, x, 1);"
    text = f"{before} uint64_t main() {{ {start} {body} return 0; }}"
    return check_program(compile_text(text, "test.c"), **options)  # type: ignore[arg-type]


def test_many_branches_are_one_state() -> None:
    """Thirty branches have a thousand million paths; merged they are thirty steps."""
    body = "".join(f"if (*x % {n + 2} == 1) s = s + {n}; else s = s + 1;" for n in range(30))
    program = compile_text(
        f"uint64_t main() {{ uint64_t* x; uint64_t s; x = malloc(8); s = 0; read(0, x, 1); {body}"
        " return 0; }"
    )
    with Solver() as solver:
        search = Search(program, 10_000, None, False, False, solver, Deadline())
        search.run()
    assert not search.cut
    assert search.steps < 30 * 40


def test_a_loop_with_an_unknown_bound() -> None:
    answer = check("while (i < *x) { s = s + i; i = i + 1; } if (s == 210) return 1;")
    assert (answer.verdict, answer.input, answer.confirmed) == (Verdict.VIOLATED, bytes([21]), True)


def test_a_loop_that_ends_for_every_input_is_proved() -> None:
    answer = check("while (i < *x) i = i + 1; if (i != *x) return 1;")
    assert answer.verdict is Verdict.HOLDS


def test_the_bound_is_what_was_looked_at() -> None:
    answer = check("while (1) i = i + 1;", bound=700)
    assert (answer.verdict, answer.bound) == (Verdict.BOUNDED, 700)
    assert str(answer) == "cannot fail within 700 steps"


def test_recursion_with_an_unknown_depth() -> None:
    sums = "uint64_t sum(uint64_t n) { if (n == 0) return 0; return n + sum(n - 1); }"
    answer = check("if (*x < 20) if (sum(*x) == 120) return 1;", sums)
    assert (answer.input, answer.confirmed) == (bytes([15]), True)


def test_reads_of_unknown_sizes_and_positions() -> None:
    body = """
      if (*x == 'a') read(0, x, 3);
      i = *x;
      read(0, x, 2);
      if (i == 'p' + 256 * 'q' + 65536 * 'r')
        if (*x == 'y' + 256 * 'z' + 65536 * 'r') return 1;"""
    answer = check(body)
    assert (answer.input, answer.confirmed) == (b"apqryz", True)


def test_a_read_from_another_descriptor_fails() -> None:
    assert check("if (read(3, x, 1) + 1 != 0) return 1;").verdict is Verdict.HOLDS


def test_the_input_may_end() -> None:
    body = "i = 3; while (read(0, x, 1) == 1) i = i - 1; if (i == 0) return 1 / i;"
    answer = check(body)
    assert (answer.bad_state, len(answer.input), answer.confirmed) == (2, 4, True)
    assert check(body, bound=300, endless=True).verdict is Verdict.BOUNDED
    assert check("i = read(0, x, 5); if (i == 2) return *x;").confirmed
    # What is not read keeps its value, whether the input ends or not.
    assert check("*x = 7; if (read(0, x, 4) == 0) if (*x != 7) return 1;").verdict is Verdict.HOLDS


def test_stores_at_unknown_addresses() -> None:
    body = """
      s = *x % 4;
      x = malloc(32);
      *(x + s) = 5;
      if (*(x + 2) == 5) if (*(x + 3) == 0) return 1;"""
    answer = check(body)
    assert answer.confirmed
    assert answer.input[0] % 4 == 2


def test_addresses_that_can_be_anything() -> None:
    """More numbers than are tried: stores and loads look at the whole memory."""
    body = """
      i = *x;
      y = malloc(8);
      read(0, y, 2);
      z = malloc(80000);
      if (*y < 10000) {
        *(z + *y) = i;
        *(z + 5000) = *(z + 5000) + 1;
        if (*(z + 5000) == 'k' + 1) if (*(z + *y) == 'k' + 1) return *(z + 4999) + 1;
      }"""
    answer = check(body, "uint64_t* y; uint64_t* z;")
    assert (answer.bad_state, answer.confirmed) == (1, True)
    assert answer.input == b"k" + (5000).to_bytes(2, "little")


@pytest.mark.parametrize("name", ["table_in_bounds", "table_overwritten", "size_from_input"])
def test_the_corpus_with_addresses_that_are_not_tried(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvent.riscu.exploring.MOST_ADDRESSES", 2)
    case = CORPUS[name]
    answer = check_program(case.program)
    assert answer.bad_state == case.bad_state
    assert case.input is None or (answer.input, answer.confirmed) == (case.input, True)


def test_free_memory_at_addresses_that_can_be_anything() -> None:
    answer = check("read(0, x, 8); if (*x < 100000) s = *(x + *x);", free_memory=True)
    assert answer.verdict is Verdict.UNKNOWN
    assert "more than 256" in answer.reason


def test_a_chosen_exit_code() -> None:
    body = "if (*x == 'a') return 3; if (*x == 'b') return 4;"
    four = check(body, bad_exit=4)
    assert (four.input, four.confirmed) == (b"b", True)
    assert check(body, bad_exit=5).verdict is Verdict.HOLDS
    zero = check(body, bad_exit=0)
    assert zero.input not in (b"a", b"b")
    assert zero.confirmed


def test_time_runs_out() -> None:
    body = "while (i < *x) { s = s * 7 + *x; i = i + 1; } if (s == 99999) return 1;"
    answer = check("read(0, x, 8);" + body, timeout=0.01)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason == "the time is up"


def test_free_memory_is_what_the_paper_assumes() -> None:
    """Experiment 2: the error needs a value that no input puts there."""
    program = CORPUS["memory_constraint"].program
    assert check_program(program).verdict is Verdict.HOLDS
    answer = check_program(program, free_memory=True)
    assert (answer.bad_state, answer.input, answer.confirmed) == (1, b"42", False)
    assert list(answer.memory.values()) == [2]
    assert answer.memory == {program.heap_start + 8: 2}


def test_a_wrong_system_call() -> None:
    code = [Instruction("addi", A7, 0, imm=1), Instruction("ecall")]
    program = Program([encode(one) for one in code], b"", 0x11000, 0x10000)
    answer = check_program(program)
    assert (answer.bad_state, answer.confirmed) == (0, True)


@pytest.mark.parametrize("distance", [64, -64])
def test_leaving_the_code(distance: int) -> None:
    program = Program([encode(Instruction("jal", imm=distance))], b"", 0x11000, 0x10000)
    answer = check_program(program)
    assert (answer.bad_state, answer.confirmed) == (5 if distance > 0 else 4, True)


def test_bytes_that_were_read_do_not_change_when_more_are_read() -> None:
    body = """
      if (*x == 'a') read(0, x, 3);
      *x = 0;
      read(0, x, 1);
      if (*x < 16) {
        y = malloc(*x * 8);
        read(0, x, 1);
        if (malloc(8) - y == 5) if (*x == 9) return 1;
      }"""
    answer = check(body, "uint64_t* y;")
    assert (answer.bad_state, answer.input[-2:], answer.confirmed) == (1, b"\x05\x09", True)


@pytest.mark.parametrize("engine", [check_program, check_model])
@pytest.mark.parametrize("steps", [0, 1, 5])
def test_the_bound_is_exact(steps: int, engine: Any) -> None:
    # The division is instruction number `steps`, counted from zero.
    words = [encode(Instruction("addi"))] * steps + [encode(Instruction("divu", 5, 6, 7))]
    program = Program(words, b"", 0x11000, 0x10000)
    assert emulate(program).steps == steps
    answer = engine(program, steps)
    assert (answer.verdict, answer.bad_state) == (Verdict.VIOLATED, 2)
    if steps:
        answer = engine(program, steps - 1)
        assert (answer.verdict, answer.bound) == (Verdict.BOUNDED, steps - 1)


def test_the_bound_of_a_loop_is_exact() -> None:
    text = [
        Instruction("addi", 5, 0, imm=3),
        Instruction("addi", 5, 5, imm=-1),
        Instruction("beq", 0, 5, 0, 8),
        Instruction("jal", 0, imm=-8),
        Instruction("divu", 5, 5, 0),
    ]
    program = Program([encode(one) for one in text], b"", 0x11000, 0x10000)
    # One instruction, two whole rounds of three, two of the third round: then the division.
    assert emulate(program).steps == 9
    assert check_program(program, 8).verdict is Verdict.BOUNDED
    assert check_program(program, 9).verdict is Verdict.VIOLATED
