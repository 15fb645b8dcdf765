"""Polymorphic types, functions, maps and procedures: what may be proved of them, and what not."""

from __future__ import annotations

import pytest

from solvent.boogie.lowering import lower
from solvent.boogie.sorts import ANY, UnsupportedError, sort_of
from solvent.reach.positions import NOWHERE
from solvent.reach.program import has_quantifiers
from tests.boogie.helpers import checked, failing_lines, fails_as_marked

PROGRAMS = {
    "quantifiers are about one type only": """
type F a;
function isInt<a>(f: F a): bool;
axiom (forall f: F int :: {isInt(f)} isInt(f));
const g: F bool;
const h: F int;
procedure P<b>(f: F b) {
  assert isInt(h);
  assert isInt(g); // fails
}
procedure Q<b>(f: F b) {
  assert isInt(f); // fails
}
""",
    "types fit together": """
type F a;
function ok<a, b>(f: F a, x: b): bool;
axiom (forall<a> f: F a, x: a :: {ok(f, x)} ok(f, x));
const f: F int;
procedure P<t>(g: F t, x: t, b: bool) {
  assert ok(f, 3) && ok(g, x);
  assert ok(f, true); // fails
  assert ok(g, 3); // fails
}
procedure Q<t>(x: t) returns (g: F t) {
  assert ok(g, x);
  havoc g;
  assert ok(g, x);
  while (*) { havoc g; }
  assert ok(g, x);
  assert ok(g, g); // fails
}
""",
    "polymorphic maps whose other types are open": """
type C _;
procedure change<a>(M: <b>[C b, a]int, x: a, c: C int) returns (N: <b>[C b, a]int)
  ensures N[c, x] == 3;
  ensures (forall<d> q: C d, y: a :: y != x ==> N[q, y] == M[q, y]);
{ N := M[c, x := 3]; }
procedure closed(M: <b>[C b, bool]int, c: C int, d: C real) {
  var N: <b>[C b, bool]int;
  call N := change(M, true, c);
  assert N[c, true] == 3;
  assert N[d, false] == M[d, false];
  assert N[d, true] == M[d, true]; // fails
}
procedure open<q>(M: <b>[C b, q]int, x: q, y: q, c: C int) {
  var N: <b>[C b, q]int;
  call N := change(M, x, c);
  assert N[c, x] == 3;
  assert x != y ==> N[c, y] == M[c, y];
  assert N[c, y] == 3; // fails
}
procedure results<a>(m: <b>[C b][C a]b, c: C a, d: C int, i: int) {
  assert m[d := m[d][c := i]][d][c] == i;
  assert m[d][c] == i; // fails
}
procedure known(m: <b>[C b][C bool]b, n: <b>[C b][C int]b, c: C bool, d: C int) {
  call results(m, c, d, 7);
  call results(n, d, d, 7);
  assert m[d][c] == n[d][d]; // fails
}
procedure lambdas<T>(t: T, u: T) {
  assert (lambda<a> b: a, s: T :: s == t)[3, t];
  assert (lambda<a> b: a, s: T :: s == t)[true, u]; // fails
}
""",
    "maps of open types are told apart by them": """
type C _;
type Box;
function box<a>(x: a): Box;
function unbox<a>(x: Box): a;
axiom (forall<a> x: a :: {box(x)} unbox(box(x)) == x);
function of<a>(m: <b>[C b, a]int, x: a): int;
axiom (forall<a> m: <b>[C b, a]int, x: a :: {of(m, x)} of(m, x) == 5);
procedure P<a>(m: <b>[C b, a]int, n: <b>[C b, int]int, x: a, c: C a) {
  assert of(m, x) == 5 && of(n, 3) == 5;
  assert unbox(box(m)) == m;
  assert unbox(box(n)) == n;
  assert box(n) == box(m); // fails
}
procedure Q(m: <b>[C b, bool]int, n: <b>[C b, int]int, c: C int) {
  assert of(m, true) == of(n, 4);
  assert m[c, true] == n[c, 3]; // fails
}
""",
    "fields are no numbers": """
type F a;
type ref;
function h<a>(x: a): bool;
axiom (forall<a> f: F a :: {h(f)} h(f));
axiom !h(3);
const f: F int;
procedure P(r: ref) {
  assert h(f);
  assert h(true); // fails
}
procedure Q(r: ref) {
  assert h(r); // fails
}
""",
    "functions whose types nothing tells": """
type Seq a;
function nil<a>(): Seq a;
function len<a>(Seq a): int;
axiom len(nil(): Seq int) == 0;
axiom len(nil(): Seq bool) == 1;
function any<a>(int): a;
procedure P() {
  assert len(nil(): Seq int) == 0 && len(nil(): Seq bool) == 1;
  assert any(1) == 3 ==> any(1) == 3;
  assert len(nil(): Seq real) == 0; // fails
}
procedure Q<t>(x: t) {
  assert any(1): t == any(1): t;
  assert len(nil(): Seq t) == 0; // fails
}
""",
    "heaps": """
type ref;
type Field a;
type Heap = <a>[ref, Field a]a;
const F0: Field int;
const F1: Field bool;
const alloc: Field bool;
var H: Heap;
procedure Write(o: ref, f: Field int, g: Field bool) modifies H; {
  H[o, f] := 5;
  H[o, g] := true;
  assert H[o, f] == 5 && H[o, g];
  H[o, F0] := 6;
  assert H[o, f] == 5 || f == F0;
  assert H[o, g];
  assert H[o, f] == 5; // fails
}
procedure Frame(this: ref)
  modifies H;
  ensures (forall<a> o: ref, f: Field a ::
    H[o, f] == old(H)[o, f] || !old(H)[o, alloc] || (o == this && (f == F0 || f == F1)));
{
  if (*) { H[this, F0] := 5; } else { H[this, F1] := true; }
}
procedure User(o, q: ref) modifies H; {
  H[q, alloc] := true;
  H[q, F0] := 3;
  call Frame(o);
  assert o != q ==> H[q, F0] == 3;
  assert H[q, F0] == 3; // fails
}
procedure Get<t>(o: ref, f: Field t) returns (x: t) ensures x == H[o, f]; { x := H[o, f]; }
procedure Use(o: ref) {
  var i: int;
  var b: bool;
  call i := Get(o, F0);
  call b := Get(o, F1);
  assert i == H[o, F0] && b == H[o, F1];
  assert i > 0; // fails
}
""",
    "maps whose indices do not tell types": """
var p: <a>[]a;
var q: <a>[int]a;
procedure P() modifies p; {
  p[] := 12;
  p[] := true;
  assert p[] == 12;
  assert p[];
  p[] := 13;
  assert p[] == 12; // fails
}
procedure Q() modifies q; {
  var r, s: <a>[int]a;
  q[1] := 3;
  r := q;
  s := r[1 := true][1 := 3];
  assert s[1] == 3 && s[1];
  assert s == r; // fails
}
""",
    "sets": """
type Set a = [a]bool;
function union<T>(a: Set T, b: Set T): Set T;
axiom (forall<T> a, b: Set T, o: T :: {union(a, b)[o]} union(a, b)[o] <==> a[o] || b[o]);
function diff<T>(a: Set T, b: Set T): Set T { (lambda x: T :: a[x] && !b[x]) }
function card<T>(Set T): int;
axiom (forall<T> a: Set T :: {card(a)} card(a) >= 0);
procedure P() {
  var a, b: Set int;
  assume a[1] && b[2] && !b[1];
  assert union(a, b)[1] && union(a, b)[2];
  assert diff(a, b)[1] && !diff(a, b)[2];
  assert card(union(a, b)) >= 0 && card(a) >= 0;
  assert union(a, b)[3]; // fails
}
procedure Add<T>(a: Set T, x: T) returns (b: Set T)
  ensures b[x];
  ensures (forall y: T :: y != x ==> (b[y] <==> a[y]));
{
  b := a;
  b[x] := true;
  assert b == a[x := true];
}
procedure User(a: Set int) {
  var b: Set int;
  call b := Add(a, 5);
  assert b[5] && (a[6] ==> b[6]);
  assert b[6]; // fails
}
""",
    "sequences": """
type Seq T;
function len<T>(Seq T): int;
function empty<T>(): Seq T;
function build<T>(s: Seq T, v: T): Seq T;
function at<T>(s: Seq T, i: int): T;
axiom (forall<T> :: len(empty(): Seq T) == 0);
axiom (forall<T> s: Seq T :: {len(s)} 0 <= len(s));
axiom (forall<T> s: Seq T, v: T :: {build(s, v)} len(build(s, v)) == 1 + len(s));
axiom (forall<T> s: Seq T, i: int, v: T :: {at(build(s, v), i)}
  at(build(s, v), i) == (if i == len(s) then v else at(s, i)));
procedure P(x: int, b: bool) {
  var s: Seq int;
  var t: Seq (Seq int);
  var u: Seq bool;
  s := build(build(empty(), x), 7);
  assert len(s) == 2 && at(s, 0) == x && at(s, 1) == 7;
  t := build(empty(), s);
  assert at(at(t, 0), 1) == 7 && len(at(t, 0)) == 2;
  u := build(empty(), b);
  assert at(u, 0) <==> b;
  assert at(s, 0) == 7; // fails
}
""",
    "macros": """
function same<a>(x: a, y: a): bool { x == y }
function first<a, b>(x: a, y: b): a { x }
function {:inline} set<a>(m: [int]a, x: a): [int]a { m[0 := x] }
procedure P(x: int, m: [int]bool) {
  assert same(first(x, true), x) && same(first(true, x), true);
  assert set(m, true)[0] && same(set(m, true)[1], m[1]);
  assert same(x, x + 1); // fails
}
""",
    "recursive functions": """
type List a;
function isNil<a>(List a): bool;
function tail<a>(List a): List a;
function head<a>(List a): a;
function has<a>(l: List a, x: a): bool { !isNil(l) && (head(l) == x || has(tail(l), x)) }
procedure P(l: List int, m: List bool) {
  assert isNil(l) ==> !has(l, 3);
  assert !isNil(l) && head(l) == 3 ==> has(l, 3);
  assert !isNil(m) && head(m) ==> has(m, true);
  assert has(l, 3); // fails
}
""",
    "names that are used inside": """
type Any;
type Type;
type any;
function x(int): int;
const x: int;
function y(): int;
procedure P(a: Any, b: Any, t: Type, u: any, y: int) {
  assert x(x) == x(x);
  assert y() == y; // fails
  assert a == b; // fails
}
""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_holds(text: str) -> None:
    fails_as_marked(text)


def test_sorts() -> None:
    program = checked(
        "type F a; const f: F int; const g: F bool; const m: [int][bool]F int;"
        "function h<a>(x: a, f: F a, m: [a]int): int;"
        "const heap: <a>[F a]a; const odd: <a>[int]a;"
    )
    sorts = {name: str(sort_of(c.type, NOWHERE)) for name, c in program.constants.items()}
    assert sorts["f"] != sorts["g"]
    assert sorts["m"] == f"Array(Int, Array(Bool, {sorts['f']}))"
    x, f, m = (sort_of(p.type, NOWHERE) for p in program.functions["h"].parameters)
    assert x is m is ANY
    assert f is not ANY
    assert sorts["heap"] == f"Array({f}, {ANY})"
    assert sorts["odd"].endswith(f"Array(Int, {ANY}))")


def test_programs_without_quantifiers_stay_without() -> None:
    text = """type Field a; var H: <a>[int, Field a]a; const f: Field int; const g: Field bool;
    procedure P() modifies H; { H[1, f] := 5; H[1, g] := true; assert H[1, f] == 5; }"""
    program = lower(checked(text))
    assert not any(map(has_quantifiers, program.axioms))


def test_what_types_cannot_tell_is_refused() -> None:
    text = "procedure P<a>() returns (x: a) { assert (forall y: a :: y == x); }"
    with pytest.raises(UnsupportedError, match="the type a cannot be told from the values of"):
        failing_lines(text)
    text = """procedure P<T>(m: <a>[int, T]a, t: T) { assert m[3, t] == 3; }"""
    with pytest.raises(UnsupportedError, match="cannot be used where its type is not known"):
        failing_lines(text)


def test_functions_in_triggers_are_not_expanded() -> None:
    """A function with a body is what a trigger waits for, not what its body is."""
    fails_as_marked("""
function positive(x: int): bool { x > 0 }
function f(int): int;
axiom (forall x: int :: {positive(x)} positive(x) ==> f(x) == 7);
procedure P() {
  assert positive(3) ==> f(3) == 7;
  assert positive(3) && !positive(-3);
  assert f(5) == 7; // fails
}
""")


def test_functions_that_use_each_other_twice() -> None:
    """A function is expanded once for the same arguments."""
    text = "function f0(x: int): int { x }" + "".join(
        f"function f{n + 1}(x: int): int {{ f{n}(x) + f{n}(x) }}" for n in range(60)
    )
    assert failing_lines(text + "procedure P() { assert f60(1) == 1152921504606846976; }") == []
