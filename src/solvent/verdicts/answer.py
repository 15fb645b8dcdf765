"""What an engine says: a verdict, with what qualifies and what shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, Self, TypeVar

from solvent.verdicts.finding import Finding
from solvent.verdicts.verdict import Verdict

Part = TypeVar("Part", bound="Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A verdict, the bound up to which nothing is violated, and why or how it is known.

    Engines add what only they know in subclasses, which then say in `findings`, `headline` and
    `details` what it means to everybody else.

    >>> found = Answer(verdict=Verdict.BOUNDED, bound=7)
    >>> found.holds, found.words, found.findings
    (False, 'holds up to the bound', ())
    """

    # How an engine has always called the verdicts; its commands print these, but not in JSON.
    WORDS: ClassVar[Mapping[Verdict, str]] = {one: one.value for one in Verdict}

    verdict: Verdict = Verdict.UNKNOWN
    reason: str = ""
    bound: int | None = None
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether the property is known to hold, without any bound."""
        return self.verdict is Verdict.HOLDS

    @property
    def words(self) -> str:
        """The verdict as the engine calls it."""
        return self.WORDS[self.verdict]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong; empty unless the verdict is that something is."""
        return ()

    def headline(self) -> str:
        """The answer in a line."""
        return f"{self.words}: {self.reason}" if self.reason else self.words

    def details(self) -> Iterator[str]:
        """What else there is to say, line by line."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Stated(Answer):
    """An answer whose findings are stated as they are, for who has no details of its own.

    >>> Stated((Finding("z3 is wrong"),), verdict=Verdict.VIOLATED).findings[0].message
    'z3 is wrong'
    """

    stated: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is stated."""
        return self.stated


@dataclass(frozen=True, slots=True)
class Together(Answer, Generic[Part]):
    """Several answers about parts of one thing as one answer about it: the worst counts.

    >>> one = Together.of([Answer(verdict=Verdict.HOLDS), Answer(reason="the solver gave up")])
    >>> one.headline()
    'unknown: the solver gave up'
    """

    answers: tuple[Part, ...] = ()

    @classmethod
    def of(cls, answers: Iterable[Part], seconds: float = 0.0) -> Self:
        """Put answers together."""
        parts = tuple(answers)
        verdict = Verdict.worst(one.verdict for one in parts)
        reasons = [one.reason for one in parts if one.verdict is verdict and one.reason]
        bounds = [one.bound for one in parts if one.bound is not None]
        return cls(
            parts,
            verdict=verdict,
            # Why each part holds is a matter of the parts.
            reason="" if verdict.is_definite else "; ".join(dict.fromkeys(reasons)),
            bound=min(bounds, default=None),
            seconds=seconds,
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all parts."""
        return tuple(finding for one in self.answers for finding in one.findings)

    def details(self) -> Iterator[str]:
        return map(str, self.findings)
