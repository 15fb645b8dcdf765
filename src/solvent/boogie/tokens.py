"""A cursor over tokens: looking ahead, expecting, reporting, and counting how deep we are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from solvent import depth
from solvent.boogie import lexer
from solvent.boogie.diagnostics import BoogieError, Diagnostic
from solvent.boogie.lexer import END, IDENTIFIER, Tokens
from solvent.reach.positions import Position

# Brackets, blocks and type arguments may be nested so deep.  A chain of operators, of brackets
# behind an expression or of `else if` is not nesting and may have any length.
NESTING_LIMIT = 10_000
TYPE_NESTING_LIMIT = 500

# More messages than this help nobody.
ERROR_LIMIT = 100


class Stop(Exception):
    """Something cannot be parsed; the message has been recorded."""


class GiveUp(Exception):
    """The whole file cannot be parsed; the message has been recorded."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let functions of ours recurse as deep as programs may be nested."""
    try:
        with depth.deep_recursion():
            yield
    except RecursionError:
        problem = Diagnostic(Position("<program>", 0, 0), "the program is nested too deeply")
        raise BoogieError([problem], "parse") from None


class TokenCursor:
    """The base of the parsers: where we are in the tokens of one file."""

    def __init__(self, tokens: Tokens, errors: list[Diagnostic]) -> None:
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.positions = tokens.positions
        self.at = 0
        self.depth = 0
        self.errors = errors

    def take(self, kind: str) -> bool:
        """Step over a token of this kind if it is next."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> Position:
        """Step over a token that must be there."""
        at = self.at
        if self.kinds[at] != kind:
            self.fail(f"expected {_described(kind)}, but found {self.found()}")
        self.at = at + 1
        return self.positions[at]

    def identifier(self, what: str = "an identifier") -> tuple[str, Position]:
        """Step over a name that must be there."""
        at = self.at
        if self.kinds[at] != IDENTIFIER:
            hint = ""
            if self.kinds[at] in lexer.KEYWORDS:
                hint = f" (write \\{self.texts[at]} to use the keyword as a name)"
            self.fail(f"expected {what}, but found {self.found()}{hint}")
        self.at = at + 1
        return self.texts[at], self.positions[at]

    def found(self) -> str:
        """The next token, as messages call it."""
        kind, text = self.kinds[self.at], self.texts[self.at]
        if kind == END:
            return "the end of the file"
        if len(text) > 40:
            text = f"{text[:40]}..."
        return f"'{text}'" if kind != lexer.STRING else text

    def report(self, message: str, position: Position | None = None) -> None:
        """Record a mistake after which parsing goes on."""
        self.errors.append(Diagnostic(position or self.positions[self.at], message))
        if len(self.errors) >= ERROR_LIMIT:
            raise GiveUp

    def fail(self, message: str, position: Position | None = None) -> NoReturn:
        """Record a mistake and leave the construct."""
        self.report(message, position)
        raise Stop

    def enter(self) -> None:
        """One level of nesting more; the caller takes it back with `self.depth -= 1`."""
        self.depth += 1
        if self.depth > NESTING_LIMIT:
            self.report(f"the program is nested more than {NESTING_LIMIT:,} levels deep")
            raise GiveUp

    def natural(self) -> int:
        """Step over an integer that must be there."""
        at = self.at
        self.expect(lexer.INTEGER)
        return self.number(self.texts[at], self.positions[at])

    def number(self, digits: str, position: Position) -> int:
        """The value of a run of digits; Python refuses to convert enormous ones."""
        try:
            return int(digits)
        except ValueError:
            self.report(f"number with {len(digits):,} digits is too long", position)
            return 0


def _described(kind: str) -> str:
    if kind in (IDENTIFIER, lexer.INTEGER):
        return f"an {kind}"
    if kind in (lexer.REAL, lexer.STRING):
        return f"a {kind}"
    return f"'{kind}'"
