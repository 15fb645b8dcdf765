"""The three factories against the specification of figure 4 and definition 5.

Values are built from recipes, whose meaning under a model is computed directly, so that the
interpretation functions of the factories are tested too.  "Under every model" is checked on all
models of a small domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.reference.concrete import (
    Abt,
    Ans,
    Closure,
    Err,
    Outcome,
    Value,
    operate,
    same,
    same_outcome,
)
from solvent.reference.factory import (
    Halt,
    Out,
    State,
    SymClosure,
    legal_under,
    lift_environment,
    lift_value,
    outcome_under,
    result,
)
from solvent.reference.naive import GuardedUnion, NaiveFactory
from solvent.reference.optimised import OptimisedFactory, Procedure
from solvent.reference.syntax import OPERATORS, parse
from solvent.reference.theorems import identical, is_lifted, is_lifted_outcome
from solvent.reference.toy import Phi, ToyFactory
from solvent.terms.model import Model, evaluate
from solvent.terms.sorts import Bool, Int

FACTORIES: list[Any] = [ToyFactory(), NaiveFactory(), OptimisedFactory()]
SORTS = {"p": "bool", "q": "bool", "z": "int"}
MODELS: list[dict[str, Any]] = [
    {"p": p, "q": q, "z": z} for p, q, z in product((False, True), (False, True), (-1, 0, 2))
]

each_factory = pytest.mark.parametrize(
    "factory", FACTORIES, ids=lambda factory: type(factory).__name__
)

BODY = parse("(+ x y)")

# --- recipes: nested tuples that start with what is to be done -----------------------------------

Recipe = tuple[Any, ...]

TRUE, FALSE = ("constant", True), ("constant", False)
P, Q = ("symbol", "p"), ("symbol", "q")
Z = ("symbol", "z")
NEGATIVE = ("op", "<", Z, ("constant", 0))
IS_TWO = ("op", "=", Z, ("constant", 2))


def constant(value: Value) -> Recipe:
    return ("constant", value)


def choose(guard: Recipe, then: Recipe, otherwise: Recipe) -> Recipe:
    return ("choose", guard, then, otherwise)


def build(f: Any, recipe: Recipe) -> Any:
    """The symbolic value of a recipe."""
    match recipe:
        case "constant", value:
            return lift_value(f, value)
        case "symbol", name:
            return f.symbolic(name, SORTS[name])
        case "op", operator, *operands:
            made = f.op(operator, [build(f, operand) for operand in operands])
            assert isinstance(made, Out)
            return made.value
        case "choose", guard, then, otherwise:
            b = f.truth(build(f, guard))
            return f.merge([(b, build(f, then)), (f.not_(b), build(f, otherwise))])
        case "closure", variable, inner:
            return f.lift(SymClosure(variable, BODY, {"y": build(f, inner)}))
        case _:
            raise AssertionError(recipe)


def mean(recipe: Recipe, model: dict[str, Any]) -> Value:
    """The concrete value of a recipe."""
    match recipe:
        case "constant", value:
            return value
        case "symbol", name:
            return model[name]
        case "op", operator, *operands:
            made = operate(operator, tuple(mean(operand, model) for operand in operands))
            assert isinstance(made, Ans)
            return made.value
        case "choose", guard, then, otherwise:
            return mean(otherwise if mean(guard, model) is False else then, model)
        case "closure", variable, inner:
            return Closure(variable, BODY, {"y": mean(inner, model)})
        case _:
            raise AssertionError(recipe)


def pair(a: Recipe, b: Recipe) -> Recipe:
    return ("op", "cons", a, ("op", "cons", b, constant(())))


ONE = ("op", "cons", Z, constant(()))
CLOSURE = ("closure", "x", Z)
OTHER = ("closure", "w", P)

PLAIN = [TRUE, FALSE, constant(0), constant(-2), constant(()), constant((1, (True, ()))), P, Z]
BUILT = [
    NEGATIVE,
    ("op", "+", Z, constant(1)),
    ONE,
    CLOSURE,
    # Values of one class, and of different ones.
    choose(P, Z, constant(7)),
    choose(P, Q, TRUE),
    choose(P, Z, FALSE),
    choose(NEGATIVE, ONE, constant((5,))),
    choose(P, ONE, constant(())),
    choose(P, pair(Z, P), ONE),
    choose(P, CLOSURE, OTHER),
    choose(P, CLOSURE, constant(1)),
    pair(choose(P, Z, FALSE), choose(Q, ONE, constant(()))),
    # Choices in choices.
    choose(P, choose(Q, Z, FALSE), choose(IS_TWO, ONE, Z)),
    choose(P, choose(Q, CLOSURE, constant(())), choose(NEGATIVE, OTHER, CLOSURE)),
    choose(P, choose(Q, pair(P, Z), constant(())), choose(Q, constant(()), FALSE)),
    choose(choose(P, Z, Q), constant(()), choose(P, TRUE, constant(3))),
    ("closure", "x", choose(P, Z, choose(Q, FALSE, ONE))),
]
RECIPES = [*PLAIN, *BUILT]


def recipes() -> st.SearchStrategy[Recipe]:
    """Recipes of any depth."""
    leaves = st.sampled_from(PLAIN)

    def larger(inner: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
        guards = st.one_of(inner, st.sampled_from([P, Q, NEGATIVE, IS_TWO]))
        return st.one_of(
            st.builds(choose, guards, inner, inner),
            st.builds(pair, inner, inner),
            st.builds(lambda x, v: ("closure", x, v), st.sampled_from("xw"), inner),
            st.just(constant(())),
        )

    return st.recursive(leaves, larger, max_leaves=8)


# --- figure 4 ----------------------------------------------------------------------------------


def check_value(f: Any, recipe: Recipe) -> None:
    """Interpretation, truth, cast, parts of one value."""
    v = build(f, recipe)
    truth, cast = f.truth(v), f.cast(v)
    for model in MODELS:
        value = mean(recipe, model)
        assert same(f.value_under(model, v), value)
        assert f.bool_under(model, truth) is (value is not False)
        chosen = [closure for guard, closure in cast if f.bool_under(model, guard)]
        if isinstance(value, Closure):
            assert len(chosen) == 1
            assert same(f.value_under(model, f.lift(chosen[0])), value)
        else:
            assert chosen == []
        assert same(by_parts(f, v, model), value)


def by_parts(f: Any, v: Any, model: dict[str, Any]) -> Value:
    """What a value is under a model, computed from `parts` alone as an oracle does."""
    holding = [part for guard, part in f.parts(v) if evaluate(guard, model)]
    assert len(holding) == 1
    match holding[0]:
        case tuple() as items:
            return tuple(by_parts(f, item, model) for item in items)
        case SymClosure(variable, body, environment):
            inner = {name: by_parts(f, value, model) for name, value in environment.items()}
            return Closure(variable, body, inner)
        case part:
            found: Value = evaluate(part, model)
            return found


def check_op(f: Any, operator: str, operands: Sequence[Recipe]) -> None:
    values = [build(f, operand) for operand in operands]
    found = f.op(operator, values)
    for model in MODELS:
        expected = operate(operator, tuple(mean(operand, model) for operand in operands))
        assert same_outcome(outcome_under(f, model, found), expected), (operator, operands, model)
        assert legal_under(f, model, found)


@each_factory
@pytest.mark.parametrize("recipe", RECIPES, ids=range(len(RECIPES)))
def test_interpretation_truth_cast_and_parts(factory: Any, recipe: Recipe) -> None:
    check_value(factory, recipe)


@each_factory
@settings(max_examples=60)
@given(recipe=recipes())
def test_interpretation_truth_cast_and_parts_of_any_value(factory: Any, recipe: Recipe) -> None:
    check_value(factory, recipe)


@each_factory
@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_on_all_pairs(factory: Any, operator: str) -> None:
    for operands in product(RECIPES, repeat=OPERATORS[operator]):
        check_op(factory, operator, operands)


@each_factory
@settings(max_examples=60)
@given(
    operator=st.sampled_from(list(OPERATORS)), operands=st.lists(recipes(), min_size=2, max_size=2)
)
def test_operators_on_any_values(factory: Any, operator: str, operands: list[Recipe]) -> None:
    check_op(factory, operator, operands[: OPERATORS[operator]])


@each_factory
@pytest.mark.parametrize("operator", [*OPERATORS, "unknown"])
def test_a_wrong_number_of_operands_is_an_error(factory: Any, operator: str) -> None:
    for count in range(4):
        if count != OPERATORS.get(operator):
            for operand in (constant(()), Z, choose(P, Z, FALSE)):
                check_op(factory, operator, [operand] * count)


GUARDS = [TRUE, FALSE, P, Q, NEGATIVE, IS_TWO, choose(P, Q, FALSE), choose(P, FALSE, Q)]


def check_merge(f: Any, rows: Sequence[tuple[Recipe, Recipe]]) -> bool:
    """Whether a model makes exactly one guard true."""
    v = f.merge([(f.truth(build(f, guard)), build(f, value)) for guard, value in rows])
    tried = False
    for model in MODELS:
        chosen = [value for guard, value in rows if mean(guard, model) is not False]
        if len(chosen) == 1:
            tried = True
            assert same(f.value_under(model, v), mean(chosen[0], model)), (rows, model)
    return tried


@each_factory
def test_merge_with_exactly_one_true_guard(factory: Any) -> None:
    values = [Z, constant(0), FALSE, ONE, CLOSURE, choose(Q, Z, constant(())), choose(P, Q, ONE)]
    tried = 0
    for guards in product(GUARDS, repeat=3):
        for shift in range(len(values)):
            chosen = [values[(shift + 2 * place) % len(values)] for place in range(3)]
            tried += check_merge(factory, list(zip(guards, chosen, strict=True)))
    assert tried > 1000


@each_factory
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(st.sampled_from(GUARDS), recipes()), max_size=4))
def test_merge_of_any_values(factory: Any, rows: list[tuple[Recipe, Recipe]]) -> None:
    check_merge(factory, rows)


@each_factory
def test_where_no_guard_holds_a_merged_value_is_still_some_value(factory: Any) -> None:
    """Figure 4 leaves open which one, but the operations must agree on it."""
    b = factory.truth(factory.symbolic("p", "bool"))
    closure = SymClosure("x", BODY, {})
    for v in (factory.merge([]), factory.merge([(b, factory.lift(closure))])):
        for model in MODELS:
            value = factory.value_under(model, v)
            assert factory.bool_under(model, factory.truth(v)) is (value is not False)
            holding = [c for guard, c in factory.cast(v) if factory.bool_under(model, guard)]
            assert bool(holding) is isinstance(value, Closure)


@each_factory
def test_symbolic_booleans(factory: Any) -> None:
    f = factory
    booleans = [f.truth(build(f, recipe)) for recipe in (*GUARDS, *BUILT)]
    for model in MODELS:
        assert f.bool_under(model, f.tt) is True
        assert f.bool_under(model, f.ff) is False
        meanings = [f.bool_under(model, b) for b in booleans]
        for a, x in zip(booleans, meanings, strict=True):
            assert f.bool_under(model, f.not_(a)) is (not x)
            for b, y in zip(booleans, meanings, strict=True):
                assert f.bool_under(model, f.and_(a, b)) is (x and y)
                assert f.bool_under(model, f.or_(a, b)) is (x or y)
                assert f.bool_under(model, f.imp(a, b)) is (not x or y)


@each_factory
def test_symbolic_booleans_as_terms(factory: Any) -> None:
    for recipe in RECIPES:
        truth = factory.truth(build(factory, recipe))
        for b in (truth, factory.not_(truth), factory.imp(truth, truth)):
            term = factory.term(b)
            for model in MODELS:
                assert evaluate(term, model) is factory.bool_under(model, b)


@each_factory
def test_models_may_be_those_of_solvers(factory: Any) -> None:
    v = build(factory, choose(P, Z, FALSE))
    assert factory.value_under(Model({Bool("p"): True, Int("z"): 5}), v) == 5
    assert factory.value_under(Model({Int("z"): 5}), v) is False
    assert factory.value_under(Model({Bool("p"): True}), v) == 0
    assert factory.bool_under(Model({Bool("p"): True}), factory.truth(v)) is True


@each_factory
def test_only_the_constants_themselves_are_constant(factory: Any) -> None:
    p = factory.truth(factory.symbolic("p", "bool"))
    assert [factory.is_tt(b) for b in (factory.tt, factory.ff, p)] == [True, False, False]
    assert [factory.is_ff(b) for b in (factory.tt, factory.ff, p)] == [False, True, False]
    assert isinstance(result(factory, State(factory.tt, p), 1), Out)
    assert result(factory, State(p, factory.ff), 1) == Halt(State(p, factory.ff))
    assert result(factory, State(factory.ff, p), 1) == Halt(State(factory.ff, p))


# --- definition 5 ------------------------------------------------------------------------------

CONCRETE: list[Value] = [
    True,
    False,
    0,
    1,
    -7,
    10**30,
    (),
    (1,),
    (False, (2, ()), 3),
    Closure("x", BODY, {}),
    Closure("x", BODY, {"y": 1, "z": (True, Closure("w", BODY, {"y": ()}))}),
    (Closure("x", BODY, {"y": False}), 5),
]


@each_factory
def test_reducing_on_booleans(factory: Any) -> None:
    f = factory
    lifted = {True: f.tt, False: f.ff}
    for a in (True, False):
        assert f.not_(lifted[a]) is lifted[not a]
        for b in (True, False):
            assert f.and_(lifted[a], lifted[b]) is lifted[a and b]
            assert f.or_(lifted[a], lifted[b]) is lifted[a or b]
            assert f.imp(lifted[a], lifted[b]) is lifted[not a or b]


@each_factory
@pytest.mark.parametrize("value", CONCRETE, ids=range(len(CONCRETE)))
def test_reducing_on_values(factory: Any, value: Value) -> None:
    f = factory
    lifted = lift_value(f, value)
    assert is_lifted(f, lifted, value)
    assert same(f.value_under({}, lifted), value)
    assert f.truth(lifted) is (f.ff if value is False else f.tt)
    assert is_lifted(f, f.merge([(f.tt, lifted)]), value)
    cast = f.cast(lifted)
    if isinstance(value, Closure):
        [(guard, closure)] = cast
        assert f.is_tt(guard)
        assert (closure.variable, closure.body) == (value.variable, value.body)
        expected = SymClosure("x", BODY, lift_environment(f, value.environment))
        assert identical(closure, expected)
    else:
        assert cast == []


@each_factory
@pytest.mark.parametrize("operator", OPERATORS)
def test_reducing_on_operators(factory: Any, operator: str) -> None:
    for count in range(3):
        for values in product(CONCRETE, repeat=count):
            found = factory.op(operator, [lift_value(factory, value) for value in values])
            expected: Outcome = operate(operator, values)
            assert is_lifted_outcome(factory, found, expected), (operator, values)


def test_lifted_outcomes() -> None:
    f = NaiveFactory()
    p = f.symbolic("p", "bool")
    assert is_lifted_outcome(f, Halt(State(True, False)), Err())
    assert is_lifted_outcome(f, Halt(State(False, True)), Abt())
    assert is_lifted_outcome(f, Out(State(True, True), 1), Ans(1))
    for found in (
        Halt(State(True, p)),
        Halt(State(False, True)),
        Out(State(True, True), 1),
        Halt(State(False, False)),
    ):
        assert not is_lifted_outcome(f, found, Err())
    for found in (
        Out(State(True, True), True),
        Out(State(p, True), 1),
        Out(State(True, p), 1),
        Out(State(True, True), GuardedUnion(((True, 1),))),
        Halt(State(True, True)),
    ):
        assert not is_lifted_outcome(f, found, Ans(1))


# --- representations ---------------------------------------------------------------------------


def test_toy_values_are_phi_expressions() -> None:
    f = ToyFactory()
    assert repr(build(f, choose(P, Z, FALSE))) == "φ(p, z, #f)"
    assert repr(f.op("-", [build(f, choose(P, Z, FALSE))])) == (
        "Out(state=State(assumes=True, asserts=(!(!p))), value=(-z))"
    )


def test_toy_merges_the_first_choice_outermost() -> None:
    f = ToyFactory()
    p, q, r = (f.symbolic(name, "bool") for name in "pqr")
    assert repr(f.merge([(p, 1), (q, 2), (r, 3)])) == "φ(p, 1, φ(q, 2, 3))"


@each_factory
def test_cons_does_not_look_at_its_first_operand(factory: Any) -> None:
    choice = build(factory, choose(P, Z, FALSE))
    made = factory.op("cons", [choice, factory.lift(())])
    assert isinstance(made, Out)
    assert isinstance(made.value, tuple)
    assert made.value[0] is choice
    assert factory.is_tt(made.state.asserts)


def test_naive_unions_drop_what_never_applies() -> None:
    f = NaiveFactory()
    p = f.symbolic("p", "bool")
    assert repr(f.merge([(f.ff, 1), (p, 2), (f.and_(p, f.ff), 3)])) == "[p: 2]"
    assert f.merge([(p, 1), (f.tt, 2)]) == 2


def test_optimised_operators_assert_nothing_if_no_member_is_wrong() -> None:
    f = OptimisedFactory()
    lists = choose(NEGATIVE, constant(()), choose(IS_TWO, ONE, constant((1, 2))))
    made = f.op("null?", [build(f, lists)])
    assert isinstance(made, Out)
    assert made.state == State(True, True)


def test_naive_unions_are_flat() -> None:
    f = NaiveFactory()
    v = build(f, choose(P, choose(Q, Z, FALSE), choose(NEGATIVE, constant(1), constant(2))))
    assert isinstance(v, GuardedUnion)
    assert [value for _, value in v.choices if isinstance(value, GuardedUnion)] == []
    assert len(v.choices) == 4
    # Nothing is simplified: a choice between equal values is a choice.
    assert len(build(f, choose(P, constant(1), constant(1))).choices) == 2


def test_optimised_values_are_those_of_lifted_code() -> None:
    f = OptimisedFactory()
    assert str(build(f, choose(P, Z, constant(3)))) == "ite(p, z, 3)"
    assert str(build(f, choose(P, pair(Z, P), pair(constant(1), P)))) == "(ite(p, z, 1), p)"
    assert build(f, choose(P, constant(1), constant(1))) == 1
    assert isinstance(build(f, CLOSURE), Procedure)


def test_sizes() -> None:
    """Trees count shared nodes again, graphs do not."""
    tree, graph = NaiveFactory(), OptimisedFactory()
    sizes = {}
    for f in (tree, graph):
        p, q = f.symbolic("p", "bool"), f.symbolic("q", "bool")
        both = f.and_(p, q)
        shared = f.and_(f.not_(both), f.or_(both, f.symbolic("r", "bool")))
        sizes[f] = f.size(f.tt), f.size(p), f.size(both), f.size(both, both), f.size(shared)
    assert sizes[tree] == (1, 1, 3, 6, 13)
    assert sizes[graph][:4] == (1, 1, 3, 3)
    assert sizes[graph][4] < sizes[tree][4]


@each_factory
def test_closures_that_share_their_environments(factory: Any) -> None:
    """There are 2^200 paths through the environments, but only 200 closures."""
    environment: dict[str, Any] = {"p": factory.symbolic("p", "bool")}
    for place in range(200):
        closure = factory.lift(SymClosure("x", BODY, dict(environment)))
        environment = {"a": closure, "b": closure, "c": place}
    value = factory.value_under({"p": True}, environment["a"])
    again = factory.value_under({"p": True}, environment["a"])
    other = factory.value_under({"p": False}, environment["a"])
    assert same(value, again)
    assert not same(value, other)
    assert is_lifted(factory, lift_value(factory, 3), 3)


@each_factory
def test_deep_symbolic_booleans(factory: Any) -> None:
    b = factory.symbolic("p", "bool")
    for place in range(20_000):
        b = factory.or_(factory.not_(b), factory.symbolic(f"q{place % 3}", "bool"))
    assert factory.size(b) > 0
    model = {"p": True, "q0": False, "q1": False, "q2": False}
    assert factory.bool_under(model, b) is evaluate(factory.term(b), Model({Bool("p"): True}))


def test_phi_is_no_lifted_value() -> None:
    f = ToyFactory()
    closure = SymClosure("x", BODY, {})
    assert not is_lifted(f, Phi(True, closure, closure), Closure("x", BODY, {}))
