"""What `match` statements ask about values, against CPython."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2, 3]


@dataclass
class Point:
    x: int
    y: int


def test_sequences() -> None:
    def f(n: int, p: bool) -> Any:
        value: Any = [1, n] if p else "ab"
        match value:
            case [a, 2]:
                return "two", a
            case [a, b]:
                return "pair", a, b
            case _:
                return "other"

    def kinds(n: int) -> Any:
        result = []
        for value in ([n], (n,), deque([n]), range(n), "a", b"a", {1}, {1: 2}, n):
            match value:
                case [x]:
                    result.append(x)
                case [*rest]:
                    result.append(len(rest))
                case _:
                    result.append(None)
        return result

    agree(f, SMALL, BITS)
    agree(kinds, SMALL)


def test_ragged_sequences() -> None:
    def f(n: int) -> Any:
        items = [0]
        if n > 1:
            items.append(n)
        match items:
            case [first, *rest] if len(rest) > 0:
                return first, rest
            case [only]:
                return only
        return None

    agree(f, SMALL)


def test_mappings() -> None:
    def f(n: int, p: bool) -> Any:
        value: dict[str, Any] = {"kind": n, "size": 3}
        if p:
            value["extra"] = n
        match value:
            case {"kind": 1, **rest}:
                return rest
            case {"extra": x}:
                return x
            case {"kind": k}:
                return "kind", k

    agree(f, SMALL, BITS)


def test_classes() -> None:
    def f(n: int, p: bool) -> Any:
        value: Any = Point(n, 1) if p else n
        match value:
            case Point(0, y):
                return "origin", y
            case Point(x, y=1):
                return "line", x
            case int(k):
                return "int", k
        return None

    def builtin(n: int, p: bool) -> Any:
        match str(n) if p else (n > 1):
            case str(s):
                return "str", s
            case bool(b):
                return "bool", b
        return None

    agree(f, SMALL, BITS)
    agree(builtin, SMALL, BITS)


def test_too_many_positional_patterns() -> None:
    def f(p: bool) -> Any:
        match Point(1, 2) if p else 3:
            case Point(_, _, z):
                return z
        return None

    agree(f, BITS)
