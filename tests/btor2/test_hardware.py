"""The generator of models like circuits: the same for a seed, and wrong only with a bug."""

from __future__ import annotations

import importlib
import math
from typing import Any

import pytest

from benchmarks.btor2_hardware import FAMILIES, text
from benchmarks.btor2_plain import first_time
from solvent.btor2 import check, kinduction, parse, replay
from solvent.verdicts import Verdict

SMALL = {"counters": 60, "unbounded": 16, "fifo": 60, "arbiter": 60, "multiplier": 100, "core": 60}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_gives_one_model(family: str) -> None:
    first, second = (text(family, 300, seed=3) for _ in range(2))
    assert first == second
    large = text(family, 3000, seed=3)
    assert 5 < len(large.splitlines()) / len(first.splitlines()) < 20
    if family in ("counters", "unbounded"):
        assert text(family, 300, seed=4) != first


@pytest.mark.parametrize("family", FAMILIES)
def test_bugs_are_found_and_only_bugs(family: str) -> None:
    nodes = SMALL[family]
    wrong = parse(text(family, nodes, bug=True))
    found = check(wrong, kmax=12, engine="bmc")
    assert found.verdict is Verdict.VIOLATED
    assert replay(wrong, found.witnesses[0]).holds
    times = [one.time for one in found.answers if one.verdict is Verdict.VIOLATED]
    assert first_time(wrong, "bitwuzla", 12) == times[0]
    right = parse(text(family, nodes))
    assert check(right, kmax=4, engine="bmc").verdict in (Verdict.BOUNDED, Verdict.HOLDS)
    assert first_time(right, "z3" if family == "counters" else "bitwuzla", 3) is None


@pytest.mark.parametrize("family", ["counters", "arbiter", "multiplier"])
def test_circuits_without_bugs_are_proved(family: str) -> None:
    answer = kinduction(parse(text(family, SMALL[family])), 8, solver="cadical")[0]
    assert answer.verdict is Verdict.HOLDS


def test_a_bug_is_found_before_steps_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("solvent.btor2.kinduction")
    asked: list[int] = []
    advance = module._Step.advance

    def slow(step: Any) -> None:
        asked.append(step.k)
        advance(step)
        step.seconds = math.inf

    monkeypatch.setattr(module._Step, "advance", slow)
    wrong = parse(text("counters", SMALL["counters"], bug=True))
    answer = kinduction(wrong, 12, solver="cadical")[0]
    assert answer.verdict is Verdict.VIOLATED
    assert asked == [0]
    assert answer.time is not None
    assert answer.time > 0
