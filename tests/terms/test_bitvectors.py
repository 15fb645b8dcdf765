"""Bitvectors against a reference on plain numbers, on all operands of 3 bits, and against Z3."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError, WidthError
from solvent.terms import (
    BV,
    BitVec,
    Bool,
    Int,
    Term,
    and_,
    ashr,
    bv,
    bv_to_int,
    bvcomp,
    concat,
    eq,
    evaluate,
    extract,
    int_to_bv,
    ite,
    lshr,
    nand,
    neg_overflow,
    nor,
    not_,
    redand,
    redor,
    repeat,
    rotate_left,
    rotate_right,
    sadd_overflow,
    sdiv,
    sdiv_overflow,
    sge,
    sgt,
    shl,
    sign_extend,
    sle,
    slt,
    smod,
    smul_overflow,
    srem,
    ssub_overflow,
    uadd_overflow,
    udiv,
    uge,
    ugt,
    ule,
    ult,
    umul_overflow,
    urem,
    usub_overflow,
    xnor,
    zero_extend,
)
from solvent.terms.bitvectors import BitVecTerm
from tests.terms.expressions import Operator, check, programs
from tests.terms.z3_reference import to_z3

x, y = BitVec("x", 3), BitVec("y", 3)
p = Bool("p")


# --- the reference -----------------------------------------------------------------------------


def signed(value: int, width: int) -> int:
    return value - 2**width if value >= 2 ** (width - 1) else value


def bits_of(value: int, width: int) -> list[int]:
    """The bits, the least significant first."""
    return [value // 2**position % 2 for position in range(width)]


def number(bits: list[int]) -> int:
    return sum(bit * 2**position for position, bit in enumerate(bits))


def bitwise(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: number(
        [function(i, j) for i, j in zip(bits_of(a, w), bits_of(b, w), strict=True)]
    )


def truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def on_signed(function: Callable[[int, int], Any]) -> Callable[[int, int, int], Any]:
    return lambda a, b, w: function(signed(a, w), signed(b, w))


def fits(value: int, width: int) -> bool:
    return -(2 ** (width - 1)) <= value < 2 ** (width - 1)


def reference_sdiv(a: int, b: int, w: int) -> int:
    if b == 0:
        return 1 if signed(a, w) < 0 else -1
    return truncated(signed(a, w), signed(b, w))


def reference_srem(a: int, b: int, w: int) -> int:
    if b == 0:
        return a
    a, b = signed(a, w), signed(b, w)
    return a - b * truncated(a, b)


def reference_smod(a: int, b: int, w: int) -> int:
    return a if b == 0 else signed(a, w) % signed(b, w)


# Each function, its meaning on unsigned numbers below 2**w, and Z3's.
Meaning = Callable[[int, int, int], int]
BINARY: list[tuple[Callable[[Any, Any], Any], Meaning, Callable[[Any, Any], Any]]] = [
    (operator.add, lambda a, b, w: a + b, operator.add),
    (operator.sub, lambda a, b, w: a - b, operator.sub),
    (operator.mul, lambda a, b, w: a * b, operator.mul),
    (operator.and_, bitwise(min), operator.and_),
    (operator.or_, bitwise(max), operator.or_),
    (operator.xor, bitwise(lambda i, j: abs(i - j)), operator.xor),
    (nand, bitwise(lambda i, j: 1 - min(i, j)), lambda a, b: ~(a & b)),
    (nor, bitwise(lambda i, j: 1 - max(i, j)), lambda a, b: ~(a | b)),
    (xnor, bitwise(lambda i, j: 1 - abs(i - j)), lambda a, b: ~(a ^ b)),
    (udiv, lambda a, b, w: a // b if b else -1, z3.UDiv),
    (urem, lambda a, b, w: a % b if b else a, z3.URem),
    (sdiv, reference_sdiv, operator.truediv),
    (srem, reference_srem, z3.SRem),
    (smod, reference_smod, operator.mod),
    (shl, lambda a, b, w: a * 2**b, operator.lshift),
    (operator.lshift, lambda a, b, w: a * 2**b, operator.lshift),
    (lshr, lambda a, b, w: a // 2**b, z3.LShR),
    (ashr, lambda a, b, w: signed(a, w) // 2**b, operator.rshift),
    (operator.rshift, lambda a, b, w: signed(a, w) // 2**b, operator.rshift),
]
PREDICATES: list[tuple[Callable[[Any, Any], Any], Meaning, Callable[[Any, Any], Any]]] = [
    (ule, lambda a, b, w: a <= b, z3.ULE),
    (ult, lambda a, b, w: a < b, z3.ULT),
    (uge, lambda a, b, w: a >= b, z3.UGE),
    (ugt, lambda a, b, w: a > b, z3.UGT),
    (sle, on_signed(operator.le), operator.le),
    (slt, on_signed(operator.lt), operator.lt),
    (sge, on_signed(operator.ge), operator.ge),
    (sgt, on_signed(operator.gt), operator.gt),
    (operator.le, on_signed(operator.le), operator.le),
    (operator.lt, on_signed(operator.lt), operator.lt),
    (operator.ge, on_signed(operator.ge), operator.ge),
    (operator.gt, on_signed(operator.gt), operator.gt),
    (operator.eq, on_signed(operator.eq), operator.eq),
    (operator.ne, on_signed(operator.ne), operator.ne),
    (
        uadd_overflow,
        lambda a, b, w: a + b >= 2**w,
        lambda a, b: z3.Not(z3.BVAddNoOverflow(a, b, False)),
    ),
    (
        sadd_overflow,
        lambda a, b, w: not fits(signed(a, w) + signed(b, w), w),
        lambda a, b: z3.Not(z3.And(z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b))),
    ),
    (
        umul_overflow,
        lambda a, b, w: a * b >= 2**w,
        lambda a, b: z3.Not(z3.BVMulNoOverflow(a, b, False)),
    ),
    (
        smul_overflow,
        lambda a, b, w: not fits(signed(a, w) * signed(b, w), w),
        lambda a, b: z3.Not(z3.And(z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b))),
    ),
    (
        usub_overflow,
        lambda a, b, w: a - b < 0,
        lambda a, b: z3.Not(z3.BVSubNoUnderflow(a, b, False)),
    ),
    (
        ssub_overflow,
        lambda a, b, w: not fits(signed(a, w) - signed(b, w), w),
        lambda a, b: z3.Not(z3.And(z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True))),
    ),
    (
        sdiv_overflow,
        lambda a, b, w: b != 0 and not fits(truncated(signed(a, w), signed(b, w)), w),
        lambda a, b: z3.Not(z3.BVSDivNoOverflow(a, b)),
    ),
]
UNARY: list[tuple[Callable[[Any], Any], Callable[[int, int], int], int | None]] = [
    # The last is the width of the result for 3 bits, None for a truth value.
    (operator.neg, lambda a, w: -a, 3),
    (operator.pos, lambda a, w: a, 3),
    (operator.invert, lambda a, w: -a - 1, 3),
    (abs, lambda a, w: abs(signed(a, w)), 3),
    (neg_overflow, lambda a, w: not fits(-signed(a, w), w), None),
    (redor, lambda a, w: int(a != 0), 1),
    (redand, lambda a, w: int(a == 2**w - 1), 1),
    (lambda a: zero_extend(2, a), lambda a, w: a, 5),
    (lambda a: sign_extend(2, a), lambda a, w: signed(a, w), 5),
    (lambda a: zero_extend(0, a), lambda a, w: a, 3),
    (lambda a: sign_extend(0, a), lambda a, w: a, 3),
    (lambda a: repeat(3, a), lambda a, w: a * 73, 9),
    (lambda a: rotate_left(1, a), lambda a, w: a * 2 % 8 + a // 4, 3),
    (lambda a: rotate_left(5, a), lambda a, w: a * 4 % 8 + a // 2, 3),
    (lambda a: rotate_left(3, a), lambda a, w: a, 3),
    (lambda a: rotate_right(1, a), lambda a, w: a // 2 + a % 2 * 4, 3),
    (lambda a: rotate_right(6, a), lambda a, w: a, 3),
    (lambda a: extract(2, 1, a), lambda a, w: a // 2, 2),
    (lambda a: extract(1, 1, a), lambda a, w: a // 2 % 2, 1),
    (lambda a: a[2], lambda a, w: a // 4, 1),
    (lambda a: a[1:0], lambda a, w: a % 4, 2),
    (lambda a: a[:1], lambda a, w: a // 2, 2),
    (lambda a: a[1:], lambda a, w: a % 4, 2),
]


def same(result: Any, expected: Any, width: int | None) -> bool:
    if width is None:
        return result is bool(expected)
    return isinstance(result, BV) and result == bv(expected, width)


@pytest.mark.parametrize(("function", "meaning", "_"), BINARY + PREDICATES)
def test_binary_on_all_pairs(function: Any, meaning: Meaning, _: Any) -> None:
    width = 3 if (function, meaning, _) in BINARY else None
    term = function(x, y)
    for a, b in itertools.product(range(8), repeat=2):
        expected = meaning(a, b, 3)
        assert same(function(bv(a, 3), bv(b, 3)), expected, width), (a, b)
        assert same(evaluate(term, {x: a, y: b}), expected, width), (a, b)
        assert same(evaluate(function(x, bv(b, 3)), {x: a}), expected, width), (a, b)
        assert same(evaluate(function(bv(a, 3), y), {y: b}), expected, width), (a, b)


@pytest.mark.parametrize(("function", "meaning", "_"), BINARY + PREDICATES)
def test_a_plain_integer_takes_the_width_of_the_other_operand(
    function: Any, meaning: Meaning, _: Any
) -> None:
    width = 3 if (function, meaning, _) in BINARY else None
    for a, b in itertools.product(range(8), repeat=2):
        expected = meaning(a, b, 3)
        for form in (b, signed(b, 3)):
            assert same(function(bv(a, 3), form), expected, width)
            assert same(evaluate(function(x, form), {x: a}), expected, width)
        for form in (a, signed(a, 3)):
            assert same(function(form, bv(b, 3)), expected, width)
            assert same(evaluate(function(form, y), {y: b}), expected, width)


@pytest.mark.parametrize(("function", "meaning", "width"), UNARY)
def test_unary_on_all_values(
    function: Any, meaning: Callable[[int, int], int], width: int | None
) -> None:
    for a in range(8):
        assert same(evaluate(function(x), {x: a}), meaning(a, 3), width)
        assert same(function(bv(a, 3)), meaning(a, 3), width)


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize(("function", "meaning", "reference"), BINARY + PREDICATES)
def test_binary_agrees_with_z3(function: Any, meaning: Any, reference: Any, width: int) -> None:
    a, b = BitVec("a", width), BitVec("b", width)
    expected = reference(to_z3(a), to_z3(b))
    solver = z3.Solver()
    solver.add(to_z3(function(a, b)) != expected)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("width", [1, 2, 3])
def test_floor_division_rounds_down(width: int) -> None:
    a, b = BitVec("a", width), BitVec("b", width)
    quotient, rest = a // b, a % b
    for i, j in itertools.product(range(2**width), range(1, 2**width)):
        expected = signed(i, width) // signed(j, width), signed(i, width) % signed(j, width)
        both = {a: i, b: j}
        assert (evaluate(quotient, both), evaluate(rest, both)) == tuple(
            bv(e, width) for e in expected
        )
        assert bv(i, width) // bv(j, width) == bv(expected[0], width)
        assert bv(i, width) % bv(j, width) == bv(expected[1], width)
        assert evaluate(a // bv(j, width), {a: i}) == bv(expected[0], width)
        assert evaluate(bv(i, width) // b, {b: j}) == bv(expected[0], width)
        assert evaluate(a % bv(j, width), {a: i}) == bv(expected[1], width)
        assert evaluate(bv(i, width) % b, {b: j}) == bv(expected[1], width)


def test_division_by_a_concrete_zero_raises() -> None:
    for function in (operator.floordiv, operator.mod):
        for dividend in (x, bv(5, 3)):
            with pytest.raises(ZeroDivisionError):
                function(dividend, 0)


def test_concat_and_comparison_of_bits() -> None:
    z = BitVec("z", 2)
    term = concat(x, z, y)
    for a, b, c in itertools.product(range(8), range(4), range(8)):
        expected = bv(a * 32 + b * 8 + c, 8)
        assert evaluate(term, {x: a, z: b, y: c}) == expected
        assert concat(bv(a, 3), bv(b, 2), bv(c, 3)) == expected
        assert evaluate(concat(x, bv(b, 2), bv(c, 3)), {x: a}) == expected
        assert evaluate(concat(bv(a, 3), z, bv(c, 3)), {z: b}) == expected
    for a, b in itertools.product(range(8), repeat=2):
        assert evaluate(bvcomp(x, y), {x: a, y: b}) == bv(a == b, 1) == bvcomp(bv(a, 3), bv(b, 3))


def test_extract_of_everything() -> None:
    terms = [
        concat(x, y),
        zero_extend(3, x),
        sign_extend(3, x),
        concat(x, y) & 0b101101,
        concat(x, y) ^ 0b101101,
        ite(p, bv(0b110100, 6), bv(0b001011, 6)),
        concat(x, bv(0b101, 3)),
        concat(bv(0b101, 3), x),
        concat(x, y)[4:0][3:1],
    ]
    for term in terms:
        for high in range(term.width):
            for low in range(high + 1):
                piece = extract(high, low, term)
                for a, b in itertools.product((0, 1, 5, 6), (2, 7)):
                    assignment = {x: a, y: b, p: a % 2 == 0}
                    whole = evaluate(term, assignment).value
                    expected = whole // 2**low % 2 ** (high - low + 1)
                    assert evaluate(piece, assignment) == bv(expected, high - low + 1)


def test_conversions_to_and_from_integers() -> None:
    n = Int("n")
    for a in range(8):
        assert evaluate(bv_to_int(x), {x: a}) == a == bv_to_int(bv(a, 3))
        assert evaluate(bv_to_int(x, signed=True), {x: a}) == signed(a, 3)
        assert bv_to_int(bv(a, 3), signed=True) == signed(a, 3)
        for width in (1, 2, 3, 5):
            assert evaluate(int_to_bv(bv_to_int(x), width), {x: a}) == bv(a, width)
    for number_ in range(-20, 20):
        for width in (1, 3, 5):
            assert evaluate(int_to_bv(n, width), {n: number_}) == bv(number_, width)
            assert int_to_bv(number_, width) == bv(number_, width)


# --- random programs ---------------------------------------------------------------------------


def bv_operators(width: int) -> list[Operator]:
    one_width = [
        *((f.__name__, f, "bits bits", "bits") for f, _, _ in BINARY),
        *((f"{f.__name__} c", f, "bits lit", "bits") for f, _, _ in BINARY),
        *((f"c {f.__name__}", f, "lit bits", "bits") for f, _, _ in BINARY),
        *((f.__name__, f, "bits bits", "bool") for f, _, _ in PREDICATES),
        *((f"{f.__name__} c", f, "bits lit", "bool") for f, _, _ in PREDICATES),
        *((f"c {f.__name__}", f, "lit bits", "bool") for f, _, _ in PREDICATES),
        *((f.__name__, f, "bits", "bits") for f in (operator.neg, operator.invert, abs)),
        ("ite", ite, "bool bits bits", "bits"),
        ("ite c", ite, "bool lit lit", "bits"),
        ("ite c else", ite, "bool lit bits", "bits"),
        ("not", not_, "bool", "bool"),
        ("and", and_, "bool bool", "bool"),
        ("bit", lambda a: ite(eq(redor(a), 1), a, ~a), "bits", "bits"),
        ("rotate", lambda a: rotate_left(1, a), "bits", "bits"),
    ]
    two_widths = [
        ("concat", concat, "bits bits", "wide"),
        ("concat c", concat, "bits lit", "wide"),
        ("c concat", concat, "lit bits", "wide"),
        ("zero_extend", lambda a: zero_extend(width, a), "bits", "wide"),
        ("sign_extend", lambda a: sign_extend(width, a), "bits", "wide"),
        ("low", lambda a: extract(width - 1, 0, a), "wide", "bits"),
        ("high", lambda a: extract(2 * width - 1, width, a), "wide", "bits"),
        ("middle", lambda a: extract(width, 1, a), "wide", "bits"),
        ("wide +", operator.add, "wide wide", "wide"),
        ("wide *", operator.mul, "wide wide", "wide"),
        ("wide &", operator.and_, "wide wide", "wide"),
        ("wide ==", eq, "wide wide", "bool"),
        ("wide ule", ule, "wide wide", "bool"),
        ("wide ite", ite, "bool wide wide", "wide"),
        ("via int", lambda a: int_to_bv(bv_to_int(a), 2 * width), "bits", "wide"),
        ("via signed", lambda a: int_to_bv(bv_to_int(a, signed=True) + 1, width), "bits", "bits"),
    ]
    return [Operator(*row) for row in one_width + two_widths]


BY_WIDTH = {width: bv_operators(width) for width in range(1, 9)}


@st.composite
def bitvector_programs(draw: Any, longest: int) -> Any:
    width = draw(st.integers(1, 8))
    program = draw(programs(BY_WIDTH[width], longest))
    values = st.builds(bv, st.integers(0, 2**width - 1), st.just(width))
    literals = draw(st.lists(values, min_size=4, max_size=4))
    concrete = {
        "bits": draw(st.lists(values, min_size=3, max_size=3)),
        "wide": [bv(draw(st.integers(0, 4**width - 1)), 2 * width)],
        "bool": [draw(st.booleans())],
        "lit": literals,
    }
    constants = {
        "bits": [BitVec(name, width) for name in ("a", "b", "c")],
        "wide": [BitVec("d", 2 * width)],
        "bool": [p],
        "lit": literals,
    }
    return program, constants, concrete


@given(bitvector_programs(longest=14), st.integers(0, 31))
def test_random_programs(drawn: Any, symbolic: int) -> None:
    check(*drawn, symbolic=lambda position: not symbolic >> position & 1)


@given(bitvector_programs(longest=8))
def test_random_programs_agree_with_z3(drawn: Any) -> None:
    check(*drawn, second_opinion=True)


# --- simplification ----------------------------------------------------------------------------


def test_simplified_at_once() -> None:
    a, b = BitVec("a", 8), BitVec("b", 8)
    for term, simple in [
        (a + 0, a),
        (a - a, bv(0, 8)),
        (a + 1 - a, bv(1, 8)),
        ((a + 1) + (b + 2), (a + b) + 3),
        (a * 2, a << 1),
        (a * 8, a << 3),
        (a & 0, bv(0, 8)),
        (a & 255, a),
        (a | 255, bv(255, 8)),
        (a ^ 255, ~a),
        (a ^ a, bv(0, 8)),
        (a & ~a, bv(0, 8)),
        (a ^ b ^ a, b),
        ((a & 15) & 240, bv(0, 8)),
        (a << 8, bv(0, 8)),
        ((a << 3) << 2, a << 5),
        (lshr(lshr(a, 3), 6), bv(0, 8)),
        (udiv(a, 16), lshr(a, 4)),
        (urem(a, 16), a & 15),
        (concat(a, b)[7:0], b),
        (concat(a, b)[15:8], a),
        (concat(a[7:4], a[3:0]), a),
        (concat(bv(0, 4), a), zero_extend(4, a)),
        (zero_extend(2, zero_extend(3, a)), zero_extend(5, a)),
        (eq(zero_extend(8, a), 256), False),
        (eq(concat(a, b), 0x0102), and_(eq(a, 1), eq(b, 2))),
        (ule(a, 255), True),
        (ule(a, 0), eq(a, 0)),
        (ult(a, 0), False),
        (a <= 127, True),
        (a + 3 == 5, eq(a, 2)),
        (int_to_bv(bv_to_int(a), 8), a),
        (ite(p, bv(1, 8), bv(2, 8)) + 1, ite(p, bv(2, 8), bv(3, 8))),
        (sign_extend(8, ite(p, bv(1, 8), bv(-2, 8))), ite(p, bv(1, 16), bv(-2, 16))),
        (eq(ite(p, bv(1, 8), bv(2, 8)), 1), p),
    ]:
        assert term is simple or (not isinstance(simple, Term) and term == simple), term


def test_one_term_for_equal_expressions() -> None:
    assert x + y is y + x
    assert x & y is y & x
    assert (x < y) is not_(y <= x)
    assert ult(x, y) is not_(ule(y, x))
    assert x - y is x + -y


# --- errors ------------------------------------------------------------------------------------

b8, b16, n = BitVec("b8", 8), BitVec("b16", 16), Int("n")


@pytest.mark.parametrize(
    "function",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.and_,
        operator.or_,
        operator.xor,
        operator.lshift,
        operator.rshift,
        operator.floordiv,
        operator.mod,
        operator.lt,
        operator.le,
        operator.gt,
        operator.ge,
        operator.eq,
        operator.ne,
        *(f for f, _, _ in BINARY + PREDICATES if f.__module__ != "_operator"),
        eq,
        bvcomp,
    ],
)
@pytest.mark.parametrize("other", [b16, bv(3, 16), n], ids=str)
def test_widths_must_agree(function: Callable[[Any, Any], Any], other: Any) -> None:
    for operands in ((b8, other), (other, b8)):
        with pytest.raises(SortError) as raised:
            function(*operands)
        assert "b8 (BitVec(8))" in str(raised.value)
        assert str(other) in str(raised.value)


@pytest.mark.parametrize(
    ("construct", "error", "words"),
    [
        (lambda: BitVec(0), WidthError, "width of at least 1, not 0"),
        (lambda: BitVec(-8), WidthError, "width of at least 1, not -8"),
        (lambda: BitVec("a", -8), WidthError, "width of at least 1, not -8"),
        (lambda: BitVec("a"), WidthError, r"give a width: BitVec\('a', 32\)"),
        (lambda: BitVec(True), WidthError, "not True"),
        (lambda: BitVec(8.0), WidthError, "not 8.0"),
        (lambda: BitVec.fresh("a", 0), WidthError, "width of at least 1, not 0"),
        (lambda: bv(1, 0), WidthError, "width of at least 1, not 0"),
        (lambda: bv("a", 8), SortError, r"'a' \(str\)"),
        (lambda: b8 + 256, WidthError, r"256 does not fit in 8 bits; write bv\(256, 8\)"),
        (lambda: b8 + -129, WidthError, "-129 does not fit in 8 bits"),
        (lambda: bv(1, 8) + 256, WidthError, "256 does not fit in 8 bits"),
        (
            lambda: extract(8, 0, b8),
            WidthError,
            r"bits 8 down to 0 do not exist in b8 \(BitVec\(8\)\)",
        ),
        (lambda: extract(2, 3, b8), WidthError, "bits 2 down to 3 do not exist"),
        (lambda: extract(2, -1, b8), WidthError, "bits 2 down to -1 do not exist"),
        (lambda: extract(True, 0, b8), WidthError, "bits True down to 0"),
        (lambda: extract(1, 0, n), SortError, r"a bitvector is needed, not n \(Int\)"),
        (lambda: b8[8], WidthError, "bits 8 down to 8 do not exist"),
        (lambda: b8[7:0:2], WidthError, r"a step of 2 has no meaning for the bits of b8"),
        (lambda: bv(1, 8)[8], WidthError, r"bits 8 down to 8 do not exist in bv\(1, 8\)"),
        (lambda: zero_extend(-1, b8), WidthError, "count of at least 0 is needed, not -1"),
        (lambda: sign_extend(True, b8), WidthError, "not True"),
        (lambda: repeat(0, b8), WidthError, "count of at least 1 is needed, not 0"),
        (lambda: rotate_left(-1, b8), WidthError, "count of at least 0 is needed, not -1"),
        (lambda: rotate_right("a", b8), WidthError, "not 'a'"),
        (lambda: concat(), WidthError, "at least one bitvector"),
        (lambda: concat(b8, 3), SortError, r"a bitvector is needed, not 3 \(int\)"),
        (lambda: udiv(1, 2), SortError, r"1 \(int\) and 2 \(int\)"),
        (lambda: neg_overflow(3), SortError, r"a bitvector is needed, not 3 \(int\)"),
        (lambda: bv_to_int(n), SortError, r"n \(Int\)"),
        (lambda: int_to_bv(n, 0), WidthError, "width of at least 1, not 0"),
        (lambda: int_to_bv(b8, 8), SortError, r"b8 \(BitVec\(8\)\) is not of sort Int"),
    ],
)
def test_errors(construct: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        construct()


@pytest.mark.parametrize("other", ["a", None, 1.5, True])
def test_what_is_no_bitvector_is_left_to_python(other: Any) -> None:
    for function in (operator.add, operator.sub, operator.lshift, operator.floordiv):
        with pytest.raises(TypeError, match="unsupported operand"):
            function(b8, other)
    assert (b8 == other) is False


def test_terms_are_of_the_class_of_their_sort() -> None:
    for term in (x, x + y, ~x, x << y, ite(p, x, y), x[1:0], concat(x, y), int_to_bv(n, 3)):
        assert type(term) is BitVecTerm
        assert term.sort is BitVec(term.width)


def test_a_number_that_does_not_fit_differs() -> None:
    b = BitVec("b", 8)
    assert (b == 300, b != 300, b == -129, bv(1, 8) == 300) == (False, True, False, False)
    assert evaluate(b == -128, {b: 128}) is True
    assert evaluate(b == 255, {b: 255}) is True


def test_signed_comparisons_print_signed_numbers() -> None:
    b = BitVec("b", 8)
    assert str(b <= -2) == "b <= -2"
    assert str(b > -2) == "b > -2"


def test_deep_concatenations() -> None:
    parts = [BitVec(f"part{number}", 1) for number in range(3000)]
    whole = concat(*parts)
    piece = extract(2999 - 5, 4, whole)
    model = {part: number % 3 == 0 for number, part in enumerate(parts)}
    values = {part: bv(int(bit), 1) for part, bit in model.items()}
    expected = "".join("1" if bit else "0" for bit in model.values())[5:-4]
    assert evaluate(piece, values) == bv(int(expected, 2), len(expected))
    assert evaluate(whole == bv(0, 3000), values) is False
    assert evaluate(whole == evaluate(whole, values), values) is True
