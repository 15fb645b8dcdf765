"""Units on this machine: some at a time, each in a fork of this process.

A fork has the program that is checked, and whatever else was read, already.  It is ended when its
time is over, and when it dies nothing is lost but its own answer.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from solvent.errors import SolventError
from solvent.race.lanes import Broken, Lane, Report, wait_for
from solvent.units.unit import REFUSALS, Limits, Reply, Unit, decoded, encoded, perform
from solvent.verdicts import Deadline, Terminated, terminate
from solvent.verdicts.rendering import Json

# How long units that are interrupted may take to say what they know.
LAST_WORDS_SECONDS = 2.0
_PAUSE_SECONDS = 0.1
# So many of the units that run are named in the live line.
_MOST_NAMED = 20

# The reply to a unit whose answer does not matter any more.
UNWANTED = Reply(problem="nobody wants it any more", finished=False)

# What is told while units run: a line.
Show = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a fork says last: its answer, why there is none, or why the whole run makes no sense."""

    text: bytes = b""
    problem: str = ""
    refusal: str = ""


class RefusedError(SolventError):
    """A unit says that it is the command that is wrong, so that no other unit will do better."""


class Doing:
    """A unit that is done in a fork."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.said = ""
        self._lane = Lane(unit.name, lambda report: _work(unit, report), unit.limits.memory)
        self._started = time.monotonic()

    @property
    def lane(self) -> Lane:
        """Its process."""
        return self._lane

    @property
    def seconds(self) -> float:
        """For how long it runs."""
        return time.monotonic() - self._started

    def reply(self) -> Reply | None:
        """The reply, once there is one."""
        # Asked before it is heard, so that nothing that it said is missed.
        ended = self._lane.ended
        for message in self._lane.received():
            match message:
                case str():
                    self.said = message
                case Answered(refusal=refusal) if refusal:
                    self.stop()
                    raise RefusedError(refusal)
                case Answered(problem=problem) if problem:
                    self.stop()
                    return Reply(problem=problem, seconds=self.seconds)
                case Answered(text=text):
                    self.stop()
                    return Reply(decoded(text), seconds=self.seconds)
                case Broken(reason=reason):
                    self.stop()
                    return Reply(problem=broken(reason, self.unit.limits), seconds=self.seconds)
        if ended:
            death = self._lane.death or "it ended without an answer"
            self.stop()
            return Reply(problem=f"its process has no answer: {death}", seconds=self.seconds)
        if not self.unit.is_wanted():
            self.stop()
            return UNWANTED
        limit = self.unit.limits.seconds
        if limit is not None and self.seconds > limit:
            self.stop()
            return Reply(problem=f"it was ended after {limit:g} s", seconds=self.seconds)
        return None

    def interrupt(self, error: KeyboardInterrupt) -> None:
        """Ask for what is known by now, for the reason for which this process ends."""
        number = signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT
        with suppress(ProcessLookupError, PermissionError):
            os.kill(self._lane.pid, number)

    def stop(self) -> None:
        """End it."""
        self._lane.stop()


def broken(reason: str, limits: Limits) -> str:
    """Why a process has no answer, from the exception that it ended with."""
    if reason.startswith("MemoryError") and limits.memory is not None:
        return f"it needs more than its {limits.memory >> 20} MB of memory"
    return f"its process failed: {reason}"


def _work(unit: Unit, report: Report) -> None:
    """What the fork does."""
    # Ctrl-C is told by who waits for the answer.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, terminate)
    try:
        answer = _answer(unit, report)
    except REFUSALS as error:
        report(Answered(refusal=str(error)))
        return
    except SolventError as error:
        report(Answered(problem=str(error) or type(error).__name__))
        return
    report(Answered(encoded(answer)))


def _answer(unit: Unit, report: Report) -> Json:
    if unit.here is not None:
        return unit.here(report)
    return perform(unit.kind, unit.data, report)


class Here:
    """This very process, for units that keep to their limits and tell all that they know.

    >>> naps = [Unit("nap", f"nap {n}", {"seconds": 0, "number": n}) for n in range(2)]
    >>> [(index, reply.answer["number"]) for index, _, reply in Here().run(naps)]
    [(0, 0), (1, 1)]
    """

    width = 1

    def run(
        self, units: Iterable[Unit | None], show: Show = lambda text: None
    ) -> Iterator[tuple[int, Unit, Reply]]:
        """Replies, one after the other."""
        for index, unit in enumerate(units):
            if unit is None:
                # There is none before a reply, and all have theirs.
                return
            show(progress(index, [(unit.name, "")]))
            started = time.monotonic()
            try:
                # As it would be if it had come from elsewhere, or from a journal.
                answer = decoded(encoded(_answer(unit, lambda text: None)))
            except REFUSALS:
                raise
            except SolventError as error:
                yield index, unit, Reply(problem=str(error), seconds=time.monotonic() - started)
            else:
                yield index, unit, Reply(answer, seconds=time.monotonic() - started)


class Local:
    """Processes of this machine, so many at a time."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    @property
    def width(self) -> int:
        """How many units are done at a time."""
        return self.jobs

    def run(
        self, units: Iterable[Unit | None], show: Show = lambda text: None
    ) -> Iterator[tuple[int, Unit, Reply]]:
        """Replies as they come, each with the number of its unit.

        Units are asked for when they can begin; `None` says that there is none before a reply.
        After Ctrl-C those that run say what they know, and then it is raised.

        >>> naps = [Unit("nap", f"nap {n}", {"seconds": 0.01 * n, "number": n}) for n in range(3)]
        >>> sorted((index, reply.answer["number"]) for index, _, reply in Local(2).run(naps))
        [(0, 0), (1, 1), (2, 2)]
        """
        waiting = enumerate(units)
        running: dict[int, Doing] = {}
        try:
            yield from self._replies(waiting, running, show)
        except KeyboardInterrupt as error:
            yield from last_words(running, error)
            raise
        finally:
            for doing in running.values():
                doing.stop()

    def _replies(
        self, waiting: Iterator[tuple[int, Unit | None]], running: dict[int, Doing], show: Show
    ) -> Iterator[tuple[int, Unit, Reply]]:
        done, more = 0, True
        while True:
            while more and len(running) < self.jobs:
                found = next(waiting, None)
                if found is None:
                    more = False
                elif found[1] is None:
                    break
                else:
                    running[found[0]] = Doing(found[1])
            if not running:
                return
            show(progress(done, [(one.unit.name, one.said) for one in running.values()]))
            wait_for([one.lane for one in running.values()], _PAUSE_SECONDS)
            for index, doing in list(running.items()):
                reply = doing.reply()
                if reply is not None:
                    del running[index]
                    done += 1
                    yield index, doing.unit, reply


def last_words(
    running: dict[int, Doing], error: KeyboardInterrupt
) -> Iterator[tuple[int, Unit, Reply]]:
    """What units that are interrupted know; they have not finished."""
    for doing in running.values():
        doing.interrupt(error)
    deadline = Deadline(LAST_WORDS_SECONDS)
    while running and not deadline.is_over:
        wait_for([one.lane for one in running.values()], _PAUSE_SECONDS)
        for index, doing in list(running.items()):
            reply = doing.reply()
            if reply is not None:
                del running[index]
                yield index, doing.unit, replace(reply, finished=False)
    for index, doing in list(running.items()):
        del running[index]
        doing.stop()
        yield index, doing.unit, stopped(doing.said)


def stopped(said: str) -> Reply:
    """The reply to a unit that was stopped, and did not say in time what it knows.

    >>> stopped("level 2").problem
    'it was stopped at: level 2'
    """
    problem = f"it was stopped at: {said}" if said else "it was stopped before it said anything"
    return Reply(problem=problem, finished=False)


def progress(done: int, running: list[tuple[str, str]]) -> str:
    """The live line.

    >>> progress(3, [("f", "level 2"), ("g", "")])
    '3 done, 2 running: f: level 2, g'
    """
    # No line is so wide, and a cluster has thousands of them.
    first = running[:_MOST_NAMED]
    texts = ", ".join(f"{name}: {said}" if said else name for name, said in first)
    return f"{done} done, {len(running)} running: {texts}"
