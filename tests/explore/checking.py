"""What must be true of every exploration, checked with a solver and with CPython."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from solvent import Solver, integers
from solvent.explore import Exploration, explore
from solvent.lift.under_model import evaluate
from solvent.queries.replay import plain
from solvent.solvers import Status
from solvent.terms import Bool, Int, Model, Str, and_, not_, or_
from tests.lift.differential import run, snapshot


def proved(formula: Any) -> bool:
    """Whether a solver proves a formula."""
    with Solver() as solver:
        solver.add(not_(formula))
        return solver.check() is Status.UNSAT


def check_partition(found: Exploration) -> None:
    """The paths exclude each other, and together they are all inputs that are assumed."""
    conditions = [path.condition for path in found.paths]
    with Solver() as solver:
        for first, second in itertools.combinations(conditions, 2):
            assert solver.check(first, second) is Status.UNSAT, (first, second)
    for condition in conditions:
        assert proved(or_(not_(condition), found.assumed)), condition
    if found.complete:
        assert proved(or_(not_(found.assumed), or_(conditions)))


def space(place: int, values: Sequence[Any]) -> tuple[Any, Any]:
    """A constant for one of the values, and what to pass for it."""
    if isinstance(values[0], bool):
        return Bool(f"in{place}"), Bool(f"in{place}")
    if isinstance(values[0], str):
        return Str(f"in{place}"), Str(f"in{place}")
    return Int(f"in{place}"), integers(min(values), max(values))


def check_results(
    function: Callable[..., Any], *domains: Sequence[Any], **options: Any
) -> Exploration:
    """On every input of a small domain, the one path that it takes does what CPython does."""
    names = list(plain(function).__code__.co_varnames[: len(domains)])
    made = [space(place, values) for place, values in enumerate(domains)]
    given = [passed for _, passed in made]
    # Spaces name their constants after the parameters.
    constants = [
        Int(name) if constant.sort is Int else constant
        for name, (constant, _) in zip(names, made, strict=True)
    ]
    found = explore(function, *given, **options)
    for values in itertools.product(*domains):
        model = Model(dict(zip(constants, values, strict=True)))
        shown = f"{function.__name__}{values!r}"
        taken = [path for path in found.paths if evaluate(path.condition, model)]
        if not taken and not found.complete:
            continue
        assert len(taken) == 1, f"{shown}: on {len(taken)} paths"
        result, error = run(plain(function), values)
        end = taken[0].end
        if error is None:
            assert end.failure is None, f"{shown}: raises only when explored: {end.failure}"
            value = end.run.value(model)
            assert snapshot(value) == snapshot(result), f"{shown}: {value!r}, not {result!r}"
        else:
            assert end.failure is not None, f"{shown}: CPython raises {error!r}"
            raised = evaluate(end.failure.exception, model)
            assert snapshot(raised) == snapshot(error), f"{shown}: {raised!r}, not {error!r}"
    return found


def merged_agrees(found: Exploration) -> None:
    """On every path the merged run has the same result, or the same failure."""
    assert found.merged is not None
    assert not isinstance(found.merged, str), found.merged
    outcome = found.merged.run.outcome
    for path in found.paths:
        if path.exception is None:
            equal: Any = path.result == outcome.value
            assert proved(or_(not_(path.condition), and_(outcome.normal, equal))), path
        else:
            same = [
                failure.condition
                for failure in outcome.failures
                if type(failure.exception) is type(path.exception)
            ]
            assert proved(or_(not_(path.condition), or_(same))), path
