"""Running a function symbolically, without asking a question yet."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvent.errors import AssumptionError
from solvent.lift.calls import call
from solvent.lift.function import UNLIFTED
from solvent.terms.booleans import and_
from solvent.terms.memory import created_terms
from solvent.vm.machine import Machine, PathEnd, is_program_exception, running
from solvent.vm.report import Listener, Stats
from solvent.vm.state import Failure


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a symbolic run came to.

    `value` is the result where the run ends normally.  `assumes` and `asserts` are the state of
    figure 6: under a model that makes both true the run ends normally; where `asserts` is false it
    fails, and where `assumes` is false it is not of interest.  If `halted`, no input ends normally.
    """

    value: Any
    assumes: Any
    asserts: Any
    halted: bool
    failures: tuple[Failure, ...]
    stats: Stats

    @property
    def normal(self) -> Any:
        """The condition under which the run ends normally."""
        return and_(self.assumes, self.asserts)


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
    (x > 0, ['AssertionError', 'ZeroDivisionError'])
    """
    machine = Machine()
    if listener is not None:
        machine.stats.listeners.append(listener)
    value: Any = None
    halted = False
    before = created_terms()
    started = time.perf_counter()
    with running(machine):
        try:
            value = (function if UNLIFTED else call(function))(*args, **named)
        except (PathEnd, AssumptionError):
            halted = True
        except BaseException as error:
            if not is_program_exception(error):
                raise
            machine.end_path(error)
            halted = True
        finally:
            machine.close()
    machine.stats.seconds = time.perf_counter() - started
    machine.stats.terms = created_terms() - before
    state = machine.state
    return Outcome(
        value, state.assumes, state.asserts, halted, tuple(state.failures), machine.stats
    )
