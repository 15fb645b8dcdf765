"""Limits, interrupts and crashes end a check, not the program, whichever solver runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from solvent import BitVec, Bool, Int, Solver, and_, bv, eq, portfolio, ult
from solvent.solvers import process as processes
from solvent.solvers.wire import MessageReader, write_message

a, b = BitVec("a", 64), BitVec("b", 64)
x, y, z = Int("x"), Int("y"), Int("z")
# No 64-bit solver factors this in a minute; nor does one find large cubes that sum to 42.
FACTORS = and_(a * b == bv(0xC96F5B3A7D1E2F4B, 64), ult(1, a), ult(a, b), ult(b, 1 << 32))
CUBES = and_(x * x * x + y * y * y + z * z * z == 42, x > 1000, y < -1000)
HARD = [("z3", CUBES), ("z3:QF_BV", FACTORS), ("bitwuzla", FACTORS), ("cvc5", CUBES)]


def after(seconds: float, action: Any) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


@pytest.mark.parametrize(("name", "hard"), HARD)
def test_a_time_limit_ends_a_check(name: str, hard: Any) -> None:
    with Solver(name) as solver:
        solver.add(hard)
        started = time.monotonic()
        assert solver.check(timeout=0.5) == "unknown"
        assert solver.reason == "timeout"
        assert time.monotonic() - started < 10
        # The object goes on working.
        solver.reset()
        solver.add(Bool("p"))
        assert solver.check() == "sat"


@pytest.mark.parametrize(("name", "hard"), HARD)
def test_interrupt_from_another_thread(name: str, hard: Any) -> None:
    with Solver(name) as solver:
        solver.add(hard)
        timer = after(0.5, solver.interrupt)
        started = time.monotonic()
        assert solver.check(timeout=60) == "unknown"
        assert solver.reason == "interrupted"
        assert time.monotonic() - started < 10
        timer.join()


@pytest.mark.parametrize(("name", "hard"), HARD)
def test_a_crash_is_unknown(name: str, hard: Any) -> None:
    with Solver(name) as solver:
        solver.add(hard)

        def crash() -> None:
            for _ in range(200):
                (running,) = solver._backend._processes
                if running is not None and running.pending is not None:
                    break
                time.sleep(0.1)
            time.sleep(0.3)
            os.kill(running._process.pid, signal.SIGSEGV)

        timer = after(0.2, crash)
        assert solver.check(timeout=60) == "unknown"
        assert "SIGSEGV" in solver.reason
        timer.join()
        solver.reset()
        solver.add(Bool("p"))
        assert solver.check() == "sat"


INTERRUPTED = """
import sys, threading, os, signal
from solvent import Solver
from tests.solvers.test_process import HARD
name, hard = HARD[int(sys.argv[1])]
solver = Solver(name)
solver.add(hard)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    solver.check()
except KeyboardInterrupt:
    print("interrupted", flush=True)
solver.reset()
print(solver.check(), flush=True)
"""


@pytest.mark.parametrize("index", range(len(HARD)))
def test_ctrl_c_ends_a_check(index: int) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(index)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
        check=False,
    )
    assert done.stdout.split() == ["interrupted", "sat"], done.stderr


@pytest.mark.parametrize("name", ["bitwuzla", "cvc5"])
def test_running_out_of_memory_is_unknown(name: str) -> None:
    words = [BitVec(f"w{k}", 256) for k in range(402)]
    with Solver(name, memory_limit=300, timeout=60) as solver:
        for k in range(400):
            solver.add(eq(words[k] * words[k + 1], words[k + 2] * words[k] + 1))
        assert solver.check() == "unknown"
        assert solver.reason != "timeout"


def test_processes_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    original = processes.SolverProcess.__init__

    def counting(self: Any, name: str, memory: int) -> None:
        started.append(name)
        original(self, name, memory)

    monkeypatch.setattr(processes.SolverProcess, "__init__", counting)
    processes.pool.close()
    for _ in range(5):
        with Solver("z3") as solver:
            solver.add(ult(a, 5))
            assert solver.check() == "sat"
    assert started == ["z3"]


def test_processes_are_used_again_after_an_interruption() -> None:
    for _ in range(5):
        with portfolio(["bitwuzla", "z3"]) as solver:
            solver.add(ult(a, 5))
            assert solver.check() == "sat"
            # One that is slow to stop is replaced, which depends on how busy the machine is.
            solver.add(FACTORS)
            assert solver.check(timeout=0.3) in ("unknown", "unsat")


def test_threads_do_not_share_a_busy_process() -> None:
    answers: dict[int, str] = {}

    def work(number: int) -> None:
        with Solver("z3") as solver:
            solver.add(x == number)
            for step in range(20):
                solver.push()
                solver.add(y == x + step)
                assert solver.check() == "sat"
                answers[number] = str(solver.model()[y])
                solver.pop()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: str(number + 19) for number in range(4)}


def test_a_lost_model_is_found_again() -> None:
    with Solver("bitwuzla") as solver:
        solver.add(ult(a, b), ult(b, 3))
        assert solver.check() == "sat"
        for running in solver._backend._processes:
            assert running is not None
            running.kill()
        assert solver.model().evaluate(ult(a, b)) is True


def test_the_worker_forgets_nothing_but_contexts(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    message = ("text", 1, [(2, 3)], {"a": None}, 1 << 200, 0.5)
    write_message(writing, message)
    write_message(writing, message)
    reader = MessageReader(reading)
    assert reader.wait() == message
    assert reader.wait() == message
    os.close(writing)
    assert reader.wait() is None
    os.close(reading)
