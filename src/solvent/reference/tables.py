"""Tables 1 and 2 of the paper for what testing found: as text, as JSON, as an HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from solvent.pages import OPEN_BOX, page, spanning
from solvent.reference.differential import (
    DIFFERENT,
    ROUTES,
    STUCK,
    UNKNOWN,
    VALIDATED,
    Report,
    Row,
)
from solvent.reference.faults import Catch
from solvent.reference.syntax import show
from solvent.verdicts.rendering import Json

# The largest size in each bucket of the paper.
LARGEST = (12, 24, 38, 50, 65, 77, 88, 102, 119, 158)


@dataclass(frozen=True, slots=True)
class RouteFigures:
    """The figures of a route in a bucket; sizes are those of non-trivial states."""

    symbolic: int
    max_size: int
    average_size: float
    max_seconds: float
    average_seconds: float

    @classmethod
    def of(cls, rows: Sequence[Row], route: str) -> RouteFigures:
        """The figures of a route for some tests."""
        measures = [row.measures[route] for row in rows if route in row.measures]
        sizes = [found.size for found in measures if not found.trivial]
        seconds = [found.seconds for found in measures]
        return cls(
            len(sizes), max(sizes, default=0), _mean(sizes), max(seconds, default=0), _mean(seconds)
        )


@dataclass(frozen=True, slots=True)
class Bucket:
    """The tests of one range of sizes."""

    first: int
    last: int
    rows: tuple[Row, ...]

    @property
    def average(self) -> float:
        """The average size of the programs."""
        return _mean([row.test.size for row in self.rows])

    @property
    def routes(self) -> dict[str, RouteFigures]:
        """The figures of each route."""
        return {name: RouteFigures.of(self.rows, name) for name in ROUTES}

    def number(self, verdict: str) -> int:
        """How many tests have a verdict."""
        return sum(row.verdict == verdict for row in self.rows)

    @property
    def mark(self) -> str:
        """Whether all tests agree: `✓`, `✗`, or `?` if the solver does not know."""
        if self.number(DIFFERENT):
            return "✗"
        return "?" if self.number(UNKNOWN) else "✓"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def buckets(report: Report) -> list[Bucket]:
    """The tests by size, in the ranges of table 1; larger ones are in one more bucket."""
    largest = max((row.test.size for row in report.rows), default=0)
    found = []
    first = 1
    for last in (*LARGEST, max(largest, LARGEST[-1] + 1)):
        rows = tuple(row for row in report.rows if first <= row.test.size <= last)
        if rows:
            found.append(Bucket(first, last, rows))
        first = last + 1
    return found


def table(report: Report) -> tuple[list[str], list[str], list[list[str]]]:
    """The two lines of headings and the rows of table 1, all as text."""
    top = ["size", "", "", *(x for name in ROUTES for x in (f"{name} state", "", ""))]
    top += [x for name in ROUTES for x in (f"{name} time", "")] + ["", "", ""]
    below = ["range", "count", "avg"] + ["sym", "max", "avg"] * len(ROUTES)
    below += ["max (s)", "avg (ms)"] * len(ROUTES) + ["asked", "stuck", "validated"]
    whole = Bucket(1, max((row.test.size for row in report.rows), default=1), report.rows)
    return top, below, [_cells(bucket) for bucket in (*buckets(report), whole)]


def _cells(bucket: Bucket) -> list[str]:
    figures = bucket.routes.values()
    return [
        f"{bucket.first} - {bucket.last}",
        f"{len(bucket.rows):,}",
        f"{bucket.average:.0f}",
        *(
            text
            for found in figures
            for text in (
                f"{found.symbolic:,}",
                f"{found.max_size:,}",
                f"{found.average_size:,.0f}",
            )
        ),
        *(
            text
            for found in figures
            for text in (f"{found.max_seconds:.2f}", f"{1000 * found.average_seconds:.1f}")
        ),
        f"{sum(row.asked for row in bucket.rows):,}",
        f"{bucket.number(STUCK):,}",
        bucket.mark,
    ]


def summary(report: Report) -> str:
    """One sentence about all tests."""
    parts = [f"{report.validated:,} validated"]
    parts += [
        f"{len(report.having(verdict)):,} {verdict}"
        for verdict in (DIFFERENT, UNKNOWN, STUCK)
        if report.having(verdict)
    ]
    return (
        f"{report.count:,} programs: {', '.join(parts)}; {report.seconds:.1f} s, "
        f"{report.asked:,} questions to the solver"
    )


def as_text(report: Report) -> str:
    """Table 1 for a terminal."""
    top, below, rows = table(report)
    widths = [max(len(row[column]) for row in (below, *rows)) for column in range(len(below))]
    # A heading must fit over the columns up to the next one.
    starts = [place for place, text in enumerate(top) if text] + [len(top)]
    for start, after in pairwise(starts):
        missing = len(top[start]) - sum(widths[start:after]) - 2 * (after - start - 1)
        widths[after - 1] += max(missing, 0)
    lines = [
        _line(below, widths),
        "  ".join("-" * width for width in widths),
        *(_line(row, widths) for row in rows),
    ]
    return "\n".join([_headings(top, widths), *lines, "", summary(report)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    texts = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join(texts).rstrip()


def _headings(top: Sequence[str], widths: Sequence[int]) -> str:
    """Each heading over the columns up to the next one."""
    line = ""
    place = 0
    for heading, width in zip(top, widths, strict=True):
        if heading:
            line = line.ljust(place) + heading
        place += width + 2
    return line


def as_json(report: Report) -> Json:
    """Table 1 and the tests that were not validated."""
    return {
        "programs": report.count,
        "validated": report.validated,
        "different": len(report.differences),
        "unknown": len(report.having(UNKNOWN)),
        "stuck": len(report.having(STUCK)),
        "asked": report.asked,
        "seconds": report.seconds,
        "buckets": [_bucket_as_json(bucket) for bucket in buckets(report)],
        "others": [_row_as_json(row) for row in report.rows if row.verdict != VALIDATED],
    }


def _bucket_as_json(bucket: Bucket) -> Json:
    return {
        "first": bucket.first,
        "last": bucket.last,
        "count": len(bucket.rows),
        "average": bucket.average,
        "validated": bucket.number(VALIDATED),
        "asked": sum(row.asked for row in bucket.rows),
        "routes": {
            name: {
                "symbolic": found.symbolic,
                "max size": found.max_size,
                "average size": found.average_size,
                "max seconds": found.max_seconds,
                "average seconds": found.average_seconds,
            }
            for name, found in bucket.routes.items()
        },
    }


def _row_as_json(row: Row) -> Json:
    return {
        "program": show(row.test.program),
        "sorts": dict(row.test.sorts),
        "outcome": row.verdict,
        "detail": row.detail,
    }


# --- HTML --------------------------------------------------------------------------------------

_CLASSES = {"✓": "yes", "✗": "no", "?": "maybe"}


def as_html(report: Report, title: str = "Differential testing") -> str:
    """Table 1 as a page, with the tests that were not validated."""
    top, below, rows = table(report)
    head = _spanning(top) + "<tr>" + "".join(f"<th>{cell}</th>" for cell in below) + "</tr>"
    body = [
        f"<p>{html.escape(summary(report))}</p>",
        OPEN_BOX,
        f'<table class="sortable"><thead>{head}</thead><tbody>',
        *(_html_row(row, "") for row in rows[:-1]),
        # Below the others, however they are sorted.
        f"</tbody><tfoot>{_html_row(rows[-1], 'all')}</tfoot></table></div>",
    ]
    for verdict in (DIFFERENT, UNKNOWN, STUCK):
        found = report.having(verdict)
        if found:
            body.append(f"<h2>{verdict}: {len(found)}</h2>")
            body += [
                f"<p>{html.escape(row.detail)}</p><pre>{html.escape(str(row.test))}</pre>"
                for row in found[:MOST_SHOWN]
            ]
    return page(title, body)


# A page shows so many tests of each kind.
MOST_SHOWN = 50


def _spanning(top: Sequence[str]) -> str:
    """Headings that span the columns up to the next one."""
    starts = [place for place, text in enumerate(top) if text] + [len(top) - 3, len(top)]
    return spanning((top[start], after - start) for start, after in pairwise(starts))


def _html_row(cells: Sequence[str], kind: str) -> str:
    texts = [
        f'<td class="{_CLASSES[cell]}">{cell}</td>' if cell in _CLASSES else f"<td>{cell}</td>"
        for cell in cells
    ]
    return f'<tr class="{kind}">{"".join(texts)}</tr>'


# --- table 2 -----------------------------------------------------------------------------------


def faults_summary(found: Sequence[Catch]) -> str:
    """One sentence about all faults."""
    caught = sum(catch.caught for catch in found)
    lost = sum(bool(catch.problem) for catch in found)
    return f"{caught} of {len(found)} faults caught{f', {lost} unknown' if lost else ''}"


def _mark(catch: Catch) -> str:
    if catch.caught:
        return "✓"
    return "?" if catch.problem else "✗"


def faults_as_text(found: Sequence[Catch]) -> str:
    """Table 2 for a terminal."""
    rows = [
        (
            _mark(catch),
            f"{catch.needed:,}" if catch.needed else "-",
            catch.location,
            catch.name,
        )
        for catch in found
    ]
    heading = ("caught", "programs", "location", "fault")
    widths = [max(len(row[column]) for row in (heading, *rows)) for column in range(3)]
    lines = []
    for row, catch in zip((heading, *rows), (None, *found), strict=True):
        cells = [row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]), row[3]]
        lines.append("  ".join(cells))
        if catch is not None and not catch.missed:
            lines.append(" " * (sum(widths) + 6) + (catch.program or catch.problem))
    return "\n".join([*lines, "", faults_summary(found)])


def faults_as_json(found: Sequence[Catch]) -> Json:
    """Table 2."""
    return {
        "faults": [
            {
                "fault": catch.name,
                "location": catch.location,
                "caught": catch.caught,
                "programs": catch.needed,
                "program": catch.program,
                "detail": catch.detail,
                "problem": catch.problem,
                "seconds": catch.seconds,
            }
            for catch in found
        ],
        "caught": sum(catch.caught for catch in found),
    }


def faults_as_html(found: Sequence[Catch], title: str = "Faults put in on purpose") -> str:
    """Table 2 as a page."""
    heads = ("fault", "location", "caught", "programs", "a minimal one")
    kinds = (' class="text"', ' class="text"', "", "", ' class="text"')
    rows = []
    for catch in found:
        mark = _mark(catch)
        rows.append(
            f'<tr><td class="text">{html.escape(catch.name)}</td>'
            f'<td class="text">{catch.location}</td>'
            f'<td class="{_CLASSES[mark]}">{mark}</td><td>{catch.needed or "-"}</td>'
            f'<td class="text" title="{html.escape(catch.detail)}">'
            f"<code>{html.escape(catch.program or catch.problem)}</code></td></tr>"
        )
    head = "".join(f"<th{kind}>{text}</th>" for text, kind in zip(heads, kinds, strict=True))
    body = [
        f"<p>{faults_summary(found)}</p>",
        OPEN_BOX,
        f"<table><thead><tr>{head}</tr></thead><tbody>",
        *rows,
        "</tbody></table></div>",
    ]
    return page(title, body)
