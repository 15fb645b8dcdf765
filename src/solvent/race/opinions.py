"""Further opinions: solvers that join when the one that was chosen takes longer than a moment.

The solver that suits a formula is asked alone first, since two solvers on one machine slow each
other down.  If it has no answer in time, others are asked beside it, and the first answer counts.

>>> from solvent.terms import Int
>>> x = Int("x")
>>> with Opinions(None, None) as solvers:
...     print(solvers.ask(x * x == 49, Meter(), 10).status, solvers.last)
sat z3
"""

from __future__ import annotations

import queue
import threading
from contextvars import copy_context
from typing import Self

from solvent.errors import SolventError
from solvent.queries.asking import Asker, Check, Meter
from solvent.solvers.status import Status
from solvent.verdicts import Deadline
from solvent.vm.values import Guard

# Seconds for which a solver is asked alone.
ALONE = 1.0
# Who joins, by the name of the solver that was asked first.
_OTHERS = {"z3": "cvc5", "bitwuzla": "z3,cvc5", "cvc5": "z3"}


class Opinions:
    """The solvers of one check; if the user has named one, it is asked alone."""

    def __init__(self, solver: str | None, timeout: float | None) -> None:
        self.named = solver is not None
        self.timeout = timeout
        self.first = Asker(solver, timeout=timeout)
        self._others: dict[str, Asker] = {}
        # The solver that gave the last answer, and the reason if it was none.
        self.last = ""

    def ask(self, formula: Guard, meter: Meter, patience: float) -> Check:
        """A model of a formula, or that there is none, or that nobody knows within so long."""
        if self.named or self.timeout is not None or patience <= ALONE:
            check = self.first.check(formula, meter, None if self.timeout else patience)
            self.last = meter.solver
            return check
        deadline = Deadline(patience)
        check = self.first.check(formula, meter, ALONE)
        self.last = meter.solver
        if check.status is not Status.UNKNOWN or deadline.is_over:
            return check
        return self._together(formula, meter, deadline)

    def _together(self, formula: Guard, meter: Meter, deadline: Deadline) -> Check:
        """The first answer of several solvers."""
        names = _OTHERS.get(self.first.solver.name, "z3")
        other = self._others.get(names)
        if other is None:
            other = self._others[names] = Asker(names)
        answers: queue.SimpleQueue[tuple[Check, Meter]] = queue.SimpleQueue()
        threads = [
            threading.Thread(
                target=copy_context().run,
                args=(_answer, asker, formula, deadline, answers),
                daemon=True,
            )
            for asker in (self.first, other)
        ]
        for thread in threads:
            thread.start()
        best = Check(Status.UNKNOWN, "timeout")
        for _ in threads:
            check, spent = answers.get()
            meter.checks += spent.checks
            meter.seconds += spent.seconds
            if check.status is not Status.UNKNOWN:
                best, self.last = check, spent.solver
                meter.solver = spent.solver
                break
            best = check
        for asker in (self.first, other):
            asker.solver.interrupt()
        for thread in threads:
            thread.join()
        return best

    def close(self) -> None:
        """Give all solvers back."""
        for asker in (self.first, *self._others.values()):
            asker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _answer(
    asker: Asker,
    formula: Guard,
    deadline: Deadline,
    answers: queue.SimpleQueue[tuple[Check, Meter]],
) -> None:
    meter = Meter()
    try:
        check = asker.check(formula, meter, max(0.1, deadline.left() or 0.0))
    except SolventError as error:
        # A solver that lacks a theory leaves the question to the others.
        check = Check(Status.UNKNOWN, str(error))
    answers.put((check, meter))
