"""Several solvers at once: the first answer counts."""

from __future__ import annotations

import pytest

from solvent import BitVec, Int, Solver
from solvent.errors import SolverError, UnknownSolverError, UnsupportedError
from solvent.solvers import portfolio
from solvent.terms import and_, ult
from tests.patience import FOREVER

a, b = BitVec("a", 16), BitVec("b", 16)
x = Int("x")


def test_the_first_answer_counts() -> None:
    formula = and_(a * b == 391, ult(1, a), ult(a, b), ult(b, 100))
    with portfolio(["bitwuzla", "z3", "z3:QF_BV"]) as solver:
        solver.add(formula)
        assert solver.check() == "sat"
        assert solver.model()[a] == 17
        assert solver.name in ("bitwuzla", "z3", "z3:QF_BV")
        solver.push()
        solver.add(a == 3)
        assert solver.check() == "unsat"
        solver.pop()
        assert solver.check(b == 23) == "sat"
        assert solver.check(b == 17, a == 3) == "unsat"
        assert solver.unsat_core()


def test_a_member_without_the_theory_is_left_out() -> None:
    with portfolio(["bitwuzla", "z3"]) as solver:
        solver.add(x * x == 49, x < 0)
        assert solver.check() == "sat"
        assert solver.name == "z3"
        assert solver.model()[x] == -7
        # Nor is it asked again, so that what was sent before stays there.
        number = solver._backend._number
        solver.push()
        solver.add(x > -7)
        assert solver.check() == "unsat"
        assert solver._backend._number == number


def test_nobody_has_the_theory() -> None:
    with portfolio(["bitwuzla", "bitwuzla:prop"]) as solver:
        solver.add(x > 3)
        with pytest.raises(UnsupportedError, match="no theory of Int"):
            solver.check()


def test_wrong_members() -> None:
    with pytest.raises(UnknownSolverError, match="minisat"):
        portfolio(["z3", "minisat"])
    with pytest.raises(SolverError, match="at least one"):
        portfolio([])


def test_answers_agree_with_a_single_solver() -> None:
    for bound in range(3, 12):
        formula = and_(a * a * a == b * b + 2, ult(a, bound), ult(b, 50))
        with portfolio(["cvc5", "bitwuzla", "z3"], timeout=FOREVER) as several, Solver("z3") as one:
            several.add(formula)
            one.add(formula)
            assert several.check() == one.check()
