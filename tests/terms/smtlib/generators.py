"""Random terms of every sort, built by the public operators."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from solvent import terms as t
from solvent.terms import float_functions, float_ops, floats
from solvent.terms.reals import divide
from solvent.terms.softfloat import RoundingMode, from_bits
from solvent.terms.sorts import (
    Array,
    ArraySort,
    BitVec,
    BitVecSort,
    Bool,
    Float,
    FloatSort,
    Int,
    Real,
    Sort,
    Str,
    uninterpreted_sort,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]

U = uninterpreted_sort("U")
SMALL = Float(3, 5)
B4, B7 = BitVec(4), BitVec(7)
INT_ARRAY = Array(Int, Int)
BIT_ARRAY = Array(B4, B7)
FLOATS = (SMALL, Float(2, 3))

F = t.Function("f", [Int, Bool], Int)
G = t.Function("g", [B4], B4)
H = t.Function("h", [U, U], U)
P = t.Function("p", [U], Bool)

SORTS: tuple[Sort[Any], ...] = (Bool, Int, Real, B4, B7, SMALL, Str, INT_ARRAY, BIT_ARRAY, U)
BIT_SORTS: tuple[Sort[Any], ...] = (Bool, B4, B7, BIT_ARRAY)

_MODES = list(RoundingMode)
_LETTERS = 'ab\u00e9\\"|\U0001f600 '


def value(draw: Draw, sort: Sort[Any]) -> Any:
    """A concrete value, or None if the sort has none that can be written alone."""
    if sort is Bool:
        return draw(st.booleans())
    if sort is Int:
        return draw(st.integers(-5, 20))
    if sort is Real:
        return Fraction(draw(st.integers(-6, 6)), draw(st.integers(1, 4)))
    if isinstance(sort, BitVecSort):
        return t.bv(draw(st.integers(0, sort.mask)), sort.width)
    if isinstance(sort, FloatSort):
        return from_bits(sort, draw(st.integers(0, (1 << (sort.ebits + sort.sbits)) - 1)))
    if sort is Str:
        return draw(st.text(_LETTERS, max_size=3))
    if isinstance(sort, ArraySort):
        items = {value(draw, sort.index): value(draw, sort.element) for _ in range(2)}
        return t.ArrayValue(sort, value(draw, sort.element), items)
    return sort("u0")


def leaf(draw: Draw, sort: Sort[Any]) -> Any:
    """A constant or a value."""
    if draw(st.integers(0, 3)) == 0:
        return value(draw, sort)
    return sort(f"{'xyz'[draw(st.integers(0, 2))]}_{sort.name[0]}")


def term(draw: Draw, sort: Sort[Any], depth: int) -> Any:
    """A term, or a concrete value, of a sort."""
    if depth == 0:
        return leaf(draw, sort)

    def sub(other: Sort[Any] = sort) -> Any:
        return term(draw, other, depth - 1)

    choices = [*_operators(draw, sort, sub), lambda: t.ite(sub(Bool), sub(), sub())]
    return draw(st.sampled_from(choices))()


def _operators(draw: Draw, sort: Sort[Any], sub: Callable[..., Any]) -> list[Callable[[], Any]]:
    if sort is Bool:
        return _formulas(draw, sub)
    if sort is Int:
        return [
            lambda: sub() + sub(),
            lambda: sub() - sub(),
            lambda: sub() * sub(),
            lambda: -sub(),
            lambda: t.div(sub(), sub()),
            lambda: t.mod(sub(), sub()),
            lambda: abs(sub()),
            lambda: t.bv_to_int(sub(B4)),
            lambda: t.bv_to_int(sub(B4), signed=True),
            lambda: t.floor(sub(Real)),
            lambda: F(sub(), sub(Bool)),
            lambda: t.select(sub(INT_ARRAY), sub()),
            lambda: t.length(sub(Str)),
            lambda: t.str_to_int(sub(Str)),
            lambda: t.to_code(sub(Str)),
            lambda: t.index_of(sub(Str), sub(Str), sub()),
        ]
    if sort is Real:
        return [
            lambda: sub() + sub(),
            lambda: sub() - sub(),
            lambda: sub() * sub(),
            lambda: divide(sub(), t.ite(t.eq(d := sub(), 0), Fraction(1), d)),
            lambda: t.to_real(sub(Int)),
            lambda: floats.float_to_real(_symbolic(sub(SMALL), SMALL)),
        ]
    if isinstance(sort, BitVecSort):
        return _bitvectors(draw, sort, sub)
    if isinstance(sort, FloatSort):
        return _floats(draw, sort, sub)
    if sort is Str:
        return [
            lambda: t.str_concat(sub(), sub()),
            lambda: t.substr(sub(), sub(Int), sub(Int)),
            lambda: t.char_at(sub(), sub(Int)),
            lambda: t.replace_first(sub(), sub(), sub()),
            lambda: t.replace_all(sub(), sub(), sub()),
            lambda: t.from_code(sub(Int)),
            lambda: t.int_to_str(sub(Int)),
        ]
    if isinstance(sort, ArraySort):
        return [
            lambda: t.store(sub(), sub(sort.index), sub(sort.element)),
            lambda: t.const_array(sort.index, sub(sort.element)),
        ]
    return [lambda: H(sub(), sub())]


def _symbolic(value: Any, sort: Sort[Any]) -> Any:
    """Some functions raise for concrete arguments without a result, as Python does."""
    return value if isinstance(value, t.Term) else sort("x_f")


def _formulas(draw: Draw, sub: Callable[..., Any]) -> list[Callable[[], Any]]:
    def equal() -> Any:
        sort = draw(st.sampled_from(SORTS))
        return t.eq(sub(sort), sub(sort))

    def floats_compared(relation: Callable[[Any, Any], Any]) -> Callable[[], Any]:
        return lambda: relation(sub(SMALL), sub(SMALL))

    return [
        lambda: t.and_(sub(), sub()),
        lambda: t.or_(sub(), sub()),
        lambda: t.not_(sub()),
        lambda: t.xor(sub(), sub()),
        equal,
        equal,
        lambda: sub(Int) <= sub(Int),
        lambda: sub(Real) < sub(Real),
        lambda: t.ule(sub(B4), sub(B4)),
        lambda: t.slt(sub(B7), sub(B7)),
        lambda: t.uadd_overflow(sub(B4), sub(B4)),
        lambda: P(sub(U)),
        lambda: t.is_int(sub(Real)),
        lambda: t.contains(sub(Str), sub(Str)),
        lambda: t.prefix_of(sub(Str), sub(Str)),
        lambda: t.in_re(sub(Str), _regex(draw, sub, 2)),
        floats_compared(lambda a, b: float_ops.FP_LT(a, b)),
        floats_compared(lambda a, b: float_ops.FP_EQ(a, b)),
        lambda: float_functions.is_nan(sub(SMALL)),
        lambda: t.forall([Int("x_I")], sub()),
        lambda: t.exists([B4("x_B"), Bool("y_B")], sub()),
    ]


def _bitvectors(draw: Draw, sort: BitVecSort, sub: Callable[..., Any]) -> list[Callable[[], Any]]:
    width = sort.width
    other = B7 if sort is B4 else B4
    binary = [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a & b,
        lambda a, b: a | b,
        lambda a, b: a ^ b,
        t.udiv,
        t.urem,
        t.sdiv,
        t.srem,
        t.smod,
        t.shl,
        t.lshr,
        t.ashr,
    ]
    found: list[Callable[[], Any]] = [
        lambda f=f: f(sub(), sub())  # type: ignore[misc]
        for f in binary
    ]
    found += [
        lambda: ~sub(),
        lambda: -sub(),
        lambda: t.rotate_left(3, sub()),
        lambda: t.int_to_bv(sub(Int), width),
        lambda: float_functions.fp_to_sbv(
            _symbolic(sub(SMALL), SMALL), width, draw(st.sampled_from(_MODES))
        ),
        lambda: float_functions.fp_to_ubv(
            _symbolic(sub(SMALL), SMALL), width, draw(st.sampled_from(_MODES))
        ),
        lambda: t.select(sub(BIT_ARRAY), sub(B4)) if sort is B7 else G(sub()),
        lambda: t.extract(5, 2, sub(other)) if sort is B4 else t.concat(sub(other), t.bv(5, 3)),
        lambda: t.extract(3, 0, sub(other)) if sort is B4 else t.sign_extend(3, sub(other)),
        lambda: t.extract(6, 3, sub(other)) if sort is B4 else t.zero_extend(3, sub(other)),
    ]
    return found


def _floats(draw: Draw, sort: FloatSort, sub: Callable[..., Any]) -> list[Callable[[], Any]]:
    def rounded(op: Any, count: int) -> Callable[[], Any]:
        return lambda: op.at(draw(st.sampled_from(_MODES)))(*(sub() for _ in range(count)))

    return [
        rounded(float_ops.FP_ADD, 2),
        rounded(float_ops.FP_MUL, 2),
        rounded(float_ops.FP_DIV, 2),
        rounded(float_ops.FP_SQRT, 1),
        rounded(float_ops.FP_ROUND_TO_INTEGRAL, 1),
        lambda: float_ops.FP_NEG(sub()),
        lambda: float_ops.FP_ABS(sub()),
        lambda: float_functions.fp_min(sub(), sub()),
        lambda: float_functions.fp_max(sub(), sub()),
        lambda: float_ops.TO_FP_FROM_SIGNED.at(draw(st.sampled_from(_MODES)), sort)(sub(B4)),
        lambda: float_ops.TO_FP_FROM_UNSIGNED.at(draw(st.sampled_from(_MODES)), sort)(sub(B7)),
        lambda: float_ops.TO_FP_FROM_BITS.at(sort)(
            t.concat(sub(B7), t.bv(1, 1)) if sort is SMALL else sub(B4)
        ),
    ]


def _regex(draw: Draw, sub: Callable[..., Any], depth: int) -> Any:
    if depth == 0:
        return draw(
            st.sampled_from([t.re_all, t.re_none, t.re_allchar, lambda: t.to_re(sub(Str))])
        )()

    def inner() -> Any:
        return _regex(draw, sub, depth - 1)

    return draw(
        st.sampled_from(
            [
                lambda: inner() + inner(),
                lambda: inner() | inner(),
                lambda: inner() & inner(),
                lambda: inner() - inner(),
                lambda: ~inner(),
                lambda: t.re_star(inner()),
                lambda: t.re_plus(inner()),
                lambda: t.re_opt(inner()),
                lambda: t.re_range("a", "c"),
                lambda: t.re_power(2, inner()),
                lambda: t.re_loop(1, 2, inner()),
            ]
        )
    )()


@st.composite
def terms(draw: Any, sorts: tuple[Sort[Any], ...] = SORTS, depth: int = 4) -> Any:
    """A random term or value."""
    sort = draw(st.sampled_from(sorts))
    return term(draw, sort, draw(st.integers(0, depth)))
