"""Lanes: what they report arrives, and whatever they do, they can be stopped."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solvent.race.lanes import Broken, Lane, Report, sendable, wait_for
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Int
from solvent.terms.model import Model
from tests.patience import FOREVER


def heard(lane: Lane) -> list[object]:
    """All that a lane says until it ends."""
    found: list[object] = []
    end = time.monotonic() + FOREVER
    while not lane.ended and time.monotonic() < end:
        wait_for([lane], 1)
        found += lane.received()
    assert lane.ended
    return found


def alive(pid: int) -> bool:
    """Whether a process runs, and is no corpse that nobody has buried yet."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_messages_arrive_in_order_and_whole() -> None:
    def work(report: Report) -> None:
        for number in range(100):
            report((number, "x" * 10_000))

    with Lane("many", work) as lane:
        assert heard(lane) == [(number, "x" * 10_000) for number in range(100)]
        assert not lane.death


def test_models_and_terms_can_be_reported() -> None:
    x = Int("x")
    with Lane("terms", lambda report: report((Model({x: 3}), x + 1))) as lane:
        ((model, term),) = heard(lane)  # type: ignore[misc]
    assert model[x] == 3
    assert term is x + 1


def test_what_a_lane_changes_stays_its_own() -> None:
    items = [1]

    def work(report: Report) -> None:
        items.append(2)
        report(len(items))

    with Lane("changes", work) as lane:
        assert heard(lane) == [2]
    assert items == [1]


def test_a_lane_that_never_ends_is_stopped_with_what_it_started() -> None:
    def work(report: Report) -> None:
        child = os.fork()
        if child:
            report(child)
        while True:
            time.sleep(0.01)

    lane = Lane("endless", work)
    while not (found := lane.received()):
        wait_for([lane], 1)
    lane.stop()
    assert lane.ended
    end = time.monotonic() + FOREVER
    while (alive(found[0]) or alive(lane.pid)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not alive(found[0])
    assert not alive(lane.pid)


def test_what_a_lane_leaves_behind_does_not_keep_it_open() -> None:
    def work(report: Report) -> None:
        if os.fork() == 0:
            time.sleep(FOREVER)
        report("done")

    with Lane("daemon", work) as lane:
        assert heard(lane) == ["done"]


def test_a_lane_that_ends_the_process_is_told() -> None:
    with Lane("exit", lambda report: os._exit(7)) as lane:
        assert heard(lane) == []
        assert lane.death == "it ended the process with exit code 7"


def test_an_exception_in_a_lane_is_told() -> None:
    with Lane("broken", lambda report: 1 // 0) as lane:
        (found,) = heard(lane)
    assert isinstance(found, Broken)
    assert "ZeroDivisionError" in found.reason


def test_a_message_that_cannot_be_sent_breaks_the_lane_and_is_not_lost_silently() -> None:
    with Lane("closure", lambda report: report(lambda: 0)) as lane:
        (found,) = heard(lane)
    assert isinstance(found, Broken)


def test_long_exceptions_are_not_sent() -> None:
    assert str(sendable(ValueError("x" * 1_000))) == "x" * 1_000
    assert sendable(ValueError("x" * (1 << 21))) is None


def test_a_lane_has_its_own_limit_of_memory() -> None:
    def work(report: Report) -> None:
        try:
            report(len(bytearray(1 << 33)))
        except MemoryError:
            report("limited")

    with Lane("hungry", work, memory=1 << 32) as lane:
        assert heard(lane) == ["limited"]


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="the kernel must be Linux")
def test_what_a_lane_starts_keeps_to_its_limit() -> None:
    """Neither a lane in it nor a solver may use more, whatever they are given."""
    limit = 3 << 30

    def inner(report: Report) -> None:
        with Solver("z3") as solver:
            solver.add(Int("x") * Int("x") == 49)
            assert solver.check() is Status.SAT
            tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
            started = [pid for task in tasks for pid in task.read_text().split()]
            report([address_space(pid) for pid in ("self", *started)])

    def work(report: Report) -> None:
        with Lane("inner", inner, memory=1 << 40) as lane:
            report(heard(lane))

    with Lane("outer", work, memory=limit) as lane:
        ((found,),) = heard(lane)
    assert len(found) > 1
    assert set(found) == {limit}


def address_space(process: str) -> int:
    """How much memory a process may have."""
    lines = Path(f"/proc/{process}/limits").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Max address space")).split()[3])


@pytest.mark.parametrize("noise", [b"\0\0\0\0\0\0\0\x05hello", b"\x7f" * 100, b""])
def test_what_the_program_writes_into_the_pipe_is_no_message(noise: bytes) -> None:
    def work(report: Report) -> None:
        for number in range(3):
            for descriptor in range(3, 64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, noise)
            report(number)

    with Lane("noisy", work, alone=True) as lane:
        assert heard(lane) == [0, 1, 2]


def test_a_lane_that_writes_without_end_keeps_nobody() -> None:
    def work(report: Report) -> None:
        report("begun")
        while True:
            for descriptor in range(3, 64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, bytes(1 << 16))

    with Lane("endless", work, alone=True) as lane:
        found: list[object] = []
        for _ in range(20):
            wait_for([lane], 1)
            found += lane.received()
        assert found == ["begun"]
        assert len(lane._buffer) < 1 << 20


class Unreadable:
    """Can be written, and not be read."""

    def __reduce__(self) -> tuple[object, ...]:
        return (int, ("no number",))


def test_a_message_that_cannot_be_read_is_told() -> None:
    with Lane("unreadable", lambda report: report(Unreadable())) as lane:
        (found,) = heard(lane)
    assert isinstance(found, Broken)
    assert "a message cannot be read" in found.reason


def test_what_a_lane_prints_goes_nowhere(capfd: object) -> None:
    def work(report: Report) -> None:
        print("from Python", flush=True)
        os.write(1, b"from below")

    with Lane("prints", work) as lane:
        heard(lane)
    out, err = capfd.readouterr()  # type: ignore[attr-defined]
    assert (out, err) == ("", "")


INTERRUPTED_FORK = """
import os, signal, sys
from solvent.race.lanes import Lane, wait_for

signal.signal(signal.SIGINT, signal.default_int_handler)
here = os.getpid()
side = sys.argv[1]
press = lambda: os.kill(os.getpid(), signal.SIGINT)
os.register_at_fork(**{f"after_in_{side}": press})
work = lambda report: print("worked", flush=True)
try:
    with Lane("interrupted", work) as lane:
        while not lane.ended:
            wait_for([lane], 1)
            lane.received()
    said = "the lane has ended"
except KeyboardInterrupt:
    said = "interrupted"
assert os.getpid() == here, "the fork went on as who forked it"
try:
    os.waitpid(-1, os.WNOHANG)
    said += ", with a process left"
except ChildProcessError:
    pass
print(said)
"""


@pytest.mark.parametrize(
    ("side", "said"), [("child", "the lane has ended\n"), ("parent", "interrupted\n")]
)
def test_ctrl_c_in_the_middle_of_a_fork_waits_until_it_is_one(side: str, said: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_FORK, side]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=FOREVER, check=False)
    # The work of a fork that was not interrupted itself may have begun.
    assert (ended.stdout.removeprefix("worked\n"), ended.stderr) == (said, "")
