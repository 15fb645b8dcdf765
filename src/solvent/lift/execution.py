"""Running a function symbolically, without asking a question yet."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType, NoneType
from typing import Any

from solvent.errors import AssumptionError
from solvent.lift.calls import call
from solvent.lift.function import UNLIFTED
from solvent.lift.origins import claim
from solvent.lift.values import entries, mappings, sets
from solvent.terms.memory import created_terms
from solvent.terms.term import Term
from solvent.vm import orders
from solvent.vm.machine import Machine, begin, finish, is_program_exception, keep_context, running
from solvent.vm.report import Listener, Stats
from solvent.vm.state import Failure, Path, PathEnd
from solvent.vm.union import Maybe, Union


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a symbolic run came to.

    `value` is the result where the run ends normally.  `assumes` and `asserts` are the state of
    figure 6: under a model that makes both true the run ends normally; where `asserts` is false it
    fails, and where `assumes` is false it is not of interest.  If `halted`, no input ends normally.
    `path` is the one on which the run ended: what failed or was assumed away has left it.
    """

    value: Any
    assumes: Any
    asserts: Any
    halted: bool
    failures: tuple[Failure, ...]
    stats: Stats
    path: Path

    @property
    def normal(self) -> Any:
        """The condition under which the run ends normally."""
        # The same as `assumes` and `asserts` together, but a far smaller formula.
        return False if self.halted else self.path.term


# What holds no containers, most often found in them.
_ATOMS = (Term, int, str, bytes, float, NoneType)


def adopt(value: Any, seen: dict[int, Any] | None = None) -> None:
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
        inside: Any = dict.values(value)
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
    function: Callable[..., Any], *args: Any, listener: Listener | None = None, **named: Any
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
    machine = Machine()
    if listener is not None:
        machine.stats.listeners.append(listener)

    claim(function)

    def action() -> Any:
        adopt((args, named))
        return (function if UNLIFTED else call(function))(*args, **named)

    unfinished = begin(machine, undone=False)
    try:
        return perform(machine, action)
    finally:
        finish(unfinished)


def perform(machine: Machine, action: Callable[[], Any]) -> Outcome:
    """Run an action on a machine that nothing has run on yet."""
    value: Any = None
    halted = False
    before = created_terms()
    started = time.perf_counter()

    def act() -> None:
        nonlocal value, halted
        with running(machine):
            try:
                value = action()
            except (PathEnd, AssumptionError):
                halted = True
            except BaseException as error:
                if not is_program_exception(error):
                    raise
                machine.end_path(error)
                halted = True
            finally:
                machine.close()

    keep_context(act)
    machine.stats.seconds = time.perf_counter() - started
    machine.stats.terms = created_terms() - before
    state = machine.state
    failures = tuple(state.failures)
    return Outcome(value, state.assumes, state.asserts, halted, failures, machine.stats, state.path)
