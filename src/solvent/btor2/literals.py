"""Models on the literals of a solver of clauses, instead of terms.

The same lazy evaluation as on terms; a value is a number, or a word of which some literals are not
constant.  Nothing of the structure of a circuit is lost: equal gates at different times are one,
and the solver is the same one all the time, so that it keeps what it has learnt.  The solver is
CaDiCaL as the package `python-sat` has it; without that package engines work on terms.

A check cannot be interrupted: whoever has a time limit runs the engine in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from solvent.btor2.cells import Base, Cells, as_value, as_word
from solvent.btor2.evaluator import EQUAL, Evaluator
from solvent.btor2.solving import Place
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import AnySort, Model
from solvent.btor2.unroll import Unroller
from solvent.solvers.gates import FALSE, TRUE, Gates
from solvent.solvers.words import Word, circuit, constant, equal
from solvent.terms.sorts import ArraySort, BitVecSort
from solvent.terms.values import ArrayValue
from solvent.verdicts import Deadline

# The name by which this way is asked for, as that of a solver.
CADICAL = "cadical"

# A literal as a word, or known.
Condition = Word | bool


@cache
def is_available() -> bool:
    """Whether there is a solver of clauses."""
    return find_spec("pysat") is not None


def fits(evaluator: Evaluator, roots: Iterable[int]) -> bool:
    """Whether the places that some depend on can be words: large arrays are not compared."""
    cone = evaluator.cone(roots)
    compared = (evaluator.first[place] for place in cone if evaluator.kinds[place] == EQUAL)
    return follows(evaluator, roots) and all(is_small(evaluator.sorts[one]) for one in compared)


def follows(evaluator: Evaluator, roots: Iterable[int]) -> bool:
    """Whether IC3 can follow what some places depend on: arrays are not nested."""
    sorts = [evaluator.sorts[place] for place in evaluator.cone(roots)]
    return not any(
        isinstance(part, ArraySort)
        for sort in sorts
        if isinstance(sort, ArraySort)
        for part in (sort.index, sort.element)
    )


# A memory with at most so many bits is followed as a whole.
SMALL_MEMORY = 1024


def is_small(sort: AnySort) -> bool:
    """Whether a memory has few bits.

    >>> from solvent.terms import Array, BitVec
    >>> is_small(Array(BitVec(4), BitVec(8))), is_small(Array(BitVec(29), BitVec(64)))
    (True, False)
    """
    assert isinstance(sort, ArraySort)
    index, element = sort.index, sort.element
    if not (isinstance(index, BitVecSort) and isinstance(element, BitVecSort)):
        return False
    return index.width <= 16 and element.width << index.width <= SMALL_MEMORY


class Literals(Gates):
    """Gates, and what holds of them besides: see `cells`."""

    def __init__(self) -> None:
        super().__init__()
        self.side_conditions: list[int] = []

    def restricted(self, test: Value, value: Value) -> Value:
        """A value where a condition holds: it is not looked into."""
        return value

    def anything(self, sort: AnySort) -> Word | Cells:
        """A value that may be anything."""
        if isinstance(sort, ArraySort):
            return Cells(Base(sort, None, self.side_conditions))
        assert isinstance(sort, BitVecSort)
        return tuple([self.variable() for _ in range(sort.width)])

    def agree(self, a: Cells, b: Cells) -> int:
        """Whether two memories agree everywhere: each element is compared."""
        return self.all_of(self.agree_at(constant(k, a.index_width), a, b) for k in a.indices())

    def agree_at(self, address: Word, a: Cells, b: Cells) -> int:
        """Whether two memories hold the same at an address."""
        return equal(self, a.word_at(address, self), b.word_at(address, self))


@cache
def _on_values(op: str, widths: tuple[int, ...], numbers: tuple[int, ...]) -> Callable[..., Value]:
    apply = circuit(op, numbers)

    def on_values(gates: Gates, *args: Value) -> Value:
        words = [as_word(arg, width) for arg, width in zip(args, widths, strict=True)]
        return as_value(apply(gates, *words))

    return on_values


class WordEvaluator(Evaluator):
    """The places of a model, with operators on words."""

    _symbolic: Callable[..., Any] = staticmethod(_on_values)

    def __init__(self, model: Model, literals: Literals) -> None:
        self.literals = literals
        super().__init__(model)

    def _equal(self, a: Any, b: Any, guards: Any) -> Value:
        return 1 if a is b else as_value((self.literals.agree(a, b),))

    def everywhere(self, sort: ArraySort, element: Value) -> Cells:
        """The memory with one element everywhere."""
        assert isinstance(sort.element, BitVecSort)
        word = as_word(element, sort.element.width)
        return Cells(Base(sort, word, self.literals.side_conditions))


class WordUnroller(Unroller):
    """The values of a model at the current time, as words."""

    def __init__(
        self,
        evaluator: Evaluator,
        literals: Literals,
        roots: Iterable[int],
        initialised: bool = True,
    ) -> None:
        self.literals = literals
        super().__init__(WordEvaluator(evaluator.model, literals), roots, initialised)

    def _guards(self, looking_into: bool) -> Literals:
        return self.literals

    def _constant(self, sort: AnySort, name: str) -> Value:
        return self.literals.anything(sort)


class Clauses:
    """Assertions and checks with a solver of clauses, in the way of `solving.Questions`."""

    def __init__(self, literals: Literals, deadline: Deadline, solver: str = "Cadical195") -> None:
        self.literals = literals
        self._solver = getattr(import_module("pysat.solvers"), solver)()
        self._solver.add_clause([TRUE])
        # Which gates the solver knows, and how many of the side conditions.
        self._said = bytearray()
        self._side = 0
        self._deadline = deadline
        self._model: list[int] = []
        self._value: Callable[[int], bool] = literals.evaluated(self.holds)
        self.has_assertions = False
        self.checks = 0

    def add(self, *conditions: Condition) -> None:
        """Assert conditions for good."""
        self.has_assertions = True
        for one in conditions:
            literal = as_literal(one)
            self._define(literal)
            self._solver.add_clause([literal])

    def _define(self, literal: int) -> None:
        clauses = self.literals.clauses(literal, self._said)
        if clauses:
            self._solver.append_formula(clauses)

    def satisfiable(self, *assumptions: Condition) -> bool:
        """Whether the assertions can hold together with the assumptions."""
        self.checks += 1
        self._deadline.check()
        wanted = [as_literal(one) for one in assumptions]
        for literal in wanted:
            self._define(literal)
        side = self.literals.side_conditions
        while self._side < len(side):
            literal = side[self._side]
            self._side += 1
            self._define(literal)
            self._solver.add_clause([literal])
        found = bool(self._solver.solve(assumptions=wanted))
        if found:
            self._model = self._solver.get_model()
            self._value = self.literals.evaluated(self.holds)
        return found

    def core(self) -> list[Condition]:
        """The assumptions that the last check needed."""
        return [as_condition(one) for one in self._solver.get_core() or ()]

    def add_either(self, conditions: Iterable[Condition]) -> None:
        """Assert that one of some conditions holds."""
        clause = [as_literal(one) for one in conditions]
        for literal in clause:
            self._define(literal)
        self._solver.add_clause(clause)

    def assumable(self, clauses: Iterable[Iterable[Condition]]) -> Condition:
        """A condition under which some clauses hold, to be assumed and then retired."""
        switch = self.literals.variable()
        for clause in clauses:
            self.add_either([(-switch,), *clause])
        return (switch,)

    def retire(self, condition: Condition) -> None:
        """Let what `assumable` gave never be assumed again."""
        self._solver.add_clause([-as_literal(condition)])

    def holds(self, literal: int) -> bool:
        """Whether a literal that the solver knows is true in the model of the last check."""
        place = abs(literal) - 1
        value = place < len(self._model) and self._model[place] > 0
        return value == (literal > 0)

    def any_of(self, conditions: Iterable[Condition]) -> Condition:
        """The disjunction of conditions."""
        return as_condition(self.literals.any_of(map(as_literal, conditions)))

    def all_of(self, conditions: Iterable[Condition]) -> Condition:
        """The conjunction of conditions."""
        return as_condition(self.literals.all_of(map(as_literal, conditions)))

    def negation(self, condition: Condition) -> Condition:
        """The complement of a condition."""
        return as_condition(-as_literal(condition))

    def same(self, a: Value, b: Value, sort: AnySort) -> Condition:
        """That two values of a sort are equal; of memories nothing else is known than identity."""
        if isinstance(sort, ArraySort):
            return a is b
        assert isinstance(sort, BitVecSort)
        width = sort.width
        return as_condition(equal(self.literals, as_word(a, width), as_word(b, width)))

    def is_true(self, condition: Condition) -> bool:
        """Whether a condition holds in the model of the last check."""
        return self._value(as_literal(condition))

    def choices(self, chosen: Mapping[Place, Value], asked: bool) -> dict[Place, int | ArrayValue]:
        """What the model of the last check has for inputs, and for states without a value."""
        value = self._value if asked else self.literals.evaluated(lambda literal: False)

        def number(word: Word) -> int:
            return sum(value(literal) << k for k, literal in enumerate(word))

        found: dict[Place, int | ArrayValue] = {}
        for key, one in chosen.items():
            if isinstance(one, Cells):
                assert isinstance(one.base, Base)
                items = {number(index): number(word) for index, word in one.base.asked.items()}
                found[key] = ArrayValue(one.base.sort, 0, items)
            else:
                found[key] = number(one)
        return found

    def close(self) -> None:
        """Let the solver go."""
        self._solver.delete()


def as_literal(condition: Condition) -> int:
    """A condition as a literal."""
    if isinstance(condition, tuple):
        return condition[0]
    return TRUE if condition else FALSE


def as_condition(literal: int) -> Condition:
    """A literal as a condition."""
    return literal == TRUE if literal in (TRUE, FALSE) else (literal,)
