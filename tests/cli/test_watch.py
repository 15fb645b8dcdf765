"""`solvent watch` on files that do change."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.objects import VALIDATOR
from tests.patience import FOREVER

PROGRAM = """def half(n: int) -> int:
    return 1 // n

def good(x: int) -> None:
    assert x == x

def hard(x: int, y: int, z: int) -> None:
    if x > 0 and y > 0 and z > 0:
        assert x**3 + y**3 != z**3
"""
USER = """from p import half

def use(n: int) -> int:
    return half(n)

def other(x: int) -> int:
    return x
"""


class Watching:
    """A process that watches, and what it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()

    def until(self, text: str) -> list[str]:
        """The lines up to one that has a text; these are then no news any more."""
        end = time.monotonic() + FOREVER
        with self._changed:
            while True:
                for place, line in enumerate(self.lines):
                    if text in line:
                        found, self.lines = self.lines[: place + 1], self.lines[place + 1 :]
                        return found
                assert self._changed.wait(end - time.monotonic()), self.lines

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(FOREVER)


@contextlib.contextmanager
def watching(folder: Path, *arguments: str) -> Iterator[Watching]:
    with subprocess.Popen(
        [sys.executable, "-m", "solvent", "watch", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Watching(process)
        finally:
            process.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.py").write_text(PROGRAM)
    (tmp_path / "q.py").write_text(USER)
    return tmp_path


def names(lines: list[str]) -> list[str]:
    """The functions that lines are about, by the words around them."""
    found = [re.search(r"calling (\w+)|py:\d+: (\w+): (?!.*calling)", line) for line in lines]
    return [one[1] or one[2] for one in found if one is not None]


def test_what_changes_is_checked_again(folder: Path) -> None:
    with watching(folder, "--budget", "1.5", "--no-cache") as seen:
        first = seen.until("up to date")
        assert sorted(names(first)) == ["good", "half", "hard", "other", "use"]
        assert first[-1] == "up to date: 2 verified, 2 failing, 1 unknown"
        # While nothing changes, what is open gets more time.
        assert names(seen.until("the budget of 1.5 s is spent")) == ["hard"]
        # What depends on the change, in another file too, and what names lines in it.
        (folder / "p.py").write_text(PROGRAM.replace("1 // n", "1 // (n * n + 1)"))
        changed = seen.until("up to date")
        assert "half: verified" in changed[0]
        assert set(names(changed[:-1])) <= {"half", "hard", "use"}
        assert changed[-1] == "up to date: 4 verified, 1 unknown"
        seen.until("the budget of 1.5 s is spent")
        # A function that only moves keeps its proof, at its new place.
        (folder / "q.py").write_text("\n\n" + USER)
        assert seen.until("q.py:8: other: verified")
        # What is no Python is told, and then forgotten.
        (folder / "q.py").write_text("def broken(:\n")
        assert "q.py:1" in seen.until("q.py")[-1]
        (folder / "q.py").write_text(USER)
        seen.until("use: verified")
        # A new file, and one that is gone.
        (folder / "r.py").write_text("def new(x: int) -> int:\n    assert x != 7\n    return x\n")
        seen.until("AssertionError when calling new(x=7)")
        seen.until("up to date: 4 verified, 1 failing, 1 unknown")
        (folder / "r.py").unlink()
        assert seen.until("up to date: 4 verified, 1 unknown")
        assert seen.end() == 0
        seen.until("at the end: 4 verified, 1 unknown")
        assert seen.process.stderr is not None
        assert seen.process.stderr.read() == ""


def test_objects(folder: Path) -> None:
    with watching(folder, "p.py::half", "--json", "--no-cache") as seen:
        (line,) = seen.until("{")
        found = json.loads(line)
        VALIDATOR.validate(found)
        assert (found["command"], found["target"]) == ("watch", ["p.py::half"])
        assert (found["verdict"], len(found["findings"])) == ("violated", 1)
        (folder / "p.py").write_text(PROGRAM.replace("1 // n", "n"))
        (line,) = seen.until("{")
        assert json.loads(line)["verdict"] == "holds"
        assert seen.end() == 0


def test_no_such_target(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solvent", "watch", "no.such.module"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=FOREVER,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("solvent: no.such.module")


def test_a_screen(folder: Path) -> None:
    """On a terminal there is one screen, which Ctrl-C takes away again."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "20"}
        command = [sys.executable, "-m", "solvent", "watch", "p.py::half", "--no-cache"]
        os.execve(sys.executable, command, environment)
    text = b""
    pressed = False
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 4096):
            text += piece
            if b"1 failing; up to date" in text and not pressed:
                pressed = True
                os.write(terminal, b"\x03")
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    shown = text.decode()
    assert "ZeroDivisionError" in shown
    # The other screen is entered and left, and after that comes the last line.
    entered, _, after = shown.rpartition("\x1b[?1049l")
    assert "\x1b[?1049h" in entered
    assert "at the end: 1 failing" in after
    assert "Traceback" not in shown
