"""Shared by the tests: the messages that a text leads to, and where its procedures fail."""

from __future__ import annotations

from solvent.boogie import BoogieError, TypedProgram, check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.modular import verify
from tests.patience import patient


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


def failing_lines(text: str) -> list[int]:
    """The lines in which something of a program fails, after all procedures were verified."""
    program = lower(checked(text), modular=True)
    found: list[int] = []
    for name, procedure in program.procedures.items():
        if procedure.blocks:
            result = verify(program, name, errors=None, timeout=patient(30))
            assert not result.reason, (name, result.reason)
            found += [violation.where.line for violation in result.violations]
    return sorted(found)


def fails_as_marked(text: str) -> None:
    """Check that a program fails in the lines with the comment `// fails`, and nowhere else."""
    marked = [at for at, line in enumerate(text.splitlines(), 1) if "// fails" in line]
    found = failing_lines(text)
    assert found == marked, f"lines {found} fail instead of {marked}"
