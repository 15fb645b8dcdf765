"""Running benchmarks: each in a process of its own, from scratch, with a time limit."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from solvent.errors import SolventError
from solvent.languages.benchmark import Benchmark, Outcome

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
    if isinstance(found, Outcome):
        return Measured(benchmark, found, seconds)
    late = found is None
    return Measured(benchmark, None, seconds, "time limit" if late else str(found), late)


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
        sender.send(f"{type(error).__name__}: {error}")


def measure_all(
    benchmarks: Sequence[Benchmark],
    limit: float,
    jobs: int = 1,
    begun: Callable[[Benchmark], None] = lambda benchmark: None,
    done: Callable[[Measured], None] = lambda measured: None,
) -> list[Measured]:
    """Measure benchmarks, so many at a time; `begun` and `done` are told of each."""

    def one(benchmark: Benchmark) -> Measured:
        begun(benchmark)
        return measure(benchmark, limit)

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
