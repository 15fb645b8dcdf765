"""Reals behave as Python's `Fraction`s."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.errors import SortError
from solvent.terms import (
    BitVec,
    Bool,
    Int,
    Real,
    Term,
    and_,
    eq,
    evaluate,
    floor,
    is_int,
    ite,
    not_,
    to_real,
)
from solvent.terms.reals import RealTerm, divide, round_half_even
from tests.terms.expressions import Operator, check, programs

u, v = Real("u"), Real("v")
n = Int("n")
p = Bool("p")
SMALL = [Fraction(a, b) for a in range(-5, 6) for b in (1, 2, 3)]

TOTAL: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]
DIVISIONS: list[Callable[[Any, Any], Any]] = [operator.truediv, operator.floordiv, operator.mod]


@pytest.mark.parametrize("function", TOTAL + DIVISIONS)
def test_two_symbolic_operands(function: Callable[[Any, Any], Any]) -> None:
    term = function(u, v)
    for a, b in itertools.product(SMALL, SMALL):
        if b != 0 or function in TOTAL:
            assert evaluate(term, {u: a, v: b}) == function(a, b)


@pytest.mark.parametrize("function", TOTAL + DIVISIONS)
def test_one_symbolic_operand(function: Callable[[Any, Any], Any]) -> None:
    for c in (*SMALL, 2, -3, True):
        right = function(u, c) if c != 0 or function in TOTAL else None
        left = function(c, u)
        for a in SMALL:
            if right is not None:
                assert evaluate(right, {u: a}) == function(a, c)
            if a != 0 or function in TOTAL:
                assert evaluate(left, {u: a}) == function(c, a)


@pytest.mark.parametrize("function", TOTAL + DIVISIONS)
def test_beside_an_integer_term(function: Callable[[Any, Any], Any]) -> None:
    for a, b in itertools.product(SMALL, range(-3, 4)):
        if b != 0 or function in TOTAL:
            assert evaluate(function(u, n), {u: a, n: b}) == function(a, b)
        if a != 0 or function in TOTAL:
            assert evaluate(function(n, u), {u: a, n: b}) == function(b, a)


@pytest.mark.parametrize(
    "function", [operator.neg, operator.pos, abs, round, math.floor, math.ceil, math.trunc]
)
def test_one_operand(function: Callable[[Any], Any]) -> None:
    for a in SMALL:
        value = evaluate(function(u), {u: a})
        assert value == function(a)
        assert type(value) is type(function(a))


@pytest.mark.parametrize("digits", [0, 1, 2, -1])
def test_round_to_digits(digits: int) -> None:
    term = round(u, digits)
    for a in (*SMALL, Fraction(25, 10), Fraction(125, 1000), Fraction(-35, 1000), Fraction(15), 25):
        value = evaluate(term, {u: a})
        assert value == round(Fraction(a), digits)
        assert type(value) is Fraction


@pytest.mark.parametrize("exponent", range(5))
def test_powers(exponent: int) -> None:
    for a in SMALL:
        assert evaluate(u**exponent, {u: a}) == a**exponent


def test_comparison_with_floats_is_exact() -> None:
    for other in (0.5, 0.1, -2.0, 1e300, float("inf"), float("nan")):
        for a in (*SMALL, Fraction(1, 10)):
            assert evaluate(u == other, {u: a}) is (a == other)
            assert evaluate(u != other, {u: a}) is (a != other)
            if math.isfinite(other):
                assert evaluate(u < other, {u: a}) is (a < other)
                assert evaluate(u >= other, {u: a}) is (a >= other)


def test_floor_and_is_int() -> None:
    for a in SMALL:
        assert evaluate(floor(u), {u: a}) == math.floor(a) == floor(a)
        assert evaluate(is_int(u), {u: a}) is (a.denominator == 1) is is_int(a)
        assert evaluate(round_half_even(u), {u: a}) == round(a) == round_half_even(a)


def test_concrete_values_stay_concrete() -> None:
    assert divide(1, 4) == Fraction(1, 4)
    assert to_real(3) == Fraction(3)
    assert type(to_real(3)) is Fraction
    assert floor(Fraction(7, 2)) == 3
    assert eq(Fraction(1, 2), Fraction(2, 4)) is True


def test_division_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        u / 0
    with pytest.raises(ZeroDivisionError):
        u // 0
    with pytest.raises(ZeroDivisionError):
        u % 0
    # A symbolic zero divisor gives 0 under every model.
    assert evaluate(u / v, {u: 5, v: 0}) == 0


# --- random programs ---------------------------------------------------------------------------


def nonzero(value: Any) -> Any:
    return ite(eq(value, 0), Fraction(7), value)


OPERATORS = [
    Operator("+", operator.add, "real real", "real"),
    Operator("-", operator.sub, "real real", "real"),
    Operator("*", operator.mul, "real real", "real"),
    Operator("/", lambda a, b: a / nonzero(b), "real real", "real"),
    Operator("neg", operator.neg, "real", "real"),
    Operator("abs", abs, "real", "real"),
    Operator("+c", operator.add, "real lit", "real"),
    Operator("c-", operator.sub, "lit real", "real"),
    Operator("*c", operator.mul, "real lit", "real"),
    Operator("/c", lambda a, b: a / nonzero(b), "real lit", "real"),
    Operator("c/", lambda a, b: a / nonzero(b), "lit real", "real"),
    Operator("floor", floor, "real", "int"),
    Operator("round", round_half_even, "real", "int"),
    Operator("is_int", is_int, "real", "bool"),
    Operator("to_real", to_real, "int", "real"),
    Operator("<", operator.lt, "real real", "bool"),
    Operator("<=", operator.le, "real real", "bool"),
    Operator("==", eq, "real real", "bool"),
    Operator("<c", operator.lt, "real lit", "bool"),
    Operator("<=c", operator.le, "real lit", "bool"),
    Operator("c<=", operator.le, "lit real", "bool"),
    Operator("==c", eq, "real lit", "bool"),
    Operator("not", not_, "bool", "bool"),
    Operator("and", and_, "bool bool", "bool"),
    Operator("ite", ite, "bool real real", "real"),
    Operator("ite c", ite, "bool lit lit", "real"),
    Operator("ite c else", ite, "bool lit real", "real"),
]
CONSTANTS = {"real": [u, v], "int": [n], "bool": [p]}
fractions = st.fractions(-5, 5, max_denominator=4)
literals = st.lists(fractions, min_size=4, max_size=4)


@given(
    programs(OPERATORS, longest=10),
    literals,
    st.tuples(fractions, fractions),
    st.integers(-5, 5),
    st.booleans(),
    st.integers(0, 15),
)
def test_random_programs(
    program: Any, lits: Any, reals: Any, number: int, flag: bool, symbolic: int
) -> None:
    check(
        program,
        {**CONSTANTS, "lit": lits},
        {"real": reals, "int": [number], "bool": [flag], "lit": lits},
        lambda position: not symbolic >> position & 1,
    )


@settings(max_examples=60)  # Z3 is slow on fractions
@given(
    programs(OPERATORS, longest=6),
    literals,
    st.tuples(fractions, fractions),
    st.integers(-5, 5),
    st.booleans(),
)
def test_random_programs_agree_with_z3(
    program: Any, lits: Any, reals: Any, number: int, flag: bool
) -> None:
    check(
        program,
        {**CONSTANTS, "lit": lits},
        {"real": reals, "int": [number], "bool": [flag], "lit": lits},
        second_opinion=True,
    )


def test_simplified_at_once() -> None:
    half = Fraction(1, 2)
    for term, simple in [
        (u + 0, u),
        (u * 1, u),
        (u - u, Fraction(0)),
        (u * 0, Fraction(0)),
        (u / 1, u),
        (u / 2 + u / 2, u),
        ((u + 1) / 2, u * half + half),
        (2 * u == 1, u == half),
        (-2 * u <= 1, u >= -half),
        (u + 1 <= u, False),
        (floor(to_real(n)), n),
        (is_int(to_real(n)), True),
        (0 / u, Fraction(0)),
    ]:
        assert term is simple or (
            not isinstance(simple, Term) and type(term) is type(simple) and term == simple
        ), term


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: u + BitVec("b", 8), r"u \(Real\) and b \(BitVec\(8\)\)"),
        (lambda: floor("a"), r"'a' \(str\) is not of sort Real"),
        (lambda: is_int(None), r"None \(NoneType\) is not of sort Real"),
        (lambda: divide(u, "a"), r"'a' \(str\) is not of sort Real"),
        (lambda: u**v, r"exponent must be concrete, not v \(Real\)"),
        (lambda: u**-1, "exponent of at least 0, not -1"),
    ],
)
def test_errors(construct: Callable[[], Any], words: str) -> None:
    with pytest.raises(SortError, match=words):
        construct()


def test_terms_are_of_the_class_of_their_sort() -> None:
    for term in (u, u + v, -u, u / v, ite(p, u, v), to_real(n), u + n, u % v):
        assert type(term) is RealTerm
        assert term.sort is Real
