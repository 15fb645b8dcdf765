"""Spaces of single values: those of a sort, one that is given, and choices between spaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from solvent.queries.spaces.base import Making, Space
from solvent.queries.spelling import spelled
from solvent.terms import Sort
from solvent.terms.term import Term
from solvent.vm.spread import combine
from solvent.vm.values import Choice, Value


@dataclass(frozen=True)
class Sorted(Space):
    """All values of a sort, between bounds where given."""

    sort: Sort[Term]
    low: int | None = None
    high: int | None = None

    def make(self, name: str, making: Making) -> Value:
        result: Value = self.sort(name)
        if self.low is not None:
            making.assume(self.low <= result)
        if self.high is not None:
            making.assume(result <= self.high)
        return result

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return _SORT_NAMES.get(str(self.sort), f"any {self.sort}")
        if self.low is None:
            return f"{self.sort} up to {self.high}"
        if self.high is None:
            return f"{self.sort} from {self.low}"
        return f"{self.sort} from {self.low} to {self.high}"


_SORT_NAMES = {
    "Int": "any int",
    "Bool": "any bool",
    "Real": "any fraction",
    "Float64": "any float",
    "Str": "any str",
    "String": "any str",
}


@dataclass(frozen=True)
class Exactly(Space):
    """One value: concrete, or made of symbolic constants by the caller."""

    value: Value

    def make(self, name: str, making: Making) -> Value:
        return self.value

    def __str__(self) -> str:
        return spelled(self.value)


@dataclass(frozen=True)
class Choices(Space):
    """One of several spaces."""

    options: tuple[Space, ...]
    # The type variable for which the choice is made, wherever it stands.
    variable: TypeVar | None = None

    def make(self, name: str, making: Making) -> Value:
        if len(self.options) == 1:
            return self.options[0].make(name, making)
        if self.variable is not None:
            # Another variable may have the same name.
            which = making.which(f"type {self.variable} {id(self.variable)}", len(self.options))
        else:
            which = making.which(name, len(self.options))
        rows: list[Choice] = []
        for place, option in enumerate(self.options):
            with making.where(which == place):
                rows.append((which == place, option.make(f"{name}.{place}", making)))
        return combine(rows)

    def __str__(self) -> str:
        if all(isinstance(option, Exactly) for option in self.options):
            text = "one of " + ", ".join(map(str, self.options))
        else:
            text = " or ".join(option.one() for option in self.options)
        return f"{text} (one type for {self.variable.__name__})" if self.variable else text


def choice_of(values: Iterable[Value]) -> Space:
    """One of some values; those that are spaces stand for their values."""
    return Choices(tuple(value if isinstance(value, Space) else Exactly(value) for value in values))
