"""Quantifiers: binding, evaluation over finite domains, substitution without capture."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from solvent.errors import EvaluationError, SortError
from solvent.terms import (
    BitVec,
    Bool,
    Function,
    Int,
    Model,
    and_,
    constants,
    eq,
    evaluate,
    exists,
    forall,
    implies,
    not_,
    or_,
    pretty,
    substitute,
    ule,
)
from tests.terms.z3_reference import equal

x, y, n = Int("x"), Int("y"), Int("n")
p, q = Bool("p"), Bool("q")
b, c = BitVec("b", 2), BitVec("c", 2)


def test_bound_variables_are_not_free() -> None:
    assert constants(forall([x], x > y)) == [y]
    assert constants(exists([x, y], x > y)) == []
    # The same constant can be free beside the quantifier.
    assert constants(and_(exists([x], x > y), x > 0)) == [x, y]
    assert constants(forall([x], exists([y], x > n + y))) == [n]


def test_one_variable_needs_no_list() -> None:
    assert forall(x, x > y) is forall([x], x > y)
    assert exists([x, x], x > y) is exists([x], x > y)


def test_trivial_quantifiers() -> None:
    assert forall([x], True) is True
    assert exists([x], False) is False
    assert forall([], x > y) is (x > y)


def test_the_shape() -> None:
    formula = forall([x, y], x <= y)
    assert formula.sort is Bool
    assert formula is forall([x, y], x <= y)
    assert formula is not forall([y, x], x <= y)
    assert formula is not exists([x, y], x <= y)
    assert pretty(formula) == "forall([x, y], x <= y)"
    assert pretty(exists([x], x <= 3)) == "exists(x, x <= 3)"


def test_patterns_are_kept() -> None:
    f = Function("f", [Int], Int)
    with_pattern = forall([x], f(x) > 0, patterns=[f(x)])
    assert with_pattern is not forall([x], f(x) > 0)
    assert with_pattern is forall([x], f(x) > 0, patterns=[(f(x),)])
    assert with_pattern.args == (f(x) > 0, f(x))
    groups = forall([x, y], f(x) > f(y), patterns=[(f(x), f(y)), f(x + y)])
    assert groups.op.params[1] == (2, 1)
    assert substitute(forall([x], f(x) > y, patterns=[f(x)]), {y: 3}).op.params[1] == (1,)


# --- evaluation --------------------------------------------------------------------------------


def test_evaluation_over_booleans_and_bits() -> None:
    for value in (False, True):
        assert evaluate(forall([p], or_(p, q)), {q: value}) is value
        assert evaluate(exists([p], and_(p, q)), {q: value}) is value
        assert evaluate(exists([p], eq(p, not_(q))), {q: value}) is True
        assert evaluate(forall([p], exists([q], eq(p, q))), {}) is True
        assert evaluate(exists([p], forall([q], eq(p, q))), {}) is False
    for number in range(4):
        assert evaluate(forall([b], ule(b, c)), {c: number}) is (number == 3)
        assert evaluate(exists([b], eq(b + 1, c)), {c: number}) is True
        assert evaluate(exists([b], and_(ule(b, c), eq(b, 2))), {c: number}) is (number >= 2)
    assert evaluate(forall([b, p], or_(ule(b, 3), p)), {}) is True
    assert evaluate(forall([b, c], implies(ule(b, c), eq(b, c))), {}) is False


def test_evaluation_of_terms_beside_and_below_a_quantifier() -> None:
    formula = and_(exists([b], eq(b + c, 1)), ule(b, c))
    for first, second in itertools.product(range(4), repeat=2):
        assert evaluate(formula, {b: first, c: second}) is (first <= second)


def test_a_bound_variable_shadows_the_model() -> None:
    formula = exists([b], eq(b, 3))
    assert evaluate(formula, {b: 0}) is True
    assert Model({b: 0}).evaluate(forall([b], eq(b, 0))) is False


def test_inner_binder_of_the_same_name() -> None:
    formula = forall([p], or_(not_(p), exists([p], p)))
    assert evaluate(formula, {}) is True
    formula = exists([p], and_(p, forall([p], or_(p, q))))
    assert evaluate(formula, {q: False}) is False
    assert evaluate(formula, {q: True}) is True


def test_infinite_domains_cannot_be_evaluated() -> None:
    with pytest.raises(
        EvaluationError, match="quantifier over Int cannot be evaluated; ask a solver"
    ):
        evaluate(forall([x], x > 0), {})
    with pytest.raises(EvaluationError, match=r"quantifier over BitVec\(64\)"):
        evaluate(forall([BitVec("w", 64)], ule(BitVec("w", 64), 5)), {})
    wide = [BitVec(f"w{i}", 10) for i in range(2)]
    with pytest.raises(EvaluationError, match="1048576 assignments"):
        evaluate(forall(wide, ule(wide[0], wide[1])), {})


# --- substitution ------------------------------------------------------------------------------


def test_substitution_respects_binding() -> None:
    formula = forall([x], x > y)
    assert substitute(formula, {x: 5}) is formula
    assert substitute(and_(formula, x > 0), {x: 5}) is formula
    assert substitute(formula, {y: 5}) is forall([x], x > 5)


def test_substitution_does_not_capture() -> None:
    formula = exists([b], not_(eq(b, c)))
    replaced = substitute(formula, {c: b})
    # It says that some value differs from the free b, not from itself.
    assert constants(replaced) == [b]
    for number in range(4):
        assert evaluate(replaced, {b: number}) is True
    assert evaluate(substitute(exists([b], eq(b, c + 1)), {c: b}), {b: 1}) is True
    assert equal(replaced, True)
    nested = forall([p], exists([q], eq(p, not_(q))))
    assert evaluate(substitute(nested, {p: q, q: p}), {}) is True


def test_a_replaced_subterm_is_another_one_below_a_binder() -> None:
    formula = and_(exists([b], eq(b * c, 3)), eq(b * c, 2))
    replaced = substitute(formula, {b * c: 2})
    assert replaced is exists([b], eq(b * c, 3))


def test_substitution_below_nested_binders_of_the_same_variable() -> None:
    formula = exists([b], and_(eq(b, c), forall([b], ule(b, 3))))
    replaced = substitute(formula, {c: b, b: c})
    assert constants(replaced) == [b]
    assert evaluate(replaced, {b: 2}) is True


def test_substitution_that_decides_a_body() -> None:
    assert substitute(forall([x], p | (x > 0)), {p: True}) is True
    assert substitute(forall([x], p & (x > 0)), {p: False}) is False
    assert substitute(exists([x], p & (x > 0)), {p: False}) is False


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: forall([x + 1], x > 0), r"only constants can be bound, not x \+ 1 \(Int\)"),
        (lambda: exists([3], x > 0), r"only constants can be bound, not 3 \(int\)"),
        (lambda: forall([x], 3), r"3 \(int\) is not of sort Bool"),
        (lambda: forall([x], x + 1), r"x \+ 1 \(Int\) is not of sort Bool"),
        (lambda: forall(["x"], p), r"only constants can be bound, not 'x' \(str\)"),
    ],
)
def test_errors(construct: Callable[[], Any], words: str) -> None:
    with pytest.raises(SortError, match=words):
        construct()
