"""Table 4 of "A Lightweight Symbolic Virtual Machine", measured: as text, as JSON, as HTML.

Rows in which both tools run the same program stand apart from those in which the program is one
that a user would write here, and so do their means: only the former compare the tools.
"""

from __future__ import annotations

import html
import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass

from solvent.languages.benchmark import ROSETTE, Kind, Peer
from solvent.languages.measuring import Measured
from solvent.pages import OPEN_BOX, box, page, spanning, text_class
from solvent.pages.plots import bars

# The columns; the name of the peer is put in.
PEER = "peer"
GROUPS = (
    ("", ("language", "benchmark", "bound", "answer")),
    ("measured", ("joins", "unions", "sum", "max", "terms", "eval", "total")),
    ("paper", ("joins", "unions", "sum", "max", "eval", "solve")),
    (PEER, ("joins", "terms", "eval", "total", "ratio", "ratio of totals")),
)

# These columns are text; the others are numbers.
TEXTS = 4

NOTHING = "-"

# Below this processor times are not told apart, so that a ratio to them would mean nothing.
RESOLUTION = 1e-4


# --- ratios --------------------------------------------------------------------------------------


def ratio(row: Measured) -> float | None:
    """How many times faster the evaluation is than the peer's, if both are known."""
    if row.outcome is None or row.peer is None:
        return None
    return _ratio(row.peer.evaluation, row.outcome.evaluation)


def total_ratio(row: Measured) -> float | None:
    """How many times faster the answer is there, solving and the start of solvers included."""
    if row.outcome is None or row.peer is None or row.peer.total is None:
        return None
    return _ratio(row.peer.total, row.outcome.total)


def _ratio(theirs: float, ours: float) -> float:
    return max(theirs, RESOLUTION) / max(ours, RESOLUTION)


def geometric_mean(values: Iterable[float]) -> float | None:
    """The geometric mean of positive numbers.

    >>> geometric_mean([1.0, 4.0]), geometric_mean([])
    (2.0, None)
    """
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


@dataclass(frozen=True, slots=True)
class Mean:
    """How many times faster than the peer some rows are: geometric means, and of how many rows."""

    evaluation: float | None
    evaluations: int
    total: float | None
    totals: int

    def __str__(self) -> str:
        if self.evaluation is None:
            return "nothing to compare with"
        text = f"evaluation {self.evaluation:.1f} times faster ({_rows(self.evaluations)})"
        if self.total is not None:
            text += f", total {self.total:.1f} times ({_rows(self.totals)})"
        return text


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"


def mean(rows: Iterable[Measured]) -> Mean:
    """The geometric means of the ratios of some rows."""
    chosen = list(rows)
    evaluations = [found for row in chosen if (found := ratio(row)) is not None]
    totals = [found for row in chosen if (found := total_ratio(row)) is not None]
    return Mean(
        geometric_mean(evaluations), len(evaluations), geometric_mean(totals), len(totals)
    )  # fmt: skip


def of_kind(rows: Sequence[Measured], kind: Kind) -> list[Measured]:
    """The rows of one kind."""
    return [row for row in rows if row.benchmark.kind is kind]


def means(rows: Sequence[Measured], kind: Kind) -> dict[str, Mean]:
    """The means of the rows of one kind: of all, then of each language."""
    chosen = of_kind(rows, kind)
    languages = dict.fromkeys(row.benchmark.language for row in chosen)
    each = {
        language: mean(row for row in chosen if row.benchmark.language == language)
        for language in languages
    }
    return {"all": mean(chosen), **each}


# --- cells ---------------------------------------------------------------------------------------


def _seconds(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _count(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"


def _times(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"


def cells(row: Measured) -> list[str]:
    """A row of the table as text."""
    found, benchmark = row.outcome, row.benchmark
    start = [benchmark.language, benchmark.name, benchmark.bound]
    if found is None:
        start += [row.problem, *[NOTHING] * 7]
    else:
        counts = (found.joins, found.unions, found.union_sum, found.union_max, found.terms)
        start += [
            found.answer if found.expected else f"{found.answer}: NOT EXPECTED",
            *map(_count, counts),
            _seconds(found.evaluation),
            _seconds(found.total),
        ]
    return [*start, *_paper_cells(row), *_peer_cells(row)]


def _paper_cells(row: Measured) -> list[str]:
    paper = row.benchmark.paper
    if paper is None:
        return [NOTHING] * 6
    counts = (paper.joins, paper.unions, paper.union_sum, paper.union_max)
    return [*map(_count, counts), f"{paper.evaluation:g}", f"{paper.solving:g}"]


def _peer_cells(row: Measured) -> list[str]:
    peer = row.peer
    if peer is None:
        return [NOTHING] * 6
    return [
        _count(peer.joins),
        _count(peer.terms),
        _seconds(peer.evaluation),
        _seconds(peer.total),
        _times(ratio(row)),
        _times(total_ratio(row)),
    ]


# --- sentences -----------------------------------------------------------------------------------


def summary(rows: Sequence[Measured], peer: Peer = ROSETTE) -> list[str]:
    """What there is to say of all benchmarks, in a line for each kind and language."""
    answered = [row.outcome for row in rows if row.outcome is not None]
    expected = sum(outcome.expected for outcome in answered)
    text = f"{len(rows)} benchmarks: {expected} with the expected answer"
    late = sum(row.late for row in rows)
    lines = [text + (f", {late} ended by the time limit" if late else "")]
    for kind in Kind:
        found = means(rows, kind)
        if found["all"].evaluation is None:
            continue
        lines.append(f"{kind}, beside {peer.name}: {found['all']} (geometric means)")
        if len(found) > 2:
            lines += [f"  {name}: {each}" for name, each in found.items() if name != "all"]
    return lines


def remarks(rows: Sequence[Measured], peer: Peer = ROSETTE) -> list[str]:
    """What is needed to judge the figures: whose they are, what they include, what differs."""
    lines = [
        "eval and total: seconds of the processor, solvers and their start included in the total; "
        "reading pages, importing and lifting are in neither",
        f"{peer.name}: {peer.about}",
    ]
    notes: dict[str, list[str]] = {}
    for row in of_kind(rows, Kind.SAME):
        if row.benchmark.note:
            notes.setdefault(row.benchmark.note, []).append(row.benchmark.name)
    for note, names in notes.items():
        shown = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        lines.append(f"{shown}: {note}")
    problems = dict.fromkeys(row.peer_problem for row in rows if row.peer_problem)
    return [*lines, *problems]


def total(rows: Sequence[Measured]) -> str:
    """What all benchmarks took together, with the start of their processes."""
    answered = [row.outcome for row in rows if row.outcome is not None]
    evaluation = sum(outcome.evaluation for outcome in answered)
    everything = sum(outcome.total for outcome in answered)
    whole = sum(row.seconds for row in rows)
    return (
        f"measured in {whole:.1f} s; {everything:.1f} s of the processor in all, of them "
        f"{evaluation:.1f} s evaluation"
    )


# --- the table -----------------------------------------------------------------------------------


def as_text(rows: Sequence[Measured], peer: Peer = ROSETTE) -> str:
    """The table for a terminal: the same programs, then our own formulations."""
    heads = [head for _, group in GROUPS for head in group]
    table = [heads, *map(cells, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(heads))]
    top = "  ".join(
        title.ljust(sum(widths[start:end]) + 2 * (end - start - 1))
        for title, start, end in _spans(peer)
    )
    lines = [top.rstrip(), _line(heads, widths), "  ".join("-" * width for width in widths)]
    for kind in Kind:
        chosen = of_kind(rows, kind)
        if chosen:
            lines += [f"[{kind}]", *(_line(cells(row), widths) for row in chosen)]
    return "\n".join([*lines, "", *summary(rows, peer), total(rows), "", *remarks(rows, peer)])


def _spans(peer: Peer) -> list[tuple[str, int, int]]:
    """Each group of columns with its title: the first column, and the one after the last."""
    spans, start = [], 0
    for title, group in GROUPS:
        spans.append((peer.name if title == PEER else title, start, start + len(group)))
        start += len(group)
    return spans


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    texts = [
        cell.ljust(width) if column < TEXTS else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()


def as_json(rows: Sequence[Measured], peer: Peer = ROSETTE) -> dict[str, object]:
    """The table, for other programs."""
    return {
        "benchmarks": [_row_as_json(row) for row in rows],
        "peer": asdict(peer),
        "means": {
            str(kind): {name: asdict(found) for name, found in means(rows, kind).items()}
            for kind in Kind
        },
        "seconds": sum(row.seconds for row in rows),
    }


def _row_as_json(row: Measured) -> dict[str, object]:
    benchmark = row.benchmark
    return {
        "language": benchmark.language,
        "name": benchmark.name,
        "bound": benchmark.bound,
        "kind": str(benchmark.kind),
        "note": benchmark.note,
        "seconds": row.seconds,
        "problem": row.problem,
        "outcome": None if row.outcome is None else asdict(row.outcome),
        "paper": None if benchmark.paper is None else asdict(benchmark.paper),
        "peer": None if row.peer is None else asdict(row.peer),
        "peer_problem": row.peer_problem,
        "ratio": ratio(row),
        "total_ratio": total_ratio(row),
    }


def as_html(rows: Sequence[Measured], title: str = "Table 4", peer: Peer = ROSETTE) -> str:
    """The table as a page, with a bar for each ratio and what was found."""
    spans = _spans(peer)
    heads = spanning((name, end - start) for name, start, end in spans)
    begins = {start for _, start, _ in spans} - {0}
    names = [name for _, group in GROUPS for name in group]
    below = "".join(f"<th{_kind(at, begins)}>{name}</th>" for at, name in enumerate(names))
    body = [f"<p>{html.escape(line)}</p>" for line in summary(rows, peer)]
    for kind in Kind:
        chosen = of_kind(rows, kind)
        if not chosen:
            continue
        found = [(row.benchmark.name, times) for row in chosen if (times := ratio(row)) is not None]
        body += [
            f"<h2>{html.escape(str(kind).capitalize())}</h2>",
            OPEN_BOX,
            f'<table class="sortable"><thead>{heads}<tr>{below}</tr></thead><tbody>',
            *(_html_row(row, begins) for row in chosen),
            "</tbody></table></div>",
        ]
        plot = bars(
            f"Evaluation: how many times faster than {peer.name}",
            [(name, times) for name, times in found if times > 0],
            even="as fast",
        )
        body += [box(plot, "plot")] if plot else []
    body += [f"<p>{html.escape(line)}</p>" for line in remarks(rows, peer)]
    for row in rows:
        if row.outcome is not None and row.outcome.detail:
            name = f"{row.benchmark.key}, {row.benchmark.bound} ({row.benchmark.kind})"
            detail = html.escape(row.outcome.detail)
            body.append(f"<details><summary>{html.escape(name)}</summary>")
            body.append(f"<pre>{detail}</pre></details>")
    return page(title, body)


def _html_row(row: Measured, begins: Container[int]) -> str:
    good = row.outcome is not None and row.outcome.expected
    texts = []
    for column, cell in enumerate(cells(row)):
        answer = ("yes" if good else "no",) if column == TEXTS - 1 else ()
        kind = text_class(cell, *answer) if column < TEXTS else _kind(column, begins)
        texts.append(f"<td{kind}>{html.escape(cell)}</td>")
    return f"<tr>{''.join(texts)}</tr>"


def _kind(column: int, begins: Container[int]) -> str:
    """The attribute of a cell, with a line where a group of columns begins."""
    if column < TEXTS:
        return ' class="text"'
    return ' class="begins"' if column in begins else ""
