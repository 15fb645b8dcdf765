"""The solver of an engine: incremental, with a deadline, and others for when it gives up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from solvent.btor2.memory import Memory
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import AnySort
from solvent.btor2.system import as_term
from solvent.btor2.unroll import constant_of
from solvent.errors import InternalError, NoModelError, UnsupportedError
from solvent.solvers import Solver, Status
from solvent.terms import and_, eq, not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model as Assignment
from solvent.terms.values import ArrayValue
from solvent.verdicts import Deadline, GaveUp, OutOfTime

DEFAULT = "bitwuzla"
GENERALIST = "z3"
THIRD = "cvc5"

# The time and the place of a value that can be chosen.
Place = tuple[int, int]


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

    def add_either(self, conditions: Iterable[Guard]) -> None:
        """Assert that one of some conditions holds."""
        self.add(or_(*conditions))

    def assumable(self, clauses: Iterable[Iterable[Guard]]) -> Guard:
        """A condition under which some clauses hold, to be assumed and then retired."""
        return and_(*[or_(*clause) for clause in clauses])

    def retire(self, condition: Guard) -> None:
        """Let what `assumable` gave never be assumed again: it is not asserted anywhere."""

    def any_of(self, conditions: Iterable[Guard]) -> Guard:
        """The disjunction of conditions."""
        return or_(*conditions)

    def all_of(self, conditions: Iterable[Guard]) -> Guard:
        """The conjunction of conditions."""
        return and_(*conditions)

    def negation(self, condition: Guard) -> Guard:
        """The complement of a condition."""
        return not_(condition)

    def same(self, a: Value, b: Value, sort: AnySort) -> Guard:
        """That two values of a sort are equal."""
        if isinstance(a, Memory):
            found = a.equals(b)
            return bool(found) if found.__class__ is int else found
        return eq(as_term(a, sort), as_term(b, sort))

    def is_true(self, condition: Guard) -> bool:
        """Whether a condition holds in the model of the last check."""
        return condition is True or (
            condition is not False and self.model().evaluate(condition) is True
        )

    def choices(self, chosen: Mapping[Place, Value], asked: bool) -> dict[Place, int | ArrayValue]:
        """What the model of the last check has for inputs, and for states without a value.

        If nothing was asked, as whatever they are will do, it is zero.
        """
        model = self.model() if asked else Assignment()
        found: dict[Place, int | ArrayValue] = {}
        for key, value in chosen.items():
            result = model[constant_of(value)]
            found[key] = result if isinstance(result, ArrayValue) else int(result)
        return found

    def core(self) -> Sequence[Guard]:
        """The assumptions that the last check needed."""
        return self._solver.unsat_core()

    def close(self) -> None:
        """Let the solver go."""
        self._solver.close()


class NoQuestions(Questions):
    """Gives up as soon as a solver would be needed."""

    def __init__(self) -> None:
        self._asserted = []

    def add(self, *formulas: Guard) -> None:
        """Assert formulas for good: not here."""
        raise GaveUp("a solver is needed")

    def satisfiable(self, *assumptions: Guard) -> bool:
        """Whether the assertions can hold together with the assumptions: nobody knows here."""
        raise GaveUp("a solver is needed")

    def close(self) -> None:
        """There is nothing to let go."""


def _kind(name: str) -> str:
    return name.partition(":")[0]
