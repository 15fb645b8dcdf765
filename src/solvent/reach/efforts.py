"""Efforts: how many steps Z3 may take over a question with quantifiers before it begins anew.

Most questions need a moment, and a few have no end.  So one that takes too long is asked again of
a new solver with another seed, which may take four times as many steps; the last one has no limit.
Every other one does without extensionality of arrays: where paths meet, each two versions of a map
would have an index at which they differ, which nested maps multiply.  It proves less, and what it
finds is confirmed by running the program.  Steps are counted by Z3, not by a clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.verdicts import Deadline

# Less than a second of a processor.
FIRST = 2_500_000
GROWTH = 4
ENDLESS = 4


def solver_at(effort: int) -> Solver:
    """A new solver for an effort, from 0 on."""
    settings = ["z3:triggers", f"smt.random_seed={effort}"]
    if effort < ENDLESS:
        settings.append(f"rlimit={FIRST * GROWTH**effort}")
    if effort % 2:
        settings.append("smt.array.extensional=false")
    return Solver(" ".join(settings))


def is_exhausted(solver: Solver, deadline: Deadline) -> bool:
    """Whether the last check ended because it has taken too many steps, and there is time left."""
    if solver.checked.status is not Status.UNKNOWN or deadline.is_over:
        return False
    return "quantifiers" not in solver.reason


def efforts() -> Iterator[int]:
    """The efforts in turn."""
    return iter(range(ENDLESS + 1))
