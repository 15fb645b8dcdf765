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

from solvent.cli.common import InputError, write_page


class _StoppedError(KeyboardInterrupt):
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
        raise _StoppedError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield stopped
    except _StoppedError:
        stopped.append(True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def add_profile_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that evaluates Python."""
    parser.add_argument(
        "--profile",
        metavar="FILE.html",
        help="measure where paths and terms come from, and write a page",
    )


@contextmanager
def profiled(options: argparse.Namespace, what: str) -> Iterator[None]:
    """Measure a block if that is asked for, write the page and tell the worst lines.

    There is one page for each function that a command is about.
    """
    if not wants_profile(options):
        yield
        return
    # Few ask for it, and it takes a while to import.
    from solvent.profiling import Profile, profile

    path = Path(options.profile)
    if path.absolute() in _WRITTEN:
        path = path.with_name(f"{path.stem}-{len(_WRITTEN)}{path.suffix}")
    _WRITTEN.add(path.absolute())
    # Said now, and not after ten minutes.
    write_page(str(path), "")
    found = Profile()
    try:
        with profile() as found:
            yield
    finally:
        # What is stopped with Ctrl-C is what one wants to know about.
        write_page(str(path), found.page(f"Profile of {what}"))
        if not found.is_empty or sys.exc_info()[0] is None:
            print(f"{found}\nwrote {path}", file=sys.stderr)


def wants_profile(options: argparse.Namespace) -> bool:
    """Whether a profile is asked for, by one of the commands that take it.

    >>> wants_profile(argparse.Namespace()), wants_profile(argparse.Namespace(profile="a.html"))
    (False, True)
    """
    return getattr(options, "profile", None) is not None


def refuse_profile(options: argparse.Namespace, why: str) -> None:
    """Nothing is asked for that would be left out without a word."""
    if wants_profile(options):
        raise InputError(f"--profile is for one function; {why}")


# The pages that this process has written.
_WRITTEN: set[Path] = set()


def profile_apart(
    options: argparse.Namespace, what: str, seconds: float, query: Callable[[], object]
) -> None:
    """Measure a query for the sake of its profile, where the answer comes from other processes."""
    if wants_profile(options):
        with profiled(options, what), stopping_after(seconds):
            query()
