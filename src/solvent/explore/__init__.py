"""Path by path: every way through a Python function, with an example, and tests made of them.

The virtual machine merges paths; this is the other way, the dynamic test generation of section 5
of "From Program to Logic: An Introduction".

>>> def middle(a: int, b: int) -> str:
...     if a < b:
...         return "less"
...     return "more" if a > b else "equal"
>>> found = explore(middle, merged=True)
>>> found.complete, found.confirmed, len(found.paths), found.merged.states
(True, True, 3, 1)
"""

from solvent.explore.composing import SummaryUse
from solvent.explore.coverage import Branch, Coverage
from solvent.explore.directing import Decision
from solvent.explore.exploring import explore
from solvent.explore.failing import PathFailure, PathProgress, PathSummary, failing_paths
from solvent.explore.results import Exploration, ExploredPath, ExploreStats, MergedRun
from solvent.explore.searching import Unexplored
from solvent.explore.testfile import Suite, suite
from solvent.vm.own import own

__all__ = [
    "Branch",
    "Coverage",
    "Decision",
    "Exploration",
    "ExploreStats",
    "ExploredPath",
    "MergedRun",
    "PathFailure",
    "PathProgress",
    "PathSummary",
    "Suite",
    "SummaryUse",
    "Unexplored",
    "explore",
    "failing_paths",
    "suite",
]

own(__file__)
