"""Threads, asyncio and executors give the same answers as one thread."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from solvent import Int, Solver, verify
from solvent.queries import ask_all, question
from solvent.solvers import process as processes

QUERIES = 200
EXPECTED = ["unsat" if number % 3 else "sat" for number in range(QUERIES)]


def is_divisible(number: int) -> str:
    """One query."""
    x = Int("x")
    with Solver("z3", timeout=60) as solver:
        solver.add(3 * x == number)
        status = solver.check()
        if status == "sat":
            assert solver.model()[x] * 3 == number
        return f"{status} {solver.reason}".strip()


def below(x: int, limit: int) -> None:
    assert x < limit or x > 100


def one_thread() -> list[str]:
    return [is_divisible(number) for number in range(QUERIES)]


def short_threads() -> list[str]:
    """A thread for each query, which ends long before the process that it started."""
    answers = [""] * QUERIES

    def work(number: int) -> None:
        answers[number] = is_divisible(number)

    for start in range(0, QUERIES, 4):
        threads = [threading.Thread(target=work, args=(start + k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return answers


def asynchronous() -> list[str]:
    async def work() -> list[str]:
        return list(
            await asyncio.gather(
                *(asyncio.to_thread(is_divisible, number) for number in range(QUERIES))
            )
        )

    return asyncio.run(work())


def on(executor: Callable[[], Executor]) -> list[str]:
    with executor() as running:
        return list(running.map(is_divisible, range(QUERIES)))


WAYS: dict[str, Callable[[], list[str]]] = {
    "one thread": one_thread,
    "short threads": short_threads,
    "asyncio": asynchronous,
    "thread pool": lambda: on(lambda: ThreadPoolExecutor(4)),
    "process pool": lambda: on(lambda: ProcessPoolExecutor(2)),
}


@pytest.mark.parametrize("way", WAYS)
def test_answers_do_not_depend_on_threads(way: str) -> None:
    assert WAYS[way]() == EXPECTED
    # Nor do those of the main thread after the others have ended.
    assert [is_divisible(number) for number in range(16, 26)] == EXPECTED[16:26]


def test_parallel_queries_and_the_main_thread() -> None:
    def ask() -> list[bool]:
        questions = [question(verify, below, Int("x"), limit) for limit in range(96, 106)]
        return [answer.holds for answer in ask_all(questions)]

    expected = [limit > 100 for limit in range(96, 106)]
    assert ask() == expected
    assert [verify(below, Int("x"), limit).holds for limit in range(96, 106)] == expected
    assert ask() == expected


def test_a_process_outlives_the_thread_that_started_it() -> None:
    processes.pool.close()
    found: list[processes.SolverProcess] = []

    def start() -> None:
        process = processes.pool.lease("z3", 0)
        processes.wait_until_started([process])
        found.append(process)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    (process,) = found
    # A signal at the thread's end would have arrived by now: the kernel sends it at once.
    time.sleep(0.2)
    assert process.alive
    assert processes.pool.give_back(process)


def test_a_forked_process_starts_solvers_of_its_own() -> None:
    assert is_divisible(15) == "sat"
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, " ".join(is_divisible(number) for number in (14, 15)).encode())
            processes.pool.close()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        assert stream.read() == "unsat sat"
    assert os.waitpid(child, 0)[1] == 0
    assert is_divisible(16) == "unsat"


ORPHAN = """
import sys, threading
from solvent import Solver
from tests.solvers.test_process import HARD
name, hard = HARD[int(sys.argv[1])]
solver = Solver(name)
solver.add(hard)
def tell():
    while True:
        (running,) = solver._backend._processes
        if running is not None and running.pending is not None:
            print(running._process.pid, flush=True)
            return
threading.Timer(0.2, tell).start()
solver.check()
"""


def ended(pid: int) -> bool:
    """Whether a process has gone, or waits only for whoever adopted it to notice."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the kernel must be Linux")
@pytest.mark.parametrize("index", [2, 3])
def test_a_process_dies_with_its_owner_in_the_middle_of_a_check(index: int) -> None:
    root = Path(__file__).parents[2]
    owner = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(index)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
    )
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    time.sleep(0.3)
    assert not ended(pid)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    for _ in range(600):
        if ended(pid):
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the solver went on without its owner")
