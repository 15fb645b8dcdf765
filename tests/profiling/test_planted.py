"""The worst line of a program is the one that its author planted."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from solvent.profiling import profile
from solvent.profiling.advice import advice_for
from solvent.queries import verify
from tests.profiling import planted

ANCHORS = {
    "irrelevant_branching": "irrelevant-branching",
    "recursion_before_test": "recursion-before-the-test",
    "unions_of_lists": "unions-of-lists-where-an-index-would-do",
    "symbolic_key": "a-symbolic-key-where-a-concrete-one-is-known",
    "if_chain": "a-big-table-in-an-if-chain",
}


def planted_lines() -> set[int]:
    lines = inspect.getsource(planted).splitlines()
    return {number for number, line in enumerate(lines, 1) if "# planted" in line}


@pytest.mark.parametrize("program", planted.PROGRAMS, ids=lambda program: program.__name__)
def test_the_planted_line_is_ranked_first(program: Callable[..., None]) -> None:
    with profile() as found:
        assert verify(program).holds
    worst = found.worst(1)[0]
    assert worst.file == planted.__file__
    assert worst.line in planted_lines(), str(found)
    # The other planted lines belong to other programs.
    others = [entry.line for entry in found.lines if entry.line in planted_lines()]
    assert others == [worst.line]
    told = advice_for(found, worst)
    assert told is not None
    assert told.anchor == ANCHORS[program.__name__]
