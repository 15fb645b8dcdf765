"""Tokens of SMT-LIB, where they stand in the text, and the form of symbols.

The tokens of a text are plain strings in one list, which is the fastest thing that Python can
read; where a token stands is looked up only when somebody asks, that is for commands and errors.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from solvent.errors import SmtLibError

# The last alternative is a quotation mark or bar that nothing closes.
_TOKEN = re.compile(r'[()]|[^ \t\r\n()";|]+|"[^"]*(?:""[^"]*)*"|\|[^|]*\||;[^\r\n]*|["|]')

SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
NUMERAL = re.compile(r"0|[1-9][0-9]*")
DECIMAL = re.compile(r"(0|[1-9][0-9]*)\.([0-9]+)")
HEXADECIMAL = re.compile(r"#x[0-9a-fA-F]+")
BINARY = re.compile(r"#b[01]+")
KEYWORD = re.compile(r":[A-Za-z0-9~!@$%^&*_+=<>.?/-]+")

# Words of the language itself, which are symbols only between bars.
_WORDS = (
    "! _ as let exists forall match par lambda "
    "BINARY DECIMAL HEXADECIMAL NUMERAL STRING "
    "assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes "
    "declare-fun declare-sort define-const define-fun define-fun-rec define-funs-rec define-sort "
    "echo exit get-assertions get-assignment get-info get-model get-option get-proof "
    "get-unsat-assumptions get-unsat-core get-value pop push reset reset-assertions set-info "
    "set-logic set-option"
)
RESERVED_WORDS = frozenset(_WORDS.split())

# What follows the last token.
END = ""


def quote(name: str) -> str:
    """The symbol of a name, between bars if it needs them.

    >>> quote("x!3"), quote("a b"), quote("let")
    ('x!3', '|a b|', '|let|')
    """
    if SIMPLE_SYMBOL.fullmatch(name) and name not in RESERVED_WORDS:
        return name
    return f"|{name}|"


def unquote(symbol: str) -> str:
    """The name of a symbol.

    >>> unquote("|a b|"), unquote("x")
    ('a b', 'x')
    """
    return symbol[1:-1] if symbol.startswith("|") else symbol


def is_symbol(token: str) -> bool:
    """Whether a token is a symbol, which a script may give a meaning to.

    >>> is_symbol("x'"), is_symbol("|let|"), is_symbol("let"), is_symbol("12")
    (False, True, False, False)
    """
    if token.startswith("|"):
        return "\\" not in token
    return SIMPLE_SYMBOL.fullmatch(token) is not None and token not in RESERVED_WORDS


class Places:
    """Where the tokens of a text stand; nothing is computed before somebody asks.

    >>> Places("(assert\\n  x)").position(2)
    (2, 3)
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        """Where each token begins, and where the text ends."""
        text = self.text
        starts = [match.start() for match in _TOKEN.finditer(text)]
        if ";" in text:
            starts = [start for start in starts if text[start] != ";"]
        starts.append(len(text))
        return starts

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line begins."""
        return [0, *(match.end() for match in re.finditer(r"\n", self.text))]

    def position(self, index: int) -> tuple[int, int]:
        """Line and column, counted from 1, of a token."""
        offset = self._starts[min(index, len(self._starts) - 1)]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


class Source:
    """A text, its tokens, and where they stand.

    Bars that a symbol does not need are dropped, as they do not belong to its name.

    >>> Source("(assert |x|) ; done").tokens
    ['(', 'assert', 'x', ')', '', '', '', '']
    """

    def __init__(self, text: str, name: str = "<smtlib>") -> None:
        self.places = Places(text)
        self.name = name
        tokens = _TOKEN.findall(text)
        if ";" in text:
            tokens = [token for token in tokens if token[0] != ";"]
        self.tokens: list[str] = tokens
        for mark, kind in (('"', "string"), ("|", "quoted symbol")):
            if mark in text and mark in tokens:
                raise self.error(f"this {kind} is not closed", tokens.index(mark))
        if "|" in text:
            for position, token in enumerate(tokens):
                if token[0] == "|":
                    tokens[position] = quote(token[1:-1])
        # Nothing looks further ahead than this.
        tokens.extend([END] * 4)

    def error(self, message: str, index: int) -> SmtLibError:
        """The error to raise about the token with this index."""
        return SmtLibError(message, *self.places.position(index), self.name)

    def opening(self, index: int) -> int:
        """The innermost parenthesis that is open before the token with this index."""
        depth = 0
        for position in range(min(index, len(self.tokens)) - 1, -1, -1):
            token = self.tokens[position]
            if token == ")":
                depth += 1
            elif token == "(":
                if depth == 0:
                    return position
                depth -= 1
        return 0

    def closing(self, index: int) -> int:
        """The parenthesis that closes the one with this index."""
        depth = 0
        tokens = self.tokens
        for position in range(index, len(tokens)):
            token = tokens[position]
            if token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
                if depth == 0:
                    return position
        raise self.error("this parenthesis is not closed", index)
