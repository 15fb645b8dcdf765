"""The solver of one check, and who has answered last.

If the user has named none, the one that suits a formula is asked, and others join it when it takes
longer than expected (`solvers/joining.py`).

>>> from solvent.terms import Int
>>> x = Int("x")
>>> with Opinions(None, None) as solvers:
...     print(solvers.ask(x * x == 49, Meter(), 10).status, solvers.last)
sat z3
"""

from __future__ import annotations

from typing import Self

from solvent.queries.asking import Asker, Check, Meter
from solvent.vm.values import Guard


class Opinions:
    """The solvers of one check; if the user has named one, it is asked alone."""

    def __init__(self, solver: str | None, timeout: float | None) -> None:
        self.timeout = timeout
        self.first = Asker(solver, timeout=timeout)
        # The program is evaluated while the solver starts.
        self.first.solver.prepare()
        # The solver that gave the last answer.
        self.last = ""

    def ask(self, formula: Guard, meter: Meter, patience: float) -> Check:
        """A model of a formula, or that there is none, or that nobody knows within so long."""
        check = self.first.check(formula, meter, None if self.timeout else patience)
        self.last = meter.solver
        return check

    def close(self) -> None:
        """Give all solvers back."""
        self.first.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
