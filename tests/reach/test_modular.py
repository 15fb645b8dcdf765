"""Modular verification: contracts, invariants, several errors, traces, and Houdini."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.reach.houdini import infer
from solvent.reach.modular import verify
from solvent.reach.program import Block, Procedure, Program, ProgramError
from solvent.terms import Bool
from tests.reach.programs import read

SUM = """
procedure sum(n: int) returns (s: int)
  requires n >= 0;
  ensures s == n * (n + 1) div 2;
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant s == i * (i + 1) div 2;
  { i := i + 1; s := s + i; }
}
"""


def test_invariants() -> None:
    assert verify(read(SUM), "sum").holds


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("i := 0;", "i := -1;", "This loop invariant might not hold on entry."),
        ("i <= n;", "i < n;", "This loop invariant might not be maintained by the loop."),
        ("div 2;\n{", "div 3;\n{", "A postcondition might not hold on this return path."),
    ],
)
def test_what_may_fail(old: str, new: str, message: str) -> None:
    found = verify(read(SUM.replace(old, new)), "sum")
    assert message in [violation.message for violation in found.violations]


CALLS = """
var g: int;
procedure inc(n: int) returns (r: int)
  requires n > 0;
  modifies g;
  ensures g == old(g) + n && r == old(g);
{ r := g; g := g + n; }
procedure main() modifies g;
{
  var a: int;
  g := 5;
  call a := inc(STEP);
  assert a == 5;
  assert g == 7;
}
"""


def test_calls_by_contract() -> None:
    program = read(CALLS.replace("STEP", "2"))
    assert verify(program, "inc").holds
    assert verify(program, "main").holds


def test_a_precondition_that_fails() -> None:
    found = verify(read(CALLS.replace("STEP", "0")), "main")
    first = found.violations[0]
    assert first.message == "A precondition for this call might not hold."
    assert (first.where.line, first.related[0][0].line) == (12, 4)


def test_callers_and_callees_with_the_same_names() -> None:
    """The contract is about the callee's x and y, not about those of the caller."""
    text = """procedure sub(x: int, y: int) returns (z: int) ensures z == x - y; { z := x - y; }
    procedure main(z: int) {
      var x, y: int;
      x, y := 7, 3;
      call y := sub(y, x);
      assert y == -4;
      call x := sub(z, x);
      assert x == z - 7;
      assert x == 0;
    }"""
    program = read(text)
    assert verify(program, "sub").holds
    assert [one.where.line for one in verify(program, "main").violations] == [9]


def test_outputs_that_are_global_variables() -> None:
    """Such a variable is changed by the callee first, and then gets the output."""
    text = """var g: int;
    procedure next() returns (r: int) modifies g; ensures r == g + 1 && g == old(g) + 10;
    { g := g + 10; r := g + 1; }
    procedure main() modifies g; {
      g := 0;
      call g := next();
      assert g == 11;
      call g := next();
      assert g == 22;
      assert g == 21;
    }"""
    program = read(text)
    assert verify(program, "next").holds
    assert [one.where.line for one in verify(program, "main").violations] == [10]


def test_several_errors() -> None:
    text = (
        "procedure p(x: int) { assert x > 0; assert x > 1; assert x != 7; assert x > -9 || x < 5; }"
    )
    program = read(text)
    assert len(verify(program, "p").violations) == 3
    assert len(verify(program, "p", errors=2).violations) == 2
    places = {violation.where.column for violation in verify(program, "p").violations}
    assert len(places) == 3


def test_the_trace_of_an_error() -> None:
    text = """procedure p(x: int, b: bool) returns (y: int) {
      if (b) { y := x + 1; } else { y := x - 1; }
      assert b || y > 10;
    }"""
    (violation,) = verify(read(text), "p").violations
    labels = [label for _, label in violation.blocks]
    assert labels == ["anon0", "anon2_Else", "anon1"]
    inputs = {str(variable): value for variable, value in violation.inputs}
    assert inputs["b"] is False
    (value,) = violation.values
    assert value.value == inputs["x"] - 1 <= 10


COUNTED = {
    "inside": ("while (i < 9) { i := i + 1; assert i != 3; }", 3),
    "afterwards": ("while (i < n) { i := i + 1; } assert i != 3;", 3),
    "left by break": ("while (true) { i := i + 1; if (i == n) { break; } } assert i != 3;", 3),
    "invariant": ("while (i < n) invariant i != 3; { i := i + 1; }", 3),
    "one block": ("h: i := i + 1; assert i != 3; goto h, e; e: return;", 3),
    "one block, afterwards": ("h: i := i + 1; goto h, e; e: assert i != 3;", 3),
    "nested": ("while (*) { while (*) { i := i + 1; } assert i != 4; }", 2),
    "not at all": ("while (i < n) { i := i + 1; } assert n > 0;", 0),
}


@pytest.mark.parametrize(("loop", "needed"), COUNTED.values(), ids=COUNTED)
def test_unrolled_loops_run_so_many_iterations(loop: str, needed: int) -> None:
    program = read(f"procedure p(n: int) {{ var i: int; i := 0; {loop} }}")
    for times in range(6):
        failed = bool(verify(program, "p", unrolled=times).violations)
        assert failed is (times >= needed), times


def test_a_loop_at_the_entry() -> None:
    text = """procedure p(n: int) requires n >= 0; {
      var i: int;
      head: goto body, done;
      body: assume i < n; i := i + 1; goto head;
      done: assert i >= n || i < n;
    }"""
    assert verify(read(text), "p").holds


def test_loops_with_several_entries() -> None:
    """The first one is the head of the loop: without an invariant nothing is known there."""
    text = """procedure p() { var x: int; x := 0; goto A, B;
      A: %s x := x + 1; goto B;
      B: x := x + 1; goto A, C;
      C: assert x >= 1; }"""
    assert verify(read(text % "assert x >= 0;"), "p").holds
    assert not verify(read(text % ""), "p").holds


def test_blocks_with_several_entries_are_refused() -> None:
    """Who makes blocks by hand has to split them."""
    blocks = {"a": ("b", "c"), "b": ("c",), "c": ("b",)}
    made = {label: Block(label, (), targets) for label, targets in blocks.items()}
    with pytest.raises(ProgramError, match="p jumps from"):
        verify(Program((), {"p": Procedure("p", blocks=made)}), "p")


# --- passive form ------------------------------------------------------------------------------


def test_joins_of_paths_that_skip_a_block() -> None:
    """An edge from a block with several targets to a join needs a block of its own."""
    text = """procedure p(c: bool) returns (x: int) {
      start: x := 1; goto skip, change;
      change: assume c; x := 2; goto skip;
      skip: assert c ==> x == 2; assert x == 1 || x == 2; assert !c ==> x == 1;
    }"""
    found = verify(read(text), "p")
    # With c the program may also skip the change.
    assert [violation.where.column for violation in found.violations] == [13]


# --- Houdini -----------------------------------------------------------------------------------


def guards(found: dict[Any, bool]) -> dict[str, bool]:
    return {guard.name: value for guard, value in found.items()}


def test_houdini() -> None:
    text = """
    const {:existential true} b1: bool;
    const {:existential true} b2: bool;
    const {:existential true} b3: bool;
    procedure loop(n: int) returns (i: int) requires n >= 0; ensures b3 ==> i == n; {
      i := 0;
      while (i < n) invariant b1 ==> i <= n; invariant b2 ==> i < n; { i := i + 1; }
    }
    procedure main() { var i: int; call i := loop(3); assert i == 3; }
    """
    found = infer(read(text), [Bool("b1"), Bool("b2"), Bool("b3")])
    assert guards(found.guards) == {"b1": True, "b2": False, "b3": True}
    assert found.violations == {"loop": (), "main": ()}


def test_houdini_takes_back_what_callers_relied_on() -> None:
    text = """
    const {:existential true} b1: bool;
    const {:existential true} b2: bool;
    procedure callee(x: int) returns (y: int) requires b1 ==> x > 0; ensures b2 ==> y > 0;
    { y := x; }
    procedure main() { var y: int; call y := callee(1); call y := callee(0); assert y > 0; }
    """
    found = infer(read(text), [Bool("b1"), Bool("b2")])
    assert guards(found.guards) == {"b1": False, "b2": False}
    assert len(found.violations["main"]) == 1


# --- quantifiers -------------------------------------------------------------------------------


def test_what_triggers_do_not_prove_is_an_error() -> None:
    text = """
    function f(x: int) returns (int);
    axiom (forall x: int :: {f(x)} f(x) > x);
    procedure p(n: int) { assert f(n) > n; assert f(n) > n + 1; }
    """
    found = verify(read(text), "p")
    assert [violation.where.column for violation in found.violations] == [44]
    assert not found.reason


def test_quantified_assertions() -> None:
    text = """
    procedure p(m: [int]int) returns (r: [int]int)
      requires (forall i: int :: m[i] > 0);
      ensures (forall i: int :: r[i] > BOUND);
    { r := m; r[3] := 9; }
    """
    assert verify(read(text.replace("BOUND", "0")), "p").holds
    found = verify(read(text.replace("BOUND", "1")), "p")
    assert [one.message for one in found.violations] == [
        "A postcondition might not hold on this return path."
    ]


def test_polymorphic_maps_and_procedures() -> None:
    text = """
    type ref; type Field a;
    var H: <a>[ref, Field a]a;
    const unique f: Field int;
    const unique g: Field bool;
    procedure id<a>(x: a) returns (y: a) ensures y == x; { y := x; }
    procedure p(o: ref, q: ref) modifies H; {
      var n: int;
      H[o, f] := 5;
      H[o, g] := true;
      H[q, f] := 7;
      assert H[o, g];
      assert o != q ==> H[o, f] == 5;
      call n := id(3);
      assert n == 3;
      assert H[o, f] == 5;
    }
    """
    program = read(text)
    assert verify(program, "id").holds
    assert [one.where.line for one in verify(program, "p").violations] == [16]
