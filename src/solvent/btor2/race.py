"""Engines side by side: each in a process of its own, the first definite answer counts.

The scheduler of the system shares the processors between them, so that none can starve another,
whatever it is busy with: a check that takes for ever, or a model that grows too large.  What an
engine finds out about a property is told at once, and who watches the race tells it to the others;
the process is ended when all is settled.
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
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import solvent.errors
from solvent.verdicts import held_back

# A message; the first part says of which kind it is.
Message = tuple[object, ...]
# The kind of message that an exception is sent with.
CRASHED = "crashed"

_LENGTH = struct.Struct("<Q")
_CHUNK = 1 << 20


class Line:
    """What connects an entrant with who watches the race."""

    def __init__(self, output: int, hearing: int) -> None:
        self._output = output
        self._hearing = hearing
        self._received = bytearray()
        os.set_blocking(hearing, False)

    def __call__(self, message: Message) -> None:
        """Send a message."""
        content = pickle.dumps(message)
        view = memoryview(_LENGTH.pack(len(content)) + content)
        while view:
            view = view[os.write(self._output, view) :]

    def news(self) -> list[Message]:
        """What others have found out since the last call, as far as it has been told."""
        with contextlib.suppress(BlockingIOError):
            self._received += os.read(self._hearing, _CHUNK)
        return list(_complete(self._received))


def _complete(received: bytearray) -> Iterator[Message]:
    """The messages that have arrived as a whole, which are taken away."""
    while len(received) >= _LENGTH.size:
        (size,) = _LENGTH.unpack_from(received)
        end = _LENGTH.size + size
        if len(received) < end:
            return
        content = bytes(received[_LENGTH.size : end])
        del received[:end]
        yield pickle.loads(content)


class Task(ABC):
    """What an entrant does; it must be possible to pickle it."""

    @abstractmethod
    def run(self, send: Line) -> None:
        """Work, and send messages."""


class Entrant:
    """A process that does a task and sends messages; `seconds` of CPU are known at its end."""

    def __init__(self, name: str, task: Task) -> None:
        self.name = name
        self.seconds = 0.0
        self.ended = False
        self._received = bytearray()
        self._untold: deque[bytes] = deque()
        reading, writing = os.pipe()
        hearing, telling = os.pipe()
        self.output, self._telling = reading, telling
        os.set_blocking(telling, False)
        try:
            self._pid = _start(task, (reading, telling), (writing, hearing))
        finally:
            os.close(writing)
            os.close(hearing)

    def tell(self, message: Message) -> None:
        """Tell what others have found out, in order; nobody waits until it is heard.

        Short messages are written as a whole or not at all; what is not written yet comes first the
        next time.
        """
        content = pickle.dumps(message)
        content = _LENGTH.pack(len(content)) + content
        assert len(content) <= select.PIPE_BUF, "only short messages are written as a whole"
        self._untold.append(content)
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            while self._untold and not self.ended:
                os.write(self._telling, self._untold[0])
                self._untold.popleft()

    def messages(self) -> Iterator[Message]:
        """What has arrived; call it when the output is readable."""
        chunk = os.read(self.output, _CHUNK)
        if not chunk:
            self.stop()
            return
        self._received += chunk
        yield from _complete(self._received)

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
        os.close(self._telling)


def wait_for_messages(entrants: Iterable[Entrant], seconds: float | None) -> list[Entrant]:
    """The entrants that have something to say, after at most so many seconds."""
    by_output = {one.output: one for one in entrants if not one.ended}
    poll = select.poll()
    for output in by_output:
        poll.register(output, select.POLLIN | select.POLLHUP)
    ready = poll.poll(None if seconds is None else max(0.0, seconds) * 1000)
    return [by_output[output] for output, _ in ready]


# --- processes ---------------------------------------------------------------------------------


def _start(task: Task, ours: tuple[int, int], its: tuple[int, int]) -> int:
    """Start a process for a task, with its ends of the two pipes; its number."""
    # Only a process with one thread can be copied safely.
    if sys.platform == "linux" and threading.active_count() == 1:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = 0
        try:
            with held_back() as hear:
                pid = os.fork()
                if pid == 0:
                    for end in ours:
                        os.close(end)
                    _serve(task, *its, hear)
        except KeyboardInterrupt:
            # Nobody will get to know of it.
            if pid:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            raise
        return pid
    environment = dict(os.environ)
    source = str(Path(solvent.errors.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [source, environment.get("PYTHONPATH", "")])
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "solvent.btor2.race", *map(str, its)],
        stdin=subprocess.PIPE,
        pass_fds=its,
        env=environment,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as stream:
        pickle.dump(task, stream)
    # Whoever stops the entrant waits for it.
    process.returncode = 0
    return process.pid


def _serve(task: Task, output: int, hearing: int, hear: Callable[[], None] = lambda: None) -> None:
    """Do a task in this process, and end it."""
    send = Line(output, hearing)
    code = 1
    try:
        # Ctrl-C in a terminal reaches every process; who watches the race decides.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        hear()
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
    _serve(pickle.load(sys.stdin.buffer), int(sys.argv[1]), int(sys.argv[2]))
