"""Functions whose contracts are easily overlooked; those with `bad` violate them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NewType, TypedDict, TypeVar

import annotated_types as at
import deal
import icontract

if TYPE_CHECKING:
    from nowhere import Missing  # type: ignore[import-not-found]

Positive = Annotated[int, at.Gt(0)]


def wrapping(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    return inner


def covering(function: Any) -> Any:
    def inner(x: int) -> int:
        return function(x)  # type: ignore[no-any-return]

    return inner


def shifting(function: Any) -> Any:
    @functools.wraps(function)
    def inner(x: int) -> Any:
        return function(x - 1)

    return inner


@wrapping
def good_wrapped(x: int) -> int:
    """
    pre: x > 0
    post: _ > 0
    """
    return x


@wrapping
def bad_wrapped(x: int) -> int:
    """
    pre: x > 0
    post: _ > 1
    """
    return x


@covering
def covered(x: int) -> int:
    """post: _ > 0"""
    return x


def bad_calls_covered(x: int) -> int:
    return covered(x)  # type: ignore[no-any-return]


@shifting
def bad_shifted(x: int) -> int:
    """pre: x > 0"""
    return x


@wrapping
@icontract.ensure(lambda result: result > 0)
def bad_wrapped_icontract(x: int) -> int:
    return x


@wrapping
@deal.post(lambda result: result > 0)
def bad_wrapped_deal(x: int) -> int:
    return x


def bad_after_empty_line(x: int) -> int:
    """
    post:
        _ > 0

        _ > 1
    """
    return 1


class Above:
    def f(self, x: int) -> int:
        """
        pre: x > 10
        post: _ > x
        """
        return x + 1


class Below(Above):
    def f(self, x: int) -> int:
        """pre: x < 0"""
        return x if x == 20 else x + 1


class Right(Above):
    def f(self, x: int) -> int:
        """pre: x < 0"""
        return x + 1


def bad_calls_below(x: int) -> int:
    return Below().f(x)


def many(*xs: Positive) -> int:
    return len(xs)


def bad_star(x: int) -> int:
    return many(1, x)


def named(**xs: Positive) -> int:
    return len(xs)


def bad_double_star(x: int) -> int:
    return named(a=x)


def bad_beside_unknown_name(x: int, other: Missing = None) -> Positive:
    return x


@dataclass
class Point:
    x: Positive


class Pair(NamedTuple):
    x: Positive
    y: int


class Table(TypedDict):
    x: Positive


Count = NewType("Count", Positive)
Some = TypeVar("Some", bound=Positive)


def bad_dataclass(x: int) -> Point:
    return Point(x)


def good_dataclass(point: Point) -> Positive:
    return point.x


def bad_list_of_dataclasses(x: int) -> list[Point]:
    return [Point(x)]


def bad_named_tuple(x: int) -> Pair:
    return Pair(x, 0)


def bad_typed_dict(x: int) -> Table:
    return {"x": x}


def bad_new_type(x: int) -> Count:
    return x  # type: ignore[return-value]


def bad_bound(x: Some) -> Some:
    return x - 5  # type: ignore[return-value]


def bad_optional(x: int) -> Positive | None:
    return x


def good_optional(x: Positive | None) -> Positive:
    return 1 if x is None else x


def bad_sequence(x: int) -> Sequence[Positive]:
    return [x]


def refused_callable(f: Callable[[Positive], int]) -> int:
    return f(0)


def refused_alias(text: str) -> Annotated[str, at.LowerCase]:
    return text


@dataclass
class Chain:
    x: Positive
    rest: Chain | None


def refused_recursive(x: int) -> Chain:
    return Chain(x, None)


class DealAbove:
    @deal.post(lambda result: result > 0)
    def f(self, x: int) -> int:
        return 1


class DealBelow(DealAbove):
    @deal.inherit
    def f(self, x: int) -> int:
        return x
