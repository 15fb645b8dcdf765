"""How far a command is: the live line on a terminal, and what it has covered so far.

The line is on standard error, is written anew in place, and is gone when the command is done.
Nothing is shown anywhere else.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from solvent.verdicts import Deadline

# How often the line changes at most.
PAUSE_SECONDS = 0.1
_CLEAR = "\r\x1b[2K"
# No solver can be asked in less time.
_LEAST_SECONDS = 0.01


class LiveLine:
    """One line that is written over and over.

    >>> import io
    >>> line = LiveLine(io.StringIO(), width=12)
    >>> line.update("level 2 of 3 of 4")
    >>> line.stream.getvalue().endswith("level 2 of 3")
    False
    >>> line.stream.getvalue().endswith("level 2 of…")
    True
    """

    def __init__(self, stream: TextIO | None, width: int | None = None) -> None:
        self.stream = stream
        self._width = width
        self._last = 0.0
        self._shown = False

    def update(self, text: object) -> None:
        """Show a text, unless the last change was a moment ago."""
        now = time.monotonic()
        if self.stream is None or now - self._last < PAUSE_SECONDS:
            return
        self._last = now
        width = (self._width or shutil.get_terminal_size().columns) - 1
        line = str(text)
        if len(line) > width:
            line = line[: width - 1] + "…"
        self.stream.write(_CLEAR + line)
        self.stream.flush()
        self._shown = True

    def clear(self) -> None:
        """Take the line away."""
        if self._shown and self.stream is not None:
            self.stream.write(_CLEAR)
            self.stream.flush()
            self._shown = False


def is_shown(quiet: bool) -> bool:
    """Whether somebody is looking, and wants to see something."""
    return not quiet and sys.stderr is not None and sys.stderr.isatty()


def is_supervised(options: argparse.Namespace) -> bool:
    """Whether a command is watched: it has a budget, or somebody sees how far it is."""
    if not getattr(options, "supervised", False):
        return False
    return options.budget is not None or is_shown(options.quiet)


@contextmanager
def live_line(quiet: bool = False) -> Iterator[LiveLine]:
    """A live line while something is done, if somebody is looking."""
    line = LiveLine(sys.stderr if is_shown(quiet) else None)
    try:
        yield line
    finally:
        line.clear()


class Work:
    """What a command is doing now, what it has covered, and until when it may go on.

    >>> work = Work(60)
    >>> work.update("round 3", covered="2 guesses were refuted")
    >>> work.doing, work.covered, work.within(5), 59 < work.within(None) <= 60
    ('round 3', '2 guesses were refuted', 5, True)
    >>> Work().within(None) is None
    True
    """

    def __init__(self, budget: float | None = None) -> None:
        self.budget = budget
        message = "" if budget is None else f"the budget of {budget:g} s is spent"
        self.deadline = Deadline(budget, message)
        self.doing = ""
        self.covered = ""
        # Who is told of changes.
        self.watch: Callable[[Work], object] | None = None

    def update(self, doing: str, covered: str = "") -> None:
        """Say what is done now, and what is known by now if that is more than before."""
        self.doing = doing
        self.covered = covered or self.covered
        if self.watch is not None:
            self.watch(self)

    def within(self, seconds: float | None) -> float | None:
        """So many seconds, or those that are left if they are fewer; `None` without a limit."""
        left = self.deadline.left()
        if left is None:
            return seconds
        left = max(left, _LEAST_SECONDS)
        return left if seconds is None else min(seconds, left)
