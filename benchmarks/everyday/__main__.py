"""Verify the everyday functions, with CrossHair beside it if its command is given.

Each function is checked by a process of its own, as on the command line, with a limit on the CPU
time of that process and all that it starts.  Where the machine is busy, both get more time by the
clock, in which Solvent measures its budget; CrossHair measures CPU time.  What is claimed of a
function has been checked by brute force before, so that an answer is right, wrong or missing.

What differs: Solvent checks texts, bytes and lists up to the length that it prints, CrossHair has
no bound on them; so only Solvent's proofs come with one, and CrossHair's `confirmed` means that it
has seen all paths.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import ctypes
import importlib
import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.everyday.claims import CLAIMS, Claim

TOPICS = ("text", "patterns", "formats", "binary", "dates", "records", "arithmetic")
ROOT = Path(__file__).parents[2]
SECONDS = 20
# After so many times that by the clock, a process that does not end is stopped.
PATIENCE = 3
# How many functions have to be answered, of 60; the same share of all that there are.
WANTED = 57 / 60


@dataclass(frozen=True)
class Answer:
    """What a tool said: `holds`, `fails` or why it said neither, and the CPU time it took."""

    verdict: str
    seconds: float

    @property
    def is_decided(self) -> bool:
        return self.verdict in ("holds", "fails")

    def is_right(self, claim: Claim) -> bool:
        """Whether it is what brute force says."""
        return self.verdict == ("holds" if claim.holds else "fails")

    def __str__(self) -> str:
        return f"{self.verdict} {self.seconds:.2f}"


# The option of prctl(2) that makes this process the parent of what its children leave behind.
_SUBREAPER = 36


def run(command: list[str], folder: Path, most: float) -> tuple[int, str, float]:
    """Run a command; its exit code, what it printed, and the CPU seconds of all its processes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    before = os.times()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=PATIENCE * most * busy())
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        printed, _ = process.communicate()
    # Lanes that lose their parent are killed by the kernel, and solvers with them.
    # What a command has started and left behind counts too: it is waited for here.
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    after = os.times()
    seconds = (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
    return process.returncode, printed, seconds


def count_all_processes() -> None:
    """Let the time of processes that their parents do not wait for be counted, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1)


def compile_all() -> None:
    """Write the bytecode of what is run, as who has installed a package and used it once has it."""
    for part in ("src", "benchmarks"):
        compileall.compile_dir(ROOT / part, quiet=2)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    run([sys.executable, "-c", "import solvent.cli.programs"], ROOT, SECONDS)


def busy() -> float:
    """How many times longer than its CPU time a process takes by the clock, as others run too."""
    return max(1.0, (os.getloadavg()[0] + 1) / (os.cpu_count() or 1))


def within(seconds: float, verdict: str, most: float) -> Answer:
    """An answer that came too late is none."""
    return Answer(verdict if seconds <= most else "too late", seconds)


def by_solvent(claim: Claim, most: float = SECONDS) -> Answer:
    """What `solvent verify` says in so many seconds, on two idle cores in half of them."""
    source = inspect.getsourcefile(claim.function)
    target = f"{source}::{claim.function.__name__}"
    command = [sys.executable, "-m", "solvent", "verify", target, "--json"]
    budget = f"{most / 2 * busy():.1f}"
    code, printed, seconds = run([*command, "--no-cache", "--budget", budget], ROOT, most)
    if code in (0, 1):
        confirmed = code == 0 or json.loads(printed)["findings"][0]["confirmed"]
        return within(seconds, ("holds", "fails")[code] if confirmed else "not confirmed", most)
    return Answer({3: "unknown", 2: "refused"}.get(code, "too late"), seconds)


def by_crosshair(claim: Claim, command: str, most: float = SECONDS) -> Answer:
    """What CrossHair says: a function of its own with a contract calls the one to check."""
    name = claim.function.__name__
    parameters = inspect.signature(claim.function, eval_str=False)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "contract.py"
        page.write_text(
            f"from {claim.function.__module__} import *\n"
            f"from {claim.function.__module__} import {name}\n\n"
            f"def check{parameters}:\n"
            '    """\n    post: True\n    """\n'
            f"    {name}({', '.join(parameters.parameters)})\n"
        )
        code, printed, seconds = run(
            [
                command,
                "check",
                "--analysis_kind=PEP316",
                "--report_all",
                f"--per_condition_timeout={most}",
                str(page),
            ],
            Path(folder),
            most,
        )
    if code == 1:
        return within(seconds, "fails", most)
    if code == 0 and "Confirmed over all paths" in printed:
        return within(seconds, "holds", most)
    return Answer({0: "unknown", -signal.SIGKILL: "too late"}.get(code, "refused"), seconds)


def asked_for(
    package: str, about: str | None, topics: Sequence[str]
) -> tuple[list[Claim], str | None]:
    """The claims that the command line is about, and CrossHair's command if it is given."""
    parser = argparse.ArgumentParser(prog=f"python -m {package}", description=about)
    parser.add_argument("functions", nargs="*", help="default: all")
    parser.add_argument("--crosshair", metavar="CMD", help="CrossHair's command, to run beside")
    options = parser.parse_args()
    count_all_processes()
    compile_all()
    if options.crosshair and shutil.which(options.crosshair) is None:
        parser.error(f"there is no command {options.crosshair}; pip install crosshair-tool")
    for topic in topics:
        importlib.import_module(f"{package}.{topic}")
    wanted = options.functions
    return [c for c in CLAIMS if not wanted or c.function.__name__ in wanted], options.crosshair


def main() -> int:
    claims, crosshair = asked_for("benchmarks.everyday", __doc__, TOPICS)
    table = Table("function", "claim", "Solvent, CPU s", "CrossHair, CPU s")
    right = wrong = behind = 0
    for claim in claims:
        if not claim.is_true():
            print(f"{claim.function.__name__}: brute force contradicts the claim", file=sys.stderr)
            return 2
        ours = by_solvent(claim)
        theirs = by_crosshair(claim, crosshair) if crosshair else None
        right += ours.is_right(claim)
        wrong += ours.is_decided and not ours.is_right(claim)
        behind += theirs is not None and theirs.is_right(claim) and not ours.is_right(claim)
        row = (claim.function.__name__, "holds" if claim.holds else "fails", str(ours))
        table.add_row(*row, "" if theirs is None else str(theirs))
        print(*row, theirs or "", file=sys.stderr, flush=True)
    Console().print(table)
    print(f"{right} of {len(claims)} right, {wrong} wrong, {behind} that only CrossHair decides")
    return 0 if right >= WANTED * len(claims) and not wrong and not behind else 1


if __name__ == "__main__":
    sys.exit(main())
