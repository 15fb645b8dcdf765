"""One input at a time, with limits: what comes of it, and the smallest input that goes wrong.

An input is accepted, or refused with a `SolventError` of a few lines.  Anything else is a failure:
another exception, a mistake in Solvent itself, too much memory, too much time.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from solvent.errors import InternalError, SolventError

# How many inputs of each format; how many formulas and models are tried follows from it.
INPUTS = int(os.environ.get("SOLVENT_FUZZ", "200"))
SEED = os.environ.get("SOLVENT_SEED", "1")

# Seconds of processor time, and bytes beyond what the process has, for one input.
SECONDS = 20.0
MEMORY = 2 << 30
LONGEST_LINE = 1_000
# Inputs that are tried to find a smaller one that fails alike.
SHRINKINGS = 300


def source(*names: object) -> Random:
    """Random decisions that depend on names and on the seed of the run only."""
    return Random("/".join(map(str, (SEED, *names))))


class TooLong(BaseException):
    """An input took too much processor time."""


def _too_long(signum: int, frame: FrameType | None) -> None:
    raise TooLong(f"more than {SECONDS} seconds of processor time")


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what takes too much time or memory."""
    before = signal.signal(signal.SIGPROF, _too_long)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def outcome(read: Callable[[Any], object], text: Any) -> str:
    """`accepted`, `refused`, or what went wrong."""
    try:
        with limited():
            read(text)
    except InternalError as error:
        return f"InternalError: {error}"
    except SolventError as error:
        try:
            longest = max(map(len, str(error).splitlines()), default=0)
        except Exception as second:
            return f"{type(error).__name__} that cannot be printed: {type(second).__name__}"
        return "refused" if longest <= LONGEST_LINE else f"a message with {longest} characters"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever it is, it must not reach a user
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "accepted"


def _kind(result: str) -> str:
    return result.partition(":")[0]


def shrunk(read: Callable[[Any], object], text: Any, result: str) -> Any:
    """A smaller input that fails alike: parts are left out as long as that is so."""
    tries = 10 if _kind(result) == "TooLong" else SHRINKINGS
    size = max(1, len(text) // 2)
    while size:
        start = 0
        while start < len(text):
            if not tries:
                return text
            tries -= 1
            smaller = text[:start] + text[start + size :]
            if _kind(outcome(read, smaller)) == _kind(result):
                text = smaller
            else:
                start += size
        size //= 2
    return text


@dataclass
class Tally:
    """How often each outcome was seen, and the first failures of each kind."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)

    def add(self, read: Callable[[Any], object], text: Any, seed: object) -> None:
        """Try one input."""
        result = outcome(read, text)
        self.counts[_kind(result)] += 1
        if result not in ("accepted", "refused") and _kind(result) not in self.failures:
            small = shrunk(read, text, result)
            self.failures[_kind(result)] = f"{result}\n  input {seed}, made smaller: {small!r}"

    def fail(self, kind: str, text: str) -> None:
        """Note what went wrong, which is shown once for each kind."""
        self.failures.setdefault(kind, text)

    def check(self) -> None:
        """Print the counts, and complain about the failures."""
        print(f"{self.name}: {dict(self.counts)}")
        assert not self.failures, "\n".join(
            [f"{self.name}, {dict(self.counts)}", *self.failures.values()]
        )
