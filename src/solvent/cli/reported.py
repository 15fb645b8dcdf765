"""Answers as data, and answers that were data: from another process, a journal, or the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from solvent.verdicts import Answer, Finding, Verdict, color, lines
from solvent.verdicts.rendering import Json, Shown

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class Told(Protocol):
    """An answer about a function that can be printed by itself and as JSON."""

    def as_dict(self) -> Json:
        """The row for JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported(Answer):
    """An answer that was found elsewhere."""

    texts: tuple[str, ...]
    row: Mapping[str, object]
    known: tuple[Finding, ...] = ()
    # What it cost, in words.
    stats: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The failures, if there are any."""
        return self.known

    def headline(self) -> str:
        return self.texts[0]

    def details(self) -> Iterator[str]:
        return iter(self.texts[1:])

    def as_dict(self) -> Json:
        """The row for JSON."""
        return dict(self.row)

    def __str__(self) -> str:
        return "\n".join(lines(self))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Only a terminal needs colours.
        from rich.text import Text

        headline, *details = lines(self)
        yield Text(headline, style=f"bold {color(self.verdict)}")
        yield from map(Text, details)
        if self.stats:
            yield Text(f"  {self.stats}", style="dim")


def as_data(answer: Answer) -> Json:
    """An answer as data."""
    told: Told = answer  # type: ignore[assignment]
    shown: Shown = answer
    stats = getattr(answer, "stats", None)
    return {
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "bound": answer.bound,
        "seconds": answer.seconds,
        "texts": [shown.headline(), *shown.details()],
        "row": told.as_dict(),
        "stats": None if stats is None else str(stats),
    }


def from_data(content: Json) -> Reported:
    """The answer that data stand for; `TypeError`, `LookupError` or `ValueError` if for none."""
    row, texts = content["row"], content["texts"]
    if not isinstance(row, dict) or not isinstance(texts, list) or not texts:
        raise TypeError("an answer has a row and texts")
    bound, stats = content.get("bound"), content.get("stats")
    return Reported(
        verdict=Verdict(content["verdict"]),
        reason=str(content.get("reason", "")),
        bound=bound if isinstance(bound, int) else None,
        seconds=float(str(content.get("seconds", 0.0))),
        texts=tuple(map(str, texts)),
        row=row,
        known=tuple(map(finding_from, row["findings"])),
        stats=None if stats is None else str(stats),
    )


def finding_from(content: Json) -> Finding:
    """The finding that an entry of a JSON object tells of.

    >>> finding_from({"message": "wrong", "file": "a.c", "line": 7}).where
    'a.c:7'
    """
    inputs, trace = content.get("inputs", {}), content.get("trace", ())
    if not isinstance(inputs, dict) or not isinstance(trace, (list, tuple)):
        raise TypeError("a finding has inputs and a trace")
    confirmed = content.get("confirmed")
    return Finding(
        str(content["message"]),
        str(content.get("file", "")),
        int(str(content.get("line", 0))),
        inputs,
        tuple(map(str, trace)),
        confirmed if isinstance(confirmed, bool) else None,
        str(content.get("kind", "")),
    )
