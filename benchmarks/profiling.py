"""What a profile costs: evaluation with and without one, in alternation, by CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.cores import branching, reversing
from benchmarks.figure import Figure
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import symbolic_programs, tell_apart
from solvent.languages.websynth.benchmarks import benchmarks as of_websynth
from solvent.lift import execute
from solvent.profiling import profile
from solvent.terms.core import COMPILED

ROUNDS = 7


def ifcl(name: str, steps: int) -> None:
    """Evaluate a machine of IFCL."""
    machine = MACHINES[name]
    execute(tell_apart, machine, *symbolic_programs(machine, steps), steps)


def concrete_loop(count: int) -> int:
    """Nothing symbolic at all: the probes have nothing to hide behind."""
    total = 0
    for place in range(count):
        if place % 3 == 0:
            total += place
        else:
            total ^= place
    return total


def websynth() -> None:
    """The first row of WebSynth, with its solver."""
    of_websynth()[0].run(60.0)


WORK: dict[str, Callable[[], object]] = {
    "IFCL B4, 7 steps": lambda: ifcl("B4", 7),
    "IFCL CR1, 7 steps": lambda: ifcl("CR1", 7),
    "WebSynth, first row": websynth,
    "revPos, 100 values": lambda: reversing(100),
    "symbolic if and merge": lambda: branching(5_000),
    "a concrete loop": lambda: execute(concrete_loop, 20_000),
}


def seconds(action: Callable[[], object]) -> float:
    """CPU time of an action."""
    started = time.process_time()
    action()
    return time.process_time() - started


def with_profile(action: Callable[[], object]) -> float:
    """CPU time of an action while a profile is taken, without putting it together."""
    with profile():
        return seconds(action)


def run() -> list[Figure]:
    """The ratio for each kind of work: the smallest times of some rounds."""
    figures = []
    core = "compiled core" if COMPILED else "core in Python"
    for name, action in WORK.items():
        with_profile(action)
        seconds(action)
        pairs = [(seconds(action), with_profile(action)) for _ in range(ROUNDS)]
        off, on = (min(times) for times in zip(*pairs, strict=True))
        figures.append(Figure(f"{name}, {core}", on / off, "times"))
    return figures


def main() -> None:
    """Print the ratios."""
    for figure in run():
        print(f"{figure.name:45} {figure.value:6.2f} {figure.unit}")


if __name__ == "__main__":
    main()
