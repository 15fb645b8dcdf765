"""Programs with contracts in annotations."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as field_of
from typing import Annotated

import annotated_types as at

Positive = Annotated[int, at.Gt(0)]


def inverse(x: Positive) -> float:
    return 1 / x


def calls_inverse(x: int) -> float:
    return inverse(x)


def grow(x: Positive) -> Annotated[int, at.Interval(ge=2, lt=8)]:
    return x + 1


def last(xs: Annotated[list[Positive], at.Len(1, 5)]) -> float:
    return 1 / xs[-1]


def calls_last(xs: list[int]) -> float:
    return last(xs)


def even(x: Annotated[int, at.MultipleOf(2)]) -> None:
    assert x % 2 == 0


def sixth(xs: Annotated[list[int], at.MinLen(6)]) -> int:
    return xs[5]


def is_odd(x: int) -> bool:
    return x % 2 == 1


def odd(
    x: Annotated[int, at.Predicate(is_odd)], y: Annotated[int, at.Predicate(at.Not(is_odd))]
) -> None:
    assert (x + y) % 2 == 1


def pairs(rows: dict[Positive, Annotated[int, at.Le(3)]]) -> None:
    assert all(key > 0 and value <= 3 for key, value in rows.items())


def noted(x: Annotated[int, "a note", at.Ge(5)]) -> None:
    assert x > 4


@dataclass
class Point:
    x: Annotated[int, at.Ge(3)]


def field(point: Point) -> None:
    assert point.x > 2


def zone(x: Annotated[int, at.Timezone(None)]) -> None:
    pass


@dataclass
class Basket:
    limit: int
    items: Annotated[list[int], at.Len(1, 2)] = field_of(default_factory=list)


def given(n: int) -> int:
    return len(Basket(n, [n]).items)


def made(n: int) -> int:
    return Basket(n).limit if n == 7 else 0
