"""Texts of known length, ranges of ints and classes of characters, against plain Python."""

from __future__ import annotations

import itertools
import operator
import pickle
import random
from typing import Any

import pytest

from solvent import Solver
from solvent.terms import Bool, Int, and_, div, evaluate, ite, mod, not_, or_
from solvent.terms.classes import character_class, definition, in_class, spelled_out
from solvent.terms.ranges import Ranges
from solvent.terms.smtlib import to_smtlib
from solvent.terms.texts import BytesTerm, TextTerm, octets, text

C, D, P = Int("c"), Int("d"), Bool("p")


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("made", [text, octets])
def test_comparisons(name: str, made: Any) -> None:
    compare = getattr(operator, name)
    others = [(97,), (97, 98), (98, D), (97, 98, 99), (D, 97)]
    for codes, swapped in itertools.product(others, (False, True)):
        a, b = made((C, 98)), made(codes)
        found = compare(b, a) if swapped else compare(a, b)
        for c, d in itertools.product((96, 97, 98, 99), repeat=2):
            first = made((c, 98))
            second = made([{D: d}.get(code, code) if code is D else code for code in codes])
            plain = compare(second, first) if swapped else compare(first, second)
            assert evaluate(found, {C: c, D: d}) is plain


def test_a_text_is_a_value_under_a_model() -> None:
    found = text((C, 98)) + "!" * 2
    assert isinstance(found, TextTerm)
    assert evaluate(found, {C: 0x10FFFD}) == "\U0010fffdb!!"
    assert evaluate(octets((C, 0)), {C: 255}) == b"\xff\x00"
    assert isinstance(octets((C,)), BytesTerm)
    assert text((97, 98)) == "ab"
    assert type(text((97, 98))) is str
    assert pickle.loads(pickle.dumps(found)) is found


def _number(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice([C, D, rng.randint(-5, 5)])
    a, b = _number(rng, depth - 1), _number(rng, depth - 1)
    size = rng.choice([-4, -1, 1, 2, 7])
    return rng.choice(
        [
            a + b,
            a - b,
            a * b,
            -a,
            ite(a <= b, a, b),
            mod(a, size),
            div(a, size),
            div(a, b),
            mod(a, b),
        ]
    )


@pytest.mark.parametrize("seed", range(160))
def test_ranges_hold(seed: int) -> None:
    term = _number(random.Random(seed), 3)
    known = Ranges([and_(-3 <= C, C <= 4), not_(or_(D < 1, D > 3))])
    assert known.of(C) == (-3, 4)
    assert known.of(D) == (1, 3)
    low, high = known.of(term)
    assert low is not None
    assert high is not None
    values = [evaluate(term, {C: c, D: d}) for c in range(-3, 5) for d in range(1, 4)]
    assert low <= min(values)
    assert max(values) <= high


def test_what_is_not_known_has_no_range() -> None:
    known = Ranges([C >= 5])
    assert known.of(C) == (5, None)
    assert known.of(C + 1) == (6, None)
    assert known.of(-C) == (None, -5)
    assert known.of(D * C) == (None, None)
    assert known.of(ite(D > 3, C, 9)) == (5, None)
    known.learn(C <= 7)
    assert known.of(C + 1) == (6, 8)


def test_a_side_of_a_choice_knows_the_test() -> None:
    known = Ranges([and_(-7 <= C, C <= 5), and_(1 <= D, D <= 3)])
    assert known.of(ite(C < 0, -C, C)) == (0, 7)
    assert known.of(ite(C <= D, C, D)) == (-7, 3)
    assert known.of(ite(C <= D, D, C)) == (1, 5)
    assert known.of(ite(not_(D <= C), D, C)) == (1, 5)
    # A side that no value of the constants leads to does not count.
    assert known.of(ite(C <= 5, 2, C)) == (2, 2)
    assert known.of(ite(C <= 9, C, 70 * C)) == (-7, 5)


@pytest.mark.parametrize("sign", [1, -1])
def test_ranges_of_quotients_with_one_bound(sign: int) -> None:
    for low_c, low_d in itertools.product(range(-3, 4), repeat=2):
        known = Ranges([sign * C >= low_c, sign * D >= low_d])
        inputs = list(itertools.product(range(low_c, low_c + 9), range(low_d, low_d + 9)))
        for made in (div, mod):
            low, high = known.of(made(C, D))
            values = [made(sign * c, sign * d) for c, d in inputs]
            assert low is None or low <= min(values)
            assert high is None or max(values) <= high


def test_bounds_that_all_ways_have_in_common() -> None:
    shared = and_(1 <= D, D <= 3)
    ways = or_(and_(shared, C == 2, P), and_(P, or_(and_(shared, C == -1), and_(D == 5, C <= 0))))
    known = Ranges()
    known.learn_common(and_(ways, C >= -4))
    assert known.of(D) == (1, 5)
    assert known.of(C) == (-4, 2)


def test_bounds_that_many_ways_have_in_common() -> None:
    ways: Any = False
    for place in range(100):
        ways = or_(and_(1 <= D, D <= 3, C != place), ways)
    known = Ranges()
    known.learn_common(ways)
    assert known.of(D) == (1, 3)


def _claim(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        number, limit = rng.choice([C, D]), rng.randint(-3, 3)
        return rng.choice([number <= limit, number >= limit, number == limit, P])
    parts = [_claim(rng, depth - 1) for _ in range(rng.randint(2, 3))]
    found = rng.choice([and_, or_])(parts)
    return not_(found) if rng.random() < 0.2 else found


def test_common_bounds_hold_wherever_the_condition_does() -> None:
    bounded = 0
    for seed in range(200):
        condition = _claim(random.Random(seed), 3)
        known = Ranges()
        known.learn_common(condition)
        for c, d, p in itertools.product(range(-4, 5), range(-4, 5), (False, True)):
            if not evaluate(condition, {C: c, D: d, P: p}):
                continue
            for number, value in ((C, c), (D, d)):
                low, high = known.of(number)
                bounded += low is not None or high is not None
                assert low is None or low <= value
                assert high is None or value <= high
    assert bounded > 100


RANGES = ((3, 3), (5, 9), (12, 13), (20, 29), (31, 31), (40, 44), (50, 50))


def test_a_class_is_its_ranges() -> None:
    members = character_class(RANGES)
    assert character_class(RANGES) is members
    inside = {code for first, last in RANGES for code in range(first, last + 1)}
    found, meaning = in_class(members, C), definition(members, C)
    for code in range(-1, 60):
        assert (code in members) is (code in inside)
        assert evaluate(found, {C: code}) is (code in inside)
        assert evaluate(meaning, {C: code}) is (code in inside)
    assert pickle.loads(pickle.dumps(found)) is found


def test_solvers_know_what_a_class_means() -> None:
    found = and_(in_class(character_class(RANGES), C + D), 29 < C, C < 40, D == 0)
    for name in ("z3", "cvc5", None):
        with Solver(name) as solver:
            solver.add(found)
            assert str(solver.check()) == "sat"
            assert solver.model()[C] == 31
            solver.add(C != 31)
            assert str(solver.check()) == "unsat"
    with Solver(abstract=True) as solver:
        solver.add(found, C != 31)
        assert str(solver.check()) == "sat"
        solver.add(C > 99)
        assert str(solver.check()) == "unsat"


def test_a_class_in_smtlib_is_spelled_out() -> None:
    members = character_class(RANGES)
    inner = ite(in_class(members, C), C, D)
    found = not_(in_class(members, inner))
    assert "in_class" not in to_smtlib(found)
    for c, d in itertools.product((2, 3, 9, 10, 50), repeat=2):
        assert evaluate(spelled_out(found), {C: c, D: d}) is evaluate(found, {C: c, D: d})
