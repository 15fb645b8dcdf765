"""Whose code it is: Solvent's own, or that of the program under test.

Packages whose code is never the program under test say so themselves; languages and commands are
clients like any other.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING

from solvent import errors, solvers, terms
from solvent.terms.core import COMPILED
from solvent.vm.twins import MARK

# What the packages below are written in: this one and those that it is built on.
_OWN: tuple[str, ...] = (
    errors.__file__,
    *(
        f"{Path(package).parent}{os.sep}"
        for package in (terms.__file__, solvers.__file__, __file__)
    ),
)


def own(file: str) -> None:
    """Say that a package, by its `__file__`, is Solvent's own."""
    global _OWN, _known
    _OWN = (*_OWN, f"{Path(file).parent}{os.sep}")
    _known = {}


# By file: whether it is one of Solvent's own, which is asked for each frame of each failure.
_known: dict[str, bool] = {}


def is_own(filename: str) -> bool:
    """Whether a file is one of Solvent's own."""
    known = _known
    found = known.get(filename)
    if found is None:
        found = known[filename] = filename.startswith(_OWN)
    return found


def is_own_frame(frame: FrameType) -> bool:
    """Whether a frame is of Solvent's own code, or of a twin that takes the place of C code."""
    return is_own(frame.f_code.co_filename) or MARK in frame.f_globals


def outside(frame: FrameType | None) -> FrameType | None:
    """The frame nearest to one, itself included, whose code is not in a file of Solvent's own."""
    while frame is not None and is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def last_outside(traceback: TracebackType | None) -> TracebackType | None:
    """The last entry of a traceback that is not of Solvent's own code."""
    found = None
    known = _known
    while traceback is not None:
        frame = traceback.tb_frame
        if not known.get(frame.f_code.co_filename) and not is_own_frame(frame):
            found = traceback
        traceback = traceback.tb_next
    return found


# The lines of instructions at which paths have failed, by the code, which is kept, and its place.
_positions: dict[tuple[int, int], tuple[CodeType, str]] = {}
MOST_POSITIONS = 10_000


def line_of(code: CodeType, place: int, at: FrameType | TracebackType) -> str:
    """File and line of an instruction, at which a frame or a traceback is."""
    # Which line it is takes longer to find out than all the rest.
    key = (id(code), place)
    found = _positions.get(key)
    if found is None or found[0] is not code:
        if len(_positions) >= MOST_POSITIONS:
            _positions.clear()
        line = at.f_lineno if isinstance(at, FrameType) else at.tb_lineno
        found = _positions[key] = (code, f"{code.co_filename}:{line}")
    return found[1]


def frame_outside(known: dict[str, bool]) -> FrameType | None:
    """The nearest frame whose file is not known to be one of Solvent's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and known.get(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import frame_outside


def position() -> str:
    """File and line of the program under test that runs."""
    # Each failure of a path has a position, and most frames above it are known.
    known = _known
    frame = frame_outside(known)
    while frame is not None and (known.get(frame.f_code.co_filename) or is_own_frame(frame)):
        frame = frame.f_back
    return "?" if frame is None else line_of(frame.f_code, frame.f_lasti, frame)
