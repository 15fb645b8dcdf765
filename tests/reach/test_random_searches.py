"""Random programs: abstraction and summaries change neither verdicts nor bugs."""

from __future__ import annotations

import os

import pytest

from solvent.reach import stratified
from solvent.reach.answers import SearchAnswer
from solvent.reach.search import search
from solvent.verdicts import Verdict
from tests.patience import patient
from tests.reach.programs import read
from tests.reach.random_programs import Shape, random_program

SHARES = 4
COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "200")) // 4


def is_real(found: SearchAnswer) -> bool:
    return found.confirmation is not None and found.confirmation.confirmed


@pytest.mark.parametrize("share", range(SHARES))
def test_optimisations_agree(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Everything is learnt at once, in programs that would not need it.
    monkeypatch.setattr(stratified, "PATIENCE", (0, 0))
    verdicts, tracked, learnt = set(), set(), 0
    for seed in range(share, COUNT, SHARES):
        text = random_program(seed + 5000, Shape(contracts=seed % 3 == 0))
        program = read(text)
        plain = search(program, "main", 3, timeout=patient(2), track_all=True, summaries=False)
        found = search(program, "main", 3, timeout=patient(4))
        known = {plain.verdict, found.verdict} - {Verdict.UNKNOWN}
        assert known == {Verdict.VIOLATED} or Verdict.VIOLATED not in known, text
        assert is_real(found) == (found.verdict is Verdict.VIOLATED), text
        # What was proved without summaries is proved with them.
        if plain.verdict is Verdict.HOLDS:
            assert found.verdict in (Verdict.HOLDS, Verdict.UNKNOWN), text
        verdicts.add(found.verdict)
        tracked.add(len(found.tracked) < len(program.globals))
        learnt += found.summaries.count
    assert {Verdict.VIOLATED, Verdict.HOLDS} <= verdicts
    assert tracked == {True, False}
    assert learnt > 0
