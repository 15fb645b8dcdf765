"""What the engines answer: one finding for each property, whichever engine found it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from solvent.btor2.witness import Witness


class Verdict(Enum):
    """What is known about a property."""

    VIOLATED = "violated"
    HOLDS = "holds"
    BOUNDED = "holds up to the bound"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Finding:
    """A property (`b0`, `j0`, ...) and what is known about it.

    `depth` is when it is violated, the bound up to which it holds, or -1.
    """

    property: str
    symbol: str = ""
    verdict: Verdict = Verdict.UNKNOWN
    depth: int = -1
    engine: str = ""
    witness: Witness | None = None
    invariant: Any = None
    reason: str = ""

    def __str__(self) -> str:
        name = f"{self.property} ({self.symbol})" if self.symbol else self.property
        match self.verdict:
            case Verdict.VIOLATED:
                return f"{name} is violated at time {self.depth}"
            case Verdict.HOLDS:
                return f"{name} holds ({self.engine}{self._how()})"
            case Verdict.BOUNDED:
                return f"{name} holds up to time {self.depth}"
        more = f" up to time {self.depth} it holds;" if self.depth >= 0 else ""
        return f"{name} is unknown:{more} {self.reason or 'no engine gave an answer'}"

    def _how(self) -> str:
        return f", {self.reason}" if self.reason else ""


@dataclass(slots=True)
class Result:
    """The findings about all properties of a model."""

    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """One word for all: the worst that was found.

        >>> Result([Finding("b0", verdict=Verdict.HOLDS), Finding("b1")]).verdict
        <Verdict.UNKNOWN: 'unknown'>
        """
        verdicts = [finding.verdict for finding in self.findings]
        for one in (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.BOUNDED):
            if one in verdicts:
                return one
        return Verdict.HOLDS

    @property
    def witnesses(self) -> list[Witness]:
        """The different witnesses that were found."""
        found: list[Witness] = []
        for finding in self.findings:
            if finding.witness is not None and all(finding.witness is not w for w in found):
                found.append(finding.witness)
        return found

    def __getitem__(self, name: str) -> Finding:
        for finding in self.findings:
            if finding.property == name or finding.symbol == name:
                return finding
        raise KeyError(name)
