"""Dynamic test generation: the three runs of section 5.1, and what is reported."""

from __future__ import annotations

from typing import Any

from solvent.logic.dse import DynamicSymbolicExecution
from solvent.logic.method import Limits, Report
from solvent.verdicts import Verdict
from tests.logic.programs import SECTION_7, WITH_PARAMETERS, read, section_6


def analyse(text: str, main: str = "main", seconds: float = 10, **options: Any) -> Report:
    return DynamicSymbolicExecution(**options).analyse(read(text), main, Limits(seconds))


def lines(report: Report, title: str) -> list[str]:
    return next(one for one in report.sections if one.title == title).text.splitlines()


def test_the_three_runs_of_the_paper() -> None:
    report = analyse(WITH_PARAMETERS, "Foo", first={"a": 5, "b": 3, "z": True})
    assert lines(report, "Run 1") == [
        "inputs: a = 5, b = 3, z = true",
        "path constraint: (a + b ≠ 1) ∧ (z = true)",
        "end: returned",
    ]
    # Only z is negated, and a and b stay as they were.
    assert lines(report, "Run 2") == [
        "inputs: a = 5, b = 3, z = false",
        "path constraint: (a + b ≠ 1) ∧ (z = false)",
        "end: returned",
    ]
    third = lines(report, "Run 3")
    assert third[1:] == ["path constraint: (a + b = 1) ∧ (a + b ≤ 3)", "end: returned"]
    assert lines(report, "Unsatisfiable path constraints") == ["(a + b = 1) ∧ (a + b > 3)"]
    assert report.verdict is Verdict.HOLDS
    assert report.figures["runs"] == report.figures["paths"] == 3
    assert report.figures["branch coverage"] == "4 of 4"
    assert "Run 4" not in [one.title for one in report.sections]


def test_a_failing_assertion_is_found() -> None:
    report = analyse(WITH_PARAMETERS.replace("x <= 3", "x <= 2"), "Foo")
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert dict(report.failure.inputs)["z"] == "True"


def test_a_needle_in_a_haystack() -> None:
    text = """
    procedure main(a: int, b: int) {
      if (a == 123456) { if (b == 2 * a + 1) { if (b mod 7 == 1) { assert false; } } }
    }
    """
    assert analyse(text).verdict is Verdict.HOLDS
    right = text.replace("== 1)", f"== {246913 % 7})")
    report = analyse(right)
    assert report.verdict is Verdict.VIOLATED
    assert report.figures["runs"] == 3


def test_nondeterminism_is_an_input() -> None:
    text = """
    procedure main() {
      var x: int; var y: int;
      y := 0;
      if (*) { havoc x; y := 1; } else { x := 3; }
      assert !(x == 99 && y == 1);
    }
    """
    report = analyse(text)
    assert report.verdict is Verdict.VIOLATED
    assert analyse(text.replace("y == 1)", "y == 2)")).verdict is Verdict.HOLDS


def test_a_choice_between_three() -> None:
    text = """
    procedure main(a: int) {
      var x: int;
      s: goto one, two, three;
      one: x := 1; goto end;
      two: assume a == 77; x := 2; goto end;
      three: assume a > 5; x := a; goto end;
      end: assert x != @; return;
    }
    """
    for value, expected in (
        ("1", Verdict.VIOLATED),
        ("2", Verdict.VIOLATED),
        ("40", Verdict.VIOLATED),
        ("-1", Verdict.HOLDS),
    ):
        assert analyse(text.replace("@", value)).verdict is expected


def test_assumptions_prune() -> None:
    text = "procedure main(a: int) { assume a > 1000; assert a > 999; }"
    report = analyse(text)
    assert report.verdict is Verdict.HOLDS
    assert report.figures["runs"] == 2
    assert lines(report, "Run 1")[2] == "end: an assumption did not hold"


def test_all_failures_can_be_looked_for() -> None:
    text = "procedure main(a: int) { if (a > 0) { assert a < 9; } else { assert a > -9; } }"
    one, every = analyse(text), analyse(text, stop=False)
    assert one.verdict is every.verdict is Verdict.VIOLATED
    assert every.figures["runs"] > one.figures["runs"]


def test_loops_are_unrolled_as_the_runs_do() -> None:
    # Section 6: the first run goes around ten times.
    text = section_6().replace("assume start >= 0;", "")
    report = analyse(text.replace("j == start", "j != 12"), first={"start": 10})
    assert lines(report, "Run 1")[1].count("∧") == 10
    assert report.verdict is Verdict.VIOLATED
    assert analyse(section_6(), seconds=1).verdict is Verdict.UNKNOWN


def test_recursion() -> None:
    text = """
    procedure f(n: int) returns (r: int) { r := 0; if (n > 0) { call r := f(n - 1); r := r + 1; } }
    procedure main(n: int) { var r: int; assume n < 6; call r := f(n); assert r < @; }
    """
    assert analyse(text.replace("@", "6")).verdict is Verdict.HOLDS
    assert analyse(text.replace("@", "5")).verdict is Verdict.VIOLATED


def test_external_functions_give_concrete_values() -> None:
    def hash_(x: int) -> int:
        return (x * 31 + 7) % 1000

    report = analyse(SECTION_7, externals={"hash": hash_}, first={"x": 33, "y": 42})
    assert lines(report, "Run 1")[1] == f"path constraint: (x ≠ {hash_(42)})"
    # The second run has what the first one saw, and the assertion fails with the real function.
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    found = {name: int(value) for name, value in report.failure.inputs}
    assert found["x"] == hash_(found["y"])
    assert found["y"] >= 10
    # What was seen says nothing about other values: it is no proof.
    safe = SECTION_7.replace("y < 10", "x < 1000")
    report = analyse(safe, externals={"hash": hash_})
    assert report.verdict is Verdict.UNKNOWN
    assert "external functions" in report.reason


def test_what_is_too_hard_is_replaced_by_what_was_seen() -> None:
    text = "procedure main(x: int, y: int) { if (x * x * x + y * y == 0) { assert true; } }"
    assert analyse(text).verdict is Verdict.HOLDS
