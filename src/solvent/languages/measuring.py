"""Running benchmarks: each in a process of its own, from scratch, with a time limit."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from solvent.errors import SolventError
from solvent.languages.benchmark import Benchmark, Figures, Outcome
from solvent.languages.peers import PeerCommand, PeerError

LANGUAGES = ("ifcl", "websynth", "synthcl")

# A benchmark that keeps to its limit by itself may need so long to say so.
GRACE = 15.0

# What a process says first, and how long that may take.
READY = True
START = 120.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A benchmark and what it came to; without an outcome `problem` says why there is none."""

    benchmark: Benchmark
    outcome: Outcome | None
    seconds: float
    problem: str = ""
    # Whether the time limit was reached.
    late: bool = False
    # What the peer needs: as recorded, or measured now; and why that is not known.
    peer: Figures | None = None
    peer_problem: str = ""


def all_benchmarks(languages: Sequence[str] = LANGUAGES) -> list[Benchmark]:
    """The benchmarks of table 4, in its order but for the languages."""
    return [found for language in languages for found in _of(language)]


def _of(language: str) -> list[Benchmark]:
    module = import_module(f"solvent.languages.{language}.benchmarks")
    found: list[Benchmark] = module.benchmarks()
    return found


def measure(benchmark: Benchmark, limit: float) -> Measured:
    """Run a benchmark in a new process, which is ended when the limit is reached."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(benchmark.run, limit, sender))
    started = time.perf_counter()
    process.start()
    sender.close()
    try:
        # The time counts from when everything is imported.
        found = _answer(receiver, START)
        if found is READY:
            found = _answer(receiver, limit + GRACE)
    finally:
        _end(process)
        receiver.close()
    seconds = time.perf_counter() - started
    peer = benchmark.peer
    if isinstance(found, Outcome):
        return Measured(benchmark, found, seconds, peer=peer)
    late = found is None
    problem = "time limit" if late else str(found)
    return Measured(benchmark, None, seconds, problem, late, peer)


def measure_here(benchmark: Benchmark, limit: float) -> Measured:
    """Run a benchmark in this very process, for the sake of a profile."""
    started = time.perf_counter()
    outcome, problem = None, ""
    try:
        outcome = benchmark.run(limit)
    except (SolventError, MemoryError, RecursionError) as error:
        problem = _said(error)
    seconds = time.perf_counter() - started
    return Measured(benchmark, outcome, seconds, problem, peer=benchmark.peer)


def least(rows: Sequence[Measured]) -> Measured:
    """Of several measurements of one benchmark the least seconds, if all have an outcome."""
    outcomes = [row.outcome for row in rows if row.outcome is not None]
    if len(outcomes) < len(rows):
        return next(row for row in rows if row.outcome is None)
    best = replace(
        outcomes[0],
        expected=all(found.expected for found in outcomes),
        evaluation=min(found.evaluation for found in outcomes),
        total=min(found.total for found in outcomes),
    )
    return replace(rows[0], outcome=best, seconds=sum(row.seconds for row in rows))


class Peers:
    """What a peer on this machine needs for each row, asked once."""

    def __init__(self, command: PeerCommand, limit: float) -> None:
        self.command = command
        self.limit = limit
        self.known: dict[str, Figures | PeerError | None] = {}

    def beside(self, row: Measured) -> Measured:
        """A row with the peer's figures instead of recorded ones."""
        key = row.benchmark.key
        if key not in self.known:
            try:
                self.known[key] = self.command.ask(key, self.limit)
            except PeerError as error:
                self.known[key] = error
        found = self.known[key]
        if isinstance(found, PeerError):
            return replace(row, peer=None, peer_problem=str(found))
        return replace(row, peer=found)


def _end(process: Any) -> None:
    """End a process together with the solvers that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _answer(receiver: Connection, seconds: float) -> object:
    """What the process says, or None if it says nothing in time."""
    if not receiver.poll(seconds):
        return None
    try:
        return receiver.recv()
    except EOFError:
        return "the process ended without an answer"


def _run(run: Callable[[float], Outcome], limit: float, sender: Connection) -> None:
    """What the new process does, as the first of a group of its own."""
    os.setpgrp()
    sender.send(READY)
    try:
        sender.send(run(limit))
    except (SolventError, MemoryError, RecursionError) as error:
        sender.send(_said(error))


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def measure_all(
    benchmarks: Sequence[Benchmark],
    limit: float,
    jobs: int = 1,
    begun: Callable[[Benchmark], None] = lambda benchmark: None,
    done: Callable[[Measured], None] = lambda measured: None,
    *,
    runs: int = 1,
    peer: PeerCommand | None = None,
) -> list[Measured]:
    """Measure benchmarks, so many at a time; `begun` and `done` are told of each.

    Of several runs the least seconds count.  A peer is asked about each row after it was measured.
    """
    peers = None if peer is None else Peers(peer, limit)

    def one(benchmark: Benchmark) -> Measured:
        begun(benchmark)
        row = least([measure(benchmark, limit) for _ in range(runs)])
        return row if peers is None else peers.beside(row)

    with ThreadPoolExecutor(jobs) as pool:
        tasks = {pool.submit(one, found): place for place, found in enumerate(benchmarks)}
        try:
            found = dict(_finished(tasks, done))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[place] for place in sorted(found)]


def _finished(
    tasks: dict[Future[Measured], int], done: Callable[[Measured], None]
) -> Iterator[tuple[int, Measured]]:
    for task in as_completed(tasks):
        measured: Measured = task.result()
        done(measured)
        yield tasks[task], measured
