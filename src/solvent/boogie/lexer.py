"""Cutting the text of a Boogie file into tokens.

One regular expression does the work; only nested comments and `#` directives need more.  The
*kind* of a keyword or symbol is its ASCII spelling, other kinds are the constants below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solvent.boogie.diagnostics import Diagnostic
from solvent.reach.positions import Position

IDENTIFIER = "identifier"
INTEGER = "integer"
REAL = "real number"
BITVECTOR = "bitvector"
FLOAT = "float"
STRING = "string"
END = "end of file"

_DECLARING = "type const unique extends complete function returns axiom uses var where procedure"
_CONTRACT = "implementation requires ensures modifies free invariant"
_STATEMENTS = "assert assume havoc call if else while break goto return"
_EXPRESSIONS = "true false old then forall exists lambda bool int real div mod"
_REFUSED = "async par yield datatype"
_ROUNDING = (
    "RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway "
    "roundTowardPositive roundTowardNegative roundTowardZero"
)
KEYWORDS = frozenset(
    " ".join((_DECLARING, _CONTRACT, _STATEMENTS, _EXPRESSIONS, _REFUSED, _ROUNDING)).split()
)

# How operators may also be written.
UNICODE = {
    "⇔": "<==>",
    "⇒": "==>",
    "⇐": "<==",
    "∧": "&&",
    "∨": "||",
    "¬": "!",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "∀": "forall",
    "∃": "exists",
    "λ": "lambda",
    "•": "::",
}

_TOKEN = re.compile(
    r"""
    (?P<space>   [ \t\r\f\v]+ | //[^\n]* )
  | (?P<newline> \n )
  | (?P<name>    [A-Za-z'~\#$^_.?`\\][A-Za-z0-9'~\#$^_.?`\\]* )
  | (?P<float>   0x[0-9A-Fa-f]+\.[0-9A-Fa-f]+e-?[0-9]+f[0-9]+e[0-9]+
               | 0(?:NaN|nan|\+oo|-oo)[0-9]+e[0-9]+ )
  | (?P<bits>    [0-9]+bv[0-9]+ )
  | (?P<real>    [0-9]+\.[0-9]+(?:e-?[0-9]+)? | [0-9]+e-?[0-9]+ )
  | (?P<digits>  [0-9]+ )
  | (?P<string>  "(?:\\"|[^"\n])*" )
  | (?P<comment> /\* )
  | (?P<symbol>  <==> | ==> | <== | && | \|\| | == | != | <= | >= | <: | \+\+ | \*\* | :: | :=
               | -> | \|\{ | \}\| | [-+*/<>!()\[\]{},;:=|] | [⇔⇒⇐∧∨¬≠≤≥∀∃λ•] )
    """,
    re.VERBOSE,
)

_COMMENT_MARK = re.compile(r"/\*|\*/")
_LINE_DIRECTIVE = re.compile(r"#line[ \t]+([0-9]{1,9})[ \t]*([^\r\n]*)")
_OTHER_DIRECTIVE = re.compile(r"#(if|elsif|else|endif|define|undef|include)\b")

_KINDS = {"float": FLOAT, "bits": BITVECTOR, "real": REAL, "digits": INTEGER, "string": STRING}


@dataclass(slots=True)
class Tokens:
    """The tokens of one file, as three lists of the same length; the last one is `END`."""

    kinds: list[str]
    texts: list[str]
    positions: list[Position]


def tokenize(text: str, file: str = "<text>") -> tuple[Tokens, list[Diagnostic]]:
    """Cut a text into tokens, with what is wrong in it.

    >>> tokens, errors = tokenize("x := \\\\old; // done")
    >>> tokens.texts, errors
    (['x', ':=', 'old', ';', ''], [])
    """
    return _Lexer(text, file).run()


class _Lexer:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.line = 1
        self.line_start = 0
        self.tokens = Tokens([], [], [])
        self.errors: list[Diagnostic] = []

    def run(self) -> tuple[Tokens, list[Diagnostic]]:
        text, match, at, size = self.text, _TOKEN.match, 0, len(self.text)
        kinds, texts, positions = self.tokens.kinds, self.tokens.texts, self.tokens.positions
        while at < size:
            found = match(text, at)
            if found is None:
                at = self._illegal(at)
                continue
            group, start, at = found.lastgroup, at, found.end()
            if group == "space":
                continue
            if group == "newline":
                self.line += 1
                self.line_start = at
            elif group == "name":
                word = found.group()
                if word[0] == "#" and start == self.line_start and self._directive(start):
                    at = self._line_end(start)
                    continue
                positions.append(Position(self.file, self.line, start - self.line_start + 1))
                if word in KEYWORDS:
                    kinds.append(word)
                else:
                    kinds.append(IDENTIFIER)
                    word = self._unescaped(word, positions[-1])
                texts.append(word)
            elif group == "comment":
                at = self._comment(start)
            else:
                word = found.group()
                positions.append(Position(self.file, self.line, start - self.line_start + 1))
                kinds.append(UNICODE.get(word, word) if group == "symbol" else _KINDS[group or ""])
                texts.append(word)
        kinds.append(END)
        texts.append("")
        positions.append(self._position(size))
        return self.tokens, self.errors

    def _position(self, at: int) -> Position:
        return Position(self.file, self.line, at - self.line_start + 1)

    def _error(self, position: Position, message: str) -> None:
        self.errors.append(Diagnostic(position, message))

    def _unescaped(self, word: str, position: Position) -> str:
        """The name that a word stands for: a backslash in front lets a keyword be a name."""
        if word[0] != "\\":
            return word
        name = word[1:]
        if not name or name[0].isdigit():
            self._error(position, f"invalid identifier: {word}")
        return name

    def _illegal(self, at: int) -> int:
        """Report a run of characters that start no token, and go on behind it."""
        position, character = self._position(at), self.text[at]
        if character == '"':
            self._error(position, "string literal is not closed on its line")
            return self._line_end(at)
        shown = character if character.isprintable() else f"U+{ord(character):04X}"
        self._error(position, f"illegal character: {shown}")
        while at < len(self.text) and self.text[at] == character:
            at += 1
        return at

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _comment(self, start: int) -> int:
        """Skip a comment, which may contain others; the result is where it ends."""
        opened, depth, at = self._position(start), 0, start
        for mark in _COMMENT_MARK.finditer(self.text, start):
            depth += 1 if mark.group() == "/*" else -1
            if not depth:
                at = mark.end()
                break
        else:
            self._error(opened, "comment is not closed")
            at = len(self.text)
        self._count_lines(start, at)
        return at

    def _count_lines(self, start: int, end: int) -> None:
        lines = self.text.count("\n", start, end)
        if lines:
            self.line += lines
            self.line_start = self.text.rfind("\n", start, end) + 1

    def _directive(self, start: int) -> bool:
        """Whether a line that starts with `#` is a directive; `#line` takes effect at once."""
        found = _LINE_DIRECTIVE.match(self.text, start)
        if found:
            # The line after the directive is the one that it names.
            self.line = int(found.group(1)) - 1
            self.file = found.group(2).strip().strip('"') or self.file
            return True
        other = _OTHER_DIRECTIVE.match(self.text, start)
        if other:
            message = f"preprocessor directive #{other.group(1)} is not supported"
            self._error(self._position(start), message)
        return other is not None
