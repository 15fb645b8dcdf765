"""What a check has covered when it ends: facts, by which means they are known, and what is open.

A *level* is one symbolic run of all paths, on inputs up to a length and with loops up to a bound.
What was decided at a level is a fact about all inputs of that size.  Probes and paths are examples:
they find failures, and prove nothing unless the paths are all there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from solvent.verdicts.rendering import Json

# What a reader sees of a list; all of it is in the JSON object.
_MOST_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Level:
    """How long inputs were, and how often a loop ran, at most; `None` where nothing was cut.

    >>> print(Level(2, 8), Level(2), Level(bound=8), Level(), sep="; ")
    containers and texts of up to 2, loops of up to 8 rounds; containers and texts of up to 2; \
loops of up to 8 rounds; all inputs
    """

    length: int | None = None
    bound: int | None = None

    def __str__(self) -> str:
        parts = []
        if self.length is not None:
            parts.append(f"containers and texts of up to {self.length}")
        if self.bound is not None:
            parts.append(f"loops of up to {self.bound} rounds")
        return ", ".join(parts) or "all inputs"


@dataclass(frozen=True, slots=True)
class Decided:
    """A place that may fail, and the largest level at which it is known not to."""

    position: str
    exception: str
    level: Level
    by: str

    def __str__(self) -> str:
        return f"{self.position}: no {self.exception} for {self.level}, by {self.by}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is known when a check ends.

    >>> found = Coverage(levels=(Level(0), Level(1)), probes=120, open=("containers of 2",))
    >>> print(*found.lines(), sep="\\n")
    covered: no failure for containers and texts of up to 1; 120 probes
    open: containers of 2
    """

    # Sizes at which no input fails, in the order in which they were decided.
    levels: tuple[Level, ...] = ()
    # Whether all inputs that were asked about are known not to fail, and how that is known.
    proved: str = ""
    probes: int = 0
    # How many of the probes Hypothesis has drawn.
    drawn: int = 0
    # Why there were no probes, or no more.
    no_probes: str = ""
    paths: int = 0
    # Calls that were made with values that a model chose, so that others remain untried.
    concretized: tuple[str, ...] = ()
    # What probes came to that is neither a result nor a failure of one call.
    seen: tuple[str, ...] = ()
    decided: tuple[Decided, ...] = ()
    # Places, each with an exception, that were asked about without an answer.
    undecided: tuple[tuple[str, str], ...] = ()
    open: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The two lines that are printed."""
        yield f"covered: {'; '.join(self._facts()) or 'nothing'}"
        if self.open:
            yield f"open: {_first(self.open)}"

    def _facts(self) -> Iterator[str]:
        if self.proved:
            yield f"all inputs, {self.proved}"
        elif self.levels:
            yield f"no failure for {self.levels[-1]}"
        elif self.decided:
            yield f"{len(self.decided)} places that do not fail"
        if self.probes:
            by = f", {self.drawn} of them drawn by Hypothesis" if self.drawn else ""
            yield f"{self.probes} probe{'s' * (self.probes != 1)}{by}"
        if self.no_probes:
            what = "more probes" if self.probes else "probe returned" if self.seen else "probes"
            yield f"no {what} ({self.no_probes})"
        if self.paths:
            yield f"{self.paths} path{'s' * (self.paths != 1)}"
        if self.concretized:
            yield f"with chosen values for {_first(self.concretized)}"
        if self.seen:
            yield _first(self.seen)

    def as_dict(self) -> Json:
        """The coverage for JSON."""
        return {
            "levels": [asdict(level) for level in self.levels],
            "proved": self.proved,
            "probes": self.probes,
            "drawn": self.drawn,
            "no_probes": self.no_probes,
            "paths": self.paths,
            "concretized": list(self.concretized),
            "seen": list(self.seen),
            "decided": [
                {
                    "position": one.position,
                    "exception": one.exception,
                    "level": asdict(one.level),
                    "by": one.by,
                }
                for one in self.decided
            ],
            "undecided": [
                {"position": position, "exception": exception}
                for position, exception in self.undecided
            ],
            "open": list(self.open),
        }


def _first(texts: tuple[str, ...]) -> str:
    shown = "; ".join(texts[:_MOST_SHOWN])
    more = len(texts) - _MOST_SHOWN
    return f"{shown}; and {more} more" if more > 0 else shown
