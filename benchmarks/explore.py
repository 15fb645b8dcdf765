"""The diamond family: paths against merged states for n independent branches.

Path by path the cost doubles with each branch; for the merging machine it grows by one join.  Up to
ten branches all paths are explored; beyond, so many as a second allows, out of 2ⁿ.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.figure import Figure

ALL_PATHS = (5, 6, 8, 10)
SOME_PATHS = (12, 15, 20)
SECONDS = 1.0


def diamond(flags: list[Any]) -> Any:
    """One independent branch for each flag."""
    total = 0
    for place, flag in enumerate(flags):
        if flag:
            total = total + place
        else:
            total = total * 2
    return total


def flags(count: int) -> list[Any]:
    """Symbolic truth values."""
    from solvent import Bool

    return [Bool(f"b{place}") for place in range(count)]


def explored(count: int, seconds: float | None = None) -> tuple[Any, float]:
    """Explore the diamond with so many branches."""
    from solvent.explore import explore

    started = time.perf_counter()
    found = explore(diamond, flags(count), paths=1 << 21, seconds=seconds, confirm=False)
    return found, time.perf_counter() - started


def merged(count: int) -> tuple[Any, int, float]:
    """Run it with merging: the outcome, the size of its formula, and the time."""
    from solvent.lift import execute
    from solvent.terms.graph import reachable

    started = time.perf_counter()
    outcome = execute(diamond, flags(count))
    taken = time.perf_counter() - started
    return outcome, len(reachable([outcome.value])), taken


def run() -> list[Figure]:
    """All figures."""
    figures = []
    explored(2)
    for count in (*ALL_PATHS, *SOME_PATHS):
        name = f"diamond with {count} branches"
        if count in ALL_PATHS:
            found, taken = explored(count)
            paths = len(found.paths)
            figures.append(Figure(f"{name}: paths", paths, "", f"{2**count:,}", paths == 2**count))
            figures.append(Figure(f"{name}: path by path", taken, "s"))
        else:
            found, _ = explored(count, SECONDS)
            figures.append(Figure(f"{name}: paths in 1 s, of {2**count:,}", len(found.paths), ""))
        outcome, size, taken = merged(count)
        joins = outcome.stats.joins
        figures.append(Figure(f"{name}: joins when merged", joins, "", str(count), joins == count))
        figures.append(Figure(f"{name}: terms when merged", size, "", "linear", size <= 8 * count))
        figures.append(Figure(f"{name}: merged", taken, "s", "< 0.1 s", taken < 0.1))
    return figures
