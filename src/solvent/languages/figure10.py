"""Figure 10 of "A Lightweight Symbolic Virtual Machine": unions against joins, with a fit.

The sum of the sizes of all unions grows with the number of joins like a slow quadratic, and not
exponentially, although the number of paths does.

>>> fit([(0, 1), (1, 3), (2, 7), (3, 13)])
Quadratic(a=1.0, b=1.0, c=1.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from solvent.pages import page

Points = Sequence[tuple[float, float]]

BOUNDS = range(1, 16)


@dataclass(frozen=True, slots=True)
class Quadratic:
    """The curve a x^2 + b x + c."""

    a: float
    b: float
    c: float

    def __call__(self, x: float) -> float:
        return (self.a * x + self.b) * x + self.c

    def __str__(self) -> str:
        return f"y = {self.a:.4g} x^2 {self.b:+.4g} x {self.c:+.4g}"


# The fit of the paper, for which R^2 is 0.9993.
PAPER = Quadratic(0.00003122, 1.2253, -494.2)


def fit(points: Points) -> Quadratic:
    """The quadratic with the least squares; at least three different places are needed."""
    if len({x for x, _ in points}) < 3:
        raise ValueError("a quadratic needs points at three different places")
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    powers = [sum((x**n for x, _ in exact), Fraction(0)) for n in range(5)]
    rows = [
        [*(powers[i + j] for j in (2, 1, 0)), sum((y * x**i for x, y in exact), Fraction(0))]
        for i in (2, 1, 0)
    ]
    return Quadratic(*map(float, _solved(rows)))


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of a regular system of linear equations, by elimination."""
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column] != 0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for row in range(size):
            if row != column:
                factor = rows[row][column]
                rows[row] = [v - factor * w for v, w in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]


def r_squared(points: Points, curve: Quadratic) -> float:
    """How much of the variance a curve explains; 1 if it goes through all points.

    >>> r_squared([(0, 0), (1, 1), (2, 4)], Quadratic(1, 0, 0))
    1.0
    """
    mean = sum(y for _, y in points) / len(points)
    around = sum((y - mean) ** 2 for _, y in points)
    return 1 - sum((y - curve(x)) ** 2 for x, y in points) / around


def as_json(points: Points) -> dict[str, object]:
    """The points, the fit, and that of the paper."""
    curve = fit(points)
    return {
        "points": [{"bound": n, "joins": x, "union_sum": y} for n, (x, y) in _numbered(points)],
        "fit": asdict(curve),
        "r_squared": r_squared(points, curve),
        "paper": {**asdict(PAPER), "r_squared": 0.9993},
    }


def _numbered(points: Points) -> list[tuple[int, tuple[float, float]]]:
    return list(zip(BOUNDS, points, strict=False))


def as_text(points: Points) -> str:
    """The points and the fit for a terminal."""
    curve = fit(points)
    rows = [("bound", "joins", "sum of unions", "fit", "paper's fit")]
    rows += [
        (f"{n}", f"{x:,}", f"{y:,}", f"{curve(x):,.0f}", f"{PAPER(x):,.0f}")
        for n, (x, y) in _numbered(points)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join([*lines, "", f"{curve}, R^2 = {r_squared(points, curve):.5f}"])


# --- the plot ----------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN = 640, 420, 70, 50, 20


def as_svg(points: Points) -> str:
    """The plot: the points, the fit, and the curve of the paper."""
    plot = _Plot(points)
    curve = fit(points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor">',
        *plot.axes(),
        plot.curve(curve, "#0969da"),
        plot.curve(PAPER, "#8c959f", dashed=True),
        *(f'<circle cx="{plot.x(x):.1f}" cy="{plot.y(y):.1f}" r="3.5" fill="#cf222e"/>'
          for x, y in points),
        f'<text x="{LEFT + 12}" y="{MARGIN + 14}" fill="#0969da">{curve}, '
        f"R² = {r_squared(points, curve):.4f}</text>",
        f'<text x="{LEFT + 12}" y="{MARGIN + 32}" fill="#8c959f">paper: {PAPER}, '
        "R² = 0.9993</text>",
        "</svg>",
    ]  # fmt: skip
    return "\n".join(parts)


class _Plot:
    """The coordinates of a plot."""

    def __init__(self, points: Points) -> None:
        self.right = max(x for x, _ in points) * 1.05
        self.top = max(max(y for _, y in points), PAPER(self.right)) * 1.05

    def x(self, value: float) -> float:
        return LEFT + value / self.right * (WIDTH - LEFT - MARGIN)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / self.top * (HEIGHT - BOTTOM - MARGIN)

    def axes(self) -> list[str]:
        """Both axes with their marks and titles."""
        left, right, bottom, top = LEFT, WIDTH - MARGIN, HEIGHT - BOTTOM, MARGIN
        parts = [
            f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="currentColor"/>',
            f'<text x="{(left + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">joins</text>',
            f'<text transform="translate(14 {(top + bottom) / 2}) rotate(-90)" '
            'text-anchor="middle">sum of the sizes of unions</text>',
        ]
        for part in range(5):
            x, y = self.right * part / 4, self.top * part / 4
            parts.append(
                f'<text x="{self.x(x):.1f}" y="{bottom + 18}" text-anchor="middle">{x:,.0f}</text>'
                f'<text x="{left - 6}" y="{self.y(y) + 4:.1f}" text-anchor="end">{y:,.0f}</text>'
            )
        return parts

    def curve(self, curve: Quadratic, colour: str, dashed: bool = False) -> str:
        """A curve, where it is not below the axis."""
        places = [self.right * step / 60 for step in range(61)]
        shown = [(x, curve(x)) for x in places if curve(x) >= 0]
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in shown)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        return f'<polyline points="{path}" fill="none" stroke="{colour}"{dashes}/>'


def as_html(points: Points) -> str:
    """The plot and the points as a page."""
    rows = "".join(
        f"<tr><td>{n}</td><td>{x:,}</td><td>{y:,}</td></tr>" for n, (x, y) in _numbered(points)
    )
    heads = "<tr><th>bound</th><th>joins</th><th>sum of unions</th></tr>"
    return page("Figure 10", [as_svg(points), f"<table>{heads}{rows}</table>"])
