"""Models of `btor2_hardware` checked in several ways, in one run: seconds of processor time.

`python -m benchmarks.btor2_circuits [--before FOLDER] [--limit 60]` prints a table: the command as
it is used, bounded checking alone, both by an earlier version (`--before` is its checkout), and the
plain unrolled formula in Bitwuzla and in Z3.  All start from the file, in a process of their own,
and all processes count.  "late" is who had no answer within the limit, or, on a loaded machine, in
five times as long by the clock.

Where btormc's time is known for a model of the same kind and size, it stands beside: it was
measured on other models, another machine and another day.
"""

from __future__ import annotations

import argparse
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

from benchmarks.btor2_hardware import text
from benchmarks.figure import Figure

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    """A model, how far it is searched, and what btormc took for one of its kind."""

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
    Row("counters", 1_000, 10, btormc=0.01),
    Row("counters", 12_000, 10, btormc=0.1),
    Row("counters", 120_000, 4, btormc=1.6),
    Row("counters", 1_000, 10, bug=True, time=6),
    Row("unbounded", 20, 30),
    Row("fifo", 900, 10, btormc=0.8),
    Row("fifo", 900, 10, bug=True, btormc=0.0, time=4),
    Row("fifo", 9_000, 10, btormc=30.0),
    Row("arbiter", 1_000, 10),
    Row("arbiter", 1_000, 10, bug=True, time=1),
    Row("multiplier", 1_000, 10, btormc=5.5),
    Row("multiplier", 1_000, 10, bug=True, time=6),
    Row("core", 1_000, 4, btormc=1.2),
    Row("core", 1_000, 4, bug=True, time=3),
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
        return "late" if self.late else f"{self.seconds:.2f}"


def measured(command: Sequence[str], limit: int, folder: str, checkout: Path = ROOT) -> Run:
    """Run a command with all processes that it starts, each for so many seconds at most."""
    sources = {"PYTHONPATH": str(checkout / "src"), "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    environment = {**os.environ, **sources}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

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
    """The command on some models; at most twice what btormc took for models like them."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.btor2"
        for row in rows:
            Path(file).write_text(text(row.family, row.nodes, bug=row.bug))
            seconds = []
            for _ in range(runs):
                run = measured(check_command(file, row), 60, folder)
                require(row, run)
                # Who was ended had no answer, however little time a loaded machine gave it.
                seconds.append(float("inf") if run.late else run.seconds)
            best = min(seconds)
            name = f"btor2 check of {row.name}, {row.bound} steps"
            if row.btormc is None:
                found.append(Figure(name, best, "s"))
                continue
            # What the command takes until it begins is a figure of its own.
            target = 2 * row.btormc + 0.25
            told = f"<= {target:.2f} s (btormc on one like it: {row.btormc} s)"
            found.append(Figure(name, best, "s", told, best <= target))
    return found


WAYS = ("check", "check bmc", "before", "before bmc", "bitwuzla", "z3")


def seconds_of(way: str, row: Row, file: str, options: argparse.Namespace, folder: str) -> str:
    """What one way takes for a model, the least of some runs."""
    if way not in options.ways or (way.startswith("before") and not options.before):
        return ""
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.btor2_circuits")
    parser.add_argument("--before", metavar="FOLDER", help="the checkout of an earlier version")
    parser.add_argument("--limit", type=int, default=60, help="seconds for each (default: 60)")
    parser.add_argument("--runs", type=int, default=1, help="the least of so many counts")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="default: all")
    parser.add_argument("--family", help="only models of one family")
    options = parser.parse_args()
    print(f"{'model':26}{'lines':>8}{'steps':>6}", *(f"{one:>10}" for one in (*WAYS, "btormc")))
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.btor2"
        for row in ROWS:
            if options.family not in (None, row.family):
                continue
            written = text(row.family, row.nodes, bug=row.bug)
            Path(file).write_text(written)
            shown = [seconds_of(way, row, file, options, folder) for way in WAYS]
            shown.append("" if row.btormc is None else f"{row.btormc:.2f}")
            lines = written.count("\n")
            print(f"{row.name:26}{lines:8}{row.bound:6}", *(f"{one:>10}" for one in shown))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
