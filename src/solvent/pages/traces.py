"""A counterexample as a page: the source with the values at each line, step by step.

The steps come from whoever ran the program: CPython, the interpreter of Boogie, the emulator of
RISC-U.  Buttons, a slider and the arrow keys go through them; without a script, the table below has
all of them.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from solvent.pages import page, table

# What a page shows at most; a trace that is longer keeps its beginning and its end.
MOST_STEPS = 2_000
# How many lines of a file are shown around those of the trace.
AROUND = 12


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What happens at a line: the values after it, or nothing, and what to say."""

    file: str
    line: int
    values: str = ""
    text: str = ""
    fails: bool = False


def shortened(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """At most MOST_STEPS of them, and how many are left out.

    >>> [step.text for step in shortened([TraceStep("a", 1)] * 3000)][1000]
    '1,000 steps are left out here'
    """
    if len(steps) <= MOST_STEPS:
        return list(steps)
    half = MOST_STEPS // 2
    gap = TraceStep("", 0, text=f"{len(steps) - MOST_STEPS:,} steps are left out here")
    return [*steps[:half], gap, *steps[-half:]]


def trace(steps: Sequence[TraceStep], sources: Mapping[str, str]) -> str:
    """The part of a page with a trace.

    >>> made = trace([TraceStep("a.py", 1, "x = 1")], {"a.py": "x = 1 < 2"})
    >>> "x = 1 &lt; 2" in made, 'data-at="a.py:1"' in made
    (True, True)
    """
    shown = shortened(steps)
    told = [
        {
            "at": f"{step.file}:{step.line}",
            "values": step.values,
            "text": step.text or (f"{step.file}:{step.line}" if step.file else ""),
            "fails": step.fails,
        }
        for step in shown
    ]
    # A text may hold "</script>", and a line separator that JSON allows and JavaScript did not.
    data = json.dumps(told).replace("<", "\\u003c")
    buttons = [("first", "|◀", "first step"), ("-1", "◀", "step back"), ("1", "▶", "step forward"),
               ("last", "▶|", "last step")]  # fmt: skip
    made = "".join(
        f'<button type="button" data-go="{go}" aria-label="{label}">{sign}</button>'
        for go, sign, label in buttons
    )
    rows = [
        [str(number), f"{step.file}:{step.line}" if step.file else "", step.values, step.text]
        for number, step in enumerate(shown, 1)
    ]
    return "\n".join(
        [
            '<div class="trace">',
            f'<script type="application/json">{data}</script>',
            f'<div class="steps">{made}<input type="range" min="0" max="{len(shown) - 1}" '
            'aria-label="step"></div><p><output aria-live="polite"></output></p>',
            *_sources(shown, sources),
            "</div>",
            "<details><summary>All steps</summary>",
            table(["step", "place", "values", "what happens"], rows, texts=4),
            "</details>",
        ]
    )


def _sources(steps: Iterable[TraceStep], sources: Mapping[str, str]) -> Iterator[str]:
    by_file: dict[str, set[int]] = {}
    for step in steps:
        if step.file in sources:
            by_file.setdefault(step.file, set()).add(step.line)
    for file, visited in by_file.items():
        yield f"<h2>{html.escape(file)}</h2>"
        lines = sources[file].splitlines()
        first, last = max(1, min(visited) - AROUND), min(len(lines), max(visited) + AROUND)
        width = len(str(last))
        name = html.escape(file)
        # Not on lines of their own: in this box every line break is shown.
        rows = "".join(
            f'<span class="row" data-at="{name}:{number}">'
            f'<span class="number">{number:>{width}}</span>  {html.escape(lines[number - 1])}'
            '<span class="values"></span></span>'
            for number in range(first, last + 1)
        )
        yield f'<div class="source" tabindex="0" role="region" aria-label="{name}">{rows}</div>'


@dataclass(frozen=True, slots=True)
class Story:
    """A counterexample: what is wrong, the inputs that show it, and the steps to it."""

    headline: str
    inputs: Mapping[str, str]
    steps: Sequence[TraceStep]
    sources: Mapping[str, str]


def story_page(title: str, stories: Sequence[Story], notes: Sequence[str] = ()) -> str:
    """A page with one counterexample after the other, and what else there is to say.

    >>> found = Story("wrong", {"x": "0"}, [TraceStep("a.py", 1, fails=True)], {"a.py": "1 / x"})
    >>> "1 / x" in story_page("a.py", [found])
    True
    """
    body = []
    for story in stories:
        body.append(f'<h2 class="no">{html.escape(story.headline)}</h2>')
        if story.inputs:
            body.append(table(["input", "value"], list(story.inputs.items()), texts=2))
        if story.steps:
            body.append(trace(story.steps, story.sources))
    body += [f"<p>{html.escape(note)}</p>" for note in notes]
    return page(title, body)
