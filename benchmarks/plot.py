"""A plot with a logarithmic axis, as a picture of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solvent.pages.plots import Series, chart

Rows = Mapping[str, Sequence[tuple[float, float]]]


def plot(title: str, across: str, rows: Rows, up: str = "how many") -> str:
    """An SVG picture of some series of points; the axis upwards has powers of ten."""
    return (
        chart(title, across, up, [Series(name, row) for name, row in rows.items()], log=True) + "\n"
    )
