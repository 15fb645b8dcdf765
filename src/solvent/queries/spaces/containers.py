"""Spaces of containers, each with a space for what it holds."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.lift.api import lifted
from solvent.queries.spaces.base import DEFAULT_LENGTH, Making, Space, extent
from solvent.vm.slots import slot
from solvent.vm.spread import combine
from solvent.vm.values import Value


@dataclass(frozen=True)
class Lists(Space):
    """Lists between two lengths."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        items = [self.items.make(f"{name}[{place}]", making) for place in range(self.max_len)]
        if self.min_len == self.max_len:
            return items
        length = making.length(name, self.min_len, self.max_len)
        return [
            item if place < self.min_len else slot(length > place, item)
            for place, item in enumerate(items)
        ]

    def __str__(self) -> str:
        return f"lists of {extent(self.min_len, self.max_len)} items, each {self.items}"


@dataclass(frozen=True)
class Tuples(Space):
    """Tuples with a space for each item."""

    items: tuple[Space, ...]
    cls: type = tuple

    def make(self, name: str, making: Making) -> Value:
        items = [space.make(f"{name}[{place}]", making) for place, space in enumerate(self.items)]
        return tuple(items) if self.cls is tuple else self.cls(*items)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class VariableTuples(Space):
    """Tuples between two lengths: a union with one member per length."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        items = [self.items.make(f"{name}[{place}]", making) for place in range(self.max_len)]
        length = making.length(name, self.min_len, self.max_len)
        return combine(
            [(length == n, tuple(items[:n])) for n in range(self.min_len, self.max_len + 1)]
        )

    def __str__(self) -> str:
        return f"tuples of {self.min_len} to {self.max_len} items, each {self.items}"


@lifted
def _set_of(items: list[Value]) -> set[Value]:
    return set(items)


@lifted
def _frozenset_of(items: list[Value]) -> frozenset[Value]:
    return frozenset(items)


@lifted
def _dict_of(entries: list[tuple[Value, Value]]) -> dict[Value, Value]:
    result = {}
    for key, value in entries:
        result[key] = value
    return result


@dataclass(frozen=True)
class Sets(Space):
    """Sets of at most so many elements."""

    items: Space
    max_len: int = DEFAULT_LENGTH
    frozen: bool = False

    def make(self, name: str, making: Making) -> Value:
        items = Lists(self.items, 0, self.max_len).make(name, making)
        return (_frozenset_of if self.frozen else _set_of)(items)

    def __str__(self) -> str:
        return f"sets of up to {self.max_len} elements, each {self.items}"


@dataclass(frozen=True)
class Dicts(Space):
    """Dictionaries of at most so many entries."""

    keys: Space
    values: Space
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        entries = Lists(Tuples((self.keys, self.values)), 0, self.max_len)
        return _dict_of(entries.make(name, making))

    def __str__(self) -> str:
        return f"dicts of up to {self.max_len} entries, from {self.keys} to {self.values}"
