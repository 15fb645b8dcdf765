"""`/stratifiedInline:1`: procedures with `{:entrypoint}` are searched, and calls followed."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.cli.common import InputError
from solvent.cli.procedures import ReportedProcedure
from solvent.reach.answers import SearchAnswer
from solvent.reach.errors import ERROR
from solvent.reach.loops import loops_of
from solvent.reach.modular import ProcedureAnswer, Value, Violation
from solvent.reach.program import Assign, Havoc, Program, Variable
from solvent.reach.search import called, search
from solvent.terms.kinds import Concrete
from solvent.terms.term import Term
from solvent.verdicts import Verdict

# Boogie's bound, if none is given.
DEFAULT_RECURSION = 500
# Boogie runs a loop once before it counts, and does not count the instance in which it is left.
UNCOUNTED = 2


def check_loops(program: Program, name: str, extracted: bool) -> None:
    """Refuse loops that are not to be extracted: they would be cut, and a search is about runs."""
    for procedure in called(program, name).procedures.values():
        if loops_of(procedure) and not extracted:
            raise InputError(
                f"{procedure.name} has a loop: give /extractLoops together with /stratifiedInline"
            )


def searched(
    program: Program,
    name: str,
    bound: int | None,
    timeout: float | None,
    guards: Iterable[Variable],
) -> ReportedProcedure:
    """What a search from a procedure came to, told like the verification of it."""
    depth = DEFAULT_RECURSION if bound is None else bound
    found = search(program, name, depth + UNCOUNTED, timeout=timeout, guards=guards)
    return ReportedProcedure.of(_answer(found, name, depth))


def _answer(found: SearchAnswer, name: str, bound: int) -> ProcedureAnswer:
    if found.verdict is Verdict.VIOLATED and found.failed is not None and found.confirmed:
        return ProcedureAnswer.of(name, (_violation(found),), seconds=found.seconds)
    if found.verdict is Verdict.HOLDS:
        return ProcedureAnswer.of(name, seconds=found.seconds)
    if found.verdict is Verdict.BOUNDED:
        reason = f"reached recursion bound of {bound}"
    elif found.verdict is Verdict.VIOLATED:
        reason = found.headline()
    else:
        reason = found.reason
    return ProcedureAnswer.of(name, reason=reason or "unknown", seconds=found.seconds)


def _violation(found: SearchAnswer) -> Violation:
    root, failed = found.execution, found.failed
    assert root is not None
    assert failed is not None
    blocks = tuple((one.where, one.original) for one in root.visits if one.original)
    values = tuple(
        Value(step.where, variable, value)
        for visit in root.visits
        for step in visit.steps
        if isinstance(step.command, (Assign, Havoc))
        for variable, value in _known(step.values.items())
    )
    inputs = tuple(_known(root.inputs.items()))
    return Violation(failed.message, failed.where, failed.related, blocks, inputs, values)


def _known(pairs: Iterable[tuple[Variable, object]]) -> Iterable[tuple[Variable, Concrete]]:
    """The pairs of which the value is known."""
    for variable, value in pairs:
        if not isinstance(value, Term) and variable is not ERROR:
            yield variable, value  # type: ignore[misc]
