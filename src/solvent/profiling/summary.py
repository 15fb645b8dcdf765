"""A profile as text for a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from solvent.profiling.advice import advice_for
from solvent.profiling.entries import Entry
from solvent.profiling.measures import shown
from solvent.profiling.profile import Profile
from solvent.verdicts.cells import in_cells

_TOTALS = ("time", "forks", "joins", "unions", "terms", "unused", "questions", "solver_time")
_COLUMNS = ("time", "solver_time", "terms", "unused", "union_sizes", "joins", "forks")
_HEADINGS = ("CPU", "solver", "terms", "unused", "unions", "joins", "forks")
# How many rows of a table are shown.
MOST = 5


def summary(profile: Profile) -> str:
    """The totals, the worst lines, functions and loops, and what to do about them."""
    if profile.is_empty:
        return "no function of the program ran on symbolic values"
    return "\n".join(_lines(profile))


def _lines(profile: Profile) -> Iterator[str]:
    totals = profile.totals
    yield ", ".join(f"{name.replace('_', ' ')} {shown(name, totals[name])}" for name in _TOTALS)
    for heading, entries in (
        ("lines", profile.lines),
        ("functions", profile.functions),
        ("loops", profile.loops),
    ):
        if entries:
            yield ""
            yield from _table(heading, entries[:MOST])
    for entry in profile.worst(3):
        told = advice_for(profile, entry)
        if told is not None:
            yield ""
            yield f"{short(entry.position)}: {told.sentence} (docs/antipatterns.md#{told.anchor})"


def _table(heading: str, entries: Sequence[Entry]) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [("score", *_HEADINGS, f"worst {heading}")]
    for entry in entries:
        numbers = (shown(name, entry.value(name)) for name in _COLUMNS)
        name = f"{short(entry.position)}  {entry.name}"
        rows.append((f"{entry.score:.2f}", *numbers, name))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "  ".join([*cells, row[-1]])


def short(position: str) -> str:
    """A position relative to the folder of the process, if it is below that, or in a cell."""
    folder = os.getcwd() + os.sep
    return in_cells(position).removeprefix(folder)
