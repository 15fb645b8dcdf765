"""Random programs: abstraction and summaries change neither verdicts nor bugs."""

from __future__ import annotations

import os

import pytest

from solvent.reach import stratified
from solvent.reach.search import Found, search
from solvent.reach.stratified import Verdict
from tests.patience import patient
from tests.reach.programs import read
from tests.reach.random_programs import random_program

SHARES = 4
COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "200")) // 4


def is_real(found: Found) -> bool:
    return found.confirmation is not None and found.confirmation.confirmed


@pytest.mark.parametrize("share", range(SHARES))
def test_optimisations_agree(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Everything is learnt at once, in programs that would not need it.
    monkeypatch.setattr(stratified, "PATIENCE", (0, 0))
    verdicts, tracked, learnt = set(), set(), 0
    for seed in range(share, COUNT, SHARES):
        text = random_program(seed + 5000)
        program = read(text)
        plain = search(program, "main", 2, timeout=patient(2), track_all=True, summaries=False)
        found = search(program, "main", 2, timeout=patient(4))
        known = {plain.verdict, found.verdict} - {Verdict.UNKNOWN}
        assert known == {Verdict.BUG} or Verdict.BUG not in known, text
        assert is_real(found) == (found.verdict is Verdict.BUG), text
        # What was proved without summaries is proved with them.
        if plain.verdict is Verdict.NO_BUG:
            assert found.verdict in (Verdict.NO_BUG, Verdict.UNKNOWN), text
        verdicts.add(found.verdict)
        tracked.add(len(found.tracked) < len(program.globals))
        learnt += found.summaries.count
    assert {Verdict.BUG, Verdict.NO_BUG} <= verdicts
    assert tracked == {True, False}
    assert learnt > 0
