"""`explore`: every path of a function, each confirmed by CPython."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from solvent.errors import NotLiftedError, UnboundedError
from solvent.explore.comparing import agrees, same
from solvent.explore.composing import Composer
from solvent.explore.concretizing import Choices
from solvent.explore.coverage import Probed, probed
from solvent.explore.results import (
    Exploration,
    ExploredPath,
    ExploreStats,
    MergedRun,
)
from solvent.explore.searching import Bounds, End, Search, Unexplored
from solvent.explore.solving import PathSolver
from solvent.lift.under_model import evaluate
from solvent.queries import signatures
from solvent.queries.asking import other_runs
from solvent.queries.guarding import telling_limits
from solvent.queries.inputs import Inputs, bind
from solvent.queries.options import Asked, asked
from solvent.queries.problem import Problem
from solvent.queries.replay import Replay, plain, replay
from solvent.queries.run import run
from solvent.queries.signatures import seen_as
from solvent.terms.memory import set_aside
from solvent.vm.machine import path_of_run
from solvent.vm.room import roomy
from solvent.vm.values import Value


@seen_as(signatures.explore)
@roomy
def explore(function: Callable[..., Value], /, *args: Value, **named: Value) -> Exploration:
    """All feasible paths of a function, each with its condition, an example and what it comes to.

    The inputs are those given, symbolic or spaces, and otherwise come from the annotations.

    >>> def sign(x: int) -> int:
    ...     if x > 0:
    ...         return 1
    ...     return -1 if x < 0 else 0
    >>> found = explore(sign)
    >>> print(found)
    sign: 3 paths, all of them
      sign(x=0) returns 0
      sign(x=-1) returns -1
      sign(x=1) returns 1
      coverage: 4 of 4 sides of 2 branches
    >>> [path.condition for path in found.paths]
    [x <= 0 and x > -1, x <= 0 and x <= -1, x > 0]
    """
    given = asked("explore", function, args, named)
    with telling_limits(function), set_aside():
        return _explored(function, given)


def _explored(function: Callable[..., Value], given: Asked) -> Exploration:
    started = time.perf_counter()
    options = given.options
    inputs = bind(plain(function), given.args, given.named, options.max_len, options.alias)
    context = path_of_run()
    if context is not True:
        # The exploration is made by a lifted program, on one of its paths.
        inputs = replace(inputs, assumptions=(context, *inputs.assumptions))
    bounds = Bounds(options.depth, options.paths, options.seconds, options.bound)
    probes = probed(function) if options.confirm else None
    with PathSolver(options.solver, timeout=options.timeout) as asking:
        composer = Composer(function, asking, bounds) if options.compositional else None
        target = composer.variant(function) if composer is not None else function
        choices = Choices(bounds.values) if options.concretize else None
        search = Search(target, inputs, asking, options.order, bounds, choices)
        found: list[ExploredPath] = []
        with composer or nullcontext():
            for end in search:
                if end.run.varying:
                    search.unexplored.append(Unexplored(end.condition, other_runs(end.run.varying)))
                path = finished(function, inputs, end, options.confirm, probes)
                if options.concretize and options.confirm and not path.confirmed:
                    search.unexplored.append(unconfirmed(path))
                    continue
                found.append(path)
                if options.progress is not None:
                    options.progress(len(found))
        if search.refused is not None and not found:
            raise search.refused
        runs = search.runs + (composer.runs if composer is not None else 0)
        checks, solving = asking.checks, asking.seconds
    return Exploration(
        Problem(function, inputs, None).name,  # type: ignore[arg-type]
        tuple(found),
        tuple(search.left_out),
        search.assumed,
        ExploreStats(runs, checks, solving, time.perf_counter() - started),
        probes.coverage if probes is not None else None,
        merged_run(function, inputs, options.bound) if options.merged else None,
        tuple(composer.uses.values()) if composer is not None else (),
        inputs.derived,
    )


def finished(
    function: Callable[..., Value], inputs: Inputs, end: End, confirm: bool, probes: Probed | None
) -> ExploredPath:
    """A path with its example and what CPython does with that."""
    problem = Problem(function, inputs, end.run)
    model = end.model
    args, named = inputs.under(model)
    failure = end.failure
    value = end.run.value(model) if failure is None else None
    error = evaluate(failure.exception, model) if failure is not None else None
    seen: Replay | None = None
    again: Replay | None = None
    if confirm:
        seen = problem.replay(model)
        if probes is not None:
            with probes:
                again = replay(probes.function, inputs.args, inputs.named, model, inputs.made)
    written = problem.written(model) if inputs.made else problem.written_on(args, named)
    return ExploredPath(
        end.decisions,
        end.condition,
        problem.values(model),
        args,
        named,
        written.call,
        value,
        error,
        seen,
        seen is not None and is_as_predicted(seen, value, error),
        end,
        again is None or seen is None or is_repeated(seen, again),
        written.texts,
    )


def unconfirmed(path: ExploredPath) -> Unexplored:
    """A path of which CPython has shown that it is not what the run with chosen values says."""
    reason = f"not confirmed: {path.call} {path.outcome}, but CPython {path.replay}"
    return Unexplored(path.condition, reason)


def is_as_predicted(seen: Replay, value: Value, error: BaseException | None) -> bool:
    """Whether CPython did what the symbolic run says."""
    if error is None:
        return seen.returned is True and agrees(value, seen.value)
    return (
        seen.returned is False
        and type(seen.exception) is type(error)
        and agrees(error.args, seen.exception.args)
    )


def is_repeated(seen: Replay, again: Replay) -> bool:
    """Whether CPython did the same twice."""
    if seen.returned is not again.returned:
        return False
    if seen.exception is not None:
        return type(seen.exception) is type(again.exception) and str(seen.exception) == str(
            again.exception
        )
    return same(again.value, seen.value)


def merged_run(
    function: Callable[..., Value], inputs: Inputs, bound: int | None
) -> MergedRun | str:
    """Run the function once, with merging; if that does not work, why."""
    try:
        found = run(
            function, inputs.args, inputs.named, assumptions=inputs.assumptions, bound=bound
        )
    except (UnboundedError, NotLiftedError) as error:
        return str(error)
    outcome = found.outcome
    stats = outcome.stats
    states = len(outcome.failures) + (not outcome.halted)
    return MergedRun(states, stats.joins, stats.unions, stats.terms, stats.seconds, found)
