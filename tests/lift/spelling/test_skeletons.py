"""Texts with known characters at changing places are read one arrangement at a time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from solvent import verify
from solvent.lift.spelling import skeletons
from solvent.lift.spelling.skeletons import for_each_skeleton
from solvent.terms import Bool, Int, ite
from solvent.terms.texts import text
from tests.lift.differential import agree


@pytest.fixture
def arrangements(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The texts that readers get."""
    seen: list[Any] = []
    original = skeletons._plainer

    def noted(found: Any) -> Any:
        seen.append(found)
        return original(found)

    monkeypatch.setattr(skeletons, "_plainer", noted)
    return seen


def round_trip(numbers: list[int]) -> None:
    if all(-100 < number < 100 for number in numbers):
        assert json.loads(json.dumps(numbers)) == numbers


def two_numbers(a: int, b: int) -> None:
    if -100 < a < 100 and -100 < b < 100:
        assert json.loads(json.dumps([a, b])) == [a, b]


def wrong_for_one(a: int, b: int) -> None:
    if -100 < a < 100 and -100 < b < 100:
        assert json.loads(json.dumps([a, b])) != [-7, 42]


def test_two_numbers_have_four_texts_each(arrangements: list[Any]) -> None:
    assert verify(two_numbers).holds
    assert len(arrangements) == 16


def test_lists_of_numbers(arrangements: list[Any]) -> None:
    found = verify(round_trip, max_len=2)
    assert found.holds
    # No item, one with four texts, or two.
    assert len(arrangements) == 1 + 4 + 16
    assert found.stats.run.terms < 5_000


def test_an_input_is_found() -> None:
    found = verify(wrong_for_one)
    assert found.holds is False
    assert "wrong_for_one(a=-7, b=42)" in str(found)


def test_no_more_than_so_many(monkeypatch: pytest.MonkeyPatch, arrangements: list[Any]) -> None:
    monkeypatch.setattr(skeletons, "_MOST", 4)
    codes = [ite(Bool(f"p{place}"), 45, Int("c")) for place in range(8)]
    for_each_skeleton(text(codes), len)
    assert len(arrangements) == 4


def read(a: int, b: int, between: int) -> Any:
    try:
        return json.loads(f"[{a}{chr(between)}{b}]")
    except json.JSONDecodeError as error:
        return error.msg, error.pos


def test_agrees_with_the_scanner() -> None:
    agree(read, range(-1, 11, 11), [0, 12], [44, 46, 48, 93])
