"""What a profile costs: evaluation with and without one, in alternation, by CPU time."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from itertools import count

from benchmarks.cores import branching
from benchmarks.figure import Figure
from benchmarks.stack_machine import run as run_machine
from benchmarks.text import tokenizer
from benchmarks.vm import reverse_positive
from solvent import Int, texts
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import symbolic_programs, tell_apart
from solvent.languages.websynth.benchmarks import benchmarks as of_websynth
from solvent.lift import execute
from solvent.profiling import profile
from solvent.queries.inputs import bind
from solvent.queries.run import run as evaluated
from solvent.terms import sweep
from solvent.terms.core import COMPILED

ROUNDS = 7
# So that no round finds the terms of another.
_FRESH = count()


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


def concrete_lines(count: int) -> int:
    """Line after line of arithmetic that is plain."""
    first = second = third = 0
    for place in range(count):
        first = first + place
        second = second ^ first
        third = third + second - first
        if third > 1_000_000:
            first = first - 1
            second = second + 1
            third = third % 7
    return first + second + third


def concrete_countdown(count: int) -> int:
    """A loop that asks by itself whether it goes on."""
    steps = 0
    while count > 0:
        count -= 1
        steps += 2
    return steps


def raised(number: int) -> int:
    """Something small to call."""
    if number > 5:
        return number + 1
    return number


def concrete_calls(count: int) -> int:
    """One call after the other, of next to nothing."""
    total = 0
    for place in range(count):
        total = total + raised(place)
    return total


def concrete_words(count: int) -> int:
    """Lists, dictionaries and texts, all of them plain."""
    words = [f"w{place % 7}" for place in range(count)]
    known: dict[str, int] = {}
    for word in words:
        known[word] = known.get(word, 0) + len(word)
    return max(known.values())


def reversing(length: int) -> None:
    """Evaluate revPos on new unknowns."""
    fresh = next(_FRESH)
    execute(reverse_positive, [Int(f"profiled{fresh}_{place}") for place in range(length)])


def stack_machine(length: int) -> None:
    """Evaluate the stack machine on a symbolic program."""
    fresh = next(_FRESH)
    program = [(Int(f"op{fresh}_{at}"), Int(f"argument{fresh}_{at}")) for at in range(length)]
    execute(run_machine, program)


def tokens(length: int) -> None:
    """Evaluate the tokenizer on all texts of a length, as `verify` does before it asks a solver."""
    inputs = bind(tokenizer, (texts(max_len=length, min_len=length),), {})
    evaluated(tokenizer, inputs.args, inputs.named, assumptions=inputs.assumptions)


def websynth() -> None:
    """The first row of WebSynth, with its solver."""
    of_websynth()[0].run(60.0)


WORK: dict[str, Callable[[], object]] = {
    "IFCL B4, 7 steps": lambda: ifcl("B4", 7),
    "IFCL CR1, 7 steps": lambda: ifcl("CR1", 7),
    "WebSynth, first row": websynth,
    "revPos, 100 values": lambda: reversing(100),
    "stack machine, 8 instructions": lambda: stack_machine(8),
    "tokenizer, 12 characters": lambda: tokens(12),
    "symbolic if and merge": lambda: branching(5_000),
    "a concrete loop": lambda: execute(concrete_loop, 20_000),
    "concrete, many lines": lambda: execute(concrete_lines, 20_000),
    "concrete, a while loop": lambda: execute(concrete_countdown, 20_000),
    "concrete, calls": lambda: execute(concrete_calls, 20_000),
    "concrete, containers": lambda: execute(concrete_words, 10_000),
}


def seconds(action: Callable[[], object]) -> float:
    """CPU time of an action, which finds nothing of what was made before."""
    gc.collect()
    sweep()
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
