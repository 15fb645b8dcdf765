"""How terms and processor time grow with the size of a program, beside what peers need.

Pictures of each program are written to `build/growth`: `NAME-terms.svg` and `NAME-seconds.svg`.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.plot import plot
from benchmarks.queries import is_sorted
from benchmarks.stack_machine import run as run_machine
from benchmarks.text import tokenizer, verified
from benchmarks.vm import reverse_positive
from solvent import Int
from solvent.languages.ifcl import MACHINES, paper
from solvent.lift import execute
from solvent.terms.memory import sweep
from solvent.vm.report import Stats

FOLDER = Path("build/growth")
ROUNDS = 3

Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Program:
    """A program of growing size, and what is recorded of peers, by name and size."""

    name: str
    across: str
    sizes: Sequence[int]
    evaluate: Callable[[int], Stats]
    # The exponent of terms that is not to be exceeded.
    most: float
    terms: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    seconds: Mapping[str, Mapping[int, float]] = field(default_factory=dict)


# So that no round finds the constants of an earlier one.
_rounds = count()


def _ints(name: str, size: int) -> list[object]:
    number = next(_rounds)
    return [Int(f"{name}{number}.{place}") for place in range(size)]


def _rev_pos(size: int) -> Stats:
    return execute(reverse_positive, _ints("v", size)).stats


def _machine(size: int) -> Stats:
    program = list(zip(_ints("code", size), _ints("operand", size), strict=True))
    return execute(run_machine, program).stats


def _sorting(size: int) -> Stats:
    return execute(is_sorted, _ints("item", size)).stats


def _tokenizer(size: int) -> Stats:
    return verified(tokenizer, size).stats.run


def _ifcl(size: int) -> Stats:
    machine = MACHINES["basic"]
    return execute(paper.tell_apart, machine, *paper.symbolic(machine, size), size).stats


ROSETTE, CROSSHAIR = "Rosette 4", "CrossHair, whole check"

PROGRAMS = (
    Program(
        "revPos", "symbolic integers", (25, 50, 100, 200), _rev_pos, 3.1,
        {ROSETTE: {50: 66_348, 100: 515_198, 200: 4_060_000}},
        {ROSETTE: {50: 0.456, 100: 4.62, 200: 63}},
    ),
    Program(
        "stack machine", "symbolic instructions", (2, 4, 6, 8, 12, 16), _machine, 2.5,
        {ROSETTE: {4: 694, 6: 1_805, 8: 3_576}},
        {ROSETTE: {6: 0.018, 8: 0.037}, CROSSHAIR: {4: 1.65, 6: 62}},
    ),
    Program(
        "sorting", "symbolic integers", (3, 4, 6, 8, 10, 16), _sorting, 2.5,
        {ROSETTE: {6: 60, 8: 112, 10: 180}},
        {ROSETTE: {6: 0.001, 8: 0.001, 10: 0.001}, CROSSHAIR: {4: 0.46, 6: 15.5, 7: 178}},
    ),
    Program("tokenizer", "symbolic characters", (2, 4, 8, 12), _tokenizer, 4.0),
    Program(
        "IFCL", "symbolic instructions (the machine basic)", (2, 3, 5, 7, 8, 12), _ifcl, 3.2,
        {"Rosette 4 (B1, B3, B4, basic)": {3: 1_218, 5: 2_976, 7: 5_564, 8: 7_258}},
        {"Rosette 4 (B1, B3, B4, basic)": {3: 0.029, 5: 0.069, 7: 0.157, 8: 0.231}},
    ),
)  # fmt: skip


def measured(program: Program) -> tuple[Points, Points]:
    """Terms and the least seconds of the processor for each size."""
    terms: Points = []
    seconds: Points = []
    # The first run lifts the program.
    program.evaluate(program.sizes[0])
    for size in program.sizes:
        rounds = []
        for _ in range(ROUNDS):
            gc.unfreeze()
            gc.collect()
            sweep()
            rounds.append(program.evaluate(size))
        terms.append((size, max(stats.terms for stats in rounds)))
        seconds.append((size, min(stats.cpu_seconds for stats in rounds)))
    return terms, seconds


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The k for which size**k, times a number, fits best: least squares of the logarithms.

    >>> round(exponent([(2, 12), (4, 48), (10, 300)]), 6)
    2.0
    """
    xs, ys = ([math.log(max(point[axis], 1e-9)) for point in points] for axis in (0, 1))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread


def _series(
    ours: Points, theirs: Mapping[str, Mapping[int, float]], scale: float
) -> dict[str, Points]:
    found: dict[str, Points] = {f"Solvent, size^{exponent(ours):.1f}": ours}
    for name, points in theirs.items():
        row: Points = list(points.items())
        found[f"{name}, size^{exponent(row):.1f}" if len(row) > 2 else name] = row
    return {name: [(x, y * scale) for x, y in row] for name, row in found.items()}


def pictures(program: Program, terms: Points, seconds: Points) -> None:
    """Write both plots; times are in tenths of milliseconds, as the axis starts at 1."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for what, ours, theirs, unit, scale in (
        ("terms", terms, program.terms, "terms", 1.0),
        ("seconds", seconds, program.seconds, "evaluation, 0.1 ms of the processor", 1e4),
    ):
        picture = plot(
            f"{program.name}: {unit}", program.across, _series(ours, theirs, scale)
        )  # fmt: skip
        name = f"{program.name.replace(' ', '-')}-{what}.svg"
        (FOLDER / name).write_text(picture, encoding="utf-8")


def run() -> list[Figure]:
    """Exponents of all programs."""
    figures = []
    for program in PROGRAMS:
        terms, seconds = measured(program)
        pictures(program, terms, seconds)
        grown = exponent(terms)
        largest = program.sizes[-1]
        figures += [
            Figure(
                f"growth of {program.name}: terms", grown, "exponent",
                f"< {program.most}", grown < program.most,
            ),
            Figure(f"growth of {program.name}: processor time", exponent(seconds), "exponent"),
            Figure(f"{program.name} of size {largest}", seconds[-1][1] * 1000, "ms"),
        ]  # fmt: skip
    return figures
