"""How solvers are compared: what is recorded, and what each of them makes of it."""

from __future__ import annotations

import pytest

from benchmarks import engines
from benchmarks.engines import Asked, Recorded, answers_of, kind_of, recording, tables
from solvent import BitVec, Int, Solver
from solvent.solvers import Status
from solvent.terms import and_


@pytest.fixture(autouse=True)
def all_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "LEAST_SECONDS", 0.0)


def test_what_is_asked_is_recorded_once() -> None:
    x, y = BitVec("x", 8), BitVec("y", 8)
    found = Recorded()
    with recording(found), Solver() as solver:
        solver.add(x > 3)
        assert solver.check(x < 9) is Status.SAT
        assert solver.check(x < 9) is Status.SAT
        assert solver.check(x < 2) is Status.UNSAT
        solver.reset()
        solver.add(y > 3)
        assert solver.check(y < 2) is Status.UNSAT
    with Solver() as solver:
        assert solver.check(x == 7) is Status.SAT
    asked = [asked.formulas for asked in found.slow.values()]
    assert asked == [(x > 3, x < 9), (x > 3, x < 2), (y > 3, y < 2)]
    assert (found.questions, found.again, found.renamed) == (4, 1, 1)


def test_all_solvers_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = f"{engines.BITS}bitwuzla"
    monkeypatch.setattr(engines, "SPECS", ("auto", "bitwuzla", "z3", bits))
    n, x = Int("n"), BitVec("x", 8)
    asked = [
        Asked((n > 3, n * n < 10), 1.0),
        Asked((x * x == 17,), 1.0),
        Asked((and_(0 <= n, n < 99), n * n == 49), 1.0),
    ]
    found = tables("family", [answers_of(one) for one in asked])
    by_spec = {row.spec: row for row in found if row.kind == "all"}
    # Bitwuzla has no integers, which counts as no answer; as bits it has those with bounds.
    solved = {spec: row.solved for spec, row in by_spec.items()}
    assert solved == {"auto": 3, "bitwuzla": 1, "z3": 3, bits: 1, "the best of all": 3}
    assert by_spec["bitwuzla"].seconds > engines.LIMIT
    assert by_spec["the best of all"].seconds <= by_spec["z3"].seconds
    kinds = {row.kind for row in found}
    assert kinds == {kind_of(one.formulas) for one in asked} | {"all"}


def test_a_solver_has_its_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "LIMIT", 0.3)
    x, y = BitVec("x", 64), BitVec("y", 64)
    hard = (x * y == 0x123456789ABCDF1, 1 < x, x < 2**60, 1 < y, y < 2**60, x < y)
    status, seconds = engines.answered(Asked(hard, 1.0), "bitwuzla")
    assert status is Status.UNKNOWN or seconds < 1.0
