"""Containers as inputs: exactly those of a small space, each of its own type."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict, deque
from typing import Any

import pytest

from solvent import Options, integers, solve_all
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import Space
from solvent.queries.spaces.containers import (
    DefaultDicts,
    Deques,
    Dicts,
    Field,
    Lists,
    Records,
    Sets,
    Tuples,
    VariableTuples,
)
from solvent.queries.spaces.values import Choices, Exactly
from tests.queries.spaces.enumerated import values

BIT = integers(0, 1)
NESTED = Lists(Lists(BIT, 0, 1), 0, 2)
SHORT: list[list[int]] = [[], [0], [1]]
ROWS = [[], *([a] for a in SHORT), *([a, b] for a in SHORT for b in SHORT)]
ENTRIES: list[dict[int, int]] = [{}, *({k: v} for k in (0, 1) for v in (0, 1))]

EXPECTED: list[tuple[Space, list[Any]]] = [
    (Deques(BIT, 0, 1), [deque(), deque([0]), deque([1])]),
    (Deques(BIT, 1, 1), [deque([0]), deque([1])]),
    (Sets(BIT, 1, True), [frozenset(), frozenset({0}), frozenset({1})]),
    (Tuples(()), [()]),
    (VariableTuples(BIT, 1, 2), [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]),
    (DefaultDicts(BIT, BIT, 1, int), [defaultdict(int, entries) for entries in ENTRIES]),
    (Dicts(Exactly("k"), NESTED, 1), [{}, *({"k": rows} for rows in ROWS)]),
    (
        Records((Field("a", BIT), Field("b", BIT, False))),
        [{"a": a, **rest} for a in (0, 1) for rest in ({}, {"b": 0}, {"b": 1})],
    ),
    (Records(()), [{}]),
    (Lists(Choices((Exactly("x"), BIT)), 2, 2), [[a, b] for a in ("x", 0, 1) for b in ("x", 0, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("space", "expected"), EXPECTED, ids=str)
def test_exactly_the_values_of_a_space(space: Space, expected: list[Any]) -> None:
    found = values(space)
    assert len(found) == len(expected)
    for value in expected:
        assert sum(value == other and type(value) is type(other) for other in found) == 1


def test_the_keys_of_a_record_are_in_order() -> None:
    space = Records((Field("a", BIT, False), Field("b", BIT), Field("c", BIT, False)))
    assert all(list(found) == sorted(found) for found in values(space))


def test_the_factory_of_a_dict_is_kept() -> None:
    found = values(DefaultDicts(BIT, Lists(BIT, 0, 0), 1, list))
    assert {value.default_factory for value in found} == {list}
    assert sorted(map(dict, found), key=str) == [{0: []}, {1: []}, {}]


def test_counters_count_anything() -> None:
    def keep(value: Any) -> None:
        assert all(-1 <= value[key] <= 1 for key in value)
        assert all(key in (0, 1) for key in value)

    keep.__annotations__["value"] = Counter[int]
    found = [one.inputs["value"] for one in solve_all(keep, options=Options(max_len=2))]
    assert all(type(one) is Counter for one in found)
    # A counter is equal to one in which an element has the count 0.
    counts = sorted((one[0], one[1]) for one in found)
    assert counts == sorted(itertools.product((-1, 0, 1), repeat=2))


@pytest.mark.parametrize(
    ("annotation", "one"),
    [
        (list[list[int]], "a list of up to 3 items, each a list of up to 3 items, each any int"),
        (deque[bool], "a deque of up to 3 items, each any bool"),
        (set[int], "a set of up to 3 elements, each any int"),
        (frozenset[int], "a frozenset of up to 3 elements, each any int"),
        (tuple[int, ...], "a tuple of up to 3 items, each any int"),
        (tuple[int], "(any int,)"),
        (dict[int, str], "a dict of up to 3 entries, from any int to a text of up to 3 characters"),
        (Counter[int], "a counter of up to 3 elements, each any int, with any counts"),
        (
            defaultdict[int, int],
            "a defaultdict by `int` of up to 3 entries, from any int to any int",
        ),
    ],
    ids=str,
)
def test_one_value_in_words(annotation: Any, one: str) -> None:
    assert of_annotation(annotation).one() == one
