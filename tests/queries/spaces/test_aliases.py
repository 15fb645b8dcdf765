"""Inputs that are the same object: only where that is asked for, and then each way to share.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Options, lists, solve_all, texts, verify
from tests.queries.spaces.enumerated import fails, holds


class Account:
    """A mutable object."""

    def __init__(self, balance: int) -> None:
        self.balance = balance


def rows(xs: list[list[int]]) -> None:
    if len(xs) > 1:
        before = len(xs[1])
        xs[0].append(1)
        assert len(xs[1]) == before


def two_lists(xs: list[int], ys: list[int]) -> None:
    before = len(ys)
    xs.append(0)
    assert len(ys) == before


def inner_and_outer(xs: list[list[int]], ys: list[int]) -> None:
    sizes = [len(x) for x in xs]
    ys.append(1)
    assert [len(x) for x in xs] == sizes


def transfer(source: Account, target: Account, amount: int) -> None:
    total = source.balance + target.balance
    source.balance = source.balance - amount
    target.balance = total - source.balance
    assert source.balance + target.balance == total


def dicts(xs: dict[str, int], ys: dict[str, int]) -> None:
    before = len(ys)
    xs["new"] = 1
    assert len(ys) == before


def sets(xs: dict[int, set[int]]) -> None:
    for key in xs:
        xs[key].add(key)
    assert all(len(found) <= 4 for found in xs.values())


def buffers(xs: bytearray, ys: bytearray) -> None:
    xs.append(1)
    assert len(ys) < 4


def queues(xs: deque[int], ys: deque[int]) -> None:
    xs.append(1)
    assert len(ys) < 4


def by_keyword(xs: list[int], *, ys: list[int]) -> None:
    assert xs is not ys


FUNCTIONS = [
    rows, two_lists, inner_and_outer, transfer, dicts, sets, buffers, queues, by_keyword,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_same_object_is_tried_where_it_is_asked_for(function: Callable[..., Any]) -> None:
    apart = holds(function)
    assert apart.derived["the same object twice"] == "not tried"
    shared = fails(function, options=Options(alias=True))
    assert shared.derived["the same object twice"] == "tried"
    assert "shared := " in shared.call


def immutable(xs: tuple[int, ...], ys: tuple[int, ...], x: int, y: int) -> None:
    assert xs != ys


def other_types(xs: list[int], ys: list[str]) -> None:
    assert xs is not ys


def test_only_what_can_be_shared_is_told() -> None:
    assert "the same object twice" not in verify(immutable).derived
    assert "the same object twice" not in holds(other_types, options=Options(alias=True)).derived


def with_name_of_account(x: int) -> type:
    """Another class of the same name and with the same fields."""

    class Account:
        def __init__(self, balance: int) -> None:
            self.balance = balance

    return Account


def test_classes_of_one_name_are_told_apart() -> None:
    def differ(a: Any, b: Any) -> None:
        assert type(a[0]) is Account
        assert type(b[0]) is not Account

    other = with_name_of_account(1)
    differ.__annotations__ = {"a": tuple[Account], "b": tuple[other]}  # type: ignore[valid-type]
    holds(differ, options=Options(alias=True))


def test_alphabets_are_told_apart() -> None:
    def differ(a: Any, b: Any) -> None:
        assert not a or a[0] == "a"
        assert not b or b[0] == "b"

    first, second = texts(max_len=1, alphabet="a"), texts(max_len=1, alphabet="b")
    given = (lists(first, max_len=1), lists(second, max_len=1))
    found = verify(differ, *given, Options(alias=True))
    assert not found.holds
    assert found.inputs["a"] is not found.inputs["b"]


def test_each_way_to_share_is_found() -> None:
    def keep(a: list[bool], b: list[bool], c: list[bool]) -> None:
        assert not a and not b and not c  # noqa: PT018

    found = solve_all(keep, options=Options(alias=True, max_len=0, limit=None))
    assert len(found) >= 1

    def apart(a: list[bool], b: list[bool], c: list[bool]) -> int:
        pattern = (a is b, a is c, b is c)
        assert pattern != WANTED[0]
        return 0

    patterns = {
        (False, False, False), (True, False, False), (False, True, False), (False, False, True),
        (True, True, True),
    }  # fmt: skip
    for first in (False, True):
        for second in (False, True):
            for third in (False, True):
                WANTED[0] = (first, second, third)
                result = verify(apart, options=Options(alias=True, max_len=1))
                assert result.holds == (WANTED[0] not in patterns)
                assert result.holds or result.confirmed


WANTED = [(False, False, False)]
