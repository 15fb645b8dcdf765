"""Uninterpreted functions and sorts."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from solvent.errors import SortError
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Element,
    Function,
    FunctionValue,
    Int,
    Model,
    Real,
    and_,
    applied_functions,
    bv,
    eq,
    evaluate,
    ite,
    pretty,
    substitute,
    uninterpreted_sort,
)
from solvent.terms.functions import UninterpretedTerm
from solvent.terms.integers import IntTerm
from tests.terms.z3_reference import equal

f = Function("f", [Int, Int], Int)
g = Function("g", [Int], Bool)
x, y = Int("x"), Int("y")
Colour = uninterpreted_sort("Colour")


def test_a_function_is_its_name_and_signature() -> None:
    assert Function("f", [Int, Int], Int) is f
    assert Function("f", (Int, Int), Int) is f
    assert Function("f", [Int], Int) is not f
    assert Function("f", [Int, Int], Bool) is not f


def test_fresh_functions_differ_from_all_others() -> None:
    first, second = Function.fresh("f", [Int], Int), Function.fresh("f", [Int], Int)
    assert first is not second
    assert first.name != second.name
    assert first(x) is not second(x)
    assert first.name.startswith("f!")


def test_applications_are_terms() -> None:
    term = f(x, 1)
    assert type(term) is IntTerm
    assert term.sort is Int
    assert f(x, 1) is term
    assert f(1, x) is not term
    assert type(g(x).sort) is type(Bool)
    assert pretty(f(x + 1, y) * 2) == "f(x + 1, y) * 2"
    # Nothing is known of the function, so concrete arguments stay an application.
    assert f(1, 2).op.base.name == "apply"


def test_arguments_are_coerced() -> None:
    assert f(True, x) is f(1, x)
    h = Function("h", [Real, BitVec(8)], Bool)
    assert h(1, -1) is h(1, bv(255, 8))
    assert h(x, 1).args[0].sort is Real


def test_evaluation() -> None:
    table = FunctionValue(Int, 0, {(1, 2): 7})
    term = f(x, y) + f(y, x)
    assert evaluate(term, {f: table, x: 1, y: 2}) == 7
    assert evaluate(f(f(x, y), 0), {f: FunctionValue(Int, 5, {(5, 0): 9}), x: 3, y: 3}) == 9
    assert evaluate(term, {f: lambda a, b: a * 10 + b, x: 1, y: 2}) == 33
    # Bits are compared as bits.
    h = Function("h", [BitVec(4)], BitVec(4))
    z = BitVec("z", 4)
    assert (
        evaluate(h(z), {h: FunctionValue(BitVec(4), bv(0, 4), {(bv(3, 4),): bv(9, 4)}), z: 3}) == 9
    )


def test_a_function_that_a_model_does_not_list_has_a_default() -> None:
    model = Model({x: 1, y: 2})
    assert model.evaluate(f(x, y)) == 0
    assert model.evaluate(g(x)) is False
    assert model[f] == FunctionValue(Int, 0)


def test_functions_of_terms() -> None:
    assert applied_functions(f(x, 1) + f(y, 2), g(x)) == [f, g]
    assert applied_functions(x + y) == []


def test_equal_arguments_give_equal_results() -> None:
    assert equal(ite(eq(x, y), f(x, 0), 0), ite(eq(x, y), f(y, 0), 0))
    assert substitute(f(x, y), {x: y}) is f(y, y)


@pytest.mark.parametrize(
    ("construct", "words"),
    [
        (lambda: f(x), "f takes 2 arguments, not 1"),
        (lambda: f(), "f takes 2 arguments, not 0"),
        (lambda: f(x, y, x), "f takes 2 arguments, not 3"),
        (lambda: f(x, "a"), r"argument 2 of f is of sort Int, not 'a' \(str\)"),
        (lambda: f(BitVec("b", 8), x), r"argument 1 of f is of sort Int, not b \(BitVec\(8\)\)"),
        (lambda: Function("c", [], Int), "c needs at least one argument sort"),
        (lambda: Function("c", [int], Int), "<class 'int'> is not a sort"),
        (lambda: Function("c", [Int], 3), "3 is not a sort"),
        (lambda: Model({f: 3}), "the function f needs a FunctionValue, not 3"),
    ],
)
def test_errors(construct: Callable[[], Any], words: str) -> None:
    with pytest.raises(SortError, match=words):
        construct()


# --- uninterpreted sorts -----------------------------------------------------------------------


def test_uninterpreted_sorts_are_their_names() -> None:
    assert uninterpreted_sort("Colour") is Colour
    assert uninterpreted_sort("Shape") is not Colour
    red = Colour("red")
    assert type(red) is UninterpretedTerm
    assert red is Colour("red")
    assert Colour.fresh("red") is not red


def test_values_of_uninterpreted_sorts() -> None:
    red, green = Colour("red"), Colour("green")
    first, second = Element(Colour, 0), Element(Colour, 1)
    assert evaluate(red == green, {red: first, green: second}) is False
    assert evaluate(red != green, {red: first, green: Element(Colour, 1)}) is True
    assert evaluate(ite(eq(red, green), x, y), {red: first, green: first, x: 1, y: 2}) == 1
    assert Model({})[red] == first
    mix = Function("mix", [Colour, Colour], Colour)
    both = FunctionValue(Colour, first, {(first, second): second})
    assert evaluate(mix(red, green), {mix: both, red: first, green: second}) == second
    assert str(first) == "Colour!0"


def test_uninterpreted_sorts_do_not_mix() -> None:
    shape = uninterpreted_sort("Shape")("s")
    with pytest.raises(SortError, match=r"red \(Colour\) and s \(Shape\)"):
        Colour("red") == shape
    with pytest.raises(SortError, match=r"Shape!0 \(Shape\) is not of sort Colour"):
        Model({Colour("red"): Element(uninterpreted_sort("Shape"), 0)})
    with pytest.raises(SortError, match="needs a name, not ''"):
        uninterpreted_sort("")


def test_copies_and_pickles_are_the_same() -> None:
    formula = and_(g(f(x, 1)), Function("h", [Colour], Bool)(Colour("red")))
    for obj in (f, Colour, formula, Array(Colour, Int), Function.fresh("f", [Int], Int)):
        assert pickle.loads(pickle.dumps(obj)) is obj
        assert copy.deepcopy(obj) is obj
    for value in (Element(Colour, 3), FunctionValue(Int, 0, {(1,): 2})):
        assert pickle.loads(pickle.dumps(value)) == value
