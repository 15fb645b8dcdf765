"""Random programs: all engines agree with each other and with brute force.

`SOLVENT_PROGRAMS=1000` runs more of them; `make programs` does that.
"""

from __future__ import annotations

import os

import pytest

from solvent.reach.inlining import inline
from solvent.reach.loops import extract
from solvent.reach.modular import verify
from solvent.reach.program import Program
from solvent.reach.search import search
from solvent.verdicts import Verdict
from tests.patience import FOREVER, patient
from tests.reach.programs import read
from tests.reach.random_programs import (
    HIERARCHICAL,
    BruteForce,
    Relations,
    Shape,
    TooMany,
    random_program,
)

SHARES = 4
COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "120"))

# Enough for what brute force finds with two open calls and two rounds of each loop.
LARGE = 8


def check(seed: int) -> str:
    """What a program comes to; it fails if two engines contradict each other."""
    text = random_program(seed, Shape(contracts=seed % 3 == 0))
    program = read(text)
    stratified = search(program, "main", 3, timeout=patient(2))
    static = search(program, "main", 3, static=True, timeout=patient(2))
    # Either may prove more than the other; but a bug is a bug.
    verdicts = {stratified.verdict, static.verdict} - {Verdict.UNKNOWN}
    assert verdicts == {Verdict.VIOLATED} or Verdict.VIOLATED not in verdicts, text
    for found in (stratified, static):
        if found.verdict is Verdict.VIOLATED:
            assert found.confirmation is not None
            assert found.confirmation.confirmed, (found.confirmation.reason, text)
    try:
        fails = BruteForce(program, 2, 2).fails("main")
    except TooMany:
        return "too many"
    if fails and stratified.verdict is not Verdict.VIOLATED:
        assert stratified.verdict is not Verdict.HOLDS, text
        more = search(program, "main", LARGE, timeout=patient(4))
        assert more.verdict in (Verdict.VIOLATED, Verdict.UNKNOWN), text
    return stratified.words


@pytest.mark.parametrize("share", range(SHARES))
def test_engines_agree(share: int) -> None:
    found = [check(seed) for seed in range(share, COUNT, SHARES)]
    assert found.count("too many") + found.count("unknown") < len(found) / 3
    assert len(set(found)) > 1


# --- modular verification ----------------------------------------------------------------------


def fails_inlined(program: Program, depth: int, unrolled: int | None = None) -> bool | None:
    """Whether an assertion fails if all calls are inlined; None if the solver gave up."""
    depths = {name: depth for name in program.procedures if name != "main"}
    inlined = inline(program, depths, names=["main"]).program
    found = verify(inlined, "main", unrolled=unrolled, errors=1, timeout=patient(4))
    return None if found.reason else bool(found.violations)


def check_contracts(seed: int) -> bool:
    """Whether a program fails; with exact contracts modular verification must agree."""
    relations = Relations(read(random_program(seed, HIERARCHICAL)), HIERARCHICAL.size)
    fails = relations.fails("main")
    text = random_program(seed, HIERARCHICAL, relations.contracts())
    program = read(text)
    failing = [
        name
        for name in program.procedures
        if not verify(program, name, errors=1, timeout=FOREVER).holds
    ]
    # Only callers can be wrong about exact contracts, and all but the first have one.
    assert failing == (["main"] if fails else []), text
    verdict = search(program, "main", 2, timeout=FOREVER).verdict
    assert verdict is (Verdict.VIOLATED if fails else Verdict.HOLDS), text
    return fails


@pytest.mark.parametrize("share", range(SHARES))
def test_exact_contracts(share: int) -> None:
    found = [check_contracts(seed) for seed in range(share, COUNT, SHARES)]
    assert set(found) == {True, False}


def test_outputs_that_are_global_variables() -> None:
    """Two calls whose output is a variable that they change: each changes one of its own."""
    assert check_contracts(383)


def check_inlining(seed: int, shape: Shape, bound: int) -> bool | None:
    """Whether a program fails within a bound; inlining to the same depth must find it."""
    text = random_program(seed, shape)
    program = read(text)
    static = search(program, "main", bound, static=True, timeout=patient(4))
    loops = len(extract(program).procedures) > len(program.procedures)
    fails = fails_inlined(program, bound, bound - 1 if loops else None)
    if static.verdict is Verdict.UNKNOWN or fails is None:
        return None
    if loops and fails:
        # Iterations of a loop in several calls count together there, and each for itself here.
        static = search(program, "main", LARGE, timeout=patient(4))
        assert static.verdict in (Verdict.VIOLATED, Verdict.UNKNOWN), text
    else:
        assert fails is (static.verdict is Verdict.VIOLATED), text
    return fails


@pytest.mark.parametrize("share", range(SHARES))
def test_inlining_agrees(share: int) -> None:
    found = [
        check_inlining(seed, Shape(loops=seed % 3 == 0), 2)
        for seed in range(share, COUNT // 2, SHARES)
    ]
    assert {True, False} <= set(found)
    assert found.count(None) < len(found) / 3
