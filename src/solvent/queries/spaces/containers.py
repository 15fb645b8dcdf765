"""Spaces of containers, each with a space for what it holds."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.queries.spaces.base import DEFAULT_LENGTH, Described, Making, Space, extent
from solvent.queries.spaces.values import Sorted
from solvent.terms import Bool, Int
from solvent.vm.slots import slot
from solvent.vm.spread import combine
from solvent.vm.values import Guard, Value


def listed(space: Space, name: str, low: int, high: int, making: Making) -> list[Value]:
    """A list between two lengths, of which nothing else is known."""
    if low == high:
        return [space.make(f"{name}[{place}]", making) for place in range(high)]
    length = making.length(name, low, high)
    result: list[Value] = []
    for place in range(high):
        with making.where(length > place):
            item = space.make(f"{name}[{place}]", making)
        result.append(item if place < low else slot(length > place, item))
    return result


@dataclass(frozen=True)
class Lists(Described):
    """Lists between two lengths."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        items = listed(self.items, name, self.min_len, self.max_len, making)
        return making.new(self, name, items)

    def nouns(self) -> tuple[str, str]:
        return "lists", "a list"

    def contents(self) -> str:
        return f"of {extent(self.min_len, self.max_len)} items, each {self.items.one()}"


@dataclass(frozen=True)
class Deques(Lists):
    """Deques between two lengths."""

    def make(self, name: str, making: Making) -> Value:
        items = listed(self.items, name, self.min_len, self.max_len, making)
        return making.new(self, name, call(deque)(items))

    def nouns(self) -> tuple[str, str]:
        return "deques", "a deque"


@dataclass(frozen=True)
class Tuples(Space):
    """Tuples with a space for each item."""

    items: tuple[Space, ...]
    cls: type = tuple

    def make(self, name: str, making: Making) -> Value:
        items = [space.make(f"{name}[{place}]", making) for place, space in enumerate(self.items)]
        return tuple(items) if self.cls is tuple else self.cls(*items)

    def __str__(self) -> str:
        comma = "," * (len(self.items) == 1)
        return f"({', '.join(space.one() for space in self.items)}{comma})"


@dataclass(frozen=True)
class VariableTuples(Described):
    """Tuples between two lengths: a union with one member per length."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        length = making.length(name, self.min_len, self.max_len)
        items: list[Value] = []
        for place in range(self.max_len):
            with making.where(length > place):
                items.append(self.items.make(f"{name}[{place}]", making))
        return combine(
            [(length == n, tuple(items[:n])) for n in range(self.min_len, self.max_len + 1)]
        )

    def nouns(self) -> tuple[str, str]:
        return "tuples", "a tuple"

    def contents(self) -> str:
        return f"of {extent(self.min_len, self.max_len)} items, each {self.items.one()}"


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


@lifted
def _record_of(fields: Sequence[tuple[bool, str, Value]]) -> dict[str, Value]:
    result = {}
    for is_there, key, value in fields:
        if is_there:
            result[key] = value
    return result


@dataclass(frozen=True)
class Sets(Described):
    """Sets of at most so many elements."""

    items: Space
    max_len: int = DEFAULT_LENGTH
    frozen: bool = False

    def make(self, name: str, making: Making) -> Value:
        items = listed(self.items, name, 0, self.max_len, making)
        return _frozenset_of(items) if self.frozen else making.new(self, name, _set_of(items))

    def nouns(self) -> tuple[str, str]:
        return f"{'frozen' * self.frozen}sets", f"a {'frozen' * self.frozen}set"

    def contents(self) -> str:
        return f"of up to {self.max_len} elements, each {self.items.one()}"


@dataclass(frozen=True)
class Dicts(Described):
    """Dictionaries of at most so many entries."""

    keys: Space
    values: Space
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        return making.new(self, name, self.entries(name, making))

    def entries(self, name: str, making: Making) -> dict[Value, Value]:
        """A dictionary of which nothing else is known."""
        return _dict_of(listed(Tuples((self.keys, self.values)), name, 0, self.max_len, making))

    def nouns(self) -> tuple[str, str]:
        return "dicts", "a dict"

    def contents(self) -> str:
        return f"of up to {self.max_len} entries, from {self.keys.one()} to {self.values.one()}"


@dataclass(frozen=True)
class DefaultDicts(Dicts):
    """Dictionaries with a function that gives missing values."""

    factory: Callable[[], Value] = list

    def make(self, name: str, making: Making) -> Value:
        found = call(defaultdict)(self.factory, self.entries(name, making))
        return making.new(self, name, found)

    def nouns(self) -> tuple[str, str]:
        return f"defaultdicts by `{self._factory()}`", f"a defaultdict by `{self._factory()}`"

    def _factory(self) -> str:
        return getattr(self.factory, "__qualname__", str(self.factory))


@dataclass(frozen=True)
class Counters(Described):
    """Counters of at most so many elements, each with a count that may be any int."""

    items: Space
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        found = Dicts(self.items, Sorted(Int), self.max_len).entries(name, making)
        return making.new(self, name, call(Counter)(found))

    def nouns(self) -> tuple[str, str]:
        return "counters", "a counter"

    def contents(self) -> str:
        return f"of up to {self.max_len} elements, each {self.items.one()}, with any counts"


@dataclass(frozen=True)
class Field:
    """A key of a dictionary that stands for a record."""

    name: str
    values: Space
    required: bool = True


@dataclass(frozen=True)
class Records(Described):
    """Dictionaries with a space for each of their keys, some of which may be missing."""

    fields: tuple[Field, ...]

    def make(self, name: str, making: Making) -> Value:
        fields: list[tuple[Guard, str, Value]] = []
        for field in self.fields:
            place = f"{name}[{field.name!r}]"
            is_there: Guard = field.required or Bool(f"{field.name!r} in {name}")
            with making.where(is_there):
                fields.append((is_there, field.name, field.values.make(place, making)))
        return making.new(self, name, _record_of(fields))

    def nouns(self) -> tuple[str, str]:
        return "dicts", "a dict"

    def contents(self) -> str:
        rows = [
            f"{field.name!r}: {field.values.one()}{'' if field.required else ' or missing'}"
            for field in self.fields
        ]
        return f"{{{', '.join(rows)}}}"
