"""The processor's time of a command with everything that it leaves behind, such as solvers."""

from __future__ import annotations

import ctypes
import os
import resource
from contextlib import suppress

# The option of prctl(2) that makes this process the parent of what its children leave behind.
_SUBREAPER = 36


def adopt() -> None:
    """Become the parent of what children leave behind, where the system can do that."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def used() -> float:
    """The seconds of the processor of all children, own and adopted, once they have ended."""
    with suppress(ChildProcessError):
        while True:
            os.wait()
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime
