"""The solver of an engine: incremental, with a deadline, and others for when it gives up."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.errors import InternalError, NoModelError, UnsupportedError
from solvent.solvers import Solver, Status
from solvent.terms.kinds import Guard
from solvent.terms.model import Model as Assignment
from solvent.verdicts import Deadline, GaveUp, OutOfTime

DEFAULT = "bitwuzla"
GENERALIST = "z3"
THIRD = "cvc5"


class Questions:
    """Assertions and checks with one solver, and with the next from where it gives up."""

    def __init__(self, solver: str | None, deadline: Deadline) -> None:
        self._solver = Solver(solver or DEFAULT)
        self._others = [one for one in (GENERALIST, THIRD) if one != _kind(self._solver.name)]
        self._deadline = deadline
        self._asserted: list[Guard] = []
        self._assumed: tuple[Guard, ...] = ()
        self.checks = 0

    def add(self, *formulas: Guard) -> None:
        """Assert formulas for good."""
        self._asserted += formulas
        self._solver.add(*formulas)

    @property
    def has_assertions(self) -> bool:
        """Whether anything was asserted."""
        return bool(self._asserted)

    def satisfiable(self, *assumptions: Guard) -> bool:
        """Whether the assertions can hold together with the assumptions."""
        self.checks += 1
        self._assumed = assumptions
        status = self._check()
        while status is Status.UNKNOWN:
            self._deadline.check()
            self._take_next(f"the solvers gave up ({self._solver.reason})")
            status = self._check()
        return status is Status.SAT

    def _check(self) -> Status:
        return self._solver.check(*self._assumed, timeout=self._deadline.check())

    def _take_next(self, reason: str) -> None:
        if not self._others:
            raise GaveUp(reason)
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

    def core(self) -> Sequence[Guard]:
        """The assumptions that the last check needed."""
        return self._solver.unsat_core()

    def close(self) -> None:
        """Let the solver go."""
        self._solver.close()


def _kind(name: str) -> str:
    return name.partition(":")[0]
