"""Terms that can only have a few values."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from solvent.errors import SortError
from solvent.terms import BitVec, Bool, Int, bv, cases, evaluate, ite, substitute
from solvent.terms.cases import MOST

P, Q, R = Bool("p"), Bool("q"), Bool("r")
X = BitVec("x", 8)
NARROW = BitVec("n", 2)

COMPUTED: list[Any] = [
    ite(P, 1, 2),
    ite(P, 1, 2) + ite(Q, 1, 2),
    ite(P, 1, ite(Q, 2, 3)) * ite(P, 10, 20) - 7,
    (ite(P, 8, 3) // ite(Q, 2, 3)) % 3,
    ite(R, ite(P, 1, 2) + ite(Q, 1, 2), ite(Q, 5, 1) * 4),
    ite(P, bv(3, 8), bv(200, 8)) + ite(Q, bv(100, 8), bv(1, 8)),
]


@pytest.mark.parametrize("term", COMPUTED, ids=str)
def test_one_guard_holds_and_its_value_is_the_term_s(term: Any) -> None:
    found = cases(term)
    assert found is not None
    for truths in itertools.product((False, True), repeat=3):
        model = dict(zip((P, Q, R), truths, strict=True))
        holding = [value for guard, value in found if evaluate(guard, model) is True]
        assert holding == [evaluate(term, model)]


def test_values_are_different() -> None:
    found = cases(ite(P, 1, 2) + ite(Q, 1, 2))
    assert found is not None
    assert sorted(value for _, value in found) == [2, 3, 4]


def test_what_excludes_itself_is_no_case() -> None:
    assert cases(ite(P, 1, 2) - ite(P, 1, 2) + ite(P, 0, 0)) == [(True, 0)]
    found = cases(ite(P, 1, 2) * ite(P, 3, 5))
    assert found is not None
    assert {value for _, value in found} == {3, 10}


@pytest.mark.parametrize("term", [Int("x"), ite(P, Int("x"), 1), Int("x") + ite(P, 1, 2), X])
def test_unknown_values(term: Any) -> None:
    assert cases(term) is None


def test_too_many_values() -> None:
    total: Any = 0
    for bit in range(10):
        total = total + ite(Bool(f"b{bit}"), 1 << bit, 0)
    assert cases(total) is None
    few = cases(total, most=1 << 10)
    assert few is not None
    assert len(few) == 1 << 10 > MOST


def test_a_deep_term() -> None:
    term: Any = ite(P, 1, 2)
    for _ in range(3000):
        term = 3 - term * term % 5
    assert cases(term) is not None


def test_choices_between_ints_stand_beside_bitvectors() -> None:
    number = ite(P, 3, ite(Q, -1, 200))
    results = [number + X, X + number, X - number, number - X, X * number, number * X, X & number,
               X == number, number < X, X <= number]  # fmt: skip
    for p, q in itertools.product((False, True), repeat=2):
        chosen = 3 if p else -1 if q else 200
        expected = [chosen + X, X + chosen, X - chosen, chosen - X, X * chosen, chosen * X,
                    X & chosen, X == chosen, X > chosen, X <= chosen]  # fmt: skip
        for value in (0, 1, 3, 127, 128, 199, 200, 255):
            model = {P: p, Q: q, X: bv(value, 8)}
            for one, other in zip(results, expected, strict=True):
                assert evaluate(one, model) == evaluate(other, model)


@pytest.mark.parametrize("number", [Int("x"), ite(P, 1, 256), ite(P, Int("x"), 1)])
def test_other_ints_do_not(number: Any) -> None:
    with pytest.raises(SortError):
        X + number


def test_substituting_keeps_the_meaning() -> None:
    term = X + ite(P, 1, 2)
    assert substitute(term, {P: True}) is X + 1
