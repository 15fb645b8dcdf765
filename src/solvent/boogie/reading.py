"""Reading one or several files as one program."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from solvent.boogie.diagnostics import BoogieSyntaxError, Diagnostic
from solvent.boogie.parser import parse_text
from solvent.boogie.statements import Declaration, Program
from solvent.reach.positions import Position

PathLike = str | os.PathLike[str]


def parse_program(
    paths: PathLike | Iterable[PathLike] = (), *, text: str | None = None, file: str = "<text>"
) -> Program:
    """The program in one or several files, or in a text; `file` is what messages call the text.

    Everything that is wrong is raised as one `BoogieSyntaxError`.

    >>> len(parse_program(text="var x: int; axiom 1 < 2;").declarations)
    2
    >>> parse_program(text="axiom 1 < ;", file="a.bpl")
    Traceback (most recent call last):
    ...
    solvent.boogie.diagnostics.BoogieSyntaxError: a.bpl(1,11): Error: expected an expression, ...
    """
    declarations: list[Declaration] = []
    errors: list[Diagnostic] = []
    sources = [] if text is None else [(file, text)]
    names = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    for name in names:
        try:
            sources.append((os.fspath(name), _read(Path(name))))
        except (OSError, ValueError) as error:
            errors.append(Diagnostic(Position(os.fspath(name), 0, 0), _reason(error)))
    for name, source in sources:
        found, wrong = parse_text(source, name)
        declarations += found
        errors += wrong
    if errors:
        raise BoogieSyntaxError(sorted(errors, key=lambda each: _order(names_of(sources), each)))
    return Program(tuple(declarations))


def names_of(sources: list[tuple[str, str]]) -> dict[str, int]:
    """The place of each file in the order in which the files were given."""
    return {name: at for at, (name, _) in enumerate(sources)}


def _order(places: dict[str, int], error: Diagnostic) -> tuple[int, int, int]:
    return (places.get(error.position.file, -1), error.position.line, error.position.column)


def _read(path: Path) -> str:
    data = path.read_bytes()
    if b"\0" in data:
        raise ValueError("this is a binary file, not a Boogie program")
    return data.decode("utf-8-sig")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"the file is not UTF-8 text (byte {error.start:,} is not)"
    if isinstance(error, OSError):
        return f"cannot read the file: {error.strerror or error}"
    return str(error)
