"""What is measured, with names and meanings for people."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.vm import probe

# The numbers of one line or of a whole region, in the order of `NAMES`.
Measures = list[int]

NAMES = (*probe.MEASURES, "reached")
COUNT = len(NAMES)
_PLACES = {name: place for place, name in enumerate(NAMES)}

# What people can rank and draw by, with what it means; `unused` is computed.
MEANINGS = {
    "time": "CPU time",
    "calls": "calls",
    "forks": "forks: symbolic decisions, after which both ways are followed",
    "joins": "joins: times at which two paths met and were merged",
    "unions": "unions made",
    "union_sizes": "members of all unions made",
    "terms": "terms made",
    "reached": "terms that reached a solver",
    "unused": "terms that reached no solver",
    "questions": "questions to solvers",
    "solver_time": "time of solvers",
    "infeasible": "paths that a solver found infeasible",
    "writes": "writes that the journal remembers",
}
TIMES = ("time", "solver_time")


def nothing() -> Measures:
    """Measures of what has not run."""
    return [0] * COUNT


def total(parts: Iterable[Measures]) -> Measures:
    """The sums of measures.

    >>> total([nothing(), nothing()]) == nothing()
    True
    """
    result = nothing()
    for part in parts:
        for place, number in enumerate(part):
            result[place] += number
    return result


def value(measures: Measures, name: str, calls: int = 0, asked: bool = True) -> int:
    """One measure by its name; without a question nothing is known to be unused."""
    if name == "calls":
        return calls
    if name == "unused":
        made, reached = measures[_PLACES["terms"]], measures[_PLACES["reached"]]
        return max(made - reached, 0) if asked else 0
    return measures[_PLACES[name]]


def scaled(measures: Measures, share: float) -> Measures:
    """A part of measures."""
    return [int(number * share) for number in measures]


def as_dict(measures: Measures, calls: int = 0, asked: bool = True) -> dict[str, int]:
    """All measures by name."""
    return {name: value(measures, name, calls, asked) for name in MEANINGS}


def shown(name: str, number: int) -> str:
    """A measure for people.

    >>> shown("time", 1_234_567), shown("terms", 12345)
    ('1.2 ms', '12,345')
    """
    if name not in TIMES:
        return f"{number:,}"
    return f"{number / 1e9:.2f} s" if abs(number) >= 1e9 else f"{number / 1e6:.1f} ms"
