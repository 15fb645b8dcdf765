"""Methods from program to logic: paths against formulas, and loops without invariants.

`python -m benchmarks.logic PICTURE.svg` draws the first as a plot.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from benchmarks.explore import merged
from benchmarks.figure import Figure
from benchmarks.loops import TEXTBOOK, diamond
from benchmarks.plot import plot
from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.dse import DynamicSymbolicExecution
from solvent.logic.method import Limits, Method
from solvent.logic.smc import SymbolicModelChecking
from solvent.logic.vc import VerificationConditions
from solvent.reach.program import Program
from solvent.verdicts import Verdict

SIZES = (5, 8, 11, 14, 17, 20)
# With more branches than this there are too many paths to wait for.
MOST_PATHS = 11
SECONDS = 10.0


def run() -> list[Figure]:
    """The diamond family, then the loops."""
    return [*diamonds(), *loops()]


def read(text: str) -> Program:
    """The program of a text in Boogie."""
    return lower(check_program(parse_program(text=text, file="benchmark.bpl")))


def diamonds() -> list[Figure]:
    """Branches one after the other: paths double, formulas grow by the same amount each time."""
    figures = []
    sizes: dict[str, dict[int, int]] = {"VC": {}, "BMC": {}, "virtual machine": {}}
    paths: dict[int, int] = {}
    for branches in SIZES:
        program = read(diamond(branches))
        methods: list[tuple[str, Method]] = [
            ("VC", VerificationConditions()),
            ("BMC", BoundedModelChecking()),
        ]
        for name, method in methods:
            report = method.analyse(program, "main", Limits(SECONDS))
            sizes[name][branches] = report.statistics.terms
            good = report.verdict is Verdict.HOLDS
            figures.append(
                Figure(f"{branches} diamonds, {name}", report.statistics.terms, "terms", "", good)
            )
        if branches <= MOST_PATHS:
            search = DynamicSymbolicExecution(compositional=False)
            report = search.analyse(program, "main", Limits(120.0))
            paths[branches] = report.figures["paths"]
            figures.append(
                Figure(
                    f"{branches} diamonds, DSE ({report.statistics.seconds:.1f} s)",
                    paths[branches],
                    "paths",
                    f"= {2**branches:,}",
                    paths[branches] == 2**branches,
                )
            )
        _, terms, _ = merged(branches)
        sizes["virtual machine"][branches] = terms
        figures.append(Figure(f"{branches} diamonds, virtual machine", terms, "terms"))
        composed = DynamicSymbolicExecution(directed=False).analyse(program, "main", Limits(60.0))
        figures.append(
            Figure(
                f"{branches} diamonds, DSE with summaries",
                composed.statistics.terms,
                "terms",
                "",
                composed.verdict is Verdict.HOLDS,
            )
        )
    for name, found in sizes.items():
        figures.append(_linear(name, found))
    return figures


def _linear(name: str, found: dict[int, int]) -> Figure:
    """How much one more branch costs at the end, compared with the beginning."""
    first = (found[SIZES[1]] - found[SIZES[0]]) / (SIZES[1] - SIZES[0])
    last = (found[SIZES[-1]] - found[SIZES[-2]]) / (SIZES[-1] - SIZES[-2])
    ratio = last / first
    return Figure(
        f"growth of {name} for one more branch", ratio, "times", "1 (linear)", ratio < 1.1
    )


def loops() -> list[Figure]:
    """Loops from textbooks, proved safe without invariants by the unbounded engine."""
    figures = []
    for name, text in TEXTBOOK.items():
        program = read(text)
        started = time.monotonic()
        method = SymbolicModelChecking(engine="horn")
        report = method.analyse(program, "main", Limits(2 * SECONDS))
        seconds = time.monotonic() - started
        good = report.verdict is Verdict.HOLDS and seconds < SECONDS
        figures.append(
            Figure(f"loop without invariants: {name}", seconds, "s", f"< {SECONDS:g} s", good)
        )
    return figures


def draw(path: Path) -> None:
    """The diamond family as a plot: paths, and the sizes of formulas."""
    names = ("DSE (paths)", "VC", "BMC", "virtual machine")
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for figure in diamonds():
        branches, _, rest = figure.name.partition(" diamonds, ")
        name = "DSE (paths)" if rest.startswith("DSE (") else rest
        if rest and name in series:
            series[name].append((float(branches), figure.value))
    measured = series["DSE (paths)"]
    # Too many to wait for, but known.
    measured += [(float(n), 2.0**n) for n in SIZES if n > MOST_PATHS]
    title = f"paths (measured up to {MOST_PATHS}) against terms of a formula"
    path.write_text(plot(title, "independent branches", series), encoding="utf-8")


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
