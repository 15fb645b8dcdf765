"""Watching a program in a process of its own: what would reach files, the network or processes.

Python tells of such events before they happen.  The process ends at the first of them, since the
program could catch an exception, and says which one it was.  Reading modules that are imported is
none of them, nor is reading source for messages.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from solvent.errors import NotLiftedError
from solvent.lift import foreign
from solvent.lift.origins import is_library_file
from solvent.vm.own import is_own, is_own_frame, position
from solvent.vm.twins import MARK

# The first parts of the names of events that reach out of the process.
_GROUPS = frozenset(
    (
        "fcntl",
        "ftplib",
        "glob",
        "http",
        "imaplib",
        "mmap",
        "msvcrt",
        "nntplib",
        "os",
        "pathlib",
        "poplib",
        "pty",
        "shutil",
        "smtplib",
        "socket",
        "sqlite3",
        "subprocess",
        "syslog",
        "telnetlib",
        "tempfile",
        "urllib",
        "webbrowser",
        "winreg",
        "_winapi",
    )
)
_EVENTS = frozenset(
    (
        "open",
        "builtins.input",
        "ctypes.dlopen",
        "signal.pthread_kill",
        "ensurepip.bootstrap",
        "cpython.run_command",
    )
)
# These change only the process itself, or come after an event that was let through.
_HARMLESS = frozenset(("os.putenv", "os.unsetenv", "sqlite3.connect/handle"))
# What happens when something is imported: files of modules are found and read.
_IMPORTING = frozenset(("open", "os.listdir", "os.scandir", "ctypes.dlopen"))
# Files from which modules are imported, and from which lines of source are read for messages.
_IMPORTERS = ("<frozen importlib", "<frozen zipimport")
_SOURCE_READERS = (os.path.join(os.path.dirname(os.__file__), "linecache.py"),)
_HERE = os.path.dirname(__file__) + os.sep


@dataclass(frozen=True, slots=True)
class Reached:
    """An event that reaches out of the process, and where in the program."""

    event: str
    position: str

    def __str__(self) -> str:
        return f"{_in_words(self.event)} ({self.event})"


def _in_words(event: str) -> str:
    group = event.partition(".")[0]
    if group in ("socket", "http", "urllib", "ftplib", "smtplib", "imaplib", "poplib"):
        return "it reaches the network"
    if group in ("subprocess", "pty", "signal") or event in _PROCESSES:
        return "it reaches other processes"
    if event in ("builtins.input", "sys.stdin"):
        return "it asks for input"
    if group in ("ctypes", "sqlite3", "webbrowser", "syslog"):
        return "it reaches out of Python"
    return "it reaches files"


_PROCESSES = frozenset(
    (
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.kill",
        "os.killpg",
        "os.posix_spawn",
        "os.spawn",
        "os.startfile",
        "os.system",
    )
)


class Watch:
    """Ends the process before anything reaches out of it, from now on.

    It does so between the runs of the program as well, since threads may go on.  Where the program
    runs on a symbolic machine, what that does for itself is left alone, such as starting solvers
    and reading source.
    """

    def __init__(self, report: Callable[[object], None], *, symbolic: bool = False) -> None:
        self._report = report
        self._symbolic = symbolic
        self._ending = threading.RLock()
        # A thread in which the program does not run just now, 0 if there is none.
        self._resting = 0
        sys.addaudithook(self._hook())
        sys.stdin = _NoInput(self)
        if symbolic:
            os._exit = _refuse_to_exit
        # Imported modules are not written either.
        sys.dont_write_bytecode = True

    @contextmanager
    def resting(self) -> Iterator[None]:
        """What this thread does meanwhile is not done by the program."""
        before, self._resting = self._resting, threading.get_ident()
        try:
            yield
        finally:
            self._resting = before

    @contextmanager
    def awake(self) -> Iterator[None]:
        """The program runs, in the midst of something else."""
        before, self._resting = self._resting, 0
        try:
            yield
        finally:
            self._resting = before

    def _hook(self) -> Callable[[str, tuple[Any, ...]], None]:
        # Python tells of each call of `id`, too: what is of no interest must take no time.
        ignored = {"builtins.id", *_HARMLESS}

        def hook(event: str, args: tuple[Any, ...]) -> None:
            if event in ignored:
                return
            if event not in _EVENTS and event.partition(".")[0] not in _GROUPS:
                ignored.add(event)
            elif (
                self._resting == threading.get_ident()
                or (event in _IMPORTING and _is_import(args if event == "open" else ()))
                or _is_in_memory(event, args)
            ):
                return
            elif not (self._symbolic and _is_by_machine()):
                self.end(event)

        return hook

    def end(self, event: str) -> NoReturn:
        """Say what would happen, and end the process before it does."""
        # Not released, so that no other thread ends the process before it is said.
        self._ending.acquire()
        self._report(Reached(event, _place()))
        _leave(0)


# The program may be given another one.
_leave = os._exit


def _refuse_to_exit(status: int) -> NoReturn:
    raise NotLiftedError("`os._exit` would end Solvent too; raise SystemExit instead")


def _place() -> str:
    """Where the program is that something happens in."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return place_in(frame) or position()


def place_in(frame: FrameType | None) -> str:
    """Where the program is, not the library that it calls; nothing if it does not run."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_HERE):
            # What is below started the program.
            break
        if not is_own_frame(frame) and not is_library_file(file):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


class _NoInput:
    """Standard input, which nobody writes."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def __getattr__(self, name: str) -> NoReturn:
        self._watch.end("sys.stdin")


def _is_import(opened: tuple[Any, ...]) -> bool:
    """Whether the code that runs belongs to an import, or reads source for a message."""
    if opened and not _is_read(*opened[1:3]):
        return False
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_HERE):
            # What is below started the program, and may itself have been imported.
            return False
        if file.startswith(_IMPORTERS) or file in _SOURCE_READERS:
            return True
        frame = frame.f_back
    return False


def _is_in_memory(event: str, args: tuple[Any, ...]) -> bool:
    """Whether a database is opened that is gone with the process."""
    return event == "sqlite3.connect/handle" or (
        event == "sqlite3.connect" and args[:1] == (":memory:",)
    )


def _is_by_machine() -> bool:
    """Whether something is done by Solvent itself, and not by code that the program calls."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == foreign.__file__:
            return False
        if is_own(file):
            return True
        if not is_library_file(file) and MARK not in frame.f_globals:
            return False
        frame = frame.f_back
    return False


def _is_read(mode: str | None, flags: int = 0) -> bool:
    """Whether a file is opened only to be read."""
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    return not (set(mode or "") & set("wax+")) and not (flags or 0) & writes
