"""Reading scripts and terms of SMT-LIB 2.

The meaning is SMT-LIB's own: where it leaves a result open, as for a division by zero, so does the
term that is read.  Definitions are expanded.  Numerals are reals in logics without integers, and
an Int where a Real is needed is converted.

Whatever is wrong with a text is an `SmtLibError` with the line and column.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from solvent.errors import SmtLibError
from solvent.terms.functions import FunctionSymbol
from solvent.terms.graph import constants as constants_of
from solvent.terms.kinds import Guard
from solvent.terms.model import Constant
from solvent.terms.smtlib import commands as c
from solvent.terms.smtlib.lexer import END, Source, quote
from solvent.terms.smtlib.parser import Parser
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.scripts import Script, ScriptReader
from solvent.terms.smtlib.signatures import Problem
from solvent.terms.sorts import ArraySort, Sort, UninterpretedSort
from solvent.terms.term import Term

__all__ = [
    "Script",
    "assertions_of",
    "parse_smtlib",
    "read_file",
    "read_script",
    "read_term",
]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cyclic garbage collector from scanning the open parts of a long text.

    Reading makes no cycles, and what is open at some point would be scanned again and again.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_script(text: str, source: str = "<smtlib>") -> Script:
    """The commands of a script; `source` is how errors call it.

    >>> script = read_script("(declare-const x Int) (assert (> x 5)) (check-sat)")
    >>> [type(command).__name__ for command in script.commands], script.commands[1].term
    (['DeclareConst', 'Assert', 'CheckSat'], x > 5)
    >>> read_script("(assert (< x 5))", "example.smt2")
    Traceback (most recent call last):
    ...
    solvent.errors.SmtLibError: example.smt2:1:12: unknown symbol x
    """
    with collector_paused():
        return ScriptReader(text, source).read()


def read_file(path: str | Path) -> Script:
    """The commands of a script in a file."""
    path = Path(path)
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise SmtLibError("this byte is not UTF-8", line, column, str(path)) from None
    return read_script(text, str(path))


def assertions_of(script: Script) -> list[Guard]:
    """The assertions in force at the first check, or at the end if the script never checks.

    >>> assertions_of(read_script("(declare-const p Bool) (assert p) (check-sat) (assert (not p))"))
    [p]
    """
    levels: list[list[Guard]] = [[]]
    for command in script.commands:
        if isinstance(command, c.Assert):
            levels[-1].append(command.term)
        elif isinstance(command, c.Push):
            levels.extend([] for _ in range(command.levels))
        elif isinstance(command, c.Pop):
            del levels[len(levels) - command.levels :]
        elif isinstance(command, (c.Reset, c.ResetAssertions)):
            levels = [[]]
        elif isinstance(command, (c.CheckSat, c.CheckSatAssuming)):
            break
    return [term for level in levels for term in level]


def parse_smtlib(text: str, source: str = "<smtlib>") -> list[Guard]:
    """The assertions of a script.

    >>> parse_smtlib("(declare-const x (_ BitVec 8)) (assert (= (bvadd x #x01) #x00))")
    [x == 255]
    """
    return assertions_of(read_script(text, source))


# What `read_term` may be told about symbols.
Known: TypeAlias = "Mapping[str, Any] | Iterable[Constant]"


def read_term(text: str, constants: Known = (), source: str = "<smtlib>") -> Any:
    """One term; `constants` are the constants and functions it may use, perhaps under other names.

    >>> from solvent.terms import Int
    >>> read_term("(+ x (* 2 y))", [Int("x"), Int("y")]), read_term("(- a)", {"a": Int("x")})
    (x + y * 2, -x)
    """
    reader = Source(text, source)
    scope = Scope()
    known = dict(constants) if isinstance(constants, Mapping) else _by_name(constants)
    free = set()
    for name, meaning in known.items():
        if isinstance(meaning, FunctionSymbol):
            scope.declare_function(quote(name), meaning)
            sorts = (*meaning.domain, meaning.range)
        else:
            scope.declare_value(quote(name), meaning)
            free.update(constants_of(meaning))
            sorts = (meaning.sort,) if isinstance(meaning, Term) else ()
        for sort in sorts:
            _declare_sorts(scope, sort)
    parser = Parser(reader, scope, free)
    try:
        if reader.tokens[0] == END:
            raise Problem("there is no term", 0)
        with collector_paused():
            term, index = parser.term(0)
        if reader.tokens[index] != END:
            raise Problem(f"expected the end of the text instead of {reader.tokens[index]}", index)
    except Problem as problem:
        raise parser.error(problem, 0) from None
    return term


def _by_name(constants: Iterable[Constant]) -> dict[str, Constant]:
    return {constant.name: constant for constant in constants}


def _declare_sorts(scope: Scope, sort: Sort[Term]) -> None:
    """Make the uninterpreted sorts in a sort known by their names."""
    if isinstance(sort, ArraySort):
        _declare_sorts(scope, sort.index)
        _declare_sorts(scope, sort.element)
    elif isinstance(sort, UninterpretedSort):
        scope.sorts.setdefault(quote(sort.name), sort)
