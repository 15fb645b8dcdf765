"""From a solver's model to a witness: the execution is run on its numbers and written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from solvent.btor2.evaluator import Evaluator
from solvent.btor2.memory import Memory, Oracle
from solvent.btor2.simulate import Simulator, Step
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import label
from solvent.btor2.witness import Assignment, Frame, Witness
from solvent.errors import InternalError
from solvent.terms.sorts import ArraySort, BitVecSort
from solvent.terms.values import ArrayValue


def lasso(evaluator: Evaluator, steps: Sequence[Step], justice: int) -> int | None:
    """Where an execution begins to repeat itself with all conditions of a justice property.

    The last state must be an earlier one, and between them each condition and each fairness
    constraint must hold at some time.  States without `next` can be chosen again.
    """
    last = steps[-1]
    kept = [k for k, place in enumerate(evaluator.states) if place in evaluator.nexts]
    for first in range(len(steps) - 1):
        if not _same_states(kept, steps[first], last):
            continue
        round_trip = steps[first:-1]
        conditions = range(len(last.justices[justice]))
        just = all(any(step.justices[justice][k] for step in round_trip) for k in conditions)
        fair = all(any(step.fairs[k] for step in round_trip) for k in range(len(last.fairs)))
        if just and fair:
            return first
    return None


def _same_states(kept: Iterable[int], one: Step, other: Step) -> bool:
    pairs = ((one.states[k], other.states[k]) for k in kept)
    return all(a.equals(b) == 1 if isinstance(a, Memory) else a == b for a, b in pairs)


class Execution:
    """A concrete execution up to a time, and the choices that lead to it."""

    def __init__(
        self,
        evaluator: Evaluator,
        chosen: Mapping[tuple[int, int], int | ArrayValue],
        length: int,
    ) -> None:
        self.evaluator = evaluator
        self._values = chosen
        self._oracles: dict[tuple[int, int], Oracle] = {}
        simulator = Simulator(evaluator, self._input, self._state, only_needed=True)
        self.steps = list(simulator.run(length + 1))

    @classmethod
    def of(cls, evaluator: Evaluator, steps: list[Step]) -> Execution:
        """An execution that has been run already."""
        found = cls.__new__(cls)
        found.evaluator, found.steps = evaluator, steps
        found._values, found._oracles = {}, {}
        return found

    def _input(self, position: int, time: int) -> int | Memory:
        return self._value(self.evaluator.inputs[position], time)

    def _state(self, position: int, time: int) -> int | Memory:
        return self._value(self.evaluator.states[position], time)

    def _value(self, place: int, time: int) -> int | Memory:
        value = self._values.get((time, place), 0)
        sort = self.evaluator.sorts[place]
        if isinstance(value, ArrayValue) and not isinstance(value.sort.element, ArraySort):
            assert isinstance(sort, ArraySort)
            oracle = Oracle(value)
            self._oracles[time, place] = oracle
            return Memory(sort, oracle)
        return Memory.of(value) if isinstance(value, ArrayValue) else value

    def violated(self, time: int) -> list[int]:
        """Which bad states hold at a time, if all constraints hold until then."""
        if not all(all(step.constraints) for step in self.steps[: time + 1]):
            return []
        return [k for k, holds in enumerate(self.steps[time].bads) if holds]

    def witness(self, properties: Iterable[str]) -> Witness:
        """The execution in the witness format."""
        frames = [
            Frame(step.time, self._states(step.time), self._inputs(step.time))
            for step in self.steps
        ]
        return Witness(list(properties), frames)

    def _states(self, time: int) -> list[Assignment]:
        evaluator = self.evaluator
        found: list[Assignment] = []
        for position, place in enumerate(evaluator.states):
            free = place not in evaluator.nexts if time else place not in evaluator.inits
            if free:
                name = label(evaluator.model.states[position], "state", position)
                value = self.steps[time].states[position]
                found += self._assignments(position, place, value, f"{name}#{time}", time)
        return found

    def _inputs(self, time: int) -> list[Assignment]:
        evaluator = self.evaluator
        found: list[Assignment] = []
        for position, place in enumerate(evaluator.inputs):
            name = label(evaluator.model.inputs[position], "input", position)
            value = self.steps[time].inputs[position]
            found += self._assignments(position, place, value, f"{name}@{time}", time)
        return found

    def _assignments(
        self, position: int, place: int, value: Value, name: str, time: int
    ) -> list[Assignment]:
        sort = self.evaluator.sorts[place]
        if isinstance(sort, BitVecSort):
            return [Assignment(position, f"{value:0{sort.width}b}", None, name)]
        assert isinstance(sort, ArraySort)
        if isinstance(sort.element, ArraySort):
            # The format has no elements of elements.
            return []
        oracle = self._oracles.get((time, place))
        # What a witness does not say is zero, and so is what nobody asked for.
        asked = dict(value.items()) if oracle is None else oracle.asked
        index, element = sort.index, sort.element
        assert isinstance(index, BitVecSort)
        assert isinstance(element, BitVecSort)
        return [
            Assignment(position, f"{found:0{element.width}b}", f"{at:0{index.width}b}", name)
            for at, found in sorted(asked.items())
            if found
        ]


def confirmed(execution: Execution, time: int, wanted: Iterable[int]) -> list[int]:
    """The bad states that an execution reaches, among which is one of those that are wanted."""
    found = execution.violated(time)
    if not set(found) & set(wanted):
        raise InternalError("the solver's counterexample does not run to a bad state of the model")
    return found
