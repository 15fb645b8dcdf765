"""What a path says of ints: bounds in choices of which it leaves one way, and few values."""

from __future__ import annotations

import itertools
import random
from typing import Any

from solvent import Bool, Int
from solvent.lift.facts import bounds, possible
from solvent.terms import and_, evaluate, ite, not_, or_
from solvent.vm.machine import Machine
from solvent.vm.spread import either

X, Y, P, Q = Int("x"), Int("y"), Bool("p"), Bool("q")


def on_path(conditions: list[Any], look: Any) -> Any:
    """What is found where some conditions hold, one after the other."""
    if not conditions:
        return look()
    first, *others = conditions
    return either(first, lambda: on_path(others, look), lambda: None)


def found_on(conditions: list[Any], look: Any) -> list[Any]:
    seen: list[Any] = []
    Machine().run(lambda: on_path(conditions, lambda: seen.append(look())))
    return seen


def test_the_way_that_is_left() -> None:
    small = and_(-100 < X, X < 100)
    # As `all(...)` over a list of several lengths leaves it.
    conditions = [not_(and_(and_(P, Q), not_(small))), P, Q]
    assert found_on(conditions, lambda: bounds(X)) == [(-99, 99)]
    assert found_on(conditions[:2], lambda: bounds(X)) == [(None, None)]


def test_bounds_hold_wherever_the_path_does() -> None:
    rng = random.Random(3)
    bounded = 0
    models = [
        dict(zip((X, Y, P, Q), values, strict=True))
        for values in itertools.product(range(-4, 5), range(-4, 5), (False, True), (False, True))
    ]

    def claim(depth: int) -> Any:
        if depth == 0:
            limit = rng.randint(-3, 3)
            return rng.choice([P, Q, not_(P), X <= limit, X >= limit, Y == limit, Y >= limit])
        found = rng.choice([and_, or_])(claim(depth - 1), claim(depth - 1))
        return not_(found) if rng.random() < 0.4 else found

    for _ in range(150):
        conditions = [claim(rng.randint(0, 3)) for _ in range(4)]
        for found in found_on(conditions, lambda: (bounds(X), bounds(Y))):
            for model in models:
                if not all(evaluate(condition, model) for condition in conditions):
                    continue
                for number, (low, high) in zip((X, Y), found, strict=True):
                    bounded += low is not None or high is not None
                    assert low is None or low <= model[number]
                    assert high is None or model[number] <= high
    assert bounded > 500


def test_few_values() -> None:
    place = ite(P, 2, ite(Q, 5, 30))
    assert found_on([], lambda: possible(place + 1)) == [[3, 6, 31]]
    assert found_on([0 <= X, X < 3], lambda: possible(X)) == [[0, 1, 2]]
    assert found_on([], lambda: possible(X)) == [None]
