"""Trying a program: CPython runs the plain function on the inputs that a model gives.

This is done in the process of a lane, which ends with a program that takes too long, whatever that
is doing: the signal of the alarm is not caught.

>>> from solvent.queries.inputs import bind
>>> from solvent.terms import Int
>>> def inverse(x: int) -> float:
...     return 1 / x
>>> trial = Tries(Program(inverse, bind(inverse, (), {}))).of(Model({Int("x"): 0}))
>>> trial.outcome, trial.failure.kind, trial.failure.message
(<Outcome.FAILED: 'failed'>, 'ZeroDivisionError', 'division by zero')
"""

from __future__ import annotations

import contextlib
import enum
import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from solvent.queries.replay import NOT_ASSUMED, Replay, described, executed, message_of
from solvent.race.concrete import Call, Program
from solvent.terms.model import Model
from solvent.vm.exceptions import is_raised_on_purpose
from solvent.vm.machine import isolated

# How many seconds of the processor one run may take, and how many times that by the clock.
LIMIT = 0.5
PATIENCE = 4


class Outcome(enum.Enum):
    """What came of a run."""

    RETURNED = "returned"
    FAILED = "failed"
    NOT_ASSUMED = "not assumed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Failed:
    """How a program failed."""

    kind: str
    position: str
    message: str

    def is_like(self, other: Failed) -> bool:
        """Whether it is the same failure, perhaps with other inputs."""
        if self.kind != other.kind:
            return False
        # Where the stack is full is no property of the program.
        return self.position == other.position or self.kind == "RecursionError"


@dataclass(frozen=True, slots=True)
class Trial:
    """A run of the program."""

    outcome: Outcome
    failure: Failed | None = None
    problem: str = ""
    # What CPython did, if the program failed.
    replay: Replay | None = None


# Whether an exception that escapes is a failure, and not meant.
IsFailure = Callable[[BaseException], bool]


def always(_: BaseException) -> bool:
    """Any exception is a failure."""
    return True


class Tries:
    """Runs a program, in a lane with a limit of time."""

    def __init__(
        self, program: Program, limit: float | None = None, is_failure: IsFailure = always
    ) -> None:
        self.program = program
        self.limit = limit
        self.is_failure = is_failure
        self.pid = os.getpid()

    def of(self, model: Model, call: Call | None = None) -> Trial:
        """Run it on the inputs under a model, whose arguments may be known already."""
        with self._guarded():
            trial = self._tried(model, call or self.program.call(model))
        if os.getpid() != self.pid:
            # The program has forked, and this is the copy.
            os._exit(0)
        return trial

    def _tried(self, model: Model, call: Call) -> Trial:
        replayed = self._replayed(model, call)
        if not _lacks_stack(replayed):
            return self._judged(replayed)
        # What is left of the stack here is less than a program of its own has.
        found: list[Replay] = []
        thread = threading.Thread(target=lambda: found.append(self._replayed(model, call)))
        thread.start()
        thread.join()
        return self._judged(found[0])

    def _judged(self, replayed: Replay) -> Trial:
        error = replayed.exception
        if replayed.returned or (error is not None and not self.is_failure(error)):
            return Trial(Outcome.RETURNED)
        return _judged(replayed)

    def _replayed(self, model: Model, call: Call) -> Replay:
        try:
            function = self.program.function_under(model)
            args, named = self.program.made(call)
        except Exception as error:
            return Replay(None, problem=described(error))
        return _executed(function, args, named, model)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        if self.limit is None:
            yield
            return
        # A process that waits takes no time of the processor, and one that is not served neither.
        signal.setitimer(signal.ITIMER_PROF, self.limit)
        signal.setitimer(signal.ITIMER_REAL, self.limit * PATIENCE)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)


_executed = isolated(executed)


def be_mortal() -> None:
    """Let the alarm end this process, whatever it was told before."""
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})


def _lacks_stack(replayed: Replay) -> bool:
    """Whether a program failed because it was called too deep, or perhaps is so itself."""
    causes = _causes(replayed.exception)
    return any(isinstance(e, RecursionError) and not is_raised_on_purpose(e) for e in causes)


def _judged(replayed: Replay) -> Trial:
    """What a run came to that did not end well."""
    if replayed.returned is None:
        is_assumed = replayed.problem != NOT_ASSUMED
        return Trial(
            Outcome.UNKNOWN if is_assumed else Outcome.NOT_ASSUMED, problem=replayed.problem
        )
    for cause in _causes(replayed.exception):
        lacks_memory = isinstance(cause, MemoryError) or _lacks_threads(cause)
        if lacks_memory and not is_raised_on_purpose(cause):
            return Trial(Outcome.UNKNOWN, problem="it needs more memory than it is given")
        if isinstance(cause, OSError) and cause.errno == errno.EBADF:
            return Trial(Outcome.UNKNOWN, problem="it uses a file or connection opened before")
    error = replayed.exception
    failure = Failed(type(error).__name__, replayed.position, message_of(error))
    return Trial(Outcome.FAILED, failure, replay=replayed)


def _lacks_threads(error: BaseException) -> bool:
    """Whether there was no memory for the stack of one more thread."""
    return isinstance(error, RuntimeError) and str(error) == "can't start new thread"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and those during whose handling it was raised."""
    seen: set[int] = set()
    pending = [error]
    while pending:
        found = pending.pop()
        if found is not None and id(found) not in seen:
            seen.add(id(found))
            yield found
            pending += [found.__cause__, found.__context__]
