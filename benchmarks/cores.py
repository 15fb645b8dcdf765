"""The compiled core beside the one in Python: the same work in processes that take turns.

`python -m benchmarks.cores` does the work once, on the core that the environment says, and prints
what it took in CPU time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from math import prod

from benchmarks.figure import Figure
from benchmarks.terms import bytes_per_node, solvent_rate
from benchmarks.vm import branch_and_merge, reverse_positive
from solvent import Bool, Int
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import symbolic_programs, tell_apart
from solvent.lift import execute
from solvent.terms import sweep
from solvent.terms.core import COMPILED

ROUNDS = 3


def shortest(action: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """The shortest CPU time of several rounds, each of which starts with a table that is swept."""
    times = []
    for round_ in range(rounds):
        sweep()
        started = time.process_time()
        action(round_)
        times.append(time.process_time() - started)
    return min(times)


def reversing(count: int) -> float:
    """Seconds for revPos."""
    return shortest(
        lambda round_: execute(
            reverse_positive, [Int(f"v{round_}_{place}") for place in range(count)]
        )
    )


def branching(count: int = 20_000) -> float:
    """Symbolic branches a second, without making their tests."""
    rounds = [[Bool(f"t{round_}_{place}") for place in range(count)] for round_ in range(ROUNDS)]
    return count / shortest(lambda round_: execute(branch_and_merge, rounds[round_], 0))


def ifcl() -> float:
    """Milliseconds for the evaluation of the machines of IFCL: the geometric mean of all rows."""
    times = []
    for machine in MACHINES.values():
        execute(tell_apart, machine, *symbolic_programs(machine, 2), 2)
        times.append(
            shortest(
                lambda _, machine=machine: execute(  # type: ignore[misc]
                    tell_apart, machine, *symbolic_programs(machine, machine.steps), machine.steps
                )
            )
        )
    return 1000 * float(prod(times)) ** (1 / len(times))


# What is measured: its name, unit, and whether more is better.
WORK: dict[str, tuple[Callable[[], float], str, bool]] = {
    "new 32-bit nodes": (lambda: max(map(solvent_rate, range(ROUNDS))), "/s", True),
    "memory of a node": (bytes_per_node, "bytes", False),
    "symbolic if and merge": (branching, "/s", True),
    "revPos, 100 values": (lambda: reversing(100), "s", False),
    "revPos, 200 values": (lambda: reversing(200), "s", False),
    "evaluation of IFCL": (ifcl, "ms", False),
}


def measured(pure: bool) -> dict[str, float]:
    """What a process of its own finds on one of the cores."""
    environment = {**os.environ, "SOLVENT_PURE": "1" if pure else ""}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cores"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def run() -> list[Figure]:
    """Both cores, turn about, and how many times faster the compiled one is."""
    if not COMPILED:
        return []
    compiled, in_python = [], []
    for _ in range(2):
        compiled.append(measured(False))
        in_python.append(measured(True))
    figures = []
    for name, (_, unit, more) in WORK.items():
        best = max if more else min
        one, other = (best(found[name] for found in rows) for rows in (compiled, in_python))
        figures.append(Figure(f"{name}, compiled core", one, unit))
        figures.append(Figure("the same on the core in Python", other, unit))
        figures.append(Figure("ratio", one / other if more else other / one, "times"))
    return figures


if __name__ == "__main__":
    print(json.dumps({name: work() for name, (work, _, _) in WORK.items()}))
