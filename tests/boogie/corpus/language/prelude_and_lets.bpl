// Odd corners of the language in one file that still makes sense.
// verify: 1 verified, 0 errors
// reach --main Corner: no bug
type {:external} Id#1;
const {:extern "c"} \assert: int;
const a.b'c~d#e$f^g_h?i`j: int uses { axiom a.b'c~d#e$f^g_h?i`j == 7; }
var m: [int, bool][Id#1]real;
var {:ghost} g: int where g >= \assert;
function abs(x: int) : int { if x < 0 then -x else x }
function choose(p: [int]bool) : int uses {
  axiom (forall p: [int]bool :: {choose(p)} (exists i: int :: p[i]) ==> p[choose(p)]);
}
axiom (var x, y := abs(3), 4; x < y ⇒ (∃ z: int • x < z ∨ z ≠ y) ∧ ¬(y ≤ x)) <== true;
axiom (lambda i: int :: i * i)[3] mod 4 == 1 && choose((lambda i: int :: i >= 5)) >= 5;

procedure {:checksum "1"} Corner({:in} i: int, id: Id#1) returns ({:out} o: int)
  modifies m, g;
  ensures {:msg "kept"} o == old(g) + 1 || |{ var k: int; A: k := 3; goto B; B: return k > 2; }|;
{
  m[i, true][id] := 1.5;
  m[i, false] := m[i, true][id := 2.5];
outer:
  if (i > 0) {
    while (*)
      free invariant i > 0;
    {
      if (m[i, true][id] > 0.5) { break outer; }
      break;
    }
  }
  havoc g;
  assume g >= abs(i);
  o := g + 1 : int;
  call {:silent} o := Twice(o);
  assert o mod 2 == 0;
}

procedure Twice(n: int) returns (r: int);
  ensures r == 2 * n;
