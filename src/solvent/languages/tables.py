"""Table 4 of "A Lightweight Symbolic Virtual Machine", measured: as text, as JSON, as HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from solvent.languages.measuring import Measured
from solvent.pages import page

GROUPS = (
    ("", ("language", "benchmark", "bound", "answer")),
    ("measured", ("joins", "unions", "sum", "max", "eval", "solve", "terms")),
    ("paper", ("joins", "unions", "sum", "max", "eval", "solve")),
    ("Rosette 4", ("eval", "solve", "ratio")),
)

# These columns are text; the others are numbers.
TEXTS = 4

NOTHING = "-"


def ratio(measured: Measured) -> float | None:
    """How many times faster the evaluation is than Rosette's, if both are known."""
    if measured.outcome is None or measured.benchmark.rosette is None:
        return None
    return measured.benchmark.rosette.evaluation / max(measured.outcome.evaluation, 1e-4)


def geometric_mean(values: Iterable[float]) -> float | None:
    """The geometric mean of positive numbers.

    >>> geometric_mean([1.0, 4.0]), geometric_mean([])
    (2.0, None)
    """
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def mean_ratio(rows: Sequence[Measured]) -> float | None:
    """The geometric mean of all ratios to Rosette."""
    return geometric_mean(found for row in rows if (found := ratio(row)) is not None)


def _seconds(value: float | None) -> str:
    if value is None:
        return "no answer"
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def cells(row: Measured) -> list[str]:
    """A row of the table as text."""
    found, benchmark = row.outcome, row.benchmark
    start = [benchmark.language, benchmark.name, benchmark.bound]
    if found is None:
        start += [row.problem, *[NOTHING] * 7]
    else:
        start += [
            found.answer if found.expected else f"{found.answer}: NOT EXPECTED",
            f"{found.joins:,}",
            f"{found.unions:,}",
            f"{found.union_sum:,}",
            f"{found.union_max:,}",
            _seconds(found.evaluation),
            _seconds(found.solving),
            f"{found.terms:,}",
        ]
    return [*start, *_paper_cells(row), *_rosette_cells(row)]


def _paper_cells(row: Measured) -> list[str]:
    paper = row.benchmark.paper
    if paper is None:
        return [NOTHING] * 6
    counts = (paper.joins, paper.unions, paper.union_sum, paper.union_max)
    return [*(f"{count:,}" for count in counts), f"{paper.evaluation:g}", f"{paper.solving:g}"]


def _rosette_cells(row: Measured) -> list[str]:
    rosette = row.benchmark.rosette
    if rosette is None:
        return [NOTHING] * 3
    times = ratio(row)
    return [
        _seconds(rosette.evaluation),
        _seconds(rosette.solving),
        NOTHING if times is None else f"{times:.1f}",
    ]


def summary(rows: Sequence[Measured]) -> str:
    """One sentence about all benchmarks."""
    answered = [row.outcome for row in rows if row.outcome is not None]
    expected = sum(outcome.expected for outcome in answered)
    mean = mean_ratio(rows)
    text = f"{len(rows)} benchmarks: {expected} with the expected answer"
    late = sum(row.late for row in rows)
    text += f", {late} ended by the time limit" if late else ""
    if mean is not None:
        text += f"; evaluation {mean:.1f} times faster than Rosette 4 (geometric mean)"
    return text


def as_text(rows: Sequence[Measured]) -> str:
    """The table for a terminal."""
    heads = [head for _, group in GROUPS for head in group]
    table = [heads, *map(cells, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(heads))]
    top = "  ".join(
        title.ljust(sum(widths[start:end]) + 2 * (end - start - 1))
        for title, start, end in _spans()
    )
    lines = [top.rstrip(), *(_line(row, widths) for row in table)]
    lines.insert(2, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, "", summary(rows)])


def _spans() -> list[tuple[str, int, int]]:
    """Each group of columns with its title: the first column, and the one after the last."""
    spans, start = [], 0
    for title, group in GROUPS:
        spans.append((title, start, start + len(group)))
        start += len(group)
    return spans


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    texts = [
        cell.ljust(width) if column < TEXTS else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()


def as_json(rows: Sequence[Measured]) -> dict[str, object]:
    """The table, for other programs."""
    return {
        "benchmarks": [_row_as_json(row) for row in rows],
        "mean_ratio": mean_ratio(rows),
    }


def _row_as_json(row: Measured) -> dict[str, object]:
    benchmark = row.benchmark
    return {
        "language": benchmark.language,
        "name": benchmark.name,
        "bound": benchmark.bound,
        "seconds": row.seconds,
        "problem": row.problem,
        "outcome": None if row.outcome is None else asdict(row.outcome),
        "paper": None if benchmark.paper is None else asdict(benchmark.paper),
        "rosette": None if benchmark.rosette is None else asdict(benchmark.rosette),
        "ratio": ratio(row),
    }


def as_html(rows: Sequence[Measured], title: str = "Table 4") -> str:
    """The table as a page, with a bar for each ratio and what was found."""
    heads = "".join(
        f'<th colspan="{end - start}">{html.escape(title)}</th>' for title, start, end in _spans()
    )
    below = "".join(f"<th>{head}</th>" for _, group in GROUPS for head in group)
    body = [
        f"<p>{html.escape(summary(rows))}</p>",
        f'<div class="wide"><table><thead><tr>{heads}</tr><tr>{below}</tr></thead><tbody>',
        *map(_html_row, rows),
        "</tbody></table></div>",
        "<h2>Evaluation: how many times faster than Rosette 4</h2>",
        bars([(row.benchmark.name, found) for row in rows if (found := ratio(row)) is not None]),
    ]
    for row in rows:
        if row.outcome is not None and row.outcome.detail:
            name = f"{row.benchmark.language}: {row.benchmark.name}, {row.benchmark.bound}"
            detail = html.escape(row.outcome.detail)
            body.append(f"<details><summary>{html.escape(name)}</summary>")
            body.append(f"<pre>{detail}</pre></details>")
    return page(title, body)


def _html_row(row: Measured) -> str:
    good = row.outcome is not None and row.outcome.expected
    texts = []
    for column, cell in enumerate(cells(row)):
        kind = ' class="text"' if column < TEXTS else ""
        if column == TEXTS - 1:
            kind = f' class="text {"yes" if good else "no"}"'
        texts.append(f"<td{kind}>{html.escape(cell)}</td>")
    return f"<tr>{''.join(texts)}</tr>"


BAR_HEIGHT, LABEL_WIDTH, BARS_WIDTH = 22, 170, 520


def bars(rows: Sequence[tuple[str, float]]) -> str:
    """A bar chart with a logarithmic axis that starts at a tenth, as SVG."""
    largest = max((value for _, value in rows), default=1.0)
    scale = BARS_WIDTH / (math.log10(max(largest, 10.0)) + 1)

    def place(value: float) -> float:
        return LABEL_WIDTH + max(math.log10(value) + 1, 0.0) * scale

    height = BAR_HEIGHT * (len(rows) + 1)
    parts = [
        f'<svg viewBox="0 0 {LABEL_WIDTH + BARS_WIDTH + 60} {height}" width="100%" '
        'style="max-width: 50rem" font-size="12" fill="currentColor">'
    ]
    for number, (name, value) in enumerate(rows):
        top = BAR_HEIGHT * number
        parts.append(
            f'<text x="{LABEL_WIDTH - 8}" y="{top + 15}" text-anchor="end">'
            f"{html.escape(name)}</text>"
            f'<rect x="{LABEL_WIDTH}" y="{top + 3}" width="{place(value) - LABEL_WIDTH:.1f}" '
            f'height="{BAR_HEIGHT - 6}" fill="{"#1a7f37" if value >= 1 else "#cf222e"}"/>'
            f'<text x="{place(value) + 5:.1f}" y="{top + 15}">{value:.1f}</text>'
        )
    even = place(1.0)
    parts.append(
        f'<line x1="{even:.1f}" x2="{even:.1f}" y1="0" y2="{height - BAR_HEIGHT}" '
        'stroke="currentColor" stroke-dasharray="3 3"/>'
        f'<text x="{even:.1f}" y="{height - 6}" text-anchor="middle">as fast</text></svg>'
    )
    return "".join(parts)
