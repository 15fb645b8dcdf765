"""Symbolic memory: under each value of its constants it is a memory of numbers."""

from __future__ import annotations

import itertools
import random
from typing import Any

from solvent.riscu.symbolic_memory import SymbolicMemory, merge_memories
from solvent.riscu.words import plain
from solvent.terms import BitVec, Bool, bv, evaluate, not_

p = Bool("p")
ADDRESSES = (0, 8, 16, 24)


def words(number: int) -> list[Any]:
    return [BitVec(f"a{number}", 64), BitVec(f"b{number}", 64)]


def test_random_stores_and_merges() -> None:
    """Stores at unknown addresses, on one of two paths, before and after they merge."""
    pick = random.Random(5)
    for _ in range(6):
        first = [(pick.choice(words(1)), pick.randrange(9)), (8, 3)]
        mine, other = [(pick.choice(words(2)), 4), (16, 5)], [(24, 6), (pick.choice(words(3)), 7)]
        last = [(pick.choice(words(4)), 8)]
        memory = SymbolicMemory({0: 1})
        write(memory, first)
        a, b = memory.copy(), memory.copy()
        write(a, mine)
        write(b, other)
        both = merge_memories(p, a, not_(p), b)
        write(both, last)
        unknown = BitVec("c", 64)
        found = [both.load(address) for address in ADDRESSES] + [both.gather(unknown, 0, 32)]
        constants = {term for term, _ in first + mine + other + last if not isinstance(term, int)}
        for values in itertools.product((0, 16, 24), repeat=len(constants)):
            for holds, c in itertools.product((True, False), (8, 24)):
                model = {**dict(zip(constants, values, strict=True)), p: holds, unknown: c}
                expected = {0: 1}
                for place, value in first + (mine if holds else other) + last:
                    expected[plain(evaluate(place, model))] = value
                wanted = [expected.get(address, 0) for address in (*ADDRESSES, c)]
                assert [plain(evaluate(word, model)) for word in found] == wanted


def write(memory: SymbolicMemory, rows: list[tuple[Any, int]]) -> None:
    for place, value in rows:
        if isinstance(place, int):
            memory.store(place, value)
        else:
            memory.scatter(True, place, value, 0, 32)


def test_a_store_that_may_not_happen() -> None:
    memory = SymbolicMemory({8: 1})
    place = BitVec("place", 64)
    memory.scatter(p, place, 5, 0, 32)
    for address, old in ((8, 1), (16, 0)):
        word = memory.load(address)
        assert evaluate(word, {p: True, place: address}) == bv(5, 64)
        assert evaluate(word, {p: False, place: address}) == bv(old, 64)


def test_words_outside_of_the_bounds_stay_as_they_are() -> None:
    memory = SymbolicMemory({8: 1, 64: 2})
    memory.scatter(True, BitVec("place", 64), 5, 32, 100)
    assert memory.words[8] == 1
    assert not isinstance(memory.words[64], int)


def test_free_memory_is_unknown() -> None:
    memory = SymbolicMemory({}, free=True)
    assert memory.load(8) is BitVec("memory[8]", 64)
    assert memory.copy().free
