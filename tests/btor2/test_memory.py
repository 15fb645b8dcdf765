"""Memories: versions that share a table, choices, symbolic indices, against plain dictionaries."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent.btor2.guards import Guards
from solvent.btor2.memory import Memory
from solvent.terms import Array, ArrayValue, BitVec, Bool, and_, bv, evaluate, ite
from solvent.terms.sorts import ArraySort
from solvent.terms.term import Term

SORT: ArraySort = Array(BitVec(3), BitVec(4))
GUARDS = Guards()


def test_versions_are_independent() -> None:
    generator = random.Random(1)
    versions: list[tuple[Memory, dict[int, int]]] = [(Memory(SORT, 5), {})]
    for _ in range(300):
        memory, table = generator.choice(versions)
        index, value = generator.randrange(8), generator.randrange(16)
        versions.append((memory.put(index, value), {**table, index: value}))
        old, expected = generator.choice(versions)
        assert [old.at(k) for k in range(8)] == [expected.get(k, 5) for k in range(8)]


def test_a_long_run_takes_little_time() -> None:
    memory = Memory(Array(BitVec(64), BitVec(64)), 0)
    for k in range(50_000):
        memory = memory.put(8 * k, k)
    assert memory.at(8 * 777) == 777
    assert len(memory.items()) == 50_000


class Symbolic:
    """A memory beside its meaning for each value of some conditions and inputs."""

    def __init__(self, base: Any, models: list[dict[Any, Any]]) -> None:
        self.models = models
        self.memory = Memory(SORT, base)
        self.tables = [self.all_of(base, model) for model in models]

    def all_of(self, base: Any, model: dict[Any, Any]) -> list[int]:
        if isinstance(base, Term):
            return [evaluate(base[bv(k, 3)], model).value for k in range(8)]
        return [base] * 8

    def agrees(self) -> None:
        for model, table in zip(self.models, self.tables, strict=True):
            found = [number(self.memory.at(k), model) for k in range(8)]
            assert found == table
            term = self.memory.term()
            assert [number(term[bv(k, 3)], model) for k in range(8)] == table


def number(value: Any, model: dict[Any, Any]) -> int:
    return int(evaluate(value, model)) if isinstance(value, Term) else int(value)


P, Q, X, A = Bool("p"), Bool("q"), BitVec("x", 3), Array("a", BitVec(3), BitVec(4))
MODELS = [
    {P: p, Q: q, X: bv(x, 3), A: ArrayValue(A.sort, 1, {2: 7, 5: 3})}
    for p in (False, True)
    for q in (False, True)
    for x in (0, 2, 5)
]
FEW = ite(P, bv(1, 3), ite(Q, bv(4, 3), bv(6, 3)))


@pytest.mark.parametrize("seed", range(40))
def test_symbolic_writes_and_choices(seed: int) -> None:
    generator = random.Random(seed)
    state = Symbolic(generator.choice([0, 9, A]), MODELS)
    saved = (state.memory, state.tables)
    for _ in range(6):
        kind = generator.choice(["write", "write", "save", "choose"])
        if kind == "write":
            index = generator.choice([generator.randrange(8), FEW, X, FEW + 1])
            value = generator.choice([generator.randrange(16), ite(Q, bv(3, 4), bv(8, 4))])
            state.memory = state.memory.write(index, value, GUARDS)
            state.tables = [
                [
                    number(value, model) if number(index, model) == k else old
                    for k, old in enumerate(table)
                ]
                for model, table in zip(MODELS, state.tables, strict=True)
            ]
        elif kind == "save":
            saved = (state.memory, state.tables)
        else:
            test = generator.choice([P, Q, and_(P, Q)])
            other, tables = saved
            state.memory = state.memory.choose(test, other, GUARDS)
            state.tables = [
                mine if evaluate(test, model) else theirs
                for model, mine, theirs in zip(MODELS, state.tables, tables, strict=True)
            ]
        state.agrees()
        for index in (FEW, X):
            read = state.memory.read(index, GUARDS)
            for model, table in zip(MODELS, state.tables, strict=True):
                assert number(read, model) == table[number(index, model)]


def test_a_few_indices_stay_in_the_table() -> None:
    memory = Memory(SORT, 0).write(FEW, 3, GUARDS)
    assert memory.base == 0
    assert [index for index, _ in memory.items()] == [1, 4, 6]
    assert memory.write(X, 1, GUARDS).items() == []


def test_equality() -> None:
    one, other = Memory(SORT, 1).put(3, 4), Memory(SORT, 4)
    assert one.equals(one) == 1
    assert one.equals(other) == 0
    for k in range(8):
        one = one.put(k, 4)
    assert one.equals(other) == 1
    assert isinstance(one.equals(Memory(A.sort, A)), Term)


def test_bits_as_elements_and_indices() -> None:
    bits: ArraySort = Array(BitVec(1), BitVec(1))
    memory = Memory(bits, 0).put(1, P)
    assert memory.at(1) is P
    assert memory.read(P, GUARDS) is P
    assert evaluate(memory.term()[bv(1, 1)], {P: True}).value == 1


def test_arrays_of_arrays() -> None:
    rows: ArraySort = Array(BitVec(3), Array(BitVec(3), BitVec(4)))
    memory = Memory(rows, Memory(SORT, 2))
    changed = memory.put(1, memory.at(1).put(5, 9))
    assert changed.at(1).at(5) == 9
    assert changed.at(2).at(5) == 2
    chosen = changed.choose(P, memory, GUARDS)
    assert evaluate(chosen.at(1).at(5), {P: False}).value == 2
    assert changed.value()[1][5] == 9
    assert Memory.of(changed.value()).at(1).at(5) == 9
