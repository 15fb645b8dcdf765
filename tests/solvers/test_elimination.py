"""Quantifier elimination, checked by a solver."""

from __future__ import annotations

import pytest

from solvent.solvers import Solver, Status
from solvent.solvers.elimination import eliminate
from solvent.terms import Bool, Int, Real, and_, constants, exists, not_, or_, xor

x, y, z, p = Int("x"), Int("y"), Int("z"), Bool("p")
r, s = Real("r"), Real("s")


@pytest.mark.parametrize(
    ("variables", "formula"),
    [
        ([x], and_(x > 3, y == x + 2)),
        ([x], and_(x > y, x < z)),
        ([x], and_(2 * x == y)),
        ([x, p], or_(and_(p, x == y), and_(not_(p), x < y, x > z))),
        ([r], and_(r > s, r * 2 < 7)),
        ([p], p == (x > 3)),
    ],
)
def test_nothing_is_lost(variables: list[object], formula: object) -> None:
    found = eliminate(variables, formula)
    assert found is not None
    gone = set(variables)
    assert gone.isdisjoint(constants(found))
    with Solver("z3") as solver:
        solver.add(xor(found, exists(variables, formula)))
        assert solver.check() is Status.UNSAT


def test_nothing_to_do() -> None:
    assert eliminate([x], y > 3) is (y > 3)
    assert eliminate([x], True) is True


def test_names_that_smtlib_must_quote() -> None:
    before = Int("x before")
    assert eliminate([before], and_(before > 3, Int("a(1).x") == before + 1)) is (Int("a(1).x") > 4)
