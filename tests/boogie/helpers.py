"""Shared by the tests: the messages that a text leads to."""

from __future__ import annotations

from solvent.boogie import BoogieError, TypedProgram, check_program, parse_program


def messages(text: str) -> list[str]:
    """All messages about a text, without the name of the file: `(1,7): Error: ...`."""
    try:
        check_program(parse_program(text=text, file="t.bpl"))
    except BoogieError as error:
        return [str(each).removeprefix("t.bpl") for each in error.diagnostics]
    return []


def checked(text: str) -> TypedProgram:
    """The checked program of a text without mistakes."""
    return check_program(parse_program(text=text, file="t.bpl"))
