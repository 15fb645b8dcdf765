"""The solver of an engine: incremental, with a deadline, and a second one if it gives up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from solvent.solvers import Solver, Status
from solvent.terms.model import Model as Assignment

DEFAULT = "bitwuzla"
GENERALIST = "z3"


class OutOfTime(Exception):
    """The time is over, or no solver has an answer."""


class Deadline:
    """A moment after which nothing is begun any more."""

    def __init__(self, seconds: float | None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """The seconds that are left; an `OutOfTime` if there are none."""
        if self.end is None:
            return None
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTime("the time limit was reached")
        return left


class Questions:
    """Assertions and checks with one solver, and with Z3 from where it gives up."""

    def __init__(self, solver: str | None, deadline: Deadline) -> None:
        self._solver = Solver(solver or DEFAULT)
        self._deadline = deadline
        self._asserted: list[Any] = []
        self.checks = 0

    def add(self, *formulas: Any) -> None:
        """Assert formulas for good."""
        self._asserted += formulas
        self._solver.add(*formulas)

    @property
    def has_assertions(self) -> bool:
        """Whether anything was asserted."""
        return bool(self._asserted)

    def satisfiable(self, *assumptions: Any) -> bool:
        """Whether the assertions can hold together with the assumptions."""
        self.checks += 1
        status = self._solver.check(*assumptions, timeout=self._deadline.left())
        if status is Status.UNKNOWN:
            self._deadline.left()
            if self._solver.name.partition(":")[0] == GENERALIST:
                raise OutOfTime(f"the solver gave up ({self._solver.reason})")
            self._solver.close()
            self._solver = Solver(GENERALIST)
            self._solver.add(*self._asserted)
            status = self._solver.check(*assumptions, timeout=self._deadline.left())
            if status is Status.UNKNOWN:
                raise OutOfTime(f"the solvers gave up ({self._solver.reason})")
        return status is Status.SAT

    def model(self) -> Assignment:
        """The model of the last check."""
        return self._solver.model()

    def core(self) -> Sequence[Any]:
        """The assumptions that the last check needed."""
        return self._solver.unsat_core()

    def close(self) -> None:
        """Let the solver go."""
        self._solver.close()
