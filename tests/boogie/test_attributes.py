"""Attributes that say what is checked and assumed; the lines are those that Boogie tells."""

from __future__ import annotations

from fractions import Fraction

import pytest

from solvent.boogie.lowering import lower
from solvent.boogie.sorts import UnsupportedError
from solvent.reach.inlining import inline
from solvent.reach.modular import verify
from solvent.reach.objectives import wanted
from solvent.terms import bv
from tests.boogie.helpers import checked, fails_as_marked


def test_what_is_ignored_is_not_there() -> None:
    fails_as_marked(
        """
        axiom {:ignore} false;
        function {:ignore} f(x: int): int { 3 }
        procedure {:ignore} never() { assert false; }
        procedure p(x: int) {
          assert f(x) == 3;
          assert x == 3; // fails
        }
        """
    )


def test_an_assumption_variable_is_true_at_first() -> None:
    fails_as_marked(
        """
        procedure p(x: int) {
          var {:assumption} a: bool;
          assert a;
          a := a && x > 0;
          assert a ==> x > 0;
          assert a; // fails
        }
        """
    )


def test_what_is_verified_elsewhere_is_assumed() -> None:
    fails_as_marked(
        """
        procedure p(a: bool, x: int) {
          assert {:verified_under true} x > 0;
          assert x > 0;
        }
        procedure q(a: bool, x: int) {
          assert {:verified_under a} x > 0; // fails
          assert x > 0;
          assert {:verified_under x > 3} x > 2; // fails
          assert x > 1;
        }
        """
    )


def test_checking_starts_where_it_says() -> None:
    fails_as_marked(
        """
        procedure called(x: int); requires x > 0;
        procedure {:selective_checking} p(x: int) {
          assert x > 0;
          if (x > 3) {
            assume {:start_checking_here} true;
            assert x > 4; // fails
          }
          assert x > 1; // fails
        }
        procedure {:selective_checking} q(x: int) returns (y: int)
          ensures y == 3;
        {
          call called(x);
          y := 4;
        }
        procedure {:selective_checking} r(x: int) {
          call called(x);
          assume {:start_checking_here} true;
          call called(x - 1); // fails
        }
        procedure {:selective_checking} s(x: int) {
          var i: int;
          i := 0;
          while (i < x) invariant i <= 2; {
            i := i + 1;
            assume {:start_checking_here} true;
            assert i < 3; // fails
          }
          assert i == 9;
        }
        """
    )


def test_some_free_contracts_are_assumed_everywhere() -> None:
    fails_as_marked(
        """
        procedure called(x: int);
          free requires {:always_assume} x > 0;
        procedure p(x: int) returns (y: int)
          free ensures {:always_assume} y > 0;
          ensures y >= 0;
        {
          call called(x);
          assert x > 0;
          assert x > 1; // fails
        }
        """
    )


@pytest.mark.parametrize("attribute", ["yields", "layer 1", "atomic"])
def test_layers_are_refused(attribute: str) -> None:
    program = checked(f"procedure {{:{attribute}}} p() {{ assert true; }}")
    with pytest.raises(UnsupportedError, match="between threads"):
        lower(program, modular=True)
    lower(program)


def test_a_search_does_not_leave_out_checks() -> None:
    program = checked("procedure {:selective_checking} p() { assert false; }")
    with pytest.raises(UnsupportedError, match="selective_checking"):
        lower(program)


def test_invariants_have_the_attributes_of_assertions() -> None:
    fails_as_marked(
        """
        procedure p(x: int) {
          var i: int;
          i := 0;
          while (i < 5)
            invariant {:verified_under true} i < 3;
          { i := i + 1; }
          assert i < 3;
        }
        procedure q(x: int) {
          var i: int;
          while (i < 5)
            invariant {:subsumption 0} x < 3; // fails
            invariant x < 3; // fails
          { i := i + 1; }
          assert x < 3;
        }
        procedure r(x: int) {
          var i: int;
          while (i < 5)
            invariant x < 3; // fails
            invariant x < 3;
          { i := i + 1; }
        }
        """
    )


def test_what_a_call_requires_is_assumed_unless_it_says_otherwise() -> None:
    fails_as_marked(
        """
        procedure called(x: int); requires x > 0;
        procedure p(x: int) {
          call called(x); // fails
          assert x > 0;
        }
        procedure q(x: int) {
          call {:subsumption 0} called(x); // fails
          assert x > 0; // fails
        }
        procedure r(x: int) {
          call {:subsumption 1} called(x); // fails
          assert x > 0;
        }
        """
    )


def test_conditions_verified_elsewhere_are_no_attributes_of_calls() -> None:
    program = checked("procedure p(); procedure q() { call {:verified_under true} p(); }")
    with pytest.raises(UnsupportedError, match="at a call is not followed"):
        lower(program)


# --- objectives --------------------------------------------------------------------------------

OBJECTIVES = """
function ok(x: int): bool;
procedure a() { var x: int; havoc x; assume 42 < x; assume {:minimize x} true; assert ok(x); }
procedure b() { var x: int; x := 24; if (*) { x := 42; } assume {:maximize x} true; assert ok(x); }
procedure c() {
  var x: int;
  x := 1;
  while (*) { x := x + 1; }
  assume {:minimize x} true;
  assert x < 10;
}
procedure d(x: bv8, r: real) { assert {:maximize x} {:minimize r} r < 1.5 || x == 255bv8; }
procedure e(x: int, y: int) {
  assume {:minimize x} {:maximize y} true;
  assume x > 4 && y + x < 10;
  assert x == 3;
}
procedure f(x: int) { assume x > 5; if (*) { assume {:minimize x} true; } assert x == 0; }
procedure {:inline 1} far(x: int) { assume {:maximize x} true; }
procedure g(x: int) { assume x < 5; call far(x); assert ok(x); }
"""
GROWING = "function u(int): int; axiom (forall k: int :: {u(k)} u(k) > k && u(k) < 3 * k + 9);"


@pytest.mark.parametrize("axioms", ["", GROWING])
def test_the_best_counterexample_is_shown(axioms: str) -> None:
    """The first objective counts most; with quantifiers no optimizer finds it."""
    program = lower(checked(OBJECTIVES + axioms), modular=True)
    inlined = inline(program, {"far": 1}).program
    found = {}
    for name in "abcdefg":
        (violation,) = verify(inlined, name).violations
        found[name] = [
            one.value for one in violation.values if wanted(one.variable.name) is not None
        ]
    assert (found["a"], found["b"], found["c"]) == ([43], [42], [10])
    assert found["d"][0] == bv(254, 8)
    assert axioms or found["d"][1] == Fraction(3, 2)
    assert (found["e"], found["g"]) == ([5, 4], [4])
    assert found["f"] in ([], [6])


def test_other_assertions_are_no_better() -> None:
    """What is best is so among the executions in which this very assertion fails."""
    text = (
        "procedure a(x: int) { assert x != 3; assume {:minimize x} true; assert x > 7 || x < 2; }"
    )
    violations = verify(lower(checked(text), modular=True), "a").violations
    assert sorted([one.value for one in found.values] for found in violations) == [[], [2]]
