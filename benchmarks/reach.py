"""The search for bugs: stratified against static inlining, and a large driver."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.descendants import adopt, used
from benchmarks.drivers import doubling, driver, translated
from benchmarks.figure import Figure

DEPTH = 20
LIMIT = 120.0
MEGABYTES = 2000.0
SECONDS = 30.0
# Of the processor, for what a translator writes.
TRANSLATED = 10.0


@dataclass(frozen=True, slots=True)
class Run:
    """What a search said, how long it took and how much memory it and its solver had."""

    verdict: str
    confirmed: bool
    seconds: float
    megabytes: float
    # Of the processor, with those of solvers that have ended.
    cpu: float = 0.0


def run() -> list[Figure]:
    """Run all searches, one after the other."""
    figures = []
    for kind, bug, verdict in (("with a bug", True, "violated"), ("without", False, "holds")):
        found = searched(doubling(DEPTH, bug))
        good = found.verdict == verdict
        name = f"call tree of depth {DEPTH} {kind}, stratified"
        figures.append(Figure(name, found.seconds, "s", verdict, good))
    for depth in (6, 8, 10):
        found = searched(doubling(depth, False), "--static")
        figures.append(Figure(f"the same of depth {depth}, static", found.seconds, "s"))
    found = searched(doubling(DEPTH, True), "--static")
    name = f"the same of depth {DEPTH}, static: {found.verdict}"
    figures.append(Figure(name, found.seconds, "s", "no answer", found.verdict == "unknown"))
    text = driver()
    found = searched(text)
    size = f"{text.count(chr(10)):,} lines, {text.count('procedure ')} procedures"
    good = found.verdict == "violated" and found.confirmed
    limit = f"< {SECONDS:g} s"
    written = searched(translated())
    name = f"translated driver of 400 procedures, CPU: {written.verdict}"
    quick = written.verdict == "violated" and written.confirmed and written.cpu < TRANSLATED
    figures.append(Figure(name, written.cpu, "s", f"< {TRANSLATED:g} s", quick))
    return [
        *figures,
        Figure(f"driver, {size}", found.seconds, "s", limit, good and found.seconds < SECONDS),
        Figure(
            "its memory", found.megabytes, "MB", f"< {MEGABYTES:g} MB", found.megabytes < MEGABYTES
        ),
    ]


def searched(text: str, *options: str) -> Run:
    """Search a program in a process of its own."""
    adopt()
    before = used()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.bpl")
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "solvent.cli", "reach", str(path), "--json"]
        command += ["--timeout", str(LIMIT), *options]
        started = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            most = 0.0
            output = None
            while output is None:
                with suppress(subprocess.TimeoutExpired):
                    output, _ = process.communicate(timeout=0.2)
                most = max(most, resident(process.pid))
                if time.monotonic() - started > 2 * LIMIT or most > 4 * MEGABYTES:
                    process.kill()
    seconds = time.monotonic() - started
    if not output:
        return Run("unknown", False, seconds, most, used() - before)
    answer = json.loads(output)
    return Run(answer["verdict"], answer["confirmed"], seconds, most, used() - before)


def resident(pid: int) -> float:
    """The megabytes of a process and its children, where the system tells."""
    total = 0.0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += float(line.split()[1]) / 1000
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += sum(map(resident, map(int, (task / "children").read_text().split())))
    return total
