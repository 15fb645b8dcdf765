"""C* programs: their models checked, and loops explored by the direct engine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from solvent.btor2 import bmc, parse, print_model
from solvent.riscu import check_program, compile_text, generate_model
from solvent.riscu.program import Program
from solvent.solvers import Solver
from solvent.terms import BitVec

CORPUS = Path(__file__).parent.parent / "tests" / "riscu" / "corpus"
# What btormc takes for the models of the paper's experiments, and of programs that branch.
BTORMC = {
    "two_reads_then_division": 0.08,
    "memory_constraint": 0.05,
    "invalid_access": 0.02,
    "three_letters": 0.17,
}
TIMES = 3
# Loops with an unknown bound that fail after 250 to 300 instructions, where btormc takes 8 to 12 s.
LOOPS = {
    "count_down": ("sum == 45", "sum == 60"),
    "count_up": ("18", "27"),
    "nested_loops": ("count == 6", "count == 10"),
    "fibonacci": ("", ""),
}
SECONDS = 5.0


def program(name: str, old: str = "", new: str = "") -> Program:
    """A program of the corpus, perhaps with other constants."""
    text = (CORPUS / f"{name}.c").read_text(encoding="utf-8")
    return compile_text(text.replace(old, new) if old else text)


def model_figures() -> Iterator[Figure]:
    """Straight-line and branching programs, by their models."""
    for name, seconds_of_btormc in BTORMC.items():
        made = generate_model(program(name), free_memory=name == "memory_constraint")
        text = print_model(made)
        started = time.perf_counter()
        (answer, *_) = [f for f in bmc(parse(text), 400) if f.witness is not None]
        seconds = time.perf_counter() - started
        limit = TIMES * seconds_of_btormc
        told = f"model of {name} ({len(made.nodes)} nodes, {answer.label} at {answer.depth})"
        yield Figure(told, seconds, "s", f"< {limit:.2f} s", seconds < limit)


def loop_figures() -> Iterator[Figure]:
    """Loops and recursion, by the direct engine."""
    for name, (old, new) in LOOPS.items():
        made = program(name, old, new)
        started = time.perf_counter()
        answer = check_program(made)
        seconds = time.perf_counter() - started
        good = answer.confirmed and seconds < SECONDS
        steps = answer.run.steps if answer.run is not None else answer.bound
        told = f"{name} by the direct engine (fails after {steps} instructions)"
        yield Figure(told, seconds, "s", f"< {SECONDS:g} s", good)


def run() -> list[Figure]:
    """All figures of this suite."""
    with Solver("bitwuzla") as solver:
        # The solver's process is started before the clock.
        solver.add(BitVec("started", 8) == 1)
        solver.check()
    return [*model_figures(), *loop_figures()]
