"""What `solvent verify` has to say: answers, functions without one, and files that are none."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from solvent.cli.cases import Case
from solvent.cli.common import LONGEST, InputError
from solvent.cli.envelope import covered, is_for_people, told
from solvent.cli.limits import marked
from solvent.cli.loading import Subject
from solvent.cli.reported import Told
from solvent.queries.guarding import defined_at
from solvent.queries.replay import cut, relative
from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    UNKNOWN,
    VIOLATION,
    Answer,
    Together,
    Verdict,
    as_json,
    exit_code,
    worst,
)
from solvent.verdicts.rendering import Json

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Unanswered(Answer):
    """Why nothing is known about a function: it is unknown, not supported, or bad input."""

    function: str
    position: str
    status: str
    cause: type[BaseException] | None = None

    def as_dict(self) -> dict[str, object]:
        """The row for JSON."""
        return {
            "function": self.function,
            "position": self.position,
            "status": self.status,
            **as_json(self),
        }

    def __str__(self) -> str:
        what = "" if self.status == "error" else f"{self.said()}: "
        return f"{self.position}: {self.function}: {what}{self.reason}"

    def said(self) -> str:
        """The status in words."""
        return "not supported" if self.status == "unsupported" else self.status

    @property
    def code(self) -> int:
        """The exit code if this is all there is."""
        return BAD_INPUT if self.status == "error" else UNKNOWN


def position_of(function: Subject) -> str:
    """File and line of a function, as editors understand it."""
    return relative(defined_at(function))


def say(options: argparse.Namespace, text: str) -> None:
    """Print a line for people."""
    if not is_for_people(options):
        return
    if sys.stdout.isatty():
        _console().print(text, markup=False)
    else:
        print(text)


def _console() -> Console:
    """What prints with colours; without a terminal it is not worth the time of its import."""
    from solvent.cli.terminal import console

    return console(soft_wrap=True)


def show(options: argparse.Namespace, result: Answer, position: str) -> None:
    """Print an answer about a function for people."""
    if not is_for_people(options):
        return
    # A failure has a place of its own.
    start = "" if result.findings else f"{position}: "
    if sys.stdout.isatty():
        console = _console()
        console.print(start, end="", markup=False)
        console.print(result)
    else:
        stats = getattr(result, "stats", None)
        print(f"{start}{result}", *() if stats is None else (f"  {stats}",), sep="\n", flush=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a report has to say."""

    case: Case
    code: int
    row: Json | None
    # Prints it for people.
    say: Callable[[], None]


@dataclass(slots=True)
class Report:
    """What there is to say so far.

    Each function has a place, in the order in which they were met.  On a terminal an answer is
    printed when it is known; elsewhere when all before it are, so that two runs print the same.
    """

    options: argparse.Namespace
    entries: dict[int, list[Entry]] = field(default_factory=dict)
    skipped: list[Unanswered] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    # The functions that were asked about, by place.
    functions: dict[int, Subject] = field(default_factory=dict)
    # How many places there are, and how many of the first ones were printed.
    _places: int = 0
    _printed: int = 0

    def place(self, function: Subject | None = None) -> int:
        """A place for what will be said about the next function, or target."""
        if function is not None:
            self.functions[self._places] = function
        self._places += 1
        return self._places - 1

    @property
    def known(self) -> list[Entry]:
        """All that is known, in order."""
        return [entry for place in sorted(self.entries) for entry in self.entries[place]]

    @property
    def cases(self) -> list[Case]:
        """What is known case by case."""
        return [entry.case for entry in self.known]

    @property
    def codes(self) -> list[int]:
        """What is known as exit codes."""
        return [entry.code for entry in self.known]

    @property
    def rows(self) -> list[Json]:
        """What is known as rows of the JSON object."""
        return [entry.row for entry in self.known if entry.row is not None]

    def skip(self, name: str, position: str, reason: str) -> None:
        """A function is not checked."""
        reason = marked(cut(relative(reason), LONGEST))
        self.skipped.append(Unanswered(name, position, "not checked", reason=reason))

    def unanswered(self, found: Unanswered, place: int) -> None:
        """There is no answer about a function."""
        case = Case(found.function, found, found.position, is_bad=found.code == BAD_INPUT)
        entry = Entry(case, found.code, found.as_dict(), lambda: say(self.options, str(found)))
        self._settle(place, [entry])

    def answered(self, name: str, position: str, results: Sequence[Answer], place: int) -> None:
        """What is known about a function."""
        self._settle(place, [self._entry(name, position, result) for result in results])

    def _entry(self, name: str, position: str, result: Answer) -> Entry:
        row = {"position": position, **_row(result)}
        code = exit_code(result.verdict)
        case = Case(name, result, position)
        return Entry(case, code, row, lambda: show(self.options, result, position))

    def bad(self, error: InputError) -> None:
        """A target is none; the others still are."""
        message = cut(str(error), LONGEST)
        self.errors.append(message)
        case = Case(message.partition(":")[0], Answer(reason=message), is_bad=True)
        print(f"solvent: {message}", file=sys.stderr)
        self._settle(self.place(), [Entry(case, BAD_INPUT, None, lambda: None)])

    def _settle(self, place: int, entries: list[Entry]) -> None:
        self.entries[place] = entries
        if sys.stdout.isatty():
            for entry in entries:
                entry.say()
            return
        while self._printed in self.entries:
            for entry in self.entries[self._printed]:
                entry.say()
            self._printed += 1

    def flush(self) -> None:
        """Print what waits for others that will not come any more."""
        for place in sorted(one for one in self.entries if one >= self._printed):
            if not sys.stdout.isatty():
                for entry in self.entries[place]:
                    entry.say()
        self._printed = self._places

    def finish(self, nothing: str) -> int:
        """Say what was left out, and give the exit code; `nothing` tells why no answer is none."""
        self.flush()
        if not self.codes and nothing and not self.options.allow_unknown:
            raise InputError(nothing)
        if not self.codes and not self.skipped:
            say(self.options, "nothing to check" if nothing else "nothing has changed")
        for row in self.skipped:
            say(self.options, str(row))
        texts = self.options.target
        fields: Json = {
            "file": texts[0].partition("::")[0] if len(texts) == 1 else None,
            "results": self.rows,
            "not_checked": [row.as_dict() for row in self.skipped],
        }
        if self.errors:
            fields |= {"errors": self.errors}
        if getattr(self.options, "html", None):
            self._write_page()
        skipped = [Case(row.function, row, row.position, row.reason) for row in self.skipped]
        together = Together.of(case.answer for case in self.cases)
        told(
            self.options,
            fields,
            together,
            coverage=self._coverage(),
            cases=[*self.cases, *skipped],
        )
        code = worst(self.codes)
        return DONE if code == UNKNOWN and self.options.allow_unknown else code

    def unread(self, nothing: str, code: int) -> int:
        """Nobody reads what is printed: what goes to files is written, for what is known.

        A violation is one all the same; else the exit code says that not everything was told.
        """
        known = self.finish(nothing) if self.codes else code
        return known if known == VIOLATION else code

    def _write_page(self) -> None:
        """A page with each failing call, and the other answers below."""
        # Few ask for one.
        from solvent.cli.tracing import python_story, write_stories

        stories = [
            python_story(self.functions[place], entry.case.answer)
            for place in sorted(self.entries)
            for entry in self.entries[place]
            if entry.case.answer.findings and place in self.functions
        ]
        others = [f"{row.position}: {row.function}: {row.reason}" for row in self.skipped]
        good = [
            f"{case.position}: {str(case.answer).partition(chr(10))[0]}"
            for case in self.cases
            if not case.answer.findings
        ]
        title = " ".join(["solvent verify", *self.options.target])
        write_stories(self.options, title, stories, [*good, *others])

    def _coverage(self) -> Json:
        """What is known about the functions together; of one, all that its check has covered."""
        verdicts = [case.answer.verdict for case in self.cases]
        holds, fails = verdicts.count(Verdict.HOLDS), verdicts.count(Verdict.VIOLATED)
        text = f"of {len(verdicts)} checks {holds} proved, {fails} failed"
        found = [(row, row.get("coverage")) for row in self.rows]
        still_open = [
            f"{row.get('function')}: {one}"
            for row, known in found
            if isinstance(known, dict)
            for one in known["open"]
        ]
        if len(found) == 1 and isinstance(found[0][1], dict):
            return {**found[0][1], "covered": text, "open": found[0][1]["open"]}
        return covered(text, still_open)


def _row(result: object) -> Json:
    told: Told = result  # type: ignore[assignment]
    return told.as_dict()
