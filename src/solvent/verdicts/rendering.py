"""How answers are shown: lines on a terminal, the core of JSON objects, and a colour.

>>> from solvent.verdicts.answer import Answer
>>> found = Answer(verdict=Verdict.UNKNOWN, reason="the solver gave up", bound=3)
>>> print(*lines(found, "a.c"), sep="\\n")
a.c: unknown: the solver gave up
>>> as_json(found)
{'verdict': 'unknown', 'holds': None, 'bound': 3, 'reason': 'the solver gave up', 'findings': []}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from solvent.verdicts.answer import Answer
from solvent.verdicts.finding import Finding
from solvent.verdicts.verdict import Verdict

Json = dict[str, object]

_COLORS = {Verdict.HOLDS: "green", Verdict.VIOLATED: "red"}


class Shown(Protocol):
    """What can be shown: a line, and more lines about it."""

    def headline(self) -> str:
        """The answer in a line."""

    def details(self) -> Iterator[str]:
        """What else there is to say."""


def lines(shown: Shown, about: str = "") -> Iterator[str]:
    """The lines that commands print: what it is about and the headline, the details indented."""
    yield f"{about}: {shown.headline()}" if about else shown.headline()
    for line in shown.details():
        yield f"  {line}"


def color(verdict: Verdict) -> str:
    """Good, bad, or not known.

    >>> color(Verdict.HOLDS), color(Verdict.VIOLATED), color(Verdict.BOUNDED)
    ('green', 'red', 'yellow')
    """
    return _COLORS.get(verdict, "yellow")


def as_json(answer: Answer) -> Json:
    """What the JSON objects of all commands have in common; each adds fields of its own.

    `verdict` is the value of a `Verdict`, however the engine calls it in the lines that it prints.
    """
    return {
        "verdict": answer.verdict.value,
        "holds": answer.verdict.holds,
        "bound": answer.bound,
        "reason": answer.reason,
        "findings": [_finding(one) for one in answer.findings],
    }


def _finding(finding: Finding) -> Json:
    return {
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "inputs": dict(finding.inputs),
        "trace": list(finding.trace),
        "confirmed": finding.confirmed,
        "kind": finding.kind,
    }
