"""Flat programs: inlining, `old`, entries that loops lead back to, and witnesses."""

from __future__ import annotations

import pytest

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.flat import flatten, flatten_deep
from solvent.logic.method import Limits
from solvent.logic.methods import METHODS
from solvent.reach.program import ProgramError
from solvent.verdicts import Verdict
from tests.logic.programs import read


def verdict(text: str) -> Verdict:
    return BoundedModelChecking().analyse(read(text), "main", Limits(10, 12)).verdict


def test_old_values_are_those_of_the_activation() -> None:
    text = """
    var g: int;
    procedure add(n: int) modifies g; { g := g + n; g := g + n; assert g == old(g) + 2 * n; }
    procedure main() modifies g; {
      g := g + 1;
      call add(3);
      call add(4);
      assert g == old(g) + 15;
    }
    """
    assert verdict(text) is Verdict.HOLDS
    assert verdict(text.replace("+ 15", "+ 14")) is Verdict.VIOLATED


def test_locals_of_a_callee_are_any_value_each_time() -> None:
    text = """
    procedure any() returns (r: int) { var x: int; r := x; }
    procedure main() { var a: int; var b: int; call a := any(); call b := any(); assert a == b; }
    """
    assert verdict(text) is Verdict.VIOLATED


def test_contracts_of_procedures_with_a_body_do_not_count() -> None:
    text = """
    procedure one() returns (r: int) ensures r == 2; { r := 1; }
    procedure main() { var a: int; call a := one(); assert a == 1; }
    """
    assert verdict(text) is Verdict.HOLDS


def test_a_procedure_without_a_body_does_what_its_contract_allows() -> None:
    text = """
    procedure some() returns (r: int); ensures r > 5;
    procedure main() { var a: int; call a := some(); assert a > @; }
    """
    assert verdict(text.replace("@", "4")) is Verdict.HOLDS
    assert verdict(text.replace("@", "6")) is Verdict.VIOLATED


def test_preconditions_of_the_first_procedure_are_assumed_once() -> None:
    text = """
    procedure main(n: int) requires n == 1; {
      var i: int;
      start: i := i + 1; goto start, end;
      end: assert n == 1; return;
    }
    """
    assert verdict(text) is Verdict.HOLDS


def test_an_entry_that_a_loop_leads_back_to() -> None:
    text = """
    procedure main() {
      var i: int;
      head: assume i >= 0; i := i + 1; goto head, end;
      end: assert i != 3; return;
    }
    """
    assert verdict(text) is Verdict.VIOLATED


def test_recursion_is_cut() -> None:
    text = "procedure main(n: int) { if (n > 0) { call main(n - 1); } }"
    assert flatten(read(text), "main", 3).is_cut
    assert not flatten(read(text), "main", keep=["main"]).is_cut


def test_too_large_programs_are_unfolded_less() -> None:
    text = """
    procedure main(n: int) { if (n > 0) { call main(n - 1); call main(n - 2); call main(n - 3); } }
    """
    flat = flatten_deep(read(text), "main", 40)
    assert flat.is_cut
    assert 100 < len(flat.blocks) < 10_000


def test_a_procedure_that_is_not_there() -> None:
    for method in METHODS.values():
        with pytest.raises(ProgramError, match="there is no procedure 'other'"):
            method().analyse(read("procedure main() {}"), "other", Limits(1))


def test_a_procedure_without_a_body_cannot_be_analysed() -> None:
    with pytest.raises(ProgramError, match="no body to analyse"):
        flatten(read("procedure main();"), "main")
