"""The programs of "From Program to Logic", in Boogie."""

from __future__ import annotations

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.program import Program


def read(text: str) -> Program:
    """The program of a text in Boogie."""
    return lower(check_program(parse_program(text=text, file="t.bpl")))


# Figure 1; in the transition relation of section 3, `z` has a primed name too.
FIGURE_1 = """
var z: bool;
procedure Foo(a: int, b: int)
{
  var x: int;
  var y: int;
  x := a;
  y := b;
  x := x + y;
  if (x != 1) {
    x := 2;
    if (z) {
      x := x + 1;
    }
  }
  assert x <= 3;
}
"""

# The same with all inputs as parameters.
WITH_PARAMETERS = FIGURE_1.replace("var z: bool;\n", "").replace("b: int)", "b: int, z: bool)")

# The program from which figure 2 starts, with its labels.
FIGURE_2 = """
procedure Foo(a: int, b: int, z: bool)
{
  var x: int;
  A:     x := a + b; goto Then1, Else1;
  Then1: assume x != 1; x := 2; goto Then2, Else2;
  Then2: assume z; x := x + 1; goto B;
  Else2: assume !z; goto B;
  Else1: assume x == 1; goto B;
  B:     assert x <= 3; return;
}
"""

# The part of figure 1 that figure 3 shows.
FIGURE_3 = """
var x: int;
var y: int;
var z: bool;
procedure Foo()
  modifies x;
{
  x := x + y;
  if (x != 1) {
    x := 2;
    if (z) { x := x + 1; }
  }
  assert x <= 3;
}
"""

# The loop of section 6, with the precise invariant and with a weak one.
PRECISE = "invariant i >= 0 && j == start - i;"
WEAK = "invariant i >= 0 && j >= 0;"


def section_6(invariant: str = "") -> str:
    """The loop of section 6; at its end, j is what i was at the start."""
    return f"""
procedure main(start: int) {{
  var i: int; var j: int;
  assume start >= 0;
  i := start; j := 0;
  while (i > 0) {invariant} {{ j := j + 1; i := i - 1; }}
  assert j == start;
}}
"""


# A function that is not known, as in section 7.
SECTION_7 = """
function hash(x: int): int;
procedure main(x: int, y: int) {
  if (x == hash(y)) { assert y < 10; }
}
"""
