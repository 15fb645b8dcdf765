"""Whose code it is: Solvent's own, or that of the program under test.

Packages whose code is never the program under test say so themselves; languages and commands are
clients like any other.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType

from solvent import errors, solvers, terms
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
    global _OWN
    _OWN = (*_OWN, f"{Path(file).parent}{os.sep}")


def is_own(filename: str) -> bool:
    """Whether a file is one of Solvent's own."""
    return filename.startswith(_OWN)


def is_own_frame(frame: FrameType) -> bool:
    """Whether a frame is of Solvent's own code, or of a twin that takes the place of C code."""
    return frame.f_code.co_filename.startswith(_OWN) or MARK in frame.f_globals


def outside(frame: FrameType | None) -> FrameType | None:
    """The frame nearest to one, itself included, whose code is not in a file of Solvent's own."""
    own_files = _OWN
    while frame is not None and frame.f_code.co_filename.startswith(own_files):
        frame = frame.f_back
    return frame


def position() -> str:
    """File and line of the program under test that runs."""
    frame: FrameType | None = sys._getframe(1)
    own_files = _OWN
    # As `is_own_frame`, without its calls: each failure of a path has a position.
    while frame is not None and (
        frame.f_code.co_filename.startswith(own_files) or MARK in frame.f_globals
    ):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "?"
