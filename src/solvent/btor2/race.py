"""Engines side by side: each in a process of its own, the first definite answer counts.

The scheduler of the system shares the processors between them, so that none can starve another,
whatever it is busy with: a check that takes for ever, or a model that grows too large.  What an
engine finds out about a property is told at once; the process is ended when all is settled.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import solvent.errors

# Sends a message to who watches the race; the first part says of which kind it is.
Send = Callable[[tuple[object, ...]], None]
# The kind of message that an exception is sent with.
CRASHED = "crashed"

_LENGTH = struct.Struct("<Q")
_CHUNK = 1 << 20


class Task(ABC):
    """What an entrant does; it must be possible to pickle it."""

    @abstractmethod
    def run(self, send: Send) -> None:
        """Work, and send messages."""


class Entrant:
    """A process that does a task and sends messages; `seconds` of CPU are known at its end."""

    def __init__(self, name: str, task: Task) -> None:
        self.name = name
        self.seconds = 0.0
        self.ended = False
        self._received = bytearray()
        reading, writing = os.pipe()
        self.output = reading
        try:
            self._pid = _start(task, reading, writing)
        finally:
            os.close(writing)

    def messages(self) -> Iterator[tuple[object, ...]]:
        """What has arrived; call it when the output is readable."""
        chunk = os.read(self.output, _CHUNK)
        if not chunk:
            self.stop()
            return
        self._received += chunk
        while len(self._received) >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(self._received)
            end = _LENGTH.size + size
            if len(self._received) < end:
                return
            content = bytes(self._received[_LENGTH.size : end])
            del self._received[:end]
            yield pickle.loads(content)

    def stop(self) -> None:
        """End the process, if it has not ended."""
        if self.ended:
            return
        self.ended = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        _, _, usage = os.wait4(self._pid, 0)
        self.seconds = usage.ru_utime + usage.ru_stime
        os.close(self.output)


def wait_for_messages(entrants: Iterable[Entrant], seconds: float | None) -> list[Entrant]:
    """The entrants that have something to say, after at most so many seconds."""
    by_output = {one.output: one for one in entrants if not one.ended}
    poll = select.poll()
    for output in by_output:
        poll.register(output, select.POLLIN | select.POLLHUP)
    ready = poll.poll(None if seconds is None else max(0.0, seconds) * 1000)
    return [by_output[output] for output, _ in ready]


# --- processes ---------------------------------------------------------------------------------


def _start(task: Task, reading: int, writing: int) -> int:
    """Start a process for a task; its number."""
    # Only a process with one thread can be copied safely.
    if sys.platform == "linux" and threading.active_count() == 1:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            _serve(task, writing)
        return pid
    environment = dict(os.environ)
    source = str(Path(solvent.errors.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [source, environment.get("PYTHONPATH", "")])
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "solvent.btor2.race", str(writing)],
        stdin=subprocess.PIPE,
        pass_fds=(writing,),
        env=environment,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as stream:
        pickle.dump(task, stream)
    # Whoever stops the entrant waits for it.
    process.returncode = 0
    return process.pid


def _serve(task: Task, output: int) -> None:
    """Do a task in this process, and end it."""

    def send(message: tuple[object, ...]) -> None:
        content = pickle.dumps(message)
        view = memoryview(_LENGTH.pack(len(content)) + content)
        while view:
            view = view[os.write(output, view) :]

    code = 1
    try:
        # Ctrl-C in a terminal reaches every process; who watches the race decides.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        try:
            task.run(send)
            code = 0
        except Exception as error:
            send((CRASHED, error))
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve(pickle.load(sys.stdin.buffer), int(sys.argv[1]))
