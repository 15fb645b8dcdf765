"""The table of terms: dead terms are swept, live ones are kept, threads see one table."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solvent.terms import BitVec, Bool, Int, Real, bv, evaluate, ite, live_terms, memory, sweep
from solvent.terms.arithmetic import ADD
from solvent.terms.core import COMPILED
from solvent.terms.graph import reachable
from solvent.terms.memory import (
    SMALLEST_SWEEP,
    freeze_collector,
    housekeeping,
    next_id,
    set_aside,
)
from solvent.terms.term import Term, lookup, raw
from tests.patience import FOREVER

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def swept() -> None:
    """What other tests have left, in cycles or out of the collector's sight, does not count."""
    gc.unfreeze()
    gc.collect()
    sweep()
    housekeeping.sweep_at = housekeeping.created + SMALLEST_SWEEP


def chain(length: int, name: str) -> Any:
    a, b = BitVec(f"{name} a", 32), BitVec(f"{name} b", 32)
    term: Any = a
    for _ in range(length // 2):
        term = term + b
        term = term ^ a
    return term


def test_a_dead_chain_is_swept_in_one_pass() -> None:
    term = chain(10_000, "dead chain")
    assert sweep() == 0
    before = live_terms()
    del term
    # Its two constants die too.
    assert sweep() == 10_002
    assert live_terms() == before - 10_002
    assert sweep() == 0


def test_dead_shared_graphs_are_swept() -> None:
    x = Int("dead shared")
    term: Any = x
    for number in range(500):
        term = term * term + number
    size = len(reachable([term]))
    del term, x
    assert sweep() == size


def test_what_is_referred_to_is_kept() -> None:
    term = chain(1_000, "kept chain")
    parts = reachable([term])
    assert sweep() == 0
    assert all(lookup(part.key) is part for part in parts)
    # A part in the middle keeps all below it, and nothing above.
    middle = parts[500]
    below = len(reachable([middle]))
    del term, parts
    assert sweep() == 1_002 - below
    assert all(lookup(part.key) is part for part in reachable([middle]))


def test_every_kind_of_reference_keeps_a_term() -> None:
    class Holder:
        pass

    x = Int("held")
    holder = Holder()
    holder.term = x + 1  # type: ignore[attr-defined]
    in_list, in_dict, in_tuple = [x + 2], {"k": x + 3}, (x + 4,)
    as_key = {x + 5: None}
    closure = (lambda term: lambda: term)(x + 6)
    above = ite(Bool("held too"), x + 7, 0)
    sweep()
    assert holder.term is x + 1  # type: ignore[attr-defined]
    assert in_list[0] is x + 2
    assert in_dict["k"] is x + 3
    assert in_tuple[0] is x + 4
    assert x + 5 in as_key
    assert closure() is x + 6
    assert above.args[1] is x + 7


def test_a_term_that_comes_back_is_a_new_one() -> None:
    x = Int("comes back")
    first = (x + 1).id
    sweep()
    assert (x + 1).id > first
    assert x + 1 is x + 1


def test_concrete_bitvectors_are_swept_too() -> None:
    before = live_terms()
    values = [bv(number, 61) for number in range(1_000)]
    assert live_terms() == before + 1_000
    assert bv(7, 61) is values[7]
    del values
    assert sweep() == 1_000


def test_sweeping_happens_by_itself() -> None:
    """Building and dropping more than a sweep's worth of terms does not fill the table."""
    before, sweeps = live_terms(), housekeeping.sweeps
    housekeeping.sweep_at = housekeeping.created + 20_000
    x = Int("by itself")
    for number in range(30_000):
        x + number
    assert housekeeping.sweeps == sweeps + 1
    assert live_terms() - before < 12_000
    # The next one waits until it is worth it.
    assert housekeeping.sweep_at - housekeeping.created > SMALLEST_SWEEP - 12_000


# --- threads -----------------------------------------------------------------------------------


@pytest.fixture
def eager_switching() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def build() -> list[Any]:
    x, y, u = BitVec("thread x", 16), BitVec("thread y", 16), Real("thread u")
    n = Int("thread n")
    built: list[Any] = []
    for number in range(400):
        built += [(x + number) * y, (n + number) * n, u + Fraction(number, 7)]
    return built


def spoiled(terms: list[Any]) -> list[Any]:
    """The terms that are not the one in the table."""
    return [term for term in terms if lookup(term.key) is not term]


@pytest.mark.usefixtures("eager_switching")
def test_threads_build_the_same_terms_while_others_sweep() -> None:
    kept: list[list[Any]] = []
    problems: list[Any] = []
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            first, second = build(), build()
            problems.extend(
                pair for pair in zip(first, second, strict=True) if pair[0] is not pair[1]
            )
            problems.extend(spoiled(first))

    def keep() -> None:
        kept.append(build())

    def sweep_often() -> None:
        while not stop.is_set():
            sweep()

    threads = [threading.Thread(target=run) for run in (churn, churn, sweep_often)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        keepers = [threading.Thread(target=keep) for _ in range(3)]
        for thread in keepers:
            thread.start()
        for thread in keepers:
            thread.join()
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []
    sweep()
    for terms in kept:
        assert all(ours is theirs for ours, theirs in zip(kept[0], terms, strict=True))
        assert spoiled(terms) == []


def test_a_term_that_is_added_during_a_sweep() -> None:
    kept, late = object(), object()

    class Busy(dict[Any, Any]):
        def values(self) -> Any:
            # What another thread does after the keys were listed.
            self["late"] = late
            return super().values()

    table = Busy({"dead": object(), "kept": kept, "dead too": object()})
    memory._remove_unreferenced(table, memory._DEAD)
    assert table == {"kept": kept, "late": late}


def test_a_term_that_is_taken_during_a_sweep() -> None:
    taken: list[Any] = []

    class Busy(dict[Any, Any]):
        def pop(self, key: Any) -> Any:
            # What another thread does after the references were counted.
            if key == "taken":
                taken.append(self[key])
            return super().pop(key)

    table = Busy({"taken": object(), "dead": object()})
    memory._remove_unreferenced(table, memory._DEAD)
    assert table == {"taken": taken[0]}


def test_two_sweeps_at_once_are_one() -> None:
    chain(1_000, "two sweeps")
    with memory._sweeping:
        assert sweep() == 0
    assert sweep() == 1_002


@pytest.mark.usefixtures("eager_switching")
def test_numbers_grow_from_arguments_to_terms_in_all_threads() -> None:
    shared: list[Any] = [Int("numbers"), Int("numbers") + 1, Int("numbers") + 2]
    stop = threading.Event()

    def extend(step: int) -> None:
        # Each thread builds on the newest terms of the others.
        while len(shared) < 2_000:
            shared.append(shared[-1] * shared[-step] + step)

    def sweep_often() -> None:
        # The thread that takes the next chunk of numbers is busy for a while.
        while not stop.is_set():
            housekeeping.sweep_at = 0

    threads = [threading.Thread(target=extend, args=(step,)) for step in (1, 2, 3)]
    sweeper = threading.Thread(target=sweep_often)
    sweeper.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    sweeper.join()
    for term in shared:
        assert all(arg.id < term.id for arg in term.args if isinstance(arg, Term))
    numbers = [term.id for term in reachable(shared)]
    assert len(numbers) == len(set(numbers))


def test_numbers_that_another_thread_takes_during_housekeeping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []

    def slow_sweep() -> int:
        other = threading.Thread(target=lambda: taken.extend(next_id() for _ in range(1_000)))
        other.start()
        other.join()
        return 0

    monkeypatch.setattr(memory, "sweep", slow_sweep)
    housekeeping.sweep_at = 0
    before = []
    while not taken:
        before.append(next_id())
    # The number that the housekeeping held up is newer than all that were taken meanwhile.
    assert max(before[:-1], default=-1) < taken[0]
    assert taken == sorted(taken)
    assert before[-1] > taken[-1]


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


def take_chunk() -> None:
    for _ in range(memory.CHUNK + 1):
        next_id()


@pytest.fixture
def collector_policy() -> Iterator[None]:
    default = housekeeping.freeze
    freeze_collector(True)
    yield
    freeze_collector(default)


@pytest.mark.usefixtures("collector_policy")
def test_an_interrupt_of_the_housekeeping_is_not_the_end_of_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(gc, "freeze", interrupted)
        with pytest.raises(KeyboardInterrupt):
            take_chunk()
    assert next_id() < next_id()


def test_an_interrupted_sweep_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(memory, "_remove_unreferenced", interrupted)
        housekeeping.sweep_at = 0
        with pytest.raises(KeyboardInterrupt):
            take_chunk()
    assert housekeeping.sweep_at <= housekeeping.created + SMALLEST_SWEEP
    chain(1_000, "swept after all")
    assert sweep() >= 1_000


def test_what_is_there_is_set_aside_for_a_while() -> None:
    gc.unfreeze()
    with set_aside():
        count = gc.get_freeze_count()
        assert count > 10_000
        # Who comes later leaves it to the first.
        with set_aside():
            pass
        assert gc.get_freeze_count() == count
    assert gc.get_freeze_count() == 0


# --- the garbage collector ---------------------------------------------------------------------


@pytest.mark.usefixtures("collector_policy")
def test_freezing_can_be_switched_off() -> None:
    x = Int("policy")
    # The collector need not see terms, but it sees lists.
    kept = [[x + number] for number in range(2_000)]
    assert gc.get_freeze_count() > 2_000
    freeze_collector(False)
    assert gc.get_freeze_count() == 0
    kept += [[x * number] for number in range(2_000)]
    assert gc.get_freeze_count() == 0
    freeze_collector(True)
    kept += [[x - number] for number in range(2_000)]
    assert gc.get_freeze_count() > 4_000


@pytest.mark.usefixtures("collector_policy")
def test_a_disabled_collector_is_left_alone() -> None:
    gc.disable()
    try:
        gc.unfreeze()
        x = Int("disabled")
        kept = [x + number for number in range(2_000)]
        assert gc.get_freeze_count() == 0
        assert len(kept) == 2_000
    finally:
        gc.enable()


@pytest.mark.usefixtures("collector_policy")
def test_cyclic_garbage_of_the_user_is_still_collected() -> None:
    class Cycle:
        alive = 0

        def __init__(self) -> None:
            self.myself = self
            Cycle.alive += 1

        def __del__(self) -> None:
            Cycle.alive -= 1

    x = Int("cycles")
    kept = []
    for number in range(30_000):
        if number == 20_000:
            assert Cycle.alive > 1_000
            housekeeping.sweep_at = 0
        if number % 10 == 0:
            Cycle()
        kept.append(x + number)
    # Those before the sweep are gone.
    assert Cycle.alive <= 1_030


# --- a process of its own ----------------------------------------------------------------------


def run_alone(program: str) -> str:
    completed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=FOREVER,
        env={"PYTHONPATH": str(SOURCE)},
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def test_a_node_takes_less_than_100_bytes_compiled_and_300_in_python() -> None:
    output = run_alone(
        """
        import tracemalloc
        from solvent.terms import BitVec

        a, b = BitVec("a", 32), BitVec("b", 32)
        term = a
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(50_000):
            term = term + b
            term = term + a
        print((tracemalloc.get_traced_memory()[0] - before) / 100_000)
        """
    )
    assert float(output) < (100 if COMPILED else 300)


def test_a_process_with_deep_terms_ends_cleanly() -> None:
    run_alone(
        """
        from solvent.terms import Int
        x, y = Int("x"), Int("y")
        term = x
        for _ in range(200_000):
            term = term * y + x
        """
    )


def test_a_deep_chain_that_is_not_in_the_table_is_released() -> None:
    """Releasing one term after the other must not be a recursion in C."""
    x = Int("deep and raw")
    term: Any = x
    for _ in range(100_000):
        term = raw(ADD, term, x)
    references = sys.getrefcount(x)
    del term
    assert sys.getrefcount(x) < references - 90_000


def test_a_deep_chain_in_the_table_is_released() -> None:
    before = live_terms()
    chain(200_000, "deep")
    sweep()
    assert live_terms() <= before


@pytest.mark.skipif(not COMPILED, reason="about the compiled core")
def test_terms_are_not_seen_by_the_collector_and_not_made_by_their_class() -> None:
    x = Int("unseen")
    assert not any(map(gc.is_tracked, (x, x + 1, x < 3, Bool("b"), Bool("b") & (x < 3))))
    for cls in (Term, type(x), type(x < 3)):
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            object.__new__(cls)
    with pytest.raises(AttributeError):
        x.op = None
    assert sys.getsizeof(x * Int("unseen too")) == 64


def test_evaluation_after_many_sweeps() -> None:
    x = Int("survivor")
    term: Any = x
    for number in range(2_000):
        term = term + x * number
        if number % 200 == 0:
            sweep()
    assert evaluate(term, {x: 1}) == 1 + sum(range(2_000))
