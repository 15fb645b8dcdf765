"""From what a lane has found to a finding: made small, seen in CPython, and written as a call.

The program is run in processes of its own only.  An exception that cannot be sent from there is
made once more in this process, after the program has ended within its limits in another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from solvent.queries.problem import Problem
from solvent.queries.replay import Replay
from solvent.queries.results import QueryStats, Verification
from solvent.race.levels import Subject
from solvent.race.messages import Found
from solvent.race.probing import Probed, shrunk
from solvent.solvers.status import Status
from solvent.verdicts import Deadline
from solvent.vm.report import Stats
from solvent.vm.state import Failure

NOT_SEEN = "did not fail so within the limits of a process of its own"


def judged(
    subject: Subject, found: Found, probed: Probed | None, deadline: Deadline
) -> tuple[tuple[str, str], Verification]:
    """What kind of failure was found, and the answer that tells of it.

    If it is not known yet how CPython fails, it is tried until the deadline, with inputs that get
    smaller.  CPython may fail in another way than was predicted: then this is what is told.
    """
    subject = replace(subject, longest=found.longest)
    inputs = subject.inputs(found.length)
    problem = Problem(subject.function, inputs, None)  # type: ignore[arg-type]
    if probed is None:
        allows = subject.meant.allows
        probed = shrunk(
            subject.function, inputs, found.model, deadline, lambda error: not allows(error)
        )
    if probed is not None:
        found = replace(told(probed), length=found.length, longest=found.longest)
    replayed = _replayed(problem, found, probed)
    confirmed = replayed.returned is False and type(replayed.exception).__name__ == found.exception
    error = replayed.exception if confirmed else None
    written = problem.written(found.model)
    at = replayed.position if confirmed and replayed.position else found.position
    return found.kind, Verification(
        function=problem.name,
        status=Status.SAT,
        model=found.model,
        inputs=problem.values(found.model),
        call=written.call,
        setup=written.setup,
        texts=written.texts,
        failure=Failure(True, error if error is not None else _stand_in(found), at),
        replay=replayed,
        confirmed=confirmed,
        meant=subject.meant.explained(),
        assertions_only=subject.meant.assertions_only,
        stats=QueryStats(Stats()),
    )


def told(found: Probed) -> Found:
    """A failure that CPython has shown, in the words of all lanes."""
    return Found(found.model, found.failure.kind, found.failure.position, found.failure.message)


def _replayed(problem: Problem, found: Found, probed: Probed | None) -> Replay:
    """What CPython did with the inputs."""
    if probed is None:
        # What did not fail in a process of its own within its limits is not run in this one.
        return Replay(None, problem=NOT_SEEN)
    if probed.replay is not None and probed.replay.exception is not None:
        return probed.replay
    with _without_output():
        return problem.replay(found.model)


@contextmanager
def _without_output() -> Iterator[None]:
    """What the program writes to standard output below Python is no part of the answer."""
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


def _stand_in(found: Found) -> BaseException:
    """The predicted exception, or one that says what it was if it could not be sent."""
    return found.error or Exception(f"{found.exception}: {found.message}")
