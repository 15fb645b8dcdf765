"""Memory that several checks share: who takes most of it is ended before there is none left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from solvent import verify
from solvent.race import memory
from solvent.solvers.status import Status
from tests.patience import FOREVER


def sums(xs: list[int]) -> None:
    total = 0
    for x in xs:
        total += x
    assert total == sum(xs)


def halvings(n: int) -> None:
    while n > 0:
        n //= 2


def test_a_lane_that_takes_the_last_memory_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "is_scarce", lambda: True)
    monkeypatch.setattr(memory, "RESERVE", 1e-9)
    found = verify(halvings, budget=FOREVER)
    assert found.status is Status.UNKNOWN
    assert "it took more memory than there is" in found.reason
    assert found.coverage is not None
    assert found.coverage.probes


def test_a_lane_that_takes_little_goes_on_while_others_take_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "is_scarce", lambda: True)
    monkeypatch.setattr(memory, "RESERVE", 1.0)
    assert verify(sums, budget=FOREVER).holds


def test_a_group_of_processes_may_have_less_than_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_GROUP", f"{tmp_path}{os.sep}")
    everything = memory.total()
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("900000\n")
    assert memory.total() == everything
    (tmp_path / "memory.max").write_text("1000000\n")
    assert memory.total() == 1_000_000
    assert memory.available() == 100_000
    assert not memory.is_scarce()
    (tmp_path / "memory.current").write_text("960000\n")
    assert memory.is_scarce()
    (tmp_path / "memory.stat").write_text("anon 900000\ninactive_file 50000\n")
    assert memory.available() == 90_000
