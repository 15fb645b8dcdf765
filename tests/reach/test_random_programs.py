"""Random programs: all engines agree with each other and with brute force."""

from __future__ import annotations

import os

import pytest

from solvent.reach.search import search
from solvent.reach.stratified import Verdict
from tests.reach.programs import read
from tests.reach.random_programs import BruteForce, TooMany, random_program

SHARES = 8
COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "200"))

# Enough for what brute force finds with two open calls and two rounds of each loop.
LARGE = 8


def check(seed: int) -> str:
    """What a program comes to; it fails if two engines contradict each other."""
    text = random_program(seed)
    program = read(text)
    stratified = search(program, "main", 2, timeout=2)
    static = search(program, "main", 2, static=True, timeout=2)
    # Either may prove more than the other; but a bug is a bug.
    verdicts = {stratified.verdict, static.verdict} - {Verdict.UNKNOWN}
    assert verdicts == {Verdict.BUG} or Verdict.BUG not in verdicts, text
    for found in (stratified, static):
        if found.verdict is Verdict.BUG:
            assert found.confirmation is not None
            assert found.confirmation.confirmed, (found.confirmation.reason, text)
    try:
        fails = BruteForce(program, 2, 2).fails("main")
    except TooMany:
        return "too many"
    if fails and stratified.verdict is not Verdict.BUG:
        assert stratified.verdict is not Verdict.NO_BUG, text
        more = search(program, "main", LARGE, timeout=4)
        assert more.verdict in (Verdict.BUG, Verdict.UNKNOWN), text
    return stratified.verdict.value


@pytest.mark.parametrize("share", range(SHARES))
def test_engines_agree(share: int) -> None:
    found = [check(seed) for seed in range(share, COUNT, SHARES)]
    assert found.count("too many") + found.count("unknown") < len(found) / 3
    assert len(set(found)) > 1
