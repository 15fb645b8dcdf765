"""Symbolic model checking: the relation of section 3, and its three engines."""

from __future__ import annotations

import pytest

from benchmarks.loops import TEXTBOOK
from solvent.logic.flat import flatten
from solvent.logic.method import Limits, Report
from solvent.logic.smc import SymbolicModelChecking
from solvent.logic.smc.transitions import transitions
from solvent.verdicts import Verdict
from tests.logic.programs import FIGURE_1, read

RELATION = """\
  ((pc = 0) ∧ (pc' = 1) ∧ (x' = a) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 1) ∧ (pc' = 2) ∧ (y' = b) ∧ (x' = x) ∧ (z' = z))
∨ ((pc = 2) ∧ (pc' = 3) ∧ (x' = x + y) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 3) ∧ (pc' = 4) ∧ (x ≠ 1) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 3) ∧ (pc' = 7) ∧ (x = 1) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 4) ∧ (pc' = 5) ∧ (x' = 2) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 5) ∧ (pc' = 6) ∧ (z = true) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 5) ∧ (pc' = 7) ∧ (z = false) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 6) ∧ (pc' = 7) ∧ (x' = x + 1) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 7) ∧ (pc' = err) ∧ (x > 3) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))
∨ ((pc = 7) ∧ (pc' = 8) ∧ (x ≤ 3) ∧ (x' = x) ∧ (y' = y) ∧ (z' = z))"""


def analyse(text: str, engine: str = "auto", main: str = "main", seconds: float = 15) -> Report:
    return SymbolicModelChecking(engine).analyse(read(text), main, Limits(seconds, 40))


def test_the_transition_relation_of_the_paper() -> None:
    system = transitions(flatten(read(FIGURE_1), "Foo"))
    assert "\n".join(system.lines()) == RELATION
    report = analyse(FIGURE_1, "fixpoint", "Foo")
    assert report.verdict is Verdict.HOLDS
    assert report.figures["engine"] == "fixpoint"
    texts = {section.title: section.text for section in report.sections}
    assert texts["Transition relation TR"] == RELATION
    assert texts["Target states"] == "pc = err"


@pytest.mark.parametrize("engine", ["fixpoint", "horn"])
def test_errors_come_with_an_execution(engine: str) -> None:
    report = analyse(FIGURE_1.replace("x <= 3", "x <= 2"), engine, "Foo")
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert dict(report.failure.inputs)["z"] == "True"


BOOLEAN = """
procedure main(a: bool) {
  var lock: bool; var asked: bool;
  lock := false; havoc asked;
  while (*) {
    if (asked) { assert !lock; lock := true; }
    if (lock == asked && lock) { lock := false; }
    asked := @;
  }
  assert !lock;
}
"""


def test_boolean_programs_are_decided_by_diagrams() -> None:
    report = analyse(BOOLEAN.replace("@", "a ==> !asked"))
    assert report.verdict is Verdict.HOLDS
    assert report.figures["engine"] == "bdd"
    assert report.statistics.calls == 0
    wrong = BOOLEAN.replace("@", "a").replace("lock == asked && lock", "lock && !asked")
    report = analyse(wrong)
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None


def test_diagrams_and_clauses_agree() -> None:
    for value in ("a", "!lock", "a && asked"):
        for test in ("lock == asked && lock", "lock || a"):
            text = BOOLEAN.replace("@", value).replace("lock == asked && lock", test)
            assert analyse(text, "bdd").verdict is analyse(text, "horn").verdict


def test_endless_loops_have_a_location() -> None:
    text = "procedure main(a: int) { while (true) { } assert a == 1; }"
    assert analyse(text).verdict is Verdict.HOLDS
    nothing = "procedure main() { start: goto start; }"
    assert analyse(nothing).verdict is Verdict.HOLDS


def test_a_fixpoint_of_a_loop_with_finitely_many_rounds() -> None:
    text = "procedure main() { var i: int; i := 0; while (i < 5) { i := i + 1; } assert i == 5; }"
    report = analyse(text, "fixpoint")
    assert report.verdict is Verdict.HOLDS
    assert "a fixpoint" in report.reason


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_loops_need_no_invariants(name: str) -> None:
    report = analyse(TEXTBOOK[name], "horn")
    assert report.verdict is Verdict.HOLDS, report.reason
    assert report.statistics.seconds < 10


RECURSION = """
var g: int;
procedure down(n: int) returns (r: int) modifies g; {
  g := g + 1;
  if (n > 0) { call r := down(n - 1); assert r == @; } else { r := 0; }
}
procedure main(n: int) modifies g; {
  var r: int;
  g := 0;
  assume n > 0;
  call r := down(n);
  assert g >= 2;
}
"""


def test_recursion_by_summaries() -> None:
    report = analyse(RECURSION.replace("@", "0"))
    assert report.verdict is Verdict.HOLDS
    assert report.figures["engine"] == "horn"
    report = analyse(RECURSION.replace("@", "0").replace("g >= 2", "g != 5"))
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert report.failure.blocks.count("down.anon0") == 5


def test_a_summary_knows_what_was_there_before() -> None:
    text = RECURSION.replace("@", "0").replace(
        "assert g >= 2;", "g := 10; call r := down(n); assert g > 11;"
    )
    assert analyse(text).verdict is Verdict.HOLDS
    assert analyse(text.replace("g > 11", "g > 12")).verdict is Verdict.VIOLATED


def test_the_first_procedure_may_be_called_again() -> None:
    text = """
    procedure main(n: int) requires n > 3; { if (n > 0) { call main(n - 1); } assert n > @; }
    """
    assert analyse(text.replace("@", "-1")).verdict is Verdict.HOLDS
    assert analyse(text.replace("@", "2")).verdict is Verdict.VIOLATED


def test_constants_mean_the_same_everywhere() -> None:
    text = """
    const limit: int;
    axiom limit > 7;
    procedure main() {
      var i: int;
      i := limit;
      while (*) { i := i + 1; }
      assert i >= limit && limit > 7;
    }
    """
    assert analyse(text, "horn").verdict is Verdict.HOLDS


def test_what_has_no_horn_clauses_is_unknown() -> None:
    text = """
    function f(x: int): int;
    procedure main(n: int) { var i: int; i := n; while (*) { i := f(i); } assert i == f(n); }
    """
    report = analyse(text, "horn")
    assert report.verdict is Verdict.UNKNOWN
    assert "uninterpreted functions" in report.reason
