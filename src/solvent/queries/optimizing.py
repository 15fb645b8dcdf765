"""Optimisation: the best inputs with which a function ends without failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvent.errors import QueryError
from solvent.lift.calls import call
from solvent.queries.asking import Asker, Check, Meter, conclude, make_solver
from solvent.queries.problem import Problem
from solvent.queries.replay import shown
from solvent.queries.results import Result
from solvent.queries.solving import succeeded
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import and_
from solvent.terms.sorts import BitVecSort, IntSort, RealSort, Sort
from solvent.terms.term import Term
from solvent.verdicts.rendering import Json
from solvent.vm.values import Value


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Optimum(Result):
    """The answer to `optimize`: the best inputs, and the values of the objectives.

    An objective without a best value is the string `unbounded`, or `not attained` if the values
    come ever closer to a bound.
    """

    value: Value = None
    objectives: tuple[Value, ...] = ()

    def headline(self) -> str:
        if self.status is Status.SAT:
            return f"{self.function}: best {', '.join(map(shown, self.objectives))}"
        if self.status is Status.UNSAT:
            return f"{self.function}: no inputs succeed"
        return f"{self.function}: unknown"

    def as_dict(self) -> Json:
        result = Result.as_dict(self)
        if self.status is Status.SAT:
            result["objectives"] = [shown(value) for value in self.objectives]
        return result


# An objective and whether it is maximised.
Goal = tuple[object, bool]


def goals(minimize: object, maximize: object) -> list[Goal]:
    """The objectives in order: `True` is the result, a callable is applied to it."""
    found = [(goal, False) for goal in _listed(minimize)]
    found += [(goal, True) for goal in _listed(maximize)]
    if not found:
        raise QueryError("optimize() needs something to minimize or to maximize")
    return found


def _listed(given: object) -> list[object]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def objective_terms(found: list[Goal]) -> Callable[[Value], list[Value]]:
    """What computes the objectives from the result of the function."""

    def compute(value: Value) -> list[Value]:
        result = []
        for goal, _ in found:
            if goal is True:
                goal = value
            elif callable(goal) and not isinstance(goal, (Term, Sort)):
                goal = call(goal)(value)
            result.append(goal)
        return result

    return compute


def optimize(asker: Asker, problem: Problem, meter: Meter, found: list[Goal]) -> Optimum:
    """The best solution."""
    condition = and_(asker.assumption, problem.normal)
    terms: list[Value] = problem.run.extra or []
    check = Check(Status.UNSAT)
    best: list[Value] = []
    if condition is not False:
        _check_numbers(problem, terms)
        # Of its own: only Z3 optimises, and objectives cannot be taken back.
        with make_solver(asker.name, asker.timeout) as solver:
            solver.add(condition)
            for term, (_, upwards) in zip(terms, found, strict=True):
                if isinstance(term, Term):
                    (solver.maximize if upwards else solver.minimize)(term)
            status = solver.check_for_model()
            meter.count(solver)
            check = Check(status, solver.reason)
            if status is Status.SAT:
                check.model = solver.model()
                best = _values(solver, terms)
    if check.status is not Status.UNKNOWN:
        # What is beyond the bounds may be better, or the only solution.
        certain = conclude(asker, problem, meter)
        if certain.status is Status.UNKNOWN:
            check = certain
    return _optimum(problem, check, tuple(best), meter)


def _check_numbers(problem: Problem, terms: list[Value]) -> None:
    for term in terms:
        symbolic = isinstance(term, Term) and isinstance(term.sort, _NUMERIC)
        if not symbolic and (isinstance(term, bool) or not isinstance(term, (int, float))):
            raise QueryError(
                f"{problem.name}: an objective must be an int, a fraction or a bitvector on every "
                f"path, not {shown(term)}"
            )


_NUMERIC = (IntSort, RealSort, BitVecSort)


def _values(solver: Solver, terms: list[Value]) -> list[Value]:
    symbolic = iter(
        solver.objective_values() if any(isinstance(term, Term) for term in terms) else []
    )
    return [next(symbolic) if isinstance(term, Term) else term for term in terms]


def _optimum(problem: Problem, check: Check, best: tuple[Value, ...], meter: Meter) -> Optimum:
    if check.model is None:
        return Optimum(
            function=problem.name,
            status=check.status,
            reason=check.reason,
            stats=meter.stats(problem),
            derived=problem.inputs.derived,
        )
    model = check.model
    replayed = problem.replay(model)
    written = problem.written(model)
    return Optimum(
        function=problem.name,
        status=check.status,
        model=model,
        inputs=problem.values(model),
        call=written.call,
        setup=written.setup,
        texts=written.texts,
        value=problem.run.value(model),
        objectives=best,
        replay=replayed,
        confirmed=succeeded(replayed),
        derived=problem.inputs.derived,
        stats=meter.stats(problem),
    )
