"""Engines side by side: none starves another, and the first definite answer counts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from solvent.btor2 import check, engines, ic3, parse, replay
from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.bmc import Search, bmc
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.kinduction import kinduction
from solvent.btor2.race import CRASHED, Entrant, Line, Task, wait_for_messages
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

    def run(self, send: Line) -> None:
        send(("started",))
        while True:
            pass


class Diligent(Task):
    """Gives an answer after some work."""

    def run(self, send: Line) -> None:
        start = time.process_time()
        while time.process_time() < start + 0.3:
            pass
        send(("answer", "x" * 3_000_000))


class Failing(Task):
    """Fails."""

    def run(self, send: Line) -> None:
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


class Listening(Task):
    """Repeats what it is told, from when it is told to begin."""

    def run(self, send: Line) -> None:
        heard: list[tuple[object, ...]] = []
        send(("started",))
        while not heard or heard[-1] != ("end",):
            heard += send.news()
        send(("heard", heard))


class Deaf(Task):
    """Listens to nobody."""

    def run(self, send: Line) -> None:
        send(("started",))
        while True:
            pass


def test_what_others_have_found_out_is_heard_in_order(processes: str) -> None:
    entrant = Entrant("listening", Listening())
    said: list[tuple[object, ...]] = [("known", 3), ("settled", 1, True), ("end",)]
    for message in said:
        entrant.tell(message)
    assert heard([entrant]) == ("heard", said)
    entrant.stop()
    # Nobody is there any more.
    entrant.tell(("known", 4))


def test_nobody_waits_for_who_does_not_listen(processes: str) -> None:
    entrant = Entrant("deaf", Deaf())
    for k in range(20_000):
        entrant.tell(("known", k))
    # What was not heard is kept, and nothing is told before it.
    assert entrant._untold
    entrant.stop()


RELATIVE = """
1 sort bitvec 8
2 zero 1
3 state 1 x
4 init 1 3 2
5 constd 1 2
6 add 1 3 5
7 next 1 3 6
8 sort bitvec 1
9 constd 1 255
10 eq 8 3 9
11 bad 10 end
12 zero 8
13 state 8 y
14 init 8 13 12
15 or 8 13 10
16 next 8 13 15
17 bad 13 met
"""


def test_what_holds_helps_to_prove_the_rest() -> None:
    alone = kinduction(parse(RELATIVE), 20)
    assert [one.verdict for one in alone] == [Verdict.BOUNDED, Verdict.BOUNDED]
    news = iter([[], [], [("settled", 0, True)]])
    helped = kinduction(parse(RELATIVE), 20, news=lambda: next(news, []))
    # The first was settled by somebody else.
    assert [one.verdict for one in helped] == [Verdict.UNKNOWN, Verdict.HOLDS]
    # IC3 assumes it, too, and says so.
    for solver in ("cadical", None):
        assert "given" not in ic3(parse(RELATIVE), 1, solver=solver).reason
        given = ic3(parse(RELATIVE), 1, solver=solver, lemmas=[0])
        assert (given.verdict, given.reason.partition(", ")[2]) == (Verdict.HOLDS, "given b0")
    # What speaks of other states is not looked at.
    assert "given" not in ic3(parse(RELATIVE), 0, lemmas=[1]).reason
    # What does not hold helps nobody.
    news = iter([[("settled", 0, False)]])
    refuted = kinduction(parse(RELATIVE), 20, news=lambda: next(news, []))
    assert refuted[1].verdict is Verdict.BOUNDED


def test_what_is_known_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = Search.ask

    def noting(self: Search, time: int, candidates: Any) -> list[int]:
        asked.append(time)
        return ask(self, time, candidates)

    monkeypatch.setattr(Search, "ask", noting)
    model = parse(COUNTER)
    (first, *_) = bmc(model, 20)
    assert first.depth in asked
    before = list(asked)
    del asked[:]
    news: Iterator[list[tuple[Any, ...]]] = iter([[("known", 4)]])
    assert bmc(model, 20, news=lambda: next(news, []))[0].depth == first.depth
    assert asked == [time for time in before if time > 4]
    del asked[:]
    settled = [("settled", k, False) for k in range(len(model.bads))]
    news = iter([settled])
    assert all(
        one.verdict is Verdict.UNKNOWN for one in bmc(model, 20, news=lambda: next(news, []))
    )
    assert asked == []


class Noting:
    """Takes the place of a line: what is sent is kept, and nothing is heard."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []

    def __call__(self, message: tuple[Any, ...]) -> None:
        self.sent.append(message)

    def news(self) -> list[tuple[Any, ...]]:
        return []


def test_frames_of_ic3_are_told_where_they_are_about_all_that_is_open() -> None:
    def said(properties: list[int]) -> list[tuple[Any, ...]]:
        line = Noting()
        task = engines.EngineTask("ic3", parse(COUNTER), properties, 20, 0, True, None)
        task.run(cast(Line, line))
        return line.sent

    *frames, (kind, k, answer) = said([0])
    assert (kind, k, answer.depth) == ("settled", 0, 12)
    times = [time for _, time, _ in frames]
    # Before each of these times nothing is bad, as it is only at 12.
    assert times == sorted(times)
    assert 2 < max(times) <= 12
    # Of two properties one may be bad before the frame of the other.
    first = next(at for at, message in enumerate(said([0, 1])) if message[0] == "settled")
    assert all(message[0] != "time" for message in said([0, 1])[:first])
