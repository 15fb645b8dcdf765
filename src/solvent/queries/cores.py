"""Minimal unsatisfiable cores of constraints that can be switched on and off.

Each constraint has a selector, which is assumed to switch it on.  One core is found by leaving out
constraints as long as what is left has no solution.  All of them are found by walking the map of
subsets: a solver proposes a set of constraints that is neither known to have a solution nor known
to contain a core; it is shrunk to a core or grown to a largest set with a solution, and the part of
the map that this explains is crossed out.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.errors import NoModelError
from solvent.queries.asking import Meter
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.terms.sorts import Bool

Core = tuple[int, ...]


class Undecided(Exception):
    """The solver did not find out about a set."""


class Cores:
    """The cores of constraints, which are numbered, on top of what a solver has asserted.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> with Solver() as solver:
    ...     solver.add(x > 0)
    ...     cores = Cores(solver, [x < 5, x > 7, x == 0], Meter())
    ...     print(sorted(cores.all()))
    [(0, 1), (2,)]
    """

    def __init__(
        self,
        solver: Solver,
        constraints: list[Guard],
        meter: Meter,
        timeout: float | None = None,
    ) -> None:
        self.solver = solver
        self.timeout = timeout
        self.meter = meter
        self.selectors = [Bool.fresh("on") for _ in constraints]
        self.numbers: dict[Guard, int] = {
            selector: place for place, selector in enumerate(self.selectors)
        }
        for selector, constraint in zip(self.selectors, constraints, strict=True):
            solver.add(or_(not_(selector), constraint))
        # Whether every answer was definite, so that cores are minimal, and all were found.
        self.exact = True
        self.complete = False

    def check(self, chosen: set[int]) -> set[int] | None:
        """`None` if some constraints can hold together, else those of them that cannot."""
        assumed = [self.selectors[number] for number in sorted(chosen)]
        status = self.solver.check(*assumed, timeout=self.timeout)
        self.meter.count(self.solver)
        if status is Status.SAT:
            return None
        if status is Status.UNKNOWN:
            raise Undecided(self.solver.reason)
        core = {self.numbers[selector] for selector in self.solver.unsat_core()}
        return core & chosen

    def model(self, chosen: set[int]) -> Model | None:
        """A model in which some constraints hold, if there is one."""
        try:
            return self.solver.model() if self.check(chosen) is None else None
        except (NoModelError, Undecided):
            return None

    def shrink(self, core: set[int]) -> Core:
        """A minimal core inside of one."""
        for number in sorted(core):
            if number not in core:
                continue
            try:
                smaller = self.check(core - {number})
            except Undecided:
                # Not known to be superfluous: it stays, perhaps without need.
                self.exact = False
                continue
            if smaller is not None:
                core = smaller
        return tuple(sorted(core))

    def is_minimal(self, core: Core) -> bool:
        """Whether a core has no solution, and without any one of its members has one."""
        try:
            return self.check(set(core)) is not None and all(
                self.check(set(core) - {number}) is None for number in core
            )
        except Undecided:
            return False

    def grow(self, chosen: set[int]) -> set[int]:
        """A largest set that can hold together and contains this one, which can."""
        for number in range(len(self.selectors)):
            if number not in chosen:
                try:
                    if self.check(chosen | {number}) is None:
                        chosen = chosen | {number}
                except Undecided:
                    self.exact = False
        return chosen

    def all(self) -> Iterator[Core]:
        """All cores, one after the other; the first one from all constraints together."""
        everything = set(range(len(self.selectors)))
        with Solver() as explored:
            chosen: set[int] | None = everything
            while chosen is not None:
                core = self.check(chosen)
                if core is None:
                    outside = everything - self.grow(chosen)
                    explored.add(or_([self.selectors[number] for number in outside]))
                else:
                    found = self.shrink(core)
                    yield found
                    explored.add(or_([not_(self.selectors[number]) for number in found]))
                chosen = self.unexplored(explored)
        self.complete = self.exact

    def unexplored(self, explored: Solver) -> set[int] | None:
        """A set that nothing is known about, if there is one."""
        if explored.check_for_model() is not Status.SAT:
            return None
        model = explored.model()
        # What the model leaves open is switched on: large sets lead to cores.
        return {
            number
            for number, selector in enumerate(self.selectors)
            if selector not in model or model[selector]
        }
