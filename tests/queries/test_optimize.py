"""`optimize`: the best of a small domain is what brute force finds.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from solvent import BitVec, Int, Real, integers, optimize
from solvent.errors import QueryError, UnsupportedError
from solvent.solvers import Status

WEIGHTS = [7, 3, 4, 6, 5]
VALUES = [9, 5, 3, 8, 6]


def load(taken: list[Any]) -> int:
    """The value of what is taken, which must not be too heavy."""
    weight = value = 0
    for take, kilos, worth in zip(taken, WEIGHTS, VALUES, strict=True):
        if take:
            weight += kilos
            value += worth
    assert weight <= 15
    return value


def test_knapsack() -> None:
    from solvent import Bool

    result = optimize(load, [Bool(f"t{k}") for k in range(5)], maximize=True)
    best = 0
    for taken in itertools.product([False, True], repeat=5):
        try:
            best = max(best, load(list(taken)))
        except AssertionError:
            continue
    assert result.objectives == (best,)
    assert result.value == best
    assert result.confirmed


def test_reals() -> None:
    def cost(x: Any, y: Any) -> Any:
        assert x >= 0
        assert y >= 0
        assert x + 2 * y >= 5
        assert 3 * x + y >= 4
        return x + y

    result = optimize(cost, Real("x"), Real("y"), minimize=True)
    assert result.objectives == (Fraction(14, 5),)
    assert result.inputs == {"x": Fraction(3, 5), "y": Fraction(11, 5)}


def test_bitvectors() -> None:
    def distance(x: Any) -> Any:
        assert x & 0x0F == 3
        return x ^ 0x55

    result = optimize(distance, BitVec("x", 8), minimize=True)
    best = min((x ^ 0x55, x) for x in range(256) if x & 0x0F == 3)
    assert (int(result.objectives[0]), int(result.inputs["x"])) == best


def test_several_objectives_in_order() -> None:
    def sides(a: int, b: int) -> tuple[int, int]:
        assert 1 <= a <= 9
        assert 1 <= b <= 9
        assert a + b >= 7
        return a, b

    result = optimize(
        sides, minimize=[lambda pair: pair[0] * 2 + pair[1]], maximize=[lambda pair: pair[0]]
    )
    rows = [(a, b) for a in range(1, 10) for b in range(1, 10) if a + b >= 7]
    best = min(rows, key=lambda pair: (pair[0] * 2 + pair[1], -pair[0]))
    assert (result.inputs["a"], result.inputs["b"]) == best


def test_an_objective_of_the_inputs() -> None:
    x = Int("x")

    def even(x: int) -> None:
        assert x % 2 == 0
        assert x > 5

    assert optimize(even, x, minimize=x).inputs == {"x": 6}


def test_no_optimum() -> None:
    def free(x: int) -> int:
        assert x > 3
        return x

    result = optimize(free, maximize=True)
    assert result.objectives == ("unbounded",)

    def impossible(x: int) -> int:
        assert x != x
        return x

    assert optimize(impossible, maximize=True).status is Status.UNSAT


def test_a_constant_objective() -> None:
    def constant(x: int) -> int:
        assert x == 2
        return 7

    assert optimize(constant, minimize=True).objectives == (7,)


def test_wrong_use() -> None:
    def text(x: int) -> str:
        return "a" if x > 0 else "b"

    with pytest.raises(QueryError, match="needs something to minimize"):
        optimize(text)
    with pytest.raises(QueryError, match="an objective must be an int"):
        optimize(text, minimize=True)
    with pytest.raises(UnsupportedError):
        optimize(lambda x: x, integers(0, 3), minimize=True, solver="cvc5")
