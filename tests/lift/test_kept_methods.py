"""Methods of builtin values that are kept in a variable before they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree


@pytest.mark.parametrize("longest", [1, 3])
def test_of_texts(longest: int) -> None:
    def keep(text: str) -> Any:
        find, upper = text.find, text.upper
        return find("a"), upper(), list(map(text.count, ["a", "1"])), sorted("1a", key=text.rfind)

    texts_agree(keep, alphabet="a1", longest=longest)


def test_of_one_length() -> None:
    def keep(code: int) -> Any:
        text, data = chr(code), bytes([code])
        starts, is_lower = text.startswith, data.islower
        return starts(("a", "b")), is_lower(), code.bit_length

    def called(code: int) -> Any:
        *found, length = keep(code)
        return found, length()

    agree(called, range(96, 100))


def test_of_different_owners() -> None:
    def keep(a: int, b: int) -> Any:
        # Where paths meet, this is one method of two iterators.
        step = iter([a, b, 3]).__next__ if a > b else iter((b, a)).__next__
        first = step()
        if b > 1:
            first = step()
        return first, step() if b <= 1 else None

    agree(keep, range(3), range(3))


def test_of_lists() -> None:
    def keep(a: int, b: int) -> Any:
        small, large = [a], [b, b]
        add: Callable[[int], None] = small.append if a > b else large.append
        add(5)
        return small, large

    agree(keep, range(3), range(3))
