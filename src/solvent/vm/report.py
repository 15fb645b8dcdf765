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

    joins: int = 0
    unions: int = 0
    union_sizes: int = 0
    largest_union: int = 0
    terms: int = 0
    solver_calls: int = 0
    seconds: float = 0.0
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

    def asked(self, status: str) -> None:
        """A solver was asked whether a path is feasible."""
        self.solver_calls += 1
        self.tell("solver", status)

    def as_dict(self) -> dict[str, float]:
        """The counts, for JSON."""
        return {
            "joins": self.joins,
            "unions": self.unions,
            "union_sizes": self.union_sizes,
            "largest_union": self.largest_union,
            "terms": self.terms,
            "solver_calls": self.solver_calls,
            "seconds": self.seconds,
        }


STATS: ContextVar[Stats] = ContextVar("solvent_stats")


def current_stats() -> Stats:
    """The statistics of the run that this thread or task is in."""
    try:
        return STATS.get()
    except LookupError:
        stats = Stats()
        STATS.set(stats)
        return stats
