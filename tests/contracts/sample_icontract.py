"""Programs with contracts of icontract."""

from __future__ import annotations

import icontract


@icontract.require(lambda x: x > 0)
@icontract.ensure(lambda x, result: result > x, "grows")
def inc(x: int) -> int:
    return x + 1 if x != 77 else x


@icontract.snapshot(lambda xs: xs[:], name="xs")
@icontract.ensure(lambda OLD, xs, x: xs == [*OLD.xs, x])
def push(xs: list[int], x: int) -> None:
    xs.append(x)


@icontract.require(lambda x: x > 0, error=ValueError)
def inner(x: int) -> int:
    return 10 // x


def outer(x: int) -> int:
    return inner(x)


@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda result: result >= 1)
def fact(n: int) -> int:
    return 1 if n == 0 else n * fact(n - 1) if n < 4 else 24


@icontract.ensure(lambda result: result > 0, error=ValueError)
def custom(x: int) -> int:
    """Whatever it is given.

    Raises:
        ValueError: at times.
    """
    return x


@icontract.invariant(lambda self: self.balance >= 0)
class Account(icontract.DBC):
    def __init__(self, balance: int) -> None:
        self.balance = balance

    @icontract.require(lambda amount: amount > 0)
    def put(self, amount: int) -> None:
        self.balance += amount

    def take(self, amount: int) -> None:
        self.balance -= amount


class Base(icontract.DBC):
    @icontract.require(lambda x: x > 10)
    @icontract.ensure(lambda result: result > 0)
    def f(self, x: int) -> int:
        return x


class Derived(Base):
    @icontract.require(lambda x: x < -10)
    @icontract.ensure(lambda result: result % 2 == 0)
    def f(self, x: int) -> int:
        return abs(2 * x) if x != 20 else 21


@icontract.require(lambda xs: len(xs) > 0)
@icontract.snapshot(lambda xs, x: len(xs) + x, name="sum")
@icontract.ensure(lambda OLD, result: result == OLD.sum)
def several(xs: list[int], x: int) -> int:
    return len(xs) + x


@icontract.require(lambda x: 10 // x > 2)
def raising(x: int) -> int:
    return 100 // x


@icontract.require(lambda x: x > 3, error=lambda x: KeyError(x))
def made(x: int) -> int:
    return x


def calls_made(x: int) -> int:
    return made(x)


@icontract.require(lambda n: n >= 0)
def recursive(n: int) -> int:
    # While a function runs, icontract does not check its contracts again.
    return 0 if n < -2 else recursive(n - 1) if n < 3 else 3
