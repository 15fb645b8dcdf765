"""Small graphs as SVG: states in columns by their distance from the first, arrows with labels."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solvent.pages.style import COLOURS

ACROSS, DOWN, RADIUS, MARGIN = 150, 96, 27, 46


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow; one that is only possible is dashed."""

    source: str
    target: str
    label: str
    certain: bool = True


Places = Mapping[str, tuple[float, float]]


def graph(initial: str, edges: Sequence[Edge], final: frozenset[str] = frozenset()) -> str:
    """The graph of what can be reached from a first state; final ones have a double border.

    >>> picture = graph("a", [Edge("a", "b", "0"), Edge("b", "b", "1")], frozenset("b"))
    >>> picture.count("<circle"), picture.count("marker-end")
    (3, 3)
    """
    places = _layout(initial, edges)
    merged: dict[tuple[str, str, bool], list[str]] = {}
    for edge in edges:
        if edge.source in places:
            merged.setdefault((edge.source, edge.target, edge.certain), []).append(edge.label)
    width = max(x for x, _ in places.values()) + RADIUS + MARGIN
    height = max(y for _, y in places.values()) + RADIUS + MARGIN
    x, y = places[initial]
    parts = [_arrow(f"M{x - RADIUS - 24:.0f} {y:.0f}h20")]
    for (source, target, certain), labels in merged.items():
        back = (target, source, certain) in merged or places[target][0] < places[source][0]
        parts += _edge(places, source, target, ", ".join(labels), certain, back)
    for name, (x, y) in places.items():
        parts.append(f'<circle class="state" cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}"/>')
        if name in final:
            parts.append(f'<circle class="state" cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS - 4}"/>')
        parts.append(_words(x, y + 4, name))
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" font-size="12" '
            f'font-family="system-ui, sans-serif" width="{width:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" style="max-width: 100%; height: auto">',
            f"<title>automaton that starts in {html.escape(initial)}</title>",
            f"<style>{COLOURS}{_STYLE}</style>{_HEAD}",
            *parts,
            "</svg>",
        ]
    )


_STYLE = """
.graph text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
.graph .state { fill: var(--soft); stroke: var(--ink); } .graph .arrow { fill: none;
stroke: var(--faint); } .graph marker path { fill: var(--faint); }
"""
_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
)


def _layout(initial: str, edges: Sequence[Edge]) -> Places:
    """Columns by distance, from left to right."""
    columns = [[initial]]
    seen = {initial}
    while True:
        after: list[str] = []
        for source in columns[-1]:
            for edge in edges:
                if edge.source == source and edge.target not in seen:
                    seen.add(edge.target)
                    after.append(edge.target)
        if not after:
            break
        columns.append(after)
    most = max(map(len, columns))
    return {
        name: (
            MARGIN + RADIUS + ACROSS * column,
            MARGIN + RADIUS + DOWN * (row + (most - len(names)) / 2),
        )
        for column, names in enumerate(columns)
        for row, name in enumerate(names)
    }


def _edge(
    places: Places, source: str, target: str, label: str, certain: bool, bent: bool
) -> list[str]:
    (x, y), (to_x, to_y) = places[source], places[target]
    if source == target:
        path = f"M{x - 12:.0f} {y - 25:.0f}c-14 -34 38 -34 25 1"
        return [_arrow(path, certain), _words(x, y - 55 + 4, label)]
    length = math.hypot(to_x - x, to_y - y)
    right, down = (to_x - x) / length, (to_y - y) / length
    bend = _around(places, source, target) or (34 if bent else 0)
    middle = ((x + to_x) / 2 + down * bend, (y + to_y) / 2 - right * bend)
    start = (x + right * RADIUS, y + down * RADIUS)
    end = (to_x - right * (RADIUS + 1), to_y - down * (RADIUS + 1))
    path = (
        f"M{start[0]:.0f} {start[1]:.0f}Q{middle[0]:.0f} {middle[1]:.0f} {end[0]:.0f} {end[1]:.0f}"
    )
    lift = bend / 2 + 7
    at = ((x + to_x) / 2 + down * lift, (y + to_y) / 2 - right * lift + 4)
    return [_arrow(path, certain), _words(*at, label)]


def _around(places: Places, source: str, target: str) -> float:
    """How far an arrow has to be bent so that it does not lead through a state between its ends."""
    (x, y), (to_x, to_y) = places[source], places[target]
    length = math.hypot(to_x - x, to_y - y)
    right, down = (to_x - x) / length, (to_y - y) / length
    bend = 0.0
    for name, (at_x, at_y) in places.items():
        along = ((at_x - x) * right + (at_y - y) * down) / length
        beside = abs((at_x - x) * down - (at_y - y) * right)
        if name not in (source, target) and 0 < along < 1 and beside < RADIUS:
            bend = max(bend, (RADIUS + 12) / (2 * along * (1 - along)))
    # Its label stays in the picture.
    return min(bend, 2 * (MARGIN + RADIUS - 20))


def _arrow(path: str, certain: bool = True) -> str:
    dashes = "" if certain else ' stroke-dasharray="5 4"'
    return f'<path class="arrow" d="{path}" marker-end="url(#head)"{dashes}/>'


def _words(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle">{html.escape(text)}</text>'
