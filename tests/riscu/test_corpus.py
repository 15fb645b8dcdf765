"""The corpus: every engine finds what each program says of itself, confirmed by the emulator."""

from __future__ import annotations

import os

import pytest

from solvent.riscu.answers import ProgramAnswer
from solvent.riscu.checking import check_model
from solvent.riscu.direct import DEFAULT_BOUND, check_program
from solvent.verdicts import Verdict
from tests.patience import FOREVER
from tests.riscu.corpus import CORPUS, Case

# Loops and recursion that the model unrolls again and again at every step: only their start is
# checked with it, unless all is asked for.
HARD = (
    "count_down",
    "count_up",
    "even_and_odd",
    "factorial_is_not_zero",
    "fibonacci",
    "greatest_divisor",
    "loop_sums_correctly",
    "sorted_wrongly",
    "three_bytes_sorted",
    "waits_for_ever",
)
EASY_BOUND, HARD_BOUND = 280, 90
# Some fail only where the input ends.  That makes models larger, so few are checked so.
ENDING = ("empty_input", "reads_to_the_end", "says_hello", "ten_bytes", "null_pointer")
ALL = os.environ.get("SOLVENT_CORPUS") == "all"


def agrees(case: Case, answer: ProgramAnswer, bound: int) -> None:
    """Whether an answer is what the program says of itself."""
    if answer.verdict is Verdict.VIOLATED:
        assert answer.bad_state == case.bad_state, answer
        assert answer.confirmed, answer
        assert case.input is None or answer.input == case.input
        return
    if answer.verdict is Verdict.HOLDS:
        assert case.bad_state is None
        assert case.steps is None
        return
    assert answer.verdict is Verdict.BOUNDED, answer
    assert answer.bound >= bound


def test_there_are_enough_programs_of_each_kind() -> None:
    assert len(CORPUS) >= 25
    assert {case.bad_state for case in CORPUS.values()} == {None, *range(1, 10)}


@pytest.mark.parametrize("name", CORPUS)
def test_the_direct_engine(name: str) -> None:
    case = CORPUS[name]
    bound = case.steps or DEFAULT_BOUND
    answer = check_program(case.program, bound, timeout=FOREVER)
    agrees(case, answer, bound)
    # It must come to a verdict on all of them.
    expected = Verdict.VIOLATED if case.bad_state is not None else Verdict.HOLDS
    assert answer.verdict is (Verdict.BOUNDED if case.steps else expected)


@pytest.mark.parametrize("name", CORPUS)
def test_the_model(name: str) -> None:
    case = CORPUS[name]
    bound = HARD_BOUND if name in HARD and not ALL else EASY_BOUND
    answer = check_model(case.program, bound, timeout=FOREVER, endless=name not in ENDING)
    agrees(case, answer, bound)
    if name not in HARD:
        assert (answer.verdict is Verdict.VIOLATED) == (case.bad_state is not None)
