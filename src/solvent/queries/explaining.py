"""Why an answer is unknown or slow: the hardest question, and what each solver did with it."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from solvent.solvers.questions import Question
from solvent.verdicts.rendering import Json
from solvent.vm.report import Stats

# What a theory or an operation makes hard, and what helps.
_ADVICE = {
    "products of unknowns": "products of unknowns are hard for all solvers: bound the inputs, as "
    "in `integers(0, 99)`, or fix one factor",
    "division by unknowns": "division by unknowns is hard: bound the divisor, or fix it",
    "quantifiers": "quantifiers need not have an answer: a bound on what they range over helps",
    "Str": "unbounded text is hard: give it a length, as in `texts(max_len=8)`",
    "Real": "real numbers with products are hard; integers or bitvectors are easier",
}
_FLOATS = "floats are decided bit by bit: fewer operations on fewer symbolic floats help"
_BITS = "wide bitvectors with products are hard: narrower ones help"


class Costs(Protocol):
    """What a query cost."""

    @property
    def run(self) -> Stats: ...
    @property
    def checks(self) -> int: ...
    @property
    def solver_seconds(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    @property
    def hardest(self) -> Question | None: ...


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where the time of a query went, line by line."""

    headline: str
    lines: tuple[str, ...]
    question: Question | None = None

    def as_dict(self) -> Json:
        """For JSON."""
        question = None if self.question is None else self.question.as_dict()
        return {"headline": self.headline, "lines": list(self.lines), "question": question}

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"  {line}" for line in self.lines)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{html.escape(line)}</li>" for line in self.lines)
        return f"<div><b>{html.escape(self.headline)}</b><ul>{rows}</ul></div>"


def explained(headline: str, reason: str, costs: Costs) -> Explanation:
    """What there is to say about an answer and what it cost."""
    return Explanation(headline, tuple(_lines(reason, costs)), costs.hardest)


def _lines(reason: str, costs: Costs) -> Iterator[str]:
    run = costs.run
    if reason:
        yield f"why: {reason}"
    yield (
        f"evaluating the program took {run.seconds:.2f} s of {costs.seconds:.2f} s: {run.terms:,} "
        f"terms, {run.forks:,} forks, {run.joins:,} joins, {run.unions:,} unions"
    )
    if run.solver_calls:
        yield (
            f"meanwhile {run.solver_calls:,} questions whether a path can go on took "
            f"{run.solver_seconds:.2f} s, and {run.infeasible:,} could not"
        )
    questions = "1 question" if costs.checks == 1 else f"{costs.checks} questions"
    yield f"{questions} of the query took the solver {costs.solver_seconds:.2f} s"
    hardest = costs.hardest
    if hardest is None:
        yield "no question was hard"
        if run.seconds > max(costs.solver_seconds, 1.0):
            yield "the time went into evaluation: `solvent profile` shows the lines"
        return
    yield from _hard(hardest)
    if run.seconds > costs.solver_seconds:
        yield "most of the time went into evaluation: `solvent profile` shows the lines"


def _hard(question: Question) -> Iterator[str]:
    checked = question.checked
    said = f"{checked.status}" + (f" ({checked.reason})" if checked.reason else "")
    yield (
        f"the hardest question took {checked.seconds:.2f} s: {said}; it has {question.terms:,} "
        f"terms with {question.constants:,} unknowns"
    )
    yield f"its theories: {', '.join(question.theories)}"
    operations = ", ".join(
        f"{name} {'once' if count == 1 else f'{count:,} times'}"
        for name, count in question.operations
    )
    if operations:
        yield f"its operations: {operations}"
    for attempt in question.attempts:
        yield str(attempt)
    floats = any(name.startswith("Float") for name in question.theories)
    for name, advice in _ADVICE.items():
        # A bound on floats makes their products no easier.
        if name in question.theories and not (floats and "unknowns" in name):
            yield advice
    if floats:
        yield _FLOATS
    wide = any(name.startswith("BitVec") for name in question.theories)
    if wide and "products of unknowns" in question.theories:
        yield _BITS
