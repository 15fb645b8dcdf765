"""What a search for failing assertions answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from solvent.reach.executions import Execution
from solvent.reach.interpreter import Confirmation
from solvent.reach.program import Assert, Variable
from solvent.reach.stratified import BUG_OR_NOT, InliningAnswer
from solvent.reach.summaries import Summaries
from solvent.terms.model import Model
from solvent.verdicts import Answer, Finding, Verdict


@dataclass(frozen=True, slots=True)
class SearchAnswer(Answer):
    """What a search came to; a bug comes with its execution, which has been confirmed or not."""

    WORDS: ClassVar[Mapping[Verdict, str]] = BUG_OR_NOT

    # What inlining said about the last abstraction of the program.
    inlining: InliningAnswer
    # The global variables that had to be known, and how often there were too few.
    tracked: tuple[Variable, ...] = ()
    refinements: int = 0
    summaries: Summaries = field(default_factory=Summaries)
    execution: Execution | None = None
    confirmation: Confirmation | None = None
    # The values that the execution is made of.
    model: Model | None = None
    # Whether the axioms with quantifiers hold only as far as their triggers have been met.
    guessed: bool = False

    @property
    def confirmed(self) -> bool:
        """Whether the program has failed when it was run along the execution."""
        return self.confirmation is not None and self.confirmation.confirmed

    @property
    def failed(self) -> Assert | None:
        """The assertion that fails."""
        return None if self.confirmation is None else self.confirmation.failed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The assertion that fails, with the inputs of the first procedure and its blocks."""
        found = self.execution
        if found is None:
            return ()
        inputs = {str(variable): str(value) for variable, value in found.inputs.items()}
        trace = tuple(f"{one.where}: {one.original}" for one in found.visits if one.original)
        if self.failed is None:
            return (Finding("an assertion fails", "", 0, inputs, trace, self.confirmed),)
        file, line, _ = self.failed.where
        return (Finding(self.failed.message, file, line, inputs, trace, self.confirmed),)

    def headline(self) -> str:
        stats = self.inlining.statistics
        figures = f"{stats.inlined} procedures inlined, {stats.seconds:.1f} s"
        match self.verdict:
            case Verdict.VIOLATED if self.confirmed:
                how = "confirmed by running the program"
                return f"bug: an assertion fails ({how}; {figures})"
            case Verdict.VIOLATED:
                reason = "" if self.confirmation is None else self.confirmation.reason
                return f"bug, NOT confirmed by running the program: {reason} ({figures})"
            case Verdict.HOLDS:
                main = self.inlining.root.procedure
                return f"no bug: no assertion can fail from {main} ({figures})"
            case Verdict.BOUNDED:
                names = ", ".join(self.inlining.blocked)
                return f"no bug within the recursion bound, which {names} reached ({figures})"
        return f"unknown: {self.reason} ({figures})"

    def details(self) -> Iterator[str]:
        if self.confirmation is not None and self.confirmed and self.confirmation.believed:
            yield f"({len(self.confirmation.believed)} conditions with quantifiers were believed)"
        if self.guessed:
            yield "(axioms with quantifiers hold as far as their triggers go; nobody knows more)"
