"""Programs with contracts of deal."""

from __future__ import annotations

from collections.abc import Iterator

import deal


@deal.pre(lambda x: x > 0)
@deal.post(lambda r: r > 0)
@deal.ensure(lambda x, result: result > x)
def inc(x: int) -> int:
    return x + 1 if x != 77 else x


@deal.pre(lambda _: _.x > 0, message="positive")
@deal.ensure(lambda _: _.result != _.x + 41)
def short(x: int) -> int:
    return x + 41


@deal.raises(ZeroDivisionError)
def div(a: int, b: int) -> int:
    return a // b


@deal.safe
def unsafe(a: int, b: int) -> int:
    return a // b


def caller(a: int) -> int:
    return unsafe(a, a)


@deal.reason(ValueError, lambda x: x == 0)
@deal.raises(ValueError)
def why(x: int) -> int:
    if x < 3:
        raise ValueError
    return x


@deal.pure
def pure(x: int) -> int:
    return x


@deal.post(lambda r: r > 0)
def gen(x: int) -> Iterator[int]:
    yield 1
    yield x


@deal.safe
def asserts(x: int) -> None:
    assert x != 5


@deal.pre(lambda x: "too small" if x < 0 else True)
def told(x: int) -> int:
    return 1 // (x + 1)


def calls_told(x: int) -> int:
    return told(x)


@deal.post(lambda r: r > 0, exception=ValueError)
def custom(x: int) -> int:
    """Whatever it is given.

    Raises:
        ValueError: at times.
    """
    return x


def positive(x: int) -> bool:
    return x > 0


@deal.pre(positive)
def named(x: int) -> int:
    return 10 // x


@deal.inv(lambda post: post.likes >= 0)
class Post:
    likes = 0

    def like(self) -> None:
        self.likes += 1

    def dislike(self) -> None:
        self.likes -= 1


def use(n: int) -> None:
    post = Post()
    post.likes = n
