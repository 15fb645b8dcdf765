"""What the constructs of the language mean: programs that fail exactly where they say so."""

from __future__ import annotations

import pytest

from tests.boogie.helpers import fails_as_marked

PROGRAMS = {
    "unique constants": """
type T;
const unique a, b: T;
const unique c: T;
const d: T;
const unique one: int;
const unique two: int;
procedure P() {
  assert a != b && b != c && one != two;
  assert d != a; // fails
}
""",
    "a partial order": """
type T;
procedure P(x, y, z: T) {
  assert x <: x;
  assert x <: y && y <: z ==> x <: z;
  assert x <: y && y <: x ==> x == y;
  assert x <: y || y <: x; // fails
}
procedure Numbers(x, y: int) {
  assert x <: y && y <: x ==> x == y;
  assert 1 <: 2; // fails
}
""",
    "parents": """
type T;
const Object, Number: T;
const Integer: T extends Number;
const Byte: T extends Integer, Object;
const Root: T extends;
const Free: T;
procedure P(x: T) {
  assert Integer <: Number;
  assert Byte <: Number && Byte <: Object;
  assert Integer <: x ==> x == Integer || Number <: x;
  assert Root <: x ==> x == Root;
  assert x <: Integer ==> x == Integer || x <: Byte; // fails
  assert Number <: Integer; // fails
  assert Free <: x ==> Free == x; // fails
}
""",
    "complete children": """
type T;
const unique Tree: T complete;
const unique Leaf, Node: T extends Tree;
const unique Big: T extends Node complete;
procedure P(x: T) {
  assert x <: Tree ==> x == Tree || x <: Leaf || x <: Node;
  assert x <: Big ==> x == Big;
  assert x <: Node ==> x == Node || x <: Big; // fails
}
""",
    "unique edges": """
type T;
const unique Top: T;
const unique Left, Right: T extends unique Top;
const unique Either: T extends Top;
procedure P(x: T) {
  assert !(x <: Left && x <: Right);
  assert !(x <: Left && x <: Either); // fails
}
""",
    "maps with several arguments": """
var m: [int, bool][int]int;
procedure P(i, j: int, b: bool) modifies m; {
  m[i, b][j] := 5;
  assert m[i, b][j] == 5;
  assert m[i, !b][j] == old(m)[i, !b][j];
  assert m[i, b][j + 1] == old(m)[i, b][j + 1];
  assert m == old(m)[i, b := old(m)[i, b][j := 5]];
  assert m[j, b] == old(m)[j, b]; // fails
}
procedure Empty(e: []int) {
  assert e[:= 3][] == 3;
  assert e[] == 3; // fails
}
""",
    "parallel assignment of aliased maps": """
var a, b: [int]int;
procedure P(i, j: int) modifies a, b; {
  var k: int;
  a, b := b, a;
  assert a == old(b) && b == old(a);
  k := i;
  // Indices and values are those of before.
  k, a[k], b[a[k]] := j, a[j], b[i];
  assert a[i] == old(b)[j] && k == j;
  assert b[old(b)[i]] == old(a)[i];
  assert a[k] == old(b)[i]; // fails
}
procedure Q(i, j: int) modifies a; {
  a[i] := a[j];
  assert a[i] == a[j];
  a[a[i]] := 7;
  assert a[old(a)[j]] == 7;
  assert a[i] == old(a)[j]; // fails
}
""",
    "conditions of variables": """
var g: int where g > 0;
var h: int where h > g;
procedure P(x: int where x > 1) returns (y: int where y > x) modifies g, h; {
  var z: int where z > y;
  assert g > 0 && h > g && x > 1 && y > x && z > y;
  havoc z;
  assert z > y;
  y := 0;
  havoc z;
  assert z > 0;
  havoc g, h;
  assert h > g && g > 0;
  assert z > x; // fails
  g := -5;
  assert g > 0; // fails
}
procedure Q() returns (r: int) modifies g; {
  var x: int where x == 3;
  call r := P2(5);
  assert r > 5 && g > 0;
  // An assignment may do anything.
  call x := P2(7);
  assert x == 3; // fails
}
procedure P2(x: int where x > 1) returns (y: int where y > x); modifies g;
procedure Loop() modifies g, h; {
  var i: int where i >= 0;
  i := 10;
  while (*) { i := i - 1; g := g + 1; }
  assert i >= 0 && g > 0;
  assert h > g; // fails
}
""",
    "free contracts": """
procedure Callee(x: int) returns (y: int);
  requires x > 0;
  free requires x > 100;
  free ensures y > 200;
  ensures y != 300;
procedure P() {
  var y: int;
  call y := Callee(1);
  assert y > 200 && y != 300;
  free call y := Callee(-1);
  assert y > 200;
  call y := Callee(-1); // fails
}
procedure Body(x: int) returns (y: int)
  free requires x > 7;
  free ensures y == 12;
{
  assert x > 7;
  y := 13;
}
procedure Loop(n: int) {
  var i: int;
  i := n;
  while (i < 100) free invariant i > 50; { assert i > 50; i := i + 1; }
  assert i > 50;
  assert i == 100; // fails
}
""",
    "lets": """
procedure P(x: int, m: [int]int) {
  assert (var y := x + 1; y > x);
  assert (var a, b := x, x + 1; (var a := b; a == x + 1 && b == a));
  assert (var f := (lambda i: int :: i + x); f[2] == x + 2);
  assert (var y := m[x]; m[x := y] == m);
  assert (var p := x > 0; if p then x >= 1 else x <= 0);
  assert (var x := x + 1; x == 0); // fails
}
""",
    "functions": """
function plain(x: int): int;
function {:inline} twice(x: int): int { x + x }
function defined(x: int): int { x * 3 }
function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }
function even(n: int): bool { n == 0 || odd(n - 1) }
function odd(n: int): bool { n != 0 && even(n - 1) }
function nullary(): int { 42 }
procedure P(x: int) {
  assert plain(x) == plain(x + 0);
  assert twice(x) == 2 * x && defined(2) == 6 && nullary() == 42;
  assert fact(1) == 1;
  assert even(0);
  assert plain(x) == plain(x + 1); // fails
}
""",
    "functions of SMT-LIB": """
function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
function {:bvbuiltin "bvult"} ult(bv8, bv8): bool;
function {:bvbuiltin "zero_extend 8"} wide(bv8): bv16;
function {:bvbuiltin "(_ rotate_left 1)"} rotate(bv8): bv8;
function {:builtin "abs"} abs(int): int;
function {:builtin "bv2nat"} number(bv8): int;
procedure P(x, y: bv8, n: int) {
  assert add(x, y) == add(y, x) && add(255bv8, 1bv8) == 0bv8;
  assert wide(x)[8:0] == x && wide(x)[16:8] == 0bv8;
  assert rotate(129bv8) == 3bv8;
  assert abs(n) >= 0 && abs(-7) == 7;
  assert x ++ y == (x ++ 0bv4 ++ y)[20:12] ++ y;
  assert ult(x, add(x, 1bv8)); // fails
}
""",
    "break with labels": """
procedure P(n: int) returns (i: int) {
  var j: int;
  i := 0;
  outer: while (true) invariant i >= 0; {
    j := 0;
    while (true) invariant j >= 0 && i >= 0; {
      if (j > 5) { break; }
      if (i > 7) { break outer; }
      j := j + 1;
    }
    assert j > 5;
    i := i + 1;
  }
  assert i > 7;
  assert j > 5; // fails
}
procedure Q(b: bool) returns (i: int) {
  i := 1;
  A: if (b) { i := 2; if (*) { break A; } i := 3; }
  assert b ==> i == 2 || i == 3;
  assert b ==> i == 3; // fails
}
""",
    "loops made of jumps": """
procedure P(n: int) requires n >= 0; {
  var i: int;
  i := 0;
  Head: assert 0 <= i && i <= n; goto Body, Done;
  Body: assume i < n; i := i + 1; goto Head;
  Done: assume i >= n;
  assert i == n;
}
procedure Entry(n: int) {
  Head: assert n == n; goto Head, Done;
  Done: assert n > 0; // fails
}
procedure Self() {
  var i: int;
  i := 0;
  Loop: assert i <= 5; // fails
    i := i + 1; goto Loop, Out;
  Out: assert i <= 6;
}
""",
    "old values": """
var g: int;
var m: [int]int;
procedure P(x: int) returns (y: int)
  modifies g, m;
  ensures g == old(g) + 1;
  ensures old(g + x) == g + x - 1;
  ensures m[x] == old(m[x]) + old(m)[x] - old(m[x]); // contract
{
  var k: int;
  k := 3;
  g := g + 1;
  k := old(k + g);
  assert k == g + 2;
  assert old(old(g)) == old(g);
  while (*) invariant g > old(g); { g := g + 1; }
  assert g == old(g) + 1; // fails
  g := old(g) + 1;
  m[old(x)] := old(m[x]);
}
procedure Q() modifies g, m; {
  var y: int;
  g := 10;
  call y := P(2);
  assert g == 11;
  assert old(g) == 10; // fails
}
""",
    "type parameters": """
type Box a;
function box<a>(x: a): Box a;
function unbox<a>(b: Box a): a;
axiom (forall<a> x: a :: {box(x)} unbox(box(x)) == x);
function same<a>(x: a, y: a): bool { x == y }
procedure id<a>(x: a) returns (y: a) ensures y == x; { y := x; }
procedure swap<a, b>(x: a, y: b) returns (p: b, q: a) ensures p == y && q == x; { p, q := y, x; }
procedure P(n: int, b: bool) {
  var i: int;
  var c: bool;
  assert unbox(box(n)) == n && (unbox(box(b)) <==> b);
  call i := id(n);
  call c := id(b);
  assert i == n && c == b;
  call c, i := swap(i + 1, b);
  assert i == n + 1 && same(c, b);
  assert same(i, n); // fails
}
""",
    "nondeterminism": """
procedure P() returns (x: int) {
  x := 0;
  if (*) { x := 1; } else if (*) { x := 2; } else { x := 3; x := x - 1; }
  assert x != 0;
  L: assert x >= 0;
  M: while (*) invariant x <= 2; { x := 0; if (*) { break; } }
  assert x <= 2;
  assert x != 2; // fails
}
""",
    "division": """
procedure P(x, y: int, r: real) {
  assert 7 div 2 == 3 && -7 div 2 == -4 && 7 div -2 == -3 && -7 div -2 == 4;
  assert 7 mod 2 == 1 && -7 mod 2 == 1 && 7 mod -2 == 1 && -7 mod -2 == 1;
  assert y != 0 ==> x == y * (x div y) + x mod y;
  assert x div 0 == x div 0 && r / 0.0 == r / 0.0;
  assert 1 / 2 == 0.5 && r ** 2.0 == r * r && 2.0 ** -1.0 == 0.5;
  assert int(2.7) == 2 && int(-2.7) == -3 && real(x) == real(x);
  assert x mod y >= 0; // fails
}
procedure Zero(x: int) {
  assert x div 0 == 0; // fails
}
""",
    "lambdas": """
procedure P(c: int, b: bool) {
  var a: [int]int;
  var m: [int, bool]int;
  a := (lambda y: int :: if b then y + c else 7);
  assume b;
  assert a[3] == c + 3;
  m := (lambda i: int, p: bool :: if p then i else c);
  assert m[1, true] == 1 && m[1, false] == c;
  assert (lambda x: int :: 5) == (lambda y: int :: 5);
  assert (lambda x: int :: (lambda y: int :: x - y))[5][3] == 2;
  assert a[3] == 3; // fails
}
""",
    "separate bodies": """
procedure P(x: int) returns (y: int); requires x > 0; ensures y > x;
implementation P(a: int) returns (b: int) { b := a + 1; }
implementation P(a: int) returns (b: int) {
  assert a > 0;
  b := a;
} // fails
""",
    "triggers": """
function f(int): int;
function g(int): int;
axiom (forall x: int :: {f(x)} {:nopats g(x)} f(x) > x);
axiom (forall x, y: int :: {f(x), g(y)} f(x) < g(y));
procedure P(x: int) {
  assert f(x) > x;
  assert f(x) < g(x);
  assert g(x) > f(x + 1);
  assert g(x) > g(x + 1); // fails
}
""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_meaning(text: str) -> None:
    fails_as_marked(text)
