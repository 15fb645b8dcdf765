"""Paths that are seen to be possible without a solver: never one that is not."""

from __future__ import annotations

import random

import pytest

from solvent.solvers import Solver
from solvent.terms import BitVec, Bool, Int, and_, ite, not_, or_
from solvent.terms.kinds import Guard
from solvent.vm.state import Path
from solvent.vm.witness import is_possible

NUMBERS = [Int("x"), Int("y"), Int("z"), BitVec("v", 12), BitVec("w", 2)]
TRUTHS = [Bool("p"), Bool("q")]


def _formula(source: random.Random, depth: int) -> Guard:
    kind = source.randrange(6 if depth else 2)
    if kind == 0:
        return source.choice(TRUTHS)
    if kind == 1:
        number = source.choice(NUMBERS)
        other = source.choice(NUMBERS) if source.randrange(5) == 0 else source.randrange(3)
        same = isinstance(other, int) or number.sort is other.sort
        return number == other if same else True
    parts = [_formula(source, depth - 1) for _ in range(3)]
    if kind == 2:
        return and_(*parts)
    if kind == 3:
        return or_(*parts)
    return not_(parts[0]) if kind == 4 else ite(*parts)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_possible_has_a_model(seed: int) -> None:
    source = random.Random(seed)
    seen = 0
    with Solver("z3") as solver:
        for _ in range(60):
            decisions = [
                (_formula(source, source.randrange(3)), source.random() < 0.7) for _ in range(3)
            ]
            path = Path(None, True)
            for decision, holds in decisions:
                path = Path(path, decision, holds)
            condition = _formula(source, 1)
            if is_possible(condition, path):
                seen += 1
                assert solver.check(path.term, condition) == "sat", (decisions, condition)
    # Otherwise nothing is tested.
    assert seen > 3


def test_a_narrow_bitvector_has_no_more_values() -> None:
    w = BitVec("w", 2)
    path = Path(None, True)
    for value in range(4):
        path = Path(path, w == value, False)
    assert not is_possible(True, path)


def test_an_unknown_and_what_it_excludes() -> None:
    x, y = Int("x"), Int("y")
    path = Path(Path(Path(None, True), and_(x == 1, y == 2), False), x == 3)
    assert is_possible(y == 2, path)
    assert is_possible(y != 2, path)
    assert not is_possible(x == 1, path)


def test_an_unknown_of_which_nothing_is_said_differs_from_all_numbers() -> None:
    x, y, w = Int("x"), Int("y"), BitVec("w", 2)
    start = Path(Path(None, True), x == 1)
    assert is_possible(True, Path(start, and_(x == 1, y == 2), False))
    assert is_possible(not_(and_(y == 2, x == 1)), Path(start, or_(y == 3, y == 2), False))
    assert not is_possible(or_(y == 2, y == 3), start)
    # One with few values may have to be one of the numbers.
    few = [w == number for number in range(4)]
    assert not is_possible(True, Path(Path(None, True), or_(*few), False))


def test_long_paths_are_left_to_a_solver() -> None:
    path = Path(None, True)
    for number in range(2000):
        path = Path(path, Int(f"long{number}") == 1)
    assert not is_possible(Int("long") == 1, path)
