"""Random C* programs: the compiled program does what an interpreter of the syntax tree does."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.riscu.cstar import check_text, compile_text
from solvent.riscu.cstar.generate import generate
from solvent.riscu.direct import check_program
from solvent.riscu.elf import read_elf, write_elf
from solvent.riscu.emulator import emulate
from solvent.verdicts import Verdict
from tests.patience import patient
from tests.riscu.random_programs import Writer, deep_expression, random_program
from tests.riscu.reference import Interpreter, TooLong

COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "200"))
SHARES = 4


def check(text: str, given: bytes) -> str:
    """Compare both ways to run a program; how it ended."""
    checked = check_text(text, "random.c")
    program = generate(checked)
    interpreter = Interpreter(checked, program.heap_start, program.data_start, given)
    try:
        expected = interpreter.run()
    except TooLong:
        return "too long"
    run = emulate(read_elf(write_elf(program)), given, most_steps=2_000_000)
    assert (run.exit_code, run.output) == (expected.exit_code, expected.output), text
    if expected.bad_state is None:
        return "exit"
    assert run.bad_state == expected.bad_state, (text, run, expected)
    assert run.where.startswith(f"random.c({expected.line},"), (text, run, expected)
    return "error"


@pytest.mark.parametrize("share", range(SHARES))
def test_compiled_programs_do_what_they_say(share: int) -> None:
    found = [
        check(random_program(seed), random.Random(seed).randbytes(20))
        for seed in range(share, COUNT, SHARES)
    ]
    assert found.count("too long") < len(found) / 10
    assert found.count("exit") > len(found) / 3
    assert found.count("error") > len(found) / 20


@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.binary(max_size=16))
def test_programs_that_hypothesis_draws(pick: random.Random, given_bytes: bytes) -> None:
    check(Writer(pick).text(), given_bytes)


@pytest.mark.parametrize("depth", [4, 5, 6, 7, 12, 40])
def test_expressions_that_need_more_registers_than_there_are(depth: int) -> None:
    for seed in range(5):
        expression = deep_expression(random.Random(seed), depth)
        function = "uint64_t f(uint64_t a, uint64_t b) { return a - b; }"
        text = f"{function} uint64_t main() {{ return f({expression}, 3) - f(4, {expression}); }}"
        assert check(text, b"") == "exit"


# An exit code that no random program has, so that only errors of the machine are bad.
NO_CODE = 123_456_789
FEW = COUNT // 8


def test_engines_find_what_fails_and_nothing_else() -> None:
    verdicts = []
    for seed in range(300, 300 + FEW):
        program = compile_text(random_program(seed, 4), "random.c")
        answer = check_program(program, 3000, NO_CODE, timeout=patient(20))
        verdicts.append(answer.verdict)
        if answer.verdict is Verdict.VIOLATED:
            assert answer.confirmed, (seed, answer)
        elif answer.verdict is Verdict.HOLDS:
            pick = random.Random(seed)
            for _ in range(5):
                run = emulate(
                    program, pick.randbytes(pick.choice((0, 1, 9, 400))), most_steps=100_000
                )
                assert run.exit_code is not None, (seed, run)
    assert Verdict.VIOLATED in verdicts
    assert Verdict.HOLDS in verdicts
    assert verdicts.count(Verdict.UNKNOWN) <= FEW // 10
