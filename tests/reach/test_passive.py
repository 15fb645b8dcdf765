"""Passification and block equations: figure 4 of "Reachability Modulo Theories"."""

from __future__ import annotations

import pytest

from solvent.reach.equations import may_return
from solvent.reach.passive import passify
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Int
from tests.reach.programs import FIGURE_4, read


def test_figure_4_in_passive_form() -> None:
    program = read(FIGURE_4)
    passive = passify(program.procedure("f"), program, results=True)
    targets = {label: block.targets for label, block in passive.blocks.items()}
    assert targets["start"] == ("l1", "l2")
    assert targets["l1"] == targets["l2"] == ("l3",)
    assert targets["l3"] == ()
    # Every incarnation is given a value once on each path: l2 makes its x that of l1.
    numbers = {
        label: [str(new) for one in block.statements for _, new in one.values]
        for label, block in passive.blocks.items()
    }
    assert numbers["start"] == ["x@0", "y@0"]
    assert numbers["l1"] == ["x@1"]
    assert numbers["l2"] == ["x@2", "x@1"]
    assert numbers["l3"] == ["x@exit", "y@exit", "z@exit"]


@pytest.mark.parametrize("w", range(-2, 5))
def test_figure_4_as_block_equations(w: int) -> None:
    """It returns exactly if x + 1 or x + 2 is at most x + w, and says what it returns."""
    program = read(FIGURE_4)
    found = may_return(passify(program.procedure("f"), program, results=True))
    assert set(found.sides) >= {"start", "l1", "l2", "l3"}
    x, y = Int("x@exit"), Int("y@exit")
    with Solver("z3") as solver:
        solver.add(found.formula, Int("w") == w)
        assert (solver.check() is Status.SAT) == (w >= 1)
        # x is one or two more than before, y is w more.
        for step in (1, 2, 3):
            solver.push()
            solver.add(y - x == w - step)
            assert (solver.check() is Status.SAT) == (step <= 2 and step <= w)
            solver.pop()
