"""The solver of an engine: incremental, with a deadline, and others for when it gives up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from solvent.errors import InternalError, NoModelError, UnsupportedError
from solvent.solvers import Solver, Status
from solvent.terms.model import Model as Assignment

DEFAULT = "bitwuzla"
GENERALIST = "z3"
THIRD = "cvc5"


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

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.end is not None and time.monotonic() >= self.end

    def within(self, seconds: float) -> Deadline:
        """A deadline in so many seconds, or this one if it is sooner."""
        sooner = Deadline(seconds)
        if self.end is not None and sooner.end is not None:
            sooner.end = min(sooner.end, self.end)
        return sooner


class Questions:
    """Assertions and checks with one solver, and with the next from where it gives up."""

    def __init__(self, solver: str | None, deadline: Deadline) -> None:
        self._solver = Solver(solver or DEFAULT)
        self._others = [one for one in (GENERALIST, THIRD) if one != _kind(self._solver.name)]
        self._deadline = deadline
        self._asserted: list[Any] = []
        self._assumed: tuple[Any, ...] = ()
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
        self._assumed = assumptions
        status = self._check()
        while status is Status.UNKNOWN:
            self._deadline.left()
            self._take_next(f"the solvers gave up ({self._solver.reason})")
            status = self._check()
        return status is Status.SAT

    def _check(self) -> Status:
        return self._solver.check(*self._assumed, timeout=self._deadline.left())

    def _take_next(self, reason: str) -> None:
        if not self._others:
            raise OutOfTime(reason)
        self._solver.close()
        self._solver = Solver(self._others.pop(0))
        self._solver.add(*self._asserted)

    def model(self) -> Assignment:
        """The model of the last check, from a solver that can say it."""
        while True:
            try:
                return self._solver.model()
            except NoModelError as error:
                raise OutOfTime(str(error)) from None
            except UnsupportedError as error:
                self._take_next(f"no solver can say its model ({error})")
            if not self.satisfiable(*self._assumed):
                raise InternalError("two solvers disagree")

    def core(self) -> Sequence[Any]:
        """The assumptions that the last check needed."""
        return self._solver.unsat_core()

    def close(self) -> None:
        """Let the solver go."""
        self._solver.close()


def _kind(name: str) -> str:
    return name.partition(":")[0]
