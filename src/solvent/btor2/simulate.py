"""Running a model on numbers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solvent.btor2.evaluator import Evaluator, initial
from solvent.btor2.guards import AsBuilt
from solvent.btor2.memory import Memory
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import AnySort, Model
from solvent.terms.sorts import ArraySort, BitVecSort

# What an input or a state is at a time: a place among the inputs or states, and that time.
# What a value is given as: a number, elements by index, or None for zero.
Given: TypeAlias = "int | Memory | Mapping[int, Given] | None"
Choice = Callable[[int, int], Given]


@dataclass(slots=True)
class Step:
    """What a model does at one time.

    `states` and `inputs` are in the order of the model; `bads` and `constraints` say which hold.
    """

    time: int
    states: list[Value]
    inputs: list[Value]
    bads: list[bool]
    constraints: list[bool]
    fairs: list[bool]
    justices: list[list[bool]]
    outputs: list[Value]


class Simulator:
    """Runs a model step by step.

    `inputs(position, time)` gives an input, `states(position, time)` a state that starts without
    a value or has no `next`; by default both are zero.  With `only_needed`, inputs are asked for
    only if they make a difference, and are else reported as zero.

    >>> from solvent.btor2 import parse
    >>> model = parse('''1 sort bitvec 8
    ... 2 zero 1
    ... 3 state 1 n
    ... 4 init 1 3 2
    ... 5 input 1 by
    ... 6 add 1 3 5
    ... 7 next 1 3 6''')
    >>> simulator = Simulator(model, inputs=lambda position, time: time + 1)
    >>> [simulator.step().states for _ in range(4)]
    [[0], [1], [3], [6]]
    """

    def __init__(
        self,
        model: Model | Evaluator,
        inputs: Choice | None = None,
        states: Choice | None = None,
        only_needed: bool = False,
    ) -> None:
        self.evaluator = evaluator = model if isinstance(model, Evaluator) else Evaluator(model)
        self.time = 0
        self._inputs = inputs
        self._states = states
        self._only_needed = only_needed
        self._positions = {place: k for k, place in enumerate(evaluator.states)}
        self._input_positions = {place: k for k, place in enumerate(evaluator.inputs)}
        self._roots = [
            *evaluator.bads,
            *evaluator.constraints,
            *evaluator.fairs,
            *(place for places in evaluator.justices for place in places),
        ]
        if not only_needed:
            self._roots += evaluator.outputs
        # All is concrete: there is nothing to look into.
        self._guards = AsBuilt()
        self._values = initial(evaluator, evaluator.states, self._leaf, self._guards)

    def _leaf(self, place: int) -> Value:
        position = self._positions.get(place)
        if position is not None:
            chosen, choice = position, self._states
        else:
            chosen, choice = self._input_positions[place], self._inputs
        sort = self.evaluator.sorts[place]
        return value_of(sort, None if choice is None else choice(chosen, self.time))

    def step(self) -> Step:
        """What holds now; then the time goes on by one."""
        evaluator, values = self.evaluator, self._values
        if not self._only_needed:
            for place in evaluator.inputs:
                values[place] = self._leaf(place)
        evaluator.run(values, self._roots, self._leaf, self._guards)
        evaluator.run(values, evaluator.nexts.values(), self._leaf, self._guards)
        for place in evaluator.inputs:
            if values[place] is None:
                values[place] = value_of(evaluator.sorts[place], None)

        def bits(places: Iterable[int]) -> list[bool]:
            return [bool(values[place]) for place in places]

        result = Step(
            self.time,
            [values[place] for place in evaluator.states],
            [values[place] for place in evaluator.inputs],
            bits(evaluator.bads),
            bits(evaluator.constraints),
            bits(evaluator.fairs),
            [bits(places) for places in evaluator.justices],
            [values[place] for place in evaluator.outputs],
        )
        self._advance()
        return result

    def _advance(self) -> None:
        evaluator, values = self.evaluator, self._values
        self.time += 1
        new = evaluator.start[:]
        for place in evaluator.states:
            following = evaluator.nexts.get(place)
            new[place] = self._leaf(place) if following is None else values[following]
        self._values = new

    def run(self, steps: int) -> Iterator[Step]:
        """Some steps, one after the other."""
        for _ in range(steps):
            yield self.step()


def value_of(sort: AnySort, given: Given) -> int | Memory:
    """A value of a sort from a number, a mapping of indices to elements, or None for zero."""
    if isinstance(sort, ArraySort):
        if isinstance(given, Memory):
            return given
        if isinstance(given, Mapping):
            table: dict[int, Value] = {
                index: value_of(sort.element, value) for index, value in given.items()
            }
            return Memory(sort, value_of(sort.element, 0), table)
        return Memory(sort, value_of(sort.element, given))
    assert isinstance(sort, BitVecSort)
    return 0 if given is None else int(given) & sort.mask  # type: ignore[arg-type]


def from_rows(rows: Sequence[Sequence[Given]]) -> Choice:
    """The choice that takes inputs from a table: one row for each time, zero after the last."""
    return lambda position, time: rows[time][position] if time < len(rows) else 0


def at_random(model: Model, seed: int, of: str = "inputs") -> Choice:
    """The choice of random values, the same for the same seed; often small or extreme ones."""
    nodes = model.inputs if of == "inputs" else model.states
    generator = random.Random(seed)

    def choose(position: int, time: int) -> int:
        sort = nodes[position].sort
        while isinstance(sort, ArraySort):
            sort = sort.element
        assert isinstance(sort, BitVecSort)
        value = generator.getrandbits(sort.width)
        return generator.choice((value, value, value & 3, 0, sort.mask))

    return choose
