"""Random BTOR2 models: every engine says what trying all inputs of all states says.

Executions that an engine finds are replayed, and are as short as the shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from solvent.btor2 import ENGINES, Model, PropertyAnswer, check, parse, replay
from solvent.verdicts import Verdict
from tests.btor2.random_models import Explicit, random_text
from tests.fuzz.harness import INPUTS, Tally, source

COUNT = max(6, INPUTS // 50)
# No shortest execution of these models is longer.
BOUND = 70


def mistake(
    engine: str, model: Model, answer: PropertyAnswer, time: int | None, bound: int
) -> str | None:
    """What is wrong with a answer, where `time` is when the bad state is reached first."""
    verdict = answer.verdict
    if verdict is Verdict.VIOLATED:
        if time is None:
            return f"{engine} reaches {answer.label}, which cannot be reached"
        # The others find a shortest execution.
        if engine not in ("ic3", "auto") and answer.depth != time:
            return f"{engine} reaches {answer.label} at {answer.depth}, not first at {time}"
        if answer.witness is None or not replay(model, answer.witness).holds:
            return f"the witness of {engine} for {answer.label} cannot be replayed"
    elif verdict is Verdict.HOLDS and time is not None:
        return f"{engine} proves {answer.label}, which is reached at {time}"
    elif verdict is Verdict.BOUNDED and time is not None and time <= bound:
        return f"{engine} does not find {answer.label}, which is reached at {time}"
    return None


def mistakes(text: str, engine: str, arrays: bool, counts: Counter[str]) -> list[str]:
    """What is wrong with the answers of an engine on a model."""
    model = parse(text)
    times = Explicit(model).first_times()
    bound = 6 if arrays else BOUND
    found = []
    for answer, time in zip(
        check(model, engine=engine, kmax=bound, find_all=True).answers, times, strict=True
    ):
        counts[f"{engine}: {answer.verdict.value}"] += 1
        found.append(mistake(engine, model, answer, time, bound))
    return [one for one in found if one is not None]


def searched(engine: str, numbers: Iterable[int]) -> Tally:
    """What an engine says about models, beside all inputs of all states."""
    tally = Tally(f"{engine}, models")
    for number in numbers:
        # IC3 is for models without arrays.
        arrays = number % 4 == 0 and engine != "ic3"
        text = random_text(source("model", number), arrays=arrays, sparse=number % 3 == 0)
        for one in mistakes(text, engine, arrays, tally.counts):
            tally.fail(f"{number}: {one}", f"{number}: {one}\n{text}")
    return tally


def fair(engine: str, numbers: Iterable[int]) -> Tally:
    """What an engine says about justice, beside all cycles."""
    tally = Tally(f"{engine}, justice")
    for number in numbers:
        text = random_text(source("justice", number), justice=True)
        model = parse(text)
        (answer,) = check(model, engine=engine, kmax=BOUND).answers
        tally.counts[answer.verdict.value] += 1
        expected = Verdict.VIOLATED if Explicit(model).has_fair_cycle() else Verdict.HOLDS
        if answer.verdict not in (expected, Verdict.UNKNOWN, Verdict.BOUNDED):
            found = f"{number}: {answer}, but brute force says {expected}\n{text}"
            tally.fail(found, found)
        elif answer.witness is not None and not replay(model, answer.witness).holds:
            found = f"{number}: the witness cannot be replayed\n{text}"
            tally.fail(found, found)
    return tally


# The engines that look for fair cycles.
FAIR = ("kind", "ic3")


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_with_brute_force(engine: str) -> None:
    searched(engine, range(COUNT)).check()


@pytest.mark.parametrize("engine", FAIR)
def test_justice_agrees_with_brute_force(engine: str) -> None:
    fair(engine, range(COUNT // 3)).check()
