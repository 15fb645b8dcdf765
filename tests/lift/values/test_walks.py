"""Sets with symbolic elements are walked in any order where something is to be proved."""

from __future__ import annotations

import random
from itertools import pairwise, permutations, product
from math import factorial

import pytest

from solvent import Int, verify
from solvent.explore import failing_paths
from solvent.lift.values.walks import MOST, walked
from solvent.lift.varying import Record, recording
from solvent.queries.inputs import bind
from solvent.solvers.status import Status
from solvent.terms import Model, evaluate
from solvent.terms.graph import constants
from tests.patience import FOREVER


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_order_is_one_way_through_the_swaps(count: int) -> None:
    elements = {Int(f"walked {n}"): True for n in range(count)}
    with recording(Record(any_order=True)):
        rows = walked(set(), elements)
    names = list(elements)
    numbers = {name: n for n, name in enumerate(names)}
    swaps = [one for one in constants(*(value for value, _ in rows)) if one not in numbers]
    assert len(swaps) == count * (count - 1) // 2
    orders = set()
    for chosen in product((False, True), repeat=len(swaps)):
        model = Model({**numbers, **dict(zip(swaps, chosen, strict=True))})
        orders.add(tuple(evaluate(value, model) for value, _ in rows))
    assert orders == set(permutations(range(count)))
    assert len(orders) == factorial(count)


def test_a_guard_goes_with_its_element() -> None:
    x, y = Int("guarded x"), Int("guarded y")
    with recording(Record(any_order=True)):
        rows = walked(set(), {x: x > 0, y: True})
    (swap,) = [one for one in constants(*(value for value, _ in rows)) if one not in {x: 0, y: 0}]
    for swapped, there in product((False, True), repeat=2):
        model = Model({x: 1 if there else -1, y: 7, swap: swapped})
        found = [evaluate(value, model) for value, guard in rows if evaluate(guard, model)]
        kept = [1, 7] if there else [7]
        assert found == (kept[::-1] if swapped else kept)


def the_first(x: int, y: int) -> None:
    assert list({x, y})[0] == x  # noqa: RUF015


def the_first_letter(text: str) -> None:
    if len(text) == 2:
        assert "".join(set(text))[0] == text[0]


def enumerated(xs: list[int]) -> None:
    for place, x in enumerate(set(xs)):
        assert xs[place] == x


def unpacked(x: int, y: int) -> None:
    if x != y:
        a, b = {x, y}
        assert (a, b) == (x, y)


def by_comprehension(x: int, y: int) -> None:
    assert [2 * one for one in frozenset((x, y))][0] == 2 * x  # noqa: RUF015


@pytest.mark.parametrize(
    "wrong", [the_first, the_first_letter, enumerated, unpacked, by_comprehension]
)
def test_what_depends_on_the_order_is_not_proved(wrong: object) -> None:
    assert not verify(wrong).holds  # type: ignore[call-overload]
    assert not verify(wrong, budget=FOREVER, probes=False).holds  # type: ignore[call-overload]


def summed(xs: list[int]) -> None:
    total = 0
    for x in set(xs):
        total += x
    assert total == sum(set(xs))


def walked_twice(xs: list[int]) -> None:
    found = set(xs)
    assert list(found) == list(found) == [*found]


def largest(xs: list[int]) -> None:
    found = set(xs)
    best = None
    for x in found:
        if best is None or x > best:
            best = x
    assert not found or best == max(found)


def sorted_without_repetition(xs: list[int]) -> None:
    found = sorted(set(xs))
    assert all(a < b for a, b in pairwise(found))


def copied(xs: list[int]) -> None:
    assert {x + 1 for x in set(xs)} == {x + 1 for x in xs}


@pytest.mark.parametrize(
    "right", [summed, walked_twice, largest, sorted_without_repetition, copied]
)
def test_what_does_not_is(right: object) -> None:
    assert verify(right).holds  # type: ignore[call-overload]
    assert verify(right, budget=FOREVER, probes=False).holds  # type: ignore[call-overload]


def test_an_order_that_cpython_does_not_take_is_no_finding() -> None:
    def small_ones(x: int, y: int) -> None:
        if 0 <= x < y < 8:
            # CPython has small ints in this order, of which a run knows nothing.
            assert list({y, x}) == [x, y]

    found = verify(small_ones)
    assert found.status is Status.UNKNOWN
    assert "the order of a set" in found.reason
    raced = verify(small_ones, budget=FOREVER, probes=False)
    assert raced.status is Status.UNKNOWN
    assert not raced.coverage.proved  # type: ignore[union-attr]


def test_many_elements_prove_nothing() -> None:
    def many(xs: tuple[int, int, int, int, int, int, int, int]) -> None:
        total = 0
        for x in set(xs):
            total += x
        assert total == sum(set(xs))

    assert MOST < 8
    found = verify(many)
    assert found.status is Status.UNKNOWN
    assert "the order of a set with more than" in found.reason


def test_paths_one_by_one_prove_nothing_of_other_orders() -> None:
    def holds_as_added(x: int, y: int) -> None:
        found = list({x, y})
        assert found[0] == x

    inputs = bind(holds_as_added, (), {})
    summary = failing_paths(holds_as_added, inputs, lambda message: None, seconds=FOREVER)
    assert not summary.complete


def test_chance_inside_of_a_generator_is_noted() -> None:
    def drawn(x: int) -> None:
        def numbers() -> object:
            yield random.random()

        if x > 3:
            assert next(numbers()) < 1  # type: ignore[call-overload]

    assert verify(drawn).status is Status.UNKNOWN


def test_what_is_there_on_no_path_has_no_place() -> None:
    record = Record(any_order=True)
    x = Int("there x")
    with recording(record):
        assert walked(set(), {x: x > 0, Int("never there"): False}) == [(x, x > 0)]
    assert not record.walked
