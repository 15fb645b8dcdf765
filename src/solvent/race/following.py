"""The lane of paths: one after the other, with chosen values where something is not lifted.

It finds failures where merging is refused or too slow.  It proves only if every path was followed
to its end on symbolic values.
"""

from __future__ import annotations

from solvent.explore.failing import failing_paths
from solvent.race.effects import Watch
from solvent.race.lanes import Report
from solvent.race.levels import Subject
from solvent.verdicts import Deadline


def run_paths(subject: Subject, report: Report, deadline: Deadline) -> None:
    """Search a function for failing paths until the deadline."""
    Watch(report, symbolic=True)
    options = subject.options
    failing_paths(
        subject.function,
        subject.inputs(),
        report,
        seconds=deadline.left(),
        bound=options.bound,
        solver=options.solver,
        timeout=options.timeout,
        is_failure=lambda error: not subject.meant.allows(error),
    )
