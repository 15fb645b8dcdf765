"""Symbolic floats against CPython's floats and against Z3."""

from __future__ import annotations

import itertools
import math
import operator
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solvent.errors import SortError, WidthError
from solvent.terms import (
    FP,
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Float,
    Float16,
    Float32,
    Float64,
    Function,
    FunctionValue,
    Int,
    Model,
    Real,
    Str,
    Term,
    bv,
    const_array,
    eq,
    evaluate,
    float_from_bits,
    float_to_bits,
    float_to_int,
    float_to_real,
    fma,
    fp,
    fp_add,
    fp_div,
    fp_eq,
    fp_max,
    fp_min,
    fp_mul,
    fp_rem,
    fp_sub,
    fp_to_sbv,
    fp_to_ubv,
    is_finite,
    is_infinite,
    is_nan,
    is_negative,
    is_normal,
    is_positive,
    is_subnormal,
    is_zero,
    ite,
    pretty,
    round_to_integral,
    sbv_to_float,
    select,
    sort_of,
    sqrt,
    store,
    substitute,
    to_float,
    ubv_to_float,
)
from solvent.terms import float_ops as ops
from solvent.terms import softfloat as soft
from solvent.terms.ops import Op
from solvent.terms.softfloat import RNA, RNE, RTN, RTP, RTZ, RoundingMode
from solvent.terms.sorts import FloatSort, float_sort
from tests.terms.float_solvers import all_floats, declarations, literal, text
from tests.terms.test_softfloat import SPECIAL, bits_of, doubles, ieee_div

x, y, z = Float("x"), Float("y"), Float("z")
i, j = Int("i"), Int("j")
p = Bool("p")
TINY = float_sort(3, 3)
NAN, INF = math.nan, math.inf


def same(a: Any, b: Any) -> bool:
    """Whether two results are of one type and equal, floats bit by bit."""
    if isinstance(a, float) and isinstance(b, float):
        return bits_of(a) == bits_of(b)
    return type(a) is type(b) and bool(a == b)


ARITHMETIC: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
]
COMPARISONS: list[Callable[[Any, Any], Any]] = [
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


# --- operators as in CPython -------------------------------------------------------------------


@pytest.mark.parametrize("function", ARITHMETIC + COMPARISONS)
@given(a=doubles, b=doubles)
@example(a=-1.0, b=INF)
@example(a=1.0, b=-INF)
@example(a=1.0, b=0.1)
@example(a=84171655292567.25, b=0.011330607212967355)
@example(a=-0.0, b=3.0)
@example(a=5e-324, b=-1.7976931348623157e308)
@example(a=NAN, b=NAN)
def test_operators_are_those_of_python(function: Any, a: float, b: float) -> None:
    assume(b != 0 or function not in ARITHMETIC[3:])
    expected = function(a, b)
    assert same(evaluate(function(x, y), {x: a, y: b}), expected)
    # One operand concrete, so that the rules for constants apply.
    for result in (function(x, b), function(a, y)):
        value = evaluate(result, Model({x: a, y: b}))
        assert same(value, expected), result


@pytest.mark.parametrize("function", ARITHMETIC)
def test_special_values_with_constants(function: Any) -> None:
    for a, b in itertools.product(SPECIAL, repeat=2):
        if b != 0 or function not in ARITHMETIC[3:]:
            assert same(evaluate(function(x, b), {x: a}), function(a, b)), (a, b)
            assert same(evaluate(function(a, y), {y: b}), function(a, b)), (a, b)


@given(doubles)
def test_unary_operators_are_those_of_python(a: float) -> None:
    assert same(evaluate(-x, {x: a}), -a)
    assert same(evaluate(abs(x), {x: a}), abs(a))
    assert +x is x
    to_integer = {f: f for f in (round, math.floor, math.ceil, math.trunc)} | {float_to_int: int}
    for function, reference in to_integer.items():
        expected = reference(a) if math.isfinite(a) else 0
        assert same(evaluate(function(x), {x: a}), expected)
    assert same(evaluate(round(x, 0), {x: a}), round(a, 0))
    real = evaluate(float_to_real(x), {x: a})
    assert real == (Fraction(a) if math.isfinite(a) else 0)


def test_division_by_zero() -> None:
    for function in (operator.truediv, operator.floordiv, operator.mod, divmod):
        for zero in (0, 0.0, -0.0, False, Fraction(0)):
            with pytest.raises(ZeroDivisionError):
                function(x, zero)
    assert evaluate(1 / x, {x: -0.0}) == -INF
    assert math.isnan(evaluate(x / y, {x: 0.0, y: 0.0}))
    assert math.isnan(evaluate(1.5 % x, {x: 0.0}))
    assert math.isnan(evaluate(1.5 // x, {x: 0.0}))


def test_divmod() -> None:
    quotient, rest = divmod(x, 2.5)
    assert (evaluate(quotient, {x: -7.0}), evaluate(rest, {x: -7.0})) == divmod(-7.0, 2.5)
    quotient, rest = divmod(7, y)
    assert (evaluate(quotient, {y: -2.5}), evaluate(rest, {y: -2.5})) == divmod(7, -2.5)


HUGE = [10**400, -(10**400), 2**53 + 1, -(2**53) - 1, 2**1024, 2**1023, 0, 1, -1]
integers = st.one_of(st.sampled_from(HUGE), st.integers(), st.integers(-(2**70), 2**70))
fractions = st.one_of(st.fractions(), st.sampled_from([Fraction(1, 3), Fraction(1, 10**400)]))


@pytest.mark.parametrize("function", COMPARISONS)
@given(a=doubles, n=st.one_of(integers, fractions, st.booleans()))
@example(a=float(2**53), n=2**53 + 1)
@example(a=-0.0, n=0)
@example(a=1.7976931348623157e308, n=10**400)
@example(a=INF, n=10**400)
def test_comparisons_with_numbers_are_exact(function: Any, a: float, n: Any) -> None:
    expected = function(a, n)
    number = Real("r") if isinstance(n, Fraction) else p if isinstance(n, bool) else i
    given_values = Model({x: a, number: n})
    # Each with the number on either side, symbolic or not.
    assert evaluate(function(x, n), given_values) is expected
    assert evaluate(function(x, number), given_values) is expected
    assert evaluate(function(a, number), given_values) is expected
    swapped = function(n, a)
    assert evaluate(function(n, x), given_values) is swapped
    assert evaluate(function(number, x), given_values) is swapped
    assert evaluate(function(number, a), given_values) is swapped


@pytest.mark.parametrize("function", ARITHMETIC)
@given(a=doubles, n=st.one_of(st.integers(-(2**70), 2**70), st.fractions(), st.booleans()))
@example(a=-0.0, n=0)
def test_arithmetic_with_numbers_is_that_of_python(function: Any, a: float, n: Any) -> None:
    number = Real("r") if isinstance(n, Fraction) else p if isinstance(n, bool) else i
    given_values = Model({x: a, number: n})
    divides = function in ARITHMETIC[3:]
    if n != 0 or not divides:
        expected = function(a, n)
        for left, right in ((x, n), (x, number), (a, number)):
            assert same(evaluate(function(left, right), given_values), expected), (left, right)
    if a != 0 or not divides:
        expected = function(n, a)
        for left, right in ((n, x), (number, x), (number, a)):
            assert same(evaluate(function(left, right), given_values), expected), (left, right)


@given(st.integers(), st.integers())
@example(0, -5)
@example(-1, 10**400)
@example(10**400, 10**399)
@example(2**53 + 1, 1)
@example(-7, 3)
def test_quotients_of_integers_are_those_of_python(a: int, b: int) -> None:
    assume(b != 0)
    assert same(evaluate(i / j, {i: a, j: b}), a / b)
    assert same(evaluate(i / b, {i: a}), a / b)
    assert same(evaluate(a / j, {j: b}), a / b)


def test_integers_that_are_too_large() -> None:
    for function in (lambda: x + 10**400, lambda: to_float(10**400), lambda: x * (10**400)):
        with pytest.raises(OverflowError):
            function()
    assert evaluate(x + i, {x: 1.0, i: 10**400}) == INF
    assert evaluate(to_float(i), {i: -(10**400)}) == -INF
    assert to_float(10**400, Float32) == soft.infinity(Float32)


def test_equality_of_ieee_is_not_logical_equality() -> None:
    assert evaluate(x == y, {x: 0.0, y: -0.0}) is True
    assert evaluate(eq(x, y), {x: 0.0, y: -0.0}) is False
    assert evaluate(x == y, {x: NAN, y: NAN}) is False
    assert evaluate(eq(x, y), {x: NAN, y: NAN}) is True
    assert eq(0.0, -0.0) is False
    assert eq(NAN, NAN) is True
    assert evaluate(eq(i, x), {i: 0, x: -0.0}) is False
    assert evaluate(i == x, {i: 0, x: -0.0}) is True
    assert evaluate(p == x, {p: True, x: 1.0}) is True
    assert fp_eq(0.0, -0.0) is True
    assert fp_eq(fp(0, Float32), -fp(0, Float32)) is True


def test_a_number_never_equals_nan_or_infinity() -> None:
    for special in (NAN, INF, -INF):
        assert (i == special) is False
        assert (i != special) is True
    assert (i <= INF) is True
    assert (i < -INF) is False
    assert (Real("r") >= NAN) is False


def test_comparison_with_other_types() -> None:
    assert (x == "a") is False
    assert (x != None) is True  # noqa: E711
    with pytest.raises(TypeError):
        x < "a"


# --- other formats -----------------------------------------------------------------------------

u, v = Float("u", 8, 24), Float("v", 8, 24)


@pytest.mark.parametrize("function", ARITHMETIC[:4] + COMPARISONS)
@given(a=doubles, b=doubles)
def test_operators_on_float32(function: Any, a: float, b: float) -> None:
    left, right = fp(a, Float32), fp(b, Float32)
    assume(not soft.is_zero(right) or function is not operator.truediv)
    # The equality of values is the logical one.
    of_values = {operator.eq: soft.ieee_eq, operator.ne: lambda s, t: not soft.ieee_eq(s, t)}
    expected = of_values.get(function, function)(left, right)
    assert evaluate(function(u, v), {u: left, v: right}) == expected
    assert evaluate(function(u, right), Model({u: left})) == expected
    assert evaluate(function(left, v), Model({v: right})) == expected


def test_python_numbers_become_of_the_format() -> None:
    assert evaluate(u + 0.1, {u: 0}) == fp(0.1, Float32)
    assert evaluate(u == 0.1, {u: 0.1}) is True
    assert evaluate(u + 1, {u: 2**24}) == fp(2**24, Float32)
    assert evaluate(u + i, {u: 0, i: 2**24 + 1}) == fp(2**24, Float32)
    assert evaluate(u < i, {u: 2**24, i: 2**24 + 1}) is True


def test_formats_do_not_mix() -> None:
    half = Float("h", 5, 11)
    for function in (operator.add, operator.lt, operator.eq, operator.truediv):
        for left, right in ((x, u), (u, half), (u, fp(1, Float16)), (fp(1, Float16), u)):
            with pytest.raises(SortError, match="convert one with to_float"):
                function(left, right)
    with pytest.raises(SortError, match=r"fp.add needs floats of one sort: x \(Float64\)"):
        fp_add(x, u)
    with pytest.raises(SortError):
        x + BitVec("b", 64)
    with pytest.raises(SortError):
        BitVec("b", 64) + x
    with pytest.raises(SortError):
        x == BitVec("b", 64)
    with pytest.raises(SortError):
        ite(p, x, u)


# --- functions ---------------------------------------------------------------------------------


@given(doubles, doubles, doubles, st.sampled_from(RoundingMode))
@settings(max_examples=50)
def test_functions_of_terms_and_of_values_agree(
    a: float, b: float, c: float, rm: RoundingMode
) -> None:
    for function in (fp_add, fp_sub, fp_mul, fp_div):
        assert same(evaluate(function(x, y, rm), {x: a, y: b}), function(a, b, rm))
    for function in (fp_rem, fp_min, fp_max, fp_eq):
        assert same(evaluate(function(x, y), {x: a, y: b}), function(a, b))
        assert same(evaluate(function(x, b), Model({x: a})), function(a, b))
        assert same(evaluate(function(a, y), Model({y: b})), function(a, b))
    assert same(evaluate(fma(x, y, z, rm), {x: a, y: b, z: c}), fma(a, b, c, rm))
    for function in (sqrt, round_to_integral):
        assert same(evaluate(function(x, rm), {x: a}), function(a, rm))
    for function in (is_nan, is_infinite, is_finite, is_zero, is_normal, is_subnormal):
        assert evaluate(function(x), {x: a}) is function(a)
    assert evaluate(is_negative(x), {x: a}) is is_negative(a)
    assert evaluate(is_positive(x), {x: a}) is is_positive(a)
    assert same(fp_div(a, b), ieee_div(a, b))


@given(doubles, st.sampled_from(RoundingMode), st.integers(1, 70))
@example(-0.5, RNE, 1)
@example(255.5, RNE, 8)
@example(-128.5, RNE, 8)
@example(0.5, RNA, 1)
def test_conversion_to_bitvectors(a: float, rm: RoundingMode, width: int) -> None:
    number = soft.round_to_integer(rm, soft.from_python(a)) if math.isfinite(a) else None
    for function, low in ((fp_to_ubv, 0), (fp_to_sbv, -(1 << (width - 1)))):
        fits = number is not None and low <= number < low + (1 << width)
        expected = bv(number if fits and number else 0, width)
        assert function(a, width, rm) == expected
        assert evaluate(function(x, width, rm), {x: a}) == expected


@given(st.integers(0, 2**64 - 1), st.sampled_from(RoundingMode))
def test_conversion_from_bitvectors(bits: int, rm: RoundingMode) -> None:
    b = BitVec("b", 64)
    value = float_from_bits(bv(bits, 64))
    assert same(evaluate(float_from_bits(b), {b: bits}), value)
    assert float_to_bits(value) == bits or math.isnan(value)
    signed = bv(bits, 64).signed
    for sort in (Float64, Float32):
        exact = to_float(Fraction(signed), sort, rm)
        assert same(evaluate(sbv_to_float(b, sort, rm), {b: bits}), exact)
        assert same(sbv_to_float(bv(bits, 64), sort, rm), exact)
        assert same(ubv_to_float(bv(bits, 64), sort, rm), to_float(Fraction(bits), sort, rm))
    assert same(evaluate(ubv_to_float(b), {b: bits}), float(bits))


@given(doubles, st.sampled_from(RoundingMode))
def test_conversion_between_formats(a: float, rm: RoundingMode) -> None:
    narrowed = to_float(a, Float16, rm)
    assert isinstance(narrowed, FP)
    assert evaluate(to_float(x, Float16, rm), {x: a}) == narrowed
    assert same(evaluate(to_float(to_float(x, Float16, rm)), {x: a}), to_float(narrowed))
    assert to_float(to_float(u, Float64), Float32, rm) is u
    assert to_float(x, Float64, rm) is x


def test_bits_of_terms() -> None:
    with pytest.raises(SortError, match=r"assume eq\(float_from_bits\(b, Float64\), x\)"):
        float_to_bits(x)
    b = BitVec("b", 16)
    bits = float_to_bits(float_from_bits(b, Float16))
    assert evaluate(bits, {b: 0x3C00}) == bv(0x3C00, 16)
    assert evaluate(bits, {b: 0x7C01}) == float_to_bits(soft.nan(Float16)) == bv(0x7E00, 16)
    with pytest.raises((SortError, WidthError)):
        float_from_bits(b, Float32)


def test_what_cannot_be_converted() -> None:
    with pytest.raises(SortError, match="use sbv_to_float, ubv_to_float or float_from_bits"):
        to_float(BitVec("b", 8))
    with pytest.raises(SortError, match="is not a number"):
        to_float("1.5")
    with pytest.raises(SortError, match="a sort of floats is needed, not Int"):
        to_float(1, Int)
    with pytest.raises(SortError, match="a bitvector is needed"):
        sbv_to_float(1)
    with pytest.raises(OverflowError):
        float_to_real(INF)
    with pytest.raises(ValueError, match="NaN"):
        float_to_int(NAN)
    with pytest.raises(SortError, match="multiply instead"):
        x**2
    with pytest.raises(SortError, match="multiply instead"):
        2.0**x
    with pytest.raises(SortError, match="rounds in decimal"):
        round(x, 2)


# --- values inside and outside -----------------------------------------------------------------


def test_coercion() -> None:
    assert Float64.coerce(1) == soft.from_python(1.0) == Float64.coerce(True)
    assert Float32.coerce(0.1) == fp(0.1, Float32)
    assert Float32.coerce(10**60) == soft.infinity(Float32)
    assert Float64.coerce(x) is x
    assert Float64.coerce(i) is to_float(i)
    assert Float64.coerce(p) is to_float(p)
    for other in (u, fp(1, Float32), "a", Fraction(1), Real("r"), BitVec("b", 64), None):
        assert Float64.coerce(other) is NotImplemented
    assert Float64.default == soft.zero(Float64)
    assert Float32.default == fp(0.0, Float32)
    with pytest.raises(OverflowError):
        Float64.coerce(10**400)
    assert [sort_of(value) for value in (1.5, fp(1, Float32), x)] == [Float64, Float32, Float64]


def test_users_see_python_floats() -> None:
    results = [
        fp(1.5, Float64),
        Model({x: 1.5})[x],
        Model({})[x],
        evaluate(x, {x: 1.5}),
        substitute(x + 1, {x: 0.5}),
        ite(p, 1.5, 1.5),
        ite(p, 1, 1.0),
        select(const_array(Int, 1.5), i),
        const_array(Int, 1.5)[3],
        Model({Array("a", Int, Float64): const_array(Int, 1.5)})["a"][0],
        FunctionValue(Float64, 0.0, {(1.5,): 2.5})(1.5),
        to_float(3),
        float_from_bits(0),
        fp_min(1.0, 2.0),
    ]
    assert [type(result) for result in results] == [float] * len(results)
    assert isinstance(evaluate(u, {u: 1.5}), FP)
    assert repr(const_array(Int, 1.5)) == "ArrayValue({}, default=1.5)"
    assert repr(Model({x: -0.0})) == "Model({x: -0.0})"


def test_terms_hold_floats_of_their_own_class() -> None:
    stored = store(Array("a", Float, Int), 1.5, i)
    for term in (x + 1, x * 2.5, ite(p, 1.0, x), x < 3, eq(x, -0.0), stored):
        values = [arg for arg in term.args if not isinstance(arg, (Term, int))]
        assert [type(value) for value in values] == [FP]
    assert eq(x, 0.0) is not eq(x, -0.0)
    assert eq(x, NAN) is eq(x, -NAN)
    assert x + 1 is x + 1.0 is 1.0 + x


def test_arrays_and_functions_of_floats() -> None:
    a = Array("a", Float64, Float64)
    f = Function("f", [Float64], Float64)
    term = a[x] + f(y)
    keys = [soft.internal(value) for value in (0.0, -0.0, NAN)]
    array = ArrayValue(a.sort, 0.0, dict(zip(keys, (1.0, 2.0, 4.0), strict=True)))
    function = FunctionValue(Float64, 0.0, {(1.5,): 8.0, (NAN,): 16.0})
    for at, element in ((0.0, 1.0), (-0.0, 2.0), (NAN, 4.0), (7.0, 0.0)):
        assert evaluate(term, {a: array, f: function, x: at, y: 1.5}) == element + 8
    assert evaluate(term, {a: array, f: function, x: 1.0, y: NAN}) == 16
    assert same(FunctionValue(Float64, 0.0, {(1,): -0.0})(1), -0.0)


def test_terms_can_be_pickled() -> None:
    for term in (fp_add(x, 0.1, RTP), to_float(u, Float16, RTZ), fp_to_sbv(x, 8, RNA), x == y):
        assert pickle.loads(pickle.dumps(term)) is term


def test_texts() -> None:
    texts = {
        x + 1: "x + 1.0",
        x - 1.5: "x - 1.5",
        1 - x: "1.0 - x",
        -(x + y) / z: "-(x + y) / z",
        x - (y - z): "x - (y - z)",
        x / 3 < y: "x / 3.0 < y",
        x != y: "x != y",
        eq(x, INF): "x == inf",
        abs(u) + 0.1: "abs(u) + 0.1",
        ite(p, u, 0.5): "ite(p, u, fp(0.5, Float32))",
        fp_add(x, y, RTP): "fp_add(x, y, RTP)",
        sqrt(x): "sqrt(x)",
        to_float(x, Float32, RTZ): "to_float(x, Float32, RTZ)",
        is_nan(x): "is_nan(x)",
        ops.FP_TO_SBV.at(RTZ, 8)(x): "fp_to_sbv(x, 8, RTZ)",
        float_from_bits(BitVec("b", 16), Float16): "float_from_bits(b, Float16)",
    }
    assert [pretty(term) for term in texts] == list(texts.values())


# --- every operator in SMT-LIB -----------------------------------------------------------------

t, w = TINY("t"), TINY("w")
MODES = list(RoundingMode)
ROUNDED = [(ops.FP_ADD, 2), (ops.FP_SUB, 2), (ops.FP_MUL, 2), (ops.FP_DIV, 2)]
ROUNDED += [(ops.FP_SQRT, 1), (ops.FP_ROUND_TO_INTEGRAL, 1), (ops.FP_FMA, 3)]
TARGETS = (Float16, float_sort(2, 3))
EVERY: list[tuple[Op, int]] = [
    *((family.at(rm), arity) for family, arity in ROUNDED for rm in MODES),
    *((op, 2) for op in (ops.FP_REM, ops.FP_LEQ, ops.FP_LT, ops.FP_EQ)),
    *((op, 1) for op in (ops.FP_NEG, ops.FP_ABS, *ops.CLASSES)),
    *((ops.TO_FP_FROM_FLOAT.at(rm, sort), 1) for rm in MODES for sort in TARGETS),
]


@pytest.mark.parametrize(("op", "arity"), EVERY, ids=str)
def test_operators_mean_the_same_in_z3(op: Op, arity: int) -> None:
    # The solver computes with symbolic operands, not by its own constant folding.
    term = op(*(t, w, t)[:arity])
    values = all_floats(TINY)
    wrong = []
    for pair in itertools.product(values[:: 1 if arity == 1 else 4], repeat=min(arity, 2)):
        args = (*pair, pair[0])[:arity]
        fixed = [f"(= {name} {arg.smt})" for name, arg in zip("tw", args, strict=False)]
        wrong.append(f"(and {' '.join(fixed)} (not (= r {literal(op.fold(*args))})))")
    solver = z3.Solver()
    solver.from_string(
        f"{declarations(term)}(declare-const r {term.sort.smt})"
        f"(assert (= r {text(term)}))(assert (or {' '.join(wrong)}))"
    )
    assert solver.check() == z3.unsat, solver.model()


def assert_means(term: Any, values: list[FP]) -> None:
    """Under every value of t, Z3's only value of the term is that of evaluation."""
    wrong = []
    for value in values:
        result = evaluate(term, {t: value})
        result = soft.internal(result)
        wrong.append(f"(and (= t {value.smt}) (not (= r {literal(result)})))")
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.from_string(
        f"{declarations(term)}(declare-const r {term.sort.smt})"
        f"(assert (= r {text(term)}))(assert (or {' '.join(wrong)}))"
    )
    assert solver.check() == z3.unsat, (term, solver)


@pytest.mark.parametrize("rm", MODES)
def test_partial_functions_have_one_meaning(rm: RoundingMode) -> None:
    values = all_floats(TINY)
    for width in (1, 2, 3, 4, 6):
        assert_means(fp_to_ubv(t, width, rm), values)
        assert_means(fp_to_sbv(t, width, rm), values)


def test_smaller_and_larger_zero_have_one_meaning() -> None:
    values = all_floats(TINY)
    for zero in (0.0, -0.0, 1.0, NAN):
        assert_means(fp_min(t, zero), values)
        assert_means(fp_max(zero, t), values)
    assert same(evaluate(fp_min(x, y), {x: 0.0, y: -0.0}), -0.0)
    assert same(evaluate(fp_max(x, y), {x: -0.0, y: 0.0}), 0.0)


def test_conversions_to_numbers_have_one_meaning() -> None:
    values = all_floats(TINY)
    assert_means(float_to_real(t), values)
    for function in (math.floor, math.ceil, math.trunc, round):
        assert_means(function(t), values)


def test_conversions_from_bitvectors_mean_the_same_in_z3() -> None:
    b = BitVec("b", 6)
    families = (ops.TO_FP_FROM_SIGNED, ops.TO_FP_FROM_UNSIGNED)
    conversions = [family.at(rm, TINY) for family in families for rm in MODES]
    for op in (*conversions, ops.TO_FP_FROM_BITS.at(TINY)):
        wrong = [
            f"(and (= b {literal(bv(bits, 6))}) (not (= {text(op(b))} {op.fold(bv(bits, 6)).smt})))"
            for bits in range(64)
        ]
        solver = z3.Solver()
        solver.from_string(f"{declarations(b)}(assert (or {' '.join(wrong)}))")
        assert solver.check() == z3.unsat, (op, solver.model())


def test_conversions_from_reals_mean_the_same_in_z3() -> None:
    r = Real("r")
    term = to_float(r, TINY)
    for value in (Fraction(1, 3), Fraction(-1, 10**9), Fraction(0), Fraction(-1000)):
        wrong = f"(= r {literal(value)}) (not (= {text(term)} {evaluate(term, {r: value}).smt}))"
        solver = z3.Solver()
        solver.from_string(f"{declarations(r)}(assert (and {wrong}))")
        assert solver.check() == z3.unsat, value


@pytest.mark.parametrize("function", [operator.mod, operator.floordiv])
def test_python_division_means_the_same_in_z3(function: Any) -> None:
    values = all_floats(TINY)
    for divisor in (1.5, -0.25, INF):
        assert_means(function(t, fp(divisor, TINY)), values)


def test_models_of_z3_agree_with_evaluation() -> None:
    solver = z3.Solver()
    a, b = Float16("a"), Float16("b")
    claim = (a * 3 + 1 == 10) & (b * b == 2.25) & (b < 0) & (a / b < -1.5)
    solver.from_string(f"{declarations(claim)}(assert {text(claim)})")
    assert solver.check() == z3.sat
    model = {d.name(): solver.model()[d] for d in solver.model().decls()}
    found = {
        name: float_from_bits(z3.simplify(z3.fpToIEEEBV(value)).as_long(), Float16)
        for name, value in model.items()
    }
    assert found == {"a": fp(3, Float16), "b": fp(-1.5, Float16)}
    assert evaluate(claim, found) is True


def test_deep_terms() -> None:
    term: Any = x
    for _ in range(20_000):
        term = term * 0.5 + y
    assert evaluate(term, {x: 1.0, y: 1.0}) == 2.0


def test_widths_of_conversions() -> None:
    for width in (0, -1):
        with pytest.raises(WidthError):
            fp_to_sbv(x, width, RNE)
    with pytest.raises(WidthError):
        Float(1, 5)


def test_sorts_have_names() -> None:
    assert [str(sort) for sort in (Float16, Float32, Float64, TINY)] == [
        "Float16",
        "Float32",
        "Float64",
        "Float(3, 3)",
    ]
    assert isinstance(Float16, FloatSort)
    assert Float("x", 5, 11).sort is Float16
    with pytest.raises(SortError):
        x + Str("s")


def test_directed_rounding_is_kept() -> None:
    assert fp_add(x, y, RTP) is not fp_add(x, y, RTN)
    assert fp_add(x, y, RNE) is x + y
