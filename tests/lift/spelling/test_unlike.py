"""Operators between symbolic texts, bytes and numbers, which have little in common."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

from tests.lift.spelling.agreement import texts_agree


def contained(a: Any, b: Any) -> Any:
    return a in b


def indexed(a: Any, b: Any) -> Any:
    return [1, 2][a], b


def counted(a: Any, b: Any) -> Any:
    return [a].count(b), (a,) == (b,), {a: 1}.get(b, 0), b in {a, "x"}, [a, "b"] != [b, "b"]


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b, "add": lambda a, b: a + b, "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "shift": lambda a, b: a << b, "item": operator.getitem,
    "in": contained, "counted": counted, "sorted": lambda a, b: sorted([a, b]),
    "max": lambda a, b: max(a, b), "list item": indexed,
}  # fmt: skip
NUMBERS = {"int": [0, 1], "bool": [False, True]}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("name", OPERATORS)
def test_a_text_and_a_number(name: str, kind: str) -> None:
    function, numbers = OPERATORS[name], NUMBERS[kind]
    for alphabet in ("ab", b"ab"):
        texts_agree(function, numbers, alphabet=alphabet, longest=1)
        texts_agree(lambda a, b: function(b, a), numbers, alphabet=alphabet, longest=1)


@pytest.mark.parametrize("name", OPERATORS)
def test_a_text_and_bytes(name: str) -> None:
    function = OPERATORS[name]

    def both(text: Any) -> Any:
        return function(text, text.encode())

    texts_agree(both, alphabet="ab", longest=1)
    texts_agree(lambda text: function(text.encode(), text), alphabet="ab", longest=1)


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "add", "in", "sub", "counted"])
def test_a_text_and_a_float(name: str) -> None:
    function = OPERATORS[name]
    texts_agree(lambda text, n: function(text, n / 2), [0, 1], alphabet="ab", longest=1)
    texts_agree(lambda text, n: function(n / 2, text), [0, 1], alphabet="ab", longest=1)
