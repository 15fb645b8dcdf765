"""How fast BTOR2 models are read and checked; beside BtorMC, where `pyboolector` is installed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import btormc
from benchmarks.btor2_circuits import figures as circuits
from benchmarks.btor2_models import MODELS
from benchmarks.figure import Figure
from solvent.btor2 import bmc, parse, print_model
from solvent.solvers import Solver
from solvent.terms import BitVec

LINES = 1_000_000
# Three times what btormc needs for models of about 1,100 nodes.
SECONDS = 0.5


def text_of(lines: int, distance: int) -> str:
    """A long model, with numbers so far apart."""
    rows = ["1 sort bitvec 32", "2 input 1", "3 input 1"]
    names = ("add", "xor", "sub", "and")
    last = 3
    for k in range(1, lines):
        number = 3 + k * distance
        rows.append(f"{number} {names[k % 4]} 1 {last} 2 ; {k}")
        last = number
    return "\n".join(rows)


def reading_figures() -> Iterator[Figure]:
    """Dense and sparse models of a million lines."""
    for name, distance in (("dense", 1), ("numbers up to 800,000,000", 800)):
        text = text_of(LINES, distance)
        started = time.process_time()
        parse(text)
        seconds = time.process_time() - started
        target = 15.0
        yield Figure(
            f"reading {LINES:,} lines, {name}", seconds, "s", f"<= {target} s", seconds <= target
        )


def checking_figures() -> Iterator[Figure]:
    """Models of processors: parsing, unrolling and solving."""
    with Solver("bitwuzla") as solver:
        # The solver's process is started before the clock.
        solver.add(BitVec("started", 8) == 1)
        solver.check()
    for name, (make, bound) in MODELS.items():
        model = make()
        text = print_model(model)
        started = time.perf_counter()
        answers = bmc(parse(text), bound)
        seconds = time.perf_counter() - started
        told = f"checking {name} ({len(model.nodes)} nodes, {answers[0]})"
        yield Figure(told, seconds, "s", f"<= {SECONDS} s", seconds <= SECONDS)
        other = btormc_seconds(text, bound)
        if other is not None:
            yield Figure(f"btormc on {name}", other, "s")


def btormc_seconds(text: str, bound: int) -> float | None:
    """The CPU seconds that BtorMC takes, if its library is there."""
    library = btormc.installed_library()
    if library is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.btor2"
        path.write_text(text)
        found = btormc.measured(str(path), bound, library, 600)
    return None if found is None else found[1]


def run() -> list[Figure]:
    """All figures of this suite."""
    return [*checking_figures(), *circuits(), *reading_figures()]
