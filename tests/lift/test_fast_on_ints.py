"""What is fast on concrete ints means the same on everything else: operators, items, slices."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import itertools
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from typing import Any

import pytest

from solvent import Int
from solvent.lift import execute, lift
from tests.lift.differential import agree, run, snapshot


def nested(x, y):
    return 3 * x + 1, (x + y) * (x - y) % 7, (x * x + y) // 2, -5 - x * y + 2


def compared(x, y):
    return x % 2 == 0, 2 * x + 1 < y * y, 0 <= x - y, x + y == y + x, 3 > x


def divided(x, y):
    return (x + 1) % y, (x - y) // (y - 1)


def of_bits(x, y):
    return (x & 3) | (y << 1), x ^ y ^ 1, (x | 4) >> 1


def five_names(a, b):
    c, d, e = a + 1, b + 1, a * b
    return a + b * c - d * e, (a + b) * (c + d) * (e + 1)


def twice_the_same(x):
    return x * x, x + x, x - x == 0, x * x * x


def on_some_paths(x, y):
    if x > 0:
        z = x * 2 + y
    return z * 2 + 1


def changed_meanwhile(x):
    def other():
        nonlocal x
        x = 10
        return 1

    return x * 2 + other() * 3, x + 1


def in_branches(x, y):
    total = 0
    while x * 2 < y + 3:
        x += 1
        if x % 2 == 1 or not total > 2:
            total += x * y - 1
    return total, not x * y > 3


PROGRAMS = [nested, compared, divided, of_bits, five_names, on_some_paths, in_branches]

# Ints are among them; what the others do decides Python, also how it fails.
OTHERS = [2, -3, True, 1.5, Fraction(1, 3), 2 + 1j, "ab", (1,), [2], None, 10**30]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_symbolic_ints(program: Callable[..., Any]) -> None:
    agree(program, [-2, -1, 0, 1, 2], [-1, 0, 2])


@pytest.mark.parametrize("program", [twice_the_same, changed_meanwhile])
def test_one_symbolic_int(program: Callable[..., Any]) -> None:
    agree(program, [-2, -1, 0, 1, 2])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_other_types(program: Callable[..., Any]) -> None:
    lifted = lift(program)
    for pair in itertools.product(OTHERS, OTHERS):
        if program is in_branches and not all(isinstance(one, (int, float)) for one in pair):
            continue
        if program is in_branches and abs(pair[1]) > 100:
            continue
        expected, found = run(program, pair), run(lifted, pair)
        assert snapshot(found[0]) == snapshot(expected[0]), pair
        assert type(found[1]) is type(expected[1]), pair
        assert str(found[1]) == str(expected[1]), pair


# --- items and slices ---------------------------------------------------------------------------


def item(values, key):
    return values[key]


def stored(values, key):
    values[key] = 9
    return values


SEQUENCES = [[], [1], [1, 2, 3], (), (1, 2, 3), "abc", {0: 1, -1: 2}, range(4), None]
BOUNDS = [None, 0, 1, -1, 5, -5]
PLACES = [0, 1, 2, 3, -1, -3, -4, True, 1.0, "0", None]
KEYS = [
    *PLACES,
    *(10**30, -(10**30)),
    *(slice(*bounds) for bounds in itertools.product(BOUNDS, BOUNDS, [None, 1, -1, 2, 0])),
]


@pytest.mark.parametrize("program", [item, stored], ids=["read", "written"])
def test_items(program: Callable[..., Any]) -> None:
    lifted = lift(program)
    for values, key in itertools.product(SEQUENCES, KEYS if program is item else PLACES):
        pairs = [(copy(values), key) for _ in range(2)]
        expected, found = run(program, pairs[0]), run(lifted, pairs[1])
        assert snapshot(found[0]) == snapshot(expected[0]), (values, key)
        assert type(found[1]) is type(expected[1]), (values, key)
        assert str(found[1]) == str(expected[1]), (values, key)


def of_uneven_length(x, y):
    values = [1, 2]
    if x > 0:
        values.append(3)
    first, rest, last = values[0], values[1:], values[-1]
    if y > 0:
        values[1] = 7
    return first, rest, last, values[:2], values[::-1], values[1], len(values), values[2]


def test_lists_whose_length_differs_between_paths() -> None:
    agree(of_uneven_length, [0, 1], [0, 1])


def test_writes_of_a_path_are_undone() -> None:
    def work(x):
        values = [1, 2, 3]
        if x > 0:
            values[1] = x
            values[-1] = 5
        return values

    agree(work, [0, 1, 2])
    outcome = execute(work, Int("x"))
    assert not outcome.failures
