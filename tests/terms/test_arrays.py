"""Arrays against dictionaries with a default."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError
from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Int,
    Real,
    Term,
    bv,
    const_array,
    eq,
    evaluate,
    ite,
    select,
    size,
    store,
)
from solvent.terms.arrays import ArrayTerm
from tests.terms.expressions import Operator, check, programs
from tests.terms.z3_reference import equal

a, b = Array("a", Int, Int), Array("b", Int, Int)
i, j, x = Int("i"), Int("j"), Int("x")
p = Bool("p")
ints = Array(Int, Int)


def value(default: int, **items: int) -> ArrayValue:
    """`value(0, _1=5)` is the array of zeros with 5 at index 1."""
    return ArrayValue(ints, default, {int(key[1:]): item for key, item in items.items()})


# --- random programs ---------------------------------------------------------------------------

OPERATORS = [
    Operator("store", store, "array int int", "array"),
    Operator("store at c", store, "array lit int", "array"),
    Operator("store c", store, "array int lit", "array"),
    Operator("store c at c", store, "array lit lit", "array"),
    Operator("select", select, "array int", "int"),
    Operator("select at c", select, "array lit", "int"),
    Operator("[]", lambda array, index: array[index], "array int", "int"),
    Operator("const", lambda element: const_array(Int, element), "int", "array"),
    Operator("ite", ite, "bool array array", "array"),
    Operator("==", eq, "array array", "bool"),
    Operator("int ==", eq, "int int", "bool"),
    Operator("int ite", ite, "bool int int", "int"),
    Operator("int +c", lambda n, c: n + c, "int lit", "int"),
]
small = st.integers(0, 3)
arrays = st.builds(
    lambda default, items: ArrayValue(ints, default, items), small, st.dictionaries(small, small)
)


@st.composite
def array_programs(draw: Any, longest: int) -> Any:
    literals = draw(st.lists(small, min_size=3, max_size=3))
    constants = {"array": [a, b], "int": [i, j, x], "bool": [p], "lit": literals}
    concrete = {
        "array": draw(st.tuples(arrays, arrays)),
        "int": draw(st.tuples(small, small, small)),
        "bool": [draw(st.booleans())],
        "lit": literals,
    }
    return draw(programs(OPERATORS, longest)), constants, concrete


@given(array_programs(longest=14), st.integers(0, 63))
def test_random_programs(drawn: Any, symbolic: int) -> None:
    check(*drawn, symbolic=lambda position: not symbolic >> position & 1)


@given(array_programs(longest=8))
def test_random_programs_agree_with_z3(drawn: Any) -> None:
    program, constants, concrete = drawn
    # Z3's simplifier does not decide equality of arrays.
    program = [step for step in program if step[0].name != "=="]
    check(program, constants, concrete, second_opinion=True)


@given(st.lists(st.tuples(small, small), max_size=8), small, small)
def test_stores_against_a_dictionary(writes: Any, default: int, read: int) -> None:
    array: Any = a
    concrete = ArrayValue(ints, default)
    model = {}
    for index, element in writes:
        array = store(array, index, element)
        concrete = store(concrete, index, element)
        model[index] = element
    expected = model.get(read, default)
    assert evaluate(array[read], {a: value(default)}) == expected
    assert evaluate(array[i], {a: value(default), i: read}) == expected
    assert concrete[read] == expected
    assert evaluate(array, {a: value(default)}) == concrete


# --- simplification ----------------------------------------------------------------------------


def test_simplified_at_once() -> None:
    for term, simple in [
        (store(a, i, x)[i], x),
        (store(a, 1, x)[1], x),
        (store(a, 1, x)[2], a[2]),
        (store(store(a, 1, x), 2, 7)[1], x),
        (store(store(a, i, x), i, 7), store(a, i, 7)),
        (store(a, i, a[i]), a),
        (const_array(Int, x)[i], x),
        (const_array(Int, 7)[i], 7),
        (ite(p, store(a, i, 5), a)[i], ite(p, 5, a[i])),
        (const_array(Int, 7)[3], 7),
    ]:
        assert term is simple or (not isinstance(simple, Term) and term == simple), term


def test_a_store_at_a_symbolic_index_hides_what_is_below() -> None:
    read = store(store(a, 1, 5), i, 6)[1]
    assert evaluate(read, {a: value(0), i: 1}) == 6
    assert evaluate(read, {a: value(0), i: 2}) == 5
    assert equal(read, ite(eq(i, 1), 6, 5))


def test_reads_look_through_many_stores() -> None:
    array: Any = a
    for index in range(1000):
        array = store(array, index, index)
    assert array[0] == 0
    assert array[999] == 999
    assert array[1000] is a[1000]


def test_a_symbolic_index_into_a_concrete_array() -> None:
    table = value(0, _1=10, _2=20)
    for index in range(4):
        assert evaluate(select(table, i), {i: index}) == table[index]
        assert evaluate(store(table, i, 5), {i: index}) == table.store(index, 5)
        assert evaluate(store(table, 1, x)[i], {i: index, x: 3}) == (
            3 if index == 1 else table[index]
        )


def test_other_sorts() -> None:
    bits = Array("bits", BitVec(4), BitVec(8))
    n = BitVec("n", 4)
    assert store(bits, 3, 255)[bv(3, 4)] == bv(255, 8)
    assert store(bits, -1, 1)[bv(15, 4)] == bv(1, 8)
    assert evaluate(bits[n], {bits: ArrayValue(bits.sort, 7), n: 2}) == bv(7, 8)
    nested = Array("nested", Int, Array(Int, Bool))
    assert store(nested, i, store(nested[i], j, True))[i][j] is True
    reals = Array("reals", Bool, Real)
    element = store(reals, p, 1)[p]
    assert element == Fraction(1)
    assert type(element) is Fraction
    assert store(a, True, 5)[1] == 5


def test_equality_of_arrays() -> None:
    equation = eq(a, b)
    assert equation is eq(b, a)
    assert evaluate(equation, {a: value(0, _1=1), b: value(0, _1=1)}) is True
    assert evaluate(equation, {a: value(0, _1=1), b: value(0)}) is False
    assert evaluate(a != b, {a: value(0), b: value(1)}) is True


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: a["k"], r"'k' \(str\) is not of sort Int"),
        (lambda: a[Real("u")], r"u \(Real\) is not of sort Int"),
        (lambda: store(a, i, "v"), r"'v' \(str\) is not of sort Int"),
        (lambda: store(a, BitVec("n", 4), 1), r"n \(BitVec\(4\)\) is not of sort Int"),
        (lambda: store(x, 1, 2), r"an array is needed, not x \(Int\)"),
        (lambda: select(3, 1), r"an array is needed, not 3 \(int\)"),
        (
            lambda: eq(a, Array("c", Int, Bool)),
            r"a \(Array\(Int, Int\)\) and c \(Array\(Int, Bool\)\)",
        ),
        (lambda: ite(p, a, x), "have no common sort"),
        (lambda: Array("c", Int), r"give index and element sorts: Array\('c', Int, Int\)"),
        (lambda: Array(Int, 3), "3 is not a sort"),
        (lambda: const_array(3, 0), "3 is not a sort"),
        (lambda: const_array(Int, None), r"None \(NoneType\) is not a value of any sort"),
    ],
)
def test_errors(construct: Callable[[], Any], words: str) -> None:
    with pytest.raises(SortError, match=words):
        construct()


def test_terms_are_of_the_class_of_their_sort() -> None:
    for term in (a, store(a, i, x), ite(p, a, b), const_array(Int, x), store(value(0), i, 1)):
        assert type(term) is ArrayTerm
        assert term.sort is ints


def test_every_pair_of_operations_over_a_tiny_domain() -> None:
    """Two writes and a read at all indices below 3, symbolic and concrete in all combinations."""
    for at, then, read in itertools.product(range(3), repeat=3):
        expected = 20 if read == then else 10 if read == at else 0
        for forms in itertools.product((False, True), repeat=3):
            names = (i, j, x)
            first, second, third = (
                name if symbolic else index
                for name, symbolic, index in zip(names, forms, (at, then, read), strict=True)
            )
            term = store(store(a, first, 10), second, 20)[third]
            assert evaluate(term, {a: value(0), i: at, j: then, x: read}) == expected


def test_reading_through_shared_choices_is_linear() -> None:
    array = Array("array", Int, Int)
    merged = array
    for number in range(200):
        merged = ite(Bool(f"merge{number}"), store(merged, number, number), merged)
    read = merged[7]
    assert size(read) < 20
    values = {Bool(f"merge{number}"): number == 7 for number in range(200)}
    assert evaluate(read, {**values, array: ArrayValue(array.sort, 0)}) == 7
    assert evaluate(merged[300], {**values, array: ArrayValue(array.sort, 3)}) == 3


def test_deep_choices_between_arrays() -> None:
    chosen = Array("deep0", Int, Int)
    for number in range(5000):
        chosen = ite(Bool(f"choice{number}"), Array(f"deep{number % 7}", Int, Int), chosen)
    assert chosen[3].sort is Int
