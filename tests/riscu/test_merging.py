"""Merging of symbolic states: paths, words, memory and reads."""

from __future__ import annotations

from typing import Any

from solvent.riscu.merging import SymbolicState, Taken, merge_states
from solvent.riscu.symbolic_memory import SymbolicMemory
from solvent.terms import BitVec, Bool, and_, bv, evaluate, not_

p, q, x = Bool("p"), Bool("q"), BitVec("x", 64)


def state(path: tuple[Any, ...], word: Any, memory: dict[int, Any], **more: Any) -> SymbolicState:
    return SymbolicState(0x10000, [0, 0, 64, word], SymbolicMemory(memory), 8, 0, path, **more)


def test_words_are_chosen_by_where_the_paths_differ() -> None:
    one, two = state((p, q), 1, {8: 5, 16: x}), state((p, not_(q)), x, {8: 5, 24: 7})
    both = merge_states(one, two)
    assert both.path == (p,)
    assert both.registers[2] == 64
    for holds in (True, False):
        values = {p: True, q: holds, x: 9}
        chosen = one if holds else two
        assert evaluate(both.registers[3], values) == evaluate(chosen.registers[3], values)
        for address in (8, 16, 24):
            expected = evaluate(chosen.memory.load(address), values)
            assert evaluate(both.memory.load(address), values) == expected


def test_what_does_not_cover_everything_stays_a_condition() -> None:
    one, two = state((p, q), 1, {}), state((not_(p),), 2, {})
    both = merge_states(one, two)
    assert len(both.path) == 1
    assert evaluate(both.path[0], {p: True, q: False}) is False
    assert evaluate(both.path[0], {p: False, q: False}) is True
    assert evaluate(both.registers[3], {p: False, q: True}) == bv(2, 64)


def test_reads_stay_on_their_paths() -> None:
    first = Taken((), (BitVec("byte0", 8),), 1)
    second = Taken((), (BitVec("byte1", 8),), 1)
    one = state((p,), 1, {}, reads=(first, second), position=2)
    two = state((not_(p),), 1, {}, reads=(first,), position=1)
    both = merge_states(one, two)
    assert both.reads == (first, Taken((p,), second.bytes, 1))
    assert evaluate(both.position, {p: True}) == 2
    assert evaluate(both.position, {p: False}) == 1
    assert merge_states(one, one.copy()).position == 2


def test_steps_are_a_lower_bound_and_one_feasible_path_is_enough() -> None:
    one = state((p,), 1, {}, steps=7, checked=False)
    two = state((not_(p),), 1, {}, steps=5, checked=True)
    both = merge_states(one, two)
    assert (both.steps, both.checked) == (5, True)


def test_conditions_are_assumed_one_by_one() -> None:
    one = state((), 1, {})
    assert one.assume(True, and_(p, q))
    assert (one.path, one.checked) == ((and_(p, q),), False)
    assert not one.assume(False)


def test_bytes_are_named_by_their_position() -> None:
    one = state((), 1, {}, position=3)
    assert [str(byte) for byte in one.next_bytes(iter(()))[:2]] == ["byte3", "byte4"]
    one.takes((x,), 2, x)
    assert (one.position, one.reads[-1].count) == (5, x)
    one.takes((x,), x, x)
    assert one.position is x + 5
    assert str(one.next_bytes(f"other{n}" for n in range(99))[0]) == "other0"
