"""Everyday functions on JSON, dicts and classes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from benchmarks.everyday.claims import all_lists, all_texts, fails, holds


@dataclass(frozen=True)
class Point:
    x: int
    y: int


@dataclass
class Account:
    balance: int

    def withdraw(self, amount: int) -> None:
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount


@holds(numbers=all_lists([0, -5, 12], 2))
def json_of_numbers(numbers: list[int]) -> None:
    if all(-100 < number < 100 for number in numbers):
        assert json.loads(json.dumps(numbers)) == numbers


@fails(text=all_texts('a"\\', 2))
def json_is_quotes_around(text: str) -> None:
    assert json.dumps(text) == '"' + text + '"'


@holds(first=[{}, {"a": 1}, {"a": 2, "b": 3}], second=[{}, {"a": 5}, {"c": 1}])
def merged_settings(first: dict[str, int], second: dict[str, int]) -> None:
    merged = {**first, **second}
    assert all(merged[key] == value for key, value in second.items())
    assert len(merged) <= len(first) + len(second)


@holds(x=range(-2, 3), y=range(-2, 3))
def replaced(x: int, y: int) -> None:
    assert replace(Point(x, y), x=x + 1) == Point(x + 1, y)


@holds(a=range(-2, 3), b=range(-2, 3))
def points_as_keys(a: int, b: int) -> None:
    seen = {Point(a, 0): 1, Point(b, 0): 2}
    assert len(seen) == (1 if a == b else 2)
    assert seen[Point(b, 0)] == 2


@fails(settings=[{}, {"size": 1}])
def a_key_that_may_be_missing(settings: dict[str, int]) -> None:
    assert settings["size"] >= 0


@holds(ages=all_lists(range(3), 3))
def counted_by_group(ages: list[int]) -> None:
    groups = {key: len(list(found)) for key, found in groupby(sorted(ages))}
    assert sum(groups.values()) == len(ages)
    assert len(groups) == len(set(ages))


@fails(balance=range(4), amount=range(-2, 3))
def withdrawing_lowers_the_balance(balance: int, amount: int) -> None:
    account = Account(balance)
    if amount <= balance:
        account.withdraw(amount)
        assert account.balance <= balance


@holds(names=all_lists(["", "a", "B"], 3))
def sorted_without_case(names: list[str]) -> None:
    ordered = sorted(names, key=str.lower)
    assert len(ordered) == len(names)
    assert all(a.lower() <= b.lower() for a, b in pairwise(ordered))
