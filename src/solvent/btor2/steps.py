"""What IC3 needs of one step of a model, whether it is on terms or on literals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

from solvent.btor2.symbolic import Value
from solvent.terms.kinds import Guard
from solvent.verdicts import Deadline

# More bits than this are not tried.
MOST_BITS = 4096

# A bit of a state and its value; a cube is a set of states given by some of their bits.
Literal: TypeAlias = tuple[int, bool]
Cube: TypeAlias = frozenset[Literal]
# An invariant, if it can be said, and who confirmed it.
Confirmed: TypeAlias = tuple[Guard | None, str]


class Asked(Protocol):
    """A solver of the conditions of a step."""

    def add(self, *conditions: Value) -> None: ...
    def add_either(self, conditions: Iterable[Value]) -> None: ...
    def assumable(self, conditions: Iterable[Value]) -> Value: ...
    def retire(self, condition: Value) -> None: ...
    def satisfiable(self, *assumptions: Value) -> bool: ...
    def core(self) -> Sequence[Value]: ...
    def all_of(self, conditions: Iterable[Value]) -> Value: ...
    def negation(self, condition: Value) -> Value: ...
    def close(self) -> None: ...


class Step(Protocol):
    """One step: the bits of the state now and next, how it starts, what holds, what is bad."""

    now: list[Value]
    following: list[Value]
    start: Value
    constraint: Value
    bad: Value

    def questions(self, solver: str | None, deadline: Deadline) -> Asked: ...
    def switch(self) -> Value: ...
    def fixed(self, questions: Value) -> list[Value]: ...
    def state(self, questions: Value) -> list[bool]: ...
    def confirmed(
        self, cubes: Sequence[Cube], solver: str | None, deadline: Deadline
    ) -> Confirmed: ...
