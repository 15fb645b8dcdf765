"""Verification conditions: the artefacts of figure 2, and what counts as an error."""

from __future__ import annotations

from solvent.logic.method import Limits
from solvent.logic.vc import VerificationConditions
from solvent.verdicts import Verdict
from tests.logic.programs import FIGURE_2, PRECISE, WEAK, read, section_6

PASSIVE = """\
procedure Foo(a: int, b: int, z: bool)
{
  A:     assume x@0 == a + b; goto Then1, Else1;
  Then1: assume x@0 != 1; assume x@1 == 2; goto Then2, Else2;
  Then2: assume z; assume x@2 == x@1 + 1; goto B;
  Else2: assume !z; assume x@2 == x@1; goto B;
  Else1: assume x@0 == 1; assume x@2 == x@0; goto B;
  B:     assert x@2 <= 3; return;
}"""

EQUATIONS = """\
BE_A     : OK_A     = ((x@0 == a + b) ==> (OK_Then1 && OK_Else1))
BE_Then1 : OK_Then1 = ((x@0 != 1) ==> ((x@1 == 2) ==> (OK_Then2 && OK_Else2)))
BE_Then2 : OK_Then2 = (z ==> ((x@2 == x@1 + 1) ==> OK_B))
BE_Else2 : OK_Else2 = (!z ==> ((x@2 == x@1) ==> OK_B))
BE_Else1 : OK_Else1 = ((x@0 == 1) ==> ((x@2 == x@0) ==> OK_B))
BE_B     : OK_B     = (True ==> ((x@2 <= 3) && True))"""

CONDITION = "(BE_A && BE_Then1 && BE_Then2 && BE_Else2 && BE_Else1 && BE_B) ==> OK_A"


def analyse(text: str, main: str = "main"):
    return VerificationConditions().analyse(read(text), main, Limits(10))


def test_figure_2() -> None:
    report = analyse(FIGURE_2, "Foo")
    assert [section.text for section in report.sections] == [PASSIVE, EQUATIONS, CONDITION]
    assert report.verdict is Verdict.HOLDS
    assert report.statistics.calls == 1


def test_an_error_is_an_execution() -> None:
    report = analyse(FIGURE_2.replace("x <= 3", "x <= 2"), "Foo")
    assert report.verdict is Verdict.VIOLATED
    assert report.failure is not None
    assert dict(report.failure.inputs)["z"] == "True"
    assert report.failure.blocks[-1] == "B"
    assert report.reason == "the verification condition is not valid"


def test_havoc_and_choices_are_part_of_the_execution() -> None:
    text = """
    procedure main() {
      var x: int; var y: int;
      havoc x;
      if (*) { y := 1; } else { havoc y; assume y > 40; }
      assert !(x == 77 && y == 42);
    }
    """
    report = analyse(text)
    assert report.verdict is Verdict.VIOLATED


def test_the_invariant_decides() -> None:
    assert analyse(section_6(PRECISE)).verdict is Verdict.HOLDS
    for invariant in (WEAK, ""):
        report = analyse(section_6(invariant))
        assert report.verdict is Verdict.UNKNOWN
        assert "may be too weak" in report.reason


CALLEE = """
procedure inc(x: int) returns (r: int) @ { r := x + 1; }
procedure main() { var y: int; call y := inc(1); assert y == 2; }
"""


def test_contracts_decide_about_calls() -> None:
    assert analyse(CALLEE.replace("@", "ensures r == x + 1;")).verdict is Verdict.HOLDS
    assert analyse(CALLEE.replace("@", "")).verdict is Verdict.UNKNOWN
    # The contract is wrong, but the caller would be right.
    assert analyse(CALLEE.replace("@", "ensures r == 2;")).verdict is Verdict.UNKNOWN


def test_a_free_contract_proves_nothing() -> None:
    text = CALLEE.replace("@", "free ensures r == 3;").replace("y == 2", "y == 3")
    report = analyse(text)
    assert report.verdict is Verdict.UNKNOWN
    assert "nobody checks it" in report.reason
