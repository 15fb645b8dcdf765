"""A failing call, line by line: what CPython does with the plain function, and the values it makes.

The call is the one that an answer prints, evaluated where the function is; so what is shown is what
anybody sees who pastes it.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType, FunctionType, MethodType
from typing import Any

from solvent.lift.origins import is_library_file
from solvent.queries.replay import described, plain, shown
from solvent.vm.own import is_own
from solvent.vm.values import Value

# What is recorded at most: a call that fails late is told from its beginning.
MOST_LINES = 20_000
# How much of a value is shown.
WIDTH = 60
# The file of the call itself, of which there is nothing to show.
CALL = "<call>"


@dataclass(slots=True)
class Line:
    """A line that was executed: the variables that it changed, what it returned or raised."""

    file: str
    line: int
    values: dict[str, str] = field(default_factory=dict)
    said: str = ""
    fails: bool = False


class Recorder:
    """What `sys.settrace` calls: remembers the lines of the user's files."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        # For each frame the line that it is at, and the variables before it.
        self._open: dict[FrameType, tuple[Line, dict[str, str]]] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Recorder | None:
        if not self._is_told(frame.f_code.co_filename):
            return None
        if event in ("line", "return", "exception"):
            self._close(frame)
        if event == "line" and len(self.lines) < MOST_LINES:
            line = Line(frame.f_code.co_filename, frame.f_lineno)
            self.lines.append(line)
            self._open[frame] = line, _variables(frame)
        elif event == "return" and self.lines:
            self._open.pop(frame, None)
            if argument is not None:
                self.lines[-1].said = self.lines[-1].said or f"returns {shown(argument, WIDTH)}"
        elif event == "exception" and self.lines:
            self.lines[-1].said = described(argument[1])
        return self

    def _close(self, frame: FrameType) -> None:
        """The line that a frame was at is done: what has changed?"""
        found = self._open.get(frame)
        if found is not None:
            line, before = found
            now = _variables(frame)
            line.values |= {name: text for name, text in now.items() if before.get(name) != text}
            self._open[frame] = line, now

    def _is_told(self, file: str) -> bool:
        return (
            not file.startswith(("<frozen", CALL))
            and not is_own(file)
            and not is_library_file(file)
        )


def _variables(frame: FrameType) -> dict[str, str]:
    """The local variables as texts; one whose text cannot be made is left out."""
    found = {}
    for name, value in frame.f_locals.items():
        with contextlib.suppress(Exception):
            found[name] = shown(value, WIDTH)
    return found


def stepped(function: Callable[..., Value], call: str, setup: str = "") -> list[Line]:
    """The lines that a call executes, the last of which fails if the call does.

    Nothing is recorded of a call that cannot be evaluated where the function is.
    """
    subject = plain(function)
    if isinstance(subject, MethodType):
        subject = subject.__func__
    if not isinstance(subject, FunctionType) or not call:
        return []
    namespace = dict(subject.__globals__)
    cells = zip(subject.__code__.co_freevars, subject.__closure__ or (), strict=True)
    for name, cell in cells:
        with contextlib.suppress(ValueError):
            namespace.setdefault(name, cell.cell_contents)
    namespace.setdefault(subject.__name__, subject)
    recorder = Recorder()
    before = sys.gettrace()
    try:
        exec(setup, namespace)
        code = compile(call, CALL, "eval")
        with contextlib.redirect_stdout(io.StringIO()):
            sys.settrace(recorder)
            eval(code, namespace)
    except Exception:
        if recorder.lines:
            recorder.lines[-1].fails = True
    finally:
        sys.settrace(before)
    return recorder.lines


def text_of(file: str) -> str:
    """The text of a file that was executed, also if it is a cell or was typed in."""
    return "".join(linecache.getlines(file))
