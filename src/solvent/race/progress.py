"""How far a race is, in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvent.queries.coverage import Level


@dataclass(slots=True)
class Progress:
    """How far a race is, for whoever watches."""

    seconds: float = 0.0
    level: Level | None = None
    best: Level | None = None
    terms: int = 0
    asking: str = ""
    open_questions: int = 0
    probes: int = 0
    paths: int = 0

    def __str__(self) -> str:
        parts = [f"{self.seconds:.0f} s"]
        if self.best is not None:
            parts.append(f"none fails with {_short(self.best)}")
        if self.level is not None:
            parts.append(f"at {_short(self.level)}")
        if self.terms:
            parts.append(f"{self.terms:,} terms")
        if self.open_questions:
            parts.append(f"{self.open_questions} open")
        if self.paths:
            parts.append(f"{self.paths} paths")
        return " · ".join(parts)


def _short(level: Level) -> str:
    """A level in so few words that it fits into a line with others."""
    parts = [] if level.length is None else [f"length {level.length}"]
    if level.bound is not None:
        parts.append(f"{level.bound} rounds")
    return ", ".join(parts) or "any size"


Watch = Callable[[Progress], object]
