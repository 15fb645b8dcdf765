"""Code expressions: what they are, printed and read back, and what they mean."""

from __future__ import annotations

from itertools import product

import pytest

from solvent.boogie import parse_program, print_program
from solvent.boogie.sorts import UnsupportedError
from solvent.boogie.walking import same
from tests.boogie.helpers import failing_lines, fails_as_marked, messages


def test_values() -> None:
    fails_as_marked("""
procedure Constant() { assert |{ A: return true; }|; }
procedure Local() { assert |{ var x: bool; A: x := true; return x; }|; }
procedure Wrong() {
  assert |{ var x: bool; A: x := false; return x; }|; // fails
}
procedure Unknown() {
  assert |{ var x: bool; A: return x; }|; // fails
}
procedure Where(n: int) {
  assert |{ var x: int where x > n; return x >= n + 1; }|;
  assert |{ var x: int where x > n; havoc x; return x != n + 1; }|; // fails
}
procedure Globals() { assert |{ return g == old(g); }|; }
var g: int;
""")


def test_paths() -> None:
    text = """
procedure P(x: int, y: int)
  requires |{ var z: bool;
              Start: goto A;
              A: z := false; goto B, C;
              B: assume 0 <= x; goto D;
              C: assume x < 0; goto R;
              D: goto E, F;
              E: assume 0 <= y; z := true; goto R;
              F: assume y < 0; goto R;
              R: return z;
           }|;
{
  assert 0 <= x + y;
  assert x <= y; // fails
}
procedure Caller() {
  call P(1, 2);
  call P(1, -2); // fails
}
"""
    fails_as_marked(text)


def test_structured_statements_and_parallel_assignments() -> None:
    fails_as_marked("""
procedure P(x: int, y: int, m: [int]int) {
  assert |{ var a, b: int; a, b := x, y; if (x > y) { a, b := b, a; } return a <= b; }|;
  assert |{ var k: [int]int; k := m; k[x] := k[y]; if (*) { k[y] := 3; } return k[x] == m[y]; }|; // fails
  assert |{ var k: [int]int; k := m; k[x] := k[y]; return k[x] == m[y]; }|;
  assert x > 0 ==> |{ out: if (x > 0) { break out; } else { return false; } return x >= 1; }|;
}
""")  # noqa: E501


def test_quantifiers_around_and_inside() -> None:
    fails_as_marked("""
function r(int): bool;
procedure P(x: int, y: int) {
  assume x < y;
  assume (forall t: int :: |{ var a: bool;
    Start: a := x < 3 + t; goto X, Y;
    X: assume a; return r(t);
    Y: assume !a; return true; }|);
  assert r(y);
  assert r(x - 9); // fails
}
procedure Q(n: int) {
  assume |{ return (forall t: int :: {r(t)} r(t) ==> t > n); }|;
  assume r(5);
  assert n < 5;
}
""")


def test_nested_code_and_let() -> None:
    fails_as_marked("""
function positive(x: int): bool { |{ if (x > 0) { return true; } return false; }| }
procedure P(x: int) {
  assert positive(x) <==> x > 0;
  assert |{ var y: int; y := x + 1; return |{ return y > x; }|; }|;
  assert (var z := x + 2; |{ return positive(z - x); }|);
  assert positive(x); // fails
}
""")


def test_assertions_inside() -> None:
    fails_as_marked("""
procedure P(x: int) {
  assert |{ assume x > 3; assert x > 2; return true; }|;
  assert |{ assert x > 2; return true; }|; // fails
}
""")


def test_calls_inside_are_by_contract() -> None:
    fails_as_marked("""
procedure inc(a: int) returns (b: int);
  requires a > 0;
  ensures b == a + 1;
procedure P(x: int) requires x > 0; {
  assert |{ var a: int; a := x; call a := inc(a); call a := inc(a); return a == x + 2; }|;
  assert |{ var a: int; call a := inc(x); return a == x; }|; // fails
}
procedure Q() {
  assert |{ var a: int; call a := inc(0); return true; }|; // fails
  assert |{ var a: int; free call a := inc(0); return true; }|;
}
""")


def test_assumptions_are_about_some_path() -> None:
    """As in Boogie: a choice that is left open makes an assumption weaker, not stronger."""
    fails_as_marked("""
procedure P() {
  assume |{ var x: bool; return x; }|;
  assert false; // fails
}
procedure Q() {
  assume !|{ var x: bool; return x; }|;
  assert false; // fails
}
procedure R(b: bool) {
  assume |{ if (*) { return b; } return false; }|;
  assert b;
}
procedure S(b: bool)
  requires |{ if (*) { return b; } return true; }|;
{
  assert b; // fails
}
procedure T() {
  call S(true);
  call S(false); // fails
}
procedure U(b: bool, c: bool) {
  assume |{ if (*) { return b; } return false; }| ==> c;
  assert b ==> c; // fails
  if (|{ if (*) { return b; } return true; }|) { } else {
    assert b; // fails
  }
}
""")


def test_values_of_all_choices() -> None:
    """A code expression that decides everything is what its paths compute."""
    body = """|{ var a, b: bool;
      a := p; b := !q; goto L, M;
      L: assume a; b := b || r; goto N;
      M: assume !a; if (r) { a := b; } else { a := q; } goto N;
      N: return a && b; }|"""
    text = "procedure P(p, q, r: bool) requires {}; {{ assert {} <==> {}; }}"
    for p, q, r in product((False, True), repeat=3):
        b = not q or (p and r)
        a = p or (b if r else q)
        given = {"p": p, "q": q, "r": r}
        known = " && ".join(f"({name} <==> {str(one).lower()})" for name, one in given.items())
        right, wrong = str(a and b).lower(), str(not (a and b)).lower()
        assert failing_lines(text.format(known, body, right)) == []
        assert failing_lines(text.format(known, body, wrong)) == [1]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("A: goto A;", "(1,27): Error: a loop in a code expression has no value"),
        ("while (*) { } return true;", "(1,27): Error: a loop in a code expression has no value"),
        ("x := 1;", "(1,24): Error: every path of a code expression must end with 'return'"),
        (
            "if (*) { return true; }",
            "(1,24): Error: every path of a code expression must end with 'return'",
        ),
    ],
)
def test_what_has_no_value(code: str, message: str) -> None:
    text = f"procedure P() {{ assert |{{ {code} }}|; }}"
    if "x :=" in code:
        text = text.replace("|{ ", "|{ var x: int; ")
    with pytest.raises(UnsupportedError) as caught:
        failing_lines(text)
    assert str(caught.value).removeprefix("t.bpl") == message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("axiom |{ return; }|;", ["(1,10): Error: 'return' in a code expression needs a value"]),
        (
            "axiom |{ return 1; }|;",
            ["(1,10): Error: a returned expression must be of type bool (got: int)"],
        ),
        (
            "procedure P(x: int) { assert |{ x := 1; return true; }|; }",
            ["(1,33): Error: command assigns to an immutable variable: x"],
        ),
        (
            "procedure P() { var x: int; assert |{ var x: bool; x := 1; return true; }|; }",
            ["(1,52): Error: mismatched types in assignment command (cannot assign int to bool)"],
        ),
        ("axiom |{ goto A; }|;", ["(1,10): Error: goto label 'A' is undefined"]),
        (
            "procedure P() { A: assert |{ goto A; }|; }",
            ["(1,30): Error: goto label 'A' is undefined"],
        ),
        ("axiom |{ return true;", ["(1,22): Error: expected '}|', but found the end of the file"]),
    ],
)
def test_mistakes(text: str, expected: list[str]) -> None:
    assert messages(text) == expected


def test_printing() -> None:
    text = """procedure P(x: int) {
      assert |{ var k: int where k > 0; A: k := x; if (*) { goto B; } else { havoc k; }
        while (k > 0) invariant true; { break; } B: assert {:a} true; return k > 0; }|;
    }"""
    program = parse_program(text=text)
    again = parse_program(text=print_program(program))
    assert same(program, again)
