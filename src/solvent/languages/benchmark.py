"""What a benchmark of a language is: a query with a name, a bound, and what others need for it."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from solvent.solvers.process import pool
from solvent.solvers.remembered import MEMORY
from solvent.terms.memory import sweep
from solvent.vm.report import Stats


class Kind(Enum):
    """Whether a row compares programs that do the same."""

    SAME = "same program"
    OWN = "our own formulation"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row of table 4 of "A Lightweight Symbolic Virtual Machine": counts, and seconds."""

    joins: int
    unions: int
    union_sum: int
    union_max: int
    evaluation: float
    solving: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What a peer needs for the same query: seconds of the processor, and counts."""

    evaluation: float
    # None if it is not known, or there was no answer.
    total: float | None = None
    terms: int | None = None
    joins: int | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """Whose figures stand beside ours, and what there is to know of them."""

    name: str
    about: str


ROSETTE = Peer(
    "Rosette 4",
    "recorded, by November 2026: Racket 8.7 and Z3 4.8.8 on 2 cores, Debian 12; seconds of the "
    "processor, the least of 3 runs; evaluation ends before formulas are made finite and printed, "
    "the total has that and Z3 with its start",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of a benchmark came to."""

    # In a word or two: "verified", "counterexample", "synthesized", "unknown".
    answer: str
    # Whether it is the answer that is expected, confirmed by running the real program.
    expected: bool
    joins: int
    unions: int
    union_sum: int
    union_max: int
    terms: int
    # Seconds of the processor: of the symbolic run, and of all until the answer, with the start
    # of solvers, in this process and in theirs.
    evaluation: float
    total: float
    # What was found, for a reader: the counterexample, the XPath, the completed sketch.
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A query to measure."""

    # The language ("ifcl", "websynth", "synthcl") and the name of the paper ("B1", "MM2 verify").
    language: str
    name: str
    bound: str
    # Answers the query within so many seconds, from scratch; it can be sent to another process.
    run: Callable[[float], Outcome]
    kind: Kind = Kind.OWN
    paper: PaperRow | None = None
    peer: Figures | None = None
    # What differs from the peer's program.
    note: str = ""
    # Anything that a command may want to show, such as the number of instructions.
    details: dict[str, object] | None = None

    @property
    def key(self) -> str:
        """What a peer knows the query by, however it is formulated here."""
        return f"{self.language} {self.name}"


class Clock:
    """Seconds of the processor since some moment, in this process and in the solvers it started.

    >>> clock = Clock()
    >>> clock.total() >= 0
    True
    """

    def __init__(self) -> None:
        # So that nothing is left of a rehearsal: no solver, whose start counts, no terms and no
        # answers.
        pool.close()
        MEMORY.clear()
        gc.unfreeze()
        gc.collect()
        sweep()
        self._begun = _used()

    def total(self) -> float:
        """What was used until now; solvers are ended, since the system counts what has ended."""
        pool.close()
        return _used() - self._begun


def _used() -> float:
    solvers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + solvers.ru_utime + solvers.ru_stime


def outcome(
    answer: str, expected: bool, run: Stats, total: float, detail: str = ""
) -> Outcome:  # fmt: skip
    """What a query with one symbolic run came to.

    >>> outcome("verified", True, Stats(joins=3), 0.5).joins
    3
    """
    return Outcome(
        answer=answer,
        expected=expected,
        joins=run.joins,
        unions=run.unions,
        union_sum=run.union_sizes,
        union_max=run.largest_union,
        terms=run.terms,
        evaluation=run.cpu_seconds,
        total=total,
        detail=detail,
    )
