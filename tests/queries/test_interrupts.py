"""Ctrl-C at any moment breaks nothing: what is asked afterwards is answered as ever.

A timer raises `KeyboardInterrupt` at random moments of building terms, of running lifted functions
and of asking solvers.  With `-m mass` it does so 10,000 times, or as often as `SOLVENT_INTERRUPTS`
says; `SOLVENT_SEED=2` chooses other moments.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from solvent import BitVec, Int, Solver, session, solve, verify
from solvent.lift import debug_runs, execute
from solvent.sketch import scopes
from solvent.solvers.process import pool
from solvent.terms import memory, term
from solvent.vm.machine import JOURNALING, MACHINE, Machine, path_of_run

SHARE = 120
MANY = int(os.environ.get("SOLVENT_INTERRUPTS", "10000"))
SEED = int(os.environ.get("SOLVENT_SEED", "1"))

numbers = iter(range(1 << 60))

# --- what is interrupted --------------------------------------------------------------------------

KEPT = [1, 2, 3]
TABLE = {"a": 1}
SESSION = session("z3")


@pytest.fixture(autouse=True)
def _nothing_before() -> Iterator[None]:
    """What calls outside of queries have left in other tests is not what is looked at here."""
    machine = Machine()
    machine.ambient = True
    token = MACHINE.set(machine)
    yield
    MACHINE.reset(token)


def changes(x: int, y: int) -> int:
    """A function that writes to objects of the caller on some paths."""
    if x > 0:
        KEPT.append(x)
        TABLE["b"] = y
    elif y > 3:
        KEPT[0] = y
    for item in list(KEPT):
        if item > x:
            TABLE["a"] = item
            break
    try:
        if KEPT[-1] < y:
            raise ValueError
        TABLE["c"] = x
    except ValueError:
        KEPT.pop()
    assert len(KEPT) <= 4
    return sum(KEPT)


def at_most(x: int, y: int) -> None:
    low, high = (x, y) if x < y else (y, x)
    assert low <= high


def wrong(x: int) -> None:
    assert x != 77


def terms() -> None:
    number = next(numbers)
    x, y = Int(f"x{number}"), BitVec(f"y{number}", 16)
    for k in range(40):
        x = x * k + 3
        y = (y << 1) ^ k


def sweeping() -> None:
    for _ in range(3):
        terms()
    memory.housekeeping.sweep_at = 0
    for _ in range(8):
        terms()


def running() -> None:
    # What a query writes is undone, whereas `execute` keeps it: so it gets objects of its own.
    execute(lambda x, y: at_most(x, y), Int("a"), Int("b"))


def querying() -> None:
    assert verify(changes, Int("a"), Int("b")).holds


def in_a_session() -> None:
    assert SESSION.verify(at_most, Int("a"), Int("b")).holds
    assert SESSION.solve(wrong, Int("a")).inputs["x"] != 77


def asking() -> None:
    number = next(numbers) % 1000
    x, y = BitVec("v", 16), BitVec("w", 16)
    with Solver("bitwuzla") as solver:
        solver.add(x + y == number)
        assert solver.check() == "sat"
        solver.push()
        solver.add(x == 5)
        assert solver.check() == "sat"
        assert solver.model().evaluate(x + y == number) is True
        solver.pop()
        assert solver.check(y == 3, x == number) == "unsat"
        solver.unsat_core()


ACTIONS: list[Callable[[], None]] = [terms, sweeping, running, querying, in_a_session, asking]

# --- what must hold afterwards --------------------------------------------------------------------


def check_state() -> None:
    """Nothing of what was interrupted is left."""
    assert path_of_run() is True
    assert MACHINE.get(None) is None or MACHINE.get().ambient
    assert term._values_of_constants.get() is None
    assert term._nesting.depth == 0
    assert debug_runs._ACTIVE.get() is None
    assert scopes.CURRENT.get() is None
    assert gc.isenabled()
    assert not memory._sweeping.locked()
    assert pool._lock.acquire(blocking=False)
    pool._lock.release()


def check_answers(turn: int) -> None:
    """Small queries are answered, and correctly: one of them, the next time another."""
    number = next(numbers)
    x = Int(f"z{number}")
    assert x + 1 is x + 1
    assert (x + 1).id > x.id
    match turn % 4:
        case 0:
            assert SESSION.verify(wrong, x).inputs == {"x": 77}
        case 1:
            assert verify(at_most, x, Int("b")).holds
        case 2:
            found = verify(wrong, x)
            assert found.inputs == {"x": 77}
            assert found.confirmed
        case _:
            assert solve(wrong, x).inputs["x"] != 77
    # Whatever was to be undone is undone now at the latest.
    assert KEPT == [1, 2, 3]
    assert TABLE == {"a": 1}
    assert not JOURNALING


class Alarm:
    """Raises `KeyboardInterrupt` once, some time after it is set."""

    def __init__(self) -> None:
        self.armed = False

    def ring(self, *_: Any) -> None:
        if self.armed:
            self.armed = False
            raise KeyboardInterrupt

    def during(self, seconds: float, action: Callable[[], None]) -> bool:
        """Run an action; whether it was interrupted."""
        try:
            self.armed = True
            signal.setitimer(signal.ITIMER_REAL, seconds)
            action()
            self.armed = False
        except KeyboardInterrupt:
            return True
        except SystemError as error:
            # What Python 3.11 makes of an interrupt while it builds a syntax tree.
            if "AST constructor recursion depth mismatch" not in str(error):
                raise
            return True
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        return False


def interrupt(count: int) -> Counter[str]:
    """Interrupt all kinds of actions in turn; how many times each was."""
    generator = random.Random(SEED)
    alarm = Alarm()
    # How long each action takes, so that the moments are spread over all of it.
    typical = {}
    for action in ACTIONS:
        action()
        started = time.perf_counter()
        action()
        typical[action] = time.perf_counter() - started
    hits: Counter[str] = Counter()
    before = signal.signal(signal.SIGALRM, alarm.ring)
    try:
        for turn in range(count):
            action = ACTIONS[turn % len(ACTIONS)]
            seconds = max(1e-6, generator.random() * typical[action])
            started = time.perf_counter()
            if alarm.during(seconds, action):
                hits[action.__name__] += 1
            else:
                typical[action] += (time.perf_counter() - started - typical[action]) / 8
            check_state()
            check_answers(turn // len(ACTIONS))
    finally:
        signal.signal(signal.SIGALRM, before)
    return hits


@pytest.mark.parametrize(
    "place", ["forks.blend", "scopes.blend", "forks.undo", "machine.undo", "machine.commit"]
)
def test_what_a_query_wrote_is_undone(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name = place.split(".")
    calls = []

    def interrupted(*args: Any) -> None:
        calls.append(args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, contextlib.suppress(KeyboardInterrupt):
        patched.setattr(f"solvent.vm.{module}.{name}", interrupted)
        verify(changes, Int("a"), Int("b"))
    assert calls
    for turn in range(4):
        check_answers(turn)
    check_state()


def test_interrupts_break_nothing() -> None:
    hits = interrupt(SHARE)
    # Most of them must have come in time.
    assert sum(hits.values()) > SHARE // 4
    assert threading.active_count() < 20


@pytest.mark.mass
def test_many_interrupts_break_nothing() -> None:
    hits = interrupt(MANY)
    print(dict(hits), "of", MANY)
    assert sum(hits.values()) > MANY // 4
