"""How long it takes until something is said: processor time of commands, solvers included.

Each is run with the bytecode of an earlier run, as users have it; the least of some runs counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figure import Figure
from solvent import BitVec, Solver
from solvent.languages.benchmark import Clock

RUNS = 7

PROGRAM = """\
def mean(numbers: list[int]) -> int:
    total = 0
    for number in numbers:
        total += number
    return total // len(numbers)
"""

MODEL = """\
1 sort bitvec 8
2 zero 1
3 state 1 n
4 init 1 3 2
5 input 1 by
6 add 1 3 5
7 next 1 3 6
8 sort bitvec 1
9 constd 1 7
10 eq 8 3 9
11 bad 10 seven
"""

# What is run, and the seconds that it may take.
COMMANDS = {
    "python -c 'import solvent'": (["-c", "import solvent"], 0.15),
    "python -c 'from solvent import verify'": (["-c", "from solvent import verify"], None),
    "solvent --version": (["-m", "solvent", "--version"], 0.2),
    "solvent --help": (["-m", "solvent", "--help"], 0.2),
    "solvent verify, five lines": (["-m", "solvent", "verify", "mean.py", "--no-cache"], 0.6),
    "solvent btor2 check, eleven lines": (["-m", "solvent", "btor2", "check", "n.btor2"], 0.25),
}


def seconds(arguments: list[str], folder: Path) -> float:
    """The processor time of a run of Python and of the processes that it started."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    assert started.returncode in (0, 1), f"{arguments} ended with {started.returncode}"
    return used.ru_utime + used.ru_stime


# Prints the milliseconds that a function takes to be lifted, in a process that has lifted none.
LIFTED = """
import time
from solvent.lift import lift
from mean import mean
started = time.process_time()
lift(mean)
print(1000 * (time.process_time() - started))
"""
# How many a small function may take.
LIFTING = 3.0


def lifting(folder: Path) -> list[Figure]:
    """Lifting for the first time, and with what an earlier process has kept on disk."""
    figures = []
    for name, writes in ("the first time", "1"), ("again, from the disk", ""):
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "lifted")}
        environment["PYTHONDONTWRITEBYTECODE"] = writes
        command = [sys.executable, "-c", LIFTED]
        rounds = [
            subprocess.run(
                command, cwd=folder, env=environment, check=True, capture_output=True, text=True
            ).stdout
            for _ in range(RUNS)
        ]
        least = min(map(float, rounds))
        target, reached = f"at most {LIFTING} ms", least <= LIFTING
        figures.append(Figure(f"lifting five lines {name}", least, "ms", target, reached))
    return figures


# How long the first answer of a solver may take, with the start of its process.
FIRST_ANSWER = 0.15


def first_answers() -> list[Figure]:
    """What a new process of each solver takes for its first answer, with what is done here."""
    figures = []
    x, y = BitVec("x", 8), BitVec("y", 8)
    for name in ("bitwuzla", "z3", "cvc5"):
        rounds = []
        for _ in range(RUNS):
            clock = Clock()
            with Solver(name) as solver:
                solver.add(x * y == 7)
                solver.check()
            rounds.append(clock.total())
        least = min(rounds)
        target, reached = f"at most {FIRST_ANSWER} s", least <= FIRST_ANSWER
        figures.append(Figure(f"start: first answer of {name}", least, "s", target, reached))
    return figures


def run() -> list[Figure]:
    """The figures of this suite."""
    figures = first_answers()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mean.py").write_text(PROGRAM)
        (folder / "n.btor2").write_text(MODEL)
        figures += lifting(folder)
        for shown, (arguments, limit) in COMMANDS.items():
            seconds(arguments, folder)
            least = min(seconds(arguments, folder) for _ in range(RUNS))
            target = "" if limit is None else f"at most {limit} s"
            reached = None if limit is None else least <= limit
            figures.append(Figure(f"start: {shown}", least, "s", target, reached))
    return figures
