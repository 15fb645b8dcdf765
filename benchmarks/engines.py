"""Which solver is fastest on what is asked: `python -m benchmarks.engines [FAMILY ...]`.

Queries run once and what they ask of a solver is recorded; then each solver and mode is asked
again, in a new process, and its processor time counts, with its start.  Formulas that take next to
no time are left out: what they cost is the start.  The families are table 4, the everyday functions
and the corpus of Boogie programs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from benchmarks.everyday.__main__ import TOPICS
from benchmarks.everyday.claims import CLAIMS
from solvent import Solver, verify
from solvent.cli import main as solvent
from solvent.errors import SolventError
from solvent.languages.benchmark import Clock, Kind
from solvent.languages.measuring import all_benchmarks
from solvent.solvers import Status
from solvent.terms.kinds import Guard

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "boogie" / "corpus"

# Seconds for each answer; what is not answered counts as much.  While recording less will do.
LIMIT = 10.0
RECORDING_LIMIT = 2.0
# Formulas that were answered faster, by the clock, are left out, and all but the hardest ones.
LEAST_SECONDS = 0.01
MOST_FORMULAS = 30

AUTO = "auto"
SPECS = (AUTO, "bitwuzla", "z3", "z3:QF_BV", "z3:simple", "cvc5")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, and how long that took by the clock."""

    formulas: tuple[Guard, ...]
    seconds: float


# --- recording -----------------------------------------------------------------------------------


@contextlib.contextmanager
def recording(found: dict[tuple[int, ...], Asked]) -> Iterator[None]:
    """Note what all solvers are asked, once each."""
    check = Solver.check

    def noting(
        self: Solver, *assumptions: Guard | Sequence[Guard], timeout: float | None = None
    ) -> Status:
        status = check(self, *assumptions, timeout=timeout)
        seconds = self.checked.seconds
        if seconds >= LEAST_SECONDS and not self._objectives:
            formulas = (*self.assertions, *self._assumptions)
            found.setdefault(tuple(map(id, formulas)), Asked(formulas, seconds))
        return status

    with patch.object(Solver, "check", noting):
        yield


def table_4() -> None:
    """The same programs as Rosette's."""
    for row in all_benchmarks():
        if row.kind is Kind.SAME:
            row.run(LIMIT)


def everyday() -> None:
    """The everyday functions."""
    for topic in TOPICS:
        __import__(f"benchmarks.everyday.{topic}")
    for claim in CLAIMS:
        with contextlib.suppress(SolventError):
            verify(claim.function, timeout=RECORDING_LIMIT)


def boogie() -> None:
    """The Boogie programs."""
    for path in sorted(CORPUS.rglob("*.bpl")):
        silence = io.StringIO()
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            solvent(["boogie", "verify", str(path), "--timeout", str(RECORDING_LIMIT)])


FAMILIES: dict[str, Callable[[], None]] = {
    "table 4": table_4,
    "everyday": everyday,
    "Boogie": boogie,
}


def recorded(family: str) -> list[Asked]:
    """The hardest of what a family asks."""
    found: dict[tuple[int, ...], Asked] = {}
    with recording(found):
        FAMILIES[family]()
    return sorted(found.values(), key=lambda asked: -asked.seconds)[:MOST_FORMULAS]


# --- asking again --------------------------------------------------------------------------------


def answered(asked: Asked, spec: str) -> tuple[Status, float]:
    """What a solver says, and the processor time of that; unknown if it lacks a theory."""
    clock = Clock()
    try:
        with Solver(None if spec == AUTO else spec, timeout=LIMIT) as solver:
            solver.add(*asked.formulas)
            status = solver.check()
    except SolventError:
        clock.total()
        return Status.UNKNOWN, LIMIT
    seconds = clock.total()
    return status, LIMIT if status is Status.UNKNOWN else min(seconds, LIMIT)


@dataclass(frozen=True, slots=True)
class Row:
    """What one solver made of a family's formulas."""

    family: str
    spec: str
    formulas: int
    solved: int
    # How often it was the fastest of all, and its seconds together.
    wins: int
    seconds: float


def rows(family: str, formulas: Sequence[Asked]) -> list[Row]:
    """Ask all solvers about all formulas; their answers must not contradict each other."""
    times: dict[str, list[float]] = {spec: [] for spec in SPECS}
    for asked in formulas:
        answers = set()
        for spec in SPECS:
            status, seconds = answered(asked, spec)
            times[spec].append(seconds)
            answers.add(status)
        assert not {Status.SAT, Status.UNSAT} <= answers, "solvers contradict each other"
    best = [min(found) for found in zip(*times.values(), strict=True)]
    result = [
        Row(
            family,
            spec,
            len(formulas),
            sum(seconds < LIMIT for seconds in found),
            sum(a == b < LIMIT for a, b in zip(found, best, strict=True)),
            sum(found),
        )
        for spec, found in times.items()
    ]
    solved = sum(seconds < LIMIT for seconds in best)
    return [*result, Row(family, "the best of all", len(formulas), solved, solved, sum(best))]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines")
    parser.add_argument("families", nargs="*", choices=[*FAMILIES, []], help="default: all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: list[Row] = []
    for family in options.families or FAMILIES:
        print(f"recording {family} ...", file=sys.stderr)
        formulas = recorded(family)
        print(f"asking about {len(formulas)} formulas ...", file=sys.stderr)
        found += rows(family, formulas)
    if options.json:
        names = Row.__slots__
        print(json.dumps([{name: getattr(row, name) for name in names} for row in found]))
        return 0
    table = Table("family", "solver", "solved", "fastest", "seconds")
    for row in found:
        solved = f"{row.solved} of {row.formulas}"
        table.add_row(row.family, row.spec, solved, str(row.wins), f"{row.seconds:.1f}")
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
