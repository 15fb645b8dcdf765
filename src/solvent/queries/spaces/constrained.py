"""Spaces with what the metadata of an annotation says of their values, such as `Gt(0)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from solvent.contracts.constraints import Constraint
from solvent.queries.spaces.base import Making, Space
from solvent.queries.spaces.constructing import assume_condition
from solvent.queries.spaces.values import Sorted
from solvent.terms import Int
from solvent.vm.values import Value


@dataclass(frozen=True)
class Constrained(Space):
    """The values of a space of which a condition holds."""

    of: Space
    text: str
    holds: Callable[[Value], Value]

    def make(self, name: str, making: Making) -> Value:
        value = self.of.make(name, making)
        assume_condition(making, self.holds, value)
        return value

    def __str__(self) -> str:
        return f"{self.of} {self.text}"

    def one(self) -> str:
        return f"{self.of.one()} {self.text}"


def constrained(space: Space, constraints: Iterable[Constraint]) -> Space:
    """A space with constraints: as bounds where it has some, otherwise as conditions.

    >>> from solvent.queries.spaces.annotations import of_annotation
    >>> from typing import Annotated
    >>> from annotated_types import Gt, Len, MultipleOf
    >>> print(of_annotation(Annotated[list[Annotated[int, Gt(0), MultipleOf(2)]], Len(5, 9)]))
    lists of 5 items, each Int from 1 a multiple of 2
    """
    for one in constraints:
        space = _lengthened(_bounded(space, one), one)
    return space


def _bounded(space: Space, one: Constraint) -> Space:
    if isinstance(space, Sorted) and space.sort is Int:
        if one.low is not None:
            return replace(space, low=max(one.low, one.low if space.low is None else space.low))
        if one.high is not None:
            return replace(
                space, high=min(one.high, one.high if space.high is None else space.high)
            )
    is_length = one.shortest is not None or one.longest is not None
    if is_length and {"min_len", "max_len"} <= _names(space):
        return space
    return Constrained(space, one.text, one.holds)


def _names(space: Space) -> set[str]:
    return {field.name for field in fields(space)} if is_dataclass(space) else set()


def _lengthened(space: Space, one: Constraint) -> Space:
    """A space that has values as long as they must be, and none that is longer."""
    if one.shortest is None and one.longest is None:
        return space
    inner: Any = space
    if isinstance(inner, Constrained):
        return replace(inner, of=_lengthened(inner.of, one))
    known = _names(space)
    if "max_len" not in known:
        return space
    longest, shortest = inner.max_len, getattr(inner, "min_len", 0)
    if one.shortest is not None:
        shortest, longest = max(shortest, one.shortest), max(longest, one.shortest)
    if one.longest is not None:
        longest = max(shortest, min(longest, one.longest))
    if "min_len" in known:
        return replace(inner, min_len=shortest, max_len=longest)  # type: ignore[no-any-return]
    return replace(inner, max_len=longest)  # type: ignore[no-any-return]
