"""The method of section 3: which engine decides, and what is printed."""

from __future__ import annotations

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.flat import flatten, recursive, with_called
from solvent.logic.method import (
    Decision,
    Limits,
    Questions,
    Report,
    Section,
    clipped,
)
from solvent.logic.smc.bdd import Diagrams, is_boolean
from solvent.logic.smc.fixpoint import Fixpoint
from solvent.logic.smc.horn import HornClauses
from solvent.logic.smc.transitions import System, transitions
from solvent.reach.program import Program
from solvent.verdicts import Answer, OutOfTime, Verdict

# The part of the time, and the most of it, for the fixpoint, which need not converge.
FIXPOINT_SHARE, FIXPOINT_SECONDS = 0.2, 1.5
HORN_SHARE, HORN_SECONDS = 0.6, 600.0


class SymbolicModelChecking:
    """Symbolic model checking; `engine` is `bdd`, `fixpoint`, `horn`, or those that are fit."""

    name = "smc"

    def __init__(self, engine: str = "auto") -> None:
        self.engine = engine

    def analyse(self, program: Program, main: str, limits: Limits) -> Report:
        """Compute the states that can be reached, or invariants that exclude the error."""
        questions = Questions(limits)
        system = transitions(flatten(program, main, keep=recursive(with_called(program, main))))
        sections = [
            Section("Initial states", f"pc = {system.start}"),
            Section("Target states", "pc = err"),
            Section("Transition relation TR", clipped(system.lines(), limits)),
        ]
        used = ""
        try:
            decided, used = self.decide(program, main, system, questions, sections, limits)
            found = Decision(verdict=decided.verdict, reason=decided.reason)
            if decided.verdict is Verdict.VIOLATED:
                found = self.executed(decided, program, main, limits, questions)
        except OutOfTime as stop:
            found = Decision(reason=str(stop))
        figures = {"engine": used, "transitions": len(system.transitions)}
        return questions.report(self.name, found, sections, figures)

    def executed(
        self, decided: Answer, program: Program, main: str, limits: Limits, questions: Questions
    ) -> Decision:
        """An execution that reaches the error: what engines say of sets of states has none."""
        traced = BoundedModelChecking(induction=False).search(program, main, limits, questions)
        if traced.failure is None:
            reason = f"{decided.reason}, but no execution was found: {traced.reason}"
            return Decision(reason=reason)
        return Decision(verdict=Verdict.VIOLATED, reason=decided.reason, failure=traced.failure)

    def decide(
        self,
        program: Program,
        main: str,
        system: System,
        questions: Questions,
        sections: list[Section],
        limits: Limits,
    ) -> tuple[Answer, str]:
        """The answer of the first engine that has one, and its name."""
        found, used = Answer(reason="no engine is fit for this program"), "none"
        if self.engine in ("auto", "bdd") and is_boolean(system):
            diagrams = Diagrams(system, questions)
            found = diagrams.run()
            sections.append(Section("Reachable states", clipped(diagrams.lines(), limits)))
            return found, "bdd"
        if self.engine in ("auto", "fixpoint"):
            most = FIXPOINT_SECONDS if self.engine == "auto" else HORN_SECONDS
            fixpoint = Fixpoint(system, questions, questions.deadline.share(FIXPOINT_SHARE, most))
            if fixpoint.admissible:
                found, used = fixpoint.run(), "fixpoint"
            if found.holds:
                sections.append(Section("Reachable states S", clipped(fixpoint.lines(), limits)))
            if found.verdict is not Verdict.UNKNOWN:
                return found, used
        if self.engine in ("auto", "horn"):
            horn = HornClauses(program, main, questions)
            found = horn.run(questions.deadline.share(HORN_SHARE, HORN_SECONDS))
            used = "horn"
            sections.append(Section("Horn clauses", clipped(horn.rules, limits)))
        return found, used
