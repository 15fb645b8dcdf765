"""On programs without loops the methods build the same formula, proved by a solver.

`SOLVENT_LOGIC_PROGRAMS=500` tries more generated programs.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from solvent.logic.flat import flatten
from solvent.solvers import Solver, Status
from solvent.solvers.elimination import eliminate
from solvent.terms import constants, not_, xor
from tests.logic.equivalence import (
    by_equations,
    by_paths,
    by_versions,
    by_virtual_machine,
    by_weakest_precondition,
    deterministic,
)
from tests.logic.programs import FIGURE_1, FIGURE_2, FIGURE_3, read
from tests.patience import FOREVER
from tests.reach.random_programs import Shape, random_program

COUNT = max(10, int(os.environ.get("SOLVENT_LOGIC_PROGRAMS", "40")) // 4)


def unsatisfiable(*formulas: Any) -> bool:
    with Solver(timeout=FOREVER) as solver:
        solver.add(*formulas)
        return solver.check() is Status.UNSAT


def equivalent(text: str, main: str = "main") -> bool | None:
    """Whether an assertion can fail; None if there are too many paths."""
    flat = flatten(read(text), main)
    search, paths = by_paths(flat)
    if search.missing:
        return None
    weakest = by_weakest_precondition(flat)
    assert unsatisfiable(xor(paths, weakest)), text
    assert unsatisfiable(xor(paths, by_virtual_machine(flat))), text
    versions, failing = by_versions(flat)
    assert unsatisfiable(*versions, xor(paths, failing)), text
    # A failing model of the block equations is a failing path ...
    equations = by_equations(flat)
    assert unsatisfiable(equations, not_(paths)), text
    # ... and where a path fails, the equations have a model.
    if not unsatisfiable(paths):
        assert not unsatisfiable(equations, paths), text
        return True
    return False


WRONG = [FIGURE_2.replace("x <= 3", "x <= 2"), FIGURE_1.replace("x <= 3", "x == 2")]


@pytest.mark.parametrize("text", [FIGURE_1, FIGURE_2, FIGURE_3, *WRONG])
def test_figures(text: str) -> None:
    assert equivalent(text, "Foo") is (text in WRONG)


@pytest.mark.parametrize("text", [FIGURE_2, *WRONG])
def test_block_equations_without_incarnations(text: str) -> None:
    flat = flatten(read(text), "Foo")
    inputs = {*flat.inputs, *flat.variables}
    equations = by_equations(flat)
    inner = [one for one in constants(equations) if one not in inputs]
    found = eliminate(inner, equations)
    assert found is not None
    _, paths = by_paths(flat)
    assert unsatisfiable(xor(found, paths))


def test_choices_are_inputs() -> None:
    text = """
    procedure main(a: int) {
      var x: int;
      s: goto one, two, three;
      one: x := 1; goto end;
      two: assume a == 77; havoc x; assume x > a; goto end;
      three: assume a > 5; x := a; goto end;
      end: assert x != 80; return;
    }
    """
    assert any("=>" in label for label in deterministic(flatten(read(text), "main")).blocks)
    assert equivalent(text) is True


def test_generated_programs() -> None:
    shape = Shape(procedures=2, loops=False, recursion=False)
    found = [equivalent(random_program(seed, shape)) for seed in range(COUNT)]
    assert {True, False} <= set(found)
    assert found.count(None) < len(found) / 3
