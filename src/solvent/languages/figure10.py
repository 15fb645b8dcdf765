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

from solvent.pages import box, page, table
from solvent.pages.plots import Series, chart

Points = Sequence[tuple[float, float]]

BOUNDS = range(1, 16)


@dataclass(frozen=True, slots=True)
class Quadratic:
    """The curve a x² + b x + c.

    >>> print(Quadratic(2, -1.5, 3))
    y = 2 x² - 1.5 x + 3
    """

    a: float
    b: float
    c: float

    def __call__(self, x: float) -> float:
        return (self.a * x + self.b) * x + self.c

    def __str__(self) -> str:
        signs = ["-" if number < 0 else "+" for number in (self.b, self.c)]
        b, c = abs(self.b), abs(self.c)
        return f"y = {self.a:.4g} x² {signs[0]} {b:.4g} x {signs[1]} {c:.4g}"


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
    return "\n".join([*lines, "", f"{curve}, R² = {r_squared(points, curve):.5f}"])


# --- the plot ----------------------------------------------------------------------------------


def as_svg(points: Points) -> str:
    """The plot: the points, the fit, and the curve of the paper."""
    curve = fit(points)
    fitted = f"fit: {curve}, R² = {r_squared(points, curve):.4f}"
    return chart(
        "Figure 10: unions against joins",
        "joins",
        "sum of the sizes of unions",
        [
            Series("measured", points, "points"),
            Series(fitted, _drawn(curve, points)),
            Series(f"paper: {PAPER}, R² = 0.9993", _drawn(PAPER, points), "dashes"),
        ],
    )


def _drawn(curve: Quadratic, points: Points) -> Points:
    """A curve over the places of the points, where it is not below the axis."""
    right = max(x for x, _ in points)
    places = [right * step / 60 for step in range(61)]
    return [(x, curve(x)) for x in places if curve(x) >= 0]


def as_html(points: Points) -> str:
    """The plot and the points as a page."""
    rows = [(f"{n}", f"{x:,}", f"{y:,}") for n, (x, y) in _numbered(points)]
    return page(
        "Figure 10",
        [
            box(as_svg(points), "plot"),
            table(["bound", "joins", "sum of unions"], rows, texts=0),
        ],
    )
