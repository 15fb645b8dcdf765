"""Unrolling a model: its values at time 0, 1, 2, ... over the inputs of each time.

Only the states that the properties depend on are followed.  What is concrete stays a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent.btor2.evaluator import CHOICE, Evaluator, initial
from solvent.btor2.guards import AsBuilt, Guards
from solvent.btor2.memory import Memory
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import AnySort
from solvent.btor2.system import leaf_constant
from solvent.terms.term import Term

# In a machine that runs a program few choices are open at a time; more than this, and it is none.
UNDECIDED = 0.25


class Unroller:
    """The values of a model at the current time.

    Without `initialised`, the first state is any state, as induction needs it.
    """

    def __init__(
        self, evaluator: Evaluator, roots: Iterable[int], initialised: bool = True, tag: str = ""
    ) -> None:
        self.evaluator = evaluator
        self.time = 0
        self._tag = tag
        self._places = {evaluator.places[number]: number for number in evaluator.names}
        self._inputs = set(evaluator.inputs)
        # The constants that were made: (time, place) of an input or a state without a value.
        self.chosen: dict[tuple[int, int], Value] = {}
        cone = evaluator.cone(roots)
        self._choices = sum(evaluator.kinds[place] == CHOICE for place in cone)
        # Where most choices are decided, it pays to look into the others.
        self.guards: Any = self._guards(looking_into=initialised)
        self.states = [place for place in evaluator.states if place in cone]
        if initialised:
            self.values = initial(evaluator, self.states, self._leaf, self.guards)
        else:
            self.values = evaluator.start[:]
            for place in self.states:
                self.values[place] = self._leaf(place)

    def _guards(self, looking_into: bool) -> Any:
        return Guards() if looking_into else AsBuilt()

    def _constant(self, sort: AnySort, name: str) -> Value:
        return leaf_constant(sort, name)

    def _leaf(self, place: int) -> Value:
        """An input, or a state that has no value."""
        name = self.evaluator.names[self._places[place]]
        mark = "@" if place in self._inputs else "#"
        sort = self.evaluator.sorts[place]
        value = self._constant(sort, f"{self._tag}{name}{mark}{self.time}")
        self.chosen[self.time, place] = value
        return value

    def get(self, place: int) -> Value:
        """The value at a place now."""
        if self.values[place] is None:
            self.evaluator.run(self.values, (place,), self._leaf, self.guards)
        return self.values[place]

    def advance(self) -> bool:
        """Go on to the next time; False if no state has changed, and so none ever will."""
        evaluator, values = self.evaluator, self.values
        nexts = evaluator.nexts
        roots = [nexts[place] for place in self.states if place in nexts]
        evaluator.run(values, roots, self._leaf, self.guards)
        if self.guards.__class__ is Guards and evaluator.undecided > self._choices * UNDECIDED:
            self.guards = self._guards(looking_into=False)
        evaluator.undecided = 0
        self.time += 1
        new = evaluator.start[:]
        changed = False
        for place in self.states:
            following = nexts.get(place)
            if following is None:
                new[place] = self._leaf(place)
                # It started with a value and has any value from now on.
                changed = changed or (self.time == 1 and place in evaluator.inits)
                continue
            new[place] = values[following]
            changed = changed or not _same(new[place], values[place])
        self.values = new
        return changed

    def state_values(self) -> list[Value]:
        """The values of the states now."""
        return [self.values[place] for place in self.states]


def _same(a: Value, b: Value) -> bool:
    return a is b or (a.__class__ is int and b.__class__ is int and a == b)


def constant_of(value: Value) -> Term:
    """The constant that a chosen value is."""
    constant: Term = value.base if isinstance(value, Memory) else value
    return constant
