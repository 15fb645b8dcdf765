"""Charts as SVG, with honest axes: the only place where plots are drawn.

Marks of an axis are round numbers inside of it; an axis of counts starts at zero unless it is
logarithmic, and then it begins and ends at powers of ten; what a chart cannot show (a zero on a
logarithmic axis) is refused, not moved.  Names stand above the chart, so that none is cut.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.pages.style import COLOURS

Point = tuple[float, float]

WIDTH, HEIGHT, RIGHT, BOTTOM = 640, 360, 22, 52
# Where titles and names begin: at the left, which is what a narrow screen shows first.
EDGE = 8
NAMES_HEIGHT = 20
SERIES = ("one", "two", "three", "four")


@dataclass(frozen=True, slots=True)
class Series:
    """Points with a name, joined by a line, or dashes, or not at all (`points`)."""

    name: str
    points: Sequence[Point]
    kind: str = "line"


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about so many.

    >>> ticks(0, 97)
    [0.0, 20.0, 40.0, 60.0, 80.0]
    >>> ticks(0, 0.03)
    [0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03]
    """
    span = (high - low) or abs(high) or 1.0
    power = math.floor(math.log10(span / count))
    unit = 10.0**power
    step = next(n for n in (1, 2, 5, 10) if n * unit * (count + 1) >= span)
    first, last = math.ceil(low / unit / step - 1e-9), math.floor(high / unit / step + 1e-9)
    # Rounded to the digits of the step, so that 0.1 + 0.2 is written 0.3.
    return [round(n * step * unit, max(0, -power)) for n in range(first, last + 1)]


def powers(low: float, high: float) -> list[float]:
    """The powers of ten from the one below `low` to the one above `high`.

    >>> powers(3, 250)
    [1.0, 10.0, 100.0, 1000.0]
    """
    if low <= 0:
        raise ValueError(f"a logarithmic axis has no place for {low:g}")
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**n for n in range(first, max(last, first + 1) + 1)]


def worded(value: float) -> str:
    """A number for an axis.

    >>> worded(12000.0), worded(0.25), worded(1e-5)
    ('12,000', '0.25', '1e-05')
    """
    return f"{value:,.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:g}"


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a number is between two ends, and which numbers are marked."""

    low: float
    high: float
    marks: Sequence[float]
    log: bool = False

    def place(self, value: float) -> float:
        """From 0 at the low end to 1 at the high one."""
        if self.log:
            return math.log10(value / self.low) / math.log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def axis(values: Sequence[float], *, log: bool = False, zero: bool = True) -> Axis:
    """The axis for some values; with `zero` a linear one begins there.

    >>> axis([3, 97]).marks, axis([3, 97]).place(0)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], 0.0)
    >>> axis([5, 50], log=True).marks
    [1.0, 10.0, 100.0]
    """
    low, high = min(values), max(values)
    if log:
        marks = powers(low, high)
        return Axis(marks[0], marks[-1], marks, log=True)
    low = min(low, 0.0) if zero else low
    high = high if high > low else low + 1
    marks = ticks(low, high)
    step = marks[1] - marks[0] if len(marks) > 1 else high - low
    # The axis ends at a mark, so that no value lies beyond the last one.
    end = marks[-1] if marks[-1] >= high else round(marks[-1] + step, 12)
    start = marks[0] if marks[0] <= low else round(marks[0] - step, 12)
    inside = [*([start] if start < marks[0] else []), *marks, *([end] if end > marks[-1] else [])]
    return Axis(start, end, inside)


def chart(title: str, across: str, up: str, series: Sequence[Series], *, log: bool = False) -> str:
    """Series of points with both axes; `log` is about the axis upwards.

    >>> picture = chart("Growth", "n", "seconds", [Series("here", [(1, 2.0), (2, 4.5)])])
    >>> picture.startswith("<svg"), "seconds" in picture
    (True, True)
    """
    shown = [point for row in series for point in row.points]
    if not shown:
        raise ValueError("a chart needs points")
    x_axis = axis([x for x, _ in shown], zero=False)
    y_axis = axis([y for _, y in shown], log=log)
    left = 34 + 7 * max(len(worded(mark)) for mark in y_axis.marks)
    top = 42 + NAMES_HEIGHT * len(series)
    bottom = top + HEIGHT - BOTTOM - 40

    def x(value: float) -> float:
        return left + x_axis.place(value) * (WIDTH - left - RIGHT)

    def y(value: float) -> float:
        return bottom - y_axis.place(value) * (bottom - top)

    parts = [_text(EDGE, 18, title, "start")]
    for mark in y_axis.marks:
        parts.append(f'<path class="grid" d="M{left} {y(mark):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(_text(left - 8, y(mark) + 4, worded(mark), "end"))
    for mark in x_axis.marks:
        parts.append(f'<path class="axis" d="M{x(mark):.1f} {bottom}v5"/>')
        parts.append(_text(x(mark), bottom + 19, worded(mark), "middle"))
    parts.append(f'<path class="axis" d="M{left} {top}V{bottom}H{WIDTH - RIGHT}"/>')
    parts.append(_text((left + WIDTH - RIGHT) / 2, bottom + 40, across, "middle"))
    turned = f'transform="translate(14 {(top + bottom) / 2:.1f}) rotate(-90)"'
    parts.append(f'<text {turned} text-anchor="middle">{html.escape(up)}</text>')
    for number, row in enumerate(series):
        parts += _drawn(row, SERIES[number % len(SERIES)], x, y, 40 + NAMES_HEIGHT * number)
    return _svg(title, bottom + BOTTOM, parts)


def _drawn(
    row: Series, colour: str, x: Callable[[float], float], y: Callable[[float], float], name_y: int
) -> list[str]:
    """A series, and its name with a sample of its line."""
    places = [(x(a), y(b)) for a, b in row.points]
    parts = [_text(EDGE + 34, name_y + 4, row.name, "start")]
    if row.kind == "points":
        parts.append(f'<circle class="{colour} dot" cx="{EDGE + 14}" cy="{name_y}" r="3.5"/>')
    else:
        dashes = ' stroke-dasharray="6 4"' if row.kind == "dashes" else ""
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<path class="{colour}" d="M{EDGE} {name_y}h28"{dashes}/>')
        parts.append(f'<polyline class="{colour}" points="{path}"{dashes}/>')
    if row.kind != "dashes":
        parts += (
            [
                f'<circle class="{colour} dot" cx="{a:.1f}" cy="{b:.1f}" r="3">'
                f"<title>{worded(p[0])}: {worded(p[1])}</title></circle>"
                for (a, b), p in zip(places, row.points, strict=True)
            ]
            if row.kind == "points" or len(places) <= 40
            else []
        )
    return parts


def bars(title: str, rows: Sequence[tuple[str, float]], *, unit: str = "", even: str = "") -> str:
    """Horizontal bars.  With `even`, they are ratios: on a logarithmic axis, from 1 outwards, where
    `even` is written; else they start at zero.

    >>> "as fast" in bars("Times faster", [("sorting", 4.0), ("parsing", 0.5)], even="as fast")
    True
    """
    if not rows:
        return ""
    values = [value for _, value in rows]
    ends = [*values, 1.0] if even else values
    scale = axis(ends, log=bool(even))
    left = min(300, 16 + max(7 * len(name) for name, _ in rows))
    width, height, high = WIDTH - left - 64, 24, 46 if even else 34

    def x(value: float) -> float:
        return left + scale.place(value) * width

    bottom = high + height * len(rows)
    start = x(1.0 if even else max(scale.low, 0.0))
    parts = [_text(EDGE, 18, title, "start")]
    for mark in scale.marks:
        parts.append(f'<path class="grid" d="M{x(mark):.1f} {high}V{bottom + 4}"/>')
        parts.append(_text(x(mark), bottom + 20, worded(mark) + unit, "middle"))
    for number, (name, value) in enumerate(rows):
        top, end = high + height * number, x(value)
        colour = "three" if not even or value >= 1 else "two"
        parts.append(_text(left - 8, top + 16, name, "end"))
        parts.append(
            f'<rect class="{colour} dot" x="{min(start, end):.1f}" y="{top + 4}" '
            f'width="{abs(end - start):.1f}" height="{height - 8}"/>'
        )
        parts.append(_text(max(start, end) + 5, top + 16, f"{value:.3g}{unit}", "start"))
    parts.append(f'<path class="axis" d="M{start:.1f} {high}V{bottom + 4}"/>')
    if even:
        parts.append(_text(start, high - 6, even, "middle"))
    return _svg(title, bottom + 32, parts)


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'


# A picture has its colours with it, since it may be a file of its own.
_STYLE = (
    COLOURS
    + """
.plot text { fill: var(--ink); } .plot .grid { stroke: var(--line); } .plot path, .plot polyline
{ fill: none; } .plot .axis { stroke: var(--faint); }
"""
    + "".join(
        f".plot .{name} {{ stroke: var(--{name}); stroke-width: 2 }} "
        f".plot .{name}.dot {{ fill: var(--{name}); stroke: none }}\n"
        for name in SERIES
    )
)


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="{WIDTH}" '
            f'viewBox="0 0 {WIDTH} {height:.0f}" '
            'role="img" font-family="system-ui, sans-serif" font-size="12">',
            f"<title>{html.escape(title)}</title><style>{_STYLE}</style>",
            *parts,
            "</svg>",
        ]
    )
