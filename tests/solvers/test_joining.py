"""Others join a check that takes longer than expected; the first answer counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int, Solver
from solvent.errors import SolverError, UnsupportedError
from solvent.solvers import Status, joining
from solvent.solvers.choose import Spec, expected_seconds, others, prefers_bits
from solvent.solvers.context import Context, Frame
from solvent.solvers.joining import Late
from tests.patience import FOREVER

SAT, UNSAT, UNKNOWN = ("sat", ""), ("unsat", ""), ("unknown", "gave up")


class Scripted(Context):
    """Says what it is told to, or nothing until it is stopped."""

    def __init__(self, answer: Any, name: str = "z3", wait: threading.Event | None = None) -> None:
        super().__init__([Spec(name)], 0)
        self.answer = answer
        self.wait = wait
        self.asked = 0
        self.stopped = 0
        self.abandoned = 0

    def check(
        self, frames: Any, assumptions: Any, seconds: Any, interrupted: Callable[[], bool]
    ) -> tuple[str, str]:
        self.asked += 1
        self.asked_since = time.perf_counter()
        end = time.monotonic() + FOREVER
        while True:
            stopped = interrupted()
            if self.answer is not None and (self.wait is None or self.wait.is_set()):
                break
            if stopped:
                self.stopped += 1
                return "unknown", "interrupted"
            assert time.monotonic() < end, "nobody has stopped it"
            time.sleep(0.001)
        if isinstance(self.answer, BaseException):
            raise self.answer
        answer: tuple[str, str] = self.answer
        return answer

    def abandon(self) -> None:
        self.abandoned += 1


def late(
    monkeypatch: pytest.MonkeyPatch, first: Scripted, *more: Scripted, expected: float = 0.0
) -> Late:
    monkeypatch.setattr(joining, "expected_seconds", lambda *_: expected)
    specs = [Spec("other", str(k)) for k in range(len(more))]
    monkeypatch.setattr(joining, "others", lambda *_: specs)
    found = Late(first, 0)
    found._contexts.update(zip(specs, more, strict=True))
    return found


def ask(late: Late) -> tuple[str, str]:
    return late.check([Frame()], (), None, lambda: False)


def test_who_is_quick_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = Scripted(SAT), Scripted(UNSAT)
    asking = late(monkeypatch, first, other, expected=FOREVER)
    assert ask(asking) == SAT
    assert (other.asked, asking.winner) == (0, first)


def test_who_joins_answers_for_who_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = Scripted(None), Scripted(UNSAT)
    asking = late(monkeypatch, first, other)
    assert ask(asking) == UNSAT
    assert (first.stopped, asking.winner) == (1, other)


def test_who_is_slow_may_be_first_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Scripted(None)

    class Slow(threading.Event):
        def is_set(self) -> bool:
            return other.asked > 0

    first = Scripted(SAT, wait=Slow())
    asking = late(monkeypatch, first, other)
    assert ask(asking) == SAT
    assert (other.stopped, asking.winner) == (1, first)


@pytest.mark.parametrize(
    "error", [UnsupportedError("no theory"), SolverError("it crashed")], ids=["lacks", "crashes"]
)
def test_who_cannot_help_leaves_it_to_the_others(
    monkeypatch: pytest.MonkeyPatch, error: SolverError
) -> None:
    first, bad, good = Scripted(None), Scripted(error), Scripted(UNSAT)
    assert ask(late(monkeypatch, first, bad, good)) == UNSAT
    assert bad.abandoned == (not isinstance(error, UnsupportedError))


def test_a_mistake_of_our_own_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asking = late(monkeypatch, Scripted(None), Scripted(ValueError("wrong")))
    with pytest.raises(ValueError, match="wrong"):
        ask(asking)


def test_who_gives_up_after_others_have_joined_lets_them_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = threading.Event()

    class Joined(threading.Event):
        def is_set(self) -> bool:
            return other.asked > 0

    other = Scripted(SAT, wait=seen)
    first = Scripted(UNKNOWN, wait=Joined())
    asking = late(monkeypatch, first, other)
    threading.Timer(0.05, seen.set).start()
    monkeypatch.setattr(joining._Joining, "_patience", lambda self: FOREVER)
    assert ask(asking) == SAT
    assert asking.winner is other


def test_nobody_waits_for_ever_for_who_has_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    class Joined(threading.Event):
        def is_set(self) -> bool:
            return other.asked > 0

    other = Scripted(None)
    first = Scripted(UNKNOWN, wait=Joined())
    assert ask(late(monkeypatch, first, other)) == UNKNOWN
    assert other.stopped == 1


def test_others_join_sooner_where_they_were_better(monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = Scripted(None), Scripted(UNSAT)
    asking = late(monkeypatch, first, other)
    ask(asking)
    monkeypatch.setattr(joining, "expected_seconds", lambda *_: FOREVER)
    assert asking.expected() < 1
    assert ask(asking) == UNSAT


def test_the_answer_of_who_joined_has_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    x = Int("x")
    monkeypatch.setattr(joining, "expected_seconds", lambda *_: 0.0)
    check = Context.check

    def never(self: Context, *args: Any) -> tuple[str, str]:
        if self._automatic:
            self.features_of(args[0], args[1])
            self.asked_since = time.perf_counter()
            while not args[3]():
                time.sleep(0.001)
            return "unknown", "interrupted"
        return check(self, *args)

    monkeypatch.setattr(Context, "check", never)
    with Solver() as solver:
        solver.add(x * x == 49)
        assert solver.check() is Status.SAT
        assert solver.name == "cvc5"
        assert abs(solver.model()[x]) == 7
        assert solver.check(x > 3, x < 1) is Status.UNSAT
        assert set(solver.unsat_core()) == {x > 3, x < 1}
        assert [one.solver for one in solver.question().attempts][-1] == "cvc5"


def test_who_joins_is_another_solver() -> None:
    for features in ({"Int"}, {"BitVec"}, {"Int", "quantifier"}, {"Float"}, {"Str"}):
        for first in (Spec("z3"), Spec("bitwuzla")):
            assert first not in others(first, features)
            assert 0 < expected_seconds(first, features, 1000) < 10
    assert not prefers_bits({"Int", "Bool"})
