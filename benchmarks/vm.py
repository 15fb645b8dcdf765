"""How fast the symbolic virtual machine runs programs, symbolic and concrete, in CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks import programs
from benchmarks.figure import Figure
from benchmarks.stack_machine import run as run_machine
from solvent.terms.core import COMPILED

ROUNDS = 3


def best(action: Callable[[int], Any]) -> float:
    """The shortest time of several rounds, each on new symbolic constants."""
    times = []
    for round_ in range(ROUNDS):
        started = time.process_time()
        action(round_)
        times.append(time.process_time() - started)
    return min(times)


def times_slower(first: Callable[[int], Any], second: Callable[[int], Any], size: int) -> float:
    """How much longer one function takes than another, both measured in turn."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 2):
        for function, taken in zip((first, second), times, strict=True):
            started = time.process_time()
            function(size)
            taken.append(time.process_time() - started)
    return min(times[0]) / min(times[1])


def reverse_positive(values: list[Any]) -> tuple[Any, ...]:
    """revPos, figure 5 of the paper: keep the positive values, in reverse."""
    result: tuple[Any, ...] = ()
    for value in values:
        if value > 0:
            result = (value, *result)
    return result


def branch_and_merge(tests: list[Any], value: Any) -> Any:
    """One symbolic branch after the other."""
    result = 0
    for test in tests:
        value += 1
        if test:
            result = value
    return result


def write_all(indices: list[Any], values: list[Any]) -> list[Any]:
    """Write at symbolic indices."""
    for index in indices:
        values[index] = index
    return values


def rev_pos_figures() -> list[Figure]:
    """Time and terms of revPos."""
    from solvent import Int
    from solvent.lift import cardinality, execute

    figures = []
    for count, seconds in ((50, 0.06), (100, 0.4), (200, 0.6 if COMPILED else 4.0)):
        terms = []

        def evaluate(round_: int, count: int = count, terms: list[int] = terms) -> None:
            values = [Int(f"v{round_}_{count}_{place}") for place in range(count)]
            outcome = execute(reverse_positive, values)
            assert cardinality(outcome.value) == count + 1
            terms.append(outcome.stats.terms)

        taken = best(evaluate)
        figures.append(
            Figure(f"revPos, {count} values", taken, "s", f"< {seconds} s", taken < seconds)
        )
        most = count**3 // 5
        figures.append(
            Figure("terms of it", max(terms), "terms", f"<= {most:,}", max(terms) <= most)
        )
    return figures


def branch_figure() -> Figure:
    """Symbolic branches a second."""
    from solvent import Bool
    from solvent.lift import execute

    count = 20_000

    def evaluate(round_: int) -> None:
        tests = [Bool(f"t{round_}_{place}") for place in range(count)]
        started = time.process_time()
        execute(branch_and_merge, tests, 0)
        rates.append(count / (time.process_time() - started))

    rates: list[float] = []
    best(evaluate)
    rate = max(rates)
    least = 800_000 if COMPILED else 120_000
    return Figure("symbolic if and merge", rate, "/s", f">= {least:,} /s", rate >= least)


def write_figure() -> Figure:
    """Writes at a symbolic index."""
    from solvent import Int
    from solvent.lift import execute

    def evaluate(round_: int) -> None:
        indices = [Int(f"i{round_}_{place}") for place in range(200)]
        execute(write_all, indices, [0] * 64)

    taken = best(evaluate)
    return Figure("200 symbolic writes into 64 items", taken, "s", "< 0.14 s", taken < 0.14)


def machine_figures() -> list[Figure]:
    """The stack machine on symbolic programs."""
    from solvent import Int
    from solvent.lift import execute

    figures = []
    limits: dict[int, float | None] = {4: None, 6: 0.033, 8: 0.051, 10: None}
    for length, limit in limits.items():

        def evaluate(round_: int, length: int = length) -> None:
            program = [
                (Int(f"op{round_}_{length}_{place}"), Int(f"arg{round_}_{length}_{place}"))
                for place in range(length)
            ]
            execute(run_machine, program)

        taken = best(evaluate) * 1000
        target = f"< {limit * 1000:.0f} ms" if limit else ""
        reached = taken < limit * 1000 if limit else None
        figures.append(Figure(f"stack machine, length {length}", taken, "ms", target, reached))
    return figures


def concrete_figures() -> list[Figure]:
    """Lifted code on concrete values, as a multiple of plain Python in the same run."""
    from solvent.lift import lift

    figures = []
    rows: list[tuple[str, Any, int, float | None]] = [
        ("loops", programs.loops, 20_000, 3.0 if COMPILED else 6.0),
        ("library calls", programs.library, 50, 1.5),
        ("comprehensions, dicts and texts", programs.records, 5_000, None),
    ]
    for name, program, size, most in rows:
        lifted = lift(program)
        assert lifted(size) == program(size)
        slower = times_slower(lifted, program, size)
        target = f"<= {most}" if most is not None else ""
        reached = slower <= most if most is not None else None
        figures.append(Figure(f"{name} on concrete values", slower, "times plain", target, reached))
    return figures


def run() -> list[Figure]:
    """All figures of this suite."""
    return [
        *rev_pos_figures(),
        branch_figure(),
        write_figure(),
        *machine_figures(),
        *concrete_figures(),
    ]
