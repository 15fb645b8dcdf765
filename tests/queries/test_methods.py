"""Methods are asked about on objects that the class makes, within its invariant."""

from __future__ import annotations

import functools
from typing import Self

import pytest

from solvent import verify
from solvent.errors import InputSpaceError


class Account:
    def __init__(self, balance: int) -> None:
        if balance > 100:
            raise ValueError
        self.balance = balance

    def __invariant__(self) -> bool:
        return 10 // self.balance >= 0

    def positive(self) -> None:
        assert 0 < self.balance <= 100

    def join(self, other: Self) -> None:
        assert self.balance + other.balance != 12

    @property
    def left(self) -> int:
        return 1 // (self.balance - 4)

    @left.setter
    def left(self, value: int) -> None:
        assert value != 7

    @functools.cached_property
    def once(self) -> int:
        return 1 // (self.balance - 5)

    @functools.lru_cache  # noqa: B019
    def cached(self, x: int) -> int:
        return 1 // x


class Limited:
    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def __invariant__(self) -> bool:
        return self.n == 3

    def get(self) -> None:
        assert self.n == 3


class Wrong:
    __invariant__ = 3

    def get(self) -> None:
        pass


def takes(account: Account) -> None:
    assert account.balance > 0


def test_the_invariant_is_assumed() -> None:
    result = verify(Account.positive)
    assert result.holds
    assert result.derived["self"] == "Account(balance: any int), where its invariant holds"
    assert verify(Limited.get).holds
    assert verify(takes).holds
    with pytest.raises(InputSpaceError, match="must be a method or a property"):
        verify(Wrong.get)


def test_what_takes_an_object() -> None:
    members = vars(Account)
    for function, call in (
        (members["left"].fget, "Account.left.fget(self=Account(balance=4))"),
        (members["once"].func, "Account.once.func(self=Account(balance=5))"),
    ):
        # Asked twice: the class is lifted meanwhile.
        for _ in range(2):
            result = verify(function)
            assert (result.call, result.confirmed) == (call, True)
    result = verify(members["left"].fset)
    assert result.call.startswith("Account.left.fset(self=Account(balance=")
    assert result.inputs["value"] == 7
    assert verify(Account.cached).inputs["x"] == 0
    joined = verify(Account.join)
    assert joined.confirmed
    assert joined.inputs["self"].balance + joined.inputs["other"].balance == 12


def test_a_class_that_cannot_be_found_is_no_owner() -> None:
    class Local:
        def get(self) -> None:
            pass

    with pytest.raises(InputSpaceError, match="the parameter `self` has no value"):
        verify(Local.get)
