"""Models of `btor2_hardware` checked in several ways, in one run: seconds of processor time.

`python -m benchmarks.btor2_circuits [--before FOLDER] [--limit 60]` prints a table: the command as
it is used, bounded checking alone, both by an earlier version (`--before` is its checkout), and the
plain unrolled formula in Bitwuzla and in Z3.  All start from the file, in a process of their own,
and all processes count.  "late" is who had no answer within the limit, or, on a loaded machine, in
five times as long by the clock.

`--btormc libboolector.so` runs BtorMC itself on the same models (see `btormc`; the library is found
where `pyboolector` is installed).  Of it only the making of the model and the search count, without
a start and without reading, while our commands take an eighth of a second before they begin; the
last line tells how they compare from there on.  What is recorded was measured in one run with the
commands, with Boolector 3.2.4 on 2 cores.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import btormc
from benchmarks.btor2_hardware import text
from benchmarks.figure import Figure

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    """A model, how far it is searched, and what BtorMC took for it."""

    family: str
    nodes: int
    bound: int
    bug: bool = False
    btormc: float | None = None
    # What the check must say.
    time: int | None = None

    @property
    def name(self) -> str:
        return f"{self.family} {self.nodes:,}{' with a bug' if self.bug else ''}"


ROWS = (
    Row("counters", 1_000, 10, btormc=0.26),
    # BtorMC had no answer after 60 seconds.
    Row("counters", 12_000, 10),
    Row("counters", 120_000, 4, btormc=38.9),
    Row("counters", 1_000, 10, bug=True, btormc=0.04, time=6),
    Row("unbounded", 20, 30, btormc=0.01),
    Row("fifo", 900, 10, btormc=0.48),
    Row("fifo", 900, 10, bug=True, btormc=0.01, time=4),
    Row("fifo", 9_000, 10, btormc=0.84),
    Row("arbiter", 1_000, 10, btormc=1.62),
    Row("arbiter", 1_000, 10, bug=True, btormc=0.01, time=1),
    Row("multiplier", 1_000, 10, btormc=0.63),
    Row("multiplier", 1_000, 10, bug=True, btormc=0.02, time=6),
    Row("core", 1_000, 4, btormc=7.7),
    Row("core", 1_000, 4, bug=True, btormc=1.5, time=3),
)
# What is measured by `python -m benchmarks btor2`: what takes a few seconds together.
FEW = tuple(row for row in ROWS if row.nodes < 10_000)


@dataclass
class Run:
    """What a command said, and the seconds that it took."""

    seconds: float
    output: str
    late: bool

    @property
    def shown(self) -> str:
        return "late" if self.late else f"{self.seconds:.3f}"


def _adopting() -> None:
    """Let processes whose parent is ended become children of this one, so that they count."""
    if sys.platform == "linux":
        set_child_subreaper = 36
        ctypes.CDLL(None).prctl(set_child_subreaper, 1)


def _children() -> set[int]:
    """The processes that this one has started or adopted; none where the system does not tell."""
    found = Path("/proc/self/task").glob("*/children")
    return {int(pid) for one in found for pid in one.read_text().split()}


def measured(command: Sequence[str], limit: int, folder: str, checkout: Path = ROOT) -> Run:
    """Run a command with all processes that it starts, each for so many seconds at most."""
    sources = {"PYTHONPATH": str(checkout / "src"), "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    environment = {**os.environ, **sources}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    _adopting()
    others = _children()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        preexec_fn=limited,
    )
    assert process.stdout is not None
    # A loaded machine gives a process less than its time; nobody waits for ever.
    over = time.monotonic() + 5 * limit
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid or time.monotonic() > over:
            break
        time.sleep(0.01)
    if not pid:
        os.killpg(process.pid, signal.SIGKILL)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = used.ru_utime + used.ru_stime
    # Engines that were ended in the middle leave solvers, which end with them.
    for orphan in _children() - others - {process.pid}:
        _, _, used = os.wait4(orphan, 0)
        seconds += used.ru_utime + used.ru_stime
    return Run(seconds, process.stdout.read(), process.returncode < 0)


def check_command(file: str, row: Row, *more: str) -> list[str]:
    """The command that checks a model."""
    return [
        sys.executable, "-m", "solvent", "btor2", "check", file, "-kmax", str(row.bound), *more
    ]  # fmt: skip


def plain_command(solver: str, file: str, row: Row) -> list[str]:
    """The command that asks a solver about the plain formula."""
    return [
        sys.executable, "-m", "benchmarks.btor2_plain", solver, file, "--bound", str(row.bound)
    ]  # fmt: skip


def require(row: Row, run: Run) -> None:
    """Complain about a wrong answer."""
    wanted = "holds" if row.time is None else f"is violated at time {row.time}"
    first = run.output.partition("\n")[0]
    if not run.late and wanted not in first and "unknown" not in first:
        raise AssertionError(f"{row.name}: {wanted} is expected, not {first!r}")


def figures(rows: Sequence[Row] = FEW, runs: int = 3) -> list[Figure]:
    """Bounded checking of some models; at most twice what BtorMC took for them."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.btor2"
        for row in rows:
            Path(file).write_text(text(row.family, row.nodes, bug=row.bug))
            seconds = []
            for _ in range(runs):
                run = measured(check_command(file, row, "--engine", "bmc"), 60, folder)
                require(row, run)
                # Who was ended had no answer, however little time a loaded machine gave it.
                seconds.append(float("inf") if run.late else run.seconds)
            best = min(seconds)
            name = f"btor2 check --engine bmc of {row.name}, {row.bound} steps"
            if row.btormc is None:
                found.append(Figure(name, best, "s"))
                continue
            # What the command takes until it begins is a figure of its own.
            target = 2 * row.btormc + 0.25
            told = f"<= {target:.2f} s (BtorMC: {row.btormc} s)"
            found.append(Figure(name, best, "s", told, best <= target))
    return found


# What a solver of clauses says at once: what it takes is what the command takes before it looks at
# a model, with the process of an engine and the solver's library.
NOTHING = """\
1 sort bitvec 1
2 sort bitvec 4
3 input 2 x
4 constd 2 2
5 mul 2 3 3
6 eq 1 4 5
7 bad 6
"""


def start(folder: str, runs: int = 3) -> float:
    """The seconds of a check before anything is looked at."""
    file = f"{folder}/nothing.btor2"
    Path(file).write_text(NOTHING)
    row = Row("nothing", 7, 0)
    command = check_command(file, row, "--engine", "bmc")
    return min(measured(command, 60, folder).seconds for _ in range(runs))


def compared(found: Sequence[tuple[str, str]], begin: float) -> str:
    """How bounded checking, once started, compares with BtorMC: pairs of what was shown."""
    pairs = [(float(ours), float(its)) for ours, its in found if "late" not in (ours, its)]
    ratios = sorted(max(0.0, ours - begin) / its for ours, its in pairs)
    if not ratios:
        return ""
    return (
        f"started in {begin:.2f} s; from there on check bmc takes {median(ratios):.2f} times as "
        f"long as BtorMC in the median of {len(ratios)} models, at most {ratios[-1]:.2f} times"
    )


WAYS = ("check", "check bmc", "before", "before bmc", "bitwuzla", "z3", "btormc")


def seconds_of(way: str, row: Row, file: str, options: argparse.Namespace, folder: str) -> str:
    """What one way takes for a model, the least of some runs."""
    if way not in options.ways or (way.startswith("before") and not options.before):
        return ""
    if way == "btormc":
        return seconds_of_btormc(row, file, options)
    if way in ("bitwuzla", "z3"):
        command = plain_command(way, file, row)
    else:
        more = ("--engine", "bmc") if way.endswith("bmc") else ()
        command = check_command(file, row, *more)
    checkout = Path(options.before).resolve() if way.startswith("before") else ROOT
    runs = [measured(command, options.limit, folder, checkout) for _ in range(options.runs)]
    best = min(runs, key=lambda run: (run.late, run.seconds))
    require(row, best)
    return best.shown


def seconds_of_btormc(row: Row, file: str, options: argparse.Namespace) -> str:
    """What BtorMC takes, or took when it was recorded."""
    if options.btormc is None:
        return "" if row.btormc is None else f"({row.btormc:.2f})"
    runs = [
        btormc.measured(file, row.bound, options.btormc, options.limit) for _ in range(options.runs)
    ]
    answers = [run for run in runs if run is not None]
    for said, seconds in answers:
        require(row, Run(seconds, said, late=False))
    return f"{min(seconds for _, seconds in answers):.3f}" if answers else "late"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.btor2_circuits")
    parser.add_argument("--before", metavar="FOLDER", help="the checkout of an earlier version")
    parser.add_argument("--limit", type=int, default=60, help="seconds for each (default: 60)")
    parser.add_argument("--runs", type=int, default=1, help="the least of so many counts")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="default: all")
    parser.add_argument("--family", help="only models of one family")
    parser.add_argument("--largest", type=int, help="only models of at most so many nodes")
    parser.add_argument(
        "--btormc",
        metavar="LIBRARY",
        default=btormc.installed_library(),
        help="Boolector's library",
    )
    options = parser.parse_args()
    print(f"{'model':26}{'lines':>8}{'steps':>6}", *(f"{one:>10}" for one in WAYS))
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.btor2"
        pairs = []
        for row in ROWS:
            if options.family not in (None, row.family):
                continue
            if options.largest is not None and row.nodes > options.largest:
                continue
            written = text(row.family, row.nodes, bug=row.bug)
            Path(file).write_text(written)
            shown = [seconds_of(way, row, file, options, folder) for way in WAYS]
            lines = written.count("\n")
            print(f"{row.name:26}{lines:8}{row.bound:6}", *(f"{one:>10}" for one in shown))
            sys.stdout.flush()
            ours, its = shown[WAYS.index("check bmc")], shown[WAYS.index("btormc")]
            if options.btormc is not None and ours and its:
                pairs.append((ours, its))
        if pairs:
            print(compared(pairs, start(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
