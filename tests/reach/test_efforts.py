"""Questions that take Z3 too many steps are asked again, and the answers stay what they are."""

from __future__ import annotations

import pytest

from solvent.reach import efforts, replay, stratified
from solvent.reach.efforts import ENDLESS, is_exhausted, solver_at
from solvent.reach.search import search
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Function, Int, eq, forall
from solvent.verdicts import Deadline, Verdict
from tests.reach.test_threads import lowered

TEXT = """
function f(int): int;
axiom (forall k: int :: {f(k)} f(k) > k && f(k) < k + 9);
procedure step(n: int) returns (r: int) { r := f(n); }
procedure main(n: int) { var r: int; r := n;
  while (*) { call r := step(r); }
  assert r >= n;
  assert r != n + 20;
}
"""


@pytest.mark.parametrize("first", [1, 3000, 2_500_000])
def test_answers_do_not_depend_on_efforts(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efforts, "FIRST", first)
    seen: list[bool] = []

    def exhausted(*given: object) -> bool:
        seen.append(is_exhausted(*given))  # type: ignore[arg-type]
        return seen[-1]

    monkeypatch.setattr(stratified, "is_exhausted", exhausted)
    monkeypatch.setattr(replay, "is_exhausted", exhausted)
    answer = search(lowered(TEXT), "main", bound=5)
    assert (answer.verdict, answer.confirmed) == (Verdict.VIOLATED, True)
    assert any(seen) == (first == 1)
    holds = search(lowered(TEXT.replace("assert r != n + 20;", "")), "main", bound=3)
    assert holds.verdict in (Verdict.HOLDS, Verdict.BOUNDED)


def test_what_is_exhausted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what triggers leave open, nor what the deadline has ended."""
    x, f = Int("x"), Function("f", [Int], Int)
    axiom = forall([x], f(x) > x, [f(x)])
    for first in (1, 2_500_000):
        monkeypatch.setattr(efforts, "FIRST", first)
        for effort in (0, ENDLESS):
            with solver_at(effort) as solver:
                solver.add(axiom, eq(f(3), 7))
                assert solver.check() is Status.UNKNOWN
                exhausted = first == 1 and effort == 0
                assert is_exhausted(solver, Deadline()) == exhausted
                assert not is_exhausted(solver, Deadline(0))
                assert (solver.candidate() is None) == exhausted


REFINED = """
function f(int): int;
axiom (forall k: int :: {f(k)} f(k) > k && f(k) < k + 9);
var g, h, other: int;
procedure step(n: int) returns (r: int) modifies h; { r := f(n); h := h + 1; }
procedure main(n: int) modifies g, h; { var r: int;
  g := 1; other := 2; h := 0;
  call r := step(n);
  if (g != 1) { call r := step(r); assert r == n; }
  assert r > n && other == 2;
}
"""


def test_facts_decide_what_assumptions_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second effort asks with facts, and has the variables of a proof all the same."""
    monkeypatch.setattr(efforts, "FIRST", 1)
    monkeypatch.setattr(efforts, "GROWTH", 1_000_000)
    asked: list[int] = []

    def solver(effort: int) -> Solver:
        asked.append(effort)
        return solver_at(effort)

    monkeypatch.setattr(stratified, "solver_at", solver)
    monkeypatch.setattr(replay, "solver_at", solver)
    answer = search(lowered(REFINED), "main", summaries=False)
    assert answer.verdict is Verdict.HOLDS
    assert {variable.name for variable in answer.tracked} == {"g", "other"}
    wrong = search(lowered(REFINED.replace("r > n", "r > n + 1")), "main", summaries=False)
    assert (wrong.verdict, wrong.confirmed) == (Verdict.VIOLATED, True)
    longer = search(lowered(TEXT), "main", bound=5, summaries=False)
    assert (longer.verdict, longer.confirmed) == (Verdict.VIOLATED, True)
    assert set(asked) == {0, 1}
