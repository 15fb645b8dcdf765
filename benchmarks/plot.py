"""A small plot with a logarithmic axis, as a picture of its own."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, MARGIN = 640, 400, 60
COLOURS = ("#cf222e", "#0969da", "#1a7f37", "#8250df")

Series = Mapping[str, Sequence[tuple[float, float]]]


def plot(title: str, across: str, series: Series) -> str:
    """An SVG picture of some series of points; the axis upwards has powers of ten."""
    points = [point for row in series.values() for point in row]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top = math.ceil(math.log10(max(y for _, y in points)))

    def place(x: float, y: float) -> tuple[float, float]:
        dx = (x - left) / ((right - left) or 1) * (WIDTH - 2 * MARGIN)
        dy = math.log10(max(y, 1)) / (top or 1) * (HEIGHT - 2 * MARGIN)
        return MARGIN + dx, HEIGHT - MARGIN - dy

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        _words(title, 24),
        _words(across, HEIGHT - 16),
    ]
    for power in range(top + 1):
        x, y = place(left, 10**power)
        lines.append(f'<path d="M{x} {y:.1f}H{WIDTH - MARGIN}" stroke="#8884"/>')
        lines.append(f'<text x="{x - 6}" y="{y + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for x, _ in next(iter(series.values())):
        at, _ = place(x, 1)
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - 42}" text-anchor="middle">{x:g}</text>')
    for number, (name, row) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in row))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = place(*row[-1])
        words = html.escape(name)
        lines.append(
            f'<text x="{x:.1f}" y="{y - 6:.1f}" text-anchor="end" fill="{colour}">{words}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _words(text: str, y: float) -> str:
    return f'<text x="{WIDTH / 2}" y="{y}" text-anchor="middle">{html.escape(text)}</text>'
