"""How fast terms are built through the public operators, and how much memory they take.

Times are CPU times.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.figure import Figure
from solvent.terms.core import COMPILED

NODES = 300_000
Z3_NODES = 60_000
ROUNDS = 5


def build(nodes: int, bits: list[Any], tests: list[Any], choose: Callable[..., Any]) -> list[Any]:
    """Distinct sums, conjunctions and choices of 32-bit terms, in equal numbers."""
    kept = []
    total = bits[0]
    for round_ in range(nodes // (3 * len(bits))):
        total = total + bits[round_ + 1]
        for bit in bits:
            kept.append(total + bit)
        for bit in bits:
            kept.append(total & bit)
        for test, bit in zip(tests, bits, strict=True):
            kept.append(choose(test, total, bit))
    return kept


def solvent_rate(round_: int) -> float:
    """New nodes a second, counted in the table of terms."""
    from solvent.terms import BitVec, Bool, ite
    from solvent.terms.memory import live_terms, sweep

    sweep()
    bits = [BitVec(f"x{round_}_{k}", 32) for k in range(1000)]
    tests = [Bool(f"p{round_}_{k}") for k in range(1000)]
    before = live_terms()
    started = time.process_time()
    kept = build(NODES, bits, tests, ite)
    seconds = time.process_time() - started
    new = live_terms() - before
    assert new >= len(kept)
    return new / seconds


def z3_rate(round_: int) -> float:
    """The same expressions through z3's Python operators."""
    import z3

    context = z3.Context()
    bits = [z3.BitVec(f"x{k}", 32, context) for k in range(1000)]
    tests = [z3.Bool(f"p{k}", context) for k in range(1000)]
    started = time.process_time()
    kept = build(Z3_NODES, bits, tests, z3.If)
    return len(kept) / (time.process_time() - started)


BYTES_PER_NODE = """
import gc, tracemalloc
from benchmarks.terms import build
from solvent.terms import BitVec, Bool, ite
from solvent.terms.memory import live_terms
bits = [BitVec(f"x{k}", 32) for k in range(1000)]
tests = [Bool(f"p{k}") for k in range(1000)]
tracemalloc.start()
before, terms = tracemalloc.get_traced_memory()[0], live_terms()
kept = build(300_000, bits, tests, ite)
used = tracemalloc.get_traced_memory()[0] - before - kept.__sizeof__()
print(used / (live_terms() - terms))
"""


def bytes_per_node() -> float:
    """Memory of a node with its place in the table, measured in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", BYTES_PER_NODE], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def run() -> list[Figure]:
    """All figures about terms; ours and z3's alternate, so that both see the same machine."""
    ours, theirs = [], []
    for round_ in range(ROUNDS):
        ours.append(solvent_rate(round_))
        theirs.append(z3_rate(round_))
    rate, other = max(ours), max(theirs)
    memory = bytes_per_node()
    least, most = (3_000_000, 100) if COMPILED else (400_000, 300)
    return [
        Figure("new 32-bit bvadd/and/ite nodes", rate, "/s", f">= {least:,} /s", rate >= least),
        Figure("the same through z3's operators", other, "/s"),
        Figure("ratio", rate / other, "times", ">= 8 times", rate / other >= 8),
        Figure("memory of a node", memory, "bytes", f"<= {most} bytes", memory <= most),
    ]
