"""The option `--profile` of the commands that evaluate Python, and a limit of time for a block."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from solvent.cli.common import write_page


class OutOfTimeError(KeyboardInterrupt):
    """The time for a run is over: like Ctrl-C, it is none of the program's own exceptions."""


@contextmanager
def stopping_after(seconds: float) -> Iterator[list[bool]]:
    """End a block after some seconds; the list has an item if that has happened.

    >>> import time
    >>> with stopping_after(0.01) as stopped:
    ...     time.sleep(5)
    >>> stopped
    [True]
    """
    stopped: list[bool] = []
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield stopped
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield stopped
    except OutOfTimeError:
        stopped.append(True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def profiled(options: argparse.Namespace, what: str) -> Iterator[None]:
    """Measure a block if that is asked for, write the page and tell the worst lines.

    There is one page for each function that a command is about.
    """
    if not options.profile:
        yield
        return
    # Few ask for it, and it takes a while to import.
    from solvent.profiling import profile

    with profile() as found:
        yield
    path = Path(options.profile)
    if path in _WRITTEN:
        path = path.with_name(f"{path.stem}-{len(_WRITTEN)}{path.suffix}")
    _WRITTEN.add(path)
    write_page(str(path), found.page(f"Profile of {what}"))
    print(f"{found}\nwrote {path}", file=sys.stderr)


# The pages that this process has written.
_WRITTEN: set[Path] = set()


def profile_apart(
    options: argparse.Namespace, what: str, seconds: float, query: Callable[[], object]
) -> None:
    """Measure a query for the sake of its profile, where the answer comes from other processes."""
    if options.profile:
        with profiled(options, what), stopping_after(seconds):
            query()
