"""The method of section 3: which engine decides, and what is printed."""

from __future__ import annotations

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.flat import flatten, recursive, with_called
from solvent.logic.method import (
    Failure,
    Limits,
    OutOfTime,
    Questions,
    Report,
    Section,
    Verdict,
    clipped,
)
from solvent.logic.smc.bdd import Diagrams, is_boolean
from solvent.logic.smc.fixpoint import Fixpoint
from solvent.logic.smc.horn import HornClauses
from solvent.logic.smc.transitions import System, transitions
from solvent.reach.program import Program

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
        verdict, reason, used = Verdict.UNKNOWN, "", ""
        found: Failure | None = None
        try:
            verdict, reason, used = self.decide(program, main, system, questions, sections, limits)
            if verdict is Verdict.ERROR:
                searched = BoundedModelChecking(induction=False)
                traced = searched.search(program, main, limits, questions)
                found = traced.failure
                if found is None:
                    verdict = Verdict.UNKNOWN
                    reason += f", but no execution was found: {traced.reason}"
        except OutOfTime:
            verdict, reason = Verdict.UNKNOWN, "the time limit is reached"
        details = {"engine": used, "transitions": len(system.transitions)}
        return Report(self.name, verdict, tuple(sections), questions.done(), reason, found, details)

    def decide(
        self,
        program: Program,
        main: str,
        system: System,
        questions: Questions,
        sections: list[Section],
        limits: Limits,
    ) -> tuple[Verdict, str, str]:
        """The verdict of the first engine that has one, its reason and its name."""
        verdict, reason, used = Verdict.UNKNOWN, "no engine is fit for this program", "none"
        if self.engine in ("auto", "bdd") and is_boolean(system):
            diagrams = Diagrams(system, questions)
            verdict, reason = diagrams.run()
            sections.append(Section("Reachable states", clipped(diagrams.lines(), limits)))
            return verdict, reason, "bdd"
        if self.engine in ("auto", "fixpoint"):
            most = FIXPOINT_SECONDS if self.engine == "auto" else HORN_SECONDS
            fixpoint = Fixpoint(system, questions, questions.share(FIXPOINT_SHARE, most))
            if fixpoint.admissible:
                verdict, reason = fixpoint.run()
                used = "fixpoint"
            if verdict is Verdict.SAFE:
                sections.append(Section("Reachable states S", clipped(fixpoint.lines(), limits)))
            if verdict is not Verdict.UNKNOWN:
                return verdict, reason, used
        if self.engine in ("auto", "horn"):
            horn = HornClauses(program, main, questions)
            verdict, reason = horn.run(questions.share(HORN_SHARE, HORN_SECONDS))
            used = "horn"
            sections.append(Section("Horn clauses", clipped(horn.rules, limits)))
        return verdict, reason, used
