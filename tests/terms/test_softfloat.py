"""Concrete floats against the machine's own arithmetic and against Z3."""

from __future__ import annotations

import copy
import itertools
import math
import operator
import pickle
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvent.errors import SortError
from solvent.terms import Float16, Float32, Float64, fp
from solvent.terms import softfloat as soft
from solvent.terms.softfloat import (
    FP,
    RNA,
    RNE,
    RTN,
    RTP,
    RTZ,
    RoundingMode,
    from_python,
    to_python,
)
from solvent.terms.sorts import FloatSort, float_sort
from tests.terms.float_solvers import all_floats, literal, not_true, refuted_by_bitwuzla

TINY = float_sort(3, 4)
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -3.5,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    0.1,
    2.0**53,
    2.0**53 - 1,
    1 / 3,
]
doubles = st.one_of(st.sampled_from(SPECIAL), st.floats())
modes = st.sampled_from(RoundingMode)


def bits_of(value: float) -> int:
    """The bits of a Python float, one pattern for NaN."""
    return 0x7FF8 << 48 if math.isnan(value) else struct.unpack("<Q", struct.pack("<d", value))[0]


def assert_same(result: FP, value: float) -> None:
    assert result.bits == bits_of(value), (result, value)


def ieee_div(a: float, b: float) -> float:
    """The quotient where Python raises."""
    if b != 0:
        return a / b
    sign = math.copysign(1, a) * math.copysign(1, b)
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, sign)


def ieee_sqrt(a: float) -> float:
    return math.nan if a < 0 else math.sqrt(a) if a else a


def ieee_remainder(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.remainder(a, b)


BINARY: list[tuple[Callable[..., FP], Callable[..., float]]] = [
    (soft.add, operator.add),
    (soft.sub, operator.sub),
    (soft.mul, operator.mul),
    (soft.div, ieee_div),
]


def without_machine() -> Any:
    """Compute binary64 as any other format."""
    return patch.object(soft, "_is_native", return_value=False)


# --- binary64 against Python -------------------------------------------------------------------


@given(doubles, doubles)
@example(math.nan, math.nan)
@example(-0.0, 0.0)
def test_arithmetic_is_that_of_python(a: float, b: float) -> None:
    x, y = from_python(a), from_python(b)
    for function, reference in BINARY:
        assert_same(function(RNE, x, y), reference(a, b))
        with without_machine():
            assert_same(function(RNE, x, y), reference(a, b))


@given(doubles, doubles)
@example(5.0, 2.0)
@example(7.0, 2.0)
@example(1.7976931348623157e308, 5e-324)
def test_remainder_is_that_of_python(a: float, b: float) -> None:
    x, y = from_python(a), from_python(b)
    assert_same(soft.rem(x, y), ieee_remainder(a, b))
    with without_machine():
        assert_same(soft.rem(x, y), ieee_remainder(a, b))


@given(doubles)
def test_functions_of_one_float_are_those_of_python(a: float) -> None:
    x = from_python(a)
    assert_same(soft.neg(x), -a)
    assert_same(soft.absolute(x), abs(a))
    assert_same(soft.sqrt(RNE, x), ieee_sqrt(a))
    with without_machine():
        assert_same(soft.sqrt(RNE, x), ieee_sqrt(a))
    for rm, reference in {RNE: round, RTZ: math.trunc, RTN: math.floor, RTP: math.ceil}.items():
        expected = math.copysign(reference(a), a) if math.isfinite(a) else a
        assert_same(soft.round_to_integral(rm, x), expected)
        if math.isfinite(a):
            assert soft.round_to_integer(rm, x) == reference(a)
    if math.isfinite(a) and a:
        away = math.copysign(math.floor(Fraction(abs(a)) + Fraction(1, 2)), a)
        assert_same(soft.round_to_integral(RNA, x), away)


@given(doubles, doubles)
def test_comparisons_are_those_of_python(a: float, b: float) -> None:
    x, y = from_python(a), from_python(b)
    assert soft.lt(x, y) == (a < b)
    assert soft.leq(x, y) == (a <= b)
    assert soft.ieee_eq(x, y) == (a == b)
    assert (x == y) == (bits_of(a) == bits_of(b))
    assert (hash(x) == hash(y)) or x != y


@given(doubles)
def test_classes(a: float) -> None:
    x = from_python(a)
    smallest_normal = 2.2250738585072014e-308
    assert soft.is_nan(x) == math.isnan(a)
    assert soft.is_infinite(x) == math.isinf(a)
    assert soft.is_finite(x) == math.isfinite(a)
    assert soft.is_zero(x) == (a == 0)
    assert soft.is_normal(x) == (smallest_normal <= abs(a) < math.inf)
    assert soft.is_subnormal(x) == (0 < abs(a) < smallest_normal)
    assert soft.is_negative(x) == (not math.isnan(a) and math.copysign(1, a) < 0)
    assert soft.is_positive(x) == (not math.isnan(a) and math.copysign(1, a) > 0)


@given(doubles)
def test_exact_conversions(a: float) -> None:
    x = from_python(a)
    assert bits_of(to_python(x)) == bits_of(a)
    assert soft.from_bits(Float64, x.bits) == x
    assert bits_of(float(x)) == bits_of(a)
    if math.isfinite(a):
        assert soft.to_fraction(x) == Fraction(a)
        assert int(x) == int(a)
        assert x.number == a
    else:
        with pytest.raises((OverflowError, ValueError)):
            soft.to_fraction(x)


@given(st.fractions(), modes)
def test_rounding_of_fractions(value: Fraction, rm: RoundingMode) -> None:
    result = soft.from_fraction(rm, Float64, value)
    nearest = float(value)
    if rm is RNE:
        assert_same(result, nearest)
    low, high = soft.from_fraction(RTN, Float64, value), soft.from_fraction(RTP, Float64, value)
    assert result in (low, high)
    assert soft.to_fraction(low) <= value <= soft.to_fraction(high)
    assert to_python(high) in (to_python(low), math.nextafter(to_python(low), math.inf))
    if rm is RTZ:
        assert abs(soft.to_fraction(result)) <= abs(value)


@given(doubles, doubles, doubles)
def test_fma_rounds_once(a: float, b: float, c: float) -> None:
    result = soft.fma(RNE, from_python(a), from_python(b), from_python(c))
    if not all(map(math.isfinite, (a, b, c))):
        expected = a * b + c if not (math.isfinite(a) and math.isfinite(b)) else c
        assert_same(result, expected)
        return
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        try:
            magnitude = float(abs(exact))
        except OverflowError:
            magnitude = math.inf
        assert_same(result, magnitude if exact > 0 else -magnitude)
    else:
        assert_same(result, a * b + c if not a * b else 0.0)


@given(doubles, doubles, modes)
def test_directed_rounding_brackets_the_exact_result(a: float, b: float, rm: RoundingMode) -> None:
    x, y = from_python(a), from_python(b)
    for function in (soft.add, soft.sub, soft.mul, soft.div):
        low, high = function(RTN, x, y), function(RTP, x, y)
        result = function(rm, x, y)
        assert result in (low, high)
        if not soft.is_nan(result):
            assert soft.leq(low, high)


# --- binary32 and binary16 against the machine -------------------------------------------------


def cast(code: str, value: float) -> float:
    """A float as C rounds it to a smaller format."""
    try:
        return float(struct.unpack(f"<{code}", struct.pack(f"<{code}", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


NARROW = [(Float32, "f"), (Float16, "e")]


@pytest.mark.parametrize(("sort", "code"), NARROW)
@given(a=doubles, b=doubles)
@example(a=1 + 2**-24, b=65519.999)
@example(a=65520.0, b=1 + 2**-11)
def test_narrow_formats_are_those_of_the_machine(
    sort: FloatSort, code: str, a: float, b: float
) -> None:
    # Twice the precision and two bits make rounding to binary64 first harmless.
    x, y = soft.from_number(RNE, sort, a), soft.from_number(RNE, sort, b)
    a, b = cast(code, a), cast(code, b)
    assert_same(soft.convert(RNE, Float64, x), a)
    for function, reference in BINARY:
        assert_same(soft.convert(RNE, Float64, function(RNE, x, y)), cast(code, reference(a, b)))
    assert_same(soft.convert(RNE, Float64, soft.sqrt(RNE, x)), cast(code, ieee_sqrt(a)))
    assert_same(soft.convert(RNE, Float64, soft.rem(x, y)), cast(code, ieee_remainder(a, b)))
    assert soft.lt(x, y) == (a < b)
    if not math.isnan(a):
        size = struct.calcsize(code)
        assert x.bits == int.from_bytes(struct.pack(f"<{code}", a), "little")
        assert soft.from_bits(sort, x.bits + (1 << 8 * size)) == x


def test_halves_are_those_of_the_machine() -> None:
    for bits in range(0, 1 << 16, 5):
        value = struct.unpack("<e", bits.to_bytes(2, "little"))[0]
        assert_same(soft.convert(RNE, Float64, soft.from_bits(Float16, bits)), value)


# --- a tiny format against Z3, exhaustively ----------------------------------------------------

TINY_FLOATS = all_floats(TINY)
NAMES = {value: f"v{position}" for position, value in enumerate(TINY_FLOATS)}
DECLARED = "\n".join(
    f"(define-fun {name} () {TINY.smt} {value.smt})" for value, name in NAMES.items()
)


def claim(head: str, args: tuple[FP, ...], result: Any) -> str:
    """`head` applied to tiny floats gives the result."""
    value = NAMES[result] if isinstance(result, FP) else str(result).lower()
    return f"(= ({head} {' '.join(NAMES[arg] for arg in args)}) {value})"


@pytest.mark.parametrize("rm", RoundingMode)
@pytest.mark.parametrize("name", ["add", "mul", "div"])
def test_rounded_arithmetic_agrees_with_z3(name: str, rm: RoundingMode) -> None:
    function = getattr(soft, name)
    pairs = itertools.product(TINY_FLOATS, repeat=2)
    claims = [claim(f"fp.{name} {rm}", pair, function(rm, *pair)) for pair in pairs]
    assert not_true(DECLARED, claims) == []


def test_other_functions_of_two_floats_agree_with_z3() -> None:
    functions: dict[str, Callable[..., Any]] = {
        "rem": soft.rem,
        "lt": soft.lt,
        "leq": soft.leq,
        "eq": soft.ieee_eq,
        "sub RNE": lambda a, b: soft.sub(RNE, a, b),
        "sub RTN": lambda a, b: soft.sub(RTN, a, b),
    }
    claims = [
        claim(f"fp.{name}", pair, function(*pair))
        for name, function in functions.items()
        for pair in itertools.product(TINY_FLOATS, repeat=2)
    ]
    assert not_true(DECLARED, claims) == []


def test_minimum_and_maximum_agree_with_z3() -> None:
    claims = []
    for a, b in itertools.product(TINY_FLOATS, repeat=2):
        if soft.is_zero(a) and soft.is_zero(b):
            continue
        claims.append(claim("fp.min", (a, b), soft.minimum(a, b)))
        claims.append(claim("fp.max", (a, b), soft.maximum(a, b)))
    assert not_true(DECLARED, claims) == []
    minus, plus = soft.zero(TINY, negative=True), soft.zero(TINY)
    for pair in ((minus, plus), (plus, minus)):
        assert soft.minimum(*pair) == minus
        assert soft.maximum(*pair) == plus


@pytest.mark.parametrize("rm", RoundingMode)
def test_fma_agrees_with_z3(rm: RoundingMode) -> None:
    some = [*TINY_FLOATS[::7], soft.infinity(TINY, negative=True), soft.zero(TINY, negative=True)]
    triples = itertools.product(some, repeat=3)
    claims = [claim(f"fp.fma {rm}", triple, soft.fma(rm, *triple)) for triple in triples]
    assert not_true(DECLARED, claims) == []


def test_functions_of_one_float_agree_with_z3() -> None:
    classes = {
        "isNormal": soft.is_normal,
        "isSubnormal": soft.is_subnormal,
        "isZero": soft.is_zero,
        "isInfinite": soft.is_infinite,
        "isNaN": soft.is_nan,
        "isNegative": soft.is_negative,
        "isPositive": soft.is_positive,
        "neg": soft.neg,
        "abs": soft.absolute,
    }
    claims = []
    for x in TINY_FLOATS:
        claims += [claim(f"fp.{name}", (x,), function(x)) for name, function in classes.items()]
        for rm in RoundingMode:
            claims.append(claim(f"fp.sqrt {rm}", (x,), soft.sqrt(rm, x)))
            claims.append(claim(f"fp.roundToIntegral {rm}", (x,), soft.round_to_integral(rm, x)))
    assert not_true(DECLARED, claims) == []


@pytest.mark.parametrize("target", [float_sort(2, 3), float_sort(3, 3), float_sort(4, 6), Float16])
def test_conversions_between_formats_agree_with_z3(target: FloatSort) -> None:
    claims = []
    for x, rm in itertools.product(TINY_FLOATS, RoundingMode):
        narrowed = soft.convert(rm, target, x)
        head = f"(_ to_fp {target.ebits} {target.sbits}) {rm}"
        claims.append(f"(= ({head} {NAMES[x]}) {narrowed.smt})")
    for x in all_floats(target)[::17]:
        for rm in RoundingMode:
            converted = NAMES[soft.convert(rm, TINY, x)]
            claims.append(f"(= ((_ to_fp 3 4) {rm} {x.smt}) {converted})")
    assert not_true(DECLARED, claims) == []


def test_conversions_of_numbers_agree_with_z3() -> None:
    claims = []
    for numerator, rm in itertools.product(range(-200, 201), RoundingMode):
        for denominator in (1, 3, 8, 64):
            value = soft.from_fraction(rm, TINY, Fraction(numerator, denominator))
            number = literal(Fraction(numerator, denominator))
            claims.append(f"(= ((_ to_fp 3 4) {rm} {number}) {NAMES[value]})")
    for x in TINY_FLOATS:
        if soft.is_finite(x):
            number = literal(soft.to_fraction(x))
            claims.append(f"(= (fp.to_real {NAMES[x]}) {number})")
    assert not_true(DECLARED, claims) == []


@pytest.mark.parametrize("sort", [float_sort(2, 2), float_sort(2, 5), float_sort(4, 2)])
def test_formats_at_the_edge_agree_with_z3(sort: FloatSort) -> None:
    values = all_floats(sort)
    claims = []
    for a, rm in itertools.product(values, RoundingMode):
        claims.append(f"(= (fp.sqrt {rm} {a.smt}) {soft.sqrt(rm, a).smt})")
        integral = soft.round_to_integral(rm, a)
        claims.append(f"(= (fp.roundToIntegral {rm} {a.smt}) {integral.smt})")
        for b in values[::5]:
            claims.append(f"(= (fp.add {rm} {a.smt} {b.smt}) {soft.add(rm, a, b).smt})")
            claims.append(f"(= (fp.mul {rm} {a.smt} {b.smt}) {soft.mul(rm, a, b).smt})")
            claims.append(f"(= (fp.div {rm} {a.smt} {b.smt}) {soft.div(rm, a, b).smt})")
    assert not_true("", claims) == []


def test_remainder_agrees_with_the_circuits_of_bitwuzla() -> None:
    dividends = [0x0001, 0x03FF, 0x3C00, 0x4500, 0x7BFF, 0xC780, 0x8000, 0x7C00, 0x7E00]
    divisors = [0x0001, 0x3C00, 0x4000, 0x4200, 0xBE00, 0x7BFF, 0x7C00, 0x0000]
    claims = []
    for bits in itertools.product(dividends, divisors):
        x, y = (soft.from_bits(Float16, pattern) for pattern in bits)
        claims.append(f"(and (= x {x.smt}) (= y {y.smt}) (not (= r {soft.rem(x, y).smt})))")
    declared = "(declare-const x Float16)(declare-const y Float16)(declare-const r Float16)"
    assert refuted_by_bitwuzla(f"{declared}(assert (= r (fp.rem x y)))", claims) == []


# --- the class ---------------------------------------------------------------------------------


def test_there_is_one_nan() -> None:
    nans = [soft.from_bits(Float16, bits) for bits in (0x7C01, 0x7FFF, 0xFE00)]
    assert set(nans) == {soft.nan(Float16)}
    assert soft.neg(nans[0]) == nans[0]
    assert len(TINY_FLOATS) == (1 << 7) - 2 * 8 + 3


def test_floats_are_immutable_values() -> None:
    x = fp(1.5, Float32)
    for change in (lambda: setattr(x, "bits", 0), lambda: delattr(x, "sort")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError):
        FP()
    assert x == pickle.loads(pickle.dumps(x)) == copy.deepcopy(x)
    assert hash(x) == hash(pickle.loads(pickle.dumps(x)))
    assert x != fp(1.5, Float16)
    assert x != 1.5
    assert from_python(0.0) != from_python(-0.0)
    assert from_python(math.nan) == from_python(math.nan)


def test_rounding_modes_can_be_pickled() -> None:
    for rm in RoundingMode:
        assert pickle.loads(pickle.dumps(rm)) is rm
    assert str(RTZ) == "RTZ"


@pytest.mark.parametrize("sort", [TINY, Float16, Float32, float_sort(15, 113)])
@given(data=st.data())
@settings(max_examples=60)
def test_the_text_gives_the_float_back(sort: FloatSort, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << (sort.ebits + sort.sbits)) - 1))
    x = soft.from_bits(sort, bits)
    names = {"fp": fp, "Float16": Float16, "Float32": Float32, "Float": float_sort}
    assert eval(repr(x), names) == x


def test_texts() -> None:
    assert repr(fp(0.1, Float32)) == "fp(0.1, Float32)"
    assert repr(from_python(-2.5)) == "fp(-2.5, Float64)"
    assert repr(soft.nan(Float32)) == "fp('nan', Float32)"
    assert repr(soft.zero(TINY, negative=True)) == "fp(-0.0, Float(3, 4))"
    assert repr(fp("1e4000", float_sort(15, 113))) == "fp('1E+4000', Float(15, 113))"
    assert fp(-0.0, Float16).smt == "(fp #b1 #b00000 #b0000000000)"
    assert soft.nan(Float16).smt == "(_ NaN 5 11)"


def test_text_is_rounded_once() -> None:
    # Through binary64 this would be a tie of binary32.
    assert fp("1.000000059604644775390626", Float32) == fp(1 + 2**-23, Float32)
    assert fp(1.000000059604644775390626, Float32) == fp(1.0, Float32)
    assert fp("-0.0", Float32) == soft.zero(Float32, negative=True)
    with pytest.raises(SortError, match="'one' is not a number"):
        fp("one", Float32)
    with pytest.raises(SortError, match="made from a number"):
        fp([1], Float32)  # type: ignore[arg-type]


def test_operators_round_to_nearest() -> None:
    x = fp(16777216.0, Float32)
    assert x + 1 == x == 1 + x
    assert x + 2 == fp(16777218.0, Float32)
    assert 0.5 - fp(0.25, Float32) == fp(0.25, Float32)
    assert fp(3, Float32) / 2 == fp(1.5, Float32)
    assert 3 / fp(2, Float32) == fp(1.5, Float32)
    assert 2 * fp(3, Float32) == fp(6, Float32) == fp(3, Float32) * 2
    assert -fp(0, Float32) == fp(-0.0, Float32)
    assert abs(fp(-1, Float32)) == +fp(1, Float32)
    assert bool(fp(-0.0, Float32)) is False
    assert bool(soft.nan(Float32)) is True
    with pytest.raises(ZeroDivisionError):
        fp(1, Float32) / 0
    with pytest.raises(SortError, match="operands of one format are needed"):
        fp(1, Float32) + fp(1, Float16)
    with pytest.raises(TypeError):
        fp(1, Float32) + "a"


def test_comparisons_of_values() -> None:
    x = fp(16777216.0, Float32)
    assert x < 16777217
    assert not x >= 16777217
    assert x <= x
    assert x > 1.5
    assert not soft.nan(Float32) <= soft.nan(Float32)
    wide = fp("1e4000", float_sort(15, 113))
    assert wide > 10**3999
    assert wide < math.inf
    assert wide < soft.infinity(wide.sort)
    assert float(wide) == math.inf
    assert isinstance(wide.number, Fraction)


def test_integers_of_values() -> None:
    x = fp(-2.5, Float16)
    assert (int(x), math.trunc(x), math.floor(x), math.ceil(x), round(x)) == (-2, -2, -3, -2, -2)
    with pytest.raises(OverflowError):
        int(soft.infinity(Float16))
    with pytest.raises(ValueError, match="NaN"):
        round(soft.nan(Float16))


@given(doubles)
def test_external_and_internal_are_inverse(a: float) -> None:
    assert bits_of(soft.external(soft.internal(a))) == bits_of(a)
    assert soft.external(fp(1, Float32)) == fp(1, Float32)
    assert soft.internal(3) == 3
