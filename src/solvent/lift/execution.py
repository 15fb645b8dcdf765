"""Running a function symbolically, without asking a question yet."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType

from solvent.lift.calls import call
from solvent.lift.function import UNLIFTED
from solvent.lift.origins import claim
from solvent.lift.values.protocol import behaviour_of
from solvent.terms.term import Term
from solvent.vm.machine import Machine, Outcome
from solvent.vm.report import Listener
from solvent.vm.slots import guard_of, is_partial
from solvent.vm.union import Union
from solvent.vm.values import Value

# What holds no containers, most often found in them.
_ATOMS = (Term, int, str, bytes, float, NoneType)


_OURS = ("solvent.terms.", "solvent.vm.", "solvent.lift.")


def adopt(value: Value, seen: dict[int, Value] | None = None) -> None:
    """Bring all that a value holds, and plain Python made, into the form of lifted values."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return
    cls = type(value)
    if cls.__module__.startswith(_OURS) and cls is not Union and not is_partial(value):
        # What represents contents has its form already.
        return
    if is_partial(value) and guard_of(value) is False:
        # It holds nothing of the program's: the order of a dict, for example.
        return
    seen[id(value)] = value
    behaviour = behaviour_of(cls)
    behaviour.adopt(value)
    for part in list(behaviour.parts(value)):
        if not isinstance(part, _ATOMS):
            adopt(part, seen)


def execute(
    function: Callable[..., Value], *args: Value, listener: Listener | None = None, **named: Value
) -> Outcome:
    """Run a function on symbolic values; it is lifted if it is not yet.

    >>> from solvent import Int
    >>> def invert(x):
    ...     assert x >= 0
    ...     return 10 // x
    >>> outcome = execute(invert, Int("x"))
    >>> outcome.asserts, [type(failure.exception).__name__ for failure in outcome.failures]
    (x > -1 and x != 0, ['AssertionError', 'ZeroDivisionError'])
    """
    claim(function)

    def action() -> Value:
        adopt((args, named))
        return (function if UNLIFTED else call(function))(*args, **named)

    return Machine().run(action, listener=listener)
