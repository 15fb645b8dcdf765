"""Code expressions that havoc and call: what they return is followed by all engines alike."""

from __future__ import annotations

import pytest

from solvent.boogie.lowering import inline_depths, lower
from solvent.boogie.sorts import UnsupportedError
from solvent.logic.method import Limits
from solvent.logic.methods import Comparison, analyse
from solvent.reach.inlining import Limit, inline
from solvent.reach.modular import verify
from solvent.reach.search import search
from solvent.verdicts import Verdict
from tests.boogie.helpers import checked, failing_lines, fails_as_marked

COIN = "|{ var l: bool; A: havoc l; return l; }|"


@pytest.mark.parametrize(
    "statements",
    [
        "m := CODE; assert m;",
        "m := CODE; assert !m;",
        "assume m == CODE; assert m;",
        "assert CODE == true;",
        "assert CODE != true;",
        "assert CODE <==> CODE;",
        "assert (if CODE then 1 else 2) == 1;",
        "assert (if CODE then 1 else 2) == 2;",
        "assume same(CODE); assert false;",
        "assume other(CODE); assert false;",
        "assume CODE == false; assert false;",
        "assume (var x := CODE; x && !m); assert false;",
        "a[CODE] := 1; assert a[true] == old(g) + 1;",
        "call m := identity(CODE); assert m;",
        "assert a[CODE] == a[true];",
        "assume !(CODE == m); assert m;",
        "m := (CODE || false) == (true && CODE); assert m;",
        "m := |{ var x: bool; x := CODE; return x == CODE; }|; assert m;",
        "if (CODE == m) { assert m; }",
        "while (CODE == true) { assert false; }",
        "m := (forall t: int :: CODE || t == t) && CODE; assert m;",
        "m := |{ assert m; return true; }|; assert m;",
    ],
)
@pytest.mark.parametrize(
    "code",
    [
        COIN,
        "|{ var k: int; havoc k; return k > 7; }|",
        "|{ if (*) { return true; } return false; }|",
        "|{ goto A, B; A: return true; B: return false; }|",
        "|{ var k: int; call k := any(); return k == 0; }|",
        "|{ var k: bool; call k := flip(); return k; }|",
        "|{ var k: bool where k || g > 0; assume g > 0; return k; }|",
    ],
)
def test_values_are_not_those_of_one_execution(statements: str, code: str) -> None:
    """Whatever one execution returns, another one returns something else."""
    if "forall" in statements and "call" in code:
        return
    text = f"""
var g: int;
function same(b: bool): bool {{ b }}
function other(b: bool): bool {{ !b }}
procedure any() returns (r: int);
procedure flip() returns (b: bool) {{ havoc b; }}
procedure identity(b: bool) returns (c: bool) {{ c := b; }}
procedure {{:entrypoint}} main(a: [bool]int) modifies g; {{
  var m: bool;
  var a: [bool]int;
  assume g > 0;
  {statements.replace("CODE", code)}
}}""".replace("main(a: [bool]int)", "main()")
    program = lower(checked(text))
    assert verify(program, "main", timeout=30).violations
    for static in (False, True):
        found = search(program, "main", static=static, timeout=30)
        assert found.verdict is Verdict.VIOLATED
        assert found.confirmation is not None
        assert found.confirmation.confirmed, found.confirmation.reason


FOO = """
var g: int;
procedure {:inline 1} foo() returns (x: bool) { x := g == 0; }
procedure {:entrypoint} main() modifies g; { g := 0; STATEMENTS }
"""
CALL = "|{ var b: bool; A: call b := foo(); return b; }|"


@pytest.mark.parametrize(
    ("statements", "holds"),
    [
        (f"assert {CALL};", True),
        (f"assert !{CALL};", False),
        (f"g := 1; assert {CALL};", False),
        (f"g := 1; assert !{CALL};", True),
        (f"assume {CALL} == (g == 1); assert false;", True),
        (f"if ({CALL}) {{ g := 5; }} assert g == 5;", True),
        (f"while ({CALL}) {{ g := 1; }} assert g == 1;", True),
    ],
)
def test_bodies_are_followed(statements: str, holds: bool) -> None:
    program = checked(FOO.replace("STATEMENTS", statements))
    lowered = lower(program)
    for static in (False, True):
        found = search(lowered, "main", 2, static=static)
        assert found.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)
    report = Comparison.between(analyse(lowered, "main", limits=Limits(20.0)))
    assert report.words in (("safe" if holds else "error"), "unknown")
    if "while" not in statements:
        assert report.words == ("safe" if holds else "error")
        inlined = inline(lowered, inline_depths(program), Limit.ASSUME).program
        assert verify(inlined, "main").holds is holds
    # By contract nothing is known about the result.
    assert not verify(lowered, "main").holds or "== 1); assert false" in statements


def test_contracts_of_calls() -> None:
    fails_as_marked("""
var g: int;
procedure read() returns (r: int); ensures r == old(g);
procedure coin() returns (r: int); ensures r == 0 || r == 1; free ensures r != 0;
procedure positive(x: int) returns (r: int); requires x > 0; free requires x > 5;
procedure P() modifies g; {
  g := g + 5;
  assert |{ var r: int; call r := read(); return r == g; }|;
  assert |{ var r: int; call r := read(); return r == old(g); }|; // fails
}
procedure Old() modifies g; {
  g := g + 5;
  assert old(|{ var r: int; call r := read(); return r == g; }|);
  assert old(|{ var r: int; call r := read(); return r == g; }|) && g > 0; // fails
}
procedure Free() { assert |{ var r: int; call r := coin(); return r == 1; }|; }
procedure Requires(x: int) {
  assume |{ var r: int; call r := positive(2); return r == 1 || x > 0; }|;
  assert |{ var r: int; call r := positive(x); return true; }|; // fails
}
procedure Quantified() {
  assert (forall y: int :: |{ var r: int; call r := coin(); return y == r ==> y > 0; }|);
  assert (forall y: int :: |{ var r: int; call r := coin(); return r == y; }|); // fails
}
""")


def test_code_without_an_execution_stops_nothing_but_itself() -> None:
    fails_as_marked("""
procedure any() returns (r: int);
procedure P(x: int) {
  assert |{ var r: int; call r := any(); assume r > 0 && r < 0; return false; }|;
  assert false; // fails
}
procedure Q(x: int, b: bool) {
  assert x > 0 ==> |{ var r: int; call r := any(); assume x > 0 && r > x; return r > 1; }|;
  assume x > 0 ==> |{ assume false; return true; }| == b;
  assert x <= 0;
  assume x < 0 ==> (if |{ var r: int; havoc r; assume r != r; return true; }| then 1 else 2) == 1;
  assert x == 0;
  assert false; // fails
}
procedure R() {
  var b: bool;
  b := |{ var r: int; call r := any(); assume r != r; return true; }|;
  assert false;
}
procedure S() {
  if (|{ var r: int; havoc r; assume r != r; return true; }|) { assert false; }
  assert false;
}
""")


def test_assertions_inside_are_about_the_value() -> None:
    fails_as_marked("""
procedure any() returns (r: int);
procedure P(x: int) {
  assert |{ var r: int; call r := any(); assert r != x; return true; }|; // fails
  assert |{ var r: int; call r := any(); assume r > x; assert r != x; return true; }|;
}
procedure Q(x: int) {
  assume !|{ var r: int; havoc r; assert r > x; return r > x; }|;
  assert false; // fails
}
""")


def test_labels_and_variables_of_code_are_its_own() -> None:
    fails_as_marked("""
procedure any() returns (r: int);
procedure P(r: int) {
  var k: int;
  k := 1;
A:
  assert |{ var k: int; A: call k := any(); goto anon0_Code, B; anon0_Code: return k == k;
            B: return r == r; }|;
  assert k == 1;
  assert |{ var r: int; A: call r := any(); goto B; B: return |{ var r: bool; A: havoc r;
            return r || !r; }|; }|;
  goto B;
B:
  assert k == 2; // fails
}
""")


BODY = "procedure f() returns (b: bool) { b := true; } "
FUNCTIONS = "function f(int): bool; "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BODY + "procedure P() requires |{ var b: bool; call b := f(); return b; }|; { }",
            "f has a body, and calls of it in a code expression are followed only in statements, "
            "outside of quantifiers, old(..) and contracts",
        ),
        (
            BODY + "procedure P() { assert (forall x: int :: |{ var b: bool; call b := f(); "
            "return b; }|); }",
            "f has a body, and calls of it in a code expression are followed only in statements, "
            "outside of quantifiers, old(..) and contracts",
        ),
        (
            f"procedure P() {{ var m: [int]bool; m := (lambda x: int :: {COIN}); }}",
            "a code expression in a lambda must have one value, not one of several",
        ),
        (
            f"function g(x: int): bool {{ {COIN} }} procedure P() {{ "
            "assume (forall x: int :: {g(x)} g(x)); }",
            "a code expression in the body of g must have one value, not one of several",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        failing_lines(text)
    assert str(caught.value).endswith(f": Error: {message}")


def test_values_inside_of_values() -> None:
    """Each level is translated twice, so there is a limit."""
    code = "true"
    for _ in range(6):
        code = f"({code} == {COIN})"
    assert failing_lines(f"procedure P() {{ assert {code}; }}") == [1]
    for _ in range(6):
        code = f"({code} == {COIN})"
    with pytest.raises(UnsupportedError, match="nested more than 8 levels deep in values"):
        failing_lines(f"procedure P() {{ assert (forall x: int :: {code}); }}")


def test_deterministic_code_may_stand_anywhere() -> None:
    fails_as_marked("""
function sign(x: int): int { if |{ if (x > 0) { return true; } return false; }| then 1 else 0 }
procedure P(x: int) {
  var m: [int]bool;
  m := (lambda y: int :: |{ var k: int; k := y + x; return k > y; }|);
  assert m[3] <==> x > 0;
  assert sign(x) == 1 <==> x > 0;
  assert sign(x) == sign(x);
  assert sign(x) == 1; // fails
}
""")


@pytest.mark.parametrize(
    "text",
    [
        f"procedure main() requires {COIN}; {{ assert false; }}",
        "procedure main() requires |{ var k: int; havoc k; return k > 7; }|; { assert false; }",
        f"procedure main() {{ while (*) free invariant {COIN}; {{ assert false; }} }}",
        f"var g: bool where {COIN} == g; procedure main() {{ assert g; }}",
    ],
)
def test_free_conditions_are_assumed_of_some_execution(text: str) -> None:
    """An assumption that is too strong would prove everything."""
    program = lower(checked(text))
    assert verify(program, "main").violations
    assert search(program, "main", static=True).verdict is Verdict.VIOLATED
    assert search(program, "main").verdict is Verdict.VIOLATED
    for report in analyse(program, "main", limits=Limits(5.0)):
        assert report.words != "safe", report.method


@pytest.mark.parametrize(
    "condition", ["x[4:4] == x[2:2]", "0bv0 == 0bv0", "(x[3:3] ++ x) == x", "(x ++ 0bv0) == x"]
)
def test_bitvectors_without_bits_are_refused(condition: str) -> None:
    with pytest.raises(UnsupportedError, match="values of the type bv0 cannot be reasoned about"):
        failing_lines(f"procedure P(x: bv8) {{ assert {condition}; }}")
