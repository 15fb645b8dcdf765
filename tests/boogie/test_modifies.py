"""Modifies clauses that are inferred are those that a careful author would have written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from solvent.boogie import BoogieError, check_program, parse_program
from solvent.boogie import statements as st

CORPUS = sorted((Path(__file__).parent / "corpus").rglob("*.bpl"))


def inferred(text: str) -> dict[str, list[str]]:
    """What each procedure modifies."""
    found = check_program(parse_program(text=text, file="t.bpl"), infer_modifies=True)
    return {name: [g.name for g in one.modifies] for name, one in found.procedures.items()}


def test_calls_that_go_round() -> None:
    text = """
    var a, b, c, d, e: int;
    var m: [int]int;
    procedure odd() { if (*) { call even(); } else { while (*) { havoc a; } } }
    procedure even() { m[0] := 1; call odd(); }
    procedure given(); modifies e;
    procedure result() returns (r: int) { r := 1; }
    procedure user() { call b := result(); call given(); if (*) { } else if (*) { d := d; } }
    procedure reads() returns (c: int) modifies b; { c := a + b; }
    """
    both = ["a", "m"]
    assert inferred(text) == {
        "odd": both,
        "even": both,
        "given": ["e"],
        "result": [],
        "user": ["b", "d", "e"],
        # Its own result has the name of a global variable, and what it says is not so.
        "reads": [],
    }


def test_bodies_apart_from_their_procedures() -> None:
    text = """
    var a, b: int;
    procedure p();
    implementation p() { a := 1; }
    implementation p() { b := 1; }
    """
    assert inferred(text) == {"p": ["a", "b"]}


@pytest.mark.parametrize("statement", ["g := 1;", "call p();"])
def test_code_expressions_still_change_nothing(statement: str) -> None:
    text = f"""
    var g: int;
    procedure p() {{ g := 1; }}
    procedure q() {{ assert |{{ A: {statement} return true; }}|; }}
    """
    with pytest.raises(BoogieError, match="modifies clause: g"):
        inferred(text)


def test_nothing_is_inferred_without_being_asked() -> None:
    text = "var g: int; procedure p() { g := 1; }"
    with pytest.raises(BoogieError, match="modifies clause: g"):
        check_program(parse_program(text=text))
    assert inferred(text) == {"p": ["g"]}


def test_the_corpus_without_its_clauses() -> None:
    changing = 0
    for path in CORPUS:
        program = parse_program(path)
        try:
            declared = check_program(program).procedures
        except BoogieError:
            # It says nothing of what it modifies.
            assert check_program(program, infer_modifies=True).procedures
            continue
        bare = check_program(without_clauses(program, declared), infer_modifies=True).procedures
        for name, procedure in declared.items():
            said = {g.name for g in procedure.modifies}
            found = {g.name for g in bare[name].modifies}
            assert found <= said, (path.name, name)
            changing += bool(found and procedure.implementations)
    assert changing > 50


def without_clauses(program: st.Program, procedures: dict[str, object]) -> st.Program:
    """The program in which no procedure with a body says what it modifies."""

    def bare(one: st.Declaration) -> st.Declaration:
        # What is ignored is no procedure.
        known = procedures.get(one.name) if isinstance(one, st.ProcedureDecl) else None
        if isinstance(one, st.ProcedureDecl) and getattr(known, "implementations", None):
            kept = [clause for clause in one.contract if not isinstance(clause, st.Modifies)]
            return replace(one, contract=tuple(kept))
        return one

    return replace(program, declarations=tuple(map(bare, program.declarations)))
