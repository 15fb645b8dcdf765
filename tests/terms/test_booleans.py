"""Connectives, equality and if-then-else against their truth tables, and `bool` as a number."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SolventError, SortError, SymbolicBoolError
from solvent.terms import (
    BitVec,
    Bool,
    Int,
    Real,
    Term,
    and_,
    distinct,
    eq,
    evaluate,
    iff,
    implies,
    ite,
    not_,
    or_,
    xor,
)
from solvent.terms.booleans import BoolTerm
from tests.terms.expressions import Operator, check, programs
from tests.terms.z3_reference import equal

p, q, r = Bool("p"), Bool("q"), Bool("r")
x, y = Int("x"), Int("y")
BOOLS = (False, True)

CONNECTIVES: list[tuple[Callable[..., Any], Callable[..., bool], int]] = [
    (and_, lambda a, b: a and b, 2),
    (or_, lambda a, b: a or b, 2),
    (not_, lambda a: not a, 1),
    (implies, lambda a, b: not a or b, 2),
    (iff, lambda a, b: a == b, 2),
    (xor, lambda a, b: a != b, 2),
    (eq, lambda a, b: a == b, 2),
    (operator.and_, lambda a, b: a and b, 2),
    (operator.or_, lambda a, b: a or b, 2),
    (operator.xor, lambda a, b: a != b, 2),
    (operator.eq, lambda a, b: a == b, 2),
    (operator.ne, lambda a, b: a != b, 2),
    (and_, lambda a, b, c: a and b and c, 3),
    (or_, lambda a, b, c: a or b or c, 3),
    (ite, lambda a, b, c: b if a else c, 3),
    (distinct, lambda a, b, c: False, 3),
    (distinct, lambda a, b: a != b, 2),
]


@pytest.mark.parametrize(("function", "meaning", "arity"), CONNECTIVES)
def test_truth_tables_with_any_operands_concrete(
    function: Callable[..., Any], meaning: Callable[..., bool], arity: int
) -> None:
    constants = (p, q, r)[:arity]
    for values in itertools.product(BOOLS, repeat=arity):
        assignment = dict(zip(constants, values, strict=True))
        for symbolic in itertools.product(BOOLS, repeat=arity):
            operands = [c if s else v for c, v, s in zip(constants, values, symbolic, strict=True)]
            if not any(symbolic) and getattr(function, "__module__", "") == "_operator":
                continue
            result = function(*operands)
            assert evaluate(result, assignment) is meaning(*values)
            if not any(symbolic):
                assert isinstance(result, bool)


def test_invert_is_negation() -> None:
    assert ~p is not_(p)
    assert ~~p is p


OPERATORS = [
    Operator("and_", and_, "bool bool", "bool"),
    Operator("or_", or_, "bool bool", "bool"),
    Operator("not_", not_, "bool", "bool"),
    Operator("implies", implies, "bool bool", "bool"),
    Operator("iff", iff, "bool bool", "bool"),
    Operator("xor", xor, "bool bool", "bool"),
    Operator("ite", ite, "bool bool bool", "bool"),
    Operator("distinct", distinct, "bool bool bool", "bool"),
    Operator("and3", and_, "bool bool bool", "bool"),
    Operator("or3", or_, "bool bool bool", "bool"),
    Operator("is3", lambda a: eq(a, 3), "int", "bool"),
    Operator("differs from 3", lambda a: not_(eq(a, 3)), "int", "bool"),
    Operator("same", eq, "int int", "bool"),
    Operator("choice", ite, "bool int int", "int"),
    Operator("choice of constants", lambda a: ite(a, 3, 4), "bool", "int"),
    Operator("choice then", lambda a, b: ite(a, 3, b), "bool int", "int"),
    Operator("choice else", lambda a, b: ite(a, b, 3), "bool int", "int"),
]


@given(
    programs(OPERATORS, longest=20),
    st.tuples(*[st.booleans()] * 3),
    st.tuples(*[st.integers(2, 4)] * 2),
    st.integers(0, 31),
)
def test_random_formulas(program: Any, bools: Any, ints: Any, symbolic: int) -> None:
    check(
        program,
        {"bool": [p, q, r], "int": [x, y]},
        {"bool": bools, "int": ints},
        lambda position: not symbolic >> position & 1,
    )


@given(programs(OPERATORS), st.tuples(*[st.booleans()] * 3), st.tuples(*[st.integers(2, 4)] * 2))
def test_random_formulas_agree_with_z3(program: Any, bools: Any, ints: Any) -> None:
    constants = {"bool": [p, q, r], "int": [x, y]}
    check(program, constants, {"bool": bools, "int": ints}, second_opinion=True)


def test_simplified_at_once() -> None:
    for formula, simple in [
        (and_(p, True, q), p & q),
        (and_(p, False), False),
        (or_(p, True), True),
        (p & p, p),
        (p | ~p, True),
        (p & ~p, False),
        (p & (p | q), p),
        (q & (p | q), q),
        (p | (p & q), p),
        (q | (p & q), q),
        ((p | q) & ~p, q & ~p),
        ((p & q) | ~p, q | ~p),
        ((p | q) & (p | ~q), p),
        ((p & q) | (p & ~q), p),
        (~(p & q) & p, p & ~q),
        (~(p & q) & q, q & ~p),
        (~(p & q) | p, True),
        (~(p & q) | q, True),
        (~(p | q) | p, p | ~q),
        ((p & q) & p, p & q),
        ((p & q) & ~p, False),
        ((p & q) & ~q, False),
        ((~p & q) & p, False),
        ((p | q) | ~p, True),
        ((p | q) | ~q, True),
        (ite(p, q, q), q),
        (ite(p, True, False), p),
        (ite(p, False, True), ~p),
        (ite(p, q, False), p & q),
        (ite(p, q, True), ~p | q),
        (ite(p, False, q), ~p & q),
        (ite(p, True, q), p | q),
        (ite(p, p, q), p | q),
        (ite(p, q, p), p & q),
        (ite(~p, x, y), ite(p, y, x)),
        (ite(p, ite(p, x, y), 0), ite(p, x, 0)),
        (ite(p, x, ite(q, x, y)), ite(p | q, x, y)),
        (ite(p, 1, 2) == 1, p),
        (ite(p, 1, 2) == 3, False),
        (ite(p, 1, ite(q, 2, 3)) == 2, ~p & q),
        (and_(x == 1, x == 2), False),
        (and_(x == 1, x != 2), x == 1),
        (eq(p, ~p), False),
        (eq(~p, ~q), eq(p, q)),
        (xor(p, p), False),
        (implies(p, p), True),
    ]:
        assert formula is simple, formula


def test_operands_in_either_order_give_one_term() -> None:
    assert p & q is q & p
    assert p | q is q | p
    assert eq(p, q) is eq(q, p)
    assert eq(x, y) is eq(y, x)


def test_connectives_take_one_iterable() -> None:
    assert and_([p, q]) is p & q
    assert or_(c for c in (p, q)) is p | q
    assert and_([]) is True
    assert or_(()) is False
    assert distinct([x, 1, y]) is and_(x != 1, eq(x, y) == False, y != 1)  # noqa: E712


def test_distinct_is_pairwise() -> None:
    z = Int("z")
    formula = distinct(x, y, z)
    for values in itertools.product(range(3), repeat=3):
        assert evaluate(formula, dict(zip((x, y, z), values, strict=True))) is (
            len(set(values)) == 3
        )


# --- bool as a number --------------------------------------------------------------------------

NUMERIC: list[Callable[[Any, Any], Any]] = [
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
PARTIAL: list[Callable[[Any, Any], Any]] = [operator.floordiv, operator.mod, divmod]
SHIFTS: list[Callable[[Any, Any], Any]] = [operator.lshift, operator.rshift]


def value_of(result: Any, assignment: dict[Any, Any]) -> Any:
    if isinstance(result, tuple):
        return tuple(evaluate(part, assignment) for part in result)
    return evaluate(result, assignment)


@pytest.mark.parametrize("function", NUMERIC + PARTIAL + SHIFTS)
def test_bool_counts_as_a_number(function: Callable[[Any, Any], Any]) -> None:
    numbers = range(0, 4) if function in SHIFTS else range(-3, 4)
    for a in BOOLS:
        for b in (*BOOLS, *numbers):
            if b == 0 and function in PARTIAL:
                continue
            other = q if isinstance(b, bool) else x
            expected = function(a, b)
            assignment = {p: a, other: b}
            assert value_of(function(p, b), assignment) == expected
            if function not in SHIFTS or isinstance(b, bool):
                assert value_of(function(p, other), assignment) == expected
                assert value_of(function(a, other), assignment) == expected
    for a in numbers:
        for b in BOOLS:
            if b or function not in PARTIAL:
                assert value_of(function(a, q), {q: b}) == function(a, b)
                if not isinstance(a, bool):
                    assert value_of(function(x, q), {x: a, q: b}) == function(a, b)


@pytest.mark.parametrize("function", [operator.neg, operator.pos, abs])
def test_bool_as_a_number_with_one_operand(function: Callable[[Any], Any]) -> None:
    for a in BOOLS:
        assert evaluate(function(p), {p: a}) == function(a)


@pytest.mark.parametrize("exponent", range(4))
def test_bool_as_a_base(exponent: int) -> None:
    for a in BOOLS:
        assert evaluate(p**exponent, {p: a}) == a**exponent


def test_comparison_with_numbers_of_other_types_is_exact() -> None:
    for a in BOOLS:
        for number in (0, 1, 2, -1, Fraction(1), Fraction(1, 2), 0.0, 1.0, 0.5, float("inf")):
            assert value_of(p == number, {p: a}) is (a == number)
            assert value_of(p != number, {p: a}) is (a != number)
            assert value_of(number == p, {p: a}) is (number == a)
            assert value_of(number != p, {p: a}) is (number != a)


def test_bool_beside_an_integer_or_real_term() -> None:
    real = Real("u")
    assert evaluate(p + real, {p: True, real: Fraction(1, 2)}) == Fraction(3, 2)
    assert evaluate(real - p, {p: True, real: Fraction(1, 2)}) == Fraction(-1, 2)
    assert evaluate(p == x, {p: True, x: 1}) is True
    assert evaluate(p != x, {p: True, x: 2}) is True
    assert evaluate(p == real, {p: True, real: 2}) is False


# --- errors ------------------------------------------------------------------------------------


def test_a_term_has_no_truth_value() -> None:
    for term in (p, x > y, x, Real("u"), BitVec("b", 8)):
        with pytest.raises(SymbolicBoolError, match=r"symbolic.*`and_`.*lifted function"):
            bool(term)
    with pytest.raises(SymbolicBoolError, match=r"x > y \(Bool\)"):
        assert x > y
    with pytest.raises(SymbolicBoolError):
        p and q
    with pytest.raises(SymbolicBoolError):
        x in [y]


def test_other_conversions_explain_themselves_too() -> None:
    for conversion in (int, float, len, list, operator.index):
        with pytest.raises(SymbolicBoolError, match=r"x \(Int\)"):
            conversion(x)


@pytest.mark.parametrize(
    ("construct", "named"),
    [
        (lambda: and_(p, x), "x (Int)"),
        (lambda: or_(p, 1), "1 (int)"),
        (lambda: not_(x), "x (Int)"),
        (lambda: not_("a"), "'a' (str)"),
        (lambda: implies(p, x), "x (Int)"),
        (lambda: iff(p, x), "x (Int)"),
        (lambda: xor(1, p), "1 (int)"),
        (lambda: ite(x, 1, 2), "x (Int)"),
        (lambda: ite(1, 1, 2), "1 (int)"),
        (lambda: ite(p, x, "a"), "'a' (str)"),
        (lambda: ite(p, BitVec("b", 8), BitVec("c", 4)), "c (BitVec(4))"),
        (lambda: eq(BitVec("b", 8), x), "x (Int)"),
        (lambda: eq(p, 1), "1 (int)"),
        (lambda: eq(x, object), "(type)"),
        (lambda: ite(p, None, x), "None (NoneType)"),
    ],
)
def test_sort_mismatch_names_the_operand(construct: Callable[[], Any], named: str) -> None:
    with pytest.raises(SortError) as raised:
        construct()
    assert named in str(raised.value)


@pytest.mark.parametrize("function", [operator.and_, operator.or_, operator.xor])
@pytest.mark.parametrize("other", [x, Real("u"), BitVec("b", 4), Fraction(1), 3, "a", None])
def test_connectives_refuse_what_is_no_truth_value(
    function: Callable[[Any, Any], Any], other: Any
) -> None:
    with pytest.raises((SortError, TypeError)):
        function(p, other)
    with pytest.raises((SortError, TypeError)):
        function(other, p)


def test_errors_of_terms_are_solvent_errors() -> None:
    for error in (SortError, SymbolicBoolError):
        assert issubclass(error, SolventError)
        assert issubclass(error, TypeError)


# --- shape -------------------------------------------------------------------------------------


def test_terms_are_of_the_class_of_their_sort() -> None:
    for term in (p, p & q, ~p, x == y, ite(p, q, r), x <= y):
        assert type(term) is BoolTerm
        assert term.sort is Bool
        assert isinstance(term, Term)


@pytest.mark.parametrize("depth", [10, 200])
def test_a_long_chain_of_choices_under_a_comparison(depth: int) -> None:
    choice: Any = x
    for number in range(depth):
        choice = ite(y == number, number, choice)
    formula = choice == 5
    for value in (0, 5, depth - 1, depth):
        for rest in (5, -1):
            expected = (value if value < depth else rest) == 5
            assert evaluate(formula, {x: rest, y: value}) is expected


def test_equality_with_a_chain_of_constants_is_the_formula_that_z3_proves() -> None:
    chain = ite(p, 1, ite(q, 2, ite(r, 1, x)))
    assert equal(eq(chain, 1), or_(p, and_(~q, or_(r, x == 1))))
