"""Integers have Python's semantics: every operator is compared with CPython on small domains."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError, SymbolicBoolError, WidthError
from solvent.terms import (
    BitVec,
    Bool,
    Int,
    Real,
    Term,
    and_,
    bit_and,
    bit_or,
    bit_xor,
    bv_to_int,
    div,
    eq,
    evaluate,
    int_to_bv,
    ite,
    mod,
    not_,
    shift_left,
    shift_right,
    to_real,
)
from solvent.terms.integers import IntTerm, in_range, known_width
from tests.terms.expressions import Operator, check, programs
from tests.terms.z3_reference import equal

x, y = Int("x"), Int("y")
p = Bool("p")
SMALL = range(-9, 10)


def value_of(result: Any, assignment: dict[Any, Any]) -> Any:
    if isinstance(result, tuple):
        return tuple(evaluate(part, assignment) for part in result)
    return evaluate(result, assignment)


# --- against CPython ---------------------------------------------------------------------------

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
DIVISIONS: list[Callable[[Any, Any], Any]] = [operator.floordiv, operator.mod, divmod]
BITWISE: list[Callable[[Any, Any], Any]] = [operator.and_, operator.or_, operator.xor]


@pytest.mark.parametrize("function", TOTAL + DIVISIONS)
def test_two_symbolic_operands(function: Callable[[Any, Any], Any]) -> None:
    term = function(x, y)
    for a, b in itertools.product(SMALL, SMALL):
        if b != 0 or function in TOTAL:
            assert value_of(term, {x: a, y: b}) == function(a, b)


@pytest.mark.parametrize("function", TOTAL + DIVISIONS + BITWISE)
def test_one_symbolic_operand(function: Callable[[Any, Any], Any]) -> None:
    for c in SMALL:
        right = function(x, c) if c != 0 or function not in DIVISIONS else None
        left = function(c, x)
        for a in SMALL:
            if right is not None:
                assert value_of(right, {x: a}) == function(a, c), (a, c)
            if a != 0 or function not in DIVISIONS:
                assert value_of(left, {x: a}) == function(c, a), (c, a)


@pytest.mark.parametrize("function", [operator.lshift, operator.rshift])
def test_shifts(function: Callable[[Any, Any], Any]) -> None:
    amount = y % 8
    symbolic_amount = function(x, amount)
    for a in range(-40, 41):
        for count in range(8):
            expected = function(a, count)
            assert evaluate(function(x, count), {x: a}) == expected
            assert evaluate(function(a, amount), {y: count}) == expected
            assert evaluate(symbolic_amount, {x: a, y: count}) == expected


@pytest.mark.parametrize(
    "function",
    [operator.neg, operator.pos, operator.invert, abs, round, math.floor, math.ceil, math.trunc],
)
def test_one_operand(function: Callable[[Any], Any]) -> None:
    for a in SMALL:
        assert evaluate(function(x), {x: a}) == function(a)


@pytest.mark.parametrize("digits", [None, 0, 1, 2, -1, -2])
def test_round_to_digits(digits: int | None) -> None:
    term = round(x, digits)
    for a in range(-260, 261):
        value = evaluate(term, {x: a})
        assert value == round(a, digits)
        assert type(value) is int


@pytest.mark.parametrize("exponent", range(6))
def test_powers(exponent: int) -> None:
    for a in SMALL:
        assert evaluate(x**exponent, {x: a}) == a**exponent


def test_comparison_with_numbers_of_other_types_is_exact() -> None:
    others = (
        True,
        False,
        Fraction(2),
        Fraction(5, 2),
        -1.5,
        2.0,
        1e300,
        float("inf"),
        float("nan"),
    )
    for other in others:
        for a in range(-3, 4):
            assert value_of(x == other, {x: a}) is (a == other)
            assert value_of(x != other, {x: a}) is (a != other)
            if math.isfinite(other):
                assert value_of(x < other, {x: a}) is (a < other)
                assert value_of(x >= other, {x: a}) is (a >= other)
                assert value_of(other < x, {x: a}) is (other < a)


@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.mul])
def test_arithmetic_with_fractions_is_real(function: Callable[[Any, Any], Any]) -> None:
    half = Fraction(1, 2)
    for a in SMALL:
        assert evaluate(function(x, half), {x: a}) == function(a, half)
        assert evaluate(function(half, x), {x: a}) == function(half, a)
    assert function(x, half).sort is Real


@pytest.mark.parametrize("function", [operator.floordiv, operator.mod, operator.truediv])
def test_division_with_fractions_is_real(function: Callable[[Any, Any], Any]) -> None:
    half = Fraction(-3, 2)
    for a in SMALL:
        assert evaluate(function(x, half), {x: a}) == function(a, half)
        if a:
            assert evaluate(function(half, x), {x: a}) == function(half, a)


# --- bits of two symbolic integers --------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "python"),
    [(bit_and, operator.and_), (bit_or, operator.or_), (bit_xor, operator.xor)],
)
def test_bitwise_with_a_width(
    function: Callable[..., Any], python: Callable[[int, int], int]
) -> None:
    term = function(x, y, width=4)
    for a, b in itertools.product(range(-8, 8), repeat=2):
        assert evaluate(term, {x: a, y: b}) == python(a, b)
        assert function(a, b) == python(a, b)


@pytest.mark.parametrize("function", BITWISE)
def test_bitwise_with_a_width_that_is_known(function: Callable[[Any, Any], Any]) -> None:
    byte = BitVec("byte", 3)
    for other, values in [
        (y % 5, range(5)),
        (bv_to_int(byte), range(8)),
        (ite(p, y % 4, 6), range(4)),
    ]:
        term = function(x % 8, other)
        for a, b in itertools.product(range(8), values):
            result = evaluate(term, {x: a, y: b, byte: b, p: True})
            assert result == function(a, b)


@pytest.mark.parametrize(
    ("function", "python"), [(shift_left, operator.lshift), (shift_right, operator.rshift)]
)
def test_shift_by_a_bounded_amount(
    function: Callable[..., Any], python: Callable[[int, int], int]
) -> None:
    term = function(x, y, width=5)
    for a, b in itertools.product(SMALL, range(6)):
        assert evaluate(term, {x: a, y: b}) == python(a, b)
        assert function(a, b) == python(a, b)


@pytest.mark.parametrize("mask", [0, 1, 2, 5, 6, 9, 0b110110, 255, -1, -2, -6, -256, 1 << 70])
def test_masks_of_large_numbers(mask: int) -> None:
    for a in (0, 1, -1, 12345678901234567890, -12345678901234567890, (1 << 71) - 1):
        assert evaluate(x & mask, {x: a}) == a & mask
        assert evaluate(x | mask, {x: a}) == a | mask
        assert evaluate(x ^ mask, {x: a}) == a ^ mask


def test_known_width() -> None:
    assert known_width(x) is None
    assert known_width(x % 100) == 7
    assert known_width(mod(x, -8)) == 3
    assert known_width(bv_to_int(BitVec("b", 5))) == 5
    assert known_width(ite(p, x % 4, 9)) == 4
    assert known_width(ite(p, x, 9)) is None
    assert known_width(ite(p, 1, -1)) is None
    assert known_width(0) == 1
    assert known_width(-1) is None


# --- SMT-LIB's division ------------------------------------------------------------------------


def test_div_and_mod_are_euclidean() -> None:
    quotient, rest = div(x, y), mod(x, y)
    for a, b in itertools.product(SMALL, SMALL):
        q, r = evaluate(quotient, {x: a, y: b}), evaluate(rest, {x: a, y: b})
        assert (q, r) == (div(a, b), mod(a, b))
        assert evaluate(div(x, b), {x: a}) == q
        assert evaluate(mod(x, b), {x: a}) == r
        assert evaluate(div(a, y), {y: b}) == q
        assert evaluate(mod(a, y), {y: b}) == r
        if b:
            assert a == b * q + r
            assert 0 <= r < abs(b)
        else:
            assert (q, r) == (0, a)


def test_division_by_a_concrete_zero_raises_as_in_python() -> None:
    for function in (operator.floordiv, operator.mod, operator.truediv, divmod):
        with pytest.raises(ZeroDivisionError) as ours:
            function(x, 0)
        with pytest.raises(ZeroDivisionError) as pythons:
            function(1, 0)
        assert str(ours.value) == str(pythons.value)


# --- random programs ---------------------------------------------------------------------------


def nonzero(value: Any) -> Any:
    return ite(eq(value, 0), 7, value)


OPERATORS = [
    Operator("+", operator.add, "int int", "int"),
    Operator("-", operator.sub, "int int", "int"),
    Operator("*", operator.mul, "int int", "int"),
    Operator("neg", operator.neg, "int", "int"),
    Operator("abs", abs, "int", "int"),
    Operator("//", lambda a, b: a // nonzero(b), "int int", "int"),
    Operator("%", lambda a, b: a % nonzero(b), "int int", "int"),
    Operator("div", div, "int int", "int"),
    Operator("mod", mod, "int int", "int"),
    Operator("+c", operator.add, "int lit", "int"),
    Operator("c-", operator.sub, "lit int", "int"),
    Operator("*c", operator.mul, "int lit", "int"),
    Operator("//c", lambda a, b: a // nonzero(b), "int lit", "int"),
    Operator("%c", lambda a, b: a % nonzero(b), "int lit", "int"),
    Operator("div c", div, "int lit", "int"),
    Operator("mod c", mod, "int lit", "int"),
    Operator("&c", operator.and_, "int lit", "int"),
    Operator("|c", operator.or_, "int lit", "int"),
    Operator("^c", operator.xor, "int lit", "int"),
    Operator("<<", lambda a: a << 2, "int", "int"),
    Operator(">>", lambda a: a >> 2, "int", "int"),
    Operator("~", operator.invert, "int", "int"),
    Operator("<", operator.lt, "int int", "bool"),
    Operator("<=", operator.le, "int int", "bool"),
    Operator("==", eq, "int int", "bool"),
    Operator("<c", operator.lt, "int lit", "bool"),
    Operator("<=c", operator.le, "int lit", "bool"),
    Operator(">c", operator.gt, "int lit", "bool"),
    Operator("==c", eq, "int lit", "bool"),
    Operator("c<=", operator.le, "lit int", "bool"),
    Operator("not", not_, "bool", "bool"),
    Operator("and", and_, "bool bool", "bool"),
    Operator("ite", ite, "bool int int", "int"),
    Operator("ite c", ite, "bool lit lit", "int"),
    Operator("ite c else", ite, "bool lit int", "int"),
    Operator("bool+", lambda a, b: a + ite(b, 1, 0), "int bool", "int"),
    Operator("bits", lambda a: bv_to_int(int_to_bv(a, 5)), "int", "int"),
    Operator("signed bits", lambda a: bv_to_int(int_to_bv(a, 5), signed=True), "int", "int"),
]
CONSTANTS = {"int": [x, y, Int("z")], "bool": [p]}
literals = st.lists(st.integers(-9, 9), min_size=4, max_size=4)
integers = st.tuples(*[st.integers(-20, 20)] * 3)


@given(programs(OPERATORS), literals, integers, st.booleans(), st.integers(0, 15))
def test_random_programs(
    program: Any, lits: list[int], ints: Any, flag: bool, symbolic: int
) -> None:
    # A long product of products is exact and slow, and shows nothing more.
    products = 0
    limited = []
    for step in program:
        products += step[0].name == "*"
        if step[0].name != "*" or products <= 5:
            limited.append(step)
    check(
        limited,
        {**CONSTANTS, "lit": lits},
        {"int": ints, "bool": [flag], "lit": lits},
        lambda position: not symbolic >> position & 1,
    )


@given(programs(OPERATORS, longest=8), literals, integers, st.booleans())
def test_random_programs_agree_with_z3(
    program: Any, lits: list[int], ints: Any, flag: bool
) -> None:
    check(
        program,
        {**CONSTANTS, "lit": lits},
        {"int": ints, "bool": [flag], "lit": lits},
        second_opinion=True,
    )


# --- simplification ----------------------------------------------------------------------------


def test_simplified_at_once() -> None:
    for term, simple in [
        (x + 0, x),
        (0 + x, x),
        (x * 1, x),
        (x * 0, 0),
        (x - x, 0),
        (x + 1 - x, 1),
        (x + y - x, y),
        (operator.neg(-x), x),
        (2 * x + 3 * x, 5 * x),
        ((x + 1) + (y + 2), x + y + 3),
        ((x + 1) * 2, x * 2 + 2),
        (x + 1 == 3, x == 2),
        (2 * x == 3, False),
        (2 * x == 6, x == 3),
        (-x == 3, x == -3),
        (x < 5, x <= 4),
        (5 > x, x <= 4),
        (x > 4, not_(x <= 4)),
        (x + 1 <= x, False),
        (x <= x + 1, True),
        (x <= x, True),
        (2 * x <= 5, x <= 2),
        (-2 * x <= 5, x >= -2),
        (ite(p, 1, 2) + 1, ite(p, 2, 3)),
        (ite(p, 1, 2) <= 1, p),
        (x % 8 <= 7, True),
        (x % 8 < 0, False),
        ((x % 8) % 4, x % 4),
        ((x // 2) // 3, x // 6),
        (x * 6 // 3, x * 2),
        (to_real(x) == Fraction(1, 2), False),
        (to_real(x) <= Fraction(5, 2), x <= 2),
        (x & 0, 0),
        (x & -1, x),
        (x >> 0, x),
        ((x % 2) & 2, 0),
        ((x % 8) | 8, x % 8 + 8),
    ]:
        assert term is simple or (not isinstance(simple, Term) and term == simple), term


def test_one_term_for_equal_expressions() -> None:
    assert x + y is y + x
    assert x * y is y * x
    assert x - y is x + -y
    assert (x < y) is not_(y <= x)
    assert (x == y) is (y == x)
    assert x + True is x + 1


def test_in_range() -> None:
    term = in_range(x, 2, 5)
    assert [a for a in SMALL if evaluate(term, {x: a})] == [2, 3, 4]
    assert equal(term, and_(x >= 2, x <= 4))


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("construct", "error", "words"),
    [
        (lambda: x & y, SortError, r"x \(Int\) & y \(Int\).*bit_and\(a, b, width=32\)"),
        (lambda: x | y, SortError, r"bit_or\(a, b, width=32\)"),
        (lambda: x ^ y, SortError, r"bit_xor\(a, b, width=32\)"),
        (lambda: x << y, SortError, r"<< by y \(Int\) needs a bound.*shift_left"),
        (lambda: x >> y, SortError, r">> by y \(Int\) needs a bound.*shift_right"),
        (lambda: 1 << x, SortError, r"<< by x \(Int\) needs a bound"),
        (lambda: x**y, SortError, r"exponent must be concrete, not y \(Int\)"),
        (lambda: x**-1, SortError, "exponent of at least 0, not -1"),
        (lambda: x << -1, ValueError, "negative shift count"),
        (lambda: x >> -1, ValueError, "negative shift count"),
        (lambda: bit_and(x, y, width=0), WidthError, "width of at least 1, not 0"),
        (lambda: bit_or(x, y, width=-3), WidthError, "width of at least 1, not -3"),
        (lambda: x + BitVec("b", 8), SortError, r"x \(Int\) and b \(BitVec\(8\)\)"),
        (lambda: x <= BitVec("b", 8), SortError, r"x \(Int\) and b \(BitVec\(8\)\)"),
        (lambda: x == BitVec("b", 8), SortError, r"x \(Int\)"),
        (lambda: div(x, "a"), SortError, r"'a' \(str\) is not of sort Int"),
        (lambda: mod(Fraction(1, 2), x), SortError, "is not of sort Int"),
        (lambda: to_real("a"), SortError, r"'a' \(str\) is not of sort Int"),
        (lambda: [1, 2, 3][x], SymbolicBoolError, r"x \(Int\).*cannot index"),
        (lambda: range(x), SymbolicBoolError, r"x \(Int\)"),
        (lambda: Int(3), SortError, r"string as its name, not 3 \(int\)"),
        (lambda: Int.require("a"), SortError, r"'a' \(str\) is not of sort Int"),
    ],
)
def test_errors(construct: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        construct()


@pytest.mark.parametrize("other", ["a", None, object(), []])
def test_what_is_no_number_is_left_to_python(other: Any) -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        x + other
    with pytest.raises(TypeError, match="not supported between"):
        x < other
    assert (x == other) is False
    assert (x != other) is True


def test_terms_are_of_the_class_of_their_sort() -> None:
    for term in (x, x + y, -x, x * y, x // y, x % 3, ite(p, x, y), abs(x), x & 5):
        assert type(term) is IntTerm
        assert term.sort is Int
