"""Small control-flow-graph programs: those of the figures of "Reachability Modulo Theories"."""

from __future__ import annotations

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.program import Program


def read(text: str) -> Program:
    """The program of a text in Boogie."""
    return lower(check_program(parse_program(text=text, file="t.bpl")))


FIGURE_3 = """
procedure main() { call bar(0); assert false; }
procedure bar(j: int) {
  var i: int;
  i := j;
  if (i < 100) { i := i + 1; call bar(i); }
}
"""

FIGURE_4 = """
procedure f(w: int) returns (x: int, y: int, z: int) {
  start: havoc x; y := x + w; goto l1, l2;
  l1: x := x + 1; goto l3;
  l2: x := x + 2; goto l3;
  l3: assume !(x > y); return;
}
"""

FIGURE_5 = """
var Mem.f_S: [int]int;
var Mem.g_S: [int]int;
var alloc: int;
procedure malloc(size: int) returns (ptr: int) modifies alloc; {
  var old_alloc: int;
  assume size >= 0;
  old_alloc := alloc;
  havoc alloc;
  assume alloc > old_alloc + size;
  ptr := alloc;
}
procedure main() modifies alloc, Mem.f_S, Mem.g_S; {
  var x: int;
  var y: int;
  assume alloc > 0;
  call x := malloc(8);
  call y := malloc(8);
  Mem.f_S[x + 0] := 1;
  Mem.g_S[y + 4] := 2;
  assert Mem.f_S[x + 0] == 1;
}
"""

FIGURE_6 = """
procedure main() {
  var i: int;
  i := 0;
  if (*) { call i := foo(i); } else { call i := bar(i); }
  assert !(i >= 5);
}
procedure foo(j: int) returns (i: int) {
  i := j;
  if (*) { i := i + 1; call i := foo(i); call i := bar(i); }
}
procedure bar(j: int) returns (i: int) {
  i := j;
  if (*) { i := 2 * i; call i := bar(i); }
}
"""
