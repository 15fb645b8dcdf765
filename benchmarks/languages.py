"""The solver-aided languages: table 4 and figure 10, against what is to be reached."""

from __future__ import annotations

from benchmarks.figure import Figure
from solvent.languages.figure10 import fit, r_squared
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import Measured, all_benchmarks, measure_all
from solvent.languages.tables import mean_ratio, ratio

LIMIT = 300.0


def run() -> list[Figure]:
    """Run all benchmarks, one after the other."""
    rows = measure_all(all_benchmarks(), LIMIT)
    expected = sum(row.outcome is not None and row.outcome.expected for row in rows)
    mean = mean_ratio(rows) or 0.0
    slowest = min((found for row in rows if (found := ratio(row)) is not None), default=0.0)
    return [
        Figure("expected answers", expected, f"of {len(rows)}", "all", expected == len(rows)),
        Figure("evaluation, geometric mean", mean, "times faster", ">= 4", mean >= 4),
        Figure("evaluation, the least", slowest, "times faster", ">= 1", slowest >= 1),
        _total(rows, "jump", 15.0),
        _total(rows, "CR4", LIMIT),
        _total(rows, "MM2 synthesize", LIMIT),
        *_unions(rows),
        _figure_10(),
    ]


def _total(rows: list[Measured], name: str, target: float) -> Figure:
    found = max(
        row.outcome.evaluation + row.outcome.solving if row.outcome else LIMIT
        for row in rows
        if row.benchmark.name == name
    )
    return Figure(f"{name}, evaluation and solving", found, "s", f"< {target:g} s", found < target)


def _unions(rows: list[Measured]) -> list[Figure]:
    groups = {
        "SynthCL verification": [row for row in rows if row.benchmark.name.endswith(" verify")],
        "WebSynth": [row for row in rows if row.benchmark.language == "websynth"],
    }
    return [
        Figure(f"unions in {name}", count, "", "0", count == 0)
        for name, group in groups.items()
        for count in [sum(row.outcome.unions for row in group if row.outcome)]
    ]


def _figure_10() -> Figure:
    rows = measure_all(figure10_benchmarks(), LIMIT)
    points = [(row.outcome.joins, row.outcome.union_sum) for row in rows if row.outcome]
    found = r_squared(points, fit(points))
    return Figure("figure 10, R^2 of the quadratic", found, "", "> 0.99", found > 0.99)
