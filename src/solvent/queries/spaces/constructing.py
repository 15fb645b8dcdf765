"""Making inputs by calling something of the program's, such as a class.

The call is lifted and has a run of its own.  Arguments with which it raises are no inputs.  What it
changes besides the new object would not be undone after the query, so such calls are refused; what
was there before is told from what is new by running the call twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.errors import InputSpaceError, NotLiftedError, SolventError, UnwindingError
from solvent.lift.calls import call
from solvent.lift.execution import adopt
from solvent.lift.reflection import assume
from solvent.lift.unlifted import Direct
from solvent.queries.recipes import Recipe
from solvent.queries.spaces.base import Making
from solvent.queries.spelling import name_of
from solvent.vm.journal import apply
from solvent.vm.machine import Machine, Outcome
from solvent.vm.values import Value


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


def _outcome(making: Making, recipe: Recipe) -> Outcome:
    def action() -> Value:
        adopt((recipe.args, recipe.named))
        for assumption in making.assumptions:
            assume(assumption)
        function = call(recipe.function)
        if isinstance(function, Direct):
            # A constructor of C's holds what it is given, or raises.
            function = recipe.function
        return function(*recipe.args, **recipe.named)

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
