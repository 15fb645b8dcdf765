"""Showing where a failure comes from: the source with the expressions of a core marked."""

from __future__ import annotations

import html
import linecache
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from solvent import pages
from solvent.lift.rewrite.marking import Place
from solvent.queries.replay import described, relative, shown
from solvent.queries.results import Result, failure_as_dict, findings_of, place_of
from solvent.solvers.status import Status
from solvent.verdicts import Finding, color
from solvent.verdicts.rendering import Json
from solvent.vm.state import Failure
from solvent.vm.values import Value

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

# How many values of an expression that was evaluated often are shown.
SHOWN_VALUES = 5


@dataclass(frozen=True, slots=True)
class Suspect:
    """An expression of a core; lines are counted from 1, columns from 0."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    function: str
    # What it evaluated to in the failing run, in order.
    values: tuple[Value, ...]
    # Values with which the run succeeds if nothing but this expression changes, if that is enough.
    instead: tuple[Value, ...] | None = None

    @property
    def position(self) -> str:
        """File, line and column, all counted from 1, as editors understand it."""
        return f"{relative(self.file)}:{self.line}:{self.column + 1}"

    def note(self) -> str:
        """The values in a few words."""
        text = f"was {listed(self.values)}"
        if self.instead is not None:
            text += f"; succeeds with {listed(self.instead)}"
        return text

    def as_dict(self) -> Json:
        """The expression for JSON."""
        return {
            "file": relative(self.file),
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "text": self.text,
            "function": self.function,
            "values": [shown(value) for value in self.values],
            "instead": None if self.instead is None else [shown(v) for v in self.instead],
        }

    def __str__(self) -> str:
        return f"{self.position}: {' '.join(self.text.split())} ({self.note()})"


def listed(values: tuple[Value, ...]) -> str:
    """Values in a line, cut if there are many."""
    texts = [shown(value, 40) for value in values[:SHOWN_VALUES]]
    if len(values) > SHOWN_VALUES:
        texts.append(f"... ({len(values)} values)")
    return ", ".join(texts)


Core = tuple[Suspect, ...]


def suspect(place: Place, values: list[Value]) -> Suspect:
    """An expression that had some values."""
    return Suspect(
        place.file, place.line, place.column, place.end_line, place.end_column, place.text,
        place.function, tuple(values),
    )  # fmt: skip


def in_order(suspects: Iterable[Suspect]) -> Core:
    """Expressions from top to bottom, outer ones first."""
    return tuple(sorted(suspects, key=_order))


def _order(suspect: Suspect) -> tuple[str, int, int, int, int]:
    return suspect.file, suspect.line, suspect.column, -suspect.end_line, -suspect.end_column


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Localisation(Result):
    """The answer to `debug`: the expressions that are responsible for a failure.

    `status` is `sat` if the function fails, `unsat` if it does not, so that there is nothing to
    debug.  A core without expressions says that no values of the expressions avoid the failure.
    """

    GOOD: ClassVar[Status] = Status.UNSAT

    failure: Failure | None = None
    cores: tuple[Core, ...] = ()
    # Whether each core is known to be minimal, and whether there are no others.
    minimal: bool = True
    complete: bool = False
    # The expressions that could have any value, and those that could not though selected, and why.
    relaxed: Core = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    # How often loops and recursion could go on.
    bound: int = 0
    # The files of the cores, as they were.
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def core(self) -> Core:
        """The first core."""
        return self.cores[0] if self.cores else ()

    @property
    def repairable(self) -> bool:
        """Whether other values of some expressions avoid the failure."""
        return bool(self.core)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The failure, whatever is known about its cause."""
        return findings_of(self, self.failure)

    def headline(self) -> str:
        if self.status is Status.UNSAT:
            return f"{self.function}: does not fail, so there is nothing to debug"
        if self.failure is None:
            return f"{self.function}: unknown"
        where = place_of(self, self.failure)
        text = f"{where}: {described(self.failure.exception)} when calling {self.call}"
        if self.status is Status.UNKNOWN:
            return f"{text}: the cause is unknown"
        if not self.repairable:
            which = "other expressions" if self.kept else "expressions"
            return f"{text}: no values of the {which} avoid this"
        count = len(self.core)
        return f"{text}: {count} expression{'s are' if count > 1 else ' is'} responsible"

    def details(self) -> Iterator[str]:
        yield from Result.details(self)
        if self.status is Status.SAT:
            yield f"expressions under suspicion: {len(self.relaxed)}"
        for number, core in enumerate(self.cores, 1):
            if len(self.cores) > 1:
                yield f"core {number} of {len(self.cores)}{'' if self.complete else ' or more'}:"
            for line, _ in source_lines(core, self.sources):
                yield line
        if not self.minimal:
            yield "the solver gave up on some questions, so fewer expressions may do"
        for position, reason in self.kept.items():
            yield f"kept as it is: {position}: {reason}"

    def as_dict(self) -> Json:
        result = Result.as_dict(self)
        if self.failure is not None:
            result["failure"] = failure_as_dict(self.failure)
        result["cores"] = [[suspect.as_dict() for suspect in core] for core in self.cores]
        result["minimal"] = self.minimal
        result["complete"] = self.complete
        result["relaxed"] = [suspect.position for suspect in self.relaxed]
        result["kept"] = dict(self.kept)
        result["bound"] = self.bound
        return result

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        spans = {
            line: found for core in self.cores for line, found in source_lines(core, self.sources)
        }
        yield Text(self.headline(), style=f"bold {color(self.verdict)}")
        for line in self.details():
            text = Text("  " + line, no_wrap=line in spans, overflow="ellipsis")
            for start, end in spans.get(line, ()):
                text.stylize("bold red", start + 2, end + 2)
            yield text
        yield Text(f"  {self.stats}", style="dim")

    def _repr_html_(self) -> str:
        parts = [f"<pre>{marked_excerpt(core, self.sources)}</pre>" for core in self.cores if core]
        return (
            f"<div>{STYLE}<b>{html.escape(self.headline())}</b>{''.join(parts)}"
            f"<small>{html.escape(str(self.stats))}</small></div>"
        )

    def html(self) -> str:
        """A page with the whole source of all files, the expressions of the cores marked."""
        return page(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file."""
        target = Path(path)
        target.write_text(self.html(), encoding="utf-8")
        return target


def sources_of(places: Iterable[Suspect]) -> dict[str, str]:
    """The text of the files in which some places are."""
    files = dict.fromkeys(place.file for place in places)
    return {file: "".join(linecache.getlines(file)) for file in files}


# --- text ---------------------------------------------------------------------------------------


def by_file(core: Core) -> Iterator[tuple[str, list[Suspect]]]:
    """The expressions of a core, file by file."""
    for file in dict.fromkeys(suspect.file for suspect in core):
        yield file, [suspect for suspect in core if suspect.file == file]


Spans = list[tuple[int, int]]


def source_lines(core: Core, sources: Mapping[str, str]) -> Iterator[tuple[str, Spans]]:
    """The lines of a core with a marker below for each expression, and what to highlight."""
    for file, suspects in by_file(core):
        lines = sources.get(file, "").splitlines()
        yield relative(file), []
        width = len(str(max(suspect.line for suspect in suspects)))
        for number in dict.fromkeys(suspect.line for suspect in suspects):
            here = [suspect for suspect in suspects if suspect.line == number]
            line = lines[number - 1] if number <= len(lines) else here[0].text
            ends = [s.end_column if s.end_line == number else len(line) for s in here]
            first = width + 3
            yield (
                f"{number:>{width}} | {line}",
                [(first + s.column, first + end) for s, end in zip(here, ends, strict=True)],
            )
            for suspect, end in zip(here, ends, strict=True):
                # Tabs stay tabs, so that the marker is below what it marks.
                before = "".join(c if c == "\t" else " " for c in line[: suspect.column])
                marker = "^" * max(1, end - suspect.column)
                text = f"{'':>{width}} | {before}{marker}"
                yield f"{text} {suspect.note()}", [(first + suspect.column, len(text))]


# --- pages --------------------------------------------------------------------------------------

STYLE = """<style>
.solvent-core { background: #d4000026; color: inherit; border-bottom: 2px solid #d40000;
  border-radius: 2px; }
.solvent-line { color: #8b8b8b; user-select: none; }
</style>"""


def page(result: Localisation) -> str:
    """A self-contained page."""
    body = []
    for number, core in enumerate(result.cores, 1):
        body.append(f"<h2>Core {number}</h2>")
        body.append(table(core) if core else "<p>No values of the expressions avoid this.</p>")
        for file, suspects in by_file(core):
            text = marked_text(result.sources.get(file, ""), suspects)
            name = html.escape(relative(file))
            body.append(f"<h3>{name}</h3>")
            body.append(f'<div class="source" tabindex="0" role="region" aria-label="{name}">')
            # Not on lines of their own: in this box every line break is shown.
            body[-1] += f"{numbered(text)}</div>"
    summary, stats = html.escape(result.headline()), html.escape(str(result.stats))
    return pages.page(
        result.function,
        [STYLE, f"<p>{summary}</p>", *body, f'<p class="faint"><small>{stats}</small></p>'],
    )


def table(core: Core) -> str:
    """The expressions with their values."""
    rows = []
    for _, suspects in by_file(core):
        for suspect in suspects:
            instead = "" if suspect.instead is None else listed(suspect.instead)
            rows.append([suspect.position, suspect.text, listed(suspect.values), instead])
    return pages.table(["place", "expression", "was", "succeeds with"], rows, texts=4)


def marked_text(text: str, suspects: list[Suspect]) -> str:
    """The text of a file as HTML, with its suspects marked."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    pieces: list[tuple[int, int, int, str]] = []
    for suspect in suspects:
        if suspect.end_line >= len(starts):
            continue
        start = starts[suspect.line - 1] + suspect.column
        end = starts[suspect.end_line - 1] + suspect.end_column
        title = html.escape(suspect.note(), quote=True)
        # Outer marks open first and close last; what closes comes before what opens.
        pieces.append((start, 1, -end, f'<mark class="solvent-core" title="{title}">'))
        pieces.append((end, 0, -start, "</mark>"))
    result = []
    done = 0
    for place, _, _, tag in sorted(pieces):
        result += [html.escape(text[done:place]), tag]
        done = place
    result.append(html.escape(text[done:]))
    return "".join(result)


def numbered(text: str) -> str:
    """Lines with their numbers."""
    lines = text.splitlines()
    width = len(str(len(lines)))
    return "\n".join(
        f'<span class="solvent-line">{number:>{width}}</span> {line}'
        for number, line in enumerate(lines, 1)
    )


def marked_excerpt(core: Core, sources: Mapping[str, str]) -> str:
    """The lines of a core with a few around them, as HTML."""
    parts = []
    for file, suspects in by_file(core):
        lines = numbered(marked_text(sources.get(file, ""), suspects)).splitlines()
        first = max(0, min(suspect.line for suspect in suspects) - 3)
        last = max(suspect.end_line for suspect in suspects) + 2
        parts.append("\n".join([html.escape(relative(file)), *lines[first:last]]))
    return "\n".join(parts)
