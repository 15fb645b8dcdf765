"""Deadlines, with a clock that only the test moves."""

from __future__ import annotations

import pickle

import pytest

from solvent.errors import SolventError
from solvent.verdicts import Deadline, GaveUp, OutOfTime


class Clock:
    """A clock that stands still."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("solvent.verdicts.deadline.time", made)
    return made


def test_a_limit(clock: Clock) -> None:
    deadline = Deadline(10)
    clock.now += 4
    assert (deadline.left(), deadline.check(), deadline.spent()) == (6, 6, 4)
    assert not deadline.is_over
    clock.now += 6
    assert deadline.is_over
    clock.now += 6
    assert (deadline.left(), deadline.spent()) == (0, 16)
    with pytest.raises(OutOfTime, match="the time limit is reached"):
        deadline.check()


def test_no_limit(clock: Clock) -> None:
    deadline = Deadline(None)
    clock.now += 1e9
    assert (deadline.left(), deadline.check(), deadline.is_over) == (None, None, False)
    assert not deadline.is_limited
    assert deadline.limited(3).left() == 3
    assert deadline.limited(None).left() is None
    assert deadline.part(0.5).left() is None
    assert deadline.part(0.5, 60).left() == 60
    assert deadline.share(0.5, 7) == 7


def test_sooner_deadlines(clock: Clock) -> None:
    deadline = Deadline(10, "too late")
    clock.now += 2
    assert deadline.limited(3).left() == 3
    assert deadline.limited(30).left() == 8
    assert deadline.limited(None).left() == 8
    assert deadline.part(0.25, 60).left() == 2
    assert deadline.share(0.5, 100) == 4
    assert deadline.share(0.5, 1) == 1
    assert deadline.share(0.001, 1) == 0.1
    for made in (deadline.limited(3), deadline.part(0.5)):
        clock.now += 9
        with pytest.raises(OutOfTime, match="too late"):
            made.check()
    with pytest.raises(OutOfTime, match="too late"):
        deadline.share(0.5, 1)


def test_giving_up() -> None:
    assert issubclass(OutOfTime, GaveUp)
    assert issubclass(GaveUp, SolventError)
    assert str(OutOfTime()) == "the time limit is reached"
    assert str(pickle.loads(pickle.dumps(OutOfTime("late")))) == "late"
