"""Spaces of what walks over other things: iterators, memory views, ranges and slices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvent.lift.calls import call
from solvent.queries.recipes import Recipe
from solvent.queries.spaces.base import DEFAULT_LENGTH, Described, Making, Space
from solvent.queries.spaces.values import Choices, Exactly, Sorted
from solvent.terms import Int
from solvent.vm.spread import combine
from solvent.vm.union import choices_of
from solvent.vm.values import Choice, Value

# The steps of ranges that are tried, and those of slices.
RANGE_STEPS = (1, 2, -1)
SLICE_STEPS = (None, 2, -1)


def _made(making: Making, function: Callable[..., Value], *args: Value) -> Value:
    """What a function of Python's makes, of which it is remembered how."""
    result = call(function)(*args)
    making.made.append((result, Recipe(function, args)))
    return result


@dataclass(frozen=True)
class Views(Space):
    """What `iter` or `memoryview` makes of the values of a space."""

    function: Callable[[Value], Value]
    of: Space
    noun: str

    def make(self, name: str, making: Making) -> Value:
        rows: list[Choice] = []
        for guard, source in choices_of(self.of.make(name, making)):
            rows.append((guard, _made(making, self.function, source)))
        return combine(rows)

    def __str__(self) -> str:
        return f"{self.noun}s over {self.of}"

    def one(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun} over {self.of.one()}"


@dataclass(frozen=True)
class NumberRanges(Described):
    """Ranges of at most so many numbers, with one of a few steps."""

    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        start, stop = Int(f"{name}.start"), Int(f"{name}.stop")
        which = making.which(f"{name}.step", len(RANGE_STEPS))
        rows: list[Choice] = []
        for place, step in enumerate(RANGE_STEPS):
            with making.where(which == place):
                distance = stop - start if step > 0 else start - stop
                making.assume_here(distance <= abs(step) * self.max_len)
                rows.append((which == place, _made(making, range, start, stop, step)))
        return combine(rows)

    def nouns(self) -> tuple[str, str]:
        return "ranges", "a range"

    def contents(self) -> str:
        return f"of up to {self.max_len} numbers, with step {_either(RANGE_STEPS)}"


@dataclass(frozen=True)
class Slices(Described):
    """Slices whose ends are missing or any int, with one of a few steps."""

    def make(self, name: str, making: Making) -> Value:
        end = Choices((Exactly(None), Sorted(Int)))
        start, stop = end.make(f"{name}.start", making), end.make(f"{name}.stop", making)
        which = making.which(f"{name}.step", len(SLICE_STEPS))
        rows: list[Choice] = []
        for place, step in enumerate(SLICE_STEPS):
            rows.append((which == place, _made(making, slice, start, stop, step)))
        return combine(rows)

    def nouns(self) -> tuple[str, str]:
        return "slices", "a slice"

    def contents(self) -> str:
        return f"whose ends are None or any int, with step {_either(SLICE_STEPS)}"


def _either(values: tuple[object, ...]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}"
