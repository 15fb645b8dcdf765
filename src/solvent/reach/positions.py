"""Places in source files, for programs of all front ends."""

from __future__ import annotations

from typing import NamedTuple


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
        return f"{self.file}({self.line},{self.column})" if self.line else self.file


NOWHERE = Position("<program>", 0, 0)
