"""The solver of an exploration: one frame per condition of the path, shared with the path before.

Paths are run one after the other and share prefixes.  The solver keeps the conditions of the last
path on its stack and gives up only those in which the next path differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from solvent.errors import EvaluationError
from solvent.queries.asking import make_solver
from solvent.solvers.status import Status
from solvent.terms.kinds import Guard
from solvent.terms.model import Model, evaluate


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a path is feasible, and a model that takes it."""

    status: Status
    model: Model | None = None
    reason: str = ""


class PathSolver:
    """Asks about paths, given as lists of conditions.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> with PathSolver() as solver:
    ...     print(solver.check([x > 0], x < 2).model, solver.check([x > 0], x < 1).status)
    x = 1 unsat
    """

    def __init__(self, solver: str | None = None, *, timeout: float | None = None) -> None:
        self.solver = make_solver(solver, timeout)
        self.pushed: list[Guard] = []
        self.checks = 0
        self.seconds = 0.0

    def check(self, conditions: Sequence[Guard], more: Guard) -> Checked:
        """Whether some input satisfies all conditions and one more."""
        if more is False:
            return Checked(Status.UNSAT)
        solver = self.solver
        self.align(conditions)
        solver.push()
        try:
            solver.add(more)
            status = solver.check_for_model()
            self.checks += 1
            self.seconds += solver.checked.seconds
            if status is Status.SAT:
                return Checked(status, solver.model())
            return Checked(status, None, solver.reason)
        finally:
            solver.pop()

    def align(self, conditions: Sequence[Guard]) -> None:
        """Let the stack hold these conditions; what it has in common with them stays."""
        pushed = self.pushed
        common = 0
        for old, new in zip(pushed, conditions, strict=False):
            if old is not new:
                break
            common += 1
        self.solver.pop(len(pushed) - common)
        del pushed[common:]
        for condition in conditions[common:]:
            self.solver.push()
            self.solver.add(condition)
            pushed.append(condition)

    def close(self) -> None:
        """Give the solver back."""
        self.solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def truth_under(model: Model | None, condition: Guard) -> bool | None:
    """Whether a condition holds under a model, `None` if that cannot be computed.

    >>> from solvent.terms import Int
    >>> truth_under(Model({}), Int("x") > 0)
    False
    """
    if model is None or model.inexact:
        return None
    try:
        return bool(evaluate(condition, model))
    except EvaluationError:
        return None
