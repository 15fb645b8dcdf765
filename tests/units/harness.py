"""A scheduler of Dask and its workers, as processes of their own on the loopback address."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil
from distributed import Client, Security

import solvent

LOOPBACK = "127.0.0.1"
# Functions of tests can be imported by workers, and Solvent is the one that is imported here.
PATH = os.pathsep.join(
    str(Path(file).parents[n]) for file, n in ((__file__, 2), (solvent.__file__, 1))
)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return int(found.getsockname()[1])


class Processes:
    """A scheduler with some workers, all of which can be killed."""

    def __init__(
        self,
        folder: Path,
        workers: int = 2,
        *,
        nanny: bool = False,
        tls: Sequence[str] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.nanny = nanny
        self.tls = list(tls)
        self.environment = {**os.environ, "PYTHONPATH": PATH, **(environment or {})}
        # A worker that dies is not to blame for what it was doing.
        self.environment["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "10"
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        return f"{'tls' if self.tls else 'tcp'}://{LOOPBACK}:{self.port}"

    def _started(self, module: str, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments, *self.tls],
            cwd=self.folder,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_the_test,
        )

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """The scheduler, on its port."""
        port = str(self.port)
        return self._started(
            *("dask_scheduler", "--host", self._host, "--port", port, "--no-show"),
            *("--dashboard-address", f"{LOOPBACK}:0"),
        )

    @property
    def _host(self) -> str:
        return f"tls://{LOOPBACK}" if self.tls else LOOPBACK

    def start_worker(self, *more: str, **environment: str) -> subprocess.Popen[bytes]:
        """One more worker."""
        nanny = "--nanny" if self.nanny else "--no-nanny"
        return self._started(
            "dask_worker",
            *(self.address, "--host", LOOPBACK, "--nthreads", "1", "--memory-limit", "0"),
            *("--dashboard-address", f"{LOOPBACK}:0", nanny),
            *("--local-directory", str(self.folder), *more),
            **environment,
        )

    def kill_worker(self, number: int) -> None:
        """End a worker with all that it has started, as `kill -9` of its machine would."""
        _kill(self.workers[number])

    def end(self, worker: subprocess.Popen[bytes]) -> None:
        """End a worker that is none of the usual ones."""
        _kill(worker)

    def restart_scheduler(self) -> None:
        """A new scheduler in the place of the old one, and new workers: the old ones leave."""
        _kill(self.scheduler)
        self.scheduler = self.start_scheduler()
        for number, worker in enumerate(self.workers):
            _kill(worker)
            self.workers[number] = self.start_worker()

    def listening(self) -> set[str]:
        """Where any of these processes, and what they have started, can be asked."""
        roots = [psutil.Process(one.pid) for one in (self.scheduler, *self.workers)]
        found: set[str] = set()
        for process in [one for root in roots for one in (root, *root.children(recursive=True))]:
            with suppress(psutil.Error):
                found |= {
                    str(one.laddr.ip)
                    for one in process.net_connections("inet")
                    if one.status == psutil.CONN_LISTEN
                }
        return found

    def client(self, security: Security | None = None) -> Client:
        """A connection of the test's own."""
        return Client(self.address, security=security, timeout=60, set_as_default=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            _kill(process)


def _die_with_the_test() -> None:
    """A test that is killed leaves nothing behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def eventually(is_so: Callable[[], bool], seconds: float) -> bool:
    """Whether something becomes so in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.1)
    return is_so()
