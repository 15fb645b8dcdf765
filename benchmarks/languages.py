"""The solver-aided languages: table 4 and figure 10, against what is to be reached."""

from __future__ import annotations

from benchmarks.figure import Figure
from solvent.languages.benchmark import Kind
from solvent.languages.figure10 import fit, r_squared
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import Measured, all_benchmarks, measure_all
from solvent.languages.tables import means, of_kind, ratio

LIMIT = 300.0
RUNS = 2

# How many times faster than Rosette 4 the same programs are to be: evaluation, and total.
EVALUATION, TOTAL = 14.0, 11.0


def run() -> list[Figure]:
    """Run all benchmarks, one after the other."""
    rows = measure_all(all_benchmarks(), LIMIT, runs=RUNS)
    expected = sum(row.outcome is not None and row.outcome.expected for row in rows)
    same = of_kind(rows, Kind.SAME)
    slowest = min((found for row in same if (found := ratio(row)) is not None), default=0.0)
    return [
        Figure("expected answers", expected, f"of {len(rows)}", "all", expected == len(rows)),
        *_means(rows, Kind.SAME),
        Figure("evaluation of a same program, the least", slowest, "times", ">= 1", slowest >= 1),
        *_means(rows, Kind.OWN),
        _total(rows, "jump", 15.0),
        _total(rows, "CR4", LIMIT),
        _total(rows, "MM2 synthesize", LIMIT),
        *_unions(rows),
        _figure_10(),
    ]


def _means(rows: list[Measured], kind: Kind) -> list[Figure]:
    """Geometric means of the ratios to Rosette, which only for the same programs have a target."""
    found = []
    for name, mean in means(rows, kind).items():
        targets = (EVALUATION, TOTAL) if kind is Kind.SAME and name == "all" else (None, None)
        for what, value, target in zip(
            ("evaluation", "total"), (mean.evaluation, mean.total), targets, strict=True
        ):
            if value is not None:
                title = f"{kind}, {name}: {what}"
                shown = "" if target is None else f">= {target:g}"
                reached = None if target is None else value >= target
                found.append(Figure(title, value, "times faster", shown, reached))
    return found


def _total(rows: list[Measured], name: str, target: float) -> Figure:
    found = max(
        row.outcome.total if row.outcome else LIMIT for row in rows if row.benchmark.name == name
    )
    return Figure(f"{name}, total", found, "s", f"< {target:g} s", found < target)


def _unions(rows: list[Measured]) -> list[Figure]:
    groups = {
        "SynthCL verification": [row for row in rows if " verify" in row.benchmark.name],
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
