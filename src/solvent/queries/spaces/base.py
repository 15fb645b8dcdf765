"""What a space of inputs is.

A space makes a symbolic value under a name.  Its leaves are constants called after their place
(`xs[0]`, `p.x`), so that making it twice gives the same value; what limits the constants, such as
the length of a list, are assumptions.
"""

from __future__ import annotations

from solvent.errors import InputSpaceError
from solvent.terms import Int, and_
from solvent.terms.integers import IntTerm
from solvent.vm.values import Guard, Value

# How long a list, set, dictionary or text is at most where nothing else is said.
DEFAULT_LENGTH = 3


class Making:
    """What is gathered while the inputs of one call are made."""

    def __init__(self) -> None:
        self.assumptions: list[Guard] = []

    def assume(self, *conditions: Guard) -> None:
        """Limit the symbolic constants of the inputs."""
        self.assumptions += conditions

    def length(self, name: str, low: int, high: int) -> IntTerm:
        """The symbolic length of what has a name, between two lengths."""
        length: IntTerm = Int(f"len({name})")
        self.assume(and_(low <= length, length <= high))
        return length


class Space:
    """A set of values of which a symbolic one can be made."""

    def make(self, name: str, making: Making) -> Value:
        """The symbolic value with this name; what limits it is told to `making`."""
        raise NotImplementedError

    def __str__(self) -> str:
        raise NotImplementedError


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
