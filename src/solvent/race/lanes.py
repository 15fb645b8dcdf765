"""Lanes: forked processes that work towards an answer on their own and report what they find.

A lane has the program, its inputs and all else of this process, because it is a fork of it.  What
it does to them stays its own, and it can be stopped at any moment, whatever it is doing: it is the
leader of a session, which is killed with all that it has started.  It reports objects that can be
pickled; models and terms can.

>>> def count(report):
...     for number in range(3):
...         report(number * number)
>>> found = []
>>> with Lane("squares", count) as lane:
...     while not lane.ended:
...         wait_for([lane], 1)
...         found += lane.received()
>>> found
[0, 1, 4]
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import resource
import select
import signal
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn, Self

from solvent.verdicts import held_back

# What a lane is given to tell what it has found.
Report = Callable[[object], None]

_LENGTH = struct.Struct("!Q")
_MARK_SIZE = 16
_PIECE = 1 << 20
_MOST_PIECES = 1000
# How long an exception may be that is sent, which is done several times for one failure.
_MOST_SENT = 1 << 20
# The option of prctl(2) that says with which signal a process is told that its parent has died.
_PARENT_DEATH_SIGNAL = 1


class Lane:
    """A process that does some work and reports; `received` has what it said since last asked.

    It may use so much memory in bytes.  If it is `alone`, no file or connection stays open in it.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Report], object],
        memory: int | None = None,
        *,
        alone: bool = False,
    ) -> None:
        self.name = name
        self._buffer = bytearray()
        # What messages begin with: the program may write to the same pipe, not knowing what it is.
        self._mark = os.urandom(_MARK_SIZE)
        self._status: int | None = None
        # The seconds of processor time that it took, with what it started, once it has ended.
        self.cpu = 0.0
        self.started = time.monotonic()
        self.descriptor, writer = os.pipe()
        parent = os.getpid()
        self._open = False
        try:
            with warnings.catch_warnings(), held_back() as hear:
                # Other threads of this process do not exist in the fork, which does not need them.
                warnings.simplefilter("ignore", DeprecationWarning)
                self.pid = os.fork()
                if self.pid == 0:
                    os.close(self.descriptor)
                    _live(work, _Reporter(writer, self._mark), memory, parent, alone, hear)
                self._open = True
                os.close(writer)
                os.set_blocking(self.descriptor, False)
        except KeyboardInterrupt:
            # Nobody will get to know of it.
            if self._open:
                self.stop()
            raise

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        if not self._open and not self._buffer:
            self._reap(os.WNOHANG)
        return not self._open

    @property
    def death(self) -> str:
        """How the process ended if it did not end by itself, else nothing."""
        if self._status is None or self._status == 0:
            return ""
        if os.WIFSIGNALED(self._status):
            number = os.WTERMSIG(self._status)
            return f"it was ended by {signal.Signals(number).name}"
        return f"it ended the process with exit code {os.WEXITSTATUS(self._status)}"

    def received(self) -> list[Any]:
        """What was reported and has not been asked for yet."""
        # One that writes without end must not keep who reads.
        for _ in range(_MOST_PIECES):
            if not self._open:
                break
            try:
                piece = os.read(self.descriptor, _PIECE)
            except BlockingIOError:
                # What it has started may hold its end of the pipe open after its death.
                if self._reap(os.WNOHANG):
                    self._close()
                break
            if not piece:
                self._reap(0)
                self._close()
            self._buffer += piece
        return list(self._messages())

    def _messages(self) -> Iterator[object]:
        buffer = self._buffer
        while (start := buffer.find(self._mark)) >= 0:
            begin = start + _MARK_SIZE + _LENGTH.size
            if begin > len(buffer):
                break
            (length,) = _LENGTH.unpack_from(buffer, start + _MARK_SIZE)
            if begin + length > len(buffer):
                break
            message = bytes(buffer[begin : begin + length])
            del buffer[: begin + length]
            yield _read(message)
        if start < 0:
            # No message begins here, unless in the last few bytes.
            del buffer[: 1 - _MARK_SIZE]

    def stop(self) -> None:
        """End it now, with all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self._reap(0)
        self._close()
        self._buffer.clear()

    def _reap(self, options: int) -> bool:
        """Whether the process is known to have ended."""
        if self._status is None:
            pid, status, usage = os.wait4(self.pid, options)
            if pid:
                self._status = status
                self.cpu = usage.ru_utime + usage.ru_stime
        return self._status is not None

    def _close(self) -> None:
        if self._open:
            os.close(self.descriptor)
            self._open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def sendable(error: BaseException) -> BaseException | None:
    """An exception that another process reads as it is, or nothing.

    >>> sendable(ValueError("too big"))
    ValueError('too big')
    >>> class TooBig(Exception):
    ...     def __init__(self, number: int) -> None:
    ...         super().__init__(f"{number} is too big")
    >>> print(sendable(TooBig(3)))
    None
    """
    try:
        data = pickle.dumps(error)
        if len(data) > _MOST_SENT:
            return None
        read = pickle.loads(data)
        # A constructor may make another one of what this one has come to.
        same = type(read) is type(error) and repr(read) == repr(error)
    except Exception:
        return None
    return error if same else None


def wait_for(lanes: Iterable[Lane], seconds: float) -> None:
    """Wait until one of some lanes has something to say, at most for so long."""
    poll = select.poll()
    waiting = False
    for lane in lanes:
        if not lane.ended:
            poll.register(lane.descriptor, select.POLLIN)
            waiting = True
    if waiting:
        poll.poll(max(0.0, seconds) * 1000)


def _live(
    work: Callable[[Report], object],
    report: _Reporter,
    memory: int | None,
    parent: int,
    alone: bool,
    hear: Callable[[], None],
) -> NoReturn:
    """What the process of a lane does; it never returns to the code that forked it."""
    code = 1
    try:
        os.setsid()
        _die_with(parent)
        _without_terminal()
        if alone:
            # Files and connections that are open belong to who opened them.
            os.closerange(3, report.writer)
            os.closerange(report.writer + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        _limit(memory)
        pid = os.getpid()
        hear()
        work(report)
        # A program may fork and return twice.
        code = 0 if os.getpid() == pid else 1
    except BaseException as error:
        with contextlib.suppress(BaseException):
            report(Broken(f"{type(error).__name__}: {error}"))
    finally:
        # Nothing of what the parent wants to be done at its own end is done here.
        _leave(code)


# The program may replace it in its own process.
_leave = os._exit


class Broken:
    """A lane ended with an exception of its own, which is a mistake of ours or lack of memory."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def _read(message: bytes) -> object:
    """What was reported, or that it cannot be read, as when the program wrote into the midst."""
    try:
        return pickle.loads(message)
    except Exception as error:
        return Broken(f"a message cannot be read: {type(error).__name__}: {error}")


class _Reporter:
    """Writes messages, one after the other, whichever thread they come from."""

    def __init__(self, writer: int, mark: bytes) -> None:
        self.writer = writer
        self._mark = mark
        self._lock = threading.Lock()

    def __call__(self, message: object) -> None:
        text = pickle.dumps(message)
        pending = memoryview(self._mark + _LENGTH.pack(len(text)) + text)
        with self._lock:
            while pending:
                pending = pending[os.write(self.writer, pending) :]


def _die_with(parent: int) -> None:
    """Let the kernel end this process together with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _without_terminal() -> None:
    """What the program prints or asks for is no business of who waits for the answer."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _limit(memory: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        # Who has started this process may have a smaller limit, which is one for all that it does.
        allowed, most = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            memory = min(memory, allowed)
        resource.setrlimit(resource.RLIMIT_AS, (memory, most))
