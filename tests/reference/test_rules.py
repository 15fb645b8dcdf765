"""The rules of figures 3 and 6 one by one, the examples of the paper, and the text of programs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.depth import deep_recursion
from solvent.reference.concrete import (
    Abt,
    Ans,
    Closure,
    Err,
    Outcome,
    Stuck,
    evaluate,
    operate,
    same,
    same_outcome,
)
from solvent.reference.enumeration import Test
from solvent.reference.expressions import Node, Symbol
from solvent.reference.factory import (
    Halt,
    Out,
    Result,
    State,
    SymClosure,
    initial,
    legal_under,
    lift_value,
    outcome_under,
)
from solvent.reference.naive import NaiveFactory
from solvent.reference.optimised import OptimisedFactory
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import (
    OPERATORS,
    Abort,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    SyntaxProblem,
    Variable,
    free_variables,
    has_calls,
    parse,
    show,
    size,
    walk,
)
from solvent.reference.theorems import Run, guess, identical, models, verify, violations
from solvent.reference.toy import Phi, ToyFactory

TOY = ToyFactory()
FACTORIES: list[Any] = [TOY, NaiveFactory(), OptimisedFactory()]
each_factory = pytest.mark.parametrize(
    "factory", FACTORIES, ids=lambda factory: type(factory).__name__
)

# A state of which nothing is known.
A, B = Symbol("a", "bool"), Symbol("b", "bool")
SIGMA = State(A, B)
P, Q, Z = Symbol("p", "bool"), Symbol("q", "bool"), Symbol("z", "int")

E_ABS = """
(let (z 0)
  (let (abs (λ x . (let (b0 (< x z)) (if b0 (- x) x))))
    (let (b1 (= y z))
      (let (_ (if b1 (abort) #t))         ; assume y != 0
        (let (y0 (abs y))
          (let (b2 (< z y0))
            (let (_ (if b2 #t (error)))   ; assert |y| > 0
              _)))))))
"""


def toy(text: str, env: Mapping[str, Any] | None = None, sigma: State = SIGMA) -> Result:
    return SymbolicEvaluator(TOY).evaluate(parse(text), env or {}, sigma)


def shown(found: Result) -> tuple[str, ...]:
    state = (repr(found.state.assumes), repr(found.state.asserts))
    return (*state, repr(found.value)) if isinstance(found, Out) else state


# --- figure 3 ----------------------------------------------------------------------------------

CLOSURE = Closure("x", parse("(+ x y)"), {"y": 10})


@pytest.mark.parametrize(
    ("text", "env", "expected"),
    [
        ("#t", {}, Ans(True)),
        ("#f", {}, Ans(False)),
        ("-12", {}, Ans(-12)),
        ("null", {}, Ans(())),
        ("(λ x . (+ x y))", {"y": 10}, Ans(CLOSURE)),
        ("x", {"x": 4}, Ans(4)),
        ("(+ x y)", {"x": 4, "y": 5}, Ans(9)),
        ("(+ x y)", {"x": 4, "y": True}, Err()),
        ("(+ x x x)", {"x": 4}, Err()),
        ("(f x)", {"f": CLOSURE, "x": 3}, Ans(13)),
        ("(f x)", {"f": 3, "x": CLOSURE}, Err()),
        ("(let (x 1) (let (x 2) x))", {}, Ans(2)),
        ("(let (x (error)) (abort))", {}, Err()),
        ("(let (x (abort)) (error))", {}, Abt()),
        ("(if x 1 (unknown x))", {"x": True}, Ans(1)),
        ("(if x 1 (unknown x))", {"x": 0}, Ans(1)),
        ("(if x 1 (unknown x))", {"x": ()}, Ans(1)),
        ("(if x 1 (unknown x))", {"x": CLOSURE}, Ans(1)),
        ("(if x (unknown x) 2)", {"x": False}, Ans(2)),
        ("(error)", {}, Err()),
        ("(abort)", {}, Abt()),
    ],
)
def test_concrete_rules(text: str, env: dict[str, Any], expected: Outcome) -> None:
    assert same_outcome(evaluate(parse(text), env), expected)


def test_closures_keep_the_environment_of_their_lambda() -> None:
    program = parse("(let (y 1) (let (f (λ x . (+ x y))) (let (y 100) (f y))))")
    assert evaluate(program, {}) == Ans(101)


@pytest.mark.parametrize("text", ["x", "(+ x x)", "(if x 1 2)", "(x x)", "(let (y 1) (y x))"])
def test_an_unbound_variable_is_stuck(text: str) -> None:
    with pytest.raises(Stuck, match="`x` has no value"):
        evaluate(parse(text), {})
    for factory in FACTORIES:
        with pytest.raises(Stuck, match="`x` has no value"):
            SymbolicEvaluator(factory).evaluate(parse(text), {})


@pytest.mark.parametrize(
    ("operator", "values", "expected"),
    [
        ("+", (2, 3), Ans(5)),
        ("*", (2, 3), Ans(6)),
        ("-", (2,), Ans(-2)),
        ("=", (2, 2), Ans(True)),
        ("<", (2, 2), Ans(False)),
        ("=", (True, True), Err()),
        ("+", (1, True), Err()),
        ("-", (2, 3), Err()),
        ("cons", (1, (2,)), Ans((1, 2))),
        ("cons", ((2,), 1), Err()),
        ("car", ((1, 2),), Ans(1)),
        ("car", ((),), Err()),
        ("cdr", ((1, 2),), Ans((2,))),
        ("cdr", ((),), Err()),
        ("null?", ((),), Ans(True)),
        ("null?", ((1,),), Ans(False)),
        ("null?", (False,), Err()),
        ("modulo", (1, 2), Err()),
    ],
)
def test_operators(operator: str, values: tuple[Any, ...], expected: Outcome) -> None:
    assert same_outcome(operate(operator, values), expected)


def test_representations_of_values_are_compared() -> None:
    assert not same(1, True)
    assert not same((0, 1), (0, True))
    assert not same((), False)
    assert same(CLOSURE, Closure("x", parse("(+ x y)"), {"y": 10}))
    for other in (
        Closure("w", parse("(+ x y)"), {"y": 10}),
        Closure("x", parse("(+ y x)"), {"y": 10}),
        Closure("x", parse("(+ x y)"), {"y": 11}),
        Closure("x", parse("(+ x y)"), {"y": 10, "z": 1}),
    ):
        assert not same(CLOSURE, other)
    assert not same_outcome(Err(), Abt())
    assert not same_outcome(Ans(1), Err())


OMEGA = "(let (f (λ x . (x x))) (f f))"


def test_fuel_bounds_the_depth_of_calls() -> None:
    with pytest.raises(Stuck, match="fuel"):
        evaluate(parse(OMEGA), {})
    for factory in FACTORIES:
        with pytest.raises(Stuck, match="fuel"):
            SymbolicEvaluator(factory).evaluate(parse(OMEGA), {})
    one_call = parse("(let (f (λ x . x)) (f f))")
    two_calls = parse("(let (f (λ x . x)) (let (g (λ x . (f x))) (g f)))")
    assert isinstance(evaluate(one_call, {}, 1), Ans)
    for program, needed in ((one_call, 1), (two_calls, 2)):
        with pytest.raises(Stuck):
            evaluate(program, {}, needed - 1)
        for factory in FACTORIES:
            evaluator = SymbolicEvaluator(factory)
            assert isinstance(evaluator.evaluate(program, {}, fuel=needed), Out)
            with pytest.raises(Stuck):
                evaluator.evaluate(program, {}, fuel=needed - 1)


# --- figure 6, with the toy factory: what the rules give, node by node ---------------------------


def test_literal() -> None:
    for text, value in (("#t", True), ("#f", False), ("5", 5), ("null", ())):
        found = toy(text)
        assert identical(found, Out(SIGMA, value))
        assert found.state is SIGMA


def test_closure() -> None:
    env = {"y": Z}
    expected = SymClosure("x", parse("(+ x y)"), {"y": Z})
    assert identical(toy("(λ x . (+ x y))", env), Out(SIGMA, expected))


def test_variable() -> None:
    assert identical(toy("x", {"x": Z}), Out(SIGMA, Z))


def test_callop() -> None:
    assert shown(toy("(+ x y)", {"x": Z, "y": 1})) == ("a", "b", "(z + 1)")
    # The operator errs: an assertion fails where the state is normal.
    assert shown(toy("(+ x y)", {"x": Z, "y": P})) == ("a", "(b && (!a))")
    # It errs under some models.
    assert shown(toy("(- x)", {"x": Phi(P, Z, True)})) == (
        "a",
        "(b && (!(a && (!(!(!p))))))",
        "(-z)",
    )


def test_callop_composes_assumptions_too() -> None:
    """No operator of the language aborts, but `strengthen` is for any result."""
    evaluator = SymbolicEvaluator(TOY)
    assert shown(evaluator.strengthen(SIGMA, Halt(State(False, True)))) == ("(a && (!b))", "b")
    assert shown(evaluator.strengthen(SIGMA, Out(State(P, Q), 3))) == (
        "(a && (!(b && (!p))))",
        "(b && (!(a && (!q))))",
        "3",
    )
    # `Result` of figure 4: a constant ff halts.
    assert isinstance(evaluator.strengthen(State(True, True), Out(State(True, False), 3)), Halt)
    assert isinstance(evaluator.strengthen(State(True, True), Out(State(False, True), 3)), Halt)


def closure(text: str, **environment: Any) -> SymClosure:
    return SymClosure("x", parse(text), environment)


def test_call() -> None:
    # One closure: its guard is tt.
    found = toy("(f y)", {"f": closure("(+ x k)", k=Z), "y": 4})
    assert shown(found) == ("(a && (!(!a)))", "(b && (!(!b)))", "(4 + z)")
    # A closure under some models only: an assertion fails under the others.
    env = {"f": Phi(P, closure("x"), 1), "y": 4}
    found = toy("(f y)", env, initial(TOY))
    assert outcomes(TOY, found, {"p": "bool"}) == [Err(), Ans(4)]


def test_call_evaluates_a_body_where_its_guard_holds() -> None:
    first, second = closure("(error)"), closure("(abort)")
    found = toy("(f y)", {"f": Phi(P, first, second), "y": 4}, initial(TOY))
    assert isinstance(found, Halt)
    assert outcomes(TOY, found, {"p": "bool"}) == [Abt(), Err()]


def test_callbad() -> None:
    # The value is no closure: γ is ff.
    assert shown(toy("(f f)", {"f": 42})) == ("a", "(b && (!a))")
    assert shown(toy("(f f)", {"f": Phi(P, 1, ())})) == ("a", "(b && (!a))")
    # A component of the state is ff; the closure is not called, or it would be stuck.
    for sigma in (State(A, False), State(False, B)):
        found = toy("(f f)", {"f": closure("unbound")}, sigma)
        assert isinstance(found, Halt)
        assert TOY.is_ff(found.state.assumes) or TOY.is_ff(found.state.asserts)


def test_let() -> None:
    assert identical(toy("(let (x y) (let (y 1) x))", {"y": Z}), Out(SIGMA, Z))
    # The state of the first part is that of the second.
    found = toy("(let (x (if p #t (error))) (abort))", {"p": P}, initial(TOY))
    assert outcomes(TOY, found, {"p": "bool"}) == [Err(), Abt()]


def test_lethalt() -> None:
    """The body is not evaluated, or it would be stuck."""
    assert shown(toy("(let (x (error)) unbound)")) == ("a", "(b && (!a))")
    assert shown(toy("(let (x (abort)) unbound)")) == ("(a && (!b))", "b")


def test_iftrue_and_iffalse() -> None:
    """The other branch is not evaluated, or it would be stuck."""
    for value in (True, 0, (), Z, closure("x"), Phi(P, 1, ())):
        assert identical(toy("(if x 1 unbound)", {"x": value}), Out(SIGMA, 1))
    assert identical(toy("(if x unbound 2)", {"x": False}), Out(SIGMA, 2))


def test_ifsym() -> None:
    found = toy("(if p 1 #t)", {"p": P})
    # Each branch starts with its condition assumed where no assertion has failed, and ends so.
    first, second = "(a && (!(b && (!p))))", "(a && (!(b && (!(!p)))))"
    then, otherwise = f"(!(p && (!{first})))", f"(!((!p) && (!{second})))"
    assert shown(found) == (
        f"(a && ({then} && {otherwise}))",
        "(b && ((!(p && (!b))) && (!((!p) && (!b)))))",
        "φ(p, 1, #t)",
    )


def test_ifsym_halts_if_both_branches_do() -> None:
    found = toy("(if p (error) (abort))", {"p": P}, initial(TOY))
    assert isinstance(found, Halt)
    assert outcomes(TOY, found, {"p": "bool"}) == [Abt(), Err()]
    found = toy("(if p (error) 5)", {"p": P}, initial(TOY))
    assert isinstance(found, Out)
    assert outcomes(TOY, found, {"p": "bool"}) == [Ans(5), Err()]


def test_ifsym_halts_if_the_state_cannot_be_normal() -> None:
    for sigma in (State(A, False), State(False, B)):
        assert isinstance(toy("(if p 1 2)", {"p": P}, sigma), Halt)


def test_error_and_abort() -> None:
    assert shown(toy("(error)")) == ("a", "(b && (!a))")
    assert shown(toy("(abort)")) == ("(a && (!b))", "b")


def test_folds_of_figure_6() -> None:
    evaluator = SymbolicEvaluator(TOY)
    assert evaluator.some(lambda b: b, []) is False
    assert evaluator.every(lambda b: b, []) is True
    assert repr(evaluator.every(lambda b: b, [P, Q, A])) == "(p && (q && a))"
    assert repr(evaluator.some(lambda b: b, [P, True])) == "True"


# --- the same on all factories -----------------------------------------------------------------


def outcomes(factory: Any, found: Result, sorts: dict[str, str]) -> list[Outcome]:
    for model in models(sorts):
        assert legal_under(factory, model, found)
    return [outcome_under(factory, model, found) for model in models(sorts)]


PROGRAMS = [
    "(if p (error) (abort))",
    "(let (u (if p 1 #f)) (if u (if q (error) u) (abort)))",
    "(let (u (if p x #f)) (+ u u))",
    "(let (f (if p (λ a . (+ a x)) (λ a . (if a (error) x)))) (f q))",
    "(let (f (if p (λ a . a) x)) (f q))",
    "(let (l null) (let (l (if p (cons x l) l)) (let (l (if q (cons p l) l)) (car l))))",
    "(let (l null) (let (m (cons x l)) (let (l (if p m q)) (let (b (null? l)) (cdr l)))))",
    "(let (_ (if p #t (error))) (let (_ (if q #t (abort))) _))",
    "(let (_ (if q #t (abort))) (let (_ (if p #t (error))) _))",
    "(let (b (< x y)) (let (c (= x y)) (let (m (if b x y)) (if c (error) (* m m)))))",
    "(let (f (λ g . (if p (error) (λ a . (g a))))) (let (h (λ a . (- a))) (let (k (f h)) (k x))))",
    "(let (n (if p (λ a . (if a 1 2)) (λ a . a))) (let (m (if q n (λ b . n))) (m x)))",
    E_ABS,
]


@each_factory
@pytest.mark.parametrize("text", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_under_all_models(factory: Any, text: str) -> None:
    test = Test.of(parse(text))
    assert violations(test, evaluator=SymbolicEvaluator(factory)) == {}


def test_what_illegal_results_are_under_a_model() -> None:
    """As figure 4 defines it, also where a result is not legal."""
    for found in (Halt(State(True, True)), Halt(State(False, False)), Out(State(False, False), 1)):
        assert outcome_under(TOY, {}, found) == Err()
        assert not legal_under(TOY, {}, found)


# --- examples ----------------------------------------------------------------------------------


def test_example_1() -> None:
    program = parse(E_ABS)
    assert evaluate(program, {"y": -1}) == Ans(True)
    assert evaluate(program, {"y": 0}) == Abt()
    with pytest.raises(Stuck, match="`y` has no value"):
        evaluate(program, {})


@each_factory
def test_example_2(factory: Any) -> None:
    integers = Run(Test.of(parse(E_ABS), {"y": "int"}), SymbolicEvaluator(factory))
    assert verify(integers) is None
    found = guess(integers)
    assert found is not None
    assert found["y"] != 0
    booleans = Run(Test.of(parse(E_ABS), {"y": "bool"}), SymbolicEvaluator(factory))
    assert guess(booleans) is None
    found = verify(booleans)
    assert found is not None
    assert isinstance(found["y"], bool)


def test_example_2_with_an_input_of_any_type() -> None:
    """`y` is an integer or a Boolean: `verify` finds the Boolean, `guess` the integer."""
    for factory in FACTORIES:
        program = parse(f"(let (y (if p y q)) {E_ABS})")
        run = Run(Test.of(program), SymbolicEvaluator(factory))
        found = verify(run)
        assert found is not None
        assert found["p"] is False
        found = guess(run)
        assert found is not None
        assert found["p"] is True


def test_example_3() -> None:
    b, b1 = P, Q
    truth = TOY.truth(Phi(b, b1, Z))
    assert repr(truth) == "(!(p && (!q)))"
    c = closure("x")
    assert identical(TOY.cast(Phi(b, c, Z)), [(b, c)])
    assert identical(TOY.merge([(b, 1), (TOY.not_(b), 2)]), Phi(b, 1, 2))
    assert TOY.merge([]) is False
    assert TOY.merge([(b, 5)]) == 5
    assert TOY.op("-", []) == Halt(State(True, False))
    assert TOY.op("-", [True]) == Halt(State(True, False))
    assert TOY.op("-", [c]) == Halt(State(True, False))
    assert TOY.op("-", [3]) == Out(State(True, True), -3)
    assert shown(TOY.op("-", [Z])) == ("True", "True", "(-z)")


@each_factory
def test_example_4(factory: Any) -> None:
    """`(error)` errs where the state is normal, and changes nothing elsewhere."""
    f = factory
    a, b = f.symbolic("a", "bool"), f.symbolic("b", "bool")
    for text, expected in (("(error)", Err()), ("(abort)", Abt())):
        found = SymbolicEvaluator(f).evaluate(parse(text), {}, State(a, b))
        for model, before in (
            ({"a": True, "b": True}, expected),
            ({"a": True, "b": False}, Err()),
            ({"a": False, "b": True}, Abt()),
        ):
            assert outcome_under(f, model, found) == before


def test_example_5() -> None:
    # CALLBAD.
    assert toy("(x1 x2)", {"x1": 42, "x2": 1}, initial(TOY)) == Halt(State(True, False))
    # CALL.
    b = Node("<", Z, 0)
    v1 = Phi(b, closure("0"), closure("1"))
    g1 = TOY.cast(v1)
    assert identical([guard for guard, _ in g1], [b, Node("!", b)])
    states = []

    class Watching(SymbolicEvaluator):
        def rule_literal(self, v: Any, sigma: State) -> Result:
            states.append(sigma)
            return super().rule_literal(v, sigma)

    evaluator = Watching(TOY)
    found = evaluator.evaluate(parse("(x1 x2)"), {"x1": v1, "x2": 7})
    assert isinstance(found, Out)
    gamma = evaluator.asserting(initial(TOY), evaluator.some(lambda g: g[0], g1)).asserts
    # The bodies are evaluated where their guards are assumed.
    first = State(Node("!", Node("&&", gamma, Node("!", b))), gamma)
    second = State(Node("!", Node("&&", gamma, Node("!", Node("!", b)))), gamma)
    assert identical(states, [first, second])
    assert identical(found.value, Phi(b, 0, 1))
    # Both components of the state are equivalent to tt.
    for z in (-1, 0, 1):
        assert TOY.bool_under({"z": z}, found.state.assumes)
        assert TOY.bool_under({"z": z}, found.state.asserts)


def test_example_6() -> None:
    assert identical(toy("(- x)", {"x": 0}), Out(SIGMA, 0))


@each_factory
def test_example_7(factory: Any) -> None:
    program = parse("(let (_ (if x #t (error))) (let (_ (if y #t (abort))) _))")
    test = Test.of(program, {"x": "bool", "y": "bool"})
    run = Run(test, SymbolicEvaluator(factory))
    assert isinstance(run.result, Out)
    for model, (assumes, asserts) in zip(run.models, run.bits, strict=True):
        b1, b2 = model["x"], model["y"]
        assert (assumes, asserts) == (not b1 or b2, b1)


def test_example_7_simplifies() -> None:
    program = parse("(let (_ (if x #t (error))) (let (_ (if y #t (abort))) _))")
    f = OptimisedFactory()
    test = Test.of(program, {"x": "bool", "y": "bool"})
    found = SymbolicEvaluator(f).evaluate(program, test.environment(f))
    assert (str(found.state.assumes), str(found.state.asserts)) == ("y or not x", "x")


@each_factory
def test_example_8(factory: Any) -> None:
    program = parse("(let (x2 (x1 x2)) (let (y (λ y . (y y))) (y y)))")
    env = {"x1": lift_value(factory, False), "x2": lift_value(factory, False)}
    found = SymbolicEvaluator(factory).evaluate(program, env)
    assert found == Halt(State(factory.tt, factory.ff))
    assert evaluate(program, {"x1": False, "x2": False}) == Err()


def figure_7(then: str, otherwise: str) -> Expression:
    return parse(f"(let (k 0) (let (m (* k n)) (let (b (= m k)) (if b {then} {otherwise}))))")


def test_figure_7a() -> None:
    """Only a factory that reduces 0 * n to 0 terminates."""
    program = figure_7("#t", OMEGA)
    optimised = SymbolicEvaluator(OptimisedFactory())
    env = {"n": optimised.factory.symbolic("n", "int")}
    assert optimised.evaluate(program, env) == Out(State(True, True), True)
    naive = SymbolicEvaluator(NaiveFactory())
    with pytest.raises(Stuck, match="fuel"):
        naive.evaluate(program, {"n": naive.factory.symbolic("n", "int")})


def test_figure_7b() -> None:
    """One halts and one does not, but they are equal under every model."""
    program = figure_7("(error)", "#t")
    optimised, naive = OptimisedFactory(), NaiveFactory()
    halted = SymbolicEvaluator(optimised).evaluate(program, {"n": optimised.symbolic("n", "int")})
    assert halted == Halt(State(True, False))
    out = SymbolicEvaluator(naive).evaluate(program, {"n": naive.symbolic("n", "int")})
    assert isinstance(out, Out)
    for n in range(-3, 4):
        assert outcome_under(optimised, {"n": n}, halted) == Err()
        assert outcome_under(naive, {"n": n}, out) == Err()


# --- text --------------------------------------------------------------------------------------

NAMES = st.sampled_from(["x", "y", "abs", "b0", "_", "λ1", "a-b", "-", "set!"]).filter(
    lambda name: name not in OPERATORS
)


def expressions() -> st.SearchStrategy[Expression]:
    leaves: st.SearchStrategy[Any] = st.one_of(
        st.builds(Literal, st.one_of(st.booleans(), st.integers(), st.just(()))),
        st.builds(Variable, NAMES),
        st.builds(
            Operation, st.sampled_from(list(OPERATORS)), st.lists(NAMES, max_size=3).map(tuple)
        ),
        st.builds(Call, NAMES, NAMES),
        st.builds(Error),
        st.builds(Abort),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(Lambda, NAMES, inner),
            st.builds(Let, NAMES, inner, inner),
            st.builds(If, NAMES, inner, inner),
        ),
        max_leaves=20,
    )


@given(expressions())
def test_text_round_trips(program: Expression) -> None:
    text = show(program)
    assert parse(text) == program
    # Blanks and comments between the tokens do not matter.
    assert parse(text.replace("(", "\n ( ").replace(")", " ; (comment)\n)")) == program


def test_canonical_text() -> None:
    assert show(parse("(lambda x . (let (y #t)\n (if y null (f x))))")) == (
        "(λ x . (let (y #t) (if y null (f x))))"
    )
    assert parse("1") != parse("#t")
    assert parse("0") != parse("#f")


BAD = [
    ("", 1, "there is no program in this text"),
    ("; only a comment", 1, "there is no program in this text"),
    ("(let (x 1)\n  (if x\n 2", 3, "the program ends too early; a `)` is missing"),
    ("(error", 1, "a `)` is missing"),
    (")", 1, "an expression is needed here, not `)`"),
    ("x\n\ny", 3, "the program has ended, but `y` follows"),
    ("(error))", 1, "the program has ended, but `)` follows"),
    ("(error x)", 1, "`)` is needed here, not `x`"),
    ("(f 1)", 1, "a variable is needed here, not `1`; name it with `let`"),
    ("\n(f (g x))", 2, "a variable is needed here, not `(`; name it with `let`"),
    ("((f x) y)", 1, "a variable is needed here, not `(`; name it with `let`"),
    ("(+ x\n 2)", 2, "a variable is needed here, not `2`; name it with `let`"),
    ("(if (< x y) 1 2)", 1, "a variable is needed here, not `(`; name it with `let`"),
    ("(let (if 2) 3)", 1, "a variable is needed here, not `if`"),
    ("(let x 2 3)", 1, "`(` is needed here, not `x`"),
    ("(let (x 2))", 1, "an expression is needed here, not `)`"),
    ("(λ x (+ x x))", 1, "`.` is needed here, not `(`"),
    ("(f x y)", 1, "`)` is needed here, not `y`"),
    ("(f)", 1, "a variable is needed here, not `)`"),
    ("if", 1, "`if` is no expression; it starts one in parentheses: `(if ...)`"),
    ("(let (x +)\n 1)", 1, "`+` is no expression; it starts one in parentheses: `(+ ...)`"),
    ("(let (x\n 1.5) x)", 2, "`1.5` is no expression; literals are integers, `#t`, `#f`"),
    ("#true", 1, "`#true` is no expression; literals are integers, `#t`, `#f`"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD, ids=range(len(BAD)))
def test_bad_texts(text: str, line: int, message: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text, "bad.scm")
    assert str(caught.value).startswith(f"bad.scm:{line}: ")
    assert message in str(caught.value)


def test_what_a_program_consists_of() -> None:
    program = parse("(let (f (λ x . (x y))) (if p (f q) (let (y y) (+ y z))))")
    assert free_variables(program) == ["y", "p", "q", "z"]
    assert size(program) == 8
    assert has_calls(program)
    assert not has_calls(parse("(let (x (+ y y)) (λ z . (error)))"))
    assert [show(found) for found in walk(parse("(if x 1 (let (y 2) 3))"))] == [
        "(if x 1 (let (y 2) 3))",
        "1",
        "(let (y 2) 3)",
        "2",
        "3",
    ]


# --- deep programs -----------------------------------------------------------------------------

DEPTH = 5_000


def deep(opening: str, inner: str, closing: str) -> str:
    return opening * DEPTH + inner + closing * DEPTH


@pytest.mark.parametrize(
    "text",
    [
        deep("(let (x x) ", "x", ")"),
        deep("(let (x ", "x", ") x)"),
        deep("(if p ", "x", " x)"),
        deep("(let (x (+ x x)) ", "x", ")"),
    ],
    ids=["body", "value", "branch", "sum"],
)
def test_deep_programs(text: str) -> None:
    limit = sys.getrecursionlimit()
    assert limit < DEPTH
    program = parse(text)
    assert show(program) == text
    expected = evaluate(program, {"x": 1, "p": True})
    test = Test.of(program)
    assert test.size > DEPTH
    for factory in FACTORIES:
        if text.startswith("(if") and isinstance(factory, NaiveFactory):
            # The size of a flat union grows with each branch: these are quadratic.
            continue
        found = SymbolicEvaluator(factory).evaluate(program, test.environment(factory))
        assert same_outcome(outcome_under(factory, {"x": 1, "p": True}, found), expected)
    assert sys.getrecursionlimit() == limit


def test_deep_calls() -> None:
    """A hundred calls within each other, each of them deep in an expression."""
    counting = parse(
        "(let (f (λ s . (λ n . (let (z 0) (let (m -1) (let (b (= n z)) "
        f"(if b n {'(let (u n) ' * 200} (let (r (s s)) (let (k (+ n m)) (r k))) {')' * 200}))))))) "
        "(let (h (f f)) (h n)))"
    )
    assert evaluate(counting, {"n": 40}) == Ans(0)
    for factory in FACTORIES:
        found = SymbolicEvaluator(factory).evaluate(counting, {"n": factory.lift(40)})
        assert found == Out(State(True, True), 0)


def test_the_recursion_limit_is_shared_by_threads() -> None:
    before = sys.getrecursionlimit()
    entered, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with deep_recursion():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=stay)
    thread.start()
    assert entered.wait(10)
    with deep_recursion():
        raised = sys.getrecursionlimit()
    still = sys.getrecursionlimit()
    leave.set()
    thread.join()
    assert raised == still > before
    assert sys.getrecursionlimit() == before
