"""The compositional variant: the summary of section 5.2, and that summaries are used again."""

from __future__ import annotations

from benchmarks.loops import diamond
from solvent.logic.dse import DynamicSymbolicExecution
from solvent.logic.flat import called
from solvent.logic.method import Limits, Questions
from solvent.logic.summaries import compose
from solvent.verdicts import Verdict
from tests.logic.programs import WITH_PARAMETERS, read

SUMMARY = """\
  ((x = 1) ∧ (x' = x))
∨ ((x ≠ 1) ∧ (z = true) ∧ (x' = 3))
∨ ((x ≠ 1) ∧ (z = false) ∧ (x' = 2))"""


def composed(text: str, main: str = "main"):
    return compose(called(read(text), main), main, Questions(Limits(10)))


def by_summaries(text: str):
    method = DynamicSymbolicExecution(directed=False)
    return method.analyse(read(text), "main", Limits(10))


def test_the_summary_of_the_paper() -> None:
    found = composed(WITH_PARAMETERS, "Foo")
    (name,) = [name for name in found.summarizer.known if name != "Foo"]
    summary = found.summarizer.known[name]
    assert "\n".join(summary.lines()) == SUMMARY
    # The compositional path constraint: its last part cannot be negated.
    (case,) = found.summary.cases
    assert case.trail == ("x = a + b", f"φ_{name}", "x' ≤ 3")
    assert found.failing == []


def test_the_report_has_it_too() -> None:
    method = DynamicSymbolicExecution(first={"a": 5, "b": 3, "z": True})
    report = method.analyse(read(WITH_PARAMETERS), "Foo", Limits(10))
    texts = {section.title: section.text for section in report.sections}
    assert texts["Summary φ_Foo.anon0"] == SUMMARY
    assert texts["Compositional path constraint"] == "(x = a + b) ∧ φ_Foo.anon0 ∧ (x' ≤ 3)"


CALLS = """
procedure sign(x: int) returns (r: int) {
  if (x < 0) { r := -1; } else { if (x == 0) { r := 0; } else { r := 1; } }
}
procedure main(a: int, b: int) {
  var x: int; var y: int; var z: int;
  call x := sign(a);
  call y := sign(b);
  call z := sign(x * 2);
  assert @;
}
"""


def test_a_summary_is_made_once_and_used_in_each_context() -> None:
    found = composed(CALLS.replace("@", "z == x"))
    assert found.summarizer.uses >= 3
    assert [name for name in found.summarizer.known if "sign" in name][-1] == "sign"
    assert by_summaries(CALLS.replace("@", "z == x")).verdict is Verdict.HOLDS
    report = by_summaries(CALLS.replace("@", "z == y"))
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None


def test_failures_inside_of_a_summary() -> None:
    text = """
    procedure half(x: int) returns (r: int) { assert x mod 2 == 0; r := x div 2; }
    procedure main(a: int) { var r: int; call r := half(2 * a); call r := half(r + @); }
    """
    assert by_summaries(text.replace("@", "r")).verdict is Verdict.HOLDS
    assert by_summaries(text.replace("@", "1")).verdict is Verdict.VIOLATED


def test_summaries_of_globals_and_havoc() -> None:
    text = """
    var g: int;
    procedure some() modifies g; {
      var x: int;
      havoc x;
      assume x > old(g);
      g := x;
    }
    procedure main() modifies g; {
      if (g > 0) { call some(); } else { call some(); call some(); }
      assert g > old(g) @;
    }
    """
    assert by_summaries(text.replace("@", "")).verdict is Verdict.HOLDS
    assert by_summaries(text.replace("@", "+ 1")).verdict is Verdict.VIOLATED


def test_many_branches_are_few_cases() -> None:
    report = by_summaries(diamond(20))
    assert report.verdict is Verdict.HOLDS
    assert report.statistics.calls < 100
    assert by_summaries(diamond(12).replace("x <= 12", "x < 12")).verdict is Verdict.VIOLATED


def test_loops_and_recursion_have_no_summary() -> None:
    loop = """
    procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= 0; }
    """
    report = by_summaries(loop)
    assert report.verdict is Verdict.UNKNOWN
    recursion = """
    procedure main(n: int) { if (n > 0) { call main(n - 1); } assert n < 1 || n > 0; }
    """
    assert by_summaries(recursion).verdict is not Verdict.VIOLATED
