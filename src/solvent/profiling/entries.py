"""The entries of a profile: functions, call sites, loops and lines, and how they are ranked.

The score follows "Finding code that explodes under symbolic evaluation" (OOPSLA 2018): each measure
is divided by the largest of all entries, and the parts are added up.  What makes a place bad is
what it does itself, so that exclusive measures count.  A line that calls its own function again is
also answerable for what the function did in the calls that it made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solvent.profiling.measures import Measures, as_dict, value

# What the score consists of.
SCORED = ("time", "terms", "unused", "union_sizes", "joins")


@dataclass(slots=True)
class Entry:
    """A place in a program, with what it did itself and what it did with all that it called."""

    kind: str
    name: str
    file: str
    line: int
    last: int
    calls: int
    exclusive: Measures
    inclusive: Measures
    asked: bool = True
    score: float = 0.0
    # For a call site: from which function.
    caller: str = ""
    # What the calls did that a line made of its own function.
    recursive: Measures | None = None

    def value(self, measure: str, inclusive: bool = False) -> int:
        """One of its measures."""
        found = self.inclusive if inclusive else self.exclusive
        return value(found, measure, self.calls, self.asked)

    def blamed(self, measure: str) -> int:
        """What counts for the score."""
        again = 0 if self.recursive is None else value(self.recursive, measure, 0, self.asked)
        return max(self.value(measure), 0) + max(again, 0)

    @property
    def position(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.file else self.name

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What it is found by in another profile of the same program."""
        return self.kind, self.file, self.caller, self.name, self.line

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "kind": self.kind,
            "name": self.name,
            "caller": self.caller,
            "file": self.file,
            "line": self.line,
            "last": self.last,
            "calls": self.calls,
            "score": round(self.score, 4),
            "exclusive": as_dict(self.exclusive, self.calls, self.asked),
            "inclusive": as_dict(self.inclusive, self.calls, self.asked),
        }


def ranked(entries: Sequence[Entry]) -> list[Entry]:
    """The entries with their scores, the worst first."""
    for measure in SCORED:
        largest = max((entry.blamed(measure) for entry in entries), default=0)
        if largest > 0:
            for entry in entries:
                entry.score += entry.blamed(measure) / largest
    return sorted(entries, key=lambda entry: (-entry.score, entry.file, entry.line))
