"""How far loops and recursion are unrolled.

A loop whose test stays symbolic goes on until the test becomes false.  From a number of symbolic
iterations on, and from a number of nested symbolic decisions on (recursion), a solver is asked
whether any input goes on, so that a loop which cannot run further stops even if neither rewriting
nor the ranges of its numbers showed it.  Before that number it is asked now and then, so that
nested loops with small bounds do not multiply; ever more rarely while it finds nothing, as in walks
over large trees.
`vm.bounds` sets a bound of the user's own instead.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING

from solvent.errors import UnboundedError, UnwindingError
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import and_, not_
from solvent.vm.own import position
from solvent.vm.probe import INFEASIBLE, PROBE
from solvent.vm.state import PathEnd
from solvent.vm.values import Guard
from solvent.vm.witness import is_possible

if TYPE_CHECKING:
    from solvent.vm.machine import Machine


class Limits:
    """The limits of one machine."""

    __slots__ = (
        "ask_after",
        "bound",
        "deepest",
        "give_up_after",
        "pause",
        "solver",
        "unwinding",
        "vain",
    )

    # Whether runs follow one path and settle what others fork on (see `solvent.explore`).
    directed = False

    def __init__(self) -> None:
        # Symbolic iterations, or nested decisions, before the solver is asked.
        self.ask_after = 64
        # How many iterations, or nested decisions, before a loop or recursion is given up.
        self.give_up_after = 1000
        self.deepest = 250
        # The user's own bound, and whether reaching it is a failed assertion or an assumption.
        self.bound: int | None = None
        self.unwinding = "assert"
        self.solver: Solver | None = None
        # How often in turn asking early found nothing, and how many occasions are now let pass.
        self.vain = 0
        self.pause = 0

    def may_go_on(self, machine: Machine, count: int, condition: Guard) -> bool:
        """Whether a loop may run for the `count`-th time where `condition` holds."""
        if machine.ranges.refutes(condition):
            return False
        if self.bound is not None and count > self.bound:
            self.stop(machine, condition, "loop")
            return False
        if not self.asks(count) or (count <= self.ask_after and not self.has_patience(2, 4)):
            return True
        if not self.feasible(machine, condition):
            self.vain = self.pause = 0
            return False
        self.vain += 1
        if count > self.give_up_after:
            if not self.feasible(machine, condition, exactly=True):
                return False
            raise UnboundedError(
                f"{position()}: this loop may run more than {self.give_up_after} times with a "
                "symbolic test; limit it with `solvent.bounded(n)` or assume a bound on its inputs"
            )
        return True

    def asks(self, count: int) -> bool:
        """Whether the solver is asked now: always after `ask_after`, at powers of two before."""
        return count > self.ask_after or (count >= 4 and count & (count - 1) == 0)

    def decide(self, machine: Machine, condition: Guard, code: CodeType) -> Guard:
        """The test of a branch in some code, or its value if one side is not possible any more."""
        depth = machine.recursion(code)
        if self.bound is not None and depth > self.bound:
            self.stop(machine, True, "recursion")
        left = machine.scopes[-1].left if machine.scopes else 0
        early = depth <= self.ask_after and left <= self.ask_after
        if early and not (self.asks(depth) and self.has_patience()):
            return condition
        self.vain += 1
        if not self.feasible(machine, condition):
            self.vain = 0
            if not self.feasible(machine, not_(condition)):
                # No input gets here at all.
                raise PathEnd
            return False
        if not self.feasible(machine, not_(condition)):
            self.vain = 0
            return True
        if depth > self.deepest or left > self.give_up_after:
            if not self.feasible(machine, condition, exactly=True):
                return False
            if not self.feasible(machine, not_(condition), exactly=True):
                return True
            raise UnboundedError(
                f"{position()}: the recursion or loop around this test does not end within "
                f"{max(depth, left)} symbolic decisions; limit it with `solvent.bounded(n)` or "
                "assume a bound on its inputs"
            )
        return condition

    def has_patience(self, often: int = 16, growth: int = 2) -> bool:
        """Whether the solver is asked on this occasion, after it was asked in vain."""
        if self.pause:
            self.pause -= 1
            return False
        # After so many times in vain one occasion is let pass, then ever more, at most 64.
        more = min(self.vain - often, 6)
        self.pause = 0 if more < 0 else min(growth**more, 64)
        return True

    def stop(self, machine: Machine, condition: Guard, what: str) -> None:
        """The user's bound is reached where `condition` holds: those paths end."""
        if self.unwinding == "assume":
            machine.assume(not_(condition))
        else:
            message = f"{position()}: the bound of {self.bound} is too small for this {what}"
            machine.end_unknown(condition, UnwindingError(message))

    def settle(self, machine: Machine, condition: Guard) -> Guard:
        """The side of a condition that a directed run takes, or the condition if it forks."""
        return condition

    def feasible(
        self,
        machine: Machine,
        condition: Guard,
        exactly: bool = False,
        seconds: float | None = None,
    ) -> bool:
        """Ask the solver whether the path can go on where `condition` holds; if in doubt, it can.

        Where that is easily seen, no solver is needed.
        What classes of characters mean is left out, unless the exact answer is needed: it is seldom
        what ends a loop, and makes the question much larger.
        """
        if not exactly and is_possible(condition, machine.state.path):
            return True
        if self.solver is None:
            self.solver = Solver(abstract=True)
        question = and_(machine.state.path.term, condition)
        status = self.solver.check(question, timeout=seconds)
        machine.stats.asked(str(status), self.solver.checked.seconds)
        if exactly and status is not Status.UNSAT:
            with Solver() as solver:
                status = solver.check(question)
                machine.stats.asked(str(status), solver.checked.seconds)
        if status is Status.UNSAT:
            PROBE.charge(INFEASIBLE, 1)
        return status is not Status.UNSAT

    def close(self) -> None:
        """Give the solver back."""
        if self.solver is not None:
            self.solver.close()
            self.solver = None
