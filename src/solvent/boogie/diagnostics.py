"""Messages that name a place in a Boogie file.

A front end collects as many messages as it can and raises them together, as one `BoogieError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from solvent.errors import SolventError, shortened
from solvent.reach.positions import LONGEST_FILE, Position


class Diagnostic(NamedTuple):
    """One message about one place.

    >>> print(Diagnostic(Position("lock.bpl", 3, 5), "undeclared identifier: x"))
    lock.bpl(3,5): Error: undeclared identifier: x
    """

    position: Position
    message: str
    severity: str = "Error"

    def __str__(self) -> str:
        return f"{self.position}: {self.severity}: {shortened(self.message)}"


class BoogieError(SolventError, ValueError):
    """Everything that is wrong with a program, one line for each mistake.

    >>> error = BoogieError([Diagnostic(Position("a.bpl", 1, 1), "undeclared type: T")], "parse")
    >>> print(error, error.summary, sep="; ")
    a.bpl(1,1): Error: undeclared type: T; 1 parse error detected in a.bpl
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], phase: str) -> None:
        self.diagnostics = tuple(diagnostics)
        self.phase = phase
        super().__init__("\n".join(map(str, self.diagnostics)))

    @property
    def summary(self) -> str:
        """Boogie's closing line: how many errors there are, of what kind and where."""
        count = len(self.diagnostics)
        files = dict.fromkeys(
            shortened(each.position.file, LONGEST_FILE) for each in self.diagnostics
        )
        plural = "error" if count == 1 else "errors"
        return f"{count} {self.phase} {plural} detected in {', '.join(files)}"

    def __reduce__(self) -> tuple[type[BoogieError], tuple[tuple[Diagnostic, ...], str]]:
        return (BoogieError, (self.diagnostics, self.phase))


class BoogieSyntaxError(BoogieError):
    """The text is not a Boogie program."""

    def __init__(self, diagnostics: Iterable[Diagnostic], phase: str = "parse") -> None:
        super().__init__(diagnostics, phase)

    def __reduce__(self) -> tuple[type[BoogieError], tuple[tuple[Diagnostic, ...], str]]:
        return (BoogieSyntaxError, (self.diagnostics, self.phase))


class BoogieCheckError(BoogieError):
    """The program is well formed, but names or types do not fit together."""

    def __init__(
        self, diagnostics: Iterable[Diagnostic], phase: str = "name resolution or type checking"
    ) -> None:
        super().__init__(diagnostics, phase)

    def __reduce__(self) -> tuple[type[BoogieError], tuple[tuple[Diagnostic, ...], str]]:
        return (BoogieCheckError, (self.diagnostics, self.phase))
