"""The oracle: what is equivalent, what is not, and how a difference is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from solvent.errors import InternalError
from solvent.reference import oracle as module
from solvent.reference.concrete import Abt, Ans, Err
from solvent.reference.enumeration import Test
from solvent.reference.factory import SymClosure
from solvent.reference.naive import NaiveFactory
from solvent.reference.optimised import OptimisedFactory
from solvent.reference.oracle import (
    Account,
    IllegalError,
    Oracle,
    account,
    difference,
    outcome_under,
    plain_account,
)
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import Variable, parse
from solvent.reference.toy import ToyFactory
from solvent.terms import Bool, Int, Model, and_, not_, or_

P, Q, X, Y = Bool("p"), Bool("q"), Int("x"), Int("y")


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as made:
        yield made


def choice(*choices: Any, assumes: Any = True, asserts: Any = True) -> Account:
    """An account whose value has several parts; those inside of lists are plain."""

    def parts(value: Any) -> list[Any]:
        return list(choices) if value is choices else [(True, value)]

    return Account(assumes, asserts, False, choices, parts)


def halted(assumes: Any, asserts: Any) -> Account:
    return Account(assumes, asserts, True, None, lambda value: [(True, value)])


def procedure(body: str, **environment: Any) -> SymClosure:
    return SymClosure("a", parse(body), environment)


ERROR, ABORT = halted(True, False), halted(False, True)

SAME = [
    (plain_account(3), plain_account(3)),
    (plain_account(True), plain_account(True)),
    (plain_account(()), plain_account(())),
    (plain_account(X + Y), plain_account(Y + X)),
    (plain_account((X, P)), plain_account((X, P))),
    (plain_account(X < Y), plain_account(not_(Y <= X))),
    # The values of runs that do not end normally are irrelevant.
    (plain_account(1, asserts=False), plain_account(2, asserts=False)),
    (plain_account(1, asserts=P), choice((P, 1), (True, 2), asserts=P)),
    (ERROR, plain_account(7, asserts=False)),
    (ABORT, plain_account(7, assumes=False)),
    # Figure 7b: one has found out that it halts, the other has not.
    (halted(True, False), plain_account(True, asserts=not_(or_(P, not_(P))))),
    # A choice is ordered: the first guard that holds counts.
    (choice((P, 1), (Q, 2), (True, 3)), choice((not_(or_(P, Q)), 3), (P, 1), (True, 2))),
    (choice((P, X), (True, ())), choice((not_(P), ()), (True, X))),
    (plain_account(procedure("b", b=X + 1)), plain_account(procedure("b", b=1 + X))),
    (halted(P, not_(P)), plain_account(0, assumes=P, asserts=not_(P))),
]

DIFFERENT = [
    (plain_account(1), plain_account(2), "1, but 2"),
    (plain_account(1), plain_account(True), "1, but #t"),
    (plain_account(0), plain_account(False), "0, but #f"),
    (plain_account(False), plain_account(()), "#f, but ()"),
    (plain_account((1,)), plain_account((1, 1)), "(1), but (1 1)"),
    (plain_account((1, (2,))), plain_account((1, (3,))), "(1 (2)), but (1 (3))"),
    (plain_account(1), ERROR, "1, but error"),
    (ABORT, ERROR, "abort, but error"),
    (plain_account(1), ABORT, "1, but abort"),
    (plain_account(X), plain_account(X, asserts=X != 4), "if x = 4: 4, but error"),
    (plain_account(X), plain_account(X, assumes=X != 4), "if x = 4: 4, but abort"),
    (choice((P, 1), (True, 2)), choice((P, 2), (True, 1)), "1"),
    # The guards cover not all models, or overlap with a value that should not be there.
    (choice((P, 1)), plain_account(1), "if p = #f: no value, but 1"),
    (choice((True, 1), (P, 2)), choice((P, 2), (True, 1)), "if p = #t: 1, but 2"),
    # Two failures at once, or a halted run that is normal, are illegal.
    (plain_account(1, assumes=P, asserts=P), plain_account(1, asserts=P), "an illegal state"),
    (halted(P, True), plain_account(1, assumes=P), "if p = #t: an illegal state, but 1"),
    # Closures: lambda term, environment, and variables that do not even occur.
    (plain_account(procedure("b", b=1)), plain_account(procedure("b", b=2)), "where b = 1, but"),
    (plain_account(procedure("a")), plain_account(procedure("(a a)")), "(λ a . a), but (λ a . (a"),
    (plain_account(procedure("a", b=X)), plain_account(procedure("a", b=X + 1)), "where b = "),
    (plain_account(procedure("a", b=1)), plain_account(procedure("a")), "where b = 1, but"),
    (plain_account(procedure("a")), plain_account(SymClosure("c", Variable("a"), {})), "(λ c"),
    (plain_account(X * X), plain_account(X * 3), "if x = "),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), SAME)
def test_equivalent(oracle: Oracle, first: Account, second: Account) -> None:
    assert oracle.compare(first, second).equivalent
    assert oracle.compare(second, first).equivalent


@pytest.mark.parametrize(("first", "second", "text"), DIFFERENT)
def test_different(oracle: Oracle, first: Account, second: Account, text: str) -> None:
    verdict = oracle.compare(first, second)
    assert verdict.equivalent is False
    assert text in str(verdict)
    assert oracle.compare(second, first).equivalent is False


def test_the_solver_is_asked_only_if_needed() -> None:
    with Oracle() as oracle:
        assert oracle.compare(plain_account((X, 1)), plain_account((X, 1))).equivalent
        assert oracle.compare(ERROR, ERROR).equivalent
        assert not oracle.compare(plain_account(1), plain_account(2)).equivalent
        assert (oracle.compared, oracle.asked) == (3, 0)
        first = choice((X * X < 0, 1), (True, 2))
        assert oracle.compare(first, plain_account(2)).equivalent
        assert (oracle.compared, oracle.asked) == (4, 1)


def test_questions_do_not_influence_each_other() -> None:
    with Oracle() as oracle:
        for number in range(5):
            wrong = plain_account(X, asserts=X != number)
            assert oracle.compare(plain_account(X), wrong).inputs == {"x": number}
            first, second = choice((X < number, 1), (True, 2)), choice((X >= number, 2), (True, 1))
            assert oracle.compare(first, second).equivalent


def test_a_solver_that_does_not_know() -> None:
    cubes = X * X * X + Y * Y * Y + Int("z") * Int("z") * Int("z")
    with Oracle(seconds=0.2) as oracle:
        verdict = oracle.compare(plain_account(1, asserts=cubes != 114), plain_account(1))
        assert verdict.equivalent is None
        assert str(verdict).startswith("unknown: ")


def test_a_model_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "difference", lambda first, second: X == 1)
    with Oracle() as oracle, pytest.raises(InternalError, match="does not tell"):
        oracle.compare(plain_account(1), plain_account(1))


def test_outcomes_under_a_model() -> None:
    found = choice((P, (X, True)), (True, 5), assumes=X < 9, asserts=X > 0)
    assert outcome_under(Model({P: True, X: 3}), found) == Ans((3, True))
    assert outcome_under(Model({P: False, X: 3}), found) == Ans(5)
    assert outcome_under(Model({X: 10}), found) == Abt()
    assert outcome_under(Model({X: 0}), found) == Err()
    with pytest.raises(IllegalError):
        outcome_under(Model(), halted(False, False))


PROGRAMS = [
    "(if p (+ x x) (error))",
    "(let (f (if p (λ a . (+ a y)) (λ a . x))) (f y))",
    "(let (n (if p null 3)) (cons x n))",
    "(let (n null) (let (n (cons x n)) (let (n (if q n p)) (if p (car n) (abort)))))",
    "(if x (λ y . (+ x y)) y)",
    "(let (z (if p 1 q)) (if z (if p z null) (λ a . z)))",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_results_of_all_factories_are_equivalent(oracle: Oracle, text: str) -> None:
    test = Test.of(parse(text))
    accounts = []
    for factory in (NaiveFactory(), OptimisedFactory(), ToyFactory()):
        found = SymbolicEvaluator(factory).evaluate(test.program, test.environment(factory))
        accounts.append(account(factory, found))
    for first in accounts:
        for second in accounts:
            assert oracle.compare(first, second).equivalent
            negated = Account(
                second.assumes, and_(second.asserts, Y < 7), second.halted, second.value,
                second.parts,
            )  # fmt: skip
            assert oracle.compare(first, negated).equivalent is False


def test_shared_values_are_compared_once() -> None:
    left: Any = X
    right: Any = X
    for _ in range(60):
        left, right = (left, left), (right, right)
    assert difference(plain_account(left), plain_account(right)) is False


def test_what_is_no_value_is_equal_to_nothing() -> None:
    nothing = plain_account(None)
    assert difference(nothing, nothing) is True
    assert difference(nothing, plain_account(0)) is True
