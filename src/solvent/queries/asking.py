"""Asking a solver on behalf of queries."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Self

from solvent.errors import NoModelError, QueryError
from solvent.queries.problem import Problem, reason_of
from solvent.queries.replay import shown
from solvent.queries.results import QueryStats
from solvent.solvers.solver import Solver, portfolio
from solvent.solvers.status import Status
from solvent.terms.booleans import and_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model


@dataclass(slots=True)
class Check:
    """What the solver said to a formula."""

    status: Status
    reason: str = ""
    model: Model | None = None


class Meter:
    """What one query costs."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.checks = 0
        self.seconds = 0.0
        self.solver = ""

    def count(self, solver: Solver) -> None:
        """The solver has answered once more."""
        checked = solver.checked
        self.checks += 1
        self.seconds += checked.seconds
        self.solver = checked.solver

    def stats(self, problem: Problem) -> QueryStats:
        """The figures so far."""
        return QueryStats(
            problem.run.outcome.stats,
            self.solver,
            self.checks,
            self.seconds,
            time.perf_counter() - self.started,
        )


class Asker:
    """A solver that keeps what it has learned, and what is assumed in all that it is asked."""

    def __init__(self, solver: str | None = None, *, timeout: float | None = None) -> None:
        self.name = solver
        self.solver = make_solver(solver, timeout)
        # The program is evaluated while the solver starts.
        self.solver.prepare()
        self.timeout = timeout
        self.assumption: Guard = True

    def assume(self, condition: Guard) -> None:
        """Let all later queries look only at inputs for which a condition holds."""
        self.assumption = and_(self.assumption, condition)

    def check(self, formula: Guard, meter: Meter) -> Check:
        """Ask the solver for a model of a formula and of what the session assumes."""
        formula = and_(self.assumption, formula)
        if formula is False:
            return Check(Status.UNSAT)
        if formula is True:
            return Check(Status.SAT, model=Model({}))
        solver = self.solver
        solver.push_only()
        try:
            solver.add(formula)
            status = solver.check()
            meter.count(solver)
            reason = solver.reason
            model = solver.model() if status is Status.SAT else None
        except NoModelError as error:
            return Check(Status.UNKNOWN, str(error))
        finally:
            solver.pop()
        return Check(status, reason, model)

    def close(self) -> None:
        """Give the solver back."""
        self.solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def conclude(asker: Asker, problem: Problem, meter: Meter) -> Check:
    """Nothing was found: whether that tells of all inputs and of all runs."""
    check = asker.check(problem.out_of_bounds, meter)
    if check.status is Status.UNSAT:
        if problem.run.varying:
            reason = "gives other values in other runs; this one tells only of those that it gave"
            return Check(Status.UNKNOWN, f"{problem.run.varying} {reason}")
        return check
    for limit in problem.limits:
        if check.model is None or check.model.evaluate(limit.condition) is True:
            return Check(Status.UNKNOWN, reason_of(limit))
    return Check(Status.UNKNOWN, check.reason)


def make_solver(name: str | None, timeout: float | None) -> Solver:
    """The solver with a name, or several separated by commas that race."""
    if name is not None and not isinstance(name, str):
        raise QueryError(f"a solver is chosen by its name, not by {shown(name, 60)}")
    if name and "," in name and not name.startswith("smtlib:"):
        return portfolio([part.strip() for part in name.split(",")], timeout=timeout)
    return Solver(name, timeout=timeout)
