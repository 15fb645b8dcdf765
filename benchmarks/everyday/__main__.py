"""Verify the everyday functions, with CrossHair beside it if its command is given.

Each function is checked by a process of its own, as on the command line, with a limit on the CPU
time of that process and all that it starts.  What is claimed of a function has been checked by
brute force before, so that an answer is right, wrong or missing.

What differs: Solvent checks texts, bytes and lists up to the length that it prints, CrossHair has
no bound on them; so only Solvent's proofs come with one, and CrossHair's `confirmed` means that it
has seen all paths.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
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
        return f"{self.verdict} {self.seconds:.1f}"


def run(command: list[str], folder: Path) -> tuple[int, str, float]:
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
        printed, _ = process.communicate(timeout=PATIENCE * SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        printed, _ = process.communicate()
    # A process that waits for its own children adds their time to its own.
    after = os.times()
    seconds = (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
    return process.returncode, printed, seconds


def within(seconds: float, verdict: str) -> Answer:
    """An answer that came too late is none."""
    return Answer(verdict if seconds <= SECONDS else "too late", seconds)


def by_solvent(claim: Claim) -> Answer:
    """What `solvent verify` says."""
    source = inspect.getsourcefile(claim.function)
    target = f"{source}::{claim.function.__name__}"
    command = [sys.executable, "-m", "solvent", "verify", target, "--json"]
    code, printed, seconds = run([*command, "--timeout", str(SECONDS)], ROOT)
    if code in (0, 1):
        confirmed = code == 0 or json.loads(printed)["findings"][0]["confirmed"]
        return within(seconds, ("holds", "fails")[code] if confirmed else "not confirmed")
    return Answer({3: "unknown", 2: "refused"}.get(code, "too late"), seconds)


def by_crosshair(claim: Claim, command: str) -> Answer:
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
                f"--per_condition_timeout={SECONDS}",
                str(page),
            ],
            Path(folder),
        )
    if code == 1:
        return within(seconds, "fails")
    if code == 0 and "Confirmed over all paths" in printed:
        return within(seconds, "holds")
    return Answer("unknown" if code == 0 else "refused", seconds)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday", description=__doc__)
    parser.add_argument("functions", nargs="*", help="default: all")
    parser.add_argument("--crosshair", metavar="CMD", help="CrossHair's command, to run beside")
    options = parser.parse_args()
    if options.crosshair and shutil.which(options.crosshair) is None:
        parser.error(f"there is no command {options.crosshair}; pip install crosshair-tool")
    for topic in TOPICS:
        importlib.import_module(f"benchmarks.everyday.{topic}")
    claims = [
        claim
        for claim in CLAIMS
        if not options.functions or claim.function.__name__ in options.functions
    ]
    table = Table("function", "claim", "Solvent, CPU s", "CrossHair, CPU s")
    right = wrong = behind = 0
    for claim in claims:
        if not claim.is_true():
            print(f"{claim.function.__name__}: brute force contradicts the claim", file=sys.stderr)
            return 2
        ours = by_solvent(claim)
        theirs = by_crosshair(claim, options.crosshair) if options.crosshair else None
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
