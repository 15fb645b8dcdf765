"""Putting values into terms from the top gives what evaluating them gives."""

from __future__ import annotations

import itertools
import random
from typing import Any

from solvent import BitVec, Bool, Float, Int
from solvent.queries.specialize import specialize
from solvent.terms import Model, and_, bv, forall, ite, not_, or_
from solvent.terms.graph import constants
from solvent.terms.term import Term

P, Q, R = Bool("p"), Bool("q"), Bool("r")
X, Y = BitVec("x", 2), BitVec("y", 2)


def random_bool(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice([P, Q, R, X == Y, X <= Y, X == 3])
    a, b = random_bool(rng, depth - 1), random_bool(rng, depth - 1)
    kind = rng.randrange(5)
    if kind == 0:
        return and_(a, b)
    if kind == 1:
        return or_(a, b)
    if kind == 2:
        return not_(a)
    if kind == 3:
        return ite(a, b, random_bool(rng, depth - 1))
    return random_bits(rng, depth - 1) == random_bits(rng, depth - 1)


def random_bits(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice([X, Y, bv(1, 2)])
    if rng.random() < 0.5:
        test = random_bool(rng, depth - 1)
        return ite(test, random_bits(rng, depth - 1), random_bits(rng, depth - 1))
    return random_bits(rng, depth - 1) + random_bits(rng, depth - 1)


def test_random_terms() -> None:
    rng = random.Random(1)
    bits, truths = [bv(n, 2) for n in range(4)], [False, True]
    symbolic = 0
    for _ in range(200):
        term = random_bool(rng, 4)
        p, x = rng.choice(truths), rng.choice(bits)
        found = specialize(term, {P: p, X: x})
        symbolic += isinstance(found, Term)
        assert P not in set(constants(found))
        assert X not in set(constants(found))
        for q, r, y in itertools.product(truths, truths, bits):
            rest = {Q: q, R: r, Y: y}
            expected = Model({P: p, X: x, **rest}).evaluate(term)
            assert Model(rest).evaluate(found) is expected
            assert specialize(term, {P: p, X: x, **rest}) is expected
    assert symbolic > 40


def test_deep_terms_and_other_values() -> None:
    x: Any = Int("deep")
    term: Any = 0
    for n in range(20_000):
        term = ite(x == n, n, term + 1)
    assert specialize(term, {x: 19_999}) == 19_999
    assert specialize(term, {x: 19_997}) == 19_999
    f = Float("f")
    assert specialize(f * 0.5, {f: 3.0}) == 1.5
    assert specialize(7, {x: 1}) == 7


def test_bound_variables_stay() -> None:
    x, y = Int("x"), Int("y")
    claim = forall([x], x + y > x)
    assert specialize(and_(claim, x > 2), {x: 3}) is claim
    assert specialize(and_(claim, x > 2), {x: 1}) is False
