"""The few values of ints, against brute force."""

from __future__ import annotations

import itertools
import random
from typing import Any

from solvent.terms import Bool, Int, evaluate, ite
from solvent.terms.few import MOST, FewValues

TESTS = [Bool(name) for name in "pqr"]
N = Int("n")


def number(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.randint(-4, 9)
    a, b = number(rng, depth - 1), number(rng, depth - 1)
    return rng.choice(
        [
            lambda: ite(rng.choice(TESTS), a, b),
            lambda: ite(rng.choice(TESTS), a, b),
            lambda: a + b,
            lambda: -a,
            lambda: a * b,
            lambda: a // rng.randint(1, 4),
            lambda: a % rng.randint(1, 4),
            lambda: ite(a < b, a + 1, N if rng.random() < 0.1 else b),
            lambda: ite(a == b, 7, a),
        ]
    )()


def test_no_value_is_missing() -> None:
    rng = random.Random(1)
    found = 0
    for _ in range(300):
        term = number(rng, 4)
        few = FewValues().of(term)
        if few is None:
            continue
        found += len(few) > 1
        for values in itertools.product((False, True), repeat=3):
            for n in (-50, 3, 50):
                assert evaluate(term, {**dict(zip(TESTS, values, strict=True)), N: n}) in few
    assert found > 100


def test_what_is_between_is_no_value() -> None:
    p, q, _ = TESTS
    place = ite(p, 3, ite(q, 9, 20))
    few = FewValues()
    assert few.of(place) == {3, 9, 20}
    assert few.of(ite(place < 0, place + 30, place)) == {3, 9, 20}
    assert few.of(place + ite(p, 1, 2)) == {4, 5, 10, 11, 21, 22}


def test_many_values_are_not_told() -> None:
    total: Any = 0
    for digit in range(MOST):
        total = total + ite(Bool(f"p{digit}"), 1 << digit, 0)
    assert FewValues().of(total) is None
    assert FewValues().of(N) is None
