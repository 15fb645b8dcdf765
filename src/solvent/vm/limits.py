"""How far loops and recursion are unrolled.

A loop whose test stays symbolic goes on until the test becomes false.  From a number of symbolic
iterations on, a solver is asked whether any input goes on, so that a loop which cannot run further
stops even if rewriting did not show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import and_

if TYPE_CHECKING:
    from solvent.vm.machine import Machine


class Limits:
    """The limits of one machine."""

    __slots__ = ("ask_after", "bound", "give_up_after", "on_bound", "solver")

    def __init__(self) -> None:
        # Symbolic iterations of a loop before the solver is asked.
        self.ask_after = 64
        # Symbolic iterations of a loop before it is given up as unbounded.
        self.give_up_after = 100_000
        # The user's own bound, and whether reaching it is a failure or an assumption.
        self.bound: int | None = None
        self.on_bound = "assert"
        self.solver: Solver | None = None

    def may_go_on(self, machine: Machine, count: int, condition: Any) -> bool:
        """Whether a loop may run once more where `condition` holds."""
        if count < self.ask_after:
            return True
        return self.feasible(machine, condition)

    def feasible(self, machine: Machine, condition: Any) -> bool:
        """Ask the solver whether the path can go on where `condition` holds."""
        if self.solver is None:
            self.solver = Solver()
        status = self.solver.check(and_(machine.state.path.term, condition))
        machine.stats.asked(str(status))
        return status is not Status.UNSAT
