"""The compositional variant of test generation: section 5.2 of "From Program to Logic".

Procedures and branches are summarized, each once, so that the path constraint of the whole program
is polynomial in its size.  If no assertion can fail under it, none can; otherwise the program is
run on what the solver found, and if the inputs inside of summarized blocks are needed for that,
bounded model checking finds them.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.concolic import Outcome, Runner, confirmed
from solvent.logic.flat import flatten_deep, with_called
from solvent.logic.method import Decision, Failure, Limits, Questions, Section, clipped
from solvent.logic.summaries import Composed, compose
from solvent.reach.program import Program
from solvent.solvers.status import Status
from solvent.terms.model import Model
from solvent.verdicts import OutOfTime, Verdict


@dataclass(frozen=True, slots=True)
class DecisionBySummaries(Decision):
    """A verdict by summaries, and the summaries."""

    sections: tuple[Section, ...] = ()
    # How many summaries there are, and how often they were used.
    summaries: int = 0
    uses: int = 0


def summarized(
    program: Program, main: str, limits: Limits, questions: Questions
) -> DecisionBySummaries:
    """Decide by summaries."""
    try:
        composed = compose(with_called(program, main), main, questions)
        found = _decide(program, main, composed, limits, questions)
    except OutOfTime as stop:
        return DecisionBySummaries(reason=str(stop))
    return DecisionBySummaries(
        tuple(_printed(composed, main, limits)),
        len(composed.summarizer.known) - 1,
        composed.summarizer.uses,
        verdict=found.verdict,
        reason=found.reason,
        failure=found.failure,
    )


def _decide(
    program: Program, main: str, composed: Composed, limits: Limits, questions: Questions
) -> Decision:
    missing = list(composed.missing)
    for condition in composed.failing:
        status, model = questions.ask([condition])
        if model is not None:
            found = _confirmed(program, main, model, limits, questions)
            if found is not None:
                return Decision(
                    verdict=Verdict.VIOLATED, reason="found by summaries", failure=found
                )
            missing.append("a failure was not confirmed")
        elif status is Status.UNKNOWN:
            missing.append("the solver gave up on a summary")
    if missing:
        return Decision(reason="; ".join(dict.fromkeys(missing)))
    reason = "no assertion can fail under the compositional path constraint"
    return Decision(verdict=Verdict.HOLDS, reason=reason)


def _confirmed(
    program: Program, main: str, model: Model, limits: Limits, questions: Questions
) -> Failure | None:
    """An execution that starts as the model says, or any that fails."""
    runner = Runner(flatten_deep(program, main, 8))
    run = runner.run(model)
    if run.outcome is Outcome.FAILED:
        found = confirmed(runner, run, questions)
        if isinstance(found, Failure):
            return found
    return BoundedModelChecking(induction=False).search(program, main, limits, questions).failure


def _printed(composed: Composed, main: str, limits: Limits) -> list[Section]:
    """The summaries, and the path constraints that use them."""
    sections = [
        Section(f"Summary φ_{name}", clipped(summary.lines(), limits))
        for name, summary in composed.summarizer.known.items()
        if name != main
    ]
    lines = [" ∧ ".join(_part(one) for one in case.trail) for case in composed.summary.returning]
    if sections and any(lines):
        text = clipped([line for line in lines if line], limits)
        sections.append(Section("Compositional path constraint", text))
    return sections


def _part(text: str) -> str:
    return text if text.startswith("φ_") else f"({text})"
