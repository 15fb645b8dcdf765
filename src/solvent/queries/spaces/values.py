"""Spaces of single values: those of a sort, one that is given, and choices between spaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solvent.queries.spaces.base import Making, Space
from solvent.terms import Int, Sort, and_
from solvent.terms.term import Term
from solvent.vm.spread import combine
from solvent.vm.values import Value


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
        return repr(self.value)


@dataclass(frozen=True)
class Choices(Space):
    """One of several spaces."""

    options: tuple[Space, ...]

    def make(self, name: str, making: Making) -> Value:
        if len(self.options) == 1:
            return self.options[0].make(name, making)
        which = Int(f"{name}.which")
        making.assume(and_(which >= 0, which < len(self.options)))
        return combine(
            [
                (which == place, option.make(f"{name}.{place}", making))
                for place, option in enumerate(self.options)
            ]
        )

    def __str__(self) -> str:
        return "one of " + ", ".join(map(str, self.options))


def choice_of(values: Iterable[Value]) -> Space:
    """One of some values; those that are spaces stand for their values."""
    return Choices(tuple(value if isinstance(value, Space) else Exactly(value) for value in values))
