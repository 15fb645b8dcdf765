"""Syntax-guided synthesis by cvc5: constants for which a formula holds for all inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cvc5

if TYPE_CHECKING:
    from solvent.solvers.engines.base import Native


def synthesize(
    terms: Native,
    formula: Native,
    inputs: Sequence[Native],
    holes: Sequence[Native],
    seconds: float | None,
) -> tuple[str, str, list[Native]]:
    """The status, the reason if it is unknown, and the values of the holes if there are some."""
    solver = cvc5.Solver(terms)
    solver.setOption("sygus", "true")
    solver.setOption("incremental", "false")
    if seconds is not None:
        solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    solver.setLogic("ALL")
    variables = [solver.declareSygusVar(f"input{n}", c.getSort()) for n, c in enumerate(inputs)]
    functions = [solver.synthFun(f"hole{n}", [], c.getSort()) for n, c in enumerate(holes)]
    old, new = [*inputs, *holes], [*variables, *functions]
    solver.addSygusConstraint(formula.substitute(old, new) if old else formula)
    try:
        result = solver.checkSynth()
    except RuntimeError as error:
        return "unknown", str(error), []
    if result.hasSolution():
        # A solution may be an expression such as the complement of zero.
        return "sat", "", [solver.simplify(solver.getSynthSolution(f)) for f in functions]
    if result.hasNoSolution():
        return "unsat", "", []
    return "unknown", "incomplete", []
