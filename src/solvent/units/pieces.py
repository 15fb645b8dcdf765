"""Pieces of one hard question as units of work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Protocol

from solvent.solvers.pieces import Solve, Task
from solvent.solvers.status import Status
from solvent.units.local import Show
from solvent.units.unit import Limits, Reply, Unit
from solvent.verdicts.rendering import Json

# A solver keeps to its time; what does not end by itself is ended so much later.
_GRACE = 1.5
_GRACE_SECONDS = 20.0
# An answer is the same however long it might have taken.
_TIME = frozenset(("seconds",))
# A solver ends a little sooner or later than it is told.
_NEARLY = 0.9


class Pool(Protocol):
    """Where units are done."""

    def run(self, units: Iterable[Unit | None], show: Show) -> Iterator[tuple[int, Unit, Reply]]:
        """Replies as they come, each with the number of its unit."""


def on_pool(pool: Pool, show: Show = lambda text: None, memory: int | None = None) -> Solve:
    """What solves pieces where units are done."""

    def solve(tasks: Iterable[Task | None]) -> Iterator[tuple[Task, Json | None]]:
        sent: dict[str, Task] = {}

        def units() -> Iterator[Unit | None]:
            for task in tasks:
                if task is None:
                    yield None
                else:
                    sent[task.name] = task
                    limits = Limits(_GRACE * task.seconds + _GRACE_SECONDS, memory)
                    doubtful = partial(_had_less_time, task.seconds)
                    yield Unit(
                        "piece", task.name, task.data, None, limits, doubtful=doubtful, aside=_TIME
                    )

        for _, unit, reply in pool.run(units(), show):
            yield sent.pop(unit.name), reply.answer

    return solve


def _had_less_time(seconds: float, answer: Json) -> bool:
    """Whether a piece may have an answer in so many seconds, since it had fewer when it had none.

    >>> _had_less_time(10, {"status": "unknown", "seconds": 3.0})
    True
    >>> _had_less_time(10, {"status": "unsat", "seconds": 3.0})
    False
    """
    if answer.get("status") in (Status.SAT.value, Status.UNSAT.value):
        return False
    return float(str(answer.get("seconds", 0.0))) < _NEARLY * seconds
