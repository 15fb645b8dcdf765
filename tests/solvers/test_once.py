"""A solver that is told of one check at a time: the first one must not spoil those that follow."""

from __future__ import annotations

import pytest

from solvent.solvers import Solver
from solvent.terms import BitVec, ult

x, y = BitVec("x", 8), BitVec("y", 8)


@pytest.mark.parametrize("name", ["bitwuzla", "z3", "cvc5"])
def test_frames_after_the_first_check(name: str) -> None:
    with Solver(name) as solver:
        solver.add(ult(x, 10))
        solver.push()
        solver.add(x * y == 21, ult(2, x))
        assert solver.check() == "sat"
        assert solver.model().evaluate(x * y) == 21
        solver.push()
        solver.add(x == 5, y == 4)
        assert solver.check() == "unsat"
        solver.pop()
        assert solver.check() == "sat"
        solver.pop()
        solver.add(x == 9)
        assert solver.check() == "sat"
        assert solver.model()[x] == 9
        solver.add(ult(x, 9))
        assert solver.check() == "unsat"


@pytest.mark.parametrize("name", ["bitwuzla", "z3", "cvc5"])
def test_a_core_after_a_check_without_assumptions(name: str) -> None:
    with Solver(name) as solver:
        solver.push()
        solver.add(ult(x, 10))
        assert solver.check() == "sat"
        assert solver.check(y == 3, ult(20, x)) == "unsat"
        assert solver.unsat_core() == [ult(20, x)]
        assert solver.check() == "sat"
        assert ult(solver.model()[x], 10) is True
