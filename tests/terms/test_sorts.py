"""Sorts: interning, coercion, names."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from solvent.errors import SolventError, SortError, WidthError
from solvent.terms import (
    Array,
    ArraySort,
    BitVec,
    BitVecSort,
    Bool,
    Float,
    Float32,
    Float64,
    FloatSort,
    Function,
    FunctionSymbol,
    Int,
    Real,
    Sort,
    Str,
    UninterpretedSort,
    bv,
    sort_of,
    to_real,
    uninterpreted_sort,
)
from solvent.terms.booleans import common_sort
from solvent.terms.sorts import as_sort, as_sorts, describe

x, p, u, b = Int("x"), Bool("p"), Real("u"), BitVec("b", 8)


def test_equal_sorts_are_the_same_object() -> None:
    assert BitVec(8) is BitVec(8)
    assert BitVec(8) is not BitVec(9)
    assert Array(Int, BitVec(8)) is Array(Int, BitVec(8))
    assert Array(Int, Bool) is not Array(Bool, Int)
    assert Float(8, 24) is Float(8, 24)
    assert uninterpreted_sort("S") is uninterpreted_sort("S")


@pytest.mark.parametrize(
    ("sort", "name", "smt"),
    [
        (Bool, "Bool", "Bool"),
        (Int, "Int", "Int"),
        (Real, "Real", "Real"),
        (Str, "Str", "String"),
        (BitVec(8), "BitVec(8)", "(_ BitVec 8)"),
        (Array(Int, BitVec(8)), "Array(Int, BitVec(8))", "(Array Int (_ BitVec 8))"),
        (
            Array(Int, Array(Bool, Int)),
            "Array(Int, Array(Bool, Int))",
            "(Array Int (Array Bool Int))",
        ),
        (Float(11, 53), "Float64", "(_ FloatingPoint 11 53)"),
        (Float(8, 24), "Float32", "(_ FloatingPoint 8 24)"),
        (Float(5, 11), "Float16", "(_ FloatingPoint 5 11)"),
        (Float(3, 4), "Float(3, 4)", "(_ FloatingPoint 3 4)"),
        (uninterpreted_sort("Colour"), "Colour", "Colour"),
        (uninterpreted_sort("my sort"), "my sort", "|my sort|"),
    ],
)
def test_names(sort: Sort[Any], name: str, smt: str) -> None:
    assert str(sort) == name
    assert sort.smt == smt
    assert pickle.loads(pickle.dumps(sort)) is sort


def test_kinds_and_parameters() -> None:
    assert isinstance(BitVec(8), BitVecSort)
    assert (BitVec(8).width, BitVec(8).mask) == (8, 255)
    array = Array(Int, Bool)
    assert isinstance(array, ArraySort)
    assert (array.index, array.element) == (Int, Bool)
    assert isinstance(Float(8, 24), FloatSort)
    assert (Float(8, 24).ebits, Float(8, 24).sbits) == (8, 24)


@pytest.mark.parametrize(
    ("sort", "value", "result"),
    [
        (Bool, True, True),
        (Bool, p, p),
        (Int, 3, 3),
        (Int, True, 1),
        (Int, x, x),
        (Real, 3, Fraction(3)),
        (Real, Fraction(1, 3), Fraction(1, 3)),
        (Real, True, Fraction(1)),
        (Real, x, to_real(x)),
        (Real, u, u),
        (BitVec(8), 255, bv(255, 8)),
        (BitVec(8), -128, bv(128, 8)),
        (BitVec(8), b, b),
        (BitVec(8), bv(3, 8), bv(3, 8)),
    ],
)
def test_coercion(sort: Sort[Any], value: Any, result: Any) -> None:
    for coerced in (sort.coerce(value), sort.require(value)):
        assert type(coerced) is type(result)
        assert coerced is result or (sort_of(result) is sort and coerced == result)


@pytest.mark.parametrize(
    ("sort", "value"),
    [
        (Bool, 1),
        (Bool, x),
        (Bool, None),
        (Int, "a"),
        (Int, Fraction(1)),
        (Int, 1.0),
        (Int, u),
        (Int, b),
        (Int, bv(1, 8)),
        (Real, "a"),
        (Real, b),
        (BitVec(8), True),
        (BitVec(8), bv(1, 4)),
        (BitVec(8), x),
        (BitVec(8), p),
        (Array(Int, Int), 3),
        (Array(Int, Int), Array("m", Int, Bool)),
        (uninterpreted_sort("S"), 3),
    ],
)
def test_what_does_not_belong_to_a_sort(sort: Sort[Any], value: Any) -> None:
    assert sort.coerce(value) is NotImplemented
    with pytest.raises(SortError) as raised:
        sort.require(value)
    assert str(raised.value) == f"{describe(value)} is not of sort {sort}"


@pytest.mark.parametrize("value", [256, -129, 1 << 70])
def test_an_integer_that_does_not_fit(value: int) -> None:
    with pytest.raises(WidthError, match=f"{value} does not fit in 8 bits"):
        BitVec(8).coerce(value)


def test_sort_of() -> None:
    for value, sort in [
        (True, Bool),
        (3, Int),
        (Fraction(1), Real),
        ("a", Str),
        (1.5, Float(11, 53)),
        (bv(1, 4), BitVec(4)),
        (x > 2, Bool),
        (Array("m", Int, Int), Array(Int, Int)),
    ]:
        assert sort_of(value) is sort
    with pytest.raises(SortError, match=r"None \(NoneType\) is not a value of any sort"):
        sort_of(None)


def test_common_sort() -> None:
    for first, second, sort in [
        (1, 2, Int),
        (True, 2, Int),
        (x, True, Int),
        (1, u, Real),
        (x, u, Real),
        (b, 3, BitVec(8)),
        (3, b, BitVec(8)),
        (p, False, Bool),
    ]:
        assert common_sort(first, second) is sort
        assert common_sort(second, first) is sort
    with pytest.raises(SortError, match=r"b \(BitVec\(8\)\) and x \(Int\) have no common sort"):
        common_sort(b, x)


@pytest.mark.parametrize(
    ("construct", "error", "words"),
    [
        (lambda: as_sort(int), SortError, "<class 'int'> is not a sort; use Int, Bool"),
        (lambda: as_sort(BitVec), SortError, "BitVec is not a sort"),
        (lambda: as_sorts([Int, "Int"]), SortError, "'Int' is not a sort"),
        (lambda: Array(Int, BitVec), SortError, "BitVec is not a sort"),
        (
            lambda: Float(1, 5),
            WidthError,
            "at least 2 exponent and 2 significand bits, not 1 and 5",
        ),
        (lambda: Float(5, 1), WidthError, "not 5 and 1"),
        (lambda: Float(True, 5), WidthError, "not True and 5"),
        (lambda: Float("f", 0, 0), WidthError, "not 0 and 0"),
        (lambda: BitVec(-1), WidthError, "width of at least 1, not -1"),
        (lambda: BitVec(None), WidthError, "not None"),
        (lambda: uninterpreted_sort(3), SortError, "needs a name, not 3"),
        (lambda: Bool(3), SortError, r"a constant needs a string as its name, not 3 \(int\)"),
        (lambda: Real.fresh(3), SortError, r"a constant needs a string as its name, not 3 \(int\)"),
    ],
)
def test_errors(construct: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        construct()


def test_errors_derive_from_one_class_and_from_pythons() -> None:
    assert issubclass(SortError, SolventError)
    assert issubclass(SortError, TypeError)
    assert issubclass(WidthError, SolventError)
    assert issubclass(WidthError, ValueError)


def test_descriptions_are_short() -> None:
    assert describe(x + 1) == "x + 1 (Int)"
    assert describe("a") == "'a' (str)"
    assert len(describe("a" * 1000)) < 80
    term: Any = x
    for _ in range(1000):
        term = term * x + 1
    assert len(describe(term)) < 80


@pytest.mark.parametrize(
    ("made", "named"),
    [
        (lambda: BitVecSort(32), BitVec(32)),
        (lambda: FloatSort(8, 24), Float32),
        (lambda: FloatSort(11, 53), Float(11, 53)),
        (lambda: ArraySort(Int, BitVec(8)), Array(Int, BitVec(8))),
        (lambda: ArraySort(Int, Float), Array(Int, Float64)),
        (lambda: UninterpretedSort("S"), uninterpreted_sort("S")),
        (lambda: FunctionSymbol("f", [Int], Bool), Function("f", [Int], Bool)),
        (lambda: FunctionSymbol("f", (Int, Float), Bool), Function("f", [Int, Float64], Bool)),
    ],
)
def test_what_prints_alike_is_one_thing(made: Any, named: Any) -> None:
    assert made() is made() is named
    assert repr(made()) == repr(named)


def test_the_classes_of_sorts_refuse_what_their_families_refuse() -> None:
    for wrong in (lambda: BitVecSort(0), lambda: FloatSort(1, 2)):
        with pytest.raises(WidthError):
            wrong()
    for wrong in (lambda: ArraySort(Int, 3), lambda: UninterpretedSort("")):
        with pytest.raises(SortError):
            wrong()
    x = BitVecSort(32)("x")
    assert x is BitVec("x", 32)
