"""What goes wrong around a check: solvers that die in the middle of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

WORKER = b"start_worker.py"

# One function that no solver decides in this time, and one that fails at once.
PROGRAM = """
def hard(a: int, b: int, c: int) -> None:
    assert not (a > 9 and b > 9 and a**3 + b**3 == c**3 + 1 and c % 7 == 3 and a % 11 == 5)

def easy(a: int) -> None:
    assert a * 2 != 14
"""


def workers_of(process: int) -> Iterator[int]:
    """The solvers that a process or one of its children has started."""
    parents, workers = {}, []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rpartition(")")[2].split()[1]
            )
            if WORKER in (folder / "cmdline").read_bytes():
                workers.append(int(folder.name))
        except OSError:
            continue
    for worker in workers:
        above = worker
        while above in parents and above != process:
            above = parents[above]
        if above == process:
            yield worker


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_solvers_that_die_lose_nothing_of_the_rest(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "solvent", "verify", "--no-cache", "--budget", "6", "m.py"]
    killed = set()
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            for worker in workers_of(process.pid):
                try:
                    os.kill(worker, signal.SIGKILL)
                    killed.add(worker)
                except ProcessLookupError:
                    continue
            try:
                process.wait(0.3)
            except subprocess.TimeoutExpired:
                continue
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
    assert killed
    assert process.returncode == 1
    assert err == ""
    assert "hard: unknown" in out
    assert "AssertionError when calling easy(a=7)" in out
    assert not set(workers_of(process.pid))
