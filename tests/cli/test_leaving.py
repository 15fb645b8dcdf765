"""The end of the command: nothing that was to be done or said is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import atexit, os, sys, threading, time
from solvent.cli.leaving import leave
atexit.register(lambda: print("registered"))
{before}
sys.stdout.write("said ")
leave(3)
"""


def left(before: str = "") -> subprocess.CompletedProcess[str]:
    """What a process has said that was left."""
    program = PROGRAM.format(before=before)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


# Each of them waits for something that Python does at the end of a process.
TRACE = "sys.settrace(lambda *_: None)"
THREAD = "threading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()"


@pytest.mark.parametrize("before", ["", TRACE, "sys.setprofile(lambda *_: None)"])
def test_what_was_registered_and_printed_is_there(before: str) -> None:
    done = left(before)
    assert (done.returncode, done.stdout, done.stderr) == (3, "said registered\n", "")


def test_nothing_is_taken_apart() -> None:
    class_with_end = (
        "class Late:\n    def __del__(self): os.write(1, b'taken apart')\nlate = Late()"
    )
    assert left(class_with_end).stdout == "said registered\n"


def test_threads_are_waited_for() -> None:
    assert left(THREAD).stdout == "said thread\nregistered\n"


def test_a_reader_that_went_away() -> None:
    program = PROGRAM.format(before="sys.stdout.write('x' * 1000)")
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    running.stderr.read()
    assert running.wait() == 120


def test_a_profile_of_the_command_is_written(tmp_path: Path) -> None:
    page = tmp_path / "profile"
    command = [sys.executable, "-m", "cProfile", "-o", str(page), "-m", "solvent", "--version"]
    subprocess.run(command, check=True, capture_output=True)
    assert page.stat().st_size > 0


def test_the_command_leaves_so() -> None:
    for module in ("solvent", "solvent.cli"):
        done = subprocess.run([sys.executable, "-m", module, "solve", "none"], capture_output=True)
        assert done.returncode == 2
