"""Sets and frozensets: every method against CPython, on symbolic elements."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Int, verify
from solvent.lift import execute
from solvent.verdicts import Verdict
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]
KINDS = [set, frozenset]


def partial(p: Any, x: Any) -> set[Any]:
    """A set with a symbolic element, and one that only some paths have."""
    found = {x, 1}
    if p:
        found.add(5)
    return found


def test_elements() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found = partial(p, x)
        found.add(y)
        found.discard(2)
        return found, len(found), y in found, 5 in found, bool(found)

    agree(f, BITS, SMALL, SMALL)


def test_remove() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found = partial(p, x)
        found.remove(y)
        return found

    agree(f, BITS, SMALL, SMALL)


def test_remove_of_several_types() -> None:
    def f(p: Any, x: Any) -> Any:
        found: set[Any] = {x, "s"}
        found.remove("s" if p else 1)
        found.discard(None if p else x)
        return found

    agree(f, BITS, SMALL)


def test_pop() -> None:
    def f(p: Any, x: Any) -> Any:
        found = partial(p, x)
        first = found.pop()
        return first in found, len(found), first in partial(p, x)

    agree(f, BITS, SMALL)

    def g(p: Any) -> Any:
        found = set()
        if p:
            found.add(1)
        return found.pop(), found

    agree(g, BITS)


def test_clear_and_copy() -> None:
    def f(p: Any, x: Any) -> Any:
        found = partial(p, x)
        other = found.copy()
        if p:
            found.clear()
        other.add(7)
        return found, other, frozenset(other).copy()

    agree(f, BITS, SMALL)


@pytest.mark.parametrize("kind", KINDS)
def test_combinations_with_any_iterable(kind: Any) -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found = kind(partial(p, x))
        return (
            found.union([y], (x, 8)),
            found.intersection({y: 0, 5: 1}),
            found.difference([y] if p else (1, 5)),
            found.symmetric_difference([y, y, 1]),
            found.union(),
            found.intersection({y}, [1, y]),
            found.union({x: 1}.keys()),
        )

    agree(f, BITS, SMALL, SMALL)


@pytest.mark.parametrize("kind", KINDS)
def test_operators(kind: Any) -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found, other = kind(partial(p, x)), {y, 5}
        return found | other, found & other, found - other, found ^ other, other - found

    agree(f, BITS, SMALL, SMALL)


def test_updates() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        a, b, c, d = partial(p, x), partial(p, x), partial(p, x), partial(p, x)
        a.update([y], {7})
        b.intersection_update([y, 1])
        if p:
            c.difference_update([y], (5,))
        d.symmetric_difference_update({y, 1})
        return a, b, c, d

    agree(f, BITS, SMALL, SMALL)


def test_operators_in_place() -> None:
    def f(found: Any, alias: Any, x: Any, p: Any) -> Any:
        found |= {x}
        if p:
            found &= {1, x}
        else:
            found -= {1}
        alias ^= {2, 0} if p else frozenset((2,))
        return found is alias

    def make(x: Any, p: Any) -> tuple[Any, ...]:
        found = {1, 3}
        return found, found, x, p

    agree(f, SMALL, BITS, make=make)


def test_operators_with_what_is_no_set() -> None:
    def f(x: Any, p: Any) -> Any:
        found = {x}
        if p:
            found |= [1]  # type: ignore[arg-type]
        return found

    agree(f, SMALL, BITS)

    def g(x: Any) -> Any:
        return {x}.union(x)

    agree(g, SMALL)


def test_comparisons() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found, other = partial(p, x), {y, 1}
        return (
            found == other, found != other, found <= other, found < other, found >= other,
            found > other, found.issubset([y, 1, 5]), found.issuperset({y}),
            found.isdisjoint([y]), found == frozenset(other), frozenset(found) == other,
        )  # fmt: skip

    agree(f, BITS, SMALL, SMALL)


def test_constructors() -> None:
    def f(p: Any, x: Any) -> Any:
        items = [x, 1]
        if p:
            items.append(5)
        return (
            set(items), frozenset(items), set(), frozenset(), set("aba"), set({x: 1}),
            set((x, x) if p else [3]), frozenset({x} if p else ""), set(frozenset((x,))),
        )  # fmt: skip

    agree(f, BITS, SMALL)


def test_a_copy_is_another_set() -> None:
    def f(p: Any, x: Any) -> Any:
        found = partial(p, x)
        other = set(found)
        other.add(9)
        return found, other

    agree(f, BITS, SMALL)


def test_frozensets_as_values() -> None:
    def f(p: Any, x: Any) -> Any:
        found = frozenset((x, 1)) if p else frozenset((2,))
        nested = {found, frozenset((1,))}
        empty = frozenset(partial(p, x) - {x, 1})
        if empty:
            shown = "full"
        else:
            shown = "empty"
        return found, x in found, len(found), len(nested), found in nested, bool(empty), shown

    agree(f, BITS, SMALL)


def test_symbolic_elements_that_both_sides_have() -> None:
    def f(p: Any, x: Any) -> Any:
        found = {x}
        if p:
            found.add(x)
        else:
            found.discard(x + 1)
        return 1 in found, len(found), found

    agree(f, BITS, SMALL)


def test_a_set_as_an_element_to_look_for() -> None:
    def f(x: Any) -> Any:
        found = {frozenset((x, 1)), frozenset((0,))}
        return {1} in found, len(found)

    agree(f, SMALL)


def test_elements_that_cannot_be_hashed() -> None:
    def f(p: Any, x: Any) -> Any:
        found: set[Any] = {x}
        found.add([] if p else 3)
        return found

    agree(f, BITS, SMALL)


def test_loops_over_sets() -> None:
    def f(p: Any, x: Any) -> Any:
        total = 0
        for element in partial(p, x):
            total += element
        return total

    agree(f, BITS, SMALL)


def test_special_methods_called_by_name() -> None:
    def f(p: Any, x: Any) -> Any:
        found = partial(p, x)
        return (
            found.__len__(), found.__contains__(1), found.__eq__({1, x}), found.__eq__([1]),
            found.__or__({2}), found.__le__({0, 1, 2, 5}), found.__and__([1]),
        )  # fmt: skip

    agree(f, BITS, SMALL)


def test_concrete_sets_are_pythons_own() -> None:
    def f(x: Any) -> Any:
        found = set(range(1000))
        found.add(5000)
        return found

    assert execute(f, Int("x")).value == {*range(1000), 5000}


def test_an_element_by_its_place_is_no_proof() -> None:
    def popped(x: int, y: int) -> None:
        assert {x, y}.pop() == x

    def first(x: int, y: int) -> None:
        assert next(iter({x, y})) == x

    def only(x: int) -> None:
        assert next(iter({x, x})) == x
        assert {x}.pop() == x

    for function in (popped, first):
        found = verify(function, Int("x"), Int("y"))
        # Which of the two comes first depends on the numbers that a solver chooses.
        assert found.confirmed or found.verdict is Verdict.UNKNOWN
        assert found.confirmed or "of a set" in str(found)
    assert verify(only, Int("x")).holds
