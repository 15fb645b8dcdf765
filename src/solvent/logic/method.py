"""What all methods share: the question, the answer, the printed encoding, and what it cost.

A method is asked whether an assertion can fail in an execution of a procedure whose preconditions
hold, with calls and loops as they are written.  Loop invariants count as assertions; contracts of
procedures that have a body are hints that a method may use.  An error is reported only with an
execution that has been confirmed by running the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from solvent.reach.positions import Position
from solvent.reach.program import Program, has_quantifiers
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import size
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.verdicts import Answer, Deadline, Finding, Verdict


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

    def headline(self) -> str:
        """Where it fails, and what."""
        return f"{self.where}: {self.message}"

    def details(self) -> Iterator[str]:
        """The execution, line by line."""
        given = ", ".join(f"{name} = {value}" for name, value in self.inputs)
        yield f"inputs: {given or 'none'}"
        yield f"blocks: {', '.join(self.blocks)}"
        if self.believed:
            yield f"({self.believed} conditions with quantifiers were believed)"


# How the methods call the verdicts.
SAFE_OR_ERROR: Mapping[Verdict, str] = {
    **Answer.WORDS,
    Verdict.HOLDS: "safe",
    Verdict.VIOLATED: "error",
}


@dataclass(frozen=True, slots=True)
class Decision(Answer):
    """A verdict of which an error comes with the execution that fails."""

    WORDS: ClassVar[Mapping[Verdict, str]] = SAFE_OR_ERROR

    failure: Failure | None = field(default=None, kw_only=True)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The failure, if there is one."""
        found = self.failure
        if found is None:
            return ()
        inputs = dict(found.inputs)
        file, line, _ = found.where
        return (Finding(found.message, file, line, inputs, found.blocks, confirmed=True),)


@dataclass(frozen=True, slots=True)
class Report(Decision):
    """What a method found out about a program; the reason may also be why it is safe."""

    method: str
    sections: tuple[Section, ...]
    statistics: Statistics
    # What only this method counts: the bound, the number of paths, the coverage.
    figures: Mapping[str, object] = field(default_factory=dict)

    @property
    def encoding(self) -> str:
        """The sections as one text."""
        return "\n\n".join(f"// {section.title}\n{section.text}" for section in self.sections)

    def headline(self) -> str:
        sure = ", confirmed by running the program" if self.failure is not None else ""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.method}: {self.words}{sure}{reason}"

    def details(self) -> Iterator[str]:
        stats = self.statistics
        calls = f"{stats.calls} solver call{'s' * (stats.calls != 1)}"
        figures = [f"{stats.terms:,} terms", calls, f"{stats.seconds:.2f} s"]
        figures += [f"{name}: {value}" for name, value in self.figures.items()]
        yield ", ".join(figures)


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


class Questions:
    """The questions of one analysis: they are counted, and share one time limit."""

    def __init__(self, limits: Limits) -> None:
        self.deadline = Deadline(limits.timeout)
        self.statistics = Statistics()
        self._session: Solver | None = None

    def measure(self, *formulas: Guard) -> None:
        """Remember the size of a formula, if it is the largest."""
        self.statistics.terms = max(self.statistics.terms, size(*formulas))

    def ask(
        self, formulas: Sequence[Guard], seconds: float | None = None
    ) -> tuple[Status, Model | None]:
        """Whether formulas are satisfiable together, with a model if so.

        With quantifiers, what triggers prove is certain, and Z3 may look for a model for a while.
        """
        self.measure(*formulas)
        limit = self.deadline.limited(seconds).check()
        if not any(map(has_quantifiers, formulas)):
            with Solver.for_query(formulas, timeout=limit) as solver:
                return self._asked(solver, formulas)
        with Solver("z3:triggers", timeout=limit) as solver:
            status, model = self._asked(solver, formulas)
        if status is Status.UNKNOWN:
            with Solver("z3", timeout=self.deadline.share(0.3, 5.0)) as solver:
                return self._asked(solver, formulas)
        return status, model

    def ask_often(self, formulas: Sequence[Guard]) -> tuple[Status, Model | None]:
        """The same for many small questions: one solver stays for all of them."""
        if any(map(has_quantifiers, formulas)):
            return self.ask(formulas)
        self.measure(*formulas)
        if self._session is None:
            self._session = Solver()
        self._session.push()
        self._session.timeout = self.deadline.check()
        status, model = self._asked(self._session, formulas)
        self._session.pop()
        # On its own a question may be easier.
        return self.ask(formulas) if status is Status.UNKNOWN else (status, model)

    def _asked(self, solver: Solver, formulas: Sequence[Guard]) -> tuple[Status, Model | None]:
        self.statistics.calls += 1
        solver.add(*formulas)
        # Z3's models of quantifiers need not have tables for values.
        status = solver.check_for_model()
        return status, solver.model() if status is Status.SAT else None

    def report(
        self,
        method: str,
        answer: Decision,
        sections: Sequence[Section],
        figures: Mapping[str, object] | None = None,
    ) -> Report:
        """What a method came to, with what all its questions cost; no more can be asked."""
        if self._session is not None:
            self._session.close()
        self.statistics.seconds = self.deadline.spent()
        return Report(
            method,
            tuple(sections),
            self.statistics,
            figures or {},
            verdict=answer.verdict,
            reason=answer.reason,
            bound=answer.bound,
            failure=answer.failure,
            seconds=self.statistics.seconds,
        )


def clipped(lines: Sequence[str], limits: Limits) -> str:
    """Lines as a text that is not longer than the limit.

    >>> clipped(["a", "b", "c"], Limits(lines=2))
    'a\\nb\\n... 1 more line'
    """
    if len(lines) <= limits.lines:
        return "\n".join(lines)
    more = len(lines) - limits.lines
    return "\n".join([*lines[: limits.lines], f"... {more} more line{'s' * (more > 1)}"])
