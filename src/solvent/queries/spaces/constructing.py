"""Making inputs by calling something of the program's, such as a class.

The call is lifted and has a run of its own.  Arguments with which it raises are no inputs.  What it
changes besides the new object would not be undone after the query, so such calls are refused; what
was there before is told from what is new by running the call twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.contracts.invariants import invariants_of
from solvent.errors import InputSpaceError, NotLiftedError, SolventError, UnwindingError
from solvent.lift.calls import call
from solvent.lift.execution import adopt
from solvent.lift.reflection import assume
from solvent.lift.unlifted import Direct
from solvent.lift.values.protocol import truth
from solvent.queries.recipes import Recipe
from solvent.queries.spaces.base import Making
from solvent.queries.spelling import name_of
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import and_
from solvent.terms.term import Term
from solvent.vm.journal import apply
from solvent.vm.machine import Machine, Outcome
from solvent.vm.values import Guard, Value

# How long a solver may look for inputs with which a function raises that makes inputs.
_SECONDS = 10.0


def constructed(
    making: Making,
    function: Callable[..., Value],
    args: tuple[Value, ...] = (),
    named: Mapping[str, Value] | None = None,
) -> Value:
    """What a call gives; where it raises, there are no inputs."""
    recipe = Recipe(function, args, dict(named or {}))
    earlier = _outcome(making, recipe)
    outcome = _outcome(making, recipe)
    if earlier.effects.keys() & outcome.effects.keys():
        raise InputSpaceError(
            f"{_name(recipe)} changes more than the object that it makes; make the object in the "
            "function itself, from parameters for its parts"
        )
    apply(outcome.effects, {})
    making.assume_here(outcome.normal)
    making.made.append((outcome.value, recipe))
    return outcome.value


def computed(
    making: Making,
    function: Callable[..., Value],
    args: tuple[Value, ...] = (),
    named: Mapping[str, Value] | None = None,
) -> Value:
    """What a call gives that must not raise, whatever it is given; data, told as it is."""
    recipe = Recipe(function, args, dict(named or {}))
    outcome = _outcome(making, recipe)
    for failure in outcome.failures:
        # What is assumed on the way may exclude it: a bound that is drawn depends on another.
        if _is_possible(and_(outcome.assumes, failure.condition)):
            raise InputSpaceError(
                f"{_name(recipe)} may raise {type(failure.exception).__name__} while inputs are "
                "made"
            )
    result = constructed(making, function, args, named)
    if not isinstance(function, type) or function.__module__ == "builtins":
        making.made.pop()
    return result


def _is_possible(condition: Guard) -> bool:
    """Whether there are values for which a condition is true; if in doubt, there are."""
    if not isinstance(condition, Term):
        return condition
    with Solver() as solver:
        return solver.check(condition, timeout=_SECONDS) is not Status.UNSAT


def assume_invariant(making: Making, cls: type, value: Value) -> None:
    """Where the invariant of a class is false, or raises, an instance is no input."""
    for invariant in invariants_of(cls):
        assume_condition(making, invariant.function, value)


def assume_condition(making: Making, holds: Callable[..., Value], value: Value) -> None:
    """Where a condition is false of a value, or raises, the value is no input."""
    outcome = _outcome(making, Recipe(holds, (value,)), truth)
    making.assume_here(and_(outcome.normal, outcome.value))


def _outcome(
    making: Making, recipe: Recipe, then: Callable[[Value], Value] = lambda value: value
) -> Outcome:
    def action() -> Value:
        adopt(recipe.args, recipe.named)
        for assumption in making.assumptions:
            assume(assumption)
        function = call(recipe.function)
        if isinstance(function, Direct):
            # A constructor of C's holds what it is given, or raises.
            function = recipe.function
        return then(function(*recipe.args, **recipe.named))

    outcome = Machine().run(action, undo=True)
    for failure in outcome.failures:
        if isinstance(failure.exception, (SolventError, UnwindingError)):
            raise NotLiftedError(
                f"{_name(recipe)} is not known for all inputs: {failure.exception}"
            ) from failure.exception
    if outcome.halted:
        reasons = sorted({type(failure.exception).__name__ for failure in outcome.failures})
        raise InputSpaceError(
            f"{_name(recipe)} raises {' or '.join(reasons) or 'an exception'} for all inputs that "
            "its annotations describe; give others with `objects`"
        )
    return outcome


def _name(recipe: Recipe) -> str:
    return f"`{name_of(recipe.function)}()`"
