"""A query's context in one or several solver processes: what has been sent, and the race.

The stack of assertions lives in this process.  A context is a cache of it elsewhere: if a process
was killed, is busy with another query or has forgotten the context, everything is sent again.
With several members (a portfolio) all get the same requests and the first answer counts.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solvent.errors import NoModelError, SolverError, SolverMissingError, UnsupportedError
from solvent.solvers.choose import Spec, check_mode, choose
from solvent.solvers.encode import Encoder, decode_function, decode_value, features_near
from solvent.solvers.here import HERE, Here, is_understood
from solvent.solvers.process import (
    INTERRUPT_SECONDS,
    SLICE_SECONDS,
    Reply,
    SolverProcess,
    pool,
    wait_for_any,
    wait_until_started,
    with_grace,
)
from solvent.solvers.questions import Attempt
from solvent.solvers.rows import Command, Data, Figures
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.model import Constant
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue
from solvent.verdicts import Deadline

_numbers = itertools.count()

# A formula with None, or an objective with whether it is to be maximized.
Entry = tuple[Any, bool | None]


class Frame:
    """The assertions and objectives between two pushes."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: list[Entry] = []


class Entries(list[Entry]):
    """New assertions and objectives of the frame on top."""


def changes(sent: list[tuple[Frame, int]], frames: Sequence[Frame]) -> Iterator[Command | Entries]:
    """What has changed since frames were sent: `("pop", n)`, `("push",)` and new entries.

    `sent` lists the frames that were sent and how many of their entries; it is brought up to date.
    """
    common = 0
    for (known, _), frame in zip(sent, frames, strict=False):
        if known is not frame:
            break
        common += 1
    if common < len(sent):
        yield ("pop", len(sent) - common)
        del sent[common:]
    for position, frame in enumerate(frames):
        if position == len(sent):
            # The lowest frame is there without a push.
            if position:
                yield ("push",)
            sent.append((frame, 0))
        yield Entries(frame.entries[sent[position][1] :])
        sent[position] = (frame, len(frame.entries))


# The values of constants, of functions, and the constants whose values are not exact.
ModelParts = tuple[dict[Term, Concrete], dict[FunctionSymbol, FunctionValue], list[Constant]]


class Backend(ABC):
    """What a `Solver` needs of the place where its checks are made."""

    # Seconds spent on turning terms into what is sent, and how many nodes were sent.
    conversion_seconds = 0.0
    # What each solver did at the last check.
    attempts: Sequence[Attempt] = ()
    # Whether a model will be asked for if there is one: it comes with the answer then.
    wants_model = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The solver that gave the last answer, or will give the first."""

    @property
    @abstractmethod
    def nodes(self) -> int:
        """How many terms have been converted so far."""

    def prepare(self, about: Guard = True) -> None:
        """Start what a check, most likely about such a condition, will need; do not wait for it."""
        return

    @abstractmethod
    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        """The status of the frames with the assumptions, and the reason if it is unknown."""

    @abstractmethod
    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        """The model of the last check; like the following, None if it has been lost.

        If only some constants are wanted, others may be left out.
        """

    @abstractmethod
    def core(self) -> list[Guard] | None:
        """The assumptions in the core of the last check."""

    @abstractmethod
    def objectives(self) -> list[Data] | None:
        """The best values of the last check as plain data."""

    def total_conversion_seconds(self) -> float:
        """Seconds spent on conversion, in the solver's process too."""
        return self.conversion_seconds

    @abstractmethod
    def figures(self) -> Figures:
        """The solver's own figures."""

    @abstractmethod
    def reset(self) -> None:
        """Forget what was sent: the next check sends everything again."""

    @abstractmethod
    def abandon(self) -> None:
        """End all processes, whatever they are doing."""

    @abstractmethod
    def close(self) -> None:
        """Let the processes forget the query."""


class Context(Backend):
    """What the processes of some solvers know of a query.

    Without solvers given, the theories of the query choose one, at each check anew.
    """

    def __init__(self, specs: Sequence[Spec] | None, memory: int, abstract: bool = False) -> None:
        self._automatic = specs is None
        self._abstract = abstract
        self._given_up = False
        self.specs = list(specs or [Spec("z3")])
        self._memory = memory
        self._assumptions: dict[int, Guard] = {}
        self._processes: list[SolverProcess | None] = [None] * len(self.specs)
        # Those of them that are ours alone at the moment.
        self._leased: list[SolverProcess] = []
        self._winner = 0
        # What members of the race have said: status, reason, after how many seconds.
        self._told: dict[int, tuple[str, str, float]] = {}
        # The model that came with the last answer, as data.
        self._model: Data = None
        # When the last check was sent, if it has been.
        self.asked_since: float | None = None
        # The limit of the last check, which holds for questions about its answer too.
        self._seconds: float | None = None
        self.reset()

    def reset(self) -> None:
        # Whether it is known what has been sent: not during an exchange, and if one never ended.
        self._settled = True
        self._number = next(_numbers)
        self._open = False
        self._sent: list[tuple[Frame, int]] = []
        # What the processes have not been told, since questions were answered in this one.
        self._unsent: list[Command] = []
        self._here = Here()
        self._answered_here = False
        # Members that lack a theory of the query, which are not asked again.
        self._refusals: dict[int, UnsupportedError] = {}
        self.encoder = Encoder(self._abstract)

    def prepare(self, about: Guard = True) -> None:
        # If the theories are to choose, what is known of them tells; else it is the generalist.
        specs = self.specs
        if self._automatic and isinstance(about, Term):
            features = features_near(about)
            if is_understood(features):
                # Most likely no process will be needed.
                return
            specs = [choose(features)]
        for spec in specs:
            with contextlib.suppress(SolverMissingError):
                pool.prepare(spec.name, self._memory)

    @property
    def name(self) -> str:
        return HERE if self._answered_here else str(self.specs[self._winner])

    @property
    def nodes(self) -> int:
        return self.encoder.nodes

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        self._seconds = seconds
        attempts: list[Attempt] = []
        self.attempts = attempts
        self._model = None
        self._answered_here = False
        self.asked_since = None
        while True:
            if not self._settled:
                self.reset()
            self._settled = False
            commands, numbers = self._prepare_for_solver(frames, assumptions)
            self._unsent += commands
            self._assumptions = dict(zip(numbers, assumptions, strict=True))
            deadline = Deadline(seconds)
            found = self._tried_here(commands, numbers, deadline, interrupted, attempts)
            if found is not None:
                return found
            left = deadline.left()
            if not self._lease():
                self.reset()
                self._settled = False
                self._unsent, numbers = self._prepare(frames, assumptions)
                self._assumptions = dict(zip(numbers, assumptions, strict=True))
            if not wait_until_started(self._leased, interrupted):
                self._release()
                return "unknown", "interrupted"
            self._start(numbers, left)
            self.asked_since = started = time.perf_counter()
            self._told = {}
            reply = self._finish(left, interrupted)
            if reply is None:
                continue
            attempts += self._attempts(time.perf_counter() - started)
            self._settled = True
            status, reason = (reply.result or ("unknown", reply.reason))[:2]
            if reason == "incomplete" and self._automatic and self.specs != [Spec("z3")]:
                # The specialist gave up: let the generalist try.
                self._given_up = True
                continue
            if reason == "interrupted" and not interrupted():
                # Z3 calls it so too when its own clock has stopped it.
                reason = "timeout"
            return status, reason

    def check_here(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        deadline: Deadline,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str] | None:
        """The answer of a short attempt in this process, `None` if others have to be asked."""
        attempts: list[Attempt] = []
        self.attempts = attempts
        self._answered_here = self._settled = False
        commands, numbers = self._prepare(frames, assumptions)
        self._unsent += commands
        self._assumptions = dict(zip(numbers, assumptions, strict=True))
        return self._tried_here(commands, numbers, deadline, interrupted, attempts)

    def _tried_here(
        self,
        commands: list[Command],
        assumptions: list[int],
        deadline: Deadline,
        interrupted: Callable[[], bool],
        attempts: list[Attempt],
    ) -> tuple[str, str] | None:
        """The answer of a short attempt in this process, if it has one.

        Who chooses a solver is not told what another one says, and a process that knows the query
        already is as quick.
        """
        if not self._automatic or self._abstract or self._open or self._given_up:
            return None
        features = self.encoder.features
        found = self._here.answer(commands, assumptions, features, deadline, interrupted)
        if self._here.attempt is not None:
            attempts.append(self._here.attempt)
        if found is not None:
            self._answered_here = self._settled = True
            return found, ""
        if deadline.is_over or interrupted():
            self._settled = True
            return "unknown", "interrupted" if interrupted() else "timeout"
        return None

    def _attempts(self, elapsed: float) -> Iterator[Attempt]:
        """What each member has said, or that it was not waited for."""
        for place, spec in enumerate(self.specs):
            refusal = self._refusals.get(place)
            status, reason, seconds = self._told.get(place, ("nothing", "it was stopped", elapsed))
            if refusal is not None:
                status, reason = "nothing", str(refusal)
            yield Attempt(str(spec), status, reason, seconds)

    def _prepare_for_solver(
        self, frames: Sequence[Frame], assumptions: Sequence[Guard]
    ) -> tuple[list[Command], list[int]]:
        """Prepare, and choose the solver by what the query contains."""
        started = time.perf_counter()
        prepared = self._prepare(frames, assumptions)
        features = self.encoder.features
        if self._automatic:
            goals = any(goal is not None for frame in frames for _, goal in frame.entries)
            spec = Spec("z3") if goals or self._given_up else choose(features)
            if self.specs != [spec]:
                if self._open:
                    self.close()
                    self.reset()
                    prepared = self._prepare(frames, assumptions)
                # What has been encoded and not been sent fits any solver.
                self.specs = [spec]
                self._processes = [None]
        for spec in self.specs:
            check_mode(spec, features)
        self.conversion_seconds += time.perf_counter() - started
        return prepared

    def features_of(self, frames: Sequence[Frame], assumptions: Sequence[Guard]) -> set[str]:
        """What a query contains; it is encoded here, and sent by the next check."""
        started = time.perf_counter()
        for frame in frames:
            self.encoder.encode(term for term, _ in frame.entries)
        self.encoder.encode(assumptions)
        self.conversion_seconds += time.perf_counter() - started
        return self.encoder.features

    def _prepare(
        self, frames: Sequence[Frame], assumptions: Sequence[Guard]
    ) -> tuple[list[Command], list[int]]:
        """The commands that bring the processes up to date, and the assumptions' numbers."""
        stack: list[Command] = []
        for change in changes(self._sent, frames):
            if isinstance(change, Entries):
                numbers = self.encoder.encode(term for term, _ in change)
                for (_, maximize), number in zip(change, numbers, strict=True):
                    if maximize is None:
                        stack.append(("assert_formula", number))
                    else:
                        stack.append(("optimize", number, maximize))
            else:
                stack.append(change)
        numbers = self.encoder.encode(assumptions)
        return [("define", *self.encoder.take()), *stack], numbers

    def _lease(self) -> bool:
        """Take processes for a check; False if one of them does not know the context."""
        known = list(self._processes)
        for k, spec in enumerate(self.specs):
            self._processes[k] = None
            if k not in self._refusals:
                process = pool.lease(spec.name, self._memory, known[k])
                self._leased.append(process)
                self._processes[k] = process
        return not self._open or self._processes == known

    def _start(self, assumptions: list[int], seconds: float | None) -> None:
        """Send what has not been sent, and a check, to all members."""
        commands, self._unsent = self._unsent, []
        check = "check_for_model" if self.wants_model else "check"
        for spec, process in zip(self.specs, self._processes, strict=True):
            if process is None:
                continue
            opening = [] if self._open else [("open", spec.mode)]
            process.send(self._number, [*opening, *commands, (check, assumptions, seconds)])
        self._open = True

    def _finish(self, seconds: float | None, interrupted: Callable[[], bool]) -> Reply | None:
        """Wait for the first answer; None if a process had forgotten the context.

        The other members are stopped, and all processes are given back.
        """
        deadline = with_grace(seconds)
        given_up = False
        started = time.perf_counter()
        racing = {p: k for k, p in enumerate(self._processes) if p is not None}
        answer = Reply(reason="timeout")
        while racing:
            if not given_up and interrupted():
                given_up = True
                deadline = deadline.limited(INTERRUPT_SECONDS)
                for process in racing:
                    process.request_interrupt()
            if deadline.is_over:
                if given_up:
                    answer = Reply(reason="interrupted")
                break
            for process in wait_for_any(racing, deadline.up_to(SLICE_SECONDS)):
                try:
                    reply = process.receive()
                except UnsupportedError as error:
                    self._refusals[racing.pop(process)] = error
                    continue
                if reply is None:
                    continue
                if reply.result == "forgotten":
                    self._release()
                    return None
                index = racing.pop(process)
                answer = reply if reply.result is not None else Reply(("unknown", reply.reason))
                status, reason, *model = answer.result
                self._told[index] = status, reason, time.perf_counter() - started
                if status != "unknown":
                    self._winner = index
                    self._model = model[0] if model else None
                    racing = {}
                    break
        self._release()
        if len(self._refusals) == len(self.specs):
            refusal = self._refusals[0]
            self.reset()
            raise refusal
        return answer

    def _release(self) -> None:
        while self._leased:
            process = self._leased.pop()
            index = self._processes.index(process)
            if not pool.give_back(process) or index in self._refusals:
                self._processes[index] = None

    def abandon(self) -> None:
        for process in self._leased:
            process.kill()
        self._leased.clear()
        self._processes = [None] * len(self.specs)
        self.reset()

    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        numbers = None if wanted is None else self.encoder.known(wanted)
        if self._answered_here:
            answer = self._here.model(numbers)
        else:
            answer = self._model or self._ask("model", numbers)
        if answer is None:
            return None
        values, interpretations, inexact = answer
        known = self.encoder.constants
        constants = {known[n]: decode_value(known[n].sort, data) for n, data in values}
        functions = {}
        for name, data in interpretations:
            function = self.encoder.functions[name]
            functions[function] = decode_function(function, data)
        return constants, functions, [known[number] for number in inexact]

    def core(self) -> list[Guard] | None:
        numbers = self._here.core() if self._answered_here else self._ask("core")
        return None if numbers is None else [self._assumptions[number] for number in numbers]

    def objectives(self) -> list[Data] | None:
        return self._ask("objectives")  # type: ignore[no-any-return]

    def figures(self) -> Figures:
        return self._figures()[1]

    def total_conversion_seconds(self) -> float:
        return self.conversion_seconds + self._figures()[0]

    def _figures(self) -> tuple[float, Figures]:
        if self._answered_here:
            return self._here.figures()
        try:
            return (self._ask("figures") if self._open else None) or (0.0, {})
        except NoModelError:
            return 0.0, {}

    def _ask(self, *command: Data) -> Data:
        """Ask the winner of the last check about its answer; None if it has forgotten.

        Like the check it may take as long as its limit.
        """
        process = self._processes[self._winner]
        if process is None or not pool.take(process):
            return None
        try:
            process.send(self._number, [command])
            reply = process.answer(self._seconds)
        except SolverError:
            pool.give_back(process)
            raise
        except BaseException:
            process.kill()
            raise
        if process.pending is not None:
            process.kill()
            raise NoModelError(
                f"{self.name} gave its answer but no {command[0]} within {self._seconds} seconds"
            )
        pool.give_back(process)
        return None if reply.result == "forgotten" else reply.result

    def close(self) -> None:
        self._here.give_up()
        if self._open:
            for process in self._processes:
                if process is not None:
                    process.forget(self._number)
