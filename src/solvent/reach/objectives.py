"""What a counterexample should have the least, or the greatest, value of.

An objective is a variable that a procedure gives the value of interest, under a name that no
variable of a program has.  Where a failing execution goes through some, the one with the best
values is sought in which the same assertion fails; the first objective counts most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from solvent.errors import SolverError
from solvent.reach.passive import PassiveBlock, Statement
from solvent.reach.program import Assign, Variable, has_quantifiers
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import BV, IntTerm, RealTerm, bv, eq, ule
from solvent.terms.kinds import Guard, Operand
from solvent.terms.model import Model
from solvent.verdicts import Deadline, OutOfTime

LEAST, GREATEST = "least ", "greatest "
# The time for the best execution; what has been found already fails too.
SECONDS = 5.0
MOST_TRIES = 100


def objective_name(number: int, maximize: bool) -> str:
    """The name of a variable for an objective.

    >>> wanted(objective_name(3, True)), wanted("inline$p$0$least 1"), wanted("least")
    (True, False, None)
    """
    return f"{GREATEST if maximize else LEAST}{number}"


def wanted(name: str) -> bool | None:
    """Whether a variable should be as great as possible, or as small; None for all others."""
    # The variables of inlined procedures have a prefix.
    own = name.rpartition("$")[2]
    return True if own.startswith(GREATEST) else False if own.startswith(LEAST) else None


def objectives(blocks: Sequence[PassiveBlock], failing: Statement) -> list[tuple[Variable, bool]]:
    """The objectives on an execution, up to the assertion that fails."""
    return [
        (incarnation, maximize)
        for statement in _until(blocks, failing)
        if isinstance(statement.origin, Assign)
        for variable, incarnation in statement.values
        if (maximize := wanted(variable.name)) is not None
    ]


def _until(blocks: Sequence[PassiveBlock], failing: Statement) -> Iterator[Statement]:
    for block in blocks:
        for statement in block.statements:
            if statement is failing:
                return
            yield statement


def best(
    formulas: Sequence[Guard], goals: Sequence[tuple[Variable, bool]], timeout: float | None
) -> Model | None:
    """A model with the best values of the objectives; None if none is found in time.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> best([x > 10], [(x, False)], None)[x], best([x < 4], [(x, True)], None)[x]
    (11, 3)
    """
    limit = SECONDS if timeout is None else min(timeout, SECONDS)
    if any(map(has_quantifiers, formulas)):
        # An optimizer would give up.
        return _approached(formulas, goals, Deadline(limit))
    with Solver("z3", timeout=limit) as solver:
        solver.add(*formulas)
        for variable, maximize in goals:
            (solver.maximize if maximize else solver.minimize)(variable)
        try:
            return solver.model() if solver.check() is Status.SAT else None
        except SolverError:
            return None


def _approached(
    formulas: Sequence[Guard], goals: Sequence[tuple[Variable, bool]], deadline: Deadline
) -> Model | None:
    """The best model that asking for better and better values finds; for reals a close one."""
    with Solver("z3:triggers") as solver:
        solver.add(*formulas)

        def ask(condition: Guard) -> Model | None:
            try:
                status = solver.check_for_model(condition, timeout=deadline.check())
                return solver.model() if status is Status.SAT else solver.candidate()
            except (SolverError, OutOfTime):
                return None

        found = ask(True)
        for variable, maximize in goals:
            step, tries = 1, 0
            while found is not None and tries < MOST_TRIES:
                tries += 1
                better = ask(_better(variable, found.evaluate(variable), step, maximize))
                if better is not None:
                    found, step = better, 2 * step
                elif step > 1:
                    step = 1
                else:
                    break
            if found is not None:
                solver.add(eq(variable, found.evaluate(variable)))
        return found


def _better(variable: Variable, value: Operand, step: int, maximize: bool) -> Guard:
    """That a variable is better than a value, by so much at least.

    >>> from solvent.terms import Int, bv
    >>> _better(Int("x"), 7, 2, False), _better(Int("x"), 7, 2, True)
    (x <= 5, x > 8)
    >>> from solvent.terms.sorts import bitvec_sort
    >>> _better(bitvec_sort(8)("x"), bv(7, 8), 8, False)
    False
    """
    if isinstance(value, BV):
        wanted_value = value.value + step if maximize else value.value - step
        if not 0 <= wanted_value < 1 << value.width:
            return False
        bound = bv(wanted_value, value.width)
        return ule(bound, variable) if maximize else ule(variable, bound)  # type: ignore[arg-type]
    assert isinstance(value, (int, Fraction))
    assert isinstance(variable, (IntTerm, RealTerm))
    return variable >= value + step if maximize else variable <= value - step
