"""Running a function symbolically, without asking a question yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType, NoneType

from solvent.lift.calls import call
from solvent.lift.function import UNLIFTED
from solvent.lift.origins import claim
from solvent.lift.values import entries, mappings, sets
from solvent.terms.term import Term
from solvent.vm import orders
from solvent.vm.machine import Machine, Outcome
from solvent.vm.report import Listener
from solvent.vm.union import Maybe, Union
from solvent.vm.values import Value

# What holds no containers, most often found in them.
_ATOMS = (Term, int, str, bytes, float, NoneType)


def adopt(value: Value, seen: dict[int, Value] | None = None) -> None:
    """Bring containers that plain Python made with symbolic keys into the form of lifted ones."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, dict):
        if any(map(entries.is_symbolic_key, value)) and orders.SYMBOLIC not in value:
            pairs = list(dict.items(value))
            dict.clear(value)
            for key, entry in pairs:
                mappings.set_item(value, key, entry)
        inside: Iterable[Value] = dict.values(value)
    elif isinstance(value, set):
        if sets.is_plain(value) and any(map(entries.is_symbolic_key, value)):
            sets.store(value, sets.guards_of(sets.make(list(value))))
        return
    elif isinstance(value, (list, tuple, deque)):
        inside = value
    elif type(value) is Union:
        inside = [member for _, member in value._solvent_choices]
    elif type(value) is Maybe:
        inside = (value.value,)
    elif hasattr(value, "__dict__") and not isinstance(value, (type, ModuleType, FunctionType)):
        inside = vars(value).values()
    else:
        return
    for item in list(inside):
        if not isinstance(item, _ATOMS):
            adopt(item, seen)


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
