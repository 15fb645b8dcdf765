"""Choices in canonical form mean what plain terms mean, whatever their order and size."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from benchmarks.btor2_models import branching, counting, model, two_reads
from solvent.btor2 import Model, Simulator
from solvent.btor2 import guards as module
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.guards import AsBuilt, Guards
from solvent.btor2.unroll import Unroller, constant_of
from solvent.terms import BitVec, Bool, and_, bv, eq, evaluate, iff, ite, not_, or_, ult, xor
from solvent.terms.term import Term

P, Q, R = Bool("p"), Bool("q"), Bool("r")
X, Y = BitVec("x", 2), BitVec("y", 2)
MODELS = [
    {P: p, Q: q, R: r, X: bv(x, 2), Y: bv(y, 2)}
    for p, q, r in product((False, True), repeat=3)
    for x in (1, 3)
    for y in (0, 2)
]


_meanings: dict[Any, tuple[Any, ...]] = {}


def meaning(value: Any) -> tuple[Any, ...]:
    """The values under all models."""
    if value not in _meanings:
        _meanings[value] = computed(value)
    return _meanings[value]


def computed(value: Any) -> tuple[Any, ...]:
    return tuple(evaluate(value, m) if isinstance(value, Term) else value for m in MODELS)


class Mirror:
    """Grows values twice: with the guards, and as plain meanings."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.guards = Guards()
        self.tests: list[Any] = [P, Q, R, eq(X, 1), ult(Y, 2)]
        self.words: list[Any] = [X, Y, bv(0, 2), bv(1, 2), bv(3, 2)]

    def grow(self) -> None:
        """Make one more value and compare it."""
        guards, pick = self.guards, self.random.choice
        p, q, r = (pick(self.tests) for _ in range(3))
        a, b = pick(self.words), pick(self.words)
        kind = self.random.randrange(6)
        if kind == 0:
            function = pick([and_, or_, xor, iff])
            self.test(guards.condition(function, p, q), function(p, q))
        elif kind == 1:
            self.test(guards.condition(ite, p, q, r), ite(p, q, r))
        elif kind == 2:
            self.word(guards.choice(p, a, b), ite(p, a, b) if isinstance(p, Term) else a)
        elif kind == 3:
            function = pick([lambda a, b: a + b, lambda a, b: a & b, lambda a, b: a - b])
            self.word(guards.apply(function, a, b), function(a, b))
        elif kind == 4:
            function = pick([eq, ult])
            self.test(guards.apply(function, a, b), function(a, b))
        else:
            restricted = guards.restricted(p, a)
            for one, other, holds in zip(meaning(restricted), meaning(a), meaning(p), strict=True):
                assert not holds or one == other

    def test(self, found: Any, plain: Any) -> None:
        assert meaning(found) == meaning(plain)
        if isinstance(found, Term):
            self.tests.append(found)

    def word(self, found: Any, plain: Any) -> None:
        assert meaning(found) == meaning(plain)
        self.words.append(found)
        rows = self.guards.choices(found)
        for k in range(len(MODELS)):
            holding = [v for g, v in rows if meaning(g)[k]]
            assert len(holding) == 1
            assert meaning(holding[0])[k] == meaning(found)[k]


@pytest.mark.parametrize("seed", range(8))
def test_meaning_is_kept(seed: int) -> None:
    mirror = Mirror(seed)
    for _ in range(40):
        mirror.grow()


@pytest.mark.parametrize("seed", range(4))
def test_meaning_is_kept_when_all_is_too_large(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 2)
    monkeypatch.setattr(module, "MOST_VALUES", 3)
    monkeypatch.setattr(module, "DEEPEST", 6)
    mirror = Mirror(seed)
    for _ in range(40):
        mirror.grow()


def test_equal_conditions_are_one() -> None:
    guards = Guards()
    one = guards.condition(or_, and_(P, Q), and_(P, not_(Q)))
    assert one is P
    assert guards.condition(and_, xor(P, Q), iff(P, Q)) is False
    assert guards.condition(not_, not_(or_(not_(P), P))) is True


def test_choices_that_hang_together_stay_small() -> None:
    guards = Guards()
    a = guards.choice(P, X, guards.choice(Q, bv(1, 2), Y))
    b = guards.choice(P, bv(1, 2), guards.choice(Q, bv(2, 2), bv(3, 2)))
    total = guards.apply(lambda x, y: x + y, a, b)
    assert [v for _, v in guards.choices(total)] == [X + 1, bv(3, 2), Y + 3]
    assert guards.restricted(and_(not_(P), Q), total) == bv(3, 2)


def test_choices_that_do_not_hang_together_are_not_multiplied() -> None:
    guards = Guards()
    a, b = ite(P, X, Y), ite(Q, Y + 1, X + 2)
    assert guards.apply(lambda x, y: x * y, a, b) is a * b


def test_values_can_be_built_as_they_come() -> None:
    guards = AsBuilt()
    assert guards.condition(or_, and_(P, Q), and_(P, not_(Q))) is or_(and_(P, Q), and_(P, not_(Q)))
    assert guards.choice(P, X, X + 1) is ite(P, X, X + 1)
    assert guards.apply(eq, ite(P, X, bv(0, 2)), 1) is eq(ite(P, X, bv(0, 2)), 1)
    assert guards.restricted(P, ite(P, X, Y)) is ite(P, X, Y)


def is_unrolled_truly(model: Model) -> bool:
    """Whether the conditions of bad states at some times hold where a simulation says so."""
    evaluator = Evaluator(model)
    unroller = Unroller(evaluator, evaluator.bads)
    conditions: list[list[Any]] = []
    for _ in range(80):
        conditions.append([unroller.get(place) for place in evaluator.bads])
        unroller.advance()
    for seed in range(8):
        inputs = random.Random(seed).choices(range(8), k=len(conditions))
        values = {
            constant_of(value): bv(inputs[time], value.width)
            for (time, _), value in unroller.chosen.items()
        }
        simulator = Simulator(model, lambda _, time, inputs=inputs: inputs[time])  # type: ignore[misc]
        for now in conditions:
            found = [evaluate(one, values) if isinstance(one, Term) else bool(one) for one in now]
            if found != simulator.step().bads:
                return False
    return True


def test_unrollings_at_once_have_diagrams_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    # Little is kept, and threads take turns often: numbers of one would soon mean another's nodes.
    monkeypatch.setattr(module, "MOST_KEPT", 5)
    models = [model(code) for code in (two_reads(), counting(), branching(4))]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(models)) as threads:
            assert all(threads.map(is_unrolled_truly, models * 3))
    finally:
        sys.setswitchinterval(interval)
