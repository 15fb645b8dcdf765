"""Shrunken tests still fail, and no step makes them simpler."""

from __future__ import annotations

import pytest

from solvent.reference import enumeration
from solvent.reference.concrete import Ans, Stuck, evaluate, operate
from solvent.reference.enumeration import Test
from solvent.reference.shrinking import cost, renamings, shrink, steps_at
from solvent.reference.syntax import (
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Literal,
    Variable,
    parse,
    parts,
    show,
    walk,
)


def has(*kinds: type) -> object:
    """Whether a program has all of these kinds of expressions."""
    return lambda test: all(any(isinstance(e, k) for e in walk(test.program)) for k in kinds)


def nested_error(test: Test) -> bool:
    return any(isinstance(e, If) and Error() in parts(e) for e in walk(test.program))


def large_number(test: Test) -> bool:
    return any(
        isinstance(e, Literal) and type(e.value) is int and abs(e.value) > 20
        for e in walk(test.program)
    )


def large_tests(fails: object) -> list[Test]:
    found = [test for test in enumeration.tests(200, seed=12) if test.size > 40]
    return [test for test in found if fails(test)][:5]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("fails", "expected"),
    [
        (has(Lambda), "(λ x . #f)"),
        (has(Call), "(x x)"),
        (nested_error, "(if x (error) #f)"),
        (large_number, "21"),
        (lambda test: "(car l)" in show(test.program), "(car l)"),
        (lambda test: True, "#f"),
    ],
)
def test_the_minimum_is_found(fails: object, expected: str) -> None:
    found = large_tests(fails)
    assert found
    for test in found:
        small = shrink(test, fails)  # type: ignore[arg-type]
        assert show(small.program) in (expected, "(if x #f (error))")


def evaluated(test: Test, fuel: int = 30) -> str:
    """What a program does in one environment, with an operator that is broken."""
    env = {name: 3 if sort == "int" else True for name, sort in test.sorts.items()}
    try:
        return str(evaluate(test.program, env, fuel))
    except Stuck:
        return "stuck"


def test_a_broken_operator_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(operator: str, values: tuple[object, ...]) -> object:
        if operator == "<" and operate(operator, values) == Ans(False):  # type: ignore[arg-type]
            return Ans(True)
        return operate(operator, values)  # type: ignore[arg-type]

    def fails(test: Test) -> bool:
        right = evaluated(test)
        with monkeypatch.context() as patch:
            patch.setattr("solvent.reference.concrete.operate", broken)
            return evaluated(test) != right

    found = [test for test in enumeration.tests(300, seed=13) if test.size > 20 and fails(test)]
    assert len(found) > 5
    for test in found[:5]:
        assert show(shrink(test, fails).program) == "(< x x)"


def test_no_step_is_left() -> None:
    def fails(test: Test) -> bool:
        shown = show(test.program)
        return shown.count("(let") >= 2 and "(+ " in shown and "if q" in shown

    for test in large_tests(fails):
        small = shrink(test, fails)
        assert fails(small)
        assert small.size <= 11 < test.size
        steps: list[Expression] = [*renamings(small.program)]
        for place in range(small.size):
            steps += steps_at(small.program, place)
        simpler = [found for found in steps if cost(found) < cost(small.program)]
        assert simpler
        assert not any(fails(Test.of(found, small.sorts)) for found in simpler)


def test_no_test_is_tried_twice() -> None:
    (test, *_) = large_tests(nested_error)
    tried = [test.program]

    def fails(candidate: Test) -> bool:
        tried.append(candidate.program)
        return nested_error(candidate)

    shrink(test, fails)
    assert len(set(tried)) == len(tried) < 1000


def test_variables_that_become_free_get_a_sort() -> None:
    test = Test.of(parse("(let (n (+ a a)) (let (p a) (if p n n)))"), {"a": "bool"})
    small = shrink(test, lambda found: "a" in found.sorts and "(if" in show(found.program))
    assert small.sorts == {"a": "bool"}
    assert show(small.program) == "(if a #f #f)"


def test_a_variable_is_renamed_where_it_is_bound_and_used() -> None:
    def identity(test: Test) -> bool:
        return any(
            isinstance(e, Lambda) and e.body == Variable(e.variable) for e in walk(test.program)
        )

    test = Test.of(parse("(let (k (if p (λ zed . zed) (error))) (k k))"))
    assert show(shrink(test, identity).program) == "(λ x . x)"


@pytest.mark.parametrize("text", ["#t", "null", "0", "1", "y", "f", "(error)", "(abort)"])
def test_every_simple_expression_is_tried(text: str) -> None:
    test = Test.of(parse("(let (k (if p (+ x x) (λ z . z))) (k k))"))
    small = shrink(test, lambda found: show(found.program) == text)
    assert show(small.program) == text


def test_a_test_that_cannot_be_simpler_stays() -> None:
    test = Test.of(parse("(let (f (λ x . x)) (f f))"))
    assert shrink(test, lambda found: False) == test
