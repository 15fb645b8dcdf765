"""Models and evaluation."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from solvent.errors import SortError, UnknownConstantError, WidthError
from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Element,
    Function,
    FunctionValue,
    Int,
    Model,
    Real,
    and_,
    bv,
    eq,
    evaluate,
    exists,
    ite,
    uninterpreted_sort,
)

x, y = Int("x"), Int("y")
p = Bool("p")
u = Real("u")
b = BitVec("b", 8)
a = Array("a", Int, Int)
f = Function("f", [Int], Int)


def test_indexing() -> None:
    model = Model({x: 3, p: True, f: FunctionValue(Int, 0, {(1,): 2})})
    assert model[x] == 3
    assert model["x"] == 3
    assert model[p] is True
    assert model["f"](1) == 2
    assert model[f](5) == 0


def test_values_are_brought_to_their_sort() -> None:
    model = Model({x: True, u: 2, b: -1})
    assert model[x] == 1
    assert type(model[x]) is int
    assert model[u] == Fraction(2)
    assert type(model[u]) is Fraction
    assert model[b] == bv(255, 8)
    assert type(model[b]) is type(bv(0, 8))


def test_a_model_is_complete() -> None:
    colour = uninterpreted_sort("Colour")
    model = Model({x: 3})
    assert model[y] == 0
    assert model[p] is False
    assert model[u] == Fraction(0)
    assert model[b] == bv(0, 8)
    assert model[a] == ArrayValue(a.sort, 0)
    assert model[colour("red")] == Element(colour, 0)
    assert model.evaluate(ite(p, 1, x + y)) == 3


def test_a_model_is_complete_for_a_constant_that_is_also_bound() -> None:
    formula = and_(exists([p], p), eq(p, False))
    assert Model({}).evaluate(formula) is True
    assert Model({p: True}).evaluate(formula) is False


def test_a_model_is_a_mapping() -> None:
    model = Model({x: 3, p: True})
    assert list(model) == [x, p]
    assert len(model) == 2
    assert x in model
    assert "x" in model
    assert y not in model
    assert "y" not in model
    assert dict(model.items()) == {x: 3, p: True}
    assert model.to_dict() == {"x": 3, "p": True}
    assert list(model.values()) == [3, True]


def test_equality_and_copies() -> None:
    model = Model({x: 3, p: True})
    assert model == Model({p: True, x: 3})
    assert hash(model) == hash(Model({p: True, x: 3}))
    assert model != Model({x: 3})
    assert model != Model({x: 4, p: True})
    assert model != {"x": 3, "p": True}
    assert pickle.loads(pickle.dumps(model)) == model
    assert copy.deepcopy(model) == model


def test_text() -> None:
    model = Model({x: 3, p: True, b: 5})
    assert str(model) == "x = 3\np = True\nb = bv(5, 8)"
    assert repr(model) == "Model({x: 3, p: True, b: bv(5, 8)})"
    assert str(Model({})) == ""


def test_evaluation() -> None:
    model = Model({x: 3, y: 4})
    assert model.evaluate(x * y + 1) == 13
    assert model(x > y) is False
    assert evaluate(x * y, model) == 12
    assert evaluate(x * y, {x: 3, "y": 4}) == 12
    assert evaluate(x, {"x": True}) == 1
    assert evaluate(7, {}) == 7
    assert evaluate("text", model) == "text"
    # Values that the term does not use do no harm.
    assert evaluate(x, {x: 1, y: 2, "z": 3}) == 1


def test_evaluation_gives_python_values() -> None:
    for term, value, kind in [
        (x + 1, 2, int),
        (x <= y, True, bool),
        (u / 2, Fraction(1, 2), Fraction),
        (b + 1, bv(2, 8), type(bv(0, 8))),
        (a[x], 0, int),
    ]:
        result = evaluate(term, Model({x: 1, y: 1, u: 1, b: 1}))
        assert result == value
        assert type(result) is kind


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (
            lambda: evaluate(x + y, {x: 1}),
            UnknownConstantError,
            r"no value is given for y; given: x",
        ),
        (lambda: evaluate(x + y, {}), UnknownConstantError, r"for x, y; given: none"),
        (lambda: evaluate(x, {"z": 1}), UnknownConstantError, r"for x; given: z"),
        (
            lambda: evaluate(f(x), {x: 1}),
            UnknownConstantError,
            r"no value is given for f; given: x",
        ),
        (lambda: Model({x: 1})["z"], UnknownConstantError, r"no constant 'z'; it has: x"),
        (lambda: Model({})["z"], UnknownConstantError, r"no constant 'z'; it has: none"),
        (lambda: Model({x: 1})[x + 1], UnknownConstantError, r"x \+ 1 \(Int\).*model.evaluate"),
        (lambda: Model({x: 1})[3], UnknownConstantError, r"3 \(int\) is not a constant"),
        (
            lambda: Model({x: 1, BitVec("x", 8): 2})["x"],
            UnknownConstantError,
            r"'x' is ambiguous \(Int and BitVec\(8\)\)",
        ),
        (lambda: Model({x: "a"}), SortError, r"'a' \(str\) is not of sort Int"),
        (lambda: Model({p: 1}), SortError, r"1 \(int\) is not of sort Bool"),
        (lambda: Model({x: Fraction(1, 2)}), SortError, "is not of sort Int"),
        (lambda: Model({b: bv(1, 4)}), SortError, r"bv\(1, 4\) \(BitVec\(4\)\)"),
        (lambda: Model({b: 256}), WidthError, "256 does not fit in 8 bits"),
        (lambda: Model({x: y}), SortError, r"x needs a concrete value, not the term y \(Int\)"),
        (lambda: Model({x + 1: 3}), SortError, r"assigns constants and functions, not x \+ 1"),
        (lambda: Model({"x": 3}), SortError, r"assigns constants and functions, not 'x' \(str\)"),
        (lambda: Model({f: 3}), SortError, "the function f needs a FunctionValue, not 3"),
        (lambda: evaluate(x, {x: "a"}), SortError, r"'a' \(str\) is not of sort Int"),
    ],
)
def test_errors(action: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        action()


def test_a_missing_constant_is_a_key_error_with_plain_text() -> None:
    with pytest.raises(KeyError) as raised:
        Model({x: 1})["z"]
    assert str(raised.value) == "the model has no constant 'z'; it has: x"
    assert Model({x: 1}).get("z", "nothing") == "nothing"


def test_a_function_that_leaves_its_range() -> None:
    with pytest.raises(SortError, match=r"'a' \(str\) is not of sort Int"):
        evaluate(f(x), {f: lambda _: "a", x: 1})
