"""One page for one program: its text, the encodings side by side, and what each of them cost."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence

from solvent.logic.method import Report
from solvent.pages import box, page
from solvent.verdicts import Verdict

STYLE = """<style>
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: 1rem; }
.side section { min-width: 0; }
.side h2 { font-size: 1.1rem; } .side h3 { font-size: .95rem; margin: .8rem 0 .2rem; }
.side pre { font-size: 12px; margin: 0; white-space: pre; }
</style>"""
_CLASSES = {Verdict.HOLDS: "yes", Verdict.VIOLATED: "no", Verdict.UNKNOWN: "maybe"}


def comparison(name: str, text: str, reports: Sequence[Report], titles: Mapping[str, str]) -> str:
    """The page of a program and what the methods say about it."""
    body = [STYLE, f"<pre>{html.escape(text)}</pre>", *_table(reports, titles)]
    body += ['<div class="side">', *(line for one in reports for line in _column(one, titles))]
    return page(f"{name}: from program to logic", [*body, "</div>"])


def _table(reports: Sequence[Report], titles: Mapping[str, str]) -> Iterator[str]:
    heads = ["terms in the formula", "solver calls", "seconds"]
    lines = ['<table class="sortable"><thead><tr><th class="text">method</th>']
    lines.append('<th class="text">verdict</th>')
    lines.append("".join(f"<th>{head}</th>" for head in heads))
    lines.append('<th class="text">why</th></tr></thead><tbody>')
    for report in reports:
        stats = report.statistics
        cells = [f"{stats.terms:,}", f"{stats.calls:,}", f"{stats.seconds:.2f}"]
        lines.append(f'<tr><td class="text">{html.escape(titles[report.method])}</td>')
        lines.append(f'<td class="text {_CLASSES[report.verdict]}">{report.words}</td>')
        lines.append("".join(f"<td>{cell}</td>" for cell in cells))
        lines.append(f'<td class="text">{html.escape(_why(report))}</td></tr>')
    yield box("\n".join([*lines, "</tbody></table>"]))


def _why(report: Report) -> str:
    figures = [f"{name}: {value}" for name, value in report.figures.items()]
    return "; ".join([report.reason, *figures] if report.reason else figures)


def _scrolled(text: str) -> str:
    """A text in a box that the keyboard can scroll."""
    return f'<pre tabindex="0">{html.escape(text)}</pre>'


def _column(report: Report, titles: Mapping[str, str]) -> Iterator[str]:
    yield f"<section><h2>{html.escape(titles[report.method])}</h2>"
    failure = report.failure
    if failure is not None:
        given = ", ".join(f"{name} = {value}" for name, value in failure.inputs) or "none"
        words = f"{failure.where}: {failure.message} Inputs: {given}."
        yield f'<p class="no">{html.escape(words)}</p>'
    for section in report.sections:
        yield f"<h3>{html.escape(section.title)}</h3>{_scrolled(section.text)}"
    yield "</section>"
