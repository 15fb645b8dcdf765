"""The module `functools` against CPython."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError
from solvent.lift import execute
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


@functools.cache
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_results_for_known_arguments_are_remembered() -> None:
    assert execute(lambda p: fibonacci(60) if p else 0, Bool("p")).value is not None
    agree(lambda p: fibonacci(40 if p else 3) + fibonacci(41), [False, True])


def test_a_cached_function_runs_once_on_each_path() -> None:
    def f(p: bool, q: bool) -> Any:
        calls = []

        @functools.cache
        def make(n: int, extra: int = 0) -> list[int]:
            calls.append(n)
            return [n, extra]

        if p:
            make(1).append(5)
        first = make(1)
        if q:
            make.cache_clear()
        second = make(1)
        second.append(7)
        return first, second, make(1) is second, make(2, extra=3), make(n=2), calls

    agree(f, [False, True], [False, True])


@pytest.mark.parametrize("most", [0, 1, 2, 128, None])
def test_symbolic_arguments_are_found_and_the_oldest_results_forgotten(most: int | None) -> None:
    def f(a: int, b: int, c: int, d: int) -> Any:
        calls = []

        @functools.lru_cache(maxsize=most)
        def make(n: int) -> list[int]:
            calls.append(n)
            return [n]

        for place, n in enumerate((a, b, c, a)):
            make(n).append(place)
        return calls, make(d), make(b)

    agree(f, [0, 1, 2], [0, 1, 2], [0, 1], [0, 2])


def test_arguments_of_a_cached_function_are_equal_as_in_python() -> None:
    def f(a: int, b: int, p: bool) -> Any:
        @functools.lru_cache
        def shown(*args: Any) -> str:
            return str(args)

        @functools.lru_cache(typed=True)
        def shown_by_type(*args: Any, **named: Any) -> str:
            return str(args)

        found = []
        for x in (a, b, a / 1, p, "x" * a, (a, b), (b, a), 1, 1.0, True):
            found += [shown(x), shown(x, 3), shown_by_type(x), shown_by_type(3, k=x)]
        return found

    agree(f, [0, 1, 2], [1, 3], [False, True])


@dataclass(frozen=True)
class Key:
    a: int


class OwnKey:
    def __init__(self, a: int) -> None:
        self.a = a

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnKey) and self.a == other.a

    def __hash__(self) -> int:
        return hash(self.a)


def test_objects_as_arguments_of_a_cached_function() -> None:
    def f(a: int, b: int) -> Any:
        @functools.cache
        def make(key: Key | OwnKey) -> list[int]:
            return [key.a]

        for place, key in enumerate((Key(a), OwnKey(a), OwnKey(b), Key(b))):
            make(key).append(place)
        return make(Key(0)), make(OwnKey(1))

    agree(f, SMALL, SMALL)


class Counted:
    def __init__(self, x: Any) -> None:
        self.x = x
        self.calls = 0

    @functools.cache  # noqa: B019
    def plus(self, k: int) -> Any:
        self.calls += 1
        return self.x + k


def test_methods_with_a_cache() -> None:
    def f(p: bool, x: int) -> Any:
        first, second = Counted(x), Counted(x + 1)
        if p:
            first.plus(1)
        return first.plus(1), second.plus(1), first.plus(1), first.calls, second.calls

    agree(f, [False, True], SMALL)


def test_arguments_of_a_cached_function_are_hashed() -> None:
    def f(p: bool, n: int) -> Any:
        return doubled([n] if p else n)  # type: ignore[arg-type]

    agree(f, [False, True], SMALL)


def test_cache_info_is_refused() -> None:
    with pytest.raises(NotLiftedError, match="cache_info"):
        execute(lambda n: (doubled(n), doubled.cache_info()), Int("n"))


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


class Parcel:
    """What is computed once, on each path by itself."""

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.counted = 0

    @functools.cached_property
    def postage(self) -> int:
        self.counted += 1
        if self.weight > 1:
            return self.weight * 2
        raise ValueError(self.weight)


@dataclass(frozen=True)
class Sealed:
    weight: int

    @functools.cached_property
    def doubled(self) -> int:
        return self.weight * 2


def test_cached_properties() -> None:
    def kept(p: bool, x: int) -> Any:
        parcel = Parcel(x)
        try:
            if p:
                parcel.weight = 2
                parcel.postage
            parcel.weight += 5
            return parcel.postage, parcel.postage, parcel.counted
        except ValueError:
            return parcel.counted

    def deleted(p: bool, x: int) -> Any:
        parcel = Parcel(x + 5)
        before = parcel.postage if p else 0
        parcel.weight = x + 9
        found = "postage" in vars(parcel), getattr(parcel, "postage", 0)
        del parcel.postage
        return before, found, parcel.postage, parcel.counted

    def frozen(p: bool, x: int) -> Any:
        first, second = Sealed(x), Sealed(2)
        return (first if p else second).doubled, second.doubled

    for function in (kept, deleted, frozen):
        agree(function, [False, True], SMALL)


def test_a_property_that_is_cached() -> None:
    class Box:
        def __init__(self, size: int) -> None:
            self.size = size

        @property
        @functools.lru_cache  # noqa: B019
        def is_large(self) -> bool:
            return self.size > 1

    def f(x: int) -> Any:
        return Box(x).is_large

    agree(f, SMALL)


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
