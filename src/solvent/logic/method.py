"""What all methods share: the question, the verdict, the printed encoding, and what it cost.

A method is asked whether an assertion can fail in an execution of a procedure whose preconditions
hold, with calls and loops as they are written.  Loop invariants count as assertions; contracts of
procedures that have a body are hints that a method may use.  An error is reported only with an
execution that has been confirmed by running the program.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from solvent.errors import SolventError
from solvent.reach.positions import Position
from solvent.reach.program import Program, has_quantifiers
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import size
from solvent.terms.model import Model


class Verdict(Enum):
    """What a method says about a program."""

    SAFE = "safe"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the printed encoding."""

    title: str
    text: str


@dataclass(slots=True)
class Statistics:
    """What an analysis cost: the terms of its largest formula, solver calls, and seconds."""

    terms: int = 0
    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """An assertion that fails in an execution that was confirmed by running the program."""

    message: str
    where: Position
    # The values of inputs and global variables at the start, and the blocks that are entered.
    inputs: tuple[tuple[str, str], ...] = ()
    blocks: tuple[str, ...] = ()
    # How many conditions with quantifiers had to be believed.
    believed: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a method found out about a program."""

    method: str
    verdict: Verdict
    sections: tuple[Section, ...]
    statistics: Statistics
    # Why it is safe, or why nothing is known; with which engine.
    reason: str = ""
    failure: Failure | None = None
    # Figures of the method itself: the bound, the number of paths, the coverage.
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def encoding(self) -> str:
        """The sections as one text."""
        return "\n\n".join(f"// {section.title}\n{section.text}" for section in self.sections)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a method stops: seconds, and iterations of loops or depth of recursion."""

    timeout: float | None = 30.0
    bound: int = 128
    # Longer encodings are not printed in full.
    lines: int = 400


class Method(Protocol):
    """A way from a program to logic, and to a verdict."""

    name: str

    def analyse(self, program: Program, main: str, limits: Limits) -> Report:
        """Decide whether an assertion can fail in a procedure and those that it calls."""


class OutOfTime(SolventError):
    """The time limit is reached."""


class Questions:
    """The questions of one analysis: they are counted, and share one time limit."""

    def __init__(self, limits: Limits) -> None:
        self.started = time.monotonic()
        self.deadline = None if limits.timeout is None else self.started + limits.timeout
        self.statistics = Statistics()
        self._session: Solver | None = None

    @property
    def left(self) -> float | None:
        """The seconds that are left; an exception if there are none."""
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime("the time limit is reached")
        return left

    def share(self, part: float, most: float) -> float:
        """A part of the time that is left, and at most so much."""
        left = self.left
        return most if left is None else min(most, max(0.1, part * left))

    def measure(self, *formulas: Any) -> None:
        """Remember the size of a formula, if it is the largest."""
        self.statistics.terms = max(self.statistics.terms, size(*formulas))

    def ask(
        self, formulas: Sequence[Any], seconds: float | None = None
    ) -> tuple[Status, Model | None]:
        """Whether formulas are satisfiable together, with a model if so.

        With quantifiers, what triggers prove is certain, and Z3 may look for a model for a while.
        """
        self.measure(*formulas)
        limit = self.left if seconds is None else min(seconds, self.left or seconds)
        if not any(map(has_quantifiers, formulas)):
            with Solver.for_query(formulas, timeout=limit) as solver:
                return self._asked(solver, formulas)
        with Solver("z3:triggers", timeout=limit) as solver:
            status, model = self._asked(solver, formulas)
        if status is Status.UNKNOWN:
            with Solver("z3", timeout=self.share(0.3, 5.0)) as solver:
                return self._asked(solver, formulas)
        return status, model

    def ask_often(self, formulas: Sequence[Any]) -> tuple[Status, Model | None]:
        """The same for many small questions: one solver stays for all of them."""
        if any(map(has_quantifiers, formulas)):
            return self.ask(formulas)
        self.measure(*formulas)
        if self._session is None:
            self._session = Solver()
        self._session.push()
        self._session.timeout = self.left
        status, model = self._asked(self._session, formulas)
        self._session.pop()
        # On its own a question may be easier.
        return self.ask(formulas) if status is Status.UNKNOWN else (status, model)

    def _asked(self, solver: Solver, formulas: Sequence[Any]) -> tuple[Status, Model | None]:
        self.statistics.calls += 1
        solver.add(*formulas)
        # Z3's models of quantifiers need not have tables for values.
        status = solver.check_for_model()
        return status, solver.model() if status is Status.SAT else None

    def done(self) -> Statistics:
        """The statistics at the end."""
        if self._session is not None:
            self._session.close()
        self.statistics.seconds = time.monotonic() - self.started
        return self.statistics


def clipped(lines: Sequence[str], limits: Limits) -> str:
    """Lines as a text that is not longer than the limit.

    >>> clipped(["a", "b", "c"], Limits(lines=2))
    'a\\nb\\n... 1 more line'
    """
    if len(lines) <= limits.lines:
        return "\n".join(lines)
    more = len(lines) - limits.lines
    return "\n".join([*lines[: limits.lines], f"... {more} more line{'s' * (more > 1)}"])
