"""Axioms with quantifiers do not make a search give up: the program is run with what there is."""

from __future__ import annotations

import pytest

from solvent.reach import stratified
from solvent.reach.program import Program
from solvent.reach.search import fits, search
from solvent.terms import Function, Int, forall
from solvent.terms.model import Model
from solvent.verdicts import Verdict
from tests.reach.programs import read

# Such axioms about sizes, types and maps come with programs that are translated from C.
PRELUDE = """
type Type;
function subtype(Type, Type) returns (bool);
function size(int) returns (int);
axiom (forall t: Type :: subtype(t, t));
axiom (forall t, u, v: Type :: {subtype(t, u), subtype(u, v)}
  subtype(t, u) && subtype(u, v) ==> subtype(t, v));
axiom (forall x: int :: {size(x)} size(x) > x);
axiom (forall x, y: int :: {size(x), size(y)} x < y ==> size(x) < size(y));
axiom (forall m: [int]int, i: int :: {m[i]} size(m[i]) > m[i]);
var mem: [int]int;
var alloc: int;
procedure malloc(n: int) returns (p: int) modifies alloc; {
  assume n > 0;
  p, alloc := alloc, alloc + n;
}
procedure main(n: int) modifies mem, alloc; {
  var p, q: int;
  call p := malloc(4);
  call q := malloc(size(n));
  mem[p] := size(q);
  mem[q] := 3;
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of the quantifiers is not sought for long: there is none in any time."""
    monkeypatch.setattr(stratified, "QUICK_OPINION", 0.3)


@pytest.mark.parametrize("options", [{}, {"static": True}, {"track_all": True}])
def test_a_bug_is_one_if_the_program_fails(options: dict[str, bool]) -> None:
    found = search(read(PRELUDE + "assert mem[p] != 10 + q; }"), "main", **options)  # type: ignore[arg-type]
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed
    assert found.guessed == any("triggers" in line for line in found.details())


def test_what_triggers_prove_is_proved() -> None:
    found = search(read(PRELUDE + "assert mem[p] > q && mem[q] == 3; }"), "main")
    assert found.verdict is Verdict.HOLDS
    monotone = PRELUDE + "assert q < n ==> mem[p] < size(n); }"
    assert search(read(monotone), "main").verdict is Verdict.HOLDS


def test_no_bug_is_guessed_where_the_quantifiers_exclude_it() -> None:
    """Nothing matches the trigger, but Z3 sees without it that the assertion holds."""
    text = """
    function f(int) returns (int);
    function h(int) returns (int);
    axiom (forall x: int :: {h(x)} f(x) == 0);
    procedure main(n: int) { assert f(n) == 0; }
    """
    for static in (False, True):
        assert search(read(text), "main", static=static).verdict is not Verdict.VIOLATED


def test_guesses_keep_axioms_without_quantifiers() -> None:
    """What can be evaluated is; what a solver was left with need not be a model."""
    c, f = Int("c"), Function("f", [Int], Int)
    program = Program((), {}, (c * c == 9, forall([c], f(c) > c)))
    assert fits(program, Model({c: -3}))
    assert not fits(program, Model({c: 2}))


def test_a_quantified_assertion_that_fails_is_confirmed() -> None:
    text = "procedure main(m: [int]int, n: int) { assert (forall i: int :: m[i] > n); }"
    found = search(read(text), "main")
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed
    assert not found.confirmation.believed  # type: ignore[union-attr]


def test_a_quantified_assumption_that_does_not_hold_confirms_nothing() -> None:
    text = """
    procedure main(m: [int]int, n: int) {
      assume (forall i: int :: m[i] > n);
      assert m[n] > n + 1;
    }
    """
    found = search(read(text), "main")
    assert found.verdict is not Verdict.HOLDS
    if found.confirmed:
        assert not found.confirmation.believed  # type: ignore[union-attr]
