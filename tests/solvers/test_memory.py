"""What a closed solver held in its process is given back."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from solvent.solvers import Solver
from solvent.solvers.worker import Worker, engine_class
from solvent.terms import BitVec


@pytest.mark.parametrize("name", ["z3", "bitwuzla", "cvc5"])
def test_a_closed_solver_is_forgotten_by_its_process(name: str) -> None:
    x = BitVec("x", 8)
    solver = Solver(name)
    solver.add(x * x == 1)
    solver.check()
    backend: Any = solver._backend
    (process,) = backend._processes
    assert backend._number not in process._closed
    solver.close()
    assert process._closed[-1] == backend._number


def test_a_solver_that_nobody_holds_is_forgotten_too() -> None:
    solver = Solver("z3")
    solver.add(BitVec("x", 8) == 1)
    solver.check()
    backend: Any = solver._backend
    (process,) = backend._processes
    del solver
    gc.collect()
    assert process._closed[-1] == backend._number


@pytest.mark.parametrize("name", ["z3", "bitwuzla", "cvc5"])
def test_a_context_is_freed_without_the_garbage_collector(name: str) -> None:
    worker = Worker(engine_class(name), 1)
    gc.disable()
    try:
        worker._run(1, 7, [("open", "")])
        engine = worker._contexts[7]
        # What builds terms refers to the engine.
        engine._builders.append(engine.make_builder("bvadd", ()))
        freed = weakref.ref(engine)
        del engine
        worker._run(2, 8, [("close", [7])])
        assert freed() is None
    finally:
        gc.enable()
