"""Probes: what fails is found, and what a program does in them stays in them."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from solvent import assume
from solvent.queries.inputs import bind
from solvent.race.probing import Probes
from solvent.terms import Int
from solvent.verdicts import Deadline

SEEN: list[int] = []
HERE = Path(__file__)


def probed(function: Callable[..., Any], *args: Any, seconds: float = 60, **options: Any) -> Probes:
    """The probing of a function, once it has ended."""
    with Probes(function, bind(function, args, {}), **options) as probes:
        probes.wait(seconds)
    assert probes.ended
    return probes


def failing_calls(probes: Probes) -> list[tuple[str, str]]:
    """The kinds of failures with the inputs that are left of them."""
    return [(found.failure.kind, probes.program.text(found.model)) for found in probes.failures]


# --- what fails --------------------------------------------------------------------------------


def item(items: list[int], place: int) -> int:
    """Two failures at different lines."""
    found = items[place]
    assert found != 1234
    return found


def changes(items: list[int]) -> None:
    """Changes what it is given, which must not fail for later ones."""
    items.append(1)
    assert len(items) < 4


@dataclass
class Account:
    """An object made by its constructor."""

    balance: int

    def withdraw(self, amount: int) -> None:
        """Fails if there is nothing left."""
        assert amount < 7 or self.balance >= amount
        self.balance -= amount


def withdrawn(account: Account, amount: int) -> None:
    """Takes an object."""
    account.withdraw(amount)


def test_failures_are_found_once_and_made_small() -> None:
    probes = probed(item)
    # Which of them is confirmed first depends on the machine.
    found = zip(
        failing_calls(probes), [found.failure.position for found in probes.failures], strict=True
    )
    first = item.__code__.co_firstlineno
    assert sorted(found) == [
        (("AssertionError", "([1234], 0)"), f"{__file__}:{first + 3}"),
        (("IndexError", "([], 0)"), f"{__file__}:{first + 2}"),
    ]
    assert probes.complete
    assert probes.tried == 200
    assert failing_calls(probed(changes)) == [("AssertionError", "([0, 0, 0])")]
    assert failing_calls(probed(withdrawn)) == [("AssertionError", "(Account(balance=0), 7)")]


def test_a_program_without_failures() -> None:
    probes = probed(lambda x, y: x + y, Int("x"), Int("y"))
    assert (probes.failures, probes.problem, probes.tried) == ([], "", 200)
    assert (probes.endless, probes.deadly, probes.reached, probes.unstable) == ([], [], None, [])


def leaves(code: int) -> None:
    """Ends Python, or is interrupted, as the program wants."""
    if code == 1:
        sys.exit(3)
    if code == 2:
        raise KeyboardInterrupt
    assert code < 3


def test_exceptions_that_are_not_of_exception() -> None:
    probes = probed(leaves)
    assert sorted(failing_calls(probes)) == [
        ("AssertionError", "(3)"), ("KeyboardInterrupt", "(2)"), ("SystemExit", "(1)"),
    ]  # fmt: skip


def test_exceptions_that_are_meant() -> None:
    probes = probed(item, is_failure=lambda error: not isinstance(error, LookupError))
    assert [kind for kind, _ in failing_calls(probes)] == ["AssertionError"]


def test_assumptions() -> None:
    def halved(x: int) -> float:
        assume(x > 0)
        return 1 / (x - 2)

    probes = probed(halved)
    assert failing_calls(probes) == [("ZeroDivisionError", "(2)")]
    assert probes.unknown > 0
    assert probes.tried > 0


def test_what_earlier_probes_changed_is_no_failure() -> None:
    def counted(x: int) -> None:
        SEEN.append(x)
        assert len(SEEN) < 5

    probes = probed(counted)
    assert (probes.failures, len(probes.unstable), SEEN) == ([], 1, [])


def deep(n: int) -> int:
    """Needs as much stack as its argument says."""
    return 0 if n <= 0 else 1 + deep(n - 1)


def test_recursion_is_as_deep_as_in_a_program_of_its_own() -> None:
    limit = sys.getrecursionlimit()
    probes = probed(deep)
    [found] = probes.failures
    assert found.failure.kind == "RecursionError"
    # What pytest itself has on the stack does not count.
    assert limit - 30 < found.model[Int("n")] <= limit


def shallow(n: int) -> int:
    """Needs most of the stack, but no more than there is."""
    return deep(sys.getrecursionlimit() - 40 if n == 5 else 0)


def test_no_failure_for_lack_of_our_stack() -> None:
    def nested(depth: int) -> Probes:
        return probed(shallow, most=40) if not depth else nested(depth - 1)

    probes = nested(100)
    assert (probes.failures, probes.unstable, probes.deadly) == ([], [], [])


# --- what must not do any harm -----------------------------------------------------------------


def never_ends(n: int) -> None:
    """A loop in Python that catches all exceptions."""
    while n < 0:
        with contextlib.suppress(BaseException):
            time.sleep(0)
    assert n != 7


def never_ends_in_c(n: int) -> None:
    """A loop to which no handler of signals comes."""
    if n == 3:
        sum(range(10**13))
    assert n != 7


def hides(n: int) -> None:
    """Gets rid of the alarm."""
    if n == 3:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        while True:
            pass
    assert n != 7


@pytest.mark.parametrize("function", [never_ends, never_ends_in_c, hides])
def test_a_probe_that_never_ends(function: Callable[..., Any]) -> None:
    start = time.monotonic()
    probes = probed(function, limit=0.1)
    assert probes.endless
    assert failing_calls(probes) == [("AssertionError", "(7)")]
    assert time.monotonic() - start < 30


def test_the_deadline_is_kept() -> None:
    def waits(n: int) -> None:
        time.sleep(60)

    start = time.monotonic()
    probes = probed(waits, deadline=Deadline(0.3))
    assert probes.tried == 0
    assert time.monotonic() - start < 10


def allocates(n: int) -> None:
    """Needs more memory than there is."""
    if n == 3:
        found = [bytearray(1 << 26) for _ in range(1000)]
        assert not found
    assert n != 7


def test_a_probe_that_needs_all_memory() -> None:
    probes = probed(allocates, most=60)
    assert failing_calls(probes) == [("AssertionError", "(7)")]
    assert probes.unknown + len(probes.endless) > 0


def leaves_at_once(n: int) -> None:
    """Ends the process."""
    if n == 5:
        os._exit(0)
    if n == 2:
        os.abort()
    assert n != 7


def test_a_probe_that_ends_the_process() -> None:
    probes = probed(leaves_at_once)
    assert {(probes.program.text(model), death) for model, death in probes.deadly} >= {
        ("(5)", "it ended the process"), ("(2)", "it was ended by SIGABRT"),
    }  # fmt: skip
    assert failing_calls(probes) == [("AssertionError", "(7)")]


def forks_unnoticed(n: int) -> None:
    """Forks without Python knowing about it."""
    if n == 3:
        LIBC.fork()
    assert n != 7


LIBC = ctypes.CDLL(None)


def test_a_fork_does_not_probe_twice() -> None:
    probes = probed(forks_unnoticed, most=100)
    assert failing_calls(probes) == [("AssertionError", "(7)")]
    assert probes.tried == probed(lambda n: n in (3, 7), Int("n"), most=100).tried


def prints(n: int) -> None:
    """Prints in all ways."""
    print("x" * min(max(n, 0), 10**6))
    sys.stderr.write("x")
    sys.__stdout__.write("x" * 100_000)  # type: ignore[union-attr]
    os.write(1, b"x")
    os.write(2, b"x")


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    probes = probed(prints)
    assert (probes.failures, probes.reached) == ([], None)
    assert capfd.readouterr() == ("", "")


FILE = HERE.parent / "written by a probe"


def late(n: int) -> None:
    """Writes from a thread that goes on."""

    def write() -> None:
        time.sleep(0.02)
        FILE.write_text("x")

    if n == 0:
        threading.Thread(target=write).start()
    time.sleep(0.005)


EFFECTS: dict[str, Callable[[], object]] = {
    "open": lambda: open(FILE, "w"),  # noqa: SIM115
    "os.mkdir": lambda: os.mkdir(FILE),
    "os.remove": lambda: os.remove(FILE),
    "os.listdir": lambda: os.listdir("."),
    "os.rename": lambda: os.rename(FILE, FILE),
    "os.system": lambda: os.system(f"touch '{FILE}'"),
    "os.fork": lambda: os.fork(),
    "os.kill": lambda: os.kill(os.getppid(), 0),
    "os.posix_spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "os.exec": lambda: os.execv("/bin/true", ["true"]),
    "subprocess.Popen": lambda: subprocess.run(["touch", str(FILE)], check=False),
    "socket.__new__": lambda: socket.socket(),
    "sqlite3.connect": lambda: sqlite3.connect(FILE),
    "shutil.copyfile": lambda: shutil.copyfile(HERE, FILE),
    "ctypes.dlopen": lambda: ctypes.CDLL("libm.so.6"),
    "builtins.input": lambda: input(),
    "sys.stdin": lambda: sys.stdin.read(),
}


@pytest.mark.parametrize("event", EFFECTS)
def test_effects_end_the_probing_before_they_happen(event: str) -> None:
    def reaches(n: int) -> None:
        try:
            if n == -1:
                EFFECTS[event]()
        except BaseException:
            assert n != -1

    probes = probed(reaches)
    assert probes.reached is not None
    assert probes.reached.event == event
    assert probes.reached.position.startswith(__file__)
    assert probes.failures == []
    assert 0 < probes.tried < 20
    assert not FILE.exists()


def test_a_database_in_memory_is_no_effect() -> None:
    def asks(n: int) -> None:
        with contextlib.closing(sqlite3.connect(":memory:")) as found:
            assert found.execute("select ?", (str(n),)).fetchone() != ("7",)

    assert failing_calls(probed(asks)) == [("AssertionError", "(7)")]


def test_effects_of_threads_that_go_on() -> None:
    probes = probed(late, most=40)
    assert probes.reached is not None
    assert not FILE.exists()


def crowded(n: int) -> None:
    """Starts more threads than fit into the memory of a probe."""
    gate = threading.Event()
    threads = [threading.Thread(target=gate.wait, daemon=True) for _ in range(1000)]
    try:
        for thread in threads:
            thread.start()
    finally:
        gate.set()


def test_threads_for_which_there_is_no_memory_are_no_failure() -> None:
    probes = probed(crowded, most=3)
    assert (probes.failures, probes.unstable, probes.tried, probes.unknown) == ([], [], 0, 3)


def test_imports_are_no_effects() -> None:
    def imports(n: int) -> None:
        import this_module_does_not_exist  # type: ignore[import-not-found]  # noqa: F401

    def works(n: int) -> None:
        import colorsys
        import warnings

        warnings.warn("shown with its line", stacklevel=1)
        assert colorsys.rgb_to_hsv(0, 0, 0) == (0, 0, 0)

    assert [kind for kind, _ in failing_calls(probed(imports))] == ["ModuleNotFoundError"]
    sys.modules.pop("colorsys", None)
    probes = probed(works)
    assert (probes.reached, probes.failures) == (None, [])
    assert probes.tried > 20


def test_what_was_opened_before(tmp_path: Path) -> None:
    class Log:
        """Hides an open file."""

        def __init__(self) -> None:
            self.file = open(tmp_path / "log", "w")  # noqa: SIM115

        def note(self, n: int) -> None:
            """Write to it at once."""
            os.write(self.file.fileno(), b"x")

    log = Log()
    file = log.file
    probes = probed(lambda n: log.note(n), Int("n"))
    assert (probes.failures, probes.tried) == ([], 0)
    probes = probed(lambda n: file.write("x"), Int("n"))
    assert probes.reached is not None
    file.close()
    assert (tmp_path / "log").read_text() == ""
    memory = io.StringIO()
    assert probed(lambda n: memory.write("x"), Int("n")).tried > 20
    assert memory.getvalue() == ""
