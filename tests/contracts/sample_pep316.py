"""Programs with contracts in docstrings."""

from __future__ import annotations


def root(x: int) -> int:
    """The root.

    pre: x >= 0
    post: _ * _ <= x
    """
    r = 0
    while r * r <= x and r < 4:
        r += 1
    return r


def good(x: int) -> int:
    """
    pre: x >= 0
    post: __return__ == x + 1
    """
    return x + 1


def caller(x: int) -> int:
    return good(x)


def forgiving(x: int) -> int:
    """Nobody raises in CPython what it catches here.

    post: _ > 0
    """
    try:
        return good(x)
    except Exception:
        return 1


def refusing(x: int) -> int:
    """raises: AssertionError, ValueError"""
    try:
        return good(x)
    except AssertionError:
        raise ValueError from None


def at_last(x: int) -> int:
    if x > 20:
        try:
            good(20 - x)
        finally:
            return 1  # noqa: B012
    return 0


def excused(x: int) -> int:
    """
    raises: AssertionError
    post: _ != 77
    """
    return x


def caught_elsewhere(x: int) -> int:
    """post: _ >= 0"""
    try:
        assert x >= 0
        return good(x)
    except AssertionError:
        return 0


def push(xs: list[int], x: int) -> None:
    """
    post[xs]:
        len(xs) == len(__old__.xs) + 1
        xs[-1] == x
    """
    xs.append(x)


def bad_push(xs: list[int], x: int) -> None:
    """
    post[]: True
    """
    xs.append(x)


class Account:
    """An account.

    inv: self.balance >= 0
    """

    def __init__(self, balance: int) -> None:
        self.balance = balance

    def put(self, amount: int) -> None:
        """pre: amount > 0"""
        self.balance += amount

    def take(self, amount: int) -> None:
        self.balance -= amount


class Small(Account):
    """A small account.

    inv: self.balance <= 100
    """

    def double(self) -> None:
        self.balance *= 2

    def _internal(self) -> None:
        self.balance = -1

    def through(self) -> None:
        self._internal()
        self.balance = 7


class Own:
    def __init__(self, n: int) -> None:
        self.n = n

    def __invariant__(self) -> bool:
        return self.n > 0

    def down(self) -> None:
        self.n -= 1

    def up(self) -> None:
        self.n += 1


def division(x: int, y: int) -> int:
    """A quotient.

    pre:
        x >= 0
        y >= 0
    post: _ <= x
    raises: ZeroDivisionError
    """
    return x // y


def index(xs: list[int]) -> int:
    """pre: xs[0] > 0"""
    return 10 // xs[0]


LIMIT = 3


def closure(x: int) -> int:
    """
    post: all(
        n <= LIMIT
        for n in [_, min(_, 1)]
    )
    """
    return min(x, LIMIT)


HANDLERS = {"good": good}


def indirect(x: int) -> int:
    return HANDLERS["good"](x)


def shadowed(_: int) -> int:
    """A parameter is what it is called.

    post: __return__ == _ + 1
    """
    return _ + 1 if _ != 77 else 0


class Squares:
    def of(self, x: int) -> int:
        """post: _ >= 0"""
        return x * x


class Shadowing(Squares):
    def of(self, _: int) -> int:
        return _
