"""How solvers are compared: what is recorded, and what each of them makes of it."""

from __future__ import annotations

import pytest

from benchmarks import engines
from benchmarks.engines import Asked, recording, rows
from solvent import BitVec, Int, Solver
from solvent.solvers import Status


@pytest.fixture(autouse=True)
def all_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "LEAST_SECONDS", 0.0)


def test_what_is_asked_is_recorded_once() -> None:
    x = BitVec("x", 8)
    found: dict[tuple[int, ...], Asked] = {}
    with recording(found), Solver() as solver:
        solver.add(x > 3)
        assert solver.check(x < 9) is Status.SAT
        assert solver.check(x < 9) is Status.SAT
        assert solver.check(x < 2) is Status.UNSAT
    with Solver() as solver:
        assert solver.check(x == 7) is Status.SAT
    assert [asked.formulas for asked in found.values()] == [(x > 3, x < 9), (x > 3, x < 2)]


def test_all_solvers_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SPECS", ("auto", "bitwuzla", "z3"))
    n, x = Int("n"), BitVec("x", 8)
    found = rows("family", [Asked((n > 3, n * n < 10), 1.0), Asked((x * x == 17,), 1.0)])
    by_spec = {row.spec: row for row in found}
    # Bitwuzla has no integers, which counts as no answer.
    assert (by_spec["bitwuzla"].solved, by_spec["z3"].solved) == (1, 2)
    assert by_spec["bitwuzla"].seconds > engines.LIMIT
    assert by_spec["auto"].solved == by_spec["the best of all"].solved == 2
    assert by_spec["the best of all"].seconds <= by_spec["z3"].seconds
    assert sum(row.wins for row in found if row.spec != "the best of all") >= 2
