"""Vectors: components, swizzles, operators, functions; concretely and symbolically."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import pytest

from solvent import BitVec, Bool, evaluate, lifted
from solvent.languages.synthcl import (
    SynthCLError,
    all_,
    any_,
    bool2,
    bool4,
    bool_,
    div,
    dot,
    float4,
    float_,
    int2,
    int4,
    int8,
    int16,
    int_,
    maximum,
    minimum,
    rem,
    select,
)
from solvent.languages.synthcl.queries import wide
from solvent.lift import execute, is_symbolic
from solvent.terms import bv


def items(vector: Any) -> tuple[Any, ...]:
    return tuple(vector.items)


def test_components_by_all_their_names() -> None:
    v = int16(*range(16))
    assert [getattr(v, f"s{digit}") for digit in "0123456789abcdef"] == list(range(16))
    assert [getattr(v, f"s{digit}") for digit in "ABCDEF"] == [10, 11, 12, 13, 14, 15]
    assert items(v.lo) == tuple(range(8))
    assert items(v.hi.hi.lo) == (12, 13)
    assert items(v.even) == tuple(range(0, 16, 2))
    assert items(v.odd.odd) == (3, 7, 11, 15)
    w = int4(10, 20, 30, 40)
    assert (w.x, w.y, w.z, w.w) == (10, 20, 30, 40)
    assert items(w.wzyx) == (40, 30, 20, 10)
    assert items(w.xxyy) == (10, 10, 20, 20)
    assert w.s31.type is int2


@pytest.mark.parametrize("name", ["q", "xyz", "s", "s4", "xs", "x0", "__x__"])
def test_what_is_no_component(name: str) -> None:
    with pytest.raises(AttributeError):
        getattr(int4(0), name)


def test_components_as_targets() -> None:
    v = int4(1, 2, 3, 4)
    v.x = 9
    v.wz = int2(7, 8)
    v.hi = v.hi + 1
    assert items(v) == (9, 2, 9, 8)
    v.lo = 0
    assert items(v) == (0, 0, 9, 8)
    v.s1 += 5
    assert v.y == 5
    with pytest.raises(SynthCLError, match="twice"):
        v.xx = int2(1, 2)
    with pytest.raises(SynthCLError, match="2 components"):
        v.xy = int4(0)
    with pytest.raises(AttributeError):
        v.items = (1, 2)


def test_construction() -> None:
    assert items(int8(1, int2(2, 3), int4(4, 5, 6, 7), 8)) == tuple(range(1, 9))
    assert items(int4(2.9)) == (2, 2, 2, 2)
    assert items(int4(bool4(True, False, True, True))) == (1, 0, 1, 1)
    assert float4(int4(1, 2, 3, 4)).type is float4
    with pytest.raises(SynthCLError, match="needs 1 or 4 components, not 3"):
        int4(1, 2, 3)
    with pytest.raises(SynthCLError, match="vector"):
        int_(int4(1))


OPERATORS = ("add", "sub", "mul", "lshift", "rshift", "xor", "and_", "or_", "eq", "lt", "ge")


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_work_by_component(name: str) -> None:
    action = getattr(operator, name)
    a, b = int4(1, 5, 12, 3), int4(3, 5, 2, 0)
    for left, right in ((a, b), (a, 3), (9, b)):
        found = action(left, right)
        xs = left.items if left is a else (left,) * 4
        ys = right.items if right is b else (right,) * 4
        assert items(found) == tuple(map(action, xs, ys))


def test_types_of_results() -> None:
    assert (int4(1) + float4(1)).type is float4
    assert (int4(1) + 0.5).type is float4
    assert (int4(1) < 2).type is bool4
    assert ((int4(1) < 2) & (int4(1) > 0)).type is bool4
    assert ((int4(1) < 2) + 1).type is int4
    assert items(~(int2(1, 2) == 1)) == (False, True)
    assert items(~int2(0, 1)) == (-1, -2)
    assert items(-int2(3, -4)) == (-3, 4)
    assert items(abs(int2(3, -4))) == (3, 4)
    with pytest.raises(SynthCLError, match="different numbers"):
        int2(1, 2) + int4(1)
    with pytest.raises(SynthCLError, match="neither true nor false"):
        bool(int2(1, 2) == int2(1, 2))


def test_functions() -> None:
    v = int4(1, -5, 7, 0)
    assert all_(v < 8) is True
    assert any_(v > 7) is False
    assert items(minimum(v, 1)) == (1, -5, 1, 0)
    assert items(maximum(v, int4(0, 0, 9, -1))) == (1, 0, 9, 0)
    assert dot(v, int4(2, 1, 1, 1)) == 4
    assert items(select(v, int4(9), bool4(True, False, False, True))) == (9, -5, 7, 9)
    assert items(select(v, int4(9), True)) == (9, 9, 9, 9)
    assert (bool_(2), float_(True), int_(-2.7)) == (True, 1, -2)


@pytest.mark.parametrize(("a", "b"), [*itertools.product((-7, -1, 0, 7), (-3, -1, 2))])
def test_division_truncates(a: int, b: int) -> None:
    expected = (int(a / b), a - b * int(a / b))
    assert (div(a, b), rem(a, b)) == expected
    wide = bv(a, 8), bv(b, 8)
    assert (div(*wide).signed, rem(*wide).signed) == expected
    x, y = BitVec("x", 8), BitVec("y", 8)
    outcome = execute(lambda x, y: (div(x, y), rem(x, y)), x, y)
    found = evaluate(outcome.value, {x: wide[0], y: wide[1]})
    assert (found[0].signed, found[1].signed) == expected
    assert items(div(int2(a, a), b)) == (expected[0],) * 2


def test_division_by_zero_fails() -> None:
    outcome = execute(div, int2(1, 2), int2(BitVec("y", 8), 1))
    assert [str(failure.exception) for failure in outcome.failures] == ["division by zero"]
    assert evaluate(outcome.failures[0].condition, {"y": bv(0, 8)}) is True
    assert evaluate(outcome.failures[0].condition, {"y": bv(1, 8)}) is False


# --- symbolic ------------------------------------------------------------------------------------


@lifted
def shuffle(p: Any, q: Any, v: Any) -> Any:
    w = int4(v)
    if p:
        w.xy = w.yx
        if q:
            w.w = 0
    else:
        w = w + int4(1, 0, 0, 0)
    u = w.wzyx if q else w.lo.xxyy
    return int8(w, u)


def test_vectors_under_symbolic_conditions() -> None:
    v = int4(*[BitVec(f"v{n}", 8) for n in range(4)])
    p, q = Bool("p"), Bool("q")
    with wide(8):
        outcome = execute(shuffle, p, q, v)
    assert not outcome.failures
    assert outcome.stats.unions == 0
    values = {f"v{n}": bv(10 + n, 8) for n in range(4)}
    for truths in itertools.product((False, True), repeat=2):
        model = {**values, "p": truths[0], "q": truths[1]}
        expected = shuffle(*truths, int4(*values.values()))
        assert items(evaluate(outcome.value, model)) == items(expected)


def test_a_vector_that_is_one_of_several() -> None:
    @lifted
    def pick(p: Any, q: Any, a: Any, b: Any) -> Any:
        found = a if p else b
        found = found if q else 7
        return int4(2) * found + int4(found).wzyx

    outcome = execute(pick, Bool("p"), Bool("q"), int4(1, 2, 3, 4), int4(5))
    for p, q in itertools.product((False, True), repeat=2):
        expected = pick(p, q, int4(1, 2, 3, 4), int4(5))
        assert items(evaluate(outcome.value, {"p": p, "q": q})) == items(expected)


def test_a_choice_between_ints_meets_bitvectors() -> None:
    @lifted
    def weighted(p: Any, v: Any) -> Any:
        weight = 3 if p else -1
        return v * weight + (weight + 1) * v.x

    x = BitVec("x", 8)
    outcome = execute(weighted, Bool("p"), int2(x, 5))
    assert is_symbolic(outcome.value)
    for p in (False, True):
        expected = weighted(p, int2(bv(7, 8), bv(5, 8)))
        found = evaluate(outcome.value, {"p": p, "x": bv(7, 8)})
        assert items(found) == items(expected)


def test_comparisons_of_symbolic_vectors() -> None:
    x = BitVec("x", 8)
    found = select(int2(x, x), int2(1, 2), int2(x, 0) < 1)
    assert items(evaluate(found, {"x": bv(5, 8)})) == (5, 2)
    assert items(evaluate(found, {"x": bv(-5, 8)})) == (1, 2)
    assert evaluate(all_(bool2(x > 3, x < 9)), {"x": bv(4, 8)}) is True
