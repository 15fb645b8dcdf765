"""Standard output that is not there, that nobody reads any more, or that is full."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

from solvent.verdicts import UNKNOWN, UNREAD


def open_output() -> None:
    """Let what is printed go nowhere if standard output, or that for errors, is closed.

    No pipe or file may come by its number, which other processes are started with.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is taken.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()


class LostOutputError(OSError):
    """Standard output was given up, and that was said; what was left to do has been done since."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


def lost(error: OSError) -> int | None:
    """The exit code if it is standard output that has failed, which is given up then.

    Whoever stopped reading knows that; that it is full is said.
    """
    if isinstance(error, LostOutputError):
        return error.code
    if isinstance(error, BrokenPipeError):
        code = UNREAD
    elif error.errno in _FULL and _is_full():
        code = UNKNOWN
        # There may be no errors to be seen either.
        try:
            print(f"solvent: standard output: {error.strerror}", file=sys.stderr, flush=True)
        except OSError:
            sys.stderr = _nowhere()
    else:
        return None
    # What was printed and not written yet would fail again.
    sys.stdout = _nowhere()
    return code


# How systems call it that nothing more can be written.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def _is_full() -> bool:
    try:
        # What could not be written before is not tried again.
        print(flush=True)
    except OSError:
        return True
    return False


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")
