"""Which solver is fastest on what is asked: `python -m benchmarks.engines [FAMILY ...]`.

Queries run once and what they ask of a solver is recorded; then each solver and mode is asked
again, in a new process, and its processor time counts, with its start; where ints have bounds also
as bitvectors.  Formulas that take next to no time are left out: what they cost is the start.  The
families are table 4, the everyday functions and the corpus of Boogie programs.

`--keep FILE` keeps what was recorded, `--kept FILE` asks about it again.  It is told, too, how much
of the time went into questions that had been asked before with other names, or with the same ones.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
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
from solvent.solvers.encode import Encoder
from solvent.solvers.narrowing import CannotNarrowError, Narrowing
from solvent.solvers.structure import Structure
from solvent.terms.graph import size
from solvent.terms.kinds import Guard

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "boogie" / "corpus"

# Seconds of the processor for each answer; what is not answered counts as much.  Nobody waits
# longer than some times as many by the clock.  While recording less will do.
LIMIT = 10.0
PATIENCE = 8
RECORDING_LIMIT = 2.0
# Formulas that were answered faster, by the clock, are left out, and all but the hardest ones.
LEAST_SECONDS = 0.01
MOST_FORMULAS = 30

AUTO = "auto"
# A solver of bitvectors on ints that have bounds.
BITS = "ints as bits: "
SPECS = (
    AUTO, "bitwuzla", "z3", "z3:QF_BV", "z3:simple", "cvc5", f"{BITS}bitwuzla", f"{BITS}z3:QF_BV"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, and how long that took by the clock."""

    formulas: tuple[Guard, ...]
    seconds: float


@dataclass
class Recorded:
    """What a family has asked: the slow questions, once each, and how many there were in all."""

    slow: dict[tuple[int, ...], Asked] = field(default_factory=dict)
    questions: int = 0
    seconds: float = 0.0
    # How often a question came again, literally or with other names, and the seconds of these.
    again: int = 0
    seconds_again: float = 0.0
    renamed: int = 0
    seconds_renamed: float = 0.0
    keys: set[bytes] = field(default_factory=set)
    literal: set[tuple[int, ...]] = field(default_factory=set)

    def note(self, formulas: tuple[Guard, ...], seconds: float) -> None:
        """Note a question that was answered."""
        self.questions += 1
        self.seconds += seconds
        ids = tuple(map(id, formulas))
        key = Structure(formulas, sys.maxsize).key
        if ids in self.literal:
            self.again += 1
            self.seconds_again += seconds
        elif key in self.keys:
            self.renamed += 1
            self.seconds_renamed += seconds
        self.keys.add(key)
        if seconds >= LEAST_SECONDS:
            # They are held, so that no other formula gets their places.
            self.literal.add(ids)
            self.slow.setdefault(ids, Asked(formulas, seconds))

    def __str__(self) -> str:
        return (
            f"{self.questions} questions in {self.seconds:.1f} s; asked before: {self.again} in "
            f"{self.seconds_again:.1f} s, with other names {self.renamed} in "
            f"{self.seconds_renamed:.1f} s"
        )


# --- recording -----------------------------------------------------------------------------------


@contextlib.contextmanager
def recording(found: Recorded) -> Iterator[None]:
    """Note what all solvers are asked."""
    check = Solver.check

    def noting(
        self: Solver, *assumptions: Guard | Sequence[Guard], timeout: float | None = None
    ) -> Status:
        status = check(self, *assumptions, timeout=timeout)
        if not self._objectives:
            found.note((*self.assertions, *self._assumptions), self.checked.seconds)
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
    # One after the other in this process, where they are recorded.
    command = ["boogie", "verify", "--jobs", "1"]
    for path in sorted(CORPUS.rglob("*.bpl")):
        silence = io.StringIO()
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            solvent([*command, str(path), "--timeout", str(RECORDING_LIMIT)])


FAMILIES: dict[str, Callable[[], None]] = {
    "table 4": table_4,
    "everyday": everyday,
    "Boogie": boogie,
}


def recorded(family: str) -> list[Asked]:
    """The hardest of what a family asks."""
    found = Recorded()
    with recording(found):
        FAMILIES[family]()
    print(f"{family}: {found}", file=sys.stderr)
    return sorted(found.slow.values(), key=lambda asked: -asked.seconds)[:MOST_FORMULAS]


# --- asking again --------------------------------------------------------------------------------


def _seconds_of_children() -> float:
    """The processor time of the processes that are at work for this one, where the system tells."""
    ticks = 0
    for children in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for pid in children.read_text().split():
                words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _ended_in_time(solver: Solver) -> Callable[[], None]:
    """Interrupt a solver when it has used the processor for long; what is given ends the watch."""
    over = threading.Event()
    begun = time.process_time()

    def watch() -> None:
        while not over.wait(0.05):
            if time.process_time() - begun + _seconds_of_children() > LIMIT:
                solver.interrupt()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()

    def end() -> None:
        over.set()
        thread.join()

    return end


def answered(asked: Asked, spec: str) -> tuple[Status, float]:
    """What a solver says, and the processor time of that; unknown if it lacks a theory."""
    clock = Clock()
    solver_name = spec.removeprefix(BITS)
    try:
        formulas: Sequence[Guard] = asked.formulas
        if spec.startswith(BITS):
            formulas, narrowing = Narrowing.of(formulas)
            if not narrowing.widths:
                raise CannotNarrowError
        name = None if spec == AUTO else solver_name
        with Solver(name, timeout=LIMIT * PATIENCE) as solver:
            solver.add(*formulas)
            end = _ended_in_time(solver)
            try:
                status = solver.check()
            finally:
                end()
    except (SolventError, CannotNarrowError):
        clock.total()
        return Status.UNKNOWN, LIMIT
    seconds = clock.total()
    return status, LIMIT if status is Status.UNKNOWN else min(seconds, LIMIT)


# --- what comes of it ----------------------------------------------------------------------------


def kind_of(formulas: Sequence[Guard]) -> str:
    """What a choice may go by: the theories of formulas, and what is hard about them."""
    encoder = Encoder()
    encoder.encode(formulas)
    features = encoder.features
    words = sorted(features & {"BitVec", "Float", "Array", "Int", "Real", "Str", "Uninterpreted"})
    if "Int" in features:
        try:
            bounded = bool(Narrowing.of(formulas)[1].widths)
        except CannotNarrowError:
            bounded = False
        words.append("with bounds" if bounded else "without bounds")
    words += sorted(features & {"apply", "product", "quantifier"})
    words += ["division"] * bool(features & {"div", "mod", "bvudiv", "bvurem", "bvsdiv", "bvsrem"})
    return ", ".join(words) or "Bool"


@dataclass(frozen=True, slots=True)
class Row:
    """What one solver made of formulas of one kind."""

    family: str
    kind: str
    spec: str
    formulas: int
    solved: int
    # How often it was the fastest of all, and its seconds together.
    wins: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answers:
    """What all have made of one formula."""

    kind: str
    terms: int
    status: str
    seconds: dict[str, float]


def answers_of(asked: Asked) -> Answers:
    """Ask all solvers about a formula; their answers must not contradict each other."""
    seconds, said = {}, set()
    for spec in SPECS:
        status, seconds[spec] = answered(asked, spec)
        said.add(status)
    assert not {Status.SAT, Status.UNSAT} <= said, "solvers contradict each other"
    status = next((one for one in said if one is not Status.UNKNOWN), Status.UNKNOWN)
    return Answers(kind_of(asked.formulas), size(*asked.formulas), str(status), seconds)


def rows(family: str, kind: str, found: Sequence[Answers]) -> list[Row]:
    """A row for each solver, and one for the best of all."""
    best = [min(one.seconds.values()) for one in found]
    result = []
    for spec in SPECS:
        seconds = [one.seconds[spec] for one in found]
        solved = sum(one < LIMIT for one in seconds)
        wins = sum(a == b < LIMIT for a, b in zip(seconds, best, strict=True))
        result.append(Row(family, kind, spec, len(found), solved, wins, sum(seconds)))
    solved = sum(seconds < LIMIT for seconds in best)
    return [*result, Row(family, kind, "the best of all", len(found), solved, solved, sum(best))]


def tables(family: str, found: Sequence[Answers]) -> list[Row]:
    """The rows of a family, of each kind of formula and then of all."""
    kinds = sorted({one.kind for one in found})
    result = [
        row for kind in kinds for row in rows(family, kind, [o for o in found if o.kind == kind])
    ]
    return [*result, *rows(family, "all", found)]


def main() -> int:
    global LIMIT
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines")
    parser.add_argument("families", nargs="*", choices=[*FAMILIES, []], help="default: all")
    parser.add_argument("--json", action="store_true", help="what was said of each formula")
    parser.add_argument("--keep", metavar="FILE", help="record only, and keep that there")
    parser.add_argument("--kept", metavar="FILE", help="ask about what was recorded")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each answer")
    parser.add_argument("--most", type=int, default=MOST_FORMULAS, help="of each family")
    options = parser.parse_args()
    LIMIT = options.limit
    wanted = options.families or list(FAMILIES)
    if options.kept:
        formulas = pickle.loads(Path(options.kept).read_bytes())
    else:
        formulas = {family: recorded(family) for family in wanted}
    if options.keep:
        Path(options.keep).write_bytes(pickle.dumps(formulas))
        return 0
    found: list[Row] = []
    for family in wanted:
        answers: list[Answers] = []
        for asked in formulas[family][: options.most]:
            answers.append(answers_of(asked))
            if options.json:
                print(json.dumps({"family": family, **asdict(answers[-1])}), flush=True)
        found += tables(family, answers)
    if not options.json:
        show(found)
    return 0


def show(found: Sequence[Row]) -> None:
    """Print a table."""
    table = Table("family", "kind", "solver", "solved", "fastest", "seconds")
    for row in found:
        solved = f"{row.solved} of {row.formulas}"
        seconds = f"{row.seconds:.1f}"
        table.add_row(row.family, row.kind, row.spec, solved, str(row.wins), seconds)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
