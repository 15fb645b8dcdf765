"""Verification: inputs with which a function fails, or a proof that there are none.

An assertion that fails and an exception that escapes are failures (definitions 4 and 7).  Reaching
a bound that the user has set for loops is none, nor is what is not lifted: without other failures
the answer is then unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.queries.asking import Asker, Check, Meter, conclude
from solvent.queries.problem import Problem
from solvent.queries.replay import Replay
from solvent.queries.results import Verification
from solvent.solvers.status import Status
from solvent.vm.state import Failure


def verify(asker: Asker, problem: Problem, meter: Meter) -> Verification:
    """A counterexample, if there is one."""
    check = asker.check(problem.failing, meter)
    if check.status is Status.UNSAT:
        check = conclude(asker, problem, meter)
    return verification(problem, check, meter)


def verify_all(asker: Asker, problem: Problem, meter: Meter) -> Iterator[Verification]:
    """One counterexample for each place and kind of failure, or the one answer that none fails."""
    kinds: dict[tuple[str, type], list[Failure]] = {}
    for failure in problem.failures:
        kinds.setdefault((failure.position, type(failure.exception)), []).append(failure)
    found = False
    for failures in kinds.values():
        check = asker.check(problem.failing_by(failures), meter)
        if check.status is not Status.UNSAT:
            found = True
            yield verification(problem, check, meter)
    if not found:
        yield verification(problem, conclude(asker, problem, meter), meter)


def verification(problem: Problem, check: Check, meter: Meter) -> Verification:
    """What a check of the failing condition says."""
    if check.model is None:
        return Verification(
            function=problem.name,
            status=check.status,
            reason=check.reason,
            stats=meter.stats(problem),
            derived=problem.inputs.derived,
        )
    model = check.model
    failure = problem.failure(model)
    replayed = problem.replay(model)
    return Verification(
        function=problem.name,
        status=check.status,
        model=model,
        inputs=problem.values(model),
        call=problem.call(model),
        failure=failure,
        replay=replayed,
        confirmed=failed(replayed, failure),
        derived=problem.inputs.derived,
        stats=meter.stats(problem),
    )


def failed(replayed: Replay, failure: Failure) -> bool:
    """Whether CPython failed as predicted."""
    return replayed.returned is False and type(replayed.exception) is type(failure.exception)
