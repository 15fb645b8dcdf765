"""Looking at symbolic values, evaluating them, and functions that are not lifted."""

from __future__ import annotations

import inspect
import json
import marshal
import re
import threading
from dataclasses import dataclass

import pytest

from solvent import Bool, Int, NotLiftedError, assume, evaluate, lifted
from solvent.lift import (
    Union,
    cardinality,
    execute,
    for_all,
    is_symbolic,
    is_union,
    lift_with_for_all,
    members,
    state,
    symbolics,
    type_of,
)

P, Q, X = Bool("p"), Bool("q"), Int("x")


@lifted
def choose(p, a, b):
    return a if p else b


def test_members_are_exclusive_and_complete() -> None:
    value = choose(P, "a", choose(Q, None, 3))
    rows = members(value)
    assert cardinality(value) == 3
    for p in (False, True):
        for q in (False, True):
            model = {P: p, Q: q}
            holding = [member for guard, member in rows if evaluate(guard, model)]
            assert holding == [evaluate(value, model)]


def test_what_is_symbolic() -> None:
    value = choose(P, 1, "a")
    assert is_union(value)
    assert isinstance(value, Union)
    assert is_symbolic(value)
    assert is_symbolic({"k": [X]})
    assert not is_symbolic({"k": [1]})
    assert symbolics([value, X]) == [P, X] or [str(c) for c in symbolics([value, X])] == ["p", "x"]
    assert type_of(X) is int
    assert {kind for _, kind in members(type_of(value))} == {int, str}


class Slotted:
    """An object without a `__dict__`."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


def test_symbolics_are_found_in_what_values_hold_and_in_guards() -> None:
    def filled(p, x):
        items, entries, elements, ordered = [x], {1: 2}, {3}, {}
        if p:
            items.append(4)
            entries[x] = 5
            elements.add(6)
        for key in ("a", "b") if p else ("b", "a"):
            ordered[key] = 0
        return items, entries, elements, ordered

    items, entries, elements, ordered = execute(filled, P, X).value
    assert symbolics(items) == [X, P]
    # Which comes first in the condition of an entry is up to the terms that were made before.
    assert {each.name for each in symbolics(entries)} == {P.name, X.name}
    assert symbolics(elements) == symbolics(ordered) == [P]
    y = Int("y")
    assert symbolics({y: X, 1: P}) == [y, X, P]
    assert symbolics([Slotted(X), bytearray(), execute(range, y).value]) == [X, y]


def test_for_all_merges_what_plain_functions_return() -> None:
    value = choose(P, "ab", "c")
    lengths = for_all(value, lambda text: len(text) * 10)
    assert evaluate(lengths, {P: True}) == 20
    assert evaluate(lengths, {P: False}) == 10


def test_lift_with_for_all() -> None:
    matches = lift_with_for_all(lambda text, *, start: re.match(start, text) is not None)
    found = matches(choose(P, "ab", "c"), start=choose(Q, "a", "c"))
    for p in (False, True):
        for q in (False, True):
            expected = re.match("a" if q else "c", "ab" if p else "c") is not None
            assert evaluate(found, {P: p, Q: q}) is expected


def test_what_is_lifted_with_for_all_keeps_its_parameters() -> None:
    @lift_with_for_all
    def joined(first: str, second: str = "-", third: str = ".") -> str:
        """Three texts."""
        return first + second + third

    assert joined("a") == "a-."
    assert joined(third="c", first="a", second="b") == "abc"
    assert joined.__name__ == "joined"
    assert joined.__doc__ == "Three texts."
    assert list(inspect.signature(joined).parameters) == ["first", "second", "third"]
    with pytest.raises(TypeError, match=r"joined\(\) got an unexpected keyword argument 'fourth'"):
        joined("a", fourth="d")  # type: ignore[call-arg]
    found = joined(choose(P, "a", "b"), third=choose(Q, "c", "d"))
    for p in (False, True):
        for q in (False, True):
            expected = f"{'a' if p else 'b'}-{'c' if q else 'd'}"
            assert evaluate(found, {P: p, Q: q}) == expected


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_each_parameter_of_what_is_lifted_with_for_all_is_spread(count: int) -> None:
    names = "abcd"[:count]
    function = lift_with_for_all(eval(f"lambda {', '.join(names)}: ({', '.join(names)},)"))
    for place in range(count):
        args: list[object] = [1] * count
        args[place] = choose(P, "x", None)
        found = function(*args)
        for p in (False, True):
            expected = [1] * count
            expected[place] = "x" if p else None  # type: ignore[call-overload]
            assert evaluate(found, {P: p}) == tuple(expected)


def test_unlifted_functions_are_spread_over_unions() -> None:
    def program(p):
        text = json.dumps([1, {"k": None}] if p else "x")
        return re.match(r"\[", text) is not None, text

    outcome = execute(program, P)
    for p in (False, True):
        assert evaluate(outcome.value, {P: p}) == program(p)


def test_unlifted_functions_refuse_symbolic_primitives() -> None:
    with pytest.raises(NotLiftedError, match=r"`marshal.dumps` is not lifted"):
        execute(lambda x: marshal.dumps([x]), X)


def test_unlifted_functions_change_their_arguments_under_a_condition() -> None:
    import random

    def program(p):
        values = [1, 2, 3, 4]
        if p:
            random.Random(7).shuffle(values)
        return values

    outcome = execute(program, P)
    for p in (False, True):
        assert evaluate(outcome.value, {P: p}) == program(p)


@dataclass
class Node:
    value: object
    next: object = None


def test_evaluate_keeps_aliases_and_cycles() -> None:
    shared = [X]
    node = Node(X, None)
    node.next = node
    result = evaluate({"a": shared, "b": shared, "n": node, "t": (1, "s")}, {X: 5})
    assert result["a"] is result["b"]
    assert result["a"] == [5]
    assert result["n"].next is result["n"]
    assert result["n"].value == 5
    concrete = [1, {"k": (2,)}]
    assert evaluate(concrete, {}) is concrete


def test_the_state_can_be_read_while_running() -> None:
    seen = []

    def look():
        seen.append((state().path.term, state().assumes))

    from solvent.lift.registry import TRUSTED

    TRUSTED.add(look)

    def program(x):
        assume(x > 0)
        if x > 5:
            look()

    execute(program, X)
    ((path, assumes),) = seen
    assert str(assumes) == "x > 0"
    assert evaluate(path, {X: 6})
    assert not evaluate(path, {X: 5})


def test_threads_have_states_of_their_own() -> None:
    outcomes = {}

    def program(x, k):
        for step in range(50):
            if x > step * k:
                x = x - 1
        assert x != k
        return x

    def run(k):
        outcomes[k] = execute(program, X, k)

    threads = [threading.Thread(target=run, args=(k,)) for k in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, outcome in outcomes.items():
        assert outcome.asserts is execute(program, X, k).asserts


def test_listener_hears_joins_and_unions() -> None:
    heard = []
    outcome = execute(choose, P, 1, "a", listener=lambda what, detail: heard.append(what))
    assert heard.count("join") == outcome.stats.joins > 0
    assert heard.count("union") == outcome.stats.unions > 0
    assert set(outcome.stats.as_dict()) >= {"joins", "unions", "union_sizes", "terms", "seconds"}


def test_a_slice_under_a_model() -> None:
    found = evaluate([slice(Int("a"), Int("b") + 1, None)], {Int("a"): 1, Int("b"): 2})
    assert found == [slice(1, 3, None)]
