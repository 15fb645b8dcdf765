"""Engines side by side: none starves another, and the first definite answer counts."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from solvent.btor2 import check, engines, parse, replay
from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.race import CRASHED, Entrant, Send, Task, wait_for_messages
from solvent.errors import InternalError
from solvent.verdicts import Deadline, Verdict

ROOT = Path(__file__).parents[2]

# A counter that an input moves, and what it may reach.
COUNTER = """\
1 sort bitvec 1
2 sort bitvec 8
3 zero 2
4 one 2
5 state 2 n
6 init 2 5 3
7 input 1 up
8 constd 2 20
9 ult 1 5 8
10 and 1 7 9
11 add 2 5 4
12 ite 2 10 11 5
13 next 2 5 12
14 constd 2 12
15 eq 1 5 14
16 bad 15 twelve
17 constd 2 200
18 eq 1 5 17
19 bad 18 two_hundred
"""


class Hog(Task):
    """Never ends."""

    def run(self, send: Send) -> None:
        send(("started",))
        while True:
            pass


class Diligent(Task):
    """Gives an answer after some work."""

    def run(self, send: Send) -> None:
        start = time.process_time()
        while time.process_time() < start + 0.3:
            pass
        send(("answer", "x" * 3_000_000))


class Failing(Task):
    """Fails."""

    def run(self, send: Send) -> None:
        raise ValueError("as planned")


@pytest.fixture(params=["copied", "started"])
def processes(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to a new process: a copy of this one, and a new interpreter."""
    count = 1 if request.param == "copied" else 2
    monkeypatch.setattr("solvent.btor2.race.threading.active_count", lambda: count)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return str(request.param)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes in which what a test has changed is changed too."""
    monkeypatch.setattr("solvent.btor2.race.threading.active_count", lambda: 1)


@pytest.fixture
def no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the race begin at once."""
    monkeypatch.setattr(engines, "_ATTEMPT_SECONDS", 1e-9)


def heard(entrants: list[Entrant]) -> tuple[Any, ...]:
    """The first message that is more than a sign of life."""
    while True:
        for entrant in wait_for_messages(entrants, None):
            for message in entrant.messages():
                if message[0] != "started":
                    return message


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_processors_are_shared(processes: str) -> None:
    hogs = [Entrant("hog", Hog()) for _ in range(2)]
    diligent = Entrant("diligent", Diligent())
    message = heard([*hogs, diligent])
    for one in (*hogs, diligent):
        one.stop()
        one.stop()
    assert (message[0], len(message[1])) == ("answer", 3_000_000)
    assert diligent.seconds >= 0.3
    for hog in hogs:
        # It has worked, but not much longer than the one that had something to say.
        assert hog.seconds <= 6 * diligent.seconds
        assert is_gone(hog._pid)


def test_exceptions_arrive(processes: str) -> None:
    entrant = Entrant("failing", Failing())
    kind, error = heard([entrant])
    assert (kind, type(error), str(error)) == (CRASHED, ValueError, "as planned")
    while not entrant.ended:
        wait_for_messages([entrant], None)
        assert list(entrant.messages()) == []
    entrant.stop()


def test_a_race_settles_each_property(processes: str, no_attempt: None) -> None:
    model = parse(COUNTER)
    result = check(model, find_all=True)
    assert result["twelve"].verdict is Verdict.VIOLATED
    assert result["twelve"].depth == 12
    assert replay(model, result.witnesses[0]).holds
    assert result["two_hundred"].verdict is Verdict.HOLDS


def test_the_first_violation_ends_a_race(no_attempt: None) -> None:
    result = check(parse(COUNTER))
    assert result["twelve"].verdict is Verdict.VIOLATED
    assert result.verdict is Verdict.VIOLATED


NOBODY = cast(Entrant, SimpleNamespace(name="bmc"))


def endless(*args: Any, **options: Any) -> Any:
    while True:
        pass


def test_a_bound_ends_a_race(monkeypatch: pytest.MonkeyPatch, copied: None) -> None:
    monkeypatch.setattr(engines, "_PROOF_SECONDS", 1e-9)
    monkeypatch.setattr(engines._Run, "_attempt", lambda *of_run: {})
    for one in ("kinduction", "ic3"):
        monkeypatch.setattr(engines, one, endless)
    result = check(parse(COUNTER), kmax=3, find_all=True)
    assert [(f.verdict, f.depth) for f in result.answers] == [(Verdict.BOUNDED, 3)] * 2


@pytest.mark.parametrize(("spent", "left"), [(0.5, 2.0), (60.0, 60.0)])
def test_a_proof_has_as_long_as_the_search(spent: float, left: float) -> None:
    run = engines._Run(3, 0, "auto", False, None, Deadline(None), None)
    race = engines._Race(run, Evaluator(parse(COUNTER)), {0: PropertyAnswer("b0", None)}, [])
    race.clock = cast(Deadline, SimpleNamespace(spent=lambda: spent))
    race._hear(NOBODY, ("done", {0: PropertyAnswer("b0", verdict=Verdict.BOUNDED, bound=3)}))
    found = race.deadline.left()
    assert found is not None
    assert left - 2 < found <= left


def test_who_only_searches_is_ended_when_all_is_searched(copied: None) -> None:
    run = engines._Run(3, 0, "auto", False, None, Deadline(None), None)
    race = engines._Race(run, Evaluator(parse(COUNTER)), {0: PropertyAnswer("b0", None)}, [])
    race.entrants = [Entrant(name, Hog()) for name in ("bmc", "kind")]
    try:
        race._hear(NOBODY, ("done", {0: PropertyAnswer("b0", verdict=Verdict.BOUNDED, bound=3)}))
        assert [one.ended for one in race.entrants] == [True, False]
        race.waiting = [engines.Lane("bmc", None), engines.Lane("ic3", "cadical", 60.0)]
        race._admit()
        assert [one.name for one in race.entrants] == ["bmc", "kind", "ic3"]
    finally:
        race.stop()


def test_who_joins_is_told_what_is_searched(copied: None) -> None:
    run = engines._Run(9, 0, "auto", False, None, Deadline(None), None)
    answers = {0: PropertyAnswer("b0", bound=7), 1: PropertyAnswer("b1", bound=5)}
    race = engines._Race(run, Evaluator(parse(COUNTER)), answers, [])
    assert race._task(engines.Lane("bmc", None)).known == 5
    run.kmin = 2
    assert race._task(engines.Lane("bmc", None)).known == -1


@pytest.mark.parametrize(
    ("stuck", "name", "verdict"),
    [
        (("kinduction", "ic3"), "twelve", Verdict.VIOLATED),
        (("bmc", "ic3"), "twelve", Verdict.VIOLATED),
        (("bmc", "kinduction"), "two_hundred", Verdict.HOLDS),
    ],
)
def test_no_engine_starves_another(
    stuck: tuple[str, ...],
    name: str,
    verdict: Verdict,
    monkeypatch: pytest.MonkeyPatch,
    copied: None,
) -> None:
    # Not even the attempt before the race.
    monkeypatch.setattr(engines._Run, "_attempt", lambda *of_run: {})
    for one in stuck:
        monkeypatch.setattr(engines, one, endless)
    text = COUNTER if name == "twelve" else COUNTER.replace("16 bad 15 twelve\n", "")
    assert check(parse(text))[name].verdict is verdict


def test_a_mistake_of_an_engine_is_told(
    monkeypatch: pytest.MonkeyPatch, copied: None, no_attempt: None
) -> None:
    def wrong(*args: Any, **options: Any) -> Any:
        raise InternalError("no such thing")

    monkeypatch.setattr(engines, "bmc", endless)
    monkeypatch.setattr(engines, "kinduction", endless)
    monkeypatch.setattr(engines._Run, "_attempt", lambda *of_run: {})
    monkeypatch.setattr(engines, "ic3", wrong)
    with pytest.raises(InternalError, match="no such thing"):
        check(parse(COUNTER))


def test_engines_that_die_are_no_answer(monkeypatch: pytest.MonkeyPatch, copied: None) -> None:
    monkeypatch.setattr(engines._Run, "_attempt", lambda *of_run: {})
    for one in ("bmc", "kinduction", "ic3"):
        monkeypatch.setattr(engines, one, lambda *args, **options: os._exit(1))
    result = check(parse(COUNTER))
    assert result.verdict is Verdict.UNKNOWN
    assert result.answers[0].reason == "no engine gave an answer"


def test_the_time_of_a_race_is_limited(monkeypatch: pytest.MonkeyPatch, copied: None) -> None:
    monkeypatch.setattr(engines._Run, "_attempt", lambda *of_run: {})
    for one in ("bmc", "kinduction", "ic3"):
        monkeypatch.setattr(engines, one, endless)
    result = check(parse(COUNTER), timeout=0.2)
    assert result.verdict is Verdict.UNKNOWN
    assert result.answers[0].reason == "the time limit was reached"
