"""On what an engine works: on terms with a solver of words, or on literals with one of clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from solvent.btor2.evaluator import Evaluator
from solvent.btor2.literals import CADICAL, Clauses, Literals, WordUnroller
from solvent.btor2.solving import NoQuestions, Place, Questions
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import AnySort
from solvent.btor2.unroll import Unroller
from solvent.terms.values import ArrayValue
from solvent.verdicts import Deadline

# The name of a solver that is none: the search ends where one is needed.
NONE = "none"


class Asked(Protocol):
    """What engines ask, and build their questions with: conditions are terms or literals."""

    def add(self, *conditions: Value) -> None: ...
    def satisfiable(self, *assumptions: Value) -> bool: ...
    def any_of(self, conditions: Iterable[Value]) -> Value: ...
    def all_of(self, conditions: Iterable[Value]) -> Value: ...
    def negation(self, condition: Value) -> Value: ...
    def same(self, a: Value, b: Value, sort: AnySort) -> Value: ...
    def is_true(self, condition: Value) -> bool: ...
    def choices(
        self, chosen: Mapping[Place, Value], asked: bool
    ) -> dict[Place, int | ArrayValue]: ...
    def close(self) -> None: ...

    @property
    def has_assertions(self) -> bool: ...


def begin(
    evaluator: Evaluator,
    roots: Iterable[int],
    solver: str | None,
    deadline: Deadline,
    initialised: bool = True,
) -> tuple[Asked, Unroller]:
    """A solver without assertions, and the model at time 0 for it."""
    if solver == CADICAL:
        literals = Literals()
        unroller = WordUnroller(evaluator, literals, roots, initialised)
        return Clauses(literals, deadline), unroller
    questions: Questions = NoQuestions() if solver == NONE else Questions(solver, deadline)
    return questions, Unroller(evaluator, roots, initialised)
