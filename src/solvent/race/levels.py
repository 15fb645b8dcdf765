"""Levels: the sizes at which a function is run, small ones first.

Lengths grow by one and loops double, so that all levels together cost little more than the last.

>>> [str(level) for level in levels(Sizes(2), 40)][:2]
['containers and texts of up to 0, loops of up to 4 rounds', \
'containers and texts of up to 1, loops of up to 8 rounds']
>>> [(level.length, level.bound) for level in levels(Sizes(2), 40)][2:]
[(2, 16), (2, 32), (2, 40)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from solvent.errors import InputSpaceError
from solvent.queries.coverage import Level
from solvent.queries.inputs import Inputs, bind
from solvent.queries.meant import NOTHING, Meant
from solvent.queries.options import Options
from solvent.queries.replay import plain, relative
from solvent.queries.spaces.base import Space
from solvent.vm.values import Value

# How often loops run at the first level, and at the last one if nobody has set a bound.
FIRST_BOUND = 4
LAST_BOUND = 1024


@dataclass(frozen=True, slots=True)
class Sizes:
    """How long containers and texts of the inputs are at most, and at least; `None` without any."""

    longest: int | None
    shortest: int = 0


def levels(sizes: Sizes, bound: int | None) -> Iterator[Level]:
    """All levels up to the asked one; the last one has the asked bound."""
    last = LAST_BOUND if bound is None else bound
    rounds = FIRST_BOUND
    for length in range(sizes.shortest, sizes.longest) if sizes.longest is not None else ():
        yield Level(length, min(rounds, last))
        rounds *= 2
    while rounds < last:
        yield Level(sizes.longest, rounds)
        rounds *= 2
    yield Level(sizes.longest, last)


@dataclass(frozen=True, slots=True)
class Places:
    """Some of the places that may fail, each with an exception; or all but these.

    A check of these places and one of all but these are together one of the function.

    >>> some = Places(frozenset([("a.py:3", "KeyError")]))
    >>> others = Places(some.kinds, only=False)
    >>> [(one.has("a.py:3", "KeyError"), one.has("a.py:4", "KeyError")) for one in (some, others)]
    [(True, False), (False, True)]
    """

    kinds: frozenset[tuple[str, str]]
    only: bool = True

    def has(self, position: str, exception: str) -> bool:
        """Whether a place is one of them."""
        return ((relative(position), exception) in self.kinds) == self.only


@dataclass(frozen=True, slots=True)
class Subject:
    """A function, what it is given, and the options of the check."""

    function: Callable[..., Value]
    args: tuple[Value, ...]
    named: dict[str, Value]
    options: Options
    # The exceptions that are no failures.
    meant: Meant = NOTHING
    # How long texts are, where the program asks for longer ones than `max_len`.
    longest: int = 0
    # The only places that are asked about, if not all are.
    places: Places | None = None

    def inputs(self, length: int | None = None) -> Inputs:
        """Its inputs, with containers and texts up to a length, or as they were asked for."""
        most = self.options.max_len
        args, named = self.args, self.named
        if length is not None:
            most = min(most, length)
            args = tuple(_shortened(value, length) for value in args)
            named = {name: _shortened(value, length) for name, value in named.items()}
        function, alias = plain(self.function), self.options.alias
        return bind(function, args, named, most, alias, self.longest)

    def sizes(self) -> Sizes:
        """How long its inputs are: what is told of them shows where a length makes a difference."""
        spaces = [*self.args, *self.named.values()]
        longest = max([self.options.max_len, *map(_longest, spaces)])
        asked = self._told(longest)
        shortest, told = longest, asked
        for length in range(longest - 1, -1, -1):
            try:
                found = self._told(length)
            except InputSpaceError:
                # There are no inputs so short.
                break
            if found != told:
                shortest, told = length, found
        return Sizes(None) if told == asked else Sizes(longest, shortest)

    def _told(self, length: int) -> object:
        """The inputs up to a length, in words."""
        shorter = (_shortened(value, length) for value in (*self.args, *self.named.values()))
        spaces = [str(value) for value in shorter if isinstance(value, Space)]
        return self.inputs(length).derived, spaces


def _shortened(value: Value, length: int) -> Value:
    """A space without what is longer than so many items, as far as it has anything shorter."""
    if isinstance(value, tuple):
        return tuple(_shortened(part, length) for part in value)
    if not (isinstance(value, Space) and is_dataclass(value)):
        return value
    changed: dict[str, Any] = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if field.name == "max_len":
            changed["max_len"] = max(getattr(value, "min_len", 0), min(part, length))
        elif isinstance(part, (Space, tuple)):
            changed[field.name] = _shortened(part, length)
    return replace(value, **changed)


def _longest(value: Value) -> int:
    """The greatest length in a space."""
    if isinstance(value, tuple):
        return max(map(_longest, value), default=0)
    if not (isinstance(value, Space) and is_dataclass(value)):
        return 0
    lengths = [_longest(getattr(value, field.name)) for field in fields(value)]
    return max([getattr(value, "max_len", 0), *lengths])
