"""Random programs with code expressions mean the same as statements that are written out."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from solvent.logic.method import Limits
from solvent.logic.methods import analyse
from solvent.reach.inlining import inline
from solvent.reach.modular import verify
from solvent.reach.search import search, with_bodies
from solvent.verdicts import Verdict
from tests.reach.programs import read
from tests.reach.random_programs import BruteForce, Shape, TooMany, random_program

SHARES = 4
COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "200")) // 4
SHAPE = Shape(procedures=2, loops=False, recursion=False, code=True)


def check(seed: int) -> str:
    """What a program comes to; it fails if two engines, or both ways to write it, disagree."""
    text = random_program(seed, SHAPE)
    written_out = random_program(seed, replace(SHAPE, written_out=True))
    program, plain = read(text), read(written_out)
    both = f"{text}\n\n{written_out}"
    found = search(program, "main", 3, timeout=10)
    verdicts = {
        found.verdict,
        search(program, "main", 3, timeout=10, static=True).verdict,
        search(program, "main", 3, timeout=10, track_all=True).verdict,
        search(plain, "main", 3, timeout=10).verdict,
    } - {Verdict.UNKNOWN}
    assert len(verdicts) < 2, both
    if found.verdict is Verdict.VIOLATED:
        assert found.confirmation is not None
        assert found.confirmation.confirmed, (found.confirmation.reason, both)
        assert not found.confirmation.believed, both
    inlined = inline(program, {"compute": 1, "p1": 1}, names=["main"]).program
    modular = verify(inlined, "main", errors=1, timeout=10)
    if not modular.reason and verdicts:
        assert verdicts == {Verdict.VIOLATED if modular.violations else Verdict.HOLDS}, both
    for one in (program, plain):
        try:
            if BruteForce(with_bodies(one), 3, 1).fails("main"):
                assert verdicts <= {Verdict.VIOLATED}, both
        except TooMany:
            pass
    return found.words


@pytest.mark.parametrize("share", range(SHARES))
def test_code_is_what_its_statements_do(share: int) -> None:
    found = {check(seed) for seed in range(share, COUNT, SHARES)}
    assert {"bug", "no bug"} <= found


def test_methods_of_logic_agree() -> None:
    """Two methods that contradict each other raise an exception."""
    verdicts = set()
    for seed in range(100, 100 + max(4, COUNT // 8)):
        for report in analyse(read(random_program(seed, SHAPE)), "main", limits=Limits(5.0)):
            verdicts.add(report.words)
    assert {"safe", "error"} <= verdicts
