"""Concrete values: bitvectors, elements, arrays and functions."""

from __future__ import annotations

import copy
import itertools
import operator
import pickle
from typing import Any

import pytest

from solvent.errors import SortError, WidthError
from solvent.terms import (
    BV,
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Element,
    FunctionValue,
    Int,
    bv,
    uninterpreted_sort,
)
from solvent.terms.values import finite_size

ints = Array(Int, Int)


# --- bitvectors --------------------------------------------------------------------------------


def test_values_are_taken_modulo_the_width() -> None:
    for width in (1, 3, 8):
        for value in range(-20, 300):
            v = bv(value, width)
            assert v.value == value % 2**width
            assert v.width == width
            assert v.sort is BitVec(width)
            assert (v.signed - value) % 2**width == 0
            assert -(2 ** (width - 1)) <= v.signed < 2 ** (width - 1)


def test_equal_bitvectors_are_the_same_object() -> None:
    assert bv(3, 8) is bv(259, 8)
    assert bv(3, 8) is not bv(3, 9)
    assert copy.deepcopy(bv(3, 8)) is bv(3, 8)
    assert pickle.loads(pickle.dumps(bv(3, 8))) is bv(3, 8)


@pytest.mark.parametrize(
    "function",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.and_,
        operator.or_,
        operator.xor,
        operator.floordiv,
        operator.mod,
    ],
)
def test_arithmetic_wraps_around(function: Any) -> None:
    for a, b in itertools.product(range(-8, 8), repeat=2):
        if b == 0 and function in (operator.floordiv, operator.mod):
            for zero in (bv(0, 4), 0):
                with pytest.raises(ZeroDivisionError):
                    function(bv(a, 4), zero)
            continue
        expected = bv(function(a, b), 4)
        assert function(bv(a, 4), bv(b, 4)) is expected
        assert function(bv(a, 4), b) is expected
        assert function(a, bv(b, 4)) is expected


def test_comparisons_read_signed() -> None:
    for function in (operator.lt, operator.le, operator.gt, operator.ge):
        for a, b in itertools.product(range(-8, 8), repeat=2):
            assert function(bv(a, 4), bv(b, 4)) is function(a, b)
            assert function(bv(a, 4), b) is function(a, b)
            assert function(a, bv(b, 4)) is function(a, b)


def test_shifts() -> None:
    for a, amount in itertools.product(range(-8, 8), range(8)):
        assert bv(a, 4) << amount is bv(a << amount, 4)
        assert bv(a, 4) >> amount is bv(a >> amount, 4)
        assert a >> bv(amount, 4) is bv(a >> amount, 4)
        assert a << bv(amount, 4) is bv(a << amount, 4)
    # An amount is read as unsigned.
    assert bv(1, 4) << -1 is bv(0, 4)
    assert bv(-1, 4) >> bv(15, 4) is bv(-1, 4)


def test_one_operand() -> None:
    for a in range(-8, 8):
        assert -bv(a, 4) is bv(-a, 4)
        assert +bv(a, 4) is bv(a, 4)
        assert ~bv(a, 4) is bv(~a, 4)
        assert abs(bv(a, 4)) is bv(abs(a), 4)
        assert bool(bv(a, 4)) is (a != 0)
        assert int(bv(a, 4)) == a % 16
        assert hex(bv(a, 4)) == hex(a % 16)


def test_equality_with_integers_reads_both_ways() -> None:
    assert bv(255, 8) == 255
    assert bv(255, 8) == -1
    assert bv(255, 8) != 254
    assert bv(255, 8) != 511
    assert bv(1, 8) != bv(1, 9)
    assert bv(1, 8) != True  # noqa: E712
    assert bv(1, 8) != 1.0
    assert bv(1, 8) != "a"
    assert {3: "three"}[bv(3, 8)] == "three"


def test_bits() -> None:
    v = bv(0b10110, 5)
    assert [v[i].value for i in range(5)] == [0, 1, 1, 0, 1]
    assert v[4:1] is bv(0b1011, 4)
    assert v[:3] is bv(0b10, 2)
    assert v[2:] is bv(0b110, 3)
    assert v[:] is v
    with pytest.raises(WidthError, match="bits 5 down to 5 do not exist"):
        v[5]


def test_errors_of_bitvectors() -> None:
    with pytest.raises(
        SortError, match=r"bv\(1, 8\) \(BitVec\(8\)\) and bv\(1, 4\) \(BitVec\(4\)\)"
    ):
        bv(1, 8) + bv(1, 4)
    with pytest.raises(SortError, match="one width"):
        bv(1, 8) < bv(1, 4)
    with pytest.raises(WidthError, match="300 does not fit in 8 bits"):
        bv(1, 8) + 300
    with pytest.raises(TypeError):
        bv(1, 8) + 1.5
    with pytest.raises(TypeError):
        bv(1, 8) + True
    with pytest.raises(SortError, match=r"1.5 \(float\)"):
        bv(1.5, 8)  # type: ignore[arg-type]


def test_text_of_bitvectors() -> None:
    assert repr(bv(255, 8)) == "bv(255, 8)"
    assert eval(repr(bv(5, 3)), {"bv": bv}) is bv(5, 3)
    assert isinstance(bv(1, 1), BV)


# --- elements ----------------------------------------------------------------------------------


def test_elements() -> None:
    colour, shape = uninterpreted_sort("Colour"), uninterpreted_sort("Shape")
    assert Element(colour, 1) == Element(colour, 1)
    assert hash(Element(colour, 1)) == hash(Element(colour, 1))
    assert Element(colour, 1) != Element(colour, 2)
    assert Element(colour, 1) != Element(shape, 1)
    assert Element(colour, 1) != 1
    assert pickle.loads(pickle.dumps(Element(colour, 1))) == Element(colour, 1)


# --- arrays ------------------------------------------------------------------------------------


def test_arrays_are_equal_if_all_elements_are() -> None:
    """All arrays from one bit to two, in all the ways to write them down."""
    sort = Array(BitVec(1), BitVec(1))
    written: list[tuple[tuple[int, int], ArrayValue]] = []
    for default in range(2):
        for chosen in ([], [0], [1], [0, 1]):
            for values in itertools.product(range(2), repeat=len(chosen)):
                items = dict(zip(chosen, values, strict=True))
                meaning = (items.get(0, default), items.get(1, default))
                written.append((meaning, ArrayValue(sort, default, items)))
    for (meaning, array), (other_meaning, other) in itertools.product(written, repeat=2):
        assert (array == other) is (meaning == other_meaning)
        if meaning == other_meaning:
            assert hash(array) == hash(other)
        assert (array[0], array[1]) == (bv(meaning[0], 1), bv(meaning[1], 1))


def test_infinite_arrays() -> None:
    array = ArrayValue(ints, 0, {1: 5, 2: 0})
    assert array == ArrayValue(ints, 0, {1: 5})
    assert hash(array) == hash(ArrayValue(ints, 0, {1: 5}))
    assert array != ArrayValue(ints, 1, {1: 5})
    assert array != ArrayValue(Array(Int, Bool), False)
    assert array.store(1, 0) == ArrayValue(ints, 0)
    assert array.store(7, 7)[7] == 7
    assert array[7] == 0
    assert list(array) == [1]
    assert repr(array) == "ArrayValue({1: 5}, default=0)"
    assert pickle.loads(pickle.dumps(array)) == array


def test_stores_take_the_place_of_earlier_ones() -> None:
    """Against a dictionary, with all ways to write an index of two bits."""
    sort = Array(BitVec(2), Int)
    for writes in itertools.product(itertools.product((-1, 0, 3, bv(2, 2)), (0, 7)), repeat=3):
        array = ArrayValue(sort, 0)
        expected: dict[int, int] = {}
        for index, element in writes:
            array = array.store(index, element)
            expected[int(bv(int(index), 2))] = element
        assert [array[i] for i in range(4)] == [expected.get(i, 0) for i in range(4)]
        assert array == ArrayValue(sort, 0, expected)


def test_symbolic_indices_and_elements_give_terms() -> None:
    array, i = ArrayValue(ints, 0, {1: 5}), Int("i")
    assert array[i].sort is Int
    assert array.store(i, 3).sort is ints
    assert array.store(1, i)[1] is i


def test_arrays_refuse_what_does_not_fit() -> None:
    for build in (
        lambda: ArrayValue(ints, "a"),
        lambda: ArrayValue(ints, 0, {"a": 1}),
        lambda: ArrayValue(ints, 0, {1: "a"}),
        lambda: ArrayValue(ints, 0)["a"],
    ):
        with pytest.raises(SortError, match=r"'a' \(str\) is not of sort Int"):
            build()
    with pytest.raises(SortError, match=r"a concrete value is needed, not the term x \(Int\)"):
        ArrayValue(ints, Int("x"))


# --- functions ---------------------------------------------------------------------------------


def test_functions() -> None:
    function = FunctionValue(Int, 0, {(1, 2): 7, (2, 1): 0})
    assert function(1, 2) == 7
    assert function(2, 1) == 0
    assert function == FunctionValue(Int, 0, {(1, 2): 7})
    assert hash(function) == hash(FunctionValue(Int, 0, {(1, 2): 7}))
    assert function != FunctionValue(Int, 1, {(1, 2): 7})
    assert repr(function) == "FunctionValue({(1, 2): 7}, default=0)"
    assert pickle.loads(pickle.dumps(function)) == function


def test_finite_size() -> None:
    assert finite_size(Bool) == 2
    assert finite_size(BitVec(3)) == 8
    assert finite_size(Int) is None
    assert finite_size(ints) is None
