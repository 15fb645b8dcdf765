"""`solvent console`: Python's prompt, which keeps the source of what is typed.

The prompt of Python 3.11 and 3.12 forgets it, and a function without source cannot be lifted.
"""

from __future__ import annotations

import argparse
import atexit
import code
import contextlib
import os
import platform
import sys
from types import ModuleType

import solvent
from solvent.cli.common import Commands
from solvent.lift import typed
from solvent.verdicts import DONE


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "console",
        help="Python's prompt, which keeps the source of functions typed there",
        description="Python's prompt, which keeps the source of functions typed there.",
    )
    parser.set_defaults(run=run)


class Console(code.InteractiveConsole):
    """A prompt that gives every input a file name of its own, under which its text is kept."""

    def __init__(self, namespace: dict[str, object]) -> None:
        super().__init__(namespace)
        self.name = typed.new_name()

    def runsource(self, source: str, filename: str = "<input>", symbol: str = "single") -> bool:
        """Run an input if it is complete; otherwise more lines will follow."""
        typed.keep(source, self.name)
        name = self.name
        try:
            more = super().runsource(source, name, symbol)
        except BaseException:
            self.name = typed.new_name()
            raise
        if not more:
            self.name = typed.new_name()
        return more


HISTORY = "~/.solvent_history"


def _edit_lines(namespace: dict[str, object]) -> None:
    """Let lines be edited, completed and found again the next time."""
    try:
        import readline
        import rlcompleter
    except ImportError:
        return
    readline.set_completer(rlcompleter.Completer(namespace).complete)
    readline.parse_and_bind("tab: complete")
    path = os.path.expanduser(HISTORY)
    with contextlib.suppress(OSError):
        readline.read_history_file(path)

    def write() -> None:
        with contextlib.suppress(OSError):
            readline.write_history_file(path)

    atexit.register(write)


def run(options: argparse.Namespace) -> int:
    """Read and run inputs until there are no more."""
    # What is typed is the program, as at Python's own prompt.
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    if sys.stdin.isatty():
        _edit_lines(module.__dict__)
    banner = (
        f"Solvent {solvent.__version__}, Python {platform.python_version()}. "
        "What is typed here keeps its source; Ctrl-D ends."
    )
    Console(module.__dict__).interact(banner=banner, exitmsg="")
    return DONE
