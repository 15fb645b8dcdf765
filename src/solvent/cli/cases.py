"""What a command was asked about, case by case, for the reports that other tools read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solvent.verdicts import Answer, Finding, Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """One of the things that a command was asked about: a function, a procedure, a property."""

    name: str
    answer: Answer
    # File and line, as editors understand it.
    position: str = ""
    # Why it was not looked at.
    skipped: str = ""
    # Whether what it is about is bad input, such as a contract that is no Python.
    is_bad: bool = False

    @property
    def place(self) -> Place:
        """Its file and line.

        >>> Case("f", Answer(), "a.py:7").place
        Place(file='a.py', line=7)
        """
        return Place.of(self.position)

    @property
    def is_open(self) -> bool:
        """Whether it was looked at, and it is still not known whether it holds."""
        return not self.skipped and not self.is_bad and not self.answer.verdict.is_definite

    @property
    def mistake(self) -> tuple[Place, str]:
        """Where bad input is wrong, and what is.

        >>> Case("f", Answer(reason="a.py:3: invalid syntax"), "a.py:1", is_bad=True).mistake
        (Place(file='a.py', line=3), 'f: a.py:3: invalid syntax')
        """
        place = Place.of(self.answer.reason.partition(": ")[0])
        text = self.answer.reason
        told = text if text.startswith(self.name) else f"{self.name}: {text}"
        return place if place.line else self.place, told

    @property
    def why(self) -> str:
        """Why nothing is known about it, in a sentence."""
        if self.answer.verdict is Verdict.BOUNDED and not self.answer.reason:
            return f"{self.name}: {self.answer.verdict.value} ({self.answer.bound})"
        return f"{self.name}: unknown: {self.answer.reason or 'no reason is given'}"


class Place(NamedTuple):
    """A file and a line; 0 is the file as a whole, and no file is nowhere."""

    file: str = ""
    line: int = 0

    @classmethod
    def of(cls, position: str) -> Place:
        """The place that a text such as `a.py:7` names.

        >>> Place.of("a.py"), Place.of("")
        (Place(file='a.py', line=0), Place(file='', line=0))
        """
        file, colon, line = position.rpartition(":")
        return cls(file, int(line)) if colon and line.isdecimal() else cls(position)


@dataclass(frozen=True, slots=True)
class Told:
    """All that a command has to say, whichever form it is said in."""

    command: str
    target: tuple[str, ...]
    answer: Answer
    cases: tuple[Case, ...]
    seconds: float
    # Why there is no answer at all.
    error: str = ""


def sentence(finding: Finding) -> str:
    """What is wrong in a line, with the call that shows it.

    >>> sentence(Finding("AssertionError", trace=("f(x=7)",), kind="AssertionError"))
    'AssertionError when calling f(x=7)'
    >>> sentence(Finding("This assertion might not hold.", trace=("line 1", "line 2")))
    'This assertion might not hold.'
    """
    # Only functions have exceptions, and only of these the trace is a call.
    if finding.kind and finding.trace:
        return f"{finding.message} when calling {finding.trace[0]}"
    return finding.message
