"""The reporter: what the core counts while a program runs, and who is told.

The core calls `joined`, `union_made` and `asked`; profilers and tracers listen.  The
figures are those of table 4 of "A Lightweight Symbolic Virtual Machine".
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field

# What is told of what happened: the size of a union, the answer of a solver.
Detail = int | str | None
Listener = Callable[[str, Detail], None]


@dataclass(slots=True)
class Stats:
    """Counts of one symbolic run."""

    forks: int = 0
    joins: int = 0
    unions: int = 0
    union_sizes: int = 0
    largest_union: int = 0
    terms: int = 0
    # Writes that the journal was told of, since a path may have to undo them.
    writes: int = 0
    solver_calls: int = 0
    # Of these, answers that no input gets there.
    infeasible: int = 0
    solver_seconds: float = 0.0
    seconds: float = 0.0
    # Of the processor, which other processes do not prolong.
    cpu_seconds: float = 0.0
    listeners: list[Listener] = field(default_factory=list, repr=False)

    def tell(self, what: str, detail: Detail) -> None:
        """Tell the listeners that something happened."""
        for listener in self.listeners:
            listener(what, detail)

    def joined(self) -> None:
        """Two paths met again."""
        self.joins += 1
        self.tell("join", None)

    def union_made(self, size: int) -> None:
        """A union with so many members was created."""
        self.unions += 1
        self.union_sizes += size
        if size > self.largest_union:
            self.largest_union = size
        self.tell("union", size)

    def asked(self, status: str, seconds: float = 0.0) -> None:
        """A solver was asked whether a path is feasible."""
        self.solver_calls += 1
        self.solver_seconds += seconds
        if status == "unsat":
            self.infeasible += 1
        self.tell("solver", status)

    def as_dict(self) -> dict[str, float]:
        """The counts, for JSON."""
        return {
            "forks": self.forks,
            "joins": self.joins,
            "unions": self.unions,
            "union_sizes": self.union_sizes,
            "largest_union": self.largest_union,
            "terms": self.terms,
            "writes": self.writes,
            "solver_calls": self.solver_calls,
            "infeasible": self.infeasible,
            "solver_seconds": self.solver_seconds,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
        }


# Who is told of what happens in all runs of this thread or task.
WATCHER: ContextVar[Listener | None] = ContextVar("solvent_watcher", default=None)


def new_stats() -> Stats:
    """The statistics of a new run, of which the watcher is told.

    >>> seen = []
    >>> token = WATCHER.set(lambda what, detail: seen.append(what))
    >>> new_stats().joined()
    >>> WATCHER.reset(token)
    >>> new_stats().joined()
    >>> seen
    ['join']
    """
    watcher = WATCHER.get()
    return Stats() if watcher is None else Stats(listeners=[watcher])


def tell_watcher(what: str, detail: Detail = None) -> None:
    """Tell the watcher of something that is no part of a run."""
    watcher = WATCHER.get()
    if watcher is not None:
        watcher(what, detail)


STATS: ContextVar[Stats] = ContextVar("solvent_stats")


def current_stats() -> Stats:
    """The statistics of the run that this thread or task is in."""
    try:
        return STATS.get()
    except LookupError:
        stats = Stats()
        STATS.set(stats)
        return stats
