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
from solvent.logic.method import Failure, Limits, OutOfTime, Questions, Section, Verdict, clipped
from solvent.logic.summaries import Composed, compose
from solvent.reach.program import Program
from solvent.solvers.status import Status
from solvent.terms.model import Model


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict by summaries, and the summaries."""

    verdict: Verdict
    reason: str
    sections: tuple[Section, ...] = ()
    failure: Failure | None = None
    # How many summaries there are, and how often they were used.
    summaries: int = 0
    uses: int = 0


def summarized(program: Program, main: str, limits: Limits, questions: Questions) -> Result:
    """Decide by summaries."""
    try:
        composed = compose(with_called(program, main), main, questions)
        verdict, reason, found = _decide(program, main, composed, limits, questions)
    except OutOfTime:
        return Result(Verdict.UNKNOWN, "the time limit is reached")
    known = composed.summarizer.known
    return Result(
        verdict,
        reason,
        tuple(_printed(composed, main, limits)),
        found,
        len(known) - 1,
        composed.summarizer.uses,
    )


def _decide(
    program: Program, main: str, composed: Composed, limits: Limits, questions: Questions
) -> tuple[Verdict, str, Failure | None]:
    missing = list(composed.missing)
    for condition in composed.failing:
        status, model = questions.ask([condition])
        if model is not None:
            found = _confirmed(program, main, model, limits, questions)
            if found is not None:
                return Verdict.ERROR, "found by summaries", found
            missing.append("a failure was not confirmed")
        elif status is Status.UNKNOWN:
            missing.append("the solver gave up on a summary")
    if missing:
        return Verdict.UNKNOWN, "; ".join(dict.fromkeys(missing)), None
    return Verdict.SAFE, "no assertion can fail under the compositional path constraint", None


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
