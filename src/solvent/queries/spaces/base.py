"""What a space of inputs is.

A space makes a symbolic value under a name.  Its leaves are constants called after their place
(`xs[0]`, `p.x`), so that making it twice gives the same value; what limits the constants, such as
the length of a list, are assumptions.

Mutable values that a space makes at different places are different objects, unless inputs may be
aliases: then each of them may also be one that was made before it by an equal space.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from types import NoneType

from solvent.errors import InputSpaceError
from solvent.queries.recipes import Recipe
from solvent.terms import Int, and_, not_, or_
from solvent.terms.integers import IntTerm
from solvent.vm.spread import combine
from solvent.vm.values import Guard, Value

# How long a list, set, dictionary or text is at most where nothing else is said.
DEFAULT_LENGTH = 3


class Making:
    """What is gathered while the inputs of one call are made."""

    def __init__(self, alias: bool = False) -> None:
        # Whether two inputs may be the same object.
        self.alias = alias
        self.assumptions: list[Guard] = []
        # What was made by calling something, and how.
        self.made: list[tuple[Value, Recipe]] = []
        # Mutable objects by the space that made them.
        self.mutable: dict[Hashable, list[Value]] = {}
        self._path: list[Guard] = []

    def assume(self, *conditions: Guard) -> None:
        """Limit the symbolic constants of the inputs."""
        self.assumptions += conditions

    def assume_here(self, condition: Guard) -> None:
        """Assume something only where what is being made is part of the inputs at all."""
        self.assume(or_(condition, not_(and_(*self._path))))

    @contextmanager
    def where(self, guard: Guard) -> Iterator[None]:
        """What is made now is part of the inputs only where a guard holds."""
        self._path.append(guard)
        try:
            yield
        finally:
            self._path.pop()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is made now is made anew each time it is used, so that it is no alias."""
        alias, mutable = self.alias, self.mutable
        self.alias, self.mutable = False, {}
        try:
            yield
        finally:
            self.alias, self.mutable = alias, mutable

    def length(self, name: str, low: int, high: int) -> IntTerm:
        """The symbolic length of what has a name, between two lengths."""
        length: IntTerm = Int(f"len({name})")
        self.assume(and_(low <= length, length <= high))
        return length

    def which(self, name: str, count: int) -> IntTerm:
        """Which one of so many options is taken."""
        which: IntTerm = Int(f"{name}.which")
        self.assume(and_(which >= 0, which < count))
        return which

    def new(self, space: Space, name: str, value: Value) -> Value:
        """A mutable object that was just made, or one made before by an equal space."""
        earlier = self.mutable.setdefault(_what_it_is(space), [])
        earlier.append(value)
        if not self.alias or len(earlier) == 1:
            return value
        which: IntTerm = Int(f"{name} is")
        self.assume(and_(which >= 0, which < len(earlier)))
        return combine([(which == place, found) for place, found in enumerate(earlier)])

    @property
    def could_be_aliases(self) -> bool:
        """Whether there are two places that could hold the same object."""
        return any(len(found) > 1 for found in self.mutable.values())


class Space:
    """A set of values of which a symbolic one can be made."""

    def make(self, name: str, making: Making) -> Value:
        """The symbolic value with this name; what limits it is told to `making`."""
        raise NotImplementedError

    def __str__(self) -> str:
        """All values, in words: `lists of up to 3 items, each any int`."""
        raise NotImplementedError

    def one(self) -> str:
        """One of the values, in words: `a list of up to 3 items, each any int`."""
        return str(self)


class Described(Space):
    """A space whose values are told by a noun, in plural or not, and by what comes after it."""

    def nouns(self) -> tuple[str, str]:
        """What many of the values are called, and one of them."""
        raise NotImplementedError

    def contents(self) -> str:
        """What the values hold, in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self.nouns()[0]} {self.contents()}"

    def one(self) -> str:
        return f"{self.nouns()[1]} {self.contents()}"


def _what_it_is(part: object) -> Hashable:
    """Equal for equal spaces: the classes and values in them may have an equality of their own."""
    if isinstance(part, tuple):
        return tuple(map(_what_it_is, part))
    if is_dataclass(part) and not isinstance(part, type):
        return (id(type(part)), *(_what_it_is(getattr(part, field.name)) for field in fields(part)))
    return (type(part).__name__, part) if type(part) in (int, str, bool, NoneType) else id(part)


def extent(low: int, high: int) -> str:
    """Between which lengths something is, in words.

    >>> extent(0, 3), extent(1, 3), extent(3, 3)
    ('up to 3', '1 to 3', '3')
    """
    if low == high:
        return str(high)
    return f"{low} to {high}" if low else f"up to {high}"


def check_lengths(low: int, high: int) -> None:
    """Refuse bounds between which there is no length."""
    if not 0 <= low <= high:
        raise InputSpaceError(f"there are no lengths from {low} to {high}")
