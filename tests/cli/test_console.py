"""What is typed at a prompt has a source: at Python's own and at Solvent's, through a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import FOREVER

SOURCE = Path(__file__).parents[2] / "src"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb"}

# Each line with the prompt that it is typed at.
TYPED = """\
>>> from solvent import Int, verify
>>> def wrong(x: int):
...     y = x
...     if x > 3:
...         y += 1
...         y += 1
...     assert y != 51
...
>>> print(verify(wrong))
>>> print(verify(lambda x: x + 1 > x, Int("x")).holds)
>>> class Account:
...     def __init__(self, held):
...         self.held = held
...
...     def taken(self, much):
...         if much > self.held:
...             raise ValueError
...         return self.held - much
...
>>> def never_negative(held: int, much: int):
...     assert Account(held).taken(much) > 0
...
>>> print(verify(never_negative).failure.exception)
>>> exit()
"""

# At a prompt an empty line ends the class, so it is typed without.
LINES = re.findall(
    r"^(>>>|\.\.\.) ?(.*)$", TYPED.replace("held\n...\n...     def", "held\n...     def"), re.M
)


class Terminal:
    """A program at a terminal."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.shown = ""

    def until(self, mark: str) -> str:
        """Read until something is shown, or until the program ends."""
        start = len(self.shown)
        while mark not in self.shown[start:]:
            if not select.select([self.terminal], [], [], FOREVER)[0]:
                raise TimeoutError(self.shown)
            try:
                data = os.read(self.terminal, 4096)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode()
        return self.shown[start:]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.terminal, line.encode() + b"\n")

    def close(self) -> int:
        """The exit code."""
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def talk(command: list[str], folder: Path, **more: str) -> str:
    """Type all lines, each when its prompt is there; what was shown."""
    home = {"HOME": str(folder), "PYTHON_HISTORY": str(folder / "history")}
    terminal = Terminal(command, {**ENVIRONMENT, **home, **more}, folder)
    try:
        for prompt, line in LINES:
            terminal.until(f"{prompt} ")
            terminal.type(line)
        terminal.until("no such mark")
    except BaseException:
        os.kill(terminal.child, signal.SIGKILL)
        raise
    finally:
        code = terminal.close()
    assert code == 0, terminal.shown
    return terminal.shown.replace("\r", "")


COMMANDS = {
    "python": [sys.executable],
    "python -i": [sys.executable, "-i", "-c", "pass"],
    "python -m solvent": [sys.executable, "-m", "solvent"],
    "solvent console": [sys.executable, "-m", "solvent.cli", "console"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_functions_typed_at_a_prompt(command: str, tmp_path: Path) -> None:
    shown = talk(COMMANDS[command], tmp_path)
    assert re.search(r"<.*>(-\d+)?:6: AssertionError when calling wrong\(x=49\)", shown), shown
    assert "confirmed: CPython raised AssertionError" in shown
    assert "\nTrue\n" in shown
    assert "\nValueError" not in shown


def test_history_of_the_console(tmp_path: Path) -> None:
    talk(COMMANDS["solvent console"], tmp_path)
    assert "def wrong(x: int):" in (tmp_path / ".solvent_history").read_text()


def run(*command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )


def test_the_console_reads_from_a_pipe() -> None:
    given = "from solvent import verify\ndef f(x: int):\n    assert x != 5\n\nprint(verify(f))\n"
    done = run("-m", "solvent", "console", given=given)
    assert "<solvent-input-1>:2: AssertionError when calling f(x=5)" in done.stdout
    # The prompt goes on after a mistake, and knows its text.
    done = run("-m", "solvent", "console", given="1 // 0\nprint(2 + 2)\nexit(7)\n")
    assert (done.returncode, "4" in done.stdout) == (7, True)
    assert "ZeroDivisionError" in done.stderr


def test_the_module_is_the_command() -> None:
    assert run("-m", "solvent", "--version").stdout.startswith("solvent ")
    done = run("-m", "solvent", "verify", "no-such-file.py")
    assert (done.returncode, done.stdout) == (2, "")
    # Without a terminal nothing waits for input.
    done = run("-m", "solvent")
    assert done.returncode == 2
    assert "usage: solvent" in done.stderr


PROGRAM = """
from dataclasses import dataclass
from solvent import verify

@dataclass
class Pair:
    a: int
    def larger(self, b):
        return self.a if self.a > b else b

def f(x: int):
    assert Pair(x).larger(3) != 7

print(verify(f))
"""


def test_a_program_on_the_command_line() -> None:
    done = run("-c", PROGRAM)
    assert "AssertionError when calling f(x=7)" in done.stdout, done.stderr


def test_without_history_the_message_says_what_to_do() -> None:
    given = "from solvent.lift import lift\ndef f(x): return x\n\nlift(f)\n"
    done = run("-i", "-c", "", given=given)
    if sys.version_info < (3, 13):
        assert "put it into a file, or type it into `python -m solvent console`" in done.stderr
    else:
        assert "Error" not in done.stderr
