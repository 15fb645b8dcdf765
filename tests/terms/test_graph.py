"""Walking over terms: order, size, constants, substitution, pickling, and great depth."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError, UnknownConstantError
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Function,
    Int,
    Real,
    Term,
    and_,
    bv,
    concat,
    constants,
    distinct,
    eq,
    evaluate,
    exists,
    extract,
    forall,
    ite,
    not_,
    or_,
    pretty,
    sign_extend,
    size,
    store,
    substitute,
    sweep,
    uninterpreted_sort,
)
from solvent.terms.cases import cases
from solvent.terms.graph import flatten, reachable, sorts, unflatten
from tests.terms.expressions import Operator, programs, run

x, y, z = Int("x"), Int("y"), Int("z")
p, q = Bool("p"), Bool("q")
DEPTH = 200_000

SAMPLES: list[Any] = [
    x,
    x + 1,
    (x + y) * (x + y),
    ite(p, x, y) <= 3,
    and_(p, or_(q, x == y)),
    Real("u") / 3 + Fraction(1, 7),
    extract(5, 2, BitVec("b", 8)) + 3,
    concat(BitVec("b", 8), sign_extend(4, BitVec("c", 4))),
    store(Array("a", Int, Bool), x, p)[y],
    Function("f", [Int, Bool], Int)(x, True),
    forall([x], exists([y], x > y)),
    uninterpreted_sort("Colour")("red") == uninterpreted_sort("Colour")("blue"),
    Int.fresh("x") + x,
    distinct(x, y, z),
    and_(BitVec("b", 8) == bv(3, 8), not_(p)),
]


# --- order, size, constants --------------------------------------------------------------------


@pytest.mark.parametrize("term", SAMPLES, ids=str)
def test_reachable_lists_arguments_first_and_once(term: Any) -> None:
    terms = reachable([term])
    position = {t: i for i, t in enumerate(terms)}
    assert len(position) == len(terms)
    assert terms[-1] is term
    for t in terms:
        for arg in t.args:
            if isinstance(arg, Term):
                assert position[arg] < position[t]


def test_reachable_of_several_roots_and_values() -> None:
    assert reachable([]) == []
    assert reachable([3, True, "a"]) == []
    assert set(reachable([x + y, x * y])) == {x, y, x + y, x * y}


def test_size_counts_shared_terms_once() -> None:
    assert size(x) == 1
    assert size(3) == 0
    assert size((x + 1) * (x + 1)) == 3
    assert size(x + 1, x + 1, x) == 2
    term: Any = x
    for _ in range(100):
        term = term * term
    assert size(term) == 101


def test_constants_are_in_order_of_age() -> None:
    a, b = Int.fresh("later"), Int.fresh("later")
    assert constants(b + a) == [a, b]
    assert constants(b, a + b) == [a, b]
    assert constants(3) == []
    assert constants(ite(p, x, 0) > y) == sorted([p, x, y], key=lambda c: c.id)


def test_sorts() -> None:
    assert sorts(ite(p, x, 1) == y) == {Bool, Int}


# --- constants ---------------------------------------------------------------------------------


def test_a_name_gives_the_same_constant_each_time() -> None:
    assert Int("x") is x
    assert Int("x") is not Bool("x")
    assert BitVec("x", 8) is BitVec(8)("x")
    assert BitVec("x", 8) is not BitVec("x", 9)
    assert x.name == "x"
    assert x.is_constant
    assert x.args == ()


def test_a_fresh_constant_is_new_each_time() -> None:
    fresh = [Int.fresh("x") for _ in range(10)]
    assert len({id(c) for c in fresh}) == 10
    assert len({c.name for c in fresh}) == 10
    assert all(c is not x and c.name.startswith("x!") for c in fresh)
    assert BitVec.fresh("v", 8) is not BitVec.fresh("v", 8)
    assert Array.fresh("v", Int, Int).sort is Array(Int, Int)
    assert Bool.fresh().sort is Bool


def test_a_fresh_constant_differs_from_one_that_is_named_alike() -> None:
    fresh = Int.fresh("alike")
    named = Int(fresh.name)
    assert named is not fresh
    assert evaluate(fresh - named, {fresh: 3, named: 1}) == 2


def test_a_term_that_is_no_constant_has_no_name() -> None:
    assert not (x + 1).is_constant
    with pytest.raises(SortError, match=r"x \+ 1 \(Int\) is not a constant and has no name"):
        _ = (x + 1).name


def test_terms_are_immutable_in_shape_and_hash_by_identity() -> None:
    assert hash(x) == hash(Int("x"))
    assert {x: 1}[Int("x")] == 1
    assert x + 1 in {x + 1}
    assert not hasattr(x, "__dict__")
    with pytest.raises(AttributeError):
        x.something = 1


# --- substitution ------------------------------------------------------------------------------


def test_substitution() -> None:
    assert substitute(x * 2 + y, {x: 3, "y": y + 1}) is y + 7
    assert substitute(x + y, {x: y, y: x}) is x + y
    assert substitute(x * y + x, {x: 2, y: 5}) == 12
    assert substitute(and_(p, q), {p: True}) is q
    assert substitute(ite(p, x, y), {p: False}) is y
    assert substitute(x + y, {}) is x + y
    assert substitute(x + y, {z: 3}) is x + y
    assert substitute(5, {x: 3}) == 5
    assert substitute(x, {x: True}) == 1
    assert substitute(BitVec("b", 8) + 1, {"b": -1}) == bv(0, 8)


def test_substitution_of_subterms() -> None:
    assert substitute((x + y) * z + (x + y), {x + y: z}) is z * z + z
    # A replaced term is not looked into any more.
    assert substitute(x + y, {x + y: x, x: 1}) is x


def test_substitution_is_simultaneous() -> None:
    assert substitute(x * 3 + y, {x: y, y: x}) is y * 3 + x


@pytest.mark.parametrize(
    ("replacements", "error", "words"),
    [
        ({x: "a"}, SortError, r"'a' \(str\) is not of sort Int"),
        ({x: BitVec("b", 8)}, SortError, r"b \(BitVec\(8\)\) is not of sort Int"),
        ({3: x}, SortError, r"only terms and names can be replaced, not 3 \(int\)"),
        ({"y": None}, SortError, r"None \(NoneType\) is not of sort Int"),
    ],
)
def test_errors_of_substitution(replacements: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        substitute(x + y, replacements)


def test_an_ambiguous_name() -> None:
    formula = and_(Int("same") > 0, eq(BitVec("same", 8), 1))
    with pytest.raises(UnknownConstantError, match=r"'same' is ambiguous \(.*; use the constant"):
        substitute(formula, {"same": 1})
    with pytest.raises(UnknownConstantError, match=r"ambiguous \(.*Int.*\)"):
        evaluate(formula, {"same": 1})
    assert evaluate(formula, {Int("same"): 1, BitVec("same", 8): 1}) is True


OPERATORS = [
    Operator("+", lambda a, b: a + b, "int int", "int"),
    Operator("*", lambda a, b: a * b, "int int", "int"),
    Operator("<=", lambda a, b: a <= b, "int int", "bool"),
    Operator("and", and_, "bool bool", "bool"),
    Operator("not", not_, "bool", "bool"),
    Operator("ite", ite, "bool int int", "int"),
]


@given(programs(OPERATORS, longest=10), st.integers(-3, 3), st.integers(-3, 3), st.booleans())
def test_substitution_is_evaluation_in_steps(program: Any, a: int, b: int, flag: bool) -> None:
    """Replacing by terms and evaluating is evaluating under the values of these terms."""
    replacements: dict[Any, Any] = {x: y + 1, y: x * y, p: and_(q, x <= y)}
    assignment = {x: a, y: b, q: flag, p: flag}
    composed = {c: evaluate(t, assignment) for c, t in replacements.items()} | {q: flag}
    for term in run(program, {"int": [x, y], "bool": [p, q]}):
        replaced = substitute(term, replacements)
        assert evaluate(replaced, assignment) == evaluate(term, composed)


# --- copies and pickles ------------------------------------------------------------------------


@pytest.mark.parametrize("term", SAMPLES, ids=str)
def test_copies_and_pickles_are_the_same_term(term: Any) -> None:
    assert copy.copy(term) is term
    assert copy.deepcopy(term) is term
    assert copy.deepcopy([term])[0] is term
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(term, protocol)) is term


@pytest.mark.parametrize("sort", [Bool, Int, Real, BitVec(7), Array(Int, BitVec(3))], ids=str)
def test_pickled_sorts_are_the_same(sort: Any) -> None:
    assert pickle.loads(pickle.dumps(sort)) is sort
    assert copy.deepcopy(sort) is sort


def test_terms_are_flattened_together() -> None:
    roots = [x + y, x + y, x, (x + y) * 2]
    rows, positions = flatten(roots)
    assert len(rows) == 4
    assert all(a is b for a, b in zip(unflatten((rows, positions)), roots, strict=True))


# --- depth -------------------------------------------------------------------------------------


def additions(depth: int) -> Any:
    term: Any = x
    for _ in range(depth // 2):
        term = term + y
        term = term + x
    return term


def bvadds(depth: int) -> Any:
    a, b = BitVec("a", 32), BitVec("b", 32)
    term: Any = a
    for _ in range(depth // 2):
        term = term + b
        term = term + a
    return term


def ands(depth: int) -> Any:
    tests = [x <= number for number in range(1000)]
    term: Any = p
    for number in range(depth // 2):
        term = (term & tests[number % 1000]) | q
    return term


def choices(depth: int) -> Any:
    tests = [y <= number for number in range(1000)]
    others = [z, z + 1, y]
    term: Any = x
    for number in range(depth):
        term = ite(tests[number % 1000], term, others[number % 3])
    return term


CHAINS: list[tuple[Callable[[int], Any], dict[str, Any], Any]] = [
    (additions, {"x": 1, "y": 2}, 1 + 3 * DEPTH // 2),
    (bvadds, {"a": 1, "b": 2}, bv(1 + 3 * DEPTH // 2, 32)),
    (ands, {"x": 5, "p": True, "q": False}, False),
    (choices, {"x": 7, "y": -1, "z": 8}, 7),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "values", "expected"), CHAINS, ids=lambda c: getattr(c, "__name__", "")
)
def test_great_depth(build: Callable[[int], Any], values: dict[str, Any], expected: Any) -> None:
    assert sys.getrecursionlimit() < DEPTH
    term = build(DEPTH)
    assert evaluate(term, values) == expected
    by_name = {constant.name: constant for constant in constants(term)}
    assert set(by_name) == set(values)
    renamed = substitute(term, {name: by_name[name].sort(f"deep {name}") for name in values})
    count = size(renamed)
    assert count == size(term)
    assert {constant.name for constant in constants(renamed)} == {f"deep {name}" for name in values}
    assert len(pretty(term)) > DEPTH
    assert len(repr(term)) <= 200
    assert pickle.loads(pickle.dumps(term)) is term
    assert copy.deepcopy(term) is term
    del renamed, term
    assert sweep() > count


def test_a_deep_shared_graph_is_printed_in_linear_space() -> None:
    term: Any = x
    for number in range(20_000):
        term = term * term + number % 7
    text = pretty(term)
    assert len(text) < 40 * 20_000
    assert len(repr(term)) <= 200


def test_many_choices_between_constants_under_a_comparison() -> None:
    """A rule that looks into a chain of choices must not look too far again and again."""
    choice: Any = 0
    for number in range(20_000):
        choice = ite(x == number, number, choice)
    formula = choice == 3
    assert evaluate(formula, {x: 3}) is True
    assert evaluate(formula, {x: 4}) is False


def test_functions_of_what_becomes_concrete() -> None:
    f, n, p = Function("f", [Int], Int), Int("n"), Bool("p")
    assert substitute(f(n) + 1, {n: 3}) is f(3) + 1
    assert substitute(f(f(n)), {n: 3}) is f(f(3))
    assert cases(f(ite(p, 1, 2))) is None
