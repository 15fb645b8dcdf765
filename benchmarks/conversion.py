"""How fast a large formula reaches a solver: encoding, transport, and the solver's own terms."""

from __future__ import annotations

import marshal
import random
import time
from typing import Any

from benchmarks.figure import Figure
from solvent.solvers.encode import Encoder
from solvent.solvers.worker import engine_class
from solvent.terms import BitVec, Bool, ite, size

NODES = 200_000

OPERATORS = (
    lambda test, a, b: a + b,
    lambda test, a, b: a & b,
    lambda test, a, b: a ^ b,
    ite,
)


def formula(seed: int) -> Any:
    """A random bitvector formula of 200,000 different nodes."""
    chance = random.Random(seed)
    recent: list[Any] = [BitVec(f"x{seed}_{k}", 32) for k in range(500)]
    tests = [Bool(f"p{seed}_{k}") for k in range(100)]
    made: list[Any] = []
    for _ in range(NODES // 2):
        a, b = chance.sample(recent, 2)
        build = chance.choice(OPERATORS)
        recent[chance.randrange(len(recent))] = term = build(chance.choice(tests), a, b)
        made.append(term)
    while len(made) > 1:
        # A balanced tree over all of them, so that none is left out.
        made = [a ^ b for a, b in zip(made[::2], made[1::2], strict=False)] + made[
            len(made) // 2 * 2 :
        ]
    return made[0] == 0


def conversion(name: str, seed: int) -> tuple[float, int]:
    """Seconds until an engine has the solver's own terms, and the formula's size.

    The same steps as between two processes, in one: solvers think too long about random formulas
    to be asked.
    """
    query = formula(seed)
    engine = engine_class(name)()
    started = time.perf_counter()
    encoder = Encoder()
    (number,) = encoder.encode([query])
    ops, rows = marshal.loads(marshal.dumps(encoder.take()))
    engine.define(ops, rows)
    seconds = time.perf_counter() - started
    assert engine.nodes[number] is not None
    return seconds, size(query)


def run() -> list[Figure]:
    """The best of two conversions for each solver."""
    figures = []
    for name in ("bitwuzla", "z3", "cvc5"):
        seconds, nodes = min(conversion(name, seed) for seed in range(2))
        reached = seconds < 2 if name != "cvc5" else None
        target = "< 2 s" if name != "cvc5" else ""
        figures.append(Figure(f"{nodes:,} nodes reach {name}", seconds, "s", target, reached))
    return figures
