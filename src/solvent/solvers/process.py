"""Processes that run solvers: starting, asking with a time limit, interrupting, reusing."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import solvent.errors
from solvent.errors import SolverError, SolverMissingError, UnsupportedError
from solvent.solvers.wire import MessageReader, write_message

# A solver that does not stop by itself at its time limit is killed this much later.
GRACE_SECONDS = 0.5
# How long an interrupted solver may take to become usable again before it is replaced.
INTERRUPT_SECONDS = 0.25
# Solvers that cannot be stopped in the middle of a check.
UNINTERRUPTIBLE = ("cvc5",)
# Idle processes kept for each solver.
IDLE_PROCESSES = 4

_INSTALL = {"z3": "z3-solver", "bitwuzla": "bitwuzla", "cvc5": "cvc5"}


class Reply:
    """What a process answered: a result, or that and why there is none."""

    __slots__ = ("reason", "result")

    def __init__(self, result: Any = None, reason: str = "") -> None:
        self.result = result
        self.reason = reason


class SolverProcess:
    """A running process of one kind of solver."""

    def __init__(self, name: str, memory: int) -> None:
        self.name = name
        self.memory = memory
        self.pending: int | None = None
        self._numbers = itertools.count()
        # Contexts that nobody needs any more; appending is safe from any thread.
        self._closed: list[int] = []
        environment = dict(os.environ)
        source = str(Path(solvent.errors.__file__).parents[1])
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [source, environment.get("PYTHONPATH", "")])
        )
        # Rewriting is checked in the process that rewrites.
        environment.pop("SOLVENT_CHECK_REWRITES", None)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "solvent.solvers.worker", name, str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if not os.environ.get("SOLVENT_WORKER_STDERR") else None,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self.output = self._process.stdout.fileno()
        self._reader = MessageReader(self.output)

    @property
    def alive(self) -> bool:
        """Whether the process can still be asked."""
        return self._process.poll() is None and not self._reader.closed

    def send(self, context: int, commands: Sequence[Any]) -> None:
        """Send a request; its answer is collected with `receive`."""
        self.pending = next(self._numbers)
        closed, self._closed = self._closed, []
        # A broken pipe shows up as the end of the answers.
        with contextlib.suppress(BrokenPipeError):
            write_message(self._input, (self.pending, context, [("close", closed), *commands]))

    def forget(self, context: int) -> None:
        """Let the process drop a context with the next request."""
        self._closed.append(context)

    def receive(self) -> Reply | None:
        """The answer to the last request, or None if it is not complete yet.

        Call it when the output is readable; answers to older requests are dropped.
        """
        self._reader.receive()
        while True:
            message = self._reader.next()
            if message is None:
                break
            number, kind, content = message
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
        if self._reader.closed:
            self.pending = None
            return Reply(reason=self._cause_of_death())
        return None

    def _cause_of_death(self) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "the solver closed its connection"
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
        with contextlib.suppress(BrokenPipeError):
            write_message(self._input, ("interrupt", self.pending))

    def interrupt(self) -> bool:
        """Make the solver stop; whether it did, so that the process can be used again."""
        if self.pending is None:
            return self.alive
        if self.name in UNINTERRUPTIBLE:
            return False
        try:
            self.request_interrupt()
            deadline = time.monotonic() + INTERRUPT_SECONDS
            while self.pending is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self.output], [], [], left)[0]:
                    return False
                with contextlib.suppress(SolverError):
                    self.receive()
        except BrokenPipeError:
            return False
        return self.alive

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def wait_for_any(processes: Iterable[SolverProcess], seconds: float | None) -> list[SolverProcess]:
    """The processes that have something to read, after at most so many seconds."""
    by_output = {process.output: process for process in processes}
    poll = select.poll()
    for output in by_output:
        poll.register(output, select.POLLIN | select.POLLHUP)
    ready = poll.poll(None if seconds is None else max(0, seconds) * 1000)
    return [by_output[output] for output, _ in ready]


class ProcessPool:
    """Idle processes, to be used again: starting one takes about a fifth of a second."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, int], list[SolverProcess]] = {}
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def lease(self, name: str, memory: int, prefer: SolverProcess | None = None) -> SolverProcess:
        """A process of the caller's own until it is returned; the preferred one if it is idle."""
        with self._lock:
            if self._owner != os.getpid():
                # After a fork the processes belong to the parent.
                self._idle = {}
                self._owner = os.getpid()
            idle = self._idle.setdefault((name, memory), [])
            if prefer is not None and prefer in idle:
                idle.remove(prefer)
                if prefer.alive:
                    return prefer
                prefer.kill()
            while idle:
                process = idle.pop()
                if process.alive:
                    return process
                process.kill()
        check_installed(name)
        return SolverProcess(name, memory)

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
        if self._owner != os.getpid():
            return
        with self._lock:
            processes = [process for idle in self._idle.values() for process in idle]
            self._idle = {}
        for process in processes:
            process.kill()


pool = ProcessPool()
atexit.register(pool.close)


def check_installed(name: str) -> None:
    """Complain if the package of a solver is missing."""
    import importlib.util

    if importlib.util.find_spec(name) is None:
        raise SolverMissingError(f"{name} is not installed here; run: pip install {_INSTALL[name]}")
