"""What IC3 needs of one step of a model, whether it is on terms or on literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from solvent.btor2.slots import CellBit
from solvent.btor2.symbolic import Value
from solvent.terms.kinds import Guard
from solvent.verdicts import Deadline

# More bits than this are not tried.
MOST_BITS = 4096

# A bit of a state and its value; a cube is a set of states given by some of their bits.
Literal: TypeAlias = tuple[int, bool]
Cube: TypeAlias = frozenset[Literal]
# What a condition says of the state.
Part: TypeAlias = Literal | CellBit
# An invariant, if it can be said, and who confirmed it.
Confirmed: TypeAlias = tuple[Guard | None, str]


class Asked(Protocol):
    """A solver of the conditions of a step."""

    def add(self, *conditions: Value) -> None: ...
    def add_either(self, conditions: Iterable[Value]) -> None: ...
    def assumable(self, clauses: Iterable[Iterable[Value]]) -> Value: ...
    def retire(self, condition: Value) -> None: ...
    def satisfiable(self, *assumptions: Value) -> bool: ...
    def core(self) -> Sequence[Value]: ...
    def all_of(self, conditions: Iterable[Value]) -> Value: ...
    def negation(self, condition: Value) -> Value: ...
    def close(self) -> None: ...


class Seen(Protocol):
    """A state that a model shows: its inputs, and what conditions say of the state."""

    @property
    def fixed(self) -> Sequence[Value]: ...

    @property
    def said(self) -> Mapping[Value, Sequence[Part]]: ...

    def cube(
        self, parts: Iterable[Part], needed: Callable[[Sequence[Value]], Iterable[Part]]
    ) -> Cube: ...


class Step(Protocol):
    """One step: the bits of the state now and next, how it starts, what holds, what is bad."""

    now: list[Value]
    following: list[Value]
    start: Value
    constraint: Value
    bad: Value

    def questions(self, solver: str | None, deadline: Deadline) -> Asked: ...
    def switch(self) -> Value: ...
    def outside(self, cube: Cube) -> list[list[Value]]: ...
    def bundles(self, cube: Cube) -> list[Cube]: ...
    def seen(self, questions: Value) -> Seen: ...
    def confirmed(
        self, cubes: Sequence[Cube], solver: str | None, deadline: Deadline
    ) -> Confirmed: ...
