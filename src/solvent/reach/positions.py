"""Places in source files, for programs of all front ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from solvent.errors import shortened

# What messages quote at most, and how many names they list.
LONGEST_FILE = 800
MOST_NAMES = 12


def some_names(names: Iterable[str]) -> str:
    """The names that there are, as far as a message should go.

    >>> some_names(["p", "q"]), some_names([]), some_names(map(str, range(100)))[-14:]
    ('p, q', 'none', '11 and 88 more')
    """
    known = list(names)
    text = ", ".join(shortened(name, 60) for name in known[:MOST_NAMES]) or "none"
    more = len(known) - MOST_NAMES
    return f"{text} and {more:,} more" if more > 0 else text


class Position(NamedTuple):
    """A place in a source file; lines and columns count from 1, as Boogie's do.

    >>> print(Position("lock.bpl", 3, 5))
    lock.bpl(3,5)
    """

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        # Line zero stands for the file as a whole.
        file = shortened(self.file, LONGEST_FILE)
        return f"{file}({self.line},{self.column})" if self.line else file


NOWHERE = Position("<program>", 0, 0)
