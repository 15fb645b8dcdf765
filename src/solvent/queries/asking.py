"""Asking a solver on behalf of queries."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from solvent.errors import NoModelError, QueryError
from solvent.queries.problem import Problem, reason_of
from solvent.queries.replay import shown
from solvent.queries.results import QueryStats
from solvent.solvers.questions import Question
from solvent.solvers.solver import Solver, portfolio
from solvent.solvers.status import Status
from solvent.terms.booleans import and_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.vm.report import tell_watcher

# From how many seconds on an answer is one that people ask about.
SLOW = 0.1

if TYPE_CHECKING:
    # Few divide questions.
    from solvent.solvers.splitting import Split

# How hard questions are divided where no session says so.
SPLIT: ContextVar[Split | None] = ContextVar("SPLIT", default=None)


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
        self.hardest: Question | None = None

    def count(self, solver: Solver) -> None:
        """The solver has answered once more."""
        checked = solver.checked
        self.checks += 1
        self.seconds += checked.seconds
        self.solver = checked.solver
        worst = 0.0 if self.hardest is None else self.hardest.checked.seconds
        slow = checked.seconds >= SLOW or checked.status is Status.UNKNOWN
        if slow and checked.seconds >= worst:
            # The size of a formula is counted only where that takes no time beside the answer.
            self.hardest = solver.question()

    def stats(self, problem: Problem) -> QueryStats:
        """The figures so far."""
        return QueryStats(
            problem.run.outcome.stats,
            self.solver,
            self.checks,
            self.seconds,
            time.perf_counter() - self.started,
            self.hardest,
        )


class Asker:
    """A solver that keeps what it has learned, and what is assumed in all that it is asked."""

    def __init__(
        self,
        solver: str | None = None,
        *,
        timeout: float | None = None,
        split: Split | None = None,
    ) -> None:
        self.name = solver
        # How hard questions are divided, if they are.
        self.split = SPLIT.get() if split is None else split
        self.solver = make_solver(solver, timeout)
        self.timeout = timeout
        self.assumption: Guard = True

    def assume(self, condition: Guard) -> None:
        """Let all later queries look only at inputs for which a condition holds."""
        self.assumption = and_(self.assumption, condition)

    def check(self, formula: Guard, meter: Meter, timeout: float | None = None) -> Check:
        """Ask the solver for a model of a formula and of what the session assumes."""
        formula = and_(self.assumption, formula)
        if formula is False:
            return Check(Status.UNSAT)
        if formula is True:
            return Check(Status.SAT, model=Model({}))
        tell_watcher("question")
        solver = self.solver
        solver.push_only()
        try:
            solver.add(formula)
            limit = self.timeout if timeout is None else timeout
            first = limit
            if self.split is not None:
                first = self.split.share if limit is None else min(limit, self.split.share)
            status = solver.check(timeout=first)
            meter.count(solver)
            reason = solver.reason
            if status is Status.UNKNOWN and self.split is not None and first != limit:
                left = None if limit is None else max(0.0, limit - self.split.share)
                return self.conquered(self.split, formula, meter, left)
            model = solver.model() if status is Status.SAT else None
        except NoModelError as error:
            return Check(Status.UNKNOWN, str(error))
        finally:
            solver.pop()
        return Check(status, reason, model)

    def conquered(self, split: Split, formula: Guard, meter: Meter, left: float | None) -> Check:
        """Ask about a formula in pieces, with the time that is left."""
        started = time.perf_counter()
        found = split.conquer(formula, left, self.name)
        meter.seconds += time.perf_counter() - started
        return Check(found.status, found.reason, found.model)

    def close(self) -> None:
        """Give the solver back."""
        self.solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def conclude(asker: Asker, problem: Problem, meter: Meter, timeout: float | None = None) -> Check:
    """Nothing was found: whether that tells of all inputs and of all runs."""
    check = asker.check(problem.out_of_bounds, meter, timeout)
    if check.status is Status.UNSAT:
        if problem.run.varying:
            return Check(Status.UNKNOWN, other_runs(problem.run.varying))
        return check
    for limit in problem.limits:
        if check.model is None or check.model.evaluate(limit.condition) is True:
            return Check(Status.UNKNOWN, reason_of(limit))
    return Check(Status.UNKNOWN, check.reason)


def other_runs(varying: str) -> str:
    """Why a run that asks for the time, for chance or the like tells nothing of other runs."""
    return f"{varying} gives other values in other runs; this one tells only of those that it gave"


def other_orders(walked: str) -> str:
    """Why a failure that CPython does not show is none: it may need another order of a set."""
    return f"{walked}: whether this fails may depend on the order of a set; sort its elements first"


def make_solver(name: str | None, timeout: float | None) -> Solver:
    """The solver with a name, or several separated by commas that race."""
    if name is not None and not isinstance(name, str):
        raise QueryError(f"a solver is chosen by its name, not by {shown(name, 60)}")
    if name and "," in name and not name.startswith("smtlib:"):
        return portfolio([part.strip() for part in name.split(",")], timeout=timeout)
    return Solver(name, timeout=timeout)
