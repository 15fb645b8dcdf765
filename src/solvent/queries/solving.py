"""Angelic execution: inputs with which a function ends without failure (definitions 3 and 7)."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.queries.asking import Asker, Check, Meter, conclude
from solvent.queries.distinct import same_inputs
from solvent.queries.problem import Problem
from solvent.queries.replay import Replay
from solvent.queries.results import Solution
from solvent.solvers.status import Status
from solvent.terms.booleans import and_, not_


def solve(asker: Asker, problem: Problem, meter: Meter) -> Solution:
    """One solution."""
    check = asker.check(problem.normal, meter)
    if check.status is Status.UNSAT:
        check = conclude(asker, problem, meter)
    return solution(problem, check, meter)


def solve_all(
    asker: Asker, problem: Problem, meter: Meter, limit: int | None
) -> Iterator[Solution]:
    """All solutions with different inputs, or as many as wanted."""
    condition = problem.normal
    count = 0
    while limit is None or count < limit:
        check = asker.check(condition, meter)
        if check.status is Status.UNSAT:
            check = conclude(asker, problem, meter)
        found = solution(problem, check, meter)
        if found.status is Status.UNSAT:
            return
        yield found
        if found.model is None:
            return
        count += 1
        condition = and_(condition, not_(same_inputs(problem, found.model)))


def solution(problem: Problem, check: Check, meter: Meter) -> Solution:
    """What a check of the normal condition says."""
    if check.model is None:
        return Solution(
            function=problem.name,
            status=check.status,
            reason=check.reason,
            stats=meter.stats(problem),
            derived=problem.inputs.derived,
        )
    model = check.model
    replayed = problem.replay(model)
    written = problem.written(model)
    return Solution(
        function=problem.name,
        status=check.status,
        model=model,
        inputs=problem.values(model),
        call=written.call,
        setup=written.setup,
        texts=written.texts,
        value=problem.run.value(model),
        replay=replayed,
        confirmed=succeeded(replayed),
        derived=problem.inputs.derived,
        stats=meter.stats(problem),
    )


def succeeded(replayed: Replay) -> bool:
    """Whether CPython ended without failure."""
    return replayed.returned is True
