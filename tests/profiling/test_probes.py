"""The probe of the compiled core counts as the one in Python does, line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.terms.core import COMPILED
from solvent.vm.probe import PROBE, PythonProbe
from tests.profiling.test_profile import RUNS

ROOT = Path(__file__).parents[2]

# Counts of all lines of all runs; times differ.
PROGRAM = """
import json
from solvent.profiling import profile
from tests.profiling.test_profile import RUNS

for name, run in RUNS.items():
    run()
    with profile() as found:
        run()
    rows = sorted(
        [entry.line, entry.calls, *entry.exclusive[1:4], *entry.exclusive[6:]]
        for entry in found.lines
    )
    print(json.dumps([name, found.totals["forks"], rows]))
"""


def counted(pure: str) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "SOLVENT_PURE": pure, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not COMPILED, reason="there is no compiled core here")
def test_both_probes_count_the_same() -> None:
    compiled, in_python = counted(""), counted("1")
    assert len(compiled) == len(RUNS)
    assert compiled == in_python


def test_nothing_is_counted_without_a_profile() -> None:
    assert not PROBE.active
    depth = PROBE.enter(0)
    assert depth == -1
    assert (+PROBE.point(0, 0, False), -PROBE.point(0, 0, True)) == (None, True)
    PROBE.leave(depth)
    with pytest.raises(RuntimeError):
        PROBE.stop()


@pytest.mark.parametrize("probe", [PROBE, PythonProbe()], ids=["in use", "in Python"])
def test_what_is_left_open_is_closed_by_what_goes_on_below(probe: PythonProbe) -> None:
    bottom, outer, inner = (probe.function(5) for _ in range(3))
    second, third = probe.point(outer, 2, False), probe.point(outer, 3, True)
    probe.start(bottom)
    try:
        probe.enter(outer)
        +second
        probe.enter(inner)
        # The inner one never says that it ends.
        +third
        again = probe.enter(inner)
        probe.leave(again)
        # What is no place in a function that runs changes nothing.
        +probe.point(probe.function(1), 0, False)
        assert -second
    finally:
        rows, cells, _ = probe.stop()
    assert [row[:3] + row[4:] for row in rows] == [
        (-1, 0, bottom, 1),
        (0, 0, outer, 1),
        (1, 2, inner, 1),
        (1, 3, inner, 1),
    ]
    assert len(cells) == 20 * 12 * 8
