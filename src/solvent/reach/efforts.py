"""Efforts: how many steps Z3 may take over a question with quantifiers before it begins anew.

Most questions need a moment, and a few have no end.  So one that takes too long is asked again of
a new solver with another seed, which may take four times as many steps; the last one has no limit.
Every other one does without extensionality of arrays: where paths meet, each two versions of a map
would have an index at which they differ, which nested maps multiply.  It proves less, and what it
finds is confirmed by running the program.  The first effort is small, since what it cannot do one
without extensionality often can, in a tenth of the steps if it is given facts: under assumptions Z3
begins anew with each fact that it learns.  Steps are counted by Z3, not by a clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.verdicts import Deadline

# A quarter of a second of a processor.
FIRST = 600_000
GROWTH = 4
ENDLESS = 4


def solver_at(effort: int) -> Solver:
    """A new solver for an effort, from 0 on."""
    # As in Boogie: a fact that is learnt does not make it begin anew.
    settings = ["z3:triggers", f"smt.random_seed={effort}", "smt.delay_units=true"]
    if effort < ENDLESS:
        settings.append(f"rlimit={FIRST * GROWTH**effort}")
    if prefers_facts(effort):
        settings.append("smt.array.extensional=false")
    return Solver(" ".join(settings))


def prefers_facts(effort: int) -> bool:
    """Whether an effort is quicker with facts in a frame of their own than with assumptions."""
    return effort % 2 == 1


def is_exhausted(solver: Solver, deadline: Deadline) -> bool:
    """Whether the last check ended because it has taken too many steps, and there is time left."""
    if solver.checked.status is not Status.UNKNOWN or deadline.is_over:
        return False
    return "quantifiers" not in solver.reason


def efforts() -> Iterator[int]:
    """The efforts in turn."""
    return iter(range(ENDLESS + 1))
