"""Exceptions that are meant: those with which a function refuses its arguments on purpose.

They are named by the option `raises`, by the docstring of the function (a section `Raises:`, or
`:raises ValueError:`), or by a comment at its head, `# solvent: raises ValueError`.  One that
escapes from the function is then no failure, and neither is one of a class that derives from it.  A
failing assertion is never meant because of a general name such as `Exception`: only naming
`AssertionError` itself does that.
"""

from __future__ import annotations

import builtins
import linecache
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf
from types import CodeType

from solvent.contracts.sources import innermost
from solvent.contracts.violations import ContractViolation
from solvent.errors import QueryError
from solvent.queries.replay import plain

Exceptions = tuple[type[BaseException], ...]

# Who says that an exception is meant.
OPTION = "the option `raises`"
DOCSTRING = "the docstring"
COMMENT = "the comment"


@dataclass(frozen=True, slots=True)
class Meant:
    """Which exceptions may escape from a function.

    >>> meant = Meant({ValueError: DOCSTRING})
    >>> meant.allows(UnicodeError()), meant.allows(KeyError())
    (True, False)
    >>> Meant({Exception: OPTION}).allows(AssertionError())
    False
    """

    # The classes, with who says so.
    classes: Mapping[type[BaseException], str] = field(default_factory=dict)
    # Whether only failing assertions are failures.
    assertions_only: bool = False

    def allows(self, error: BaseException) -> bool:
        """Whether it is no failure if this escapes."""
        named = [known for known in self.classes if _derives(type(error), known)]
        if isinstance(error, ContractViolation):
            # What a function must do is not forgiven because a general class is meant.
            return any(_derives(known, ContractViolation) for known in named)
        if _derives(type(error), AssertionError):
            return any(_derives(known, AssertionError) for known in named)
        return self.assertions_only or bool(named)

    def explained(self) -> dict[str, str]:
        """Who says that an exception is meant, by its name."""
        return {known.__qualname__: who for known, who in self.classes.items()}


def _derives(cls: type, base: type) -> bool:
    # As `except` decides it: what a metaclass says about its instances does not count.
    return any(known is base for known in cls.__mro__)


# Whatever a test says of exceptions in its docstring, none may escape from it.
IS_TEST = "__solvent_is_test__"

# Every exception that escapes is a failure.
NOTHING = Meant()


def meant_by(function: object, raises: Exceptions = (), *, assertions_only: bool = False) -> Meant:
    """The exceptions that are meant: those given, and what the function itself says.

    >>> def root(x: int) -> int:
    ...     '''The root of a square.
    ...
    ...     Raises:
    ...         ValueError: if there is none.
    ...     '''
    >>> meant_by(root, (KeyError,)).explained()
    {'KeyError': 'the option `raises`', 'ValueError': 'the docstring'}
    """
    found = dict.fromkeys(raises, OPTION)
    subject = _written(function)
    prose = None if hasattr(function, IS_TEST) else getattr(subject, "__doc__", None)
    for name in named_in(prose):
        # A docstring is prose: a name that nobody knows means nothing.
        cls = exception_named(name, subject)
        if cls is not None:
            found.setdefault(cls, DOCSTRING)
    for line, name in _commented(subject):
        cls = exception_named(name, subject)
        if cls is None:
            raise QueryError(f"{line}: `# solvent: raises {name}`: there is no exception {name!r}")
        found.setdefault(cls, COMMENT)
    return Meant(found, assertions_only)


def _written(function: object) -> object:
    """The function as it stands in the source, without what was put around it."""
    found = plain(function)
    return plain(innermost(plain(getattr(found, "func", found))))


def exception_named(name: str, function: object) -> type[BaseException] | None:
    """The class of exceptions that a name stands for where a function is defined.

    >>> exception_named("ZeroDivisionError", meant_by), exception_named("io.no", meant_by)
    (<class 'ZeroDivisionError'>, None)
    """
    first, *rest = name.split(".")
    around = getattr(function, "__globals__", {})
    found: object = around[first] if first in around else getattr(builtins, first, None)
    for part in rest:
        found = getattr(found, part, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


# --- docstrings -----------------------------------------------------------------------------------

_NAME = r"[A-Za-z_][\w.]*"
_NAMES = rf"`*{_NAME}`*(?:\s*(?:,|\bor\b|\|)\s*`*{_NAME}`*)*"
# `:raises ValueError: if there is none`.
_FIELD = re.compile(rf"^\s*:(?:raises?|except|exception)\s+({_NAMES})\s*:", re.MULTILINE)
# `ValueError: if there is none`, and in the style of NumPy the name alone.
_ENTRY = re.compile(rf"({_NAMES})\s*(?::(?:\s|$)|$)")


def named_in(docstring: object) -> list[str]:
    """The names of the exceptions that a docstring says a function raises.

    >>> named_in("Raises:\\n    ValueError: at times.\\n    KeyError, os.error: at others.")
    ['ValueError', 'KeyError', 'os.error']
    >>> named_in("Raises\\n------\\nValueError\\n    At times.")
    ['ValueError']
    >>> named_in(":raises ValueError: at times")
    ['ValueError']
    """
    if not isinstance(docstring, str):
        return []
    text = docstring.expandtabs()
    found = [name for entry in _FIELD.findall(text) for name in _split(entry)]
    for entry in _entries(text.splitlines()):
        match = _ENTRY.match(entry)
        if match:
            found += _split(match.group(1))
    return list(dict.fromkeys(found))


def _split(entry: str) -> list[str]:
    return [name for name in re.findall(_NAME, entry) if name != "or"]


def _entries(lines: list[str]) -> Iterator[str]:
    """The lines of the sections about exceptions that are not indented further than others."""
    for place, line in enumerate(lines):
        depth, rest = _depth(line), lines[place + 1 :]
        if line.strip() == "Raises:":
            section = list(_deeper(rest, depth))
        elif line.strip() == "Raises" and rest and _is_underline(rest[0]):
            section = list(_until_heading(rest[1:]))
        else:
            continue
        least = min(map(_depth, section), default=inf)
        yield from (text.strip() for text in section if text.strip() and _depth(text) == least)


def _deeper(lines: list[str], depth: float) -> Iterator[str]:
    return takewhile(lambda line: _depth(line) > depth, lines)


def _until_heading(lines: list[str]) -> Iterator[str]:
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if _is_underline(after):
            return
        yield line


def _depth(line: str) -> float:
    """How far a line is indented; an empty one belongs to what is around it."""
    return len(line) - len(line.lstrip()) if line.strip() else inf


def _is_underline(line: str) -> bool:
    return re.fullmatch(r"-{3,}", line.strip()) is not None


# --- comments -------------------------------------------------------------------------------------

_COMMENT = re.compile(rf"#\s*solvent:\s*raises\s+({_NAMES})\s*$")


def _commented(function: object) -> Iterator[tuple[str, str]]:
    """Where a comment at the head of a function says that an exception is meant, and its name."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or code.co_name == "<lambda>":
        return
    lines = linecache.getlines(code.co_filename)
    first = code.co_firstlineno
    if len(lines) < first:
        return
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    while first > 1 and lines[first - 2].startswith(f"{indent}#"):
        first -= 1
    for line, text in _comments(lines[first - 1 :]):
        match = _COMMENT.match(text)
        if match:
            for name in _split(match.group(1)):
                yield f"{code.co_filename}:{first + line - 1}", name


def _comments(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The comments before the body of the function with which some lines begin."""
    in_head = False
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            in_head = in_head or (token.type == tokenize.NAME and token.string == "def")
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
            elif token.type == tokenize.NEWLINE and in_head:
                return
    except (tokenize.TokenError, SyntaxError):
        # What follows is not the source of this function any more.
        return
