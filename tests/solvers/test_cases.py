"""Queries taken apart into cases: against brute force, and end to end."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from solvent import Solver
from solvent.solvers import narrowing
from solvent.solvers.cases import by_cases, by_divisors
from solvent.terms import Bool, Int, and_, evaluate, forall, ite, not_, or_
from solvent.terms.graph import reachable
from solvent.terms.integers import IntTerm

X, Y, P = Int("x"), Int("y"), Bool("p")
INPUTS = list(itertools.product(range(-5, 6), range(-5, 6), (False, True)))


def number(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice([X, Y, rng.randint(-4, 4)])
    a, b = number(rng, depth - 1), number(rng, depth - 1)
    return rng.choice(
        [
            lambda: a + b,
            lambda: a * rng.randint(-2, 3),
            lambda: a % rng.randint(1, 4),
            lambda: a // rng.randint(1, 4),
            lambda: ite(condition(rng, depth - 1), a, b),
            lambda: ite(a < 0, -a, a),
        ]
    )()


def condition(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice([P, X <= rng.randint(-3, 3), Y == rng.randint(-3, 3)])
    a, b = number(rng, depth), number(rng, depth)
    first, second = condition(rng, depth - 1), condition(rng, depth - 1)
    return rng.choice(
        [a <= b, a == b, and_(first, second), or_(first, not_(second)), first == second]
    )


def test_cases_say_the_same_as_the_formula() -> None:
    apart = 0
    for seed in range(150):
        rng = random.Random(seed)
        formula = and_(condition(rng, 3), rng.choice([True, X <= 3, and_(-2 <= X, Y > -4)]))
        found = by_cases(formula)
        if found is None:
            continue
        apart += 1
        assert not any(
            isinstance(term, IntTerm) and term.op.name.startswith("ite")
            for term in reachable([found])
        )
        for x, y, p in INPUTS:
            model = {X: x, Y: y, P: p}
            assert evaluate(found, model) == evaluate(formula, model), (formula, found)
    assert apart > 50


def test_what_stays_as_it_is() -> None:
    many = sum((ite(Bool(f"q{place}"), place, 100) for place in range(12)), X)
    assert by_cases(many == 7) is None
    assert by_cases(X == 7) is None
    assert by_cases(True) is None
    assert by_cases(forall([Y], ite(X < Y, X, Y) <= X)) is None


def digits(value: Any, count: int) -> Any:
    return [value // 10**place % 10 for place in reversed(range(count))]


def read(found: Any) -> Any:
    result: Any = 0
    for digit in found:
        result = result * 10 + digit
    return result


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The query has no time of its own."""
    for first in ("_FIRST_SECONDS", "_FIRST_GLANCE"):
        monkeypatch.setattr(narrowing, first, 0.0)


def test_digits_that_are_read_again(at_once: None) -> None:
    size = ite(X < 0, -X, X)
    back = ite(size < 100, read(digits(size, 2)), read(digits(size, 7)))
    with Solver() as solver:
        solver.add(and_(-(10**7) < X, X < 10**7), ite(X < 0, -back, back) != X)
        assert str(solver.check()) == "unsat"


@pytest.mark.parametrize("factor", [3, 11])
def test_models_are_of_the_query(at_once: None, factor: int) -> None:
    size = ite(X < 0, -X, X)
    query = and_(-5000 < X, X < 5000, read(digits(size, 3)) * factor == size, size > 5)
    expected = any(evaluate(query, {X: x}) for x in range(-5000, 5000))
    with Solver() as solver:
        solver.add(query)
        assert str(solver.check()) == ("sat" if expected else "unsat")
        if expected:
            assert evaluate(query, solver.model())


def test_values_of_divisors_mean_the_same() -> None:
    rng = random.Random(5)
    n = Int("n")
    divided = 0
    for _ in range(60):
        low = rng.randint(-2, 2)
        bounds = and_(low <= n, n <= low + rng.randint(0, 4))
        what = number(rng, 1)
        formula = and_(bounds, or_(what % n == rng.randint(0, 2), what // n < Y, P))
        if rng.random() < 0.5:
            # Bounds that both ways have in common.
            formula = or_(formula, and_(bounds, X // n == 1))
        found = by_divisors(formula)
        if found is None:
            continue
        divided += 1
        for x, y, p in itertools.islice(INPUTS, 0, None, 7):
            for value in range(-4, 8):
                model = {X: x, Y: y, P: p, n: value}
                assert evaluate(found, model) == evaluate(formula, model)
    assert divided > 40


def test_division_by_any_int_is_left_alone() -> None:
    n = Int("n")
    assert by_divisors(and_(n > 0, X % n == 1)) is None
    assert by_divisors(and_(n > 0, n < 1000, X % n == 1)) is None
    assert by_divisors(and_(X > 0, X < 5, X % 2 == 1)) is None


def test_a_sum_of_shares_is_one() -> None:
    n = Int("n")
    total: Any = 0
    for place in range(6):
        total = total + ite(place < n, 60 // n, 0)
    with Solver() as solver:
        solver.add(and_(0 < n, n < 7, total != 60))
        assert solver.check() == "unsat"
