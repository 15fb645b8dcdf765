"""Processes that run solvers: starting, asking with a time limit, interrupting, reusing.

Nothing here blocks for longer than it is told: requests are written as far as the process takes
them, and every wait has a deadline, since a process may be stopped, busy or dead at any moment.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import itertools
import os
import queue
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from solvent.errors import SolverError, SolverMissingError, UnsupportedError
from solvent.solvers.rows import Command, Data
from solvent.solvers.wire import MessageReader, MessageWriter
from solvent.solvers.worker import READY
from solvent.verdicts import Deadline

# A solver that does not stop by itself at its time limit is killed this much later.
GRACE_SECONDS = 0.5
# How long an interrupted solver may take to become usable again before it is replaced.
INTERRUPT_SECONDS = 0.25
# A process that is not ready after this long never will be; it takes a tenth of a second.
START_SECONDS = 60.0
# How often somebody who waits looks whether he has been interrupted.
SLICE_SECONDS = 0.05
# Solvers that cannot be stopped in the middle of a check.
UNINTERRUPTIBLE = ("cvc5",)
# Idle processes kept for each solver.
IDLE_PROCESSES = 4

_INSTALL = {"z3": "z3-solver", "bitwuzla": "bitwuzla", "cvc5": "cvc5"}
_PROGRAM = str(Path(__file__).with_name("start_worker.py"))


def with_grace(seconds: float | None) -> Deadline:
    """When a solver is given up that may take so long and stops by itself, or should."""
    return Deadline(None if seconds is None else seconds + GRACE_SECONDS)


class Reply:
    """What a process answered: a result, or that and why there is none."""

    __slots__ = ("reason", "result")

    def __init__(self, result: Data = None, reason: str = "") -> None:
        self.result = result
        self.reason = reason


Answers = queue.SimpleQueue["subprocess.Popen[bytes] | OSError"]


class Starter:
    """Starts processes in a thread that lives as long as this process.

    The kernel kills the process of a solver together with the *thread* that started it, and the
    thread of a query may end long before the process is not needed any more.

    Threads and futures of the standard library wait in Python code, which Ctrl-C may leave with a
    lock in the wrong state; those of C do not.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, in a fork, where the thread does not exist."""
        self._requests: queue.SimpleQueue[tuple[Answers, list[str]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running = False

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start a command that is talked to by its standard input and output."""
        with self._lock:
            if not self._running:
                _thread.start_new_thread(self._serve, ())
                self._running = True
        answers: Answers = queue.SimpleQueue()
        self._requests.put((answers, command))
        started = answers.get()
        if isinstance(started, OSError):
            raise SolverError(f"no process can be started for a solver: {started.strerror}")
        return started

    def _serve(self) -> None:
        while True:
            answers, command = self._requests.get()
            try:
                answers.put(
                    subprocess.Popen(
                        command,
                        bufsize=0,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=None
                        if os.environ.get("SOLVENT_WORKER_STDERR")
                        else subprocess.DEVNULL,
                    )
                )
            except OSError as error:
                answers.put(error)
            # If nobody waits for it any more, its input closes now, and it ends.
            del answers, command


starter = Starter()


class SolverProcess:
    """A running process of one kind of solver."""

    def __init__(self, name: str, memory: int) -> None:
        self.name = name
        self.memory = memory
        self.pending: int | None = None
        self._owner = os.getpid()
        self._numbers = itertools.count()
        # Contexts that nobody needs any more; appending is safe from any thread.
        self._closed: list[int] = []
        self._starting = True
        self._killed = False
        self._process = starter.start(
            [sys.executable, "-P", _PROGRAM, name, str(memory), str(self._owner)]
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._writer = MessageWriter(self._process.stdin.fileno())
        self.output = self._process.stdout.fileno()
        self._reader = MessageReader(self.output)

    @property
    def alive(self) -> bool:
        """Whether the process can still be asked."""
        return not self._killed and self._process.poll() is None and not self._reader.closed

    @property
    def starting(self) -> bool:
        """Whether the process is not known yet to be ready for requests."""
        return self._starting and self.alive

    @property
    def input(self) -> int | None:
        """The descriptor that can be waited for to write more, if there is more."""
        return self._writer.descriptor if self._writer.waiting and not self._killed else None

    def send(self, context: int, commands: Sequence[Command]) -> None:
        """Send a request; its answer is collected with `receive`."""
        self.pending = next(self._numbers)
        closed, self._closed = self._closed, []
        self._write((self.pending, context, [("close", closed), *commands]))

    def _write(self, message: Data) -> None:
        if not self._killed:
            self._writer.add(message)

    def flush(self) -> None:
        """Write more of what the process has not taken yet."""
        if not self._killed:
            self._writer.flush()

    def forget(self, context: int) -> None:
        """Let the process drop a context with the next request."""
        self._closed.append(context)

    def receive(self) -> Reply | None:
        """The answer to the last request, or None if it is not complete yet.

        Call it when the output is readable; answers to older requests are dropped.
        """
        if not self._killed:
            self._reader.receive()
        while True:
            message = self._reader.next()
            if message is None:
                break
            number, kind, content = message
            if number == READY:
                self._starting = False
            if number != self.pending:
                continue
            self.pending = None
            if kind == "ok":
                return Reply(content)
            if kind == "unknown":
                return Reply(reason=content)
            if kind == "unsupported":
                raise UnsupportedError(content)
            raise SolverError(f"{self.name} failed: {content}")
        if self._killed or self._reader.closed:
            self.pending = None
            return Reply(reason=self._cause_of_death())
        return None

    def answer(self, seconds: float | None) -> Reply:
        """The answer to the last request, waited for up to a limit and not for longer."""
        deadline = with_grace(seconds)
        while not deadline.is_over:
            for _ in wait_for_any([self], deadline.left()):
                reply = self.receive()
                if reply is not None:
                    return reply
        return Reply(reason="timeout")

    def _cause_of_death(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the solver closed its connection"
        if self._starting and self._killed:
            return "the solver did not start"
        if code < 0:
            try:
                cause = signal.Signals(-code).name
            except ValueError:
                cause = f"signal {-code}"
            memory = " (out of memory?)" if -code in (signal.SIGKILL, signal.SIGABRT) else ""
            return f"the solver crashed with {cause}{memory}"
        return f"the solver ended with exit code {code}"

    def request_interrupt(self) -> None:
        """Ask the solver to stop, and do not wait."""
        self._write(("interrupt", self.pending))

    def interrupt(self) -> bool:
        """Make the solver stop; whether it did, so that the process can be used again."""
        if self.pending is None:
            return self.alive
        if self.name in UNINTERRUPTIBLE or not self.alive:
            return False
        self.request_interrupt()
        deadline = Deadline(INTERRUPT_SECONDS)
        while self.pending is not None:
            if deadline.is_over:
                return False
            for _ in wait_for_any([self], deadline.left()):
                with contextlib.suppress(SolverError):
                    self.receive()
        return self.alive

    def kill(self) -> None:
        """End the process at once."""
        self._killed = True
        if self._owner == os.getpid():
            # In a fork of the owner it is not ours to kill.
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def wait_for_any(processes: Iterable[SolverProcess], seconds: float | None) -> list[SolverProcess]:
    """The processes that have something to read, after at most so many seconds.

    Meanwhile those that have not taken all of their requests are written to.
    """
    poll = select.poll()
    by_output: dict[int, SolverProcess] = {}
    by_input: dict[int, SolverProcess] = {}
    for process in processes:
        if not process.alive:
            # There is nothing to wait for.
            return [process]
        by_output[process.output] = process
        poll.register(process.output, select.POLLIN)
        if process.input is not None:
            by_input[process.input] = process
            poll.register(process.input, select.POLLOUT)
    ready = poll.poll(None if seconds is None else max(0, seconds) * 1000)
    for descriptor, _ in ready:
        if descriptor in by_input:
            by_input[descriptor].flush()
    return [by_output[descriptor] for descriptor, _ in ready if descriptor in by_output]


def wait_until_started(
    processes: Sequence[SolverProcess], interrupted: Callable[[], bool] = lambda: False
) -> bool:
    """Wait until processes can take requests, or have died; False if somebody interrupts that.

    It is no part of the time that a check may take.  One that is not ready after some time never
    will be and is killed; that time counts from here, since it may have been started long ago and
    have said meanwhile that it is ready.
    """
    deadline = Deadline(START_SECONDS)
    while starting := [process for process in processes if process.starting]:
        if interrupted():
            return False
        for process in wait_for_any(starting, SLICE_SECONDS):
            process.receive()
        if deadline.is_over:
            for process in starting:
                if process.starting:
                    process.kill()
    return True


class ProcessPool:
    """Idle processes, to be used again: starting one takes about a tenth of a second."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, in a fork: the processes belong to the parent."""
        self._idle: dict[tuple[str, int], list[SolverProcess]] = {}
        self._lock = threading.Lock()

    def lease(self, name: str, memory: int, prefer: SolverProcess | None = None) -> SolverProcess:
        """A process of the caller's own until it is returned; the preferred one if it is idle.

        It may still be starting: see `wait_until_started`.
        """
        if prefer is not None and self.take(prefer):
            return prefer
        dead = []
        try:
            with self._lock:
                idle = self._idle.setdefault((name, memory), [])
                while idle:
                    process = idle.pop()
                    if process.alive:
                        return process
                    dead.append(process)
        finally:
            for process in dead:
                process.kill()
        check_installed(name)
        return SolverProcess(name, memory)

    def take(self, process: SolverProcess) -> bool:
        """Lease this one process, if it is idle and alive."""
        with self._lock:
            idle = self._idle.get((process.name, process.memory), [])
            if process not in idle:
                return False
            idle.remove(process)
        if process.alive:
            return True
        process.kill()
        return False

    def has_idle(self, name: str, memory: int) -> bool:
        """Whether a process waits, or is starting, for somebody to ask it."""
        with self._lock:
            return bool(self._idle.get((name, memory)))

    def prepare(self, name: str, memory: int) -> None:
        """Let a process start that will be needed soon, if none is idle, and do not wait."""
        if self.has_idle(name, memory):
            return
        check_installed(name)
        self.give_back(SolverProcess(name, memory))

    def give_back(self, process: SolverProcess) -> bool:
        """Return a process after use; False if it had to be ended because it did not stop."""
        if not process.interrupt():
            process.kill()
            return False
        with self._lock:
            idle = self._idle.setdefault((process.name, process.memory), [])
            idle.append(process)
            surplus = idle.pop(0) if len(idle) > IDLE_PROCESSES else None
        if surplus is not None:
            surplus.kill()
        return surplus is not process

    def close(self) -> None:
        """End all idle processes."""
        with self._lock:
            processes = [process for idle in self._idle.values() for process in idle]
            self._idle = {}
        for process in processes:
            process.kill()


pool = ProcessPool()
atexit.register(pool.close)
os.register_at_fork(after_in_child=pool.reset)
os.register_at_fork(after_in_child=starter.reset)


def check_installed(name: str) -> None:
    """Complain if the package of a solver is missing."""
    import importlib.util

    if importlib.util.find_spec(name) is None:
        raise SolverMissingError(f"{name} is not installed here; run: pip install {_INSTALL[name]}")
