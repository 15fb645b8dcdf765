"""Solvers that are spoken to in SMT-LIB: here the z3 program, whose answers must be those of z3."""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from solvent import BitVec, Bool, Int, Solver
from solvent.errors import SolverError, SolverMissingError, UnsupportedError
from solvent.terms import and_, ult
from tests.patience import FOREVER
from tests.solvers.test_process import CUBES
from tests.solvers.test_solver import SATISFIABLE, UNSATISFIABLE

PROGRAM = shutil.which("z3", path=str(Path(sys.executable).parent)) or shutil.which("z3")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="the z3 program is not installed")
Z3 = f"smtlib:{PROGRAM} -in"
a, b = BitVec("a", 8), BitVec("b", 8)
x, y = Int("x"), Int("y")


@pytest.mark.parametrize("theory", SATISFIABLE)
def test_models_satisfy_what_was_asserted(theory: str) -> None:
    formula = SATISFIABLE[theory]
    with Solver(Z3, timeout=FOREVER) as solver:
        solver.add(formula)
        assert solver.check() == "sat", solver.reason
        assert solver.model().evaluate(formula) is True


@pytest.mark.parametrize("theory", UNSATISFIABLE)
def test_unsatisfiable_formulas(theory: str) -> None:
    with Solver(Z3, timeout=FOREVER) as solver:
        solver.add(UNSATISFIABLE[theory])
        assert solver.check() == "unsat"


def test_frames_assumptions_and_cores() -> None:
    with Solver(Z3) as solver:
        solver.add(ult(a, 10))
        solver.push()
        solver.add(ult(20, a))
        assert solver.check() == "unsat"
        solver.pop()
        wishes = [a == 3, b == 4, ult(a + b, 5)]
        assert solver.check(*wishes) == "unsat"
        assert {id(term) for term in solver.unsat_core()} <= {id(wish) for wish in wishes}
        assert solver.check(*wishes[:2]) == "sat"
        assert solver.model()[b] == 4
        assert solver.check(Bool("p"), *wishes[:1]) == "sat"


def test_limits_and_interrupts() -> None:
    with Solver(Z3) as solver:
        solver.add(CUBES)
        assert solver.check(timeout=0.5) == "unknown"
        assert solver.reason == "timeout"
        timer = threading.Timer(0.5, solver.interrupt)
        timer.start()
        assert solver.check() == "unknown"
        assert solver.reason == "interrupted"
        timer.join()
        solver.reset()
        solver.add(x == 3)
        assert solver.check() == "sat"


def test_the_query_may_outgrow_its_logic() -> None:
    with Solver(Z3) as solver:
        solver.add(a == 3)
        assert solver.check() == "sat"
        solver.add(and_(x > 3, y > x))
        assert solver.check() == "sat"
        assert solver.model().evaluate(and_(a == 3, x > 3, y > x)) is True


@pytest.mark.parametrize(
    ("command", "formula", "message"),
    [
        ("/no/such/solver", x > 3, "cannot be run"),
        ("cat", x > 3, "instead of sat, unsat or unknown"),
        ("echo '(error \"no logic\")'", x > 3, 'complains: "no logic"'),
    ],
)
def test_programs_that_are_no_solvers(command: str, formula: Any, message: str) -> None:
    with Solver(f"smtlib:{command}") as solver:
        solver.add(formula)
        with pytest.raises((SolverError, SolverMissingError), match=message):
            solver.check()


def test_a_program_that_ends_is_unknown() -> None:
    with Solver("smtlib:true") as solver:
        solver.add(x > 3)
        assert solver.check() == "unknown"
        assert "ended with exit code 0" in solver.reason


def test_no_optimisation() -> None:
    with Solver(Z3) as solver:
        solver.add(x < 3)
        solver.maximize(x)
        with pytest.raises(UnsupportedError, match="no optimisation"):
            solver.check()
