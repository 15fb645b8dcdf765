"""The module `functools` against CPython."""

from __future__ import annotations

import functools
from typing import Any

from tests.lift.differential import agree

SMALL = [-1, 0, 1, 2]


def ragged(n: Any) -> list[Any]:
    result = []
    if n > 0:
        result.append(n)
    if n > 1:
        result.append(10)
    return result


@functools.cache
def doubled(n: int) -> int:
    if n > 0:
        return 2 * n
    return 0


@functools.cache
def steps(n: int) -> int:
    return 0 if n <= 0 else 1 + steps(n - 1)


@functools.total_ordering
class Version:
    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.number == other.number

    def __lt__(self, other: Version) -> bool:
        return self.number < other.number

    __hash__ = None  # type: ignore[assignment]


def test_reduce() -> None:
    def f(n: int) -> Any:
        return functools.reduce(lambda a, b: a * 2 + b, ragged(n), 1), functools.reduce(max, [n, 1])

    def empty(n: int) -> Any:
        return functools.reduce(lambda a, b: a - b, ragged(n))

    agree(f, SMALL)
    agree(empty, SMALL)


def test_partial() -> None:
    def f(n: int) -> Any:
        def linear(a: int, b: int, c: int = 0) -> int:
            return a * 100 + b * 10 + c if a > 0 else -b

        g = functools.partial(linear, n, c=3)
        return g(1), functools.partial(g, 2)(), g(5, c=n), list(map(g, [1, 2]))

    agree(f, SMALL)


def test_caches_are_transparent() -> None:
    def f(n: int) -> Any:
        return doubled(n), doubled(n + 1), steps(n)

    agree(f, SMALL)


def test_cache_inside() -> None:
    def f(n: int) -> Any:
        @functools.lru_cache
        def inner(k: int) -> int:
            return k + 1 if k > 0 else n

        return inner(n), inner(3)

    agree(f, SMALL)


def test_total_ordering() -> None:
    def f(n: int, m: int) -> Any:
        a, b = Version(n), Version(m)
        return a < b, a <= b, a > b, a >= b, a == b, a != b

    agree(f, SMALL, SMALL)


def test_cmp_to_key() -> None:
    def f(n: int, m: int) -> Any:
        key = functools.cmp_to_key(lambda a, b: b - a)
        return key(n) < key(m), key(n) == key(m), min([n, m, 1], key=key), sorted([n, m], key=key)

    agree(f, SMALL, SMALL)


def test_wraps() -> None:
    def f(n: int) -> Any:
        def logged(function: Any) -> Any:
            @functools.wraps(function)
            def wrapper(*args: Any) -> Any:
                return function(*args) + 1

            return wrapper

        @logged
        def square(x: int) -> int:
            return x * x

        return square(n), square.__name__

    agree(f, SMALL)
