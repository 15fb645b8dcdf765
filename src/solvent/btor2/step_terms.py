"""One step of a model as IC3 needs it, on terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.slots import CellBit
from solvent.btor2.solving import DEFAULT, GENERALIST, Questions
from solvent.btor2.steps import MOST_BITS, Confirmed, Cube, Part, Seen
from solvent.btor2.symbolic import Value
from solvent.btor2.system import to_system
from solvent.btor2.transitions import State
from solvent.errors import InternalError
from solvent.terms import (
    BV,
    BitVecTerm,
    BoolTerm,
    and_,
    constants,
    eq,
    extract,
    ite,
    not_,
    or_,
    substitute,
)
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import ArraySort, Bool
from solvent.terms.term import Term, constant
from solvent.verdicts import Deadline


class TermStep:
    """One step of a model on terms."""

    # Whether all that the step allows for can happen in the model.
    is_exact = True

    def __init__(self, evaluator: Evaluator, k: int, lemmas: Sequence[int] = ()) -> None:
        """`lemmas` are properties that hold, as is known already."""
        self.lemmas = lemmas
        model = evaluator.model
        system = to_system(model)
        bads = (evaluator.bads[one] for one in (k, *lemmas))
        cone = evaluator.cone([*bads, *evaluator.constraints])
        states = [
            state
            for state, place in zip(system.states, evaluator.states, strict=True)
            if place in cone
        ]
        if any(isinstance(state.now.sort, ArraySort) for state in states):
            raise ModelError("IC3 does not work on arrays as terms; use bmc or kind")
        if sum(getattr(state.now.sort, "width", 1) for state in states) > MOST_BITS:
            raise ModelError(f"IC3 is not tried on more than {MOST_BITS} bits of states")
        self.bad = system.bads[k].condition
        never = [not_(system.bads[one].condition) for one in lemmas]
        self.constraint = and_(*system.constraints, *never)
        self.now: list[Guard] = []
        self.following: list[Guard] = []
        self.transition: dict[Term, Operand] = {}
        start: list[Guard] = []
        first_values = self._free(states, start)
        for state in states:
            if state.next is None:
                continue
            if state.init is not None:
                start.append(eq(state.now, substitute(state.init, first_values)))
            self._keep(state.now, state.next)
        self.start = and_(*start)
        used = constants(self.bad, self.constraint, *self.following)
        self.inputs = [one for one in used if one not in self.transition]

    def _keep(self, now: Term, following: Operand) -> None:
        """Make a constant part of the state."""
        self.now += _bits(now)
        self.following += _bits(following)
        self.transition[now] = following

    def _free(self, states: Sequence[State], start: list[Guard]) -> dict[Term, Operand]:
        """States without `next` are inputs, but not at the start if that says something of them.

        The result is what each of these is at the start, over what is kept as part of the state: a
        start that spoke of inputs would let a cube start with others than those it was found with.
        """
        started = {one for state in states for one in constants(state.init)}
        first = constant(Bool, "first", fresh=True)
        first_values: dict[Term, Operand] = {}
        for state in states:
            if state.next is not None:
                continue
            if state.init is not None:
                first_values[state.now] = substitute(state.init, first_values)
            elif state.now in started:
                chosen = constant(state.now.sort, f"first {state.now.name}", fresh=True)
                self._keep(chosen, chosen)
                first_values[state.now] = chosen
        if not first_values:
            return first_values
        replaced = {
            now: ite(first, value, constant(now.sort, now.name, fresh=True))
            for now, value in first_values.items()
        }
        self.bad = substitute(self.bad, replaced)
        self.constraint = substitute(self.constraint, replaced)
        for state in states:
            if state.next is not None:
                state.next = substitute(state.next, replaced)
        self._keep(first, False)
        start.append(first)
        return first_values

    # --- for the prover ----------------------------------------------------------------------

    def questions(self, solver: str | None, deadline: Deadline) -> Questions:
        """A solver for conditions of this step."""
        return Questions(solver, deadline)

    def switch(self) -> BoolTerm:
        """A condition that nothing else speaks of."""
        return constant(Bool, "frame", fresh=True)

    def outside(self, cube: Cube) -> list[list[Guard]]:
        """Clauses that hold if the state is not in a cube."""
        return [self._outside(cube)]

    def bundles(self, cube: Cube) -> list[Cube]:
        """Literals that are left out together: none."""
        return []

    def seen(self, questions: Questions) -> Seen:
        """The state and the inputs of the last model."""
        model = questions.model()
        said: dict[Value, list[Part]] = {}
        for bit, one in enumerate(self.now):
            value = bool(model.evaluate(one)) if isinstance(one, Term) else bool(one)
            said.setdefault(one if value else not_(one), []).append((bit, value))
        return _Seen([eq(one, model[one]) for one in self.inputs], said)

    def confirm(self, invariant: Guard, solver: str, deadline: Deadline) -> None:
        """Let a solver check that an invariant is one, and excludes the bad."""
        after = substitute(invariant, self.transition)
        goals = (
            and_(self.start, not_(invariant)),
            and_(invariant, self.constraint, not_(after)),
            and_(invariant, self.constraint, self.bad),
        )
        for goal in goals:
            if goal is False:
                continue
            questions = Questions(solver, deadline)
            try:
                if questions.satisfiable(goal):
                    raise InternalError("the invariant that IC3 found is not one")
            finally:
                questions.close()

    def confirmed(self, cubes: Sequence[Cube], solver: str | None, deadline: Deadline) -> Confirmed:
        """That no state is in one of some cubes, after another solver has looked at it."""
        invariant = and_(*[or_(*self._outside(cube)) for cube in cubes])
        second = GENERALIST if (solver or DEFAULT).partition(":")[0] != GENERALIST else DEFAULT
        self.confirm(invariant, second, deadline)
        return invariant, second

    def _outside(self, cube: Cube) -> list[Guard]:
        return [not_(self.now[b]) if v else self.now[b] for b, v in sorted(cube)]


@dataclass
class _Seen:
    """A state that a model shows, and the inputs."""

    fixed: list[Value]
    said: dict[Value, list[Part]]

    def cube(
        self, parts: Iterable[Part], needed: Callable[[Sequence[Value]], Iterable[Part]]
    ) -> Cube:
        """Some parts of the state as a cube."""
        return frozenset(one for one in parts if not isinstance(one, CellBit))


def _bits(value: Operand) -> list[Guard]:
    if isinstance(value, BV | BitVecTerm):
        return [eq(extract(i, i, value), 1) for i in range(value.width)]
    assert isinstance(value, bool | BoolTerm)
    return [value]
