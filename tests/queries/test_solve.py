"""`solve` and `solve_all`: all solutions of a small domain, and only these.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from solvent import BitVec, Float, Int, assume, integers, lists, one_of, session, solve, solve_all
from solvent.lift import is_symbolic
from solvent.queries.spaces.base import Making
from solvent.solvers import Status


def test_a_value_that_succeeds() -> None:
    def root(x: int) -> int:
        assert x * x == 49
        return x + 1

    result = solve(root)
    assert result.inputs["x"] in (-7, 7)
    assert result.value == result.inputs["x"] + 1
    assert result.confirmed
    assert str(result).startswith("root: found inputs that succeed")


def test_nothing_succeeds() -> None:
    def impossible(x: int) -> None:
        assert x > 3
        assert x < 4

    result = solve(impossible)
    assert (result.status, result.model) == (Status.UNSAT, None)
    assert "no inputs succeed" in str(result)

    def always(x: int) -> None:
        raise ValueError(x)

    assert solve(always).status is Status.UNSAT

    def never_of_interest(x: int) -> None:
        assume(False)

    assert solve(never_of_interest).status is Status.UNSAT


def test_exceptions_are_avoided() -> None:
    def pick(k: int) -> int:
        return [10, 20, 30][k] // (k - 1)

    found = {row.inputs["k"]: row.value for row in solve_all(pick)}
    assert found == {0: -10, 2: 30, -1: -15, -2: -7, -3: -3}
    for k, value in found.items():
        assert pick(k) == value


def pythagoras(a: int, b: int, c: int) -> None:
    """A right-angled triangle."""
    assume(a <= b)
    assert a * a + b * b == c * c


def test_all_solutions() -> None:
    space = integers(1, 15)
    found = {tuple(row.inputs.values()) for row in solve_all(pythagoras, space, space, space)}
    expected = {
        (a, b, c)
        for a, b, c in itertools.product(range(1, 16), repeat=3)
        if a <= b and a * a + b * b == c * c
    }
    assert found == expected
    assert len(solve_all(pythagoras, space, space, space, limit=2)) == 2
    assert solve_all(pythagoras, space, space, space, limit=0) == []


def test_solutions_differ_in_their_inputs() -> None:
    """Items behind the end of a list do not make a new solution."""

    def short(xs: list[Any]) -> None:
        assert sum(xs) <= 1

    found = [row.inputs["xs"] for row in solve_all(short, lists(integers(0, 1), max_len=3))]
    expected = [
        list(xs) for n in range(4) for xs in itertools.product((0, 1), repeat=n) if sum(xs) <= 1
    ]
    assert sorted(found) == sorted(expected)


def test_not_a_number_is_one_solution() -> None:
    def strange(x: float) -> None:
        assert x != x

    assert len(solve_all(strange, Float("x"), limit=5)) == 1


def test_results_with_mutated_objects() -> None:
    def push(xs: list[int], x: int) -> list[int]:
        xs.append(x)
        if x > 5:
            xs.reverse()
        assert xs[0] == 9
        return xs

    xs = [1, 2]
    result = solve(push, xs, Int("x"))
    assert result.value == [9, 2, 1]
    assert result.inputs == {"xs": [1, 2], "x": 9}
    assert xs == [1, 2]


def test_solutions_of_closures() -> None:
    flags = [one_of("yes", "no").make(f"flag{k}", Making()) for k in range(2)]

    def exactly_one() -> None:
        assert [flag == "yes" for flag in flags].count(True) == 1

    found = [row.inputs["flags"] for row in solve_all(exactly_one)]
    assert sorted(found) == [["no", "yes"], ["yes", "no"]]
    assert is_symbolic(flags)


def test_helpers_around_see_concrete_values() -> None:
    secret = Int("secret")

    def helper(x: int) -> int:
        return x + secret

    def outer() -> None:
        assert helper(1) == 42

    result = solve(outer)
    assert result.inputs["secret" if "secret" in result.inputs else "helper"] == 41
    assert result.confirmed


def test_constants_made_inside() -> None:
    def inside() -> int:
        x: Any = BitVec("x", 8)
        assert x * x == 49
        assert x > 10
        return x

    result = solve(inside)
    assert result.confirmed
    x = result.inputs["x"]
    assert x * x == 49


def test_fresh_constants_cannot_be_replayed() -> None:
    def inside() -> None:
        x: Any = Int.fresh("x")
        assert x == 3

    result = solve(inside)
    assert result.found
    assert not result.confirmed
    assert "fresh constants" in str(result)


def test_second_solver() -> None:
    def root(x: int) -> None:
        assert x * x == 49
        assert x < 0

    for solver in ("z3", "cvc5", "z3,cvc5"):
        assert solve(root, solver=solver).inputs == {"x": -7}


def test_sessions_enumerate() -> None:
    def small(x: int) -> None:
        assert 0 <= x < 4

    with session() as s:
        first = [row.inputs["x"] for row in s.solve_all(small, Int("x"))]
        second = [row.inputs["x"] for row in s.solve_all(small, Int("x"), limit=2)]
    assert sorted(first) == [0, 1, 2, 3]
    assert len(set(second)) == 2


def test_wrong_use() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(solve(lambda: None))
