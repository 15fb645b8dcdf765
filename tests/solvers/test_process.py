"""Limits, interrupts and crashes end a check, not the program, whichever solver runs."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from solvent import BitVec, Bool, Int, Solver, session
from solvent.errors import NoModelError, SolverError
from solvent.solvers import portfolio
from solvent.solvers import process as processes
from solvent.solvers.wire import MessageReader, write_message
from solvent.solvers.worker import Worker
from solvent.terms import and_, bv, eq, ult
from tests.patience import FOREVER

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
        assert solver.check(timeout=0.5) == "unknown"
        assert solver.reason == "timeout"
        # The object goes on working.
        solver.reset()
        solver.add(Bool("p"))
        assert solver.check() == "sat"


@pytest.mark.parametrize(("name", "hard"), HARD)
def test_interrupt_from_another_thread(name: str, hard: Any) -> None:
    with Solver(name) as solver:
        solver.add(hard)
        timer = after(0.5, solver.interrupt)
        assert solver.check(timeout=FOREVER) == "unknown"
        assert solver.reason == "interrupted"
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
        assert solver.check(timeout=FOREVER) == "unknown"
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
        timeout=FOREVER,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
        check=False,
    )
    assert done.stdout.split() == ["interrupted", "sat"], done.stderr


@pytest.mark.parametrize("name", ["bitwuzla", "cvc5"])
def test_running_out_of_memory_is_unknown(name: str) -> None:
    words = [BitVec(f"w{k}", 256) for k in range(402)]
    with Solver(name, memory_limit=300, timeout=FOREVER) as solver:
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


# --- processes that take nothing and give nothing -------------------------------------------------

# More than any pipe holds.
LARGE = Bool("long" * 500_000)


@pytest.fixture
def stopped() -> Any:
    """Stops the process of a solver; it is ended in any case."""
    pids: list[int] = []

    def stop(solver: Solver) -> None:
        (running,) = solver._backend._processes
        pids.append(running._process.pid)
        os.kill(pids[-1], signal.SIGSTOP)

    yield stop
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("name", ["z3", "bitwuzla", "cvc5"])
def test_a_large_request_to_a_stopped_process_is_given_up(name: str, stopped: Any) -> None:
    with Solver(name) as solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        stopped(solver)
        solver.add(LARGE)
        assert solver.check(timeout=0.3) == "unknown"
        assert solver.reason == "timeout"
        # Another process takes over.
        assert solver.check(timeout=60) == "sat"


@pytest.mark.parametrize(
    "question", [lambda solver: solver.model(), lambda solver: solver.values([a])]
)
def test_questions_to_a_stopped_process_are_given_up(question: Any, stopped: Any) -> None:
    with Solver("bitwuzla") as solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        stopped(solver)
        solver._backend._seconds = 0.3
        with pytest.raises(NoModelError, match=r"within 0\.3 seconds"):
            question(solver)
        assert solver.check() == "sat"
        assert solver.model().evaluate(ult(a, 5)) is True


def test_a_core_of_a_stopped_process_is_given_up(stopped: Any) -> None:
    with Solver("z3") as solver:
        assert solver.check(x > 3, x < 2) == "unsat"
        stopped(solver)
        solver._backend._seconds = 0.3
        with pytest.raises(NoModelError, match=r"within 0\.3 seconds"):
            solver.unsat_core()


def test_figures_of_a_stopped_process_are_left_out(stopped: Any) -> None:
    with Solver("z3") as solver:
        solver.add(x > 3)
        assert solver.check() == "sat"
        stopped(solver)
        solver._backend._seconds = 0.3
        assert solver.statistics()["solver statistics"] == {}


@pytest.mark.parametrize("name", ["bitwuzla", "smtlib"])
def test_ctrl_c_while_a_model_is_read(name: str, stopped: Any) -> None:
    solver = Solver(f"smtlib:{sys.executable} -c {SILENT!r}" if name == "smtlib" else name)
    with solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        if name != "smtlib":
            stopped(solver)
        main = threading.main_thread().ident
        assert main is not None
        timer = after(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            solver.model()
        timer.join()
        assert solver.check() == "sat"


# Answers the check and says no more.
SILENT = "import sys;[print('sat',flush=True) for line in sys.stdin if 'check-sat' in line]"


def test_a_model_of_a_silent_command_is_given_up() -> None:
    with Solver(f"smtlib:{sys.executable} -c {SILENT!r}") as solver:
        solver.add(ult(a, 5))
        # The limit is long enough for the command to start.
        assert solver.check(timeout=60) == "sat"
        solver._backend._seconds = 0.2
        with pytest.raises(NoModelError, match=r"within 0\.2 seconds"):
            solver.model()


def test_an_answer_without_its_model_is_unknown() -> None:
    with Solver(f"smtlib:{sys.executable} -c {SILENT!r}", timeout=60) as solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        ask_again = solver._backend._ask_again

        def impatient(command: str) -> Any:
            solver._backend._seconds = 0.2
            return ask_again(command)

        solver._backend._ask_again = impatient  # type: ignore[union-attr]
        assert solver.check_for_model() == "unknown"
        assert solver.checked.status == "unknown"
        assert "none to" in solver.reason
        assert "within 0.2 seconds" in solver.reason


@pytest.mark.parametrize("name", ["z3", "bitwuzla", "cvc5"])
def test_a_model_that_is_wanted_comes_with_the_answer(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[Any] = []
    send = processes.SolverProcess.send

    def watched(process: processes.SolverProcess, context: int, commands: Any) -> None:
        requests.append([command[0] for command in commands])
        send(process, context, commands)

    monkeypatch.setattr(processes.SolverProcess, "send", watched)
    with Solver(name) as solver:
        solver.add(ult(a, 5))
        assert solver.check_for_model(eq(a, 3)) == "sat"
        assert solver.model()[a] == 3
        assert len(requests) == 1
        # The next answer has a model of its own, and none comes unasked.
        assert solver.check(eq(a, 4)) == "sat"
        assert solver.model()[a] == 4
        assert [commands[-1] for commands in requests] == ["check_for_model", "check", "model"]
        assert solver.check_for_model(eq(a, 5)) == "unsat"
        with pytest.raises(NoModelError):
            solver.model()


# --- starting ------------------------------------------------------------------------------------


def test_a_process_starts_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as something may fail: the one that will be asked, and none where nothing may."""
    started: list[tuple[str, list[str]]] = []
    done: list[str] = []
    prepare = processes.pool.prepare

    def watched(name: str, memory: int) -> None:
        started.append((name, list(done)))
        prepare(name, memory)

    monkeypatch.setattr(processes.pool, "prepare", watched)

    def check(number: Any) -> None:
        done.append("begun")
        assert number + 1 - 1 == number
        assert number * number != 9
        done.append("more")

    def compared(number: Any) -> None:
        assert number != 3

    def right(number: Any) -> None:
        assert number + 1 - 1 == number

    with session() as asking:
        assert asking.verify(right, Int("number")).holds
        assert started == []
        # What is most likely answered in this process starts no other one.
        assert asking.verify(compared, Int("number")).inputs == {"number": 3}
        assert not asking.verify(check, BitVec("number", 8)).holds
        assert started == []
        # CPython has run it too.
        done.clear()
        assert abs(asking.verify(check, Int("number")).inputs["number"]) == 3
    assert started == [("z3", ["begun"])]


def test_starting_is_no_part_of_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = (
        "import runpy, sys, time; time.sleep(3); del sys.argv[0]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    original = processes.Starter.start

    def slowly(self: Any, command: list[str]) -> Any:
        python, flag, *rest = command
        return original(self, [python, flag, "-c", slow, *rest])

    monkeypatch.setattr(processes.Starter, "start", slowly)
    processes.pool.close()
    with Solver("bitwuzla", timeout=2.5) as solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        assert len(processes.pool._idle["bitwuzla", 0]) == 1
    processes.pool.close()


def test_a_process_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    original = processes.Starter.start
    programs = ["import sys; sys.exit(7)", "import time; time.sleep(60)"]

    def broken(self: Any, command: list[str]) -> Any:
        return original(self, [sys.executable, "-c", programs[0]])

    monkeypatch.setattr(processes.Starter, "start", broken)
    processes.pool.close()
    with Solver("z3", timeout=60) as solver:
        solver.add(x > 3)
        assert solver.check() == "unknown"
        assert solver.reason == "the solver ended with exit code 7"
        programs.pop(0)
        monkeypatch.setattr(processes, "START_SECONDS", 0.2)
        assert solver.check() == "unknown"
        assert solver.reason == "the solver did not start"
        monkeypatch.undo()
        assert solver.check() == "sat"


def test_a_process_that_has_been_ready_for_long_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "START_SECONDS", 0.0)
    processes.pool.close()
    with Solver("z3") as solver:
        solver.prepare()
        ((process,),) = processes.pool._idle.values()
        # As after a long evaluation: it has said that it is ready, and nobody has listened.
        select.select([process.output], [], [])
        solver.add(x > 3)
        assert solver.check() == "sat"


def test_an_interrupt_while_a_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    original = processes.Starter.start

    def never(self: Any, command: list[str]) -> Any:
        return original(self, [sys.executable, "-c", "import time; time.sleep(60)"])

    processes.pool.close()
    with Solver("z3") as solver:
        solver.add(x > 3)
        with monkeypatch.context() as patched:
            patched.setattr(processes.Starter, "start", never)
            timer = after(0.2, solver.interrupt)
            assert solver.check() == "unknown"
            assert solver.reason == "interrupted"
            timer.join()
        processes.pool.close()
        assert solver.check() == "sat"


@pytest.mark.parametrize("name", ["z3", "bitwuzla", "cvc5"])
def test_a_process_imports_only_what_it_needs(name: str) -> None:
    source = Path(processes.__file__).parents[2]
    listed = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            "import sys\n"
            f"sys.path.insert(0, {str(source / 'solvent' / 'solvers')!r})\n"
            "from start_worker import PACKAGES, without_contents\n"
            f"sys.modules.update((n, without_contents(n, {str(source)!r})) for n in PACKAGES)\n"
            "from solvent.solvers.worker import engine_class\n"
            f"engine_class({name!r})\n"
            "print(*(n for n in sys.modules if n.startswith('solvent')))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {module for module in listed.stdout.split() if "engines" not in module}
    assert loaded == {
        "solvent",
        "solvent.solvers",
        "solvent.solvers.rows",
        "solvent.solvers.wire",
        "solvent.solvers.worker",
        "solvent.terms",
        *(["solvent.terms.groups"] if name != "bitwuzla" else []),
    }


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the kernel must be Linux")
@pytest.mark.parametrize("name", ["z3", "bitwuzla"])
def test_the_first_answer_costs_little(name: str) -> None:
    processes.pool.close()
    with Solver(name) as solver:
        solver.add(ult(a, 5))
        assert solver.check() == "sat"
        (running,) = solver._backend._processes
        fields = Path(f"/proc/{running._process.pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    # Seconds of processor time; the aim is 0.15 and the whole package takes 0.4 to 1.1.
    assert ticks / os.sysconf("SC_CLK_TCK") < 0.3


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    processes.pool.close()
    with Solver("z3") as solver, monkeypatch.context() as patched:
        solver.add(x > 3)
        patched.setattr(subprocess, "Popen", refused)
        with pytest.raises(SolverError, match="temporarily unavailable"):
            solver.check()


class Stubborn:
    """An engine that finds its answer just as it is interrupted, which spoils the model."""

    failing = False
    checking = threading.Event()
    spoilt = threading.Event()

    def check(self, *_: Any) -> tuple[str, str]:
        self.checking.set()
        assert self.spoilt.wait(FOREVER)
        if self.failing:
            raise RuntimeError("canceled")
        return "sat", ""

    def model(self) -> str:
        return "canceled" if self.spoilt.is_set() else "a model"

    def interrupt(self) -> None:
        self.spoilt.set()

    def forget(self) -> None:
        """There is nothing to give back."""


@pytest.mark.parametrize("failing", [False, True])
def test_an_answer_that_comes_with_the_interrupt_is_none(
    failing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stubborn, "failing", failing)
    Stubborn.checking.clear()
    Stubborn.spoilt.clear()
    (asking, asked), (answering, answered) = os.pipe(), os.pipe()
    worker = Worker(Stubborn, answered)  # type: ignore[arg-type]
    for target, args in ((worker.listen, (MessageReader(asking),)), (worker.serve, ())):
        threading.Thread(target=target, args=args, daemon=True).start()
    reader = MessageReader(answering)
    write_message(asked, (1, 7, [("open",), ("check",)]))
    assert Stubborn.checking.wait(FOREVER)
    write_message(asked, ("interrupt", 1))
    assert reader.wait() == (1, "ok", ("unknown", "interrupted"))
    # What is left of the context would say what was spoilt; it is sent again.
    write_message(asked, (2, 7, [("model",)]))
    assert reader.wait() == (2, "ok", "forgotten")
    # An interrupt that comes late is for nobody.
    Stubborn.spoilt.clear()
    write_message(asked, ("interrupt", 2))
    write_message(asked, (3, 7, [("open",), ("model",)]))
    assert reader.wait() == (3, "ok", "a model")
