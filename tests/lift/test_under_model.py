"""Values under a model."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import pytest

from solvent import BitVec, Bool, Float, Int, Real, Str
from solvent.lift import evaluate
from solvent.lift.values.protocol import behaviour_of
from solvent.terms import bv
from solvent.terms.model import Model
from solvent.terms.model import evaluate as evaluate_term
from solvent.vm.slots import slot

p, x = Bool("p"), Int("x")
MODEL = Model({p: True, x: 3, Str("s"): "ab", BitVec("b", 8): bv(5, 8)})


class Pair(NamedTuple):
    first: Any
    second: Any


class Recorder:
    """Evaluates terms, and is told of nothing else."""

    def term(self, term: Any) -> Any:
        return evaluate_term(term, MODEL)

    def value(self, value: Any) -> Any:
        raise AssertionError("a term holds no other values")

    started = value


@pytest.mark.parametrize(
    "term", [p, x, x + 1, Real("r"), Float("f"), BitVec("b", 8), Str("s"), Str("s") + "c"], ids=str
)
def test_terms_have_the_value_that_their_behaviour_says(term: Any) -> None:
    found = evaluate(term, MODEL)
    expected = behaviour_of(type(term)).under(term, Recorder())
    assert (type(found), found) == (type(expected), expected)
    assert evaluate([term], MODEL) == [expected]


def test_what_holds_nothing_symbolic_is_the_same_object() -> None:
    for value in ((), {}, [], OrderedDict(), defaultdict(list), (1, ()), Pair(1, {}), {1: {}}):
        assert evaluate(value, MODEL) is value


def test_copies_keep_their_class_and_aliases_stay_aliases() -> None:
    inner = [x, p]
    found = evaluate((inner, Pair(inner, {}), {"a": inner}), MODEL)
    assert found == ([3, True], Pair([3, True], {}), {"a": [3, True]})
    assert type(found[1]) is Pair
    assert found[0] is found[1].first is found[2]["a"] is not inner


def test_a_ragged_list_ends_with_the_last_item_that_is_there() -> None:
    assert evaluate([x, slot(x > 2, 1), slot(x > 3, 2)], MODEL) == [3, 1]
    assert evaluate([x, slot(x > 2, p)], {x: 2, p: True}) == [2]


class Node:
    """A part of something that hangs together."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def method(self) -> None:
        """Something that can be bound."""


def test_a_whole_program_that_knows_itself_is_the_same_object() -> None:
    first = last = Node()
    for _ in range(50_000):
        last = Node(last, last.method)
    first.parts = (last,)
    assert evaluate({"self": last, "n": x}, MODEL) == {"self": last, "n": 3}
    assert evaluate(last.method, MODEL).__self__ is last


def test_what_is_symbolic_is_found_behind_methods_and_cycles() -> None:
    inner = Node(x)
    outer = Node(inner.method)
    inner.parts = (x, outer)
    found = evaluate(outer, MODEL)
    assert found is not outer
    (method,) = found.parts
    assert method.__self__.parts == (3, found)
    beside = Node(1)
    assert evaluate([outer, beside], MODEL)[1] is beside
