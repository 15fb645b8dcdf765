"""Cutting the text of a C* file into tokens: the symbols of figure 13.

The *kind* of a keyword or symbol is its spelling; integers, characters, strings and identifiers
have the kinds below.  Comments are those of C.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solvent.riscu.cstar.diagnostics import Diagnostic, Position

INTEGER = "integer"
CHARACTER = "character"
STRING = "string"
IDENTIFIER = "identifier"
END = "end of file"

KEYWORDS = frozenset(("uint64_t", "void", "if", "else", "while", "return"))
LARGEST = 2**64 - 1

# What stands after a backslash, and what it means.
ESCAPES = {"n": 10, "t": 9, "b": 8, "r": 13, "0": 0, "'": 39, '"': 34, "%": 37, "\\": 92}

_TOKEN = re.compile(
    r"""
    (?P<space>      [ \t\r\f\v]+ | //[^\n]* )
  | (?P<newline>    \n )
  | (?P<comment>    /\*.*?\*/ )
  | (?P<open>       /\* )
  | (?P<name>       [A-Za-z][A-Za-z0-9_]* )
  | (?P<integer>    [0-9]+ )
  | (?P<character>  '(?:\\.|[^'\\\n])' )
  | (?P<string>     "(?:\\.|[^"\\\n])*" )
  | (?P<symbol>     ==|!=|<=|>=|[,;(){}+\-*/%=<>] )
  | (?P<unknown>    . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A symbol of the language; the value of a literal is a number, of a string its bytes."""

    kind: str
    text: str
    position: Position
    value: int | bytes = 0


def scan(text: str, file: str = "<text>") -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a text, the last of which is its end, and what could not be read.

    >>> [token.text for token in scan("x = 'a' + 1; // sum")[0]]
    ['x', '=', "'a'", '+', '1', ';', '']
    >>> print(scan("x = 1 & 2;", "a.c")[1][0])
    a.c(1,7): error: C* has no symbol '&'
    """
    tokens: list[Token] = []
    mistakes: list[Diagnostic] = []
    line, start = 1, 0
    for found in _TOKEN.finditer(text):
        kind, spelling = str(found.lastgroup), found[0]
        position = Position(file, line, found.start() - start + 1)
        if kind in ("newline", "comment"):
            if "\n" in spelling:
                line += spelling.count("\n")
                start = found.start() + spelling.rindex("\n") + 1
        elif kind == "open":
            mistakes.append(Diagnostic(position, "this comment has no end"))
            break
        elif kind == "unknown":
            mistakes.append(Diagnostic(position, _unknown(spelling)))
        elif kind != "space":
            try:
                tokens.append(_token(kind, spelling, position))
            except ValueError as error:
                mistakes.append(Diagnostic(position, str(error)))
                # The parser goes on as if a good literal stood here.
                tokens.append(Token(kind, spelling, position, b"" if kind == "string" else 0))
    tokens.append(Token(END, "", Position(file, line, len(text) - start + 1)))
    return tokens, mistakes


def _unknown(symbol: str) -> str:
    if symbol in "'\"":
        name = "character" if symbol == "'" else "string"
        return f"this {name} literal has no end on its line, or is not one {name}"
    return f"C* has no symbol {symbol!r}"


def _token(kind: str, text: str, position: Position) -> Token:
    if kind == "name":
        return Token(text if text in KEYWORDS else IDENTIFIER, text, position)
    if kind == "integer":
        digits = text.lstrip("0")
        if len(digits) > 20:
            raise ValueError(f"{digits[:20]}... does not fit into 64 bits")
        if int(digits or "0") > LARGEST:
            raise ValueError(f"{text} does not fit into 64 bits")
        return Token(INTEGER, text, position, int(digits or "0"))
    if kind == "character":
        inside = _bytes(text[1:-1])
        if len(inside) != 1:
            raise ValueError(f"{text} is more than one byte")
        return Token(CHARACTER, text, position, inside[0])
    if kind == "string":
        return Token(STRING, text, position, _bytes(text[1:-1]))
    return Token(text, text, position)


def _bytes(text: str) -> bytes:
    """What stands between quotes, with the escapes resolved."""
    result = bytearray()
    symbols = iter(text)
    for symbol in symbols:
        if symbol == "\\":
            name = next(symbols)
            if name not in ESCAPES:
                raise ValueError(f"there is no escape \\{name}; there are {' '.join(ESCAPES)}")
            result.append(ESCAPES[name])
        else:
            result += symbol.encode()
    return bytes(result)
