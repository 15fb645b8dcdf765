"""Verification: inputs with which a function fails, or a proof that there are none.

An assertion that fails and an exception that escapes are failures (definitions 4 and 7), unless
the exception is meant.  Reaching a bound that the user has set for loops is none, nor is what is
not lifted: without other failures the answer is then unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.lift.origins import is_library_file
from solvent.queries.asking import Asker, Check, Meter, conclude, other_orders
from solvent.queries.problem import Problem
from solvent.queries.replay import Replay
from solvent.queries.results import Verification
from solvent.solvers.status import Status
from solvent.vm.state import Failure

NOTHING_CHECKED = "no input fulfils all that is assumed, so that nothing was checked"
# Seconds for finding an input that fulfils what is assumed; a proof without one is still a proof.
_PATIENCE = 2.0


def verify(asker: Asker, problem: Problem, meter: Meter) -> Verification:
    """A counterexample, if there is one."""
    check = asker.check(problem.failing, meter)
    if check.status is Status.UNSAT:
        check = proof(asker, problem, meter)
    return verification(problem, check, meter)


def proof(asker: Asker, problem: Problem, meter: Meter) -> Check:
    """No failure was found: whether that is a proof, and one that tells of any input at all."""
    check = conclude(asker, problem, meter)
    if check.status is Status.UNSAT:
        limit = _PATIENCE if asker.timeout is None else min(_PATIENCE, asker.timeout)
        assumed = asker.check(problem.run.assumes, meter, limit)
        if assumed.status is Status.UNSAT:
            return Check(Status.UNKNOWN, NOTHING_CHECKED)
    return check


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
        yield verification(problem, proof(asker, problem, meter), meter)


def verification(problem: Problem, check: Check, meter: Meter) -> Verification:
    """What a check of the failing condition says."""
    if check.model is None:
        return Verification(
            function=problem.name,
            status=check.status,
            reason=check.reason,
            stats=meter.stats(problem),
            derived=problem.inputs.derived,
            meant=problem.meant.explained(),
            assertions_only=problem.meant.assertions_only,
        )
    model = check.model
    failure = problem.failure(model)
    replayed = problem.replay(model)
    if failed(replayed, failure) and is_library_file(failure.position):
        # A contract that a library checks is told where it stands.
        failure = Failure(True, failure.exception, replayed.position or failure.position)
    if problem.run.walked and not failed(replayed, failure):
        return verification(problem, Check(Status.UNKNOWN, other_orders(problem.run.walked)), meter)
    written = problem.written(model)
    return Verification(
        function=problem.name,
        status=check.status,
        model=model,
        inputs=problem.values(model),
        call=written.call,
        setup=written.setup,
        texts=written.texts,
        failure=failure,
        replay=replayed,
        confirmed=failed(replayed, failure),
        derived=problem.inputs.derived,
        stats=meter.stats(problem),
        meant=problem.meant.explained(),
        assertions_only=problem.meant.assertions_only,
    )


def failed(replayed: Replay, failure: Failure) -> bool:
    """Whether CPython failed as predicted."""
    return replayed.returned is False and type(replayed.exception) is type(failure.exception)
