"""The theorems hold on generated programs, and every check notices a semantics that violates it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, product
from typing import Any

import pytest

from solvent.reference import enumeration
from solvent.reference.concrete import Abt, Ans, Err, Outcome, Stuck, evaluate
from solvent.reference.enumeration import Test
from solvent.reference.expressions import Node, Symbol
from solvent.reference.factory import (
    Halt,
    Out,
    Result,
    State,
    SymBool,
    SymClosure,
    legal_under,
    outcome_under,
)
from solvent.reference.naive import NaiveFactory
from solvent.reference.optimised import OptimisedFactory
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import Expression, has_calls, parse
from solvent.reference.theorems import (
    CHECKS,
    NoAnswer,
    Run,
    check_completeness,
    check_determinism,
    check_guess,
    check_legality,
    check_reducibility,
    check_soundness,
    check_termination,
    check_verify,
    guess,
    identical,
    models,
    solve,
    verify,
    violations,
)
from solvent.reference.toy import Phi, ToyFactory
from solvent.terms.booleans import and_
from solvent.terms.sorts import Bool, Int
from solvent.vm.union import Union

FACTORIES = [ToyFactory, NaiveFactory, OptimisedFactory]
each_factory = pytest.mark.parametrize("factory", FACTORIES)

GENERATED = list(enumeration.tests(120, seed=20))


@each_factory
def test_the_theorems_hold_on_generated_programs(factory: type[Any]) -> None:
    for test in GENERATED:
        found = violations(test, evaluator=SymbolicEvaluator(factory()))
        assert found == {}, str(test)


def test_the_generated_programs_are_not_trivial() -> None:
    runs = [Run(test) for test in GENERATED]
    kinds = {type(outcome) for run in runs for outcome in run.concrete}
    assert {Ans, Err, Abt} <= kinds
    assert any(isinstance(run.result, Halt) for run in runs)
    assert sum(len({type(outcome) for outcome in run.concrete}) > 1 for run in runs) > 10
    assert sum(has_calls(run.program) for run in runs) > 10


@each_factory
def test_legality_from_any_legal_state(factory: type[Any]) -> None:
    """Theorem 2 in general; and where the state before was abnormal, it stays as it is."""
    f = factory()
    a, b, c = (f.symbolic(f"state_{name}", "bool") for name in "abc")
    # Legal under all models: assumes or asserts.
    sigma = State(f.or_(a, b), f.or_(f.not_(a), c))
    for test in GENERATED[::4]:
        found = SymbolicEvaluator(f).evaluate(test.program, test.environment(f), sigma)
        for model in models(test.sorts, 4):
            for bits in product((False, True), repeat=3):
                inner = {**model, **dict(zip(("state_a", "state_b", "state_c"), bits, strict=True))}
                assumes = f.bool_under(inner, sigma.assumes)
                asserts = f.bool_under(inner, sigma.asserts)
                assert legal_under(f, inner, found) or not (assumes or asserts)
                if assumes and asserts:
                    expected: Outcome = evaluate(test.program, model)
                    assert type(outcome_under(f, inner, found)) is type(expected)
                elif assumes or asserts:
                    assert f.bool_under(inner, found.state.assumes) is assumes
                    assert f.bool_under(inner, found.state.asserts) is asserts


# --- faults that the checks must notice -----------------------------------------------------------


class Classic(SymbolicEvaluator):
    """The classic merging semantics: assumptions also fail where an assertion has (example 7)."""

    def assuming(self, sigma: State, b: SymBool) -> State:
        return State(self.factory.and_(sigma.assumes, b), sigma.asserts)


EXAMPLE_7 = Test.of(parse("(let (_ (if p #t (error))) (let (_ (if q #t (abort))) _))"))


@each_factory
def test_the_classic_semantics_is_not_legal(factory: type[Any]) -> None:
    run = Run(EXAMPLE_7, Classic(factory()))
    found = str(check_legality(run))
    assert found.endswith(
        "is not legal under {'p': False, 'q': False}: "
        "its assumptions are False, its assertions False"
    )
    assert check_legality(EXAMPLE_7) is None


class NeverHalts(SymbolicEvaluator):
    """No halted results, as in the classic semantics (example 8)."""

    def rule_error(self, sigma: State) -> Result:
        return Out(self.asserting(sigma, self.factory.ff), self.factory.lift(False))

    def rule_callbad(self, sigma: State, asserted: State) -> Result:
        return Out(asserted, self.factory.lift(False))


@each_factory
def test_without_halted_results_it_is_not_reducible(factory: type[Any]) -> None:
    example_8 = Test.of(
        parse("(let (x2 (x1 x2)) (let (y (λ y . (y y))) (y y)))"), {"x1": "bool", "x2": "bool"}
    )
    assert check_reducibility(Run(example_8, SymbolicEvaluator(factory()))) is None
    found = check_reducibility(Run(example_8, NeverHalts(factory())))
    assert found is not None
    assert "in the lifted environment of {'x1': False, 'x2': False} the result is" in found
    found = check_reducibility(Run(Test.of(parse("(error)")), NeverHalts(factory())))
    assert found is not None
    assert "which is not the lifted Err" in found


class Unreduced(NaiveFactory):
    """Conjunctions of constants are not reduced."""

    def and_(self, a: SymBool, b: SymBool) -> SymBool:
        return Node("&&", a, b)


class Wrapping(NaiveFactory):
    """A value that is certain is still a choice."""

    def plain_op(self, operator: str, values: Sequence[Any]) -> Any:
        found = super().plain_op(operator, values)
        return Node("+", found, 0) if type(found) is int else found


@pytest.mark.parametrize("factory", [Unreduced, Wrapping])
def test_a_factory_that_does_not_reduce_is_noticed(factory: type[Any]) -> None:
    run = Run(Test.of(parse("(let (z (+ x y)) z)")), SymbolicEvaluator(factory()))
    assert check_reducibility(run) is not None
    # It is sound nevertheless.
    assert check_soundness(run) is None


@each_factory
def test_stuck_evaluations_are_compared_by_reducibility(factory: type[Any]) -> None:
    omega = parse("(let (f (λ x . (x x))) (if p (f f) 1))")

    class Eager(SymbolicEvaluator):
        def conditional(self, *args: Any) -> Result:
            _, e1, e2, env, sigma, fuel = args
            self.evaluate(e1, env, sigma, fuel)
            return self.evaluate(e2, env, sigma, fuel)

    assert check_reducibility(Run(Test.of(omega), SymbolicEvaluator(factory()))) is None
    found = check_reducibility(Run(Test.of(omega), Eager(factory())))
    assert (
        found == "in the lifted environment of {'p': False} only the symbolic evaluation is stuck"
    )


class Random(NaiveFactory):
    """Every merged value has another shape."""

    def __init__(self) -> None:
        self.turn = count()

    def merge(self, choices: Any) -> Any:
        ordered = list(choices)
        return super().merge(ordered if next(self.turn) % 2 else ordered[::-1])


def test_nondeterminism_is_noticed() -> None:
    test = Test.of(parse("(if p 1 #f)"))
    found = check_determinism(Run(test, SymbolicEvaluator(Random())))
    assert found == "a second evaluation has a different result: Out(a choice), Out(a choice)"
    assert check_soundness(Run(test, SymbolicEvaluator(Random()))) is None


class Swapped(SymbolicEvaluator):
    """IFSYM with its guards swapped when merging."""

    def merge_branches(
        self, sigma: State, b: SymBool, against: SymBool, r1: Result, r2: Result
    ) -> Result:
        return super().merge_branches(sigma, against, b, r1, r2)


@each_factory
def test_unsound_results_are_noticed(factory: type[Any]) -> None:
    found = check_soundness(Run(Test.of(parse("(if p 1 2)")), Swapped(factory())))
    assert found is not None
    assert found.startswith("under {'p': False} the outcome is Ans(2), but not symbolically: ")


def test_booleans_are_not_integers() -> None:
    closure = SymClosure("a", parse("x"), {"x": True})
    for text, value in (
        ("x", True),
        ("(let (l null) (cons x l))", (True,)),
        ("(λ a . x)", closure),
    ):
        test = Test.of(parse(f"(let (x 1) {text})"))
        assert check_soundness(test) is None
        assert check_soundness(Run(test, found=Out(State(True, True), value))) is not None


def test_incomplete_results_are_noticed() -> None:
    test = Test.of(parse("(if p 1 2)"))
    three = Out(State(True, True), Phi(Symbol("p", "bool"), 1, 3))
    run = Run(test, SymbolicEvaluator(ToyFactory()), found=three)
    found = check_completeness(run)
    assert found == ("the symbolic result is Ans(3) under {'p': False}, but no concrete one is")
    # Values at the wrong places are possible outcomes: that is not sound, but complete.
    swapped = Run(test, Swapped(ToyFactory()), found=None)
    swapped.result = Out(State(True, True), Phi(Symbol("p", "bool"), 2, 1))
    assert check_completeness(swapped) is None
    assert check_soundness(swapped) is not None


def test_a_concrete_run_must_exist_for_completeness() -> None:
    stuck = Test.of(parse("(let (f (λ x . (x x))) (f f))"))
    run = Run(stuck, found=Out(State(True, True), 1))
    assert check_completeness(run) is not None
    # Concrete runs that are stuck are no outcomes.
    assert check_soundness(run) is None


class StuckAtLet(SymbolicEvaluator):
    """An evaluator that never ends where it should."""

    def rule_let(self, x: str, first: Out, e2: Expression, env: Any, fuel: int) -> Result:
        raise Stuck("for a test")


def test_programs_without_calls_must_terminate() -> None:
    test = Test.of(parse("(let (x 1) x)"))
    assert check_termination(Run(test, StuckAtLet(NaiveFactory()))) == (
        "the program has no calls, but its evaluation is stuck"
    )
    assert check_termination(test) is None
    calling = Test.of(parse("(let (f (λ x . (x x))) (f f))"))
    assert check_termination(calling) is None
    # No fuel is needed without calls.
    assert Run(test, fuel=0).result is not None


@each_factory
def test_stuck_evaluations_satisfy_the_other_theorems(factory: type[Any]) -> None:
    test = Test.of(parse("(let (f (λ x . (x x))) (f f))"))
    assert violations(test, evaluator=SymbolicEvaluator(factory())) == {}


# --- queries -----------------------------------------------------------------------------------


@each_factory
def test_queries(factory: type[Any]) -> None:
    def run(text: str) -> Run:
        return Run(Test.of(parse(text)), SymbolicEvaluator(factory()))

    assert guess(run("(if p #t (abort))")) == {"p": True}
    assert verify(run("(if p #t (abort))")) is None
    assert verify(run("(if p #t (error))")) == {"p": False}
    assert guess(run("(error)")) is None
    assert verify(run("(error)")) == {}
    assert guess(run("(abort)")) is None
    assert verify(run("(abort)")) is None
    far = run("(let (k 1000) (let (b (= x k)) (if b (error) x)))")
    assert verify(far) == {"x": 1000}
    with pytest.raises(Stuck, match="the evaluation of the program is stuck"):
        guess(run("(let (f (λ x . (x x))) (f f))"))


class Negated(NaiveFactory):
    """The solver is asked for the opposite."""

    def term(self, b: SymBool) -> Any:
        return super().term(self.not_(b))


class Never(NaiveFactory):
    """The solver is asked for what does not exist."""

    def term(self, b: SymBool) -> Any:
        return and_(Int("x") < 0, Int("x") > 0)


def test_wrong_queries_are_noticed() -> None:
    test = Test.of(parse("(if p x (error))"))
    wrong = Run(test, SymbolicEvaluator(Negated()))
    assert check_guess(wrong) == (
        "guess finds {'p': False, 'x': 0}, but the outcome there is not normal"
    )
    found = check_verify(wrong)
    assert found is not None
    assert found.startswith("verify finds {'p': True")
    nothing = Run(test, SymbolicEvaluator(Never()))
    assert check_guess(nothing) == (
        "guess finds nothing, but the outcome under {'p': True, 'x': 0} is normal"
    )
    assert check_verify(nothing) == (
        "verify finds nothing, but the outcome under {'p': False, 'x': 0} is an error"
    )


def test_a_query_without_an_answer_diverges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.reference.theorems.SOLVER_SECONDS", 0.2)
    x, y, z = Int("x"), Int("y"), Int("z")
    hard = and_(x * x * x + y * y * y + z * z * z == 114, x < -1000, y > 1000)
    with pytest.raises(NoAnswer, match="the solver gives no answer"):
        solve(hard)
    # The same as a program; a query that diverges violates nothing.
    test = Test.of(parse("(if p 1 2)"))

    class Hard(NaiveFactory):
        def term(self, b: SymBool) -> Any:
            return hard

    assert check_guess(Run(test, SymbolicEvaluator(Hard()))) is None
    assert solve(True) is not None


# --- parts of the checks -----------------------------------------------------------------------


def test_models_of_small_domains() -> None:
    assert models({}) == [{}]
    assert models({"p": "bool"}) == [{"p": False}, {"p": True}]
    assert [model["z"] for model in models({"z": "int"})] == [0, 1, -1, 2, 3]
    assert len(models({"y": "int", "z": "int"})) == 25
    assert len(models({"x": "int", "y": "int", "z": "int"})) == 27
    many = {f"x{place}": "int" for place in range(10)}
    found = models(many)
    assert len(found) == 64
    assert len({tuple(model.values()) for model in found}) == 64
    # Every variable has many of the values, and every pair of truth values occurs.
    assert all(len({model[name] for model in found}) == 5 for name in many)
    booleans = {f"p{place}": "bool" for place in range(10)}
    for a, b in product(booleans, repeat=2):
        wanted = 2 if a == b else 4
        assert len({(model[a], model[b]) for model in models(booleans)}) == wanted


def test_identical_results() -> None:
    p, z = Symbol("p", "bool"), Symbol("z", "int")
    a = Out(State(p, Node("!", p)), (1, z))
    assert identical(a, Out(State(Symbol("p", "bool"), Node("!", p)), (1, Symbol("z", "int"))))
    different = [
        Halt(State(p, Node("!", p))),
        Out(State(p, Node("!", p)), (1, p)),
        Out(State(p, Node("!", p)), (True, z)),
        Out(State(p, Node("!", p)), (1, z, z)),
        Out(State(p, p), (1, z)),
        Out(State(True, Node("!", p)), (1, z)),
    ]
    for other in different:
        assert not identical(a, other)
    assert identical(Union(((Bool("p"), 1), (True, ()))), Union(((Bool("p"), 1), (True, ()))))
    assert not identical(Union(((Bool("p"), 1), (True, ()))), Union(((Bool("q"), 1), (True, ()))))
    body = parse("x")
    assert identical(SymClosure("x", body, {"y": z}), SymClosure("x", parse("x"), {"y": z}))
    assert not identical(SymClosure("x", body, {"y": z}), SymClosure("x", body, {"y": p}))
    assert not identical(SymClosure("x", body, {}), SymClosure("x", parse("y"), {}))
    assert not identical(SymClosure("x", body, {"y": z}), SymClosure("x", body, {"w": z}))


def test_comparing_shared_nodes_is_fast() -> None:
    def tower(height: int) -> Any:
        node: Any = Symbol("p", "bool")
        for _ in range(height):
            node = Node("&&", node, node)
        return node

    assert identical(tower(500), tower(500))
    assert not identical(tower(500), tower(499))


def test_a_run_evaluates_once() -> None:
    calls = []

    class Counting(SymbolicEvaluator):
        def rule_error(self, sigma: State) -> Result:
            calls.append(sigma)
            return super().rule_error(sigma)

    run = Run(Test.of(parse("(error)")), Counting(NaiveFactory()))
    for check in (check_legality, check_soundness, check_completeness, check_guess, check_verify):
        assert check(run) is None
    assert len(calls) == 1


def test_violations_are_named() -> None:
    test = Test.of(parse("(if p (error) 2)"))
    found = violations(test, evaluator=Swapped(NaiveFactory()))
    assert {"soundness", "guess", "verify"} <= set(found)
    assert violations(test, ["legality"], evaluator=Swapped(NaiveFactory())) == {}
    assert set(CHECKS) == {
        "legality", "reducibility", "determinism", "soundness", "completeness", "termination",
        "guess", "verify",
    }  # fmt: skip


def test_messages_leave_out_environments() -> None:
    """An environment may be huge as a tree."""
    text = "(λ x . y)"
    program = parse(
        "(let (y #t)" + f"(let (f {text})(let (g {text})" * 40 + "(λ x . f)" + "))" * 40 + ")"
    )
    wrong = Run(Test.of(program), found=Out(State(True, True), 1))
    assert check_soundness(wrong) == (
        "under {} the outcome is Ans((λ x . f)), but not symbolically: Ans(1)"
    )
