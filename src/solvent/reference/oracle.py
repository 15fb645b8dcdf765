"""The oracle of section 6.3: two results are equivalent if no model tells them apart.

A route (a factory with its evaluator, or the virtual machine) gives an `Account` of a run: its
final state as Solvent's terms, and its value as choices between plain parts.  `Oracle.compare`
builds the formula under which two accounts are different outcomes.  If simplification alone makes
it false the solver is not asked.

>>> from solvent.terms import Int
>>> x = Int("x")
>>> with Oracle() as oracle:
...     print(oracle.compare(plain_account(x * x + 1), plain_account(1 + x * x)))
...     print(oracle.compare(plain_account(x * 2), plain_account(x + 1, asserts=x < 5)))
equivalent
different if x = 0: 0, but 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from solvent.errors import InternalError, SolventError
from solvent.reference.concrete import Abt, Ans, Closure, Err, Outcome, Value, same_outcome
from solvent.reference.factory import Factory, Halt, Result, SymBool, SymClosure, SymValue
from solvent.reference.syntax import Lambda, free_variables, show
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import BoolTerm, and_, eq, not_, or_, xor
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.vm.union import exclusive

# A guard, as a Solvent term or bool, with a Boolean, integer, list or closure.
Choices = Sequence[tuple[Guard, SymValue]]

SECONDS_PER_QUESTION = 60.0


@dataclass(frozen=True, eq=False, slots=True)
class Account:
    """What a route says about a run.

    `parts` gives the choices of a value; the elements of a list and the variables of a closure are
    values again.
    """

    assumes: Guard
    asserts: Guard
    halted: bool
    value: SymValue
    parts: Callable[[SymValue], Choices]
    # Of the state as the route itself represents it: its nodes, and whether it is constant.
    size: int = 0
    trivial: bool = True
    seconds: float = 0.0

    @property
    def normal(self) -> Guard:
        """The condition under which there is a value."""
        return False if self.halted else and_(self.assumes, self.asserts)

    @property
    def aborts(self) -> Guard:
        """The condition under which an assumption failed."""
        return and_(not_(self.assumes), self.asserts)

    @property
    def errs(self) -> Guard:
        """The condition under which an assertion failed."""
        return and_(self.assumes, not_(self.asserts))


def account(factory: Factory, result: Result) -> Account:
    """The account of a result of figure 6."""
    state = result.state
    term: Callable[[SymBool], Guard] = factory.term  # type: ignore[attr-defined]
    parts: Callable[[SymValue], Choices] = factory.parts  # type: ignore[attr-defined]
    halted = isinstance(result, Halt)
    return Account(
        term(state.assumes),
        term(state.asserts),
        halted,
        None if isinstance(result, Halt) else result.value,
        parts,
        factory.size(state.assumes, state.asserts),
        all(factory.is_tt(b) or factory.is_ff(b) for b in (state.assumes, state.asserts)),
    )


def plain_account(value: SymValue, assumes: Guard = True, asserts: Guard = True) -> Account:
    """The account of a run whose value is a constant, a term, a tuple or a closure."""
    return Account(assumes, asserts, False, value, lambda part: [(True, part)])


# --- under a model -----------------------------------------------------------------------------


class IllegalError(SolventError):
    """What no run can come to: two failures at once, or no value at the end of a normal run."""


def outcome_under(model: Model, found: Account) -> Outcome:
    """The concrete outcome that an account describes under a model."""
    if model.evaluate(found.normal):
        return Ans(value_under(model, found, found.value))
    if model.evaluate(found.aborts):
        return Abt()
    if model.evaluate(found.errs):
        return Err()
    raise IllegalError("an illegal state")


def value_under(model: Model, found: Account, value: SymValue) -> Value:
    """The concrete value that a route's value is under a model."""
    for guard, part in found.parts(value):
        if model.evaluate(guard):
            return _part_under(model, found, part)
    raise IllegalError("no value")


def _part_under(model: Model, found: Account, part: SymValue) -> Value:
    if isinstance(part, tuple):
        return tuple(value_under(model, found, item) for item in part)
    if isinstance(part, SymClosure):
        environment = {
            name: value_under(model, found, value) for name, value in part.environment.items()
        }
        return Closure(part.variable, part.body, environment)
    result: bool | int = model.evaluate(part)
    return result


def describe(outcome: Outcome | str, whole: bool = False) -> str:
    """An outcome in words; of closures the variables that occur in them, or the whole environment.

    >>> describe(Ans((1, True))), describe(Abt())
    ('(1 #t)', 'abort')
    """
    if isinstance(outcome, Ans):
        return _describe_value(outcome.value, whole)
    if isinstance(outcome, str):
        return outcome
    return "error" if isinstance(outcome, Err) else "abort"


def _describe_value(value: Value, whole: bool = False) -> str:
    if isinstance(value, Closure):
        text = show(Lambda(value.variable, value.body))
        environment = value.environment
        used = environment if whole else free_variables(Lambda(value.variable, value.body))
        bound = [
            f"{x} = {_describe_value(environment[x], whole)}" for x in used if x in environment
        ]
        return f"{text} where {', '.join(bound)}" if bound else text
    if isinstance(value, tuple):
        return f"({' '.join(_describe_value(item, whole) for item in value)})"
    if isinstance(value, bool):
        return "#t" if value else "#f"
    return str(value)


# --- equality ----------------------------------------------------------------------------------


class _Comparison:
    """The formula under which two accounts are different outcomes."""

    def __init__(self, first: Account, second: Account) -> None:
        self.first, self.second = first, second
        # Equal values by identity; the values are kept so that no identity is used twice.
        self.known: dict[tuple[int, int], tuple[Guard, SymValue, SymValue]] = {}

    def difference(self) -> Guard:
        """Different kinds of outcomes, or different values."""
        normal = self.first.normal, self.second.normal
        aborts = _differ(self.first.aborts, self.second.aborts)
        # An illegal result is none of the three.
        errs = _differ(self.first.errs, self.second.errs)
        found = or_(_differ(*normal), aborts, errs)
        both = and_(*normal)
        if found is True or both is False:
            return found
        return or_(found, and_(both, not_(self.equal(self.first.value, self.second.value))))

    def equal(self, a: SymValue, b: SymValue) -> Guard:
        """Where two values are the same."""
        key = (id(a), id(b))
        if key not in self.known:
            # Each list is an ordered choice, as figure 4 interprets it.
            left = exclusive(tuple(self.first.parts(a)))
            right = exclusive(tuple(self.second.parts(b)))
            rows = [
                and_(g, h, self.same(part, other))
                for g, part in left
                for h, other in right
                if self.comparable(part, other)
            ]
            self.known[key] = (or_(*rows), a, b)
        return self.known[key][0]

    def comparable(self, a: SymValue, b: SymValue) -> bool:
        """Whether two parts may be the same: `1` is never `#t`, and lambda terms must be equal."""
        kind = _kind(a)
        if kind != _kind(b) or kind not in _KINDS:
            return False
        if isinstance(a, SymClosure):
            if a.variable != b.variable or (a.body is not b.body and a.body != b.body):
                return False
            return set(a.environment) == set(b.environment)
        return not isinstance(a, tuple) or len(a) == len(b)

    def same(self, a: SymValue, b: SymValue) -> Guard:
        """Where two comparable parts have the same representation."""
        if isinstance(a, tuple):
            return self.all(zip(a, b, strict=True))
        if isinstance(a, SymClosure):
            return self.all((value, b.environment[x]) for x, value in a.environment.items())
        return eq(a, b)

    def all(self, pairs: Iterable[tuple[SymValue, SymValue]]) -> Guard:
        """Where all pairs of values are the same."""
        result: Guard = True
        for a, b in pairs:
            result = and_(result, self.equal(a, b))
            if result is False:
                break
        return result


# What values are.  A machine has other things where no model gets: they are equal to nothing.
_KINDS = (bool, int, tuple, SymClosure)


def _kind(part: object) -> type:
    if isinstance(part, (bool, BoolTerm)):
        return bool
    return int if isinstance(part, (int, IntTerm)) else type(part)


def _differ(a: Guard, b: Guard) -> Guard:
    return False if a is b else xor(a, b)


def difference(first: Account, second: Account) -> Guard:
    """The condition under which two accounts are different outcomes.

    >>> from solvent.terms import Bool
    >>> difference(plain_account(1), plain_account(True)), difference(
    ...     plain_account(1, asserts=Bool("p")), plain_account(1)
    ... )
    (True, not p)
    """
    return _Comparison(first, second).difference()


# --- the solver --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether two accounts are equivalent; `None` if the solver does not know."""

    equivalent: bool | None
    # What tells the accounts apart: the values of the inputs, and the outcomes.
    inputs: Mapping[str, bool | int] = field(default_factory=dict)
    outcomes: tuple[str, str] = ("", "")
    reason: str = ""

    def __str__(self) -> str:
        if self.equivalent:
            return "equivalent"
        if self.equivalent is None:
            return f"unknown: {self.reason}"
        given = ", ".join(f"{x} = {_describe_value(v)}" for x, v in self.inputs.items())
        where = f" if {given}" if given else ""
        return f"different{where}: {self.outcomes[0]}, but {self.outcomes[1]}"


class Oracle:
    """Compares accounts, with one solver for all questions; `asked` counts them."""

    def __init__(self, seconds: float = SECONDS_PER_QUESTION) -> None:
        self.solver = Solver("z3", timeout=seconds)
        self.compared = 0
        self.asked = 0

    def compare(self, first: Account, second: Account) -> Agreement:
        """Whether no model distinguishes two accounts."""
        self.compared += 1
        formula = difference(first, second)
        if formula is False:
            return Agreement(True)
        if formula is True:
            return self._different(Model(), first, second)
        self.asked += 1
        self.solver.push()
        try:
            self.solver.add(formula)
            status = self.solver.check_for_model()
            if status == Status.UNKNOWN:
                return Agreement(None, reason=self.solver.reason)
            if status == Status.UNSAT:
                return Agreement(True)
            return self._different(self.solver.model(), first, second)
        finally:
            self.solver.pop()

    def _different(self, model: Model, first: Account, second: Account) -> Agreement:
        a, b = _attempt(model, first), _attempt(model, second)
        if not isinstance(a, str) and not isinstance(b, str) and same_outcome(a, b):
            raise InternalError(f"the model {model!r} does not tell the outcomes apart")
        texts = describe(a), describe(b)
        if texts[0] == texts[1]:
            # They differ in variables of closures that do not occur in these.
            texts = describe(a, whole=True), describe(b, whole=True)
        return Agreement(False, model.to_dict(), texts)

    def close(self) -> None:
        """Let the solver go."""
        self.solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _attempt(model: Model, found: Account) -> Outcome | str:
    try:
        return outcome_under(model, found)
    except IllegalError as error:
        return str(error)
