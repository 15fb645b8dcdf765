"""`sorted` and `list.sort` on symbolic items."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from solvent import Int
from solvent.lift import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


def test_symbolic_items() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        return sorted([x, y, z]), sorted((x, 1, y), reverse=True)

    agree(f, SMALL, SMALL, SMALL)


def test_stability() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        rows = [(x, "a"), (y, "b"), (1, "c"), (z, "d")]
        return sorted(rows, key=lambda row: row[0]), sorted(rows, key=lambda r: r[0], reverse=True)

    agree(f, SMALL, SMALL, SMALL)


def test_in_place_with_aliases() -> None:
    def f(items: Any, alias: Any, x: Any, p: Any) -> Any:
        items[1] = x
        if p:
            alias.sort()
        else:
            alias.sort(key=lambda item: -item)
        return items is alias, items[0]

    def make(x: Any, p: Any) -> tuple[Any, ...]:
        items = [1, 0, 2]
        return items, items, x, p

    agree(f, SMALL, BITS, make=make)


def test_lengths_that_differ() -> None:
    def f(x: Any, y: Any, p: Any, q: Any) -> Any:
        items = [2]
        if p:
            items.append(x)
        if q:
            items.append(y)
        items.sort()
        return items, sorted(items, reverse=True), len(items)

    agree(f, SMALL, SMALL, BITS, BITS)


def test_keys_are_only_computed_where_the_item_is_there() -> None:
    def f(x: Any, p: Any) -> Any:
        items = [4, 2]
        if p:
            items.append(x)
        return sorted(items, key=lambda item: 8 // item)

    agree(f, SMALL, BITS)


def test_items_of_several_types() -> None:
    def f(x: Any, p: Any) -> Any:
        return sorted([x, "a" if p else 1, 2])

    agree(f, SMALL, BITS, messages=False)


def test_tuples_strings_and_truth_values() -> None:
    def f(x: Any, y: Any, s: Any) -> Any:
        return sorted([(x, 2), (y, 1), (1, x)]), sorted([s, "b", "ab"]), sorted([x == y, True])

    agree(f, SMALL, SMALL, ["", "a", "b", "c"])


class Card:
    """Objects with an order of their own."""

    def __init__(self, rank: Any, name: str) -> None:
        self.rank = rank
        self.name = name

    def __lt__(self, other: Any) -> Any:
        return self.rank < other.rank


def test_objects() -> None:
    def f(x: Any, y: Any) -> Any:
        first = Card(x, "a")
        cards = sorted([first, Card(y, "b"), Card(1, "c")])
        cards[0].rank = 9
        return [card.name for card in cards], first.rank

    agree(f, SMALL, SMALL)


class Hand:
    """Objects whose comparison is no order: each beats one and loses to another."""

    def __init__(self, sign: Any, name: str) -> None:
        self.sign = sign
        self.name = name

    def __lt__(self, other: Any) -> Any:
        return (other.sign - self.sign) % 3 == 1


def test_without_an_order_no_item_is_lost() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        hands = sorted([Hand(x, "a"), Hand(y, "b"), Hand(z, "c"), Hand(0, "d")])
        return sorted([hand.name for hand in hands])

    agree(f, SMALL, SMALL, SMALL)


def test_symbolic_direction() -> None:
    def f(x: Any, p: Any) -> Any:
        return sorted([1, x, 0], reverse=p), sorted([2, 1], reverse=x)

    agree(f, SMALL, BITS)


def test_wrong_direction() -> None:
    def f(x: Any) -> Any:
        return sorted([x, 1], reverse=None)  # type: ignore[arg-type]

    agree(f, SMALL)


def test_sets_and_dicts() -> None:
    def f(x: Any, y: Any) -> Any:
        table = {x: "a", 1: "b"}
        table[y] = "c"
        return sorted({x, y, 1}), sorted(table), sorted(table.items()), sorted(table.values())

    agree(f, SMALL, SMALL)


def test_a_dict_whose_order_differs() -> None:
    def f(p: Any, x: Any) -> Any:
        table = {}
        if p:
            table["a"] = x
            table["b"] = 1
        else:
            table["b"] = x
            table["a"] = 2
        return sorted(table), sorted(table.keys()), sorted(table.items())

    agree(f, BITS, SMALL)


def test_unions_and_builtin_keys() -> None:
    def f(x: Any, p: Any) -> Any:
        items = [[x, 1], [0]] if p else ((2, x), (1,), ())
        return sorted(items, key=len), sorted(items), sorted([-x, 2, -1], key=abs)

    agree(f, SMALL, BITS)


def test_the_formula_stays_polynomial() -> None:
    def f(*items: Any) -> Any:
        return sorted(items)

    sizes = []
    for count in (8, 16):
        outcome = execute(f, *[Int(f"x{place}") for place in range(count)])
        sizes.append(outcome.stats.terms)
    assert sizes[1] < 10 * sizes[0]


@pytest.mark.parametrize("reverse", BITS)
def test_concrete_lists(reverse: bool) -> None:
    def f(items: Any) -> Any:
        return sorted(items, key=operator.itemgetter(0), reverse=reverse)

    rows = [(1, "a"), (0, "b"), (1, "c"), (0, "d")]
    expected = sorted(rows, key=operator.itemgetter(0), reverse=reverse)
    assert execute(f, rows).value == expected


def rows_of_several_types(n: int, m: int, p: bool) -> Any:
    rows = [("b", n), ("a", p, "x"), ("c", "x" * n), ("a" * m, [p])]
    found = [
        sorted(rows[:3]),
        sorted({"k": n, "j": "y" * n, "i": p}.items()),
        ["a", p] < ["b", "x"],
    ]
    for first, second in ((0, 3), (1, 3), (2, 0)):
        try:
            found.append(rows[first] < rows[second])
        except TypeError as error:
            found.append(str(error))
    return found


def test_later_elements_are_compared_where_earlier_ones_are_equal() -> None:
    agree(rows_of_several_types, [0, 1, 2], [0, 1, 2], [False, True])
