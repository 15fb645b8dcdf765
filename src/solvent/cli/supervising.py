"""Commands with a budget: the work is done in a fork, which ends when the time is over.

Not everything that works towards an answer can be interrupted: a program that is run, a formula
that is rewritten.  Engines are told how long they may take, and answer in time if they can.
Whatever does not is ended a moment later, and what it had covered by then is the answer.  This
process meanwhile prints what the fork prints, shows how far it is, and waits for Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from solvent.cli.common import report_stopped
from solvent.cli.progress import PAUSE_SECONDS, LiveLine, Work, live_line
from solvent.errors import InternalError
from solvent.race.lanes import Broken, Lane, Report, wait_for
from solvent.verdicts import stopped_by, stopped_code

# How long an engine that keeps to the budget by itself may need to say what it has found.
GRACE_SECONDS = 0.6

Run = Callable[[argparse.Namespace], int]


@dataclass(frozen=True, slots=True)
class Text:
    """What the fork prints, and whether it is an error."""

    text: str
    error: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """What the fork is doing, and what it has covered."""

    doing: str
    covered: str


@dataclass(frozen=True, slots=True)
class Done:
    """The exit code of the fork, and what it has printed last: both or nothing."""

    code: int
    text: str


class Sent(io.TextIOBase):
    """A stream whose text is reported: when it is flushed, or at once if it is for errors."""

    def __init__(self, report: Report, like: Any, error: bool) -> None:
        self._report = report
        self._error = error
        self._terminal = like is not None and like.isatty()
        self._encoding = getattr(like, "encoding", None) or "utf-8"
        self._pieces: list[str] = []

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream which it stands for."""
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._pieces.append(text)
        if self._error:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text = self.rest()
        if text:
            self._report(Text(text, self._error))

    def rest(self) -> str:
        """What was not reported yet."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


def supervised(options: argparse.Namespace, run: Run) -> int:
    """Run a command in a fork, at most as long as its budget says; its exit code."""
    work: Work = options.work
    with _surroundings() as fork, live_line(options.quiet) as line:
        with Lane("command", lambda report: _work(options, run, report, fork)) as lane:
            try:
                code = _watched(lane, line, work)
            except KeyboardInterrupt as error:
                lane.stop()
                line.clear()
                return report_stopped(options, stopped_by(error), stopped_code(error))
        line.clear()
        if code is None:
            return report_stopped(options, work.deadline.message, options.spent_code)
        return code


def _watched(lane: Lane, line: LiveLine, work: Work) -> int | None:
    """The exit code of the fork, or none if its time is over."""
    while True:
        # Asked before it is heard, so that nothing that it said is missed.
        ended = lane.ended
        for message in lane.received():
            match message:
                case Text(text, error):
                    line.clear()
                    print(text, end="", flush=True, file=sys.stderr if error else sys.stdout)
                case State(doing, covered):
                    work.doing, work.covered = doing, covered
                case Done(code, text):
                    line.clear()
                    print(text, end="", flush=True)
                    return code
                case Broken(reason=reason):
                    raise InternalError(f"the process of this command failed: {reason}")
        if ended:
            raise InternalError(f"the process of this command has no answer: {lane.death}")
        end = work.deadline.end
        if end is not None and work.deadline.spent() > (work.budget or 0) + GRACE_SECONDS:
            return None
        line.update(f"{work.deadline.spent():.0f} s  {work.doing}")
        wait_for([lane], PAUSE_SECONDS)


def _work(options: argparse.Namespace, run: Run, report: Report, fork: _Surroundings) -> None:
    """What the fork does."""
    if fork.given is not None:
        os.dup2(fork.given, 0)
    output = Sent(report, fork.output, error=False)
    sys.stdout, sys.stderr = output, Sent(report, fork.errors, error=True)
    options.work.watch = _Teller(report)
    code = run(options)
    report(Done(code, output.rest()))


class _Teller:
    """Reports what the fork is doing: at once if more is covered, else now and then."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last = 0.0
        self._covered = ""

    def __call__(self, work: Work) -> None:
        now = time.monotonic()
        if work.covered != self._covered or now - self._last >= PAUSE_SECONDS:
            self._last, self._covered = now, work.covered
            self._report(State(work.doing, work.covered))


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The streams of this process, which a lane is without."""

    given: int | None
    output: Any
    errors: Any


@contextlib.contextmanager
def _surroundings() -> Iterator[_Surroundings]:
    try:
        given = os.dup(0)
    except OSError:
        # There is no standard input.
        yield _Surroundings(None, sys.stdout, sys.stderr)
        return
    try:
        yield _Surroundings(given, sys.stdout, sys.stderr)
    finally:
        os.close(given)
