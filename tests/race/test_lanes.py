"""Lanes: what they report arrives, and whatever they do, they can be stopped."""

from __future__ import annotations

import contextlib
import os
import time

import pytest

from solvent.race.lanes import Broken, Lane, Report, wait_for
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


def test_a_lane_has_its_own_limit_of_memory() -> None:
    def work(report: Report) -> None:
        try:
            report(len(bytearray(1 << 33)))
        except MemoryError:
            report("limited")

    with Lane("hungry", work, memory=1 << 32) as lane:
        assert heard(lane) == ["limited"]


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
