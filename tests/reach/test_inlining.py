"""Inlining: against programs that were inlined by hand, against contracts, and at the limit."""

from __future__ import annotations

import pytest

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import inline_depths, lower
from solvent.reach import inlining
from solvent.reach.houdini import infer
from solvent.reach.inlining import Limit, inline
from solvent.reach.modular import ProcedureAnswer, verify
from solvent.reach.program import POSTCONDITION, PRECONDITION, Program, ProgramError
from solvent.terms import Bool


def inlined(text: str, limit: Limit = Limit.ASSUME) -> Program:
    """A program after inlining as its attributes say."""
    checked = check_program(parse_program(text=text, file="t.bpl"))
    return inline(lower(checked), inline_depths(checked), limit).program


def main(text: str, limit: Limit = Limit.ASSUME, unrolled: int | None = None) -> ProcedureAnswer:
    """What the first procedure comes to."""
    found = verify(inlined(text, limit), "main", unrolled=unrolled, errors=None)
    assert not found.reason
    return found


def lines(found: ProcedureAnswer) -> list[int]:
    """The lines of all errors."""
    return sorted(violation.where.line for violation in found.violations)


# --- what is inlined -----------------------------------------------------------------------------

STEP = """procedure main(x: int) {
  var y: int;
  call y := step(x);
  assert y == x + 1;
  call y := step(y);
  assert y == x + 1;
}
procedure ATTRIBUTE step(x: int) returns (y: int) { y := x + 1; }
"""


@pytest.mark.parametrize(
    ("attribute", "expected"), [("", [4, 6]), ("{:inline 1}", [6]), ("{:inline 5}", [6])]
)
def test_bodies_instead_of_contracts(attribute: str, expected: list[int]) -> None:
    assert lines(main(STEP.replace("ATTRIBUTE", attribute))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "procedure {:inline 1} step(x: int) returns (y: int);\n"
        "implementation step(a: int) returns (b: int) { b := a + 1; }",
        "procedure step(x: int) returns (y: int);\n"
        "implementation {:inline 1} step(a: int) returns (b: int) { b := a + 1; }",
        # What the procedure says counts more.
        "procedure {:inline 1} step(x: int) returns (y: int);\n"
        "implementation {:inline 0} step(a: int) returns (b: int) { b := a + 1; }",
    ],
)
def test_attributes_of_procedures_and_implementations(text: str) -> None:
    first = STEP[: STEP.index("procedure ATTRIBUTE")]
    assert lines(main(first + text)) == [6]


def test_attributes_without_a_number_mean_nothing() -> None:
    assert lines(main(STEP.replace("ATTRIBUTE", "{:inline}"))) == [4, 6]
    assert lines(main(STEP.replace("ATTRIBUTE", "{:inline true}"))) == [4, 6]


def test_procedures_without_bodies_are_called_by_contract() -> None:
    text = """procedure main(x: int) {
      var y: int;
      call y := step(x);
      assert y > x;
      assert y == x + 1;
    }
    procedure {:inline 1} step(x: int) returns (y: int); ensures y > x;
    """
    assert lines(main(text)) == [5]


# --- by hand -------------------------------------------------------------------------------------

CALLS = """var g: int;
var h: int;
procedure main(x: int, y: int) modifies g, h; {
  var a, b: int;
  g := x;
  call a, b := both(y, g);
  assert g == x + y;
  assert h == old(h);
  assert a == x && b == y;
  call g, h := both(a, b);
  assert g == x + x + y;
}
procedure {:inline 1} both(x: int, a: int) returns (y: int, b: int) modifies g; {
  if (x > 0) { call add(x); } else { g := g + x; }
  y := a;
  b := x;
  assert g == old(g) + x;
}
procedure {:inline 1} add(x: int) modifies g; { g := g + x; assert old(g) + x == g; }
"""
BY_HAND = """var g: int;
var h: int;
procedure main(x: int, y: int) modifies g, h; {
  var a, b, g1, g2, s, t: int;
  g := x;
  s, t := y, g; g1 := g; if (s > 0) { g2 := g; g := g + s; assert g2 + s == g; } else { g := g + s; } a, b := t, s; assert g == g1 + s;
  assert g == x + y;
  assert h == old(h);
  assert a == x && b == y;
  s, t := a, b; g1 := g; if (s > 0) { g2 := g; g := g + s; assert g2 + s == g; } else { g := g + s; } assert g == g1 + s; g, h := t, s;
  assert g == x + x + y;
}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("old", "new"),
    [("", ""), ("y := a;", "y := x;"), ("g := g + x; assert", "g := g - x; assert"), ("0)", "1)")],
)
def test_inlined_by_hand(old: str, new: str) -> None:
    """Variables of callers and callees have the same names; outputs may be global variables."""
    found = main(CALLS.replace(old, new))
    hands = BY_HAND
    for one, other in [("a, b := t, s;", "a, b := s, s;"), ("g, h := t, s;", "g, h := s, s;")]:
        hands = hands.replace(one, other) if old == "y := a;" else hands
    if "g - x" in new:
        hands = hands.replace("g := g + s; assert g2", "g := g - s; assert g2")
    if old == "0)":
        hands = hands.replace("s > 0", "s > 1")
    inside = {line for line in lines(found) if line > 12}
    outside = [line for line in lines(found) if line <= 12]
    by_hand = lines(verify_by_hand(hands))
    assert outside == [line for line in by_hand if line not in (6, 10)]
    assert bool(inside) == any(line in (6, 10) for line in by_hand)


def verify_by_hand(text: str) -> ProcedureAnswer:
    return verify(lower(check_program(parse_program(text=text))), "main", errors=None)


def test_local_variables_have_any_value_each_time() -> None:
    text = """procedure main() {
      var i, y: int;
      i := 0;
      while (i < 3) { call y := any(i); i := i + 1; }
    }
    procedure {:inline 1} any(i: int) returns (r: int) {
      var x: int where x > 0;
      assert x > 0;
      assert i > 0 ==> x != 1;
      r := x;
      x := 1;
    }
    """
    assert lines(main(text)) == [9]
    # In the first iteration i is not positive.
    assert lines(main(text, unrolled=2)) == [9]
    assert lines(main(text, unrolled=3)) == [9, 9]


def test_conditions_of_global_variables_are_not_assumed_in_the_middle() -> None:
    text = """var g: int where g > 0;
    procedure main() modifies g; { assert g > 0; g := -1; call same(); assert g > 0; }
    procedure {:inline 1} same() modifies g; { g := g; }
    """
    assert len(main(text).violations) == 1
    # By contract it has any value, and so a positive one.
    assert not main(text, Limit.SPEC).holds
    assert main(text.replace("{:inline 1}", "")).holds


# --- contracts and traces ------------------------------------------------------------------------

CONTRACT = """procedure main(x: int) {
  var y: int;
  call y := half(x);
}
procedure {:inline 1} half(x: int) returns (y: int)
  requires x >= 0;
  free requires false;
  ensures y > 0;
  free ensures false;
{
  if (x > 10) {
    y := x;
    return;
  }
  y := x - 5;
}
"""


def test_contracts_of_inlined_procedures_are_checked() -> None:
    found = {violation.message: violation for violation in main(CONTRACT).violations}
    assert set(found) == {PRECONDITION, POSTCONDITION}
    before, after = found[PRECONDITION], found[POSTCONDITION]
    assert (str(before.where), str(before.related[0][0])) == ("t.bpl(3,3)", "t.bpl(6,3)")
    # The path that returns earlier is right.
    assert (str(after.where), str(after.related[0][0])) == ("t.bpl(16,1)", "t.bpl(8,3)")


def test_traces_go_into_inlined_bodies() -> None:
    (found,) = [one for one in main(CONTRACT).violations if one.message == POSTCONDITION]
    assert [(label, where.line) for where, label in found.blocks] == [
        ("anon0", 3),
        ("inline$half$0$Entry", 5),
        ("inline$half$0$anon0", 11),
        ("inline$half$0$anon2_Else", 11),
        ("inline$half$0$anon1", 15),
    ]
    values = {str(one.variable): (one.where.line, one.value) for one in found.values}
    line, value = values["inline$half$0$y"]
    assert line == 15
    assert 0 >= value == {str(v): x for v, x in found.inputs}["x"] - 5


def test_free_calls_do_not_check_preconditions() -> None:
    text = CONTRACT.replace("call y := half(x)", "free call y := half(-7)")
    assert {one.message for one in main(text).violations} == {POSTCONDITION}


# --- the limit -----------------------------------------------------------------------------------

SUM = """procedure main(n: int) requires 0 <= n && n <= MOST; {
  var s: int;
  call s := sum(n);
  assert s == n * (n + 1) div 2;
}
procedure {:inline 3} sum(n: int) returns (s: int) ensures s >= 0; {
  if (n == 0) { s := 0; return; }
  call s := sum(n - 1);
  s := s + n;
}
"""


@pytest.mark.parametrize(
    ("most", "limit", "expected"),
    [
        (2, Limit.ASSUME, []),
        (2, Limit.ASSERT, []),
        (2, Limit.SPEC, []),
        (9, Limit.ASSUME, []),
        (9, Limit.ASSERT, [8]),
        (9, Limit.SPEC, [4]),
    ],
)
def test_recursion(most: int, limit: Limit, expected: list[int]) -> None:
    assert lines(main(SUM.replace("MOST", str(most)), limit)) == expected


def test_what_is_left_out_is_told() -> None:
    checked = check_program(parse_program(text=SUM.replace("MOST", "9")))
    program, depths = lower(checked), inline_depths(checked)
    assert inline(program, depths, names=["main"]).cut == {"main": ("sum",)}
    assert inline(program, depths, Limit.ASSERT).cut == {}
    assert inline(program, {"sum": 0}, names=["main"]).cut == {"main": ("sum",)}


def test_where_the_limit_is_reached() -> None:
    (found,) = main(SUM.replace("MOST", "9"), Limit.ASSERT).violations
    assert str(found.where) == "t.bpl(8,3)"
    assert [str(where) for where, _ in found.related] == ["t.bpl(6,23)"]
    assert sum("Entry" in label for _, label in found.blocks) == 3


def test_mutual_recursion_counts_each_procedure() -> None:
    text = """procedure main(n: int) requires 0 <= n && n <= MOST; {
      var b: bool;
      call b := even(n);
      assert b <==> n mod 2 == 0;
    }
    procedure {:inline 2} even(n: int) returns (b: bool) {
      if (n == 0) { b := true; } else { call b := odd(n - 1); }
    }
    procedure {:inline 2} odd(n: int) returns (b: bool) {
      if (n == 0) { b := false; } else { call b := even(n - 1); }
    }
    """
    assert main(text.replace("MOST", "3"), Limit.ASSERT).holds
    assert lines(main(text.replace("MOST", "4"), Limit.ASSERT)) == [10]


def test_too_much_inlining_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "MOST_BLOCKS", 500)
    text = "procedure main() { call p(); } procedure {:inline 99} p() { call p(); call p(); }"
    with pytest.raises(ProgramError, match=r"t.bpl\(1,11\): inlining makes main larger than 500 b"):
        inlined(text)


def test_inlining_may_be_deep() -> None:
    text = "procedure main() { call p(); } procedure {:inline 5000} p() { call p(); }"
    checked = check_program(parse_program(text=text))
    found = inline(lower(checked), inline_depths(checked), names=["main"]).program
    assert len(found.procedures["main"].blocks) == 20_001


# --- loops and candidates ------------------------------------------------------------------------


def test_loops_of_inlined_procedures() -> None:
    text = """procedure main(n: int) requires n >= 0; {
      var s: int;
      call s := count(n);
      assert s == n;
      assert s != 7;
    }
    procedure {:inline 1} count(n: int) returns (i: int) {
      i := 0;
      while (i < n) invariant 0 <= i && i <= n; { i := i + 1; }
    }
    """
    assert lines(main(text)) == [5]
    assert lines(main(text, unrolled=5)) == []
    assert lines(main(text, unrolled=7)) == [5]
    assert lines(main(text.replace("0 <= i &&", "1 <= i &&"))) == [9]


def test_candidates_in_inlined_procedures() -> None:
    text = """const {:existential true} b1: bool;
    const {:existential true} b2: bool;
    procedure main(n: int) requires n >= 0; {
      var i: int;
      call i := count(n);
      assert i == n;
    }
    procedure {:inline 1} count(n: int) returns (i: int) {
      i := 0;
      while (i < n) invariant b1 ==> i <= n; invariant b2 ==> i < n; { i := i + 1; }
    }
    """
    found = infer(inlined(text), [Bool("b1"), Bool("b2")], ["main"])
    assert {guard.name: value for guard, value in found.guards.items()} == {"b1": True, "b2": False}
    assert found.violations == {"main": ()}


def test_polymorphic_procedures_are_inlined() -> None:
    text = """procedure main(x: int, b: bool) {
      var y: int;
      var c: bool;
      call y, c := swap(b, x);
      assert y == x && (c <==> b);
      assert y > 0;
    }
    procedure {:inline 1} swap<s, t>(a: s, b: t) returns (c: t, d: s) { c := b; d := a; }
    """
    assert lines(main(text)) == [6]
