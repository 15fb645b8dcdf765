"""Every error that Solvent raises on purpose.

All of them derive from `SolventError`, so that a caller can tell a limitation or a misuse of
Solvent from an exception of the program under test.  Each message is one plain sentence that
names the operands, or the file and line, and where possible what to do instead.
"""

from __future__ import annotations

# A message is at most so long; what it quotes may be as long as the input.
LONGEST_MESSAGE = 300


def shortened(text: str, limit: int = LONGEST_MESSAGE) -> str:
    """Text in one line, the middle left out if it is longer than the limit.

    >>> shortened("unknown symbol " + "x" * 1000 + " in this script", 60)
    'unknown symbol xxxxxxxxxxxxxxxxxxxxxxxxxxx... in this script'
    """
    if len(text) > limit:
        end = limit // 4
        text = f"{text[: limit - end - 3]}...{text[-end:]}"
    return text.replace("\n", " ")


class SolventError(Exception):
    """The base of all errors that Solvent raises.

    >>> issubclass(SortError, SolventError)
    True
    """


class SortError(SolventError, TypeError):
    """Operands whose sorts do not fit together, or a value that has no sort."""


class WidthError(SolventError, ValueError):
    """A bitvector width, an extract range or a float format that does not exist."""


class SymbolicBoolError(SolventError, TypeError):
    """Python asked a symbolic term for a concrete truth value, length or number."""


class UnknownConstantError(SolventError, KeyError):
    """A model or mapping does not know, or knows twice, the constant asked for."""

    def __str__(self) -> str:
        # KeyError would print the repr of the message.
        return str(self.args[0])


class EvaluationError(SolventError, ValueError):
    """A term has no value that can be computed under the given model."""


class SmtLibError(SolventError, ValueError):
    """Malformed or unsupported SMT-LIB text, with its position."""

    def __init__(self, message: str, line: int, column: int, source: str = "<smtlib>") -> None:
        message = shortened(message)
        super().__init__(f"{source}:{line}:{column}: {message}")
        self.message = message
        self.line = line
        self.column = column
        self.source = source

    def __reduce__(self) -> tuple[type[SmtLibError], tuple[str, int, int, str]]:
        return (SmtLibError, (self.message, self.line, self.column, self.source))


class SolverError(SolventError):
    """A solver could not be used as asked."""


class UnknownSolverError(SolverError, ValueError):
    """No solver has this name."""


class SolverMissingError(SolverError):
    """The solver is known, but it is not installed here."""


class UnsupportedError(SolverError):
    """The solver lacks a theory, an operator or a feature that the query needs."""


class NoModelError(SolverError):
    """A model or a core was asked for that the last check did not produce."""


class NotLiftedError(SolventError):
    """A construct, a function or a value that symbolic execution does not support."""


class AssumptionError(SolventError):
    """An assumption that is false: this path is not of interest."""


class QueryError(SolventError, ValueError):
    """A query that cannot be asked as it is."""


class ContractError(SolventError, ValueError):
    """A contract of the program that is not written rightly, with its file and line."""


class InputSpaceError(SolventError, ValueError):
    """Inputs of which no symbolic value can be made."""


class SketchError(SolventError, ValueError):
    """A sketch that makes no sense, or that cannot be completed."""


class InternalError(SolventError):
    """A mistake in Solvent itself, which must not pass for one of the program under test."""


class CommandError(SolventError):
    """Not what was asked about is wrong, but how: no other question of the command does better."""


class UnboundedError(SolventError):
    """A loop or recursion that went on for too long."""


class UnwindingError(AssertionError):
    """The bound that the user set for loops and recursion is too small for some input."""
