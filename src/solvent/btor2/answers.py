"""What the engines answer: about each property, whichever engine found it, and about the model."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.btor2.witness import Witness
from solvent.terms.booleans import BoolTerm
from solvent.verdicts import Answer, Finding, Together, Verdict


@dataclass(frozen=True, slots=True)
class PropertyAnswer(Answer):
    """What is known about a property (`b0`, `j0`, ...); the bound is the last time looked at.

    >>> print(PropertyAnswer("b0", "odd", verdict=Verdict.BOUNDED, bound=7))
    b0 (odd) holds up to time 7
    """

    label: str
    symbol: str = ""
    engine: str = ""
    # When it is violated, and an execution that shows it.
    time: int | None = None
    witness: Witness | None = None
    # What shows that it holds, if the engine says so.
    invariant: BoolTerm | bool | None = None

    @property
    def depth(self) -> int:
        """When it is violated, the bound up to which it holds, or -1."""
        known = self.time if self.verdict is Verdict.VIOLATED else self.bound
        return -1 if known is None else known

    @property
    def name(self) -> str:
        """The property as messages call it."""
        return f"{self.label} ({self.symbol})" if self.symbol else self.label

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The violation; its witness has been replayed by the simulator."""
        if self.verdict is not Verdict.VIOLATED:
            return ()
        trace = () if self.witness is None else tuple(str(self.witness).splitlines())
        return (Finding(self.headline(), trace=trace, confirmed=self.witness is not None),)

    def headline(self) -> str:
        match self.verdict:
            case Verdict.VIOLATED:
                return f"{self.name} is violated at time {self.time}"
            case Verdict.HOLDS:
                how = f", {self.reason}" if self.reason else ""
                return f"{self.name} holds ({self.engine}{how})"
            case Verdict.BOUNDED:
                return f"{self.name} holds up to time {self.bound}"
        more = f" up to time {self.bound} it holds;" if self.depth >= 0 else ""
        return f"{self.name} is unknown:{more} {self.reason or 'no engine gave an answer'}"

    def __str__(self) -> str:
        return self.headline()


@dataclass(frozen=True, slots=True)
class ModelAnswer(Together[PropertyAnswer]):
    """The answers about all properties of a model.

    >>> good, open_ = PropertyAnswer("b0", verdict=Verdict.HOLDS), PropertyAnswer("b1")
    >>> ModelAnswer.of([good, open_]).verdict
    <Verdict.UNKNOWN: 'unknown'>
    """

    @property
    def witnesses(self) -> list[Witness]:
        """The different witnesses that were found."""
        found: list[Witness] = []
        for one in self.answers:
            if one.witness is not None and all(one.witness is not w for w in found):
                found.append(one.witness)
        return found

    def __getitem__(self, name: str) -> PropertyAnswer:
        for one in self.answers:
            if name in (one.label, one.symbol):
                return one
        raise KeyError(name)
