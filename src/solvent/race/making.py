"""Making what a race needs within its budget.

Inputs whose class says how they are made are made by its constructor, which may never end, and
neither may the import of a file.  They are needed in this process, so that an alarm is set instead
of a lane.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from solvent.verdicts import Deadline

Made = TypeVar("Made")


class _Alarm(KeyboardInterrupt):
    """The budget was spent; like Ctrl-C, this is nothing that a program under test catches."""


def made_until(deadline: Deadline, make: Callable[[], Made]) -> Made | None:
    """What is made, or nothing if it is not made in time.

    Outside of the main thread, or where somebody else has set an alarm, there is no limit.

    >>> def inputs() -> object:
    ...     while True:
    ...         pass
    >>> print(made_until(Deadline(0.05), inputs))
    None
    """
    left = deadline.left()
    if left is None or not _may_set_alarm():
        return make()

    def ring(number: int, frame: FrameType | None) -> None:
        raise _Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(left, 0.001))
        try:
            return make()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Alarm:
        return None
    finally:
        signal.signal(signal.SIGALRM, before)


def _may_set_alarm() -> bool:
    is_main = threading.current_thread() is threading.main_thread()
    return (
        is_main
        and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, signal.SIG_IGN)
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    )
