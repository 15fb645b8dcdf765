"""What a benchmark of a language is: a query with a name, a bound, and the paper's row for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
class Rosette:
    """What Rosette 4 needs for the same query on a machine of today, in seconds."""

    evaluation: float
    # None if it gave no answer.
    solving: float | None
    terms: int | None = None


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
    evaluation: float
    solving: float
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
    paper: PaperRow | None = None
    rosette: Rosette | None = None
    # Anything that a command may want to show, such as the number of instructions.
    details: dict[str, object] | None = None
