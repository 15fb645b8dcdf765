"""Places in a C* file, and the messages that name them.

Lines and columns count from one.  The compiler collects as many mistakes as it can and raises them
together; what a C compiler would warn of is a warning here, too, and does not stop it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from solvent.errors import SolventError, shortened


class Position(NamedTuple):
    """A place in a source file.

    >>> print(Position("count.c", 3, 5))
    count.c(3,5)
    """

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}({self.line},{self.column})"


class Diagnostic(NamedTuple):
    """One message about one place.

    >>> print(Diagnostic(Position("count.c", 3, 5), "there is no variable x"))
    count.c(3,5): error: there is no variable x
    """

    position: Position
    message: str
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.position}: {self.severity}: {shortened(self.message)}"


class CStarError(SolventError, ValueError):
    """Everything that is wrong with a program, one line for each mistake.

    >>> print(CStarError([Diagnostic(Position("a.c", 1, 2), "there is no procedure f")]))
    a.c(1,2): error: there is no procedure f
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[CStarError], tuple[tuple[Diagnostic, ...]]]:
        return (CStarError, (self.diagnostics,))
