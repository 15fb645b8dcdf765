"""The page of a profile: one HTML file with a flame graph, tables and the source.

The numbers travel as JSON inside of the page; `page.js` draws them.  Nothing is loaded from
elsewhere, and whatever comes from the program is text and never markup.
"""

from __future__ import annotations

import html
import os
import re
from importlib.resources import files

from solvent.pages import box, page
from solvent.profiling.advice import Advice, advice_for
from solvent.profiling.embedding import data_block
from solvent.profiling.entries import Entry
from solvent.profiling.measures import MEANINGS, TIMES, as_dict, shown
from solvent.profiling.patterns import sections
from solvent.profiling.profile import Profile
from solvent.verdicts.cells import in_cells

# How many of the worst lines are told what to do about.
ADVISED = 8

STYLE = """
.bar { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; margin: .6rem 0; }
.bar label { max-width: 100%; } .bar select { max-width: 100%; }
.flame { position: relative; overflow: hidden; border: 1px solid var(--line); }
.flame button { position: absolute; height: 1.5rem; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; font: 12px/1.4rem system-ui, sans-serif; text-align: left; border: 0;
  border-right: 1px solid Canvas; border-bottom: 1px solid Canvas; padding: 0 .25rem; margin: 0;
  color: #000; cursor: pointer; border-radius: 0; }
.flame button:focus-visible { outline: 3px solid Highlight; outline-offset: -3px; z-index: 1; }
th button:focus-visible, td a:focus-visible { outline: 2px solid Highlight; }
#entries td, #entries th { white-space: nowrap; }
th[aria-sort=descending] button::after { content: " ▾"; }
th[aria-sort=ascending] button::after { content: " ▴"; }
.tabs button[aria-pressed=true] { font-weight: 700; text-decoration: underline; }
.source { font: 13px/1.35 ui-monospace, monospace; border: 1px solid var(--line);
  overflow: auto; max-height: 34rem; }
.source table { border-collapse: collapse; }
.source td { border: 0; padding: 0 .5rem; white-space: pre; text-align: left; }
.source td.num { text-align: right; opacity: .8; }
.source td.heat { min-width: 7rem; text-align: right; }
@media (max-width: 600px) { .source td.heat { min-width: 3.5rem; }
  .source td { padding: 0 .2rem; } }
.source tr:target, .source tr.marked { outline: 2px solid Highlight; outline-offset: -2px; }
.told { min-height: 1.5rem; font-size: 13px; }
.advice li { margin: .3rem 0; }
"""


def profile_page(profile: Profile, title: str = "Profile") -> str:
    """The page of a profile."""
    return page(title, [f"<style>{STYLE}</style>", *_body(profile), _script(profile)])


def embedded(profile: Profile) -> str:
    """What a notebook shows: the totals, the advice and the worst lines; the page has more."""
    rows = "".join(
        f"<tr><td>{entry.score:.2f}</td><td>{html.escape(_name(entry))}</td>"
        + "".join(f"<td>{shown(name, entry.value(name))}</td>" for name in ("time", "terms"))
        + "</tr>"
        for entry in profile.worst(8)
    )
    table = f"<table><tr><th>score<th>line<th>CPU time<th>terms</tr>{rows}</table>"
    advice = "".join([*_advice(profile, linked=False), *_patterns(profile)])
    return f"<div>{_totals(profile)}{table}{advice}</div>"


def _name(entry: Entry) -> str:
    place = os.path.basename(in_cells(f"{entry.file}:{entry.line}"))
    name = entry.name.rpartition("<locals>.")[2]
    return f"{place} {name}"


def _totals(profile: Profile) -> str:
    parts = [
        f"<b>{shown(name, profile.totals.get(name, 0))}</b> {html.escape(meaning.split(':')[0])}"
        for name, meaning in MEANINGS.items()
    ]
    return f"<p>{' · '.join(parts)}</p>"


def _sentence(told: Advice) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(told.sentence))


def _advice(profile: Profile, *, linked: bool = True) -> list[str]:
    rows = []
    for entry in profile.worst(ADVISED):
        told = advice_for(profile, entry)
        if told is not None:
            link = f'<a href="#{told.anchor}">before and after</a>'
            name = html.escape(_name(entry))
            if linked:
                place = f'data-file="{html.escape(entry.file)}" data-line="{entry.line}"'
                name = f'<a href="#" {place}>{name}</a>'
            rows.append(f"<li>{name}: {_sentence(told)} ({link})</li>")
    return [f'<ol class="advice">{"".join(rows)}</ol>'] if rows else []


def _body(profile: Profile) -> list[str]:
    if profile.is_empty:
        return ["<p>No function of the program ran on symbolic values.</p>", _totals(profile)]
    options = "".join(
        f'<option value="{name}">{html.escape(meaning)}</option>'
        for name, meaning in MEANINGS.items()
    )
    return [
        _totals(profile),
        "<h2>What to do</h2>",
        *(_advice(profile) or ["<p>Nothing stands out.</p>"]),
        "<h2>Where it comes from</h2>",
        '<div class="bar"><label>Draw by <select id="measure">',
        options,
        '</select></label><button id="out" type="button">Whole graph</button></div>',
        '<div class="flame" id="flame" role="group" aria-label="Flame graph"></div>',
        '<p class="told" id="told" aria-live="polite"></p>',
        '<h2>Entries</h2><div class="bar tabs" id="tabs"></div>',
        '<div class="bar"><label><input type="checkbox" id="inclusive"> with all that was '
        'called</label><label>Filter <input id="filter" type="search"></label></div>',
        box('<table id="entries"></table>'),
        '<h2>Source</h2><div class="bar"><label>File <select id="file"></select></label></div>',
        '<div class="source" id="source" tabindex="0" aria-label="Source"></div>',
        *_patterns(profile),
    ]


def _patterns(profile: Profile) -> list[str]:
    """The anti-patterns that the advice is about, with programs before and after."""
    found = {
        told.anchor: sections()[told.anchor]
        for entry in profile.worst(ADVISED)
        if (told := advice_for(profile, entry)) is not None
    }
    return ["<h2>Before and after</h2>", *found.values()] if found else []


def _script(profile: Profile) -> str:
    if profile.is_empty:
        return ""
    script = files("solvent.profiling").joinpath("page.js").read_text(encoding="utf-8")
    return f"{data_block('data', _data(profile))}<script>{script}</script>"


def _data(profile: Profile) -> dict[str, object]:
    asked = bool(profile.asked)
    return {
        "measures": MEANINGS,
        "times": TIMES,
        "contexts": [
            {
                "name": context.place.name.rpartition("<locals>.")[2],
                "file": context.place.filename,
                "line": context.line,
                "first": context.place.first,
                "parent": context.parent,
                "inclusive": as_dict(context.inclusive, context.calls, asked),
            }
            for context in profile.contexts
        ],
        "entries": {
            "lines": [entry.as_dict() for entry in profile.lines],
            "functions": [entry.as_dict() for entry in profile.functions],
            "calls": [entry.as_dict() for entry in profile.calls],
            "loops": [entry.as_dict() for entry in profile.loops],
        },
        "sources": profile.sources,
        # How files are called; a cell of a notebook is a temporary file.
        "names": {file: os.path.basename(in_cells(file)) for file in profile.sources},
    }
