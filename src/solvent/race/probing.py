"""Probes: the plain function in CPython on drawn inputs, in processes that are limited and watched.

`probe` is what the process of a lane does.  `Probes` is the side of who waits for it: it starts the
lane again after a probe that ended it or took too long, a few times, and lets a new process confirm
each failure, since what earlier probes changed in this one may have had a part in it.

>>> from solvent.queries.inputs import bind
>>> def mean(numbers: list[float]) -> float:
...     return sum(numbers) / len(numbers)
>>> with Probes(mean, bind(mean, (), {})) as probes:
...     probes.wait(20)
>>> for found in probes.failures:
...     print(found.failure.kind, probes.program.text(found.model))
ZeroDivisionError ([])
>>> probes.tried > 100, probes.reached, probes.endless
(True, None, [])
"""

from __future__ import annotations

import gc
import mmap
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from solvent.queries.inputs import Inputs
from solvent.queries.replay import Replay, relative
from solvent.race.concrete import Program
from solvent.race.drawing import MOST, drawn_calls
from solvent.race.effects import Reached, Watch
from solvent.race.hints import Hints, hints_of
from solvent.race.lanes import Broken, Lane, Report, sendable, wait_for
from solvent.race.pools import MODERATE
from solvent.race.shrinking import smaller
from solvent.race.trying import (
    LIMIT,
    PATIENCE,
    Failed,
    IsFailure,
    Outcome,
    Trial,
    Tries,
    always,
    be_mortal,
)
from solvent.terms.model import Model
from solvent.verdicts import Deadline
from solvent.vm.values import Value

# How much more memory than the process has now a program may use.
MEMORY = 1 << 29
# How often the lane is started again after a probe that ended it or took too long.
RESTARTS = 6
# After one that took too long, others get less time.
_IMPATIENT = 0.1
# The signals by which a lane ends that takes too long.
_ALARMS = ("SIGALRM", "SIGPROF")
# If nothing is known after so many, nothing will be known later.
_HOPELESS = 30


@dataclass(frozen=True, slots=True)
class Probed:
    """Inputs with which the program fails."""

    model: Model
    failure: Failed
    # What a process saw that had done nothing else, without the exception if it cannot be sent.
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class Smaller:
    """Smaller inputs with which it fails in the same way as with some before."""

    place: int
    found: Probed


@dataclass(frozen=True, slots=True)
class Settled:
    """The inputs of a failure do not get any smaller."""

    place: int


@dataclass(frozen=True, slots=True)
class Last:
    """The inputs with which the lane before ended."""

    model: Model


@dataclass(frozen=True, slots=True)
class Done:
    """All drawn inputs were tried."""


# How many bytes there are for numbers, and for what a probe is made on.
_NUMBERS = 5 * 8
_ROOM = 1 << 16


class Progress:
    """How far a lane is, in memory that it has in common with who waits for it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _NUMBERS + _ROOM)
        self._numbers = memoryview(self._memory)[:_NUMBERS].cast("q")

    def at(self, number: int) -> None:
        """A probe begins."""
        self._numbers[0] = number
        self._numbers[3] += 1

    def busy(self) -> None:
        """Something else begins that may take long."""
        self._numbers[3] += 1

    def count(self, is_known: bool) -> None:
        """A probe has ended."""
        self._numbers[1 if is_known else 2] += 1

    def keep(self, data: bytes) -> None:
        """What must be known if the process ends now; nothing that is too long."""
        self._numbers[4] = 0
        if len(data) <= _ROOM:
            self._memory[_NUMBERS : _NUMBERS + len(data)] = data
            self._numbers[4] = len(data)

    @property
    def kept(self) -> bytes:
        """What was to be known when the process ended."""
        return self._memory[_NUMBERS : _NUMBERS + self._numbers[4]]

    @property
    def number(self) -> int:
        """The probe that began last."""
        return self._numbers[0]

    @property
    def tried(self) -> int:
        """How many probes said something about the program."""
        return self._numbers[1]

    @property
    def unknown(self) -> int:
        """How many said nothing."""
        return self._numbers[2]

    @property
    def steps(self) -> int:
        """Changes whenever something begins."""
        return self._numbers[3]


# Seconds for the first failure to be confirmed by another process.
_PAUSE = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """What a lane is to do."""

    most: int = MOST
    # The probes before this one have been made.
    start: int = 0
    limit: float = LIMIT
    # Whether numbers are left out over which a loop takes long.
    cautious: bool = False
    # Failures that are known already.
    known: tuple[Failed, ...] = ()
    is_failure: IsFailure = always
    # How many seconds may pass between two probes.
    pause: float = 1.0
    # Whether nothing more is tried: only what was last is told.
    over: bool = False


def guarded(
    program: Program, report: Report, limit: float, is_failure: IsFailure = always
) -> Tries:
    """Runs a program in the process of a lane, from now on without effects outside of it."""
    return watched(program, report, limit, is_failure)[0]


def watched(
    program: Program, report: Report, limit: float, is_failure: IsFailure = always
) -> tuple[Tries, Watch]:
    """What runs a program like `guarded`, and what looks for effects."""
    be_mortal()
    # What was there before need not be looked at, and so not be copied into this process.
    gc.freeze()
    quiet = open(os.devnull, "w")  # noqa: SIM115
    sys.stdout = sys.stderr = quiet
    watch = Watch(report)
    return Tries(program, limit, is_failure), watch


def probe(program: Program, hints: Hints, plan: Plan, progress: Progress, report: Report) -> None:
    """Try a program on drawn inputs; what fails is reported, and then made smaller."""
    tries = guarded(program, report, plan.limit, plan.is_failure)
    known = list(plan.known)
    for number, (model, call) in enumerate(drawn_calls(program, hints, plan.most)):
        if number == plan.start - 1:
            report(Last(model))
        if number >= plan.start and plan.over:
            return
        if number < plan.start or (plan.cautious and is_big(model)):
            continue
        progress.at(number)
        trial = tries.of(model, call)
        progress.count(trial.outcome in (Outcome.RETURNED, Outcome.FAILED))
        failure = trial.failure
        if failure is not None and not any(failure.is_like(other) for other in known):
            known.append(failure)
            report(Probed(model, failure))
            shrink(tries, Probed(model, failure), len(known) - 1, progress, report)
            if len(known) == 1:
                # It is confirmed meanwhile, and mostly that is the end of this process.
                time.sleep(_PAUSE)
        if not progress.tried and progress.unknown >= _HOPELESS:
            break
    report(Done())


def shrink(tries: Tries, found: Probed, place: int, progress: Progress, report: Report) -> None:
    """Report ever smaller inputs that fail in the same way."""
    latest = found.failure

    def fails(model: Model) -> bool:
        nonlocal latest
        progress.busy()
        failure = tries.of(model).failure
        if failure is None or not failure.is_like(found.failure):
            return False
        latest = failure
        return True

    def improved(model: Model) -> None:
        report(Smaller(place, Probed(model, latest)))

    smaller(tries.program, found.model, fails, improved=improved)
    report(Settled(place))


# What the process of a lane does with a plan.
Work = Callable[[Program, Hints, Plan, Progress, Report], None]


def is_big(model: Model) -> bool:
    """Whether there is a number over which a loop may take long."""
    return any(type(value) is int and abs(value) > MODERATE for value in model.to_dict().values())


def memory_limit() -> int:
    """How much memory a lane may use: what this process has now, and some more."""
    try:
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
    except OSError:
        pages = MEMORY // os.sysconf("SC_PAGE_SIZE")
    return pages * os.sysconf("SC_PAGE_SIZE") + MEMORY


@dataclass(slots=True)
class _Candidate:
    """A failure with the inputs of it that are known, the best one last."""

    failure: Failed
    versions: list[Probed]
    settled: bool = False
    lane: Lane | None = None


class Probes:
    """Probing from outside: `wait`, or `advance` whenever one of the `lanes` has something to say.

    `failures` has those that a new process has confirmed, with inputs as small as were found.
    """

    def __init__(
        self,
        function: Callable[..., Value],
        inputs: Inputs,
        *,
        most: int = MOST,
        limit: float = LIMIT,
        restarts: int = RESTARTS,
        deadline: Deadline | None = None,
        is_failure: IsFailure = always,
        work: Work | None = None,
        pause: float = 1.0,
    ) -> None:
        self.program = Program(function, inputs)
        self._work = work or probe
        self.hints = hints_of(function)
        self.deadline = deadline
        self.failures: list[Probed] = []
        # Failures that no process showed which had done nothing else before.
        self.unstable: list[Probed] = []
        # Inputs with which the program did not end in time, and those that ended its process.
        self.endless: list[Model] = []
        self.deadly: list[tuple[Model, str]] = []
        self.reached: Reached | None = None
        # Why there was no probing, or not to its end.
        self.problem = ""
        self.cpu = 0.0
        self.complete = False
        self._plan = Plan(most, limit=limit, is_failure=is_failure, pause=pause)
        # How the lane ended before, as long as it is not known with which inputs.
        self._death = ""
        self._restarts = restarts
        self._progress = Progress()
        self._candidates: list[_Candidate] = []
        self._memory = memory_limit()
        self._lane: Lane | None = None
        self._watched = (0, 0.0)
        if self.hints.opened:
            self.reached = Reached("open", f"the variable {self.hints.opened}")
        else:
            self._start()

    @property
    def tried(self) -> int:
        """On how many inputs the program was run, and returned or failed."""
        return self._progress.tried

    @property
    def unknown(self) -> int:
        """With how many inputs nothing is known."""
        return self._progress.unknown

    @property
    def lanes(self) -> list[Lane]:
        """The processes that run."""
        found = [self._lane, *(candidate.lane for candidate in self._candidates)]
        return [lane for lane in found if lane is not None]

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return not self.lanes

    def seen(self) -> tuple[str, ...]:
        """What inputs came to that neither returned nor failed, in words."""
        text = self.program.text
        found = [f"with {text(model)} {death}" for model, death in self.deadly]
        found += [f"with {text(model)} it took too long" for model in self.endless]
        for one in self.unstable:
            where = f"{one.failure.kind} at {relative(one.failure.position)}"
            found.append(f"{where} only after other calls in the same process")
        return tuple(found)

    def wait(self, seconds: float) -> None:
        """Wait for the end, at most for so long; what runs then is stopped."""
        deadline = Deadline(seconds)
        while not self.ended and not deadline.is_over:
            wait_for(self.lanes, deadline.up_to(0.2))
            self.advance()
        self.stop()

    def advance(self) -> None:
        """Take what the processes have said, and start others where that is needed."""
        if self.deadline is not None and self.deadline.is_over:
            self.stop()
        if self._lane is not None:
            self._listen(self._lane)
        for candidate in self._candidates:
            self._check(candidate)

    def stop(self) -> None:
        """End all that runs."""
        for lane in self.lanes:
            self._end(lane)
        self._lane = None
        for candidate in self._candidates:
            candidate.lane = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # --- the lane that probes ---------------------------------------------------------------------

    def _start(self) -> None:
        program, hints, plan, progress = self.program, self.hints, self._plan, self._progress

        def work(report: Report) -> None:
            self._work(program, hints, plan, progress, report)

        self._lane = Lane("probes", work, self._memory, alone=True)
        self._watched = (-1, time.monotonic())

    def _listen(self, lane: Lane) -> None:
        for message in lane.received():
            self._take(message)
        if lane.ended:
            self._end(lane)
            self._lane = None
            if not self.complete and not self._plan.over and self.reached is None:
                self._died(lane.death)
        elif self._is_stuck():
            self._end(lane)
            self._lane = None
            self._died(_ALARMS[0])

    def _take(self, message: object) -> None:
        if isinstance(message, Probed):
            self._candidates.append(_Candidate(message.failure, [message]))
        elif isinstance(message, Smaller):
            self._candidates[message.place].versions.append(message.found)
        elif isinstance(message, Settled):
            self._candidates[message.place].settled = True
        elif isinstance(message, Last):
            self._note(message.model)
        elif isinstance(message, Reached):
            self.reached = message
        elif isinstance(message, Broken):
            self.problem = message.reason
        elif isinstance(message, Done):
            self.complete = True

    def _is_stuck(self) -> bool:
        """Whether a program has got rid of the alarm that was to end it."""
        now = time.monotonic()
        if self._progress.steps != self._watched[0]:
            self._watched = (self._progress.steps, now)
        return now - self._watched[1] > self._plan.limit * PATIENCE + self._plan.pause

    def _died(self, death: str) -> None:
        """Go on after the inputs with which the lane ended."""
        shrinking = [candidate for candidate in self._candidates if not candidate.settled]
        for candidate in shrinking:
            # Smaller inputs ended it: those that are known will do.
            candidate.settled = True
        self._death = "" if shrinking else death or "it ended the process"
        if self.problem:
            return
        if self._restarts <= 0:
            self.problem = "too many of them did not return"
        self._restarts -= 1
        plan = self._plan
        is_endless = any(alarm in death for alarm in _ALARMS)
        self._plan = replace(
            plan,
            start=self._progress.number + 1,
            limit=min(plan.limit, _IMPATIENT) if is_endless else plan.limit,
            cautious=plan.cautious or is_endless,
            known=tuple(candidate.failure for candidate in self._candidates),
            over=bool(self.problem),
        )
        self._start()

    def _note(self, model: Model) -> None:
        """Remember the inputs with which the lane before ended."""
        if any(alarm in self._death for alarm in _ALARMS):
            self.endless.append(model)
        elif self._death:
            self.deadly.append((model, self._death))

    # --- confirming -------------------------------------------------------------------------------

    def _check(self, candidate: _Candidate) -> None:
        """Let a new process run the best inputs of a failure, then those before."""
        if candidate.settled and candidate.lane is None and candidate.versions:
            candidate.lane = self._confirming(candidate.versions[-1])
        lane = candidate.lane
        if lane is None:
            return
        found = [message for message in lane.received() if isinstance(message, Probed)]
        if not found and not lane.ended:
            return
        self._end(lane)
        candidate.lane = None
        best = candidate.versions.pop()
        if found and found[0].failure.is_like(best.failure):
            candidate.versions.clear()
            self.failures.append(found[0])
        elif candidate.versions:
            # The inputs that were found first are the last chance.
            del candidate.versions[1:]
            candidate.lane = self._confirming(candidate.versions[-1])
        else:
            self.unstable.append(best)

    def _confirming(self, found: Probed) -> Lane:
        return confirming(self.program, found.model, self._memory, self._plan.is_failure)

    def _end(self, lane: Lane) -> None:
        lane.stop()
        self.cpu += lane.cpu


def confirming(program: Program, model: Model, memory: int, is_failure: IsFailure = always) -> Lane:
    """A lane in which nothing has run yet, and which reports how the program fails."""

    def work(report: Report) -> None:
        trial = guarded(program, report, LIMIT, is_failure).of(model)
        if trial.failure is not None:
            report(Probed(model, trial.failure, _sent(trial)))

    return Lane("confirming", work, memory, alone=True)


def _sent(trial: Trial) -> Replay | None:
    """What CPython did, so that another process can read it."""
    seen = trial.replay
    if seen is None or seen.exception is None:
        return seen
    return replace(seen, value=None, exception=sendable(seen.exception))


def shrunk(
    function: Callable[..., Value],
    inputs: Inputs,
    model: Model,
    deadline: Deadline,
    is_failure: IsFailure = always,
) -> Probed | None:
    """The smallest inputs found in time that fail as those of a model do, which may be these.

    Nothing if CPython does not fail with those of the model, or reaches out of its process.
    """
    program, progress = Program(function, inputs), Progress()
    memory = memory_limit()

    def work(report: Report) -> None:
        tries = guarded(program, report, LIMIT, is_failure)
        trial = tries.of(model)
        if trial.failure is not None:
            first = Probed(model, trial.failure, _sent(trial))
            report(first)
            shrink(tries, first, 0, progress, report)

    found: list[Probed] = []
    with Lane("shrinking", work, memory, alone=True) as lane:
        for message in heard(lane, deadline):
            if isinstance(message, Probed):
                found.append(message)
            elif isinstance(message, Smaller):
                found.append(message.found)
    if len(found) < 2:
        return found[0] if found else None
    best = found[-1]
    with confirming(program, best.model, memory, is_failure) as lane:
        for message in heard(lane, deadline):
            if isinstance(message, Probed) and message.failure.is_like(best.failure):
                return message
    return found[0]


def heard(lane: Lane, deadline: Deadline) -> Iterator[object]:
    """What a lane says until it ends, or until it is too late."""
    while not lane.ended and not deadline.is_over:
        wait_for([lane], deadline.up_to(60))
        yield from lane.received()
