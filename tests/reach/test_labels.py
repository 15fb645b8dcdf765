"""Labels and names of a program are never taken for those that transformations add."""

from __future__ import annotations

import pytest

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import inline_depths, lower
from solvent.reach.inlining import inline
from solvent.reach.modular import verify
from solvent.reach.search import search
from solvent.verdicts import Verdict

# Each of them fails in line 4 only, and would not if blocks got mixed up.
SEARCHED = [
    """procedure main() { var x: int;
 a: x := 1; assert x == 1; x := 5; goto b;
 a.1: x := 1; goto b;
 b: assert x == 1; return; }""",
    """procedure main() { var i: int; i := 0;
  h: goto b, e;
  b: assume i < 2; i := i + 1; goto h;
  e: assume i >= 2; call main$h(i); assert i == 7; return; }
procedure main$h(i: int) { return; }""",
    """procedure main() { var i: int; i := 0; goto h;
  h~start: i := 7; goto h~done; h~done: i := 7; goto h~last; h~last: goto h~again;
  h~again: goto h~end; h~end: goto e; h: goto b, e; b: assume i < 2; i := i + 1; goto h;
  e: assume i >= 2; assert i == 7; return; }""",
]


@pytest.mark.parametrize("text", SEARCHED)
def test_search(text: str) -> None:
    program = lower(check_program(parse_program(text=text, file="t.bpl")))
    found = search(program, "main")
    assert found.verdict is Verdict.VIOLATED
    assert found.failed is not None
    assert found.failed.where.line == 4


def test_inlining() -> None:
    text = """procedure {:inline 1} P(x: int) returns (y: int) {
      Entry: y := x; goto Return; Return: y := y + 1; return; }
    procedure main() { var a: int; A: call a := P(1); assert a == 2; goto A$1;
      A$1: assert a == 3; goto inline$P$0$Entry; inline$P$0$Entry: return; }"""
    checked = check_program(parse_program(text=text, file="t.bpl"))
    made = inline(lower(checked), inline_depths(checked)).program
    assert [one.where.line for one in verify(made, "main").violations] == [4]
