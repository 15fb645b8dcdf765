"""Random models: all engines, two solvers and brute force agree, and witnesses can be replayed.

`SOLVENT_PROGRAMS=2000` tries more of them.
"""

from __future__ import annotations

import importlib
import math
import os
import random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from solvent.btor2 import (
    Evaluator,
    PropertyAnswer,
    bmc,
    check,
    ic3,
    kinduction,
    literals,
    parse,
    parse_witness,
    print_model,
    replay,
    to_system,
)
from solvent.btor2.literals import CADICAL, fits, is_available
from solvent.verdicts import Verdict
from tests.btor2.random_models import Explicit, random_model, random_text

# The package has a function of this name.
kinduction_module: Any = importlib.import_module("solvent.btor2.kinduction")

COUNT = int(os.environ.get("SOLVENT_PROGRAMS", "40"))
# Longer than any shortest execution of these models.
LONG = 70


def agrees(answer: PropertyAnswer, time: int | None, bound: int) -> None:
    """Compare a answer with when a bad state is reached first."""
    if answer.verdict is Verdict.VIOLATED:
        assert answer.depth == time
    elif answer.verdict is Verdict.HOLDS:
        assert time is None
    elif answer.verdict is Verdict.BOUNDED:
        assert time is None or time > bound
    else:
        raise AssertionError(answer.reason)


def violations(answers: list[PropertyAnswer]) -> list[int | None]:
    """When each bad state is reached: of equal formulas only one may be seen to hold for ever."""
    return [f.depth if f.verdict is Verdict.VIOLATED else None for f in answers]


@pytest.mark.parametrize("seed", range(COUNT))
def test_bounded_checking(seed: int) -> None:
    model = random_model(seed, arrays=seed % 4 == 0, sparse=seed % 3 == 0)
    times = Explicit(model).first_times()
    bound = 6
    found = bmc(model, bound, find_all=True)
    for k, answer in enumerate(found):
        agrees(answer, times[k], bound)
        if answer.witness is not None:
            again = parse_witness(str(answer.witness))
            assert str(again) == str(answer.witness)
            assert replay(model, again).holds
            assert f"b{k}" in again.properties
    second = bmc(model, bound, find_all=True, solver="z3")
    assert violations(second) == violations(found)


def let_the_base_go_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let induction ask about one step, and about others when the base has looked at everything."""
    advance = kinduction_module._Step.advance

    def slow(step: Any) -> None:
        advance(step)
        step.seconds = math.inf

    monkeypatch.setattr(kinduction_module._Step, "advance", slow)


@pytest.mark.parametrize("seed", range(COUNT, COUNT + COUNT // 2))
def test_unbounded_engines(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 2:
        let_the_base_go_ahead(monkeypatch)
    model = random_model(seed)
    times = Explicit(model).first_times()
    for k, answer in enumerate(kinduction(model, LONG, find_all=True)):
        assert answer.verdict in (Verdict.HOLDS, Verdict.VIOLATED)
        agrees(answer, times[k], LONG)
    for k in range(len(model.bads)):
        answer = ic3(model, k)
        assert answer.verdict in (Verdict.HOLDS, Verdict.VIOLATED)
        agrees(answer, times[k], LONG)


@pytest.mark.skipif(not is_available(), reason="python-sat is missing")
@pytest.mark.parametrize("seed", range(COUNT * 2))
def test_engines_on_literals(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = seed % 2 == 0
    model = random_model(seed, arrays=arrays, sparse=seed % 3 == 0)
    evaluator = Evaluator(model)
    if not fits(evaluator, [*evaluator.bads, *evaluator.constraints]):
        return
    times = Explicit(model).first_times()
    for k, answer in enumerate(bmc(model, 6, find_all=True, solver=CADICAL)):
        agrees(answer, times[k], 6)
        if answer.witness is not None:
            assert replay(model, parse_witness(str(answer.witness))).holds
    if seed % 3 == 1:
        let_the_base_go_ahead(monkeypatch)
    # States that differ in their memories only are not told apart.
    bound = 12 if arrays else LONG
    for k, answer in enumerate(kinduction(model, bound, find_all=True, solver=CADICAL)):
        agrees(answer, times[k], bound)
        assert arrays or answer.verdict.is_definite
    if seed % 4 == 0:
        # As if the memories were large.
        monkeypatch.setattr(literals, "SMALL_MEMORY", 0)
    for k in range(len(model.bads)):
        answer = ic3(model, k, solver=CADICAL)
        if answer.verdict is Verdict.UNKNOWN:
            assert seed % 4 == 0
        else:
            agrees(answer, times[k], LONG)


@pytest.mark.parametrize("seed", range(COUNT // 3))
def test_liveness(seed: int) -> None:
    model = parse(random_text(seed, justice=True))
    answer = check(model, engine="kind" if seed % 2 else "ic3").answers[0]
    expected = Explicit(model).has_fair_cycle()
    assert (answer.verdict is Verdict.VIOLATED) == expected
    assert (answer.verdict is Verdict.HOLDS) != expected
    if answer.witness is not None:
        assert replay(model, parse_witness(str(answer.witness))).holds


@pytest.mark.parametrize("seed", range(COUNT // 2))
def test_terms_and_back(seed: int) -> None:
    text = random_text(seed, arrays=seed % 3 == 0, sparse=seed % 2 == 0)
    model = parse(text)
    assert print_model(model) == text
    again = to_system(model).to_model()
    assert print_model(parse(print_model(again))) == print_model(again)
    bound = 4
    assert violations(bmc(model, bound, find_all=True)) == violations(
        bmc(again, bound, find_all=True)
    )


@settings(max_examples=COUNT // 2)
@given(st.randoms(use_true_random=False), st.booleans())
def test_a_smallest_model_on_which_they_differ(source: random.Random, sparse: bool) -> None:
    """All at once, and Hypothesis makes a failing model smaller."""
    text = random_text(source, sparse=sparse)
    note(text)
    model = parse(text)
    times = Explicit(model).first_times()
    first, second = bmc(model, 5, find_all=True), bmc(model, 5, find_all=True, solver="z3")
    assert violations(first) == violations(second)
    third = kinduction(model, LONG, find_all=True)
    for k, time in enumerate(times):
        agrees(first[k], time, 5)
        agrees(third[k], time, LONG)
        agrees(ic3(model, k), time, LONG)
