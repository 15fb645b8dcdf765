"""The realistic programs in `corpus` are accepted, and written and read back unchanged."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from solvent.boogie import (
    BoogieError,
    TypedProgram,
    check_program,
    parse_program,
    print_program,
)
from solvent.boogie import syntax as s
from solvent.boogie.walking import nodes_of, same

CORPUS = sorted((Path(__file__).parent / "corpus").rglob("*.bpl"))


def test_there_are_enough() -> None:
    assert len(CORPUS) >= 64


def checked(program: s.Program) -> TypedProgram:
    """The program with its types; clauses that it lacks are inferred."""
    try:
        return check_program(program)
    except BoogieError:
        return check_program(program, infer_modifies=True)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    program = parse_program(path)
    found = checked(program)
    assert found.procedures
    assert not found.warnings
    text = print_program(program)
    again = parse_program(text=text)
    assert same(again, program)
    checked(again)
    copy = pickle.loads(pickle.dumps(found))
    assert same(copy.program, found.program)
    for name, symbol in found.globals.items():
        # Type variables are new objects in a copy; all other types are the same ones.
        assert copy.globals[name].type is symbol.type
    for node in nodes_of(found.program):
        assert node.position.line >= 1 or node is found.program
        if isinstance(node, s.Expr):
            assert not found.type_of(node).has_proxy
        if isinstance(node, s.Identifier):
            assert found.symbol_of(node).name == node.name
