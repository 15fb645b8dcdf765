"""Bounded model checking: figure 3, the table of transformers, bounds, and induction."""

from __future__ import annotations

import pytest

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.flat import flatten
from solvent.logic.layers import heads, unroll
from solvent.logic.method import Limits
from solvent.logic.ssa import encode
from solvent.solvers import Solver, Status
from solvent.verdicts import Verdict
from tests.logic.programs import FIGURE_1, FIGURE_3, read, section_6

SSA = """\
x@1 := x@0 + y@0;
if(x@1 != 1) {
    x@2 := 2;
    if(z@0) x@3 := x@2 + 1;
}
assert(x@3 <= 3);"""

C = """\
C := (x@1 == x@0 + y@0) &&
     x@2 == ((x@1 != 1) ? 2 : x@1) &&
     x@3 == ((x@1 != 1 && z@0) ? x@2 + 1 : x@2)"""


def analyse(text: str, main: str = "main", bound: int = 40, induction: bool = True):
    return BoundedModelChecking(induction).analyse(read(text), main, Limits(10, bound))


def encoded(text: str, main: str = "main", rounds: int = 0):
    return encode(unroll(flatten(read(text), main), rounds))


def test_figure_3() -> None:
    report = analyse(FIGURE_3, "Foo")
    # Sums are printed oldest first, and another test may have made `y@0` before.
    texts = [one.text.replace("y@0 + x@0", "x@0 + y@0") for one in report.sections]
    assert texts == [SSA, C, "P := x@3 <= 3", "C ==> P"]
    assert report.verdict is Verdict.HOLDS


def test_figure_1() -> None:
    report = analyse(FIGURE_1, "Foo")
    assert "x@4 == ((x@2 != 1 && z@0) ? x@3 + 1 : x@3)" in report.sections[1].text
    assert report.verdict is Verdict.HOLDS


def test_an_assumption_guards_what_follows_it_only() -> None:
    first = "procedure main(a: int) { assert a > 0; assume a > 0; }"
    assert analyse(first).verdict is Verdict.VIOLATED
    assert analyse(first.replace("assert", "assume", 1)).verdict is Verdict.HOLDS
    after = "procedure main(a: int) { if (a > 3) { assume a < 3; } assert a <= 3; }"
    assert analyse(after).verdict is Verdict.HOLDS


def test_the_guard_of_a_join_is_that_of_the_branch_unless_something_is_lost() -> None:
    text = "procedure main(a: int) { if (a > 3) { @ } assert a < 9; }"
    # The choice of a loop-free branch is over at the assertion.
    assert encoded(text.replace("@", "")).lines[-1].guard is True
    lost = encoded(text.replace("@", "assume a == 5;")).lines[-1].guard
    assert lost is not True
    left = encoded(text.replace("@", "return;")).lines[-1].guard
    assert left is not True


def test_loops_are_unrolled_until_they_end() -> None:
    text = """
    procedure main() {
      var i: int;
      i := 0;
      while (i < 6) { i := i + 1; }
      assert i == @;
    }
    """
    report = analyse(text.replace("@", "6"), induction=False)
    assert report.verdict is Verdict.HOLDS
    assert "no execution is longer" in report.reason
    assert report.figures["bound"] in (6, 9)
    report = analyse(text.replace("@", "7"))
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert report.failure.blocks.count("anon1_LoopBody") == 6
    short = analyse(text.replace("@", "7"), bound=3, induction=False)
    assert short.verdict is Verdict.UNKNOWN


def test_unwindings_are_printed() -> None:
    report = analyse(section_6(), bound=2)
    assert "assert(False); // unwinding" in report.sections[0].text
    assert report.verdict is Verdict.UNKNOWN


INDUCTIVE = """
procedure main(n: int) {
  var x: int; var y: int; var t: int;
  x := 1; y := 2;
  while (*) { assert x != 3; t := x; x := y; y := t; }
}
"""


def test_induction_over_several_rounds() -> None:
    # That x is not 3 after one round needs that y was not, which is known after two.
    report = analyse(INDUCTIVE)
    assert report.verdict is Verdict.HOLDS
    assert report.reason == "by induction over 2 rounds"
    assert analyse(INDUCTIVE, bound=9, induction=False).verdict is Verdict.UNKNOWN


def test_induction_is_no_proof_of_what_is_wrong() -> None:
    report = analyse(INDUCTIVE.replace("y := 2", "y := 3"))
    assert report.verdict is Verdict.VIOLATED


def test_recursion_is_inlined_to_the_bound() -> None:
    text = """
    procedure f(n: int) returns (r: int) { r := 0; if (n > 0) { call r := f(n - 1); r := r + 1; } }
    procedure main() { var r: int; call r := f(4); assert r == @; }
    """
    assert analyse(text.replace("@", "4")).verdict is Verdict.HOLDS
    report = analyse(text.replace("@", "3"))
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert report.failure.blocks[0] == "anon0"
    assert "f.anon0" in report.failure.blocks


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_the_encoding_is_linear_in_the_bound(rounds: int) -> None:
    sizes = [len(encoded(section_6(), rounds=n).lines) for n in (rounds, rounds + 1, rounds + 2)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]


def test_cycles_that_can_be_entered_anywhere() -> None:
    text = """
    procedure main(a: int) {
      var i: int;
      start: i := 0; goto left, right;
      left: i := i + 1; goto right, end;
      right: i := i + 2; goto left, end;
      end: assert i != 6; return;
    }
    """
    flat = flatten(read(text), "main")
    assert len(heads(flat)) >= 1
    report = analyse(text)
    assert report.verdict is Verdict.VIOLATED


def test_c_defines_every_version() -> None:
    encoding = encoded(FIGURE_1, "Foo")
    with Solver() as solver:
        solver.add(*encoding.assumptions)
        assert solver.check() is Status.SAT


@pytest.mark.parametrize(
    ("statements", "needed"),
    [
        ("while (i < n) { i := i + 1; } assert i != 3;", 3),
        ("while (i < n) { i := i + 1; assert i != 3; }", 2),
        ("call again(n, 0);", 3),
    ],
)
def test_bounds_are_exact(statements: str, needed: int) -> None:
    """A round goes back once; an assertion may fail in the iteration after the last round."""
    program = read(f"""
procedure main(n: int) {{ var i: int; i := 0; {statements} }}
procedure again(n: int, depth: int) {{
  assert depth != 3;
  if (n > 0) {{ call again(n - 1, depth + 1); }}
}}""")
    for bound in range(5):
        method = BoundedModelChecking(induction=False)
        found = method.analyse(program, "main", Limits(bound=bound)).verdict
        assert found is (Verdict.VIOLATED if bound >= needed else Verdict.UNKNOWN), bound
