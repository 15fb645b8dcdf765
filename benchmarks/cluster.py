"""Units on a cluster of this machine, and one hard question in pieces.

The scheduler and its workers are processes on the loopback address.  Units that sleep show what the
machinery costs, whatever else the machine does; durations of units that were recorded are put on
more workers than there are by a simulation of discrete events.
"""

from __future__ import annotations

import ctypes
import heapq
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psutil

from benchmarks.figure import Figure
from solvent.solvers import portfolio
from solvent.solvers.splitting import Conquest
from solvent.terms import BitVec, bv, eq, ite, not_
from solvent.terms.bitvectors import extract
from solvent.terms.kinds import Bits, Guard
from solvent.units.cluster import Cluster
from solvent.units.local import Local
from solvent.units.pieces import on_pool
from solvent.units.unit import Unit

UNITS = 200
SECONDS = 0.5
SHORT_UNITS = 300
# So many replies one after the other tell what a unit costs on a machine that is busy now and then.
IN_A_ROW = 20
# Units that compute, of which seconds of the processor tell on a busy machine, too.
BUSY_UNITS = 40
# The widths of the multipliers whose equivalence is asked about.
WIDTH = 12
COMMUTES_WIDTH = 11
LIMIT = 1_200.0
PIECE_SECONDS = 30.0
SOLVERS = ("bitwuzla", "z3:QF_BV")
# The option of prctl(2) that makes a process the parent of orphans.
_SET_CHILD_SUBREAPER = 36
MACHINES = (1, 2, 16, 256, 4_096)


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, int]]:
    """The address and process of a scheduler with some workers, all on the loopback address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = str(found.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory() as folder:
        here = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
        scheduler = ["distributed.cli.dask_scheduler", *here, "--port", port, "--no-show"]
        worker = ["distributed.cli.dask_worker", address, *here, "--nthreads", "1", "--no-nanny"]
        worker += ["--memory-limit", "0", "--local-directory", folder]
        commands = [scheduler, *([worker] * workers)]
        processes = [subprocess.Popen([*python, *one], **quiet) for one in commands]  # type: ignore[call-overload]
        try:
            yield address, processes[0].pid
        finally:
            for process in processes:
                process.kill()
                process.wait()


def naps(count: int, seconds: float) -> list[Unit]:
    """Units that sleep."""
    return [Unit("nap", f"nap {n}", {"seconds": seconds, "number": n}) for n in range(count)]


def busy(count: int, seconds: float) -> list[Unit]:
    """Units that compute for so many seconds of the processor."""
    return [
        Unit("nap", f"work {n}", {"seconds": seconds, "number": n, "busy": True})
        for n in range(count)
    ]


def timed(pool: Cluster | Local, units: Sequence[Unit]) -> tuple[float, list[float]]:
    """The seconds that units take together, and each of them."""
    started = time.perf_counter()
    durations = [reply.seconds for _, _, reply in pool.run(units)]
    assert len(durations) == len(units)
    return time.perf_counter() - started, durations


def least_gap(pool: Cluster | Local, units: Sequence[Unit]) -> tuple[float, float]:
    """The seconds between two replies: on the whole, and in the fastest row of some.

    What else the machine does delays some of them; the fastest row is what it costs alone.
    """
    started = time.perf_counter()
    times = [time.perf_counter() - started for _ in pool.run(units)]
    rows = zip(times, times[IN_A_ROW:], strict=False)
    return times[-1] / len(units), min(last - first for first, last in rows) / IN_A_ROW


def processor_seconds() -> float:
    """What this process and all that it has started have computed, also those that have ended."""
    found = psutil.Process()
    return sum(sum(one.cpu_times()[:4]) for one in (found, *found.children(recursive=True)))


def adopt() -> None:
    """Become the parent of orphans: what the solvers of units have computed counts, too."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)


def alone_seconds(process: int) -> float:
    """What the slower of the client and the scheduler has computed: units pass both one by one."""
    return max(sum(psutil.Process(one).cpu_times()[:2]) for one in (process, os.getpid()))


def ready(pool: Cluster, workers: int) -> None:
    """Wait until all workers have done something."""
    while len(pool.workers()) < workers:
        time.sleep(0.1)
    timed(pool, naps(4 * workers, 0.2))


def spreading() -> Iterator[Figure]:
    """Efficiency of two workers against one, and the overhead of a unit."""
    seconds: dict[int, float] = {}
    recorded: list[float] = []
    for workers in (1, 2):
        with cluster(workers) as (address, scheduler), Cluster(address) as pool:
            ready(pool, workers)
            # One worker does half of them, so that both take as long if all is well.
            count = UNITS * workers // 2
            seconds[workers], durations = timed(pool, naps(count, SECONDS))
            recorded += durations
            if workers == 1:
                before = processor_seconds(), alone_seconds(scheduler)
                short, least = least_gap(pool, naps(SHORT_UNITS, 0.0))
                computed = processor_seconds() - before[0]
                serial = alone_seconds(scheduler) - before[1]
            else:
                before = processor_seconds(), 0.0
                timed(pool, busy(BUSY_UNITS, SECONDS))
                useful = BUSY_UNITS * SECONDS / (processor_seconds() - before[0])
    rates = {workers: UNITS * workers / 2 / spent for workers, spent in seconds.items()}
    efficiency = rates[2] / (2 * rates[1])
    yield Figure(
        f"cluster: {UNITS} units of {SECONDS} s on two workers, against one",
        100 * efficiency,
        "%",
        ">= 90 %",
        efficiency >= 0.9,
    )
    ideal = UNITS * SECONDS / 2
    yield Figure("cluster: the same against no overhead", 100 * ideal / seconds[2], "%")
    name = f"cluster: {BUSY_UNITS} units that compute {SECONDS} s on two workers, of all computed"
    yield Figure(name, 100 * useful, "%", ">= 90 %", useful >= 0.9)
    yield Figure("cluster: overhead of a unit", 1_000 * short, "ms", "< 20 ms", short < 0.02)
    name = f"cluster: the same, the fastest {IN_A_ROW} in a row"
    yield Figure(name, 1_000 * least, "ms", "< 20 ms", least < 0.02)
    yield Figure("cluster: the same, processor time of all", 1_000 * computed / SHORT_UNITS, "ms")
    here, least = least_gap(Local(1), naps(SHORT_UNITS, 0.0))
    yield Figure("jobs: overhead of a unit", 1_000 * here, "ms")
    yield Figure(f"jobs: the same, the fastest {IN_A_ROW} in a row", 1_000 * least, "ms")
    dispatch = serial / SHORT_UNITS
    yield Figure("cluster: processor time of the scheduler for a unit", 1_000 * dispatch, "ms")
    yield from simulated(dispatch, max(0.0, computed / SHORT_UNITS - dispatch))


# --- a simulation --------------------------------------------------------------------------------


def makespan(durations: Sequence[float], workers: int, dispatch: float) -> float:
    """When the last of some units is done, if one scheduler sends them one after the other.

    >>> makespan([1.0] * 4, 2, 0.0), makespan([1.0] * 4, 4, 0.5)
    (2.0, 3.0)
    """
    idle = [0.0] * workers
    sent = 0.0
    for duration in durations:
        free = heapq.heappop(idle)
        sent = max(sent + dispatch, free + dispatch)
        heapq.heappush(idle, sent + duration)
    return max(idle)


# The seconds of the 84 functions of `solvent verify benchmarks/everyday --budget 10 --jobs 2`,
# recorded on two cores that were busy with other things, too.
_RECORDED = """
    0.06 0.07 0.07 0.07 0.07 0.08 0.08 0.08 0.08 0.09 0.09 0.1 0.1 0.1 0.1 0.11 0.11 0.11
    0.11 0.11 0.11 0.11 0.12 0.12 0.12 0.13 0.13 0.14 0.14 0.17 0.23 0.24 0.28 0.36 0.36
    0.39 0.4 0.44 0.45 0.46 0.47 0.5 0.51 0.54 0.58 0.58 0.63 0.63 0.63 0.64 0.65 0.66
    0.66 0.7 0.73 0.83 0.87 0.93 0.97 0.99 1.04 1.09 1.09 1.11 1.15 1.26 1.26 1.38 1.42
    1.66 1.84 2.71 3.05 3.21 3.36 4.06 4.4 5.11 6.36 6.72 8.7 10.04 10.06 10.1
"""
RECORDED = [float(seconds) for seconds in _RECORDED.split()]


def simulated(dispatch: float, overhead: float) -> Iterator[Figure]:
    """The makespan of 20,000 units on more workers than there are here.

    A unit passes the scheduler in `dispatch` seconds, one after the other, and a worker spends
    `overhead` on it beside its own duration.
    """
    chance = random.Random(0)
    durations = [chance.choice(RECORDED) + overhead for _ in range(20_000)]
    total = sum(durations)
    for workers in MACHINES:
        seconds = makespan(durations, workers, dispatch)
        share = total / workers / seconds
        name = f"simulated: {workers:,} workers, busy {share:.0%} of the time"
        yield Figure(name, seconds, "s")
    saturated = statistics.mean(durations) / dispatch
    yield Figure("simulated: workers that one scheduler keeps busy", saturated, "workers")


# --- one hard question ---------------------------------------------------------------------------


def added_up(a: Bits, b: Bits, width: int) -> Bits:
    """A product as people write it: shifted numbers, added up."""
    total: Bits = bv(0, width)
    for bit in range(width):
        total = total + ite(eq(extract(bit, bit, b), bv(1, 1)), a << bit, bv(0, width))
    return total


def multiplies(width: int) -> Guard:
    """That adding up shifted numbers is not multiplication: it has no model."""
    a, b = BitVec("a", width), BitVec("b", width)
    return not_(eq(added_up(a, b, width), b * a))


def commutes(width: int) -> Guard:
    """That it matters which of two numbers is shifted: it has no model."""
    a, b = BitVec("a", width), BitVec("b", width)
    return not_(eq(added_up(a, b, width), added_up(b, a, width)))


def splitting() -> Iterator[Figure]:
    """Questions that take one solver more than a minute."""
    adopt()
    yield from split(f"adding up commutes in {COMMUTES_WIDTH} bits", commutes(COMMUTES_WIDTH))
    yield from split(f"multiplication in {WIDTH} bits", multiplies(WIDTH))


def split(name: str, formula: Guard) -> Iterator[Figure]:
    """The same question to a portfolio of two solvers, and in pieces to two processes."""
    started, before = time.perf_counter(), processor_seconds()
    with portfolio(SOLVERS, timeout=LIMIT) as solver:
        solver.add(formula)
        status = solver.check()
        whole, computed = time.perf_counter() - started, processor_seconds() - before
        won = solver.name
    started, before = time.perf_counter(), processor_seconds()
    found = Conquest(
        formula, on_pool(Local(2)), width=2, solver="bitwuzla", piece_seconds=PIECE_SECONDS
    ).run()
    pieces, in_pieces = time.perf_counter() - started, processor_seconds() - before
    leaves = len(list(found.tree.leaves()))
    yield Figure(f"{name}: {status} by a portfolio of 2 ({won})", whole, "s")
    yield Figure(f"{name}: {found.status} by {leaves} pieces on 2", pieces, "s")
    ratio = whole / pieces
    yield Figure(f"{name}: so many times faster in pieces", ratio, "", ">= 1.6", ratio >= 1.6)
    # Both keep two processors busy, so that this is the ratio that nobody else disturbs.
    yield Figure(f"{name}: computed by the portfolio", computed, "s")
    yield Figure(f"{name}: computed for all pieces", in_pieces, "s")
    yield Figure(f"{name}: ratio of what was computed", computed / in_pieces, "")


def run() -> list[Figure]:
    return [*spreading(), *splitting()]
