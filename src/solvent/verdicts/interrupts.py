"""Being stopped from outside: by Ctrl-C, or by SIGTERM as `timeout` and services do it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from solvent.verdicts.codes import INTERRUPTED, TERMINATED


class Terminated(KeyboardInterrupt):
    """SIGTERM: what is known is said, as after Ctrl-C."""


def stopped_by(error: KeyboardInterrupt) -> str:
    """What stopped a command, in words.

    >>> stopped_by(KeyboardInterrupt()), stopped_by(Terminated())
    ('stopped by Ctrl-C', 'stopped by SIGTERM')
    """
    return "stopped by SIGTERM" if isinstance(error, Terminated) else "stopped by Ctrl-C"


def stopped_code(error: KeyboardInterrupt) -> int:
    """The exit code of a command that was stopped.

    >>> stopped_code(KeyboardInterrupt()), stopped_code(Terminated())
    (130, 143)
    """
    return TERMINATED if isinstance(error, Terminated) else INTERRUPTED


def terminate(number: int, frame: FrameType | None) -> None:
    """The handler of SIGTERM of a process that says what it knows."""
    raise Terminated


@contextmanager
def terminable() -> Iterator[None]:
    """Be stopped by SIGTERM as by Ctrl-C, unless somebody else has a say in what it does.

    >>> with terminable():
    ...     try:
    ...         signal.raise_signal(signal.SIGTERM)
    ...     except Terminated as error:
    ...         stopped_code(error)
    143
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def held_back() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C and SIGTERM wait for the end of a block in which a process is forked.

    Else the fork could be interrupted before it knows that it is one, and go on as who forked it.
    A fork, which never leaves the block, calls what is given to hear of them again.

    >>> said = []
    >>> try:
    ...     with held_back():
    ...         signal.raise_signal(signal.SIGINT)
    ...         said.append("to the end")
    ... except KeyboardInterrupt:
    ...     said.append("and then")
    >>> said
    ['to the end', 'and then']
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})

    def hear() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield hear
    finally:
        hear()
