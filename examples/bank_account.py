"""A bank account: a transfer from an account to itself makes money.

Found: with `alias=True` two parameters may be one object, and then `transfer` loses track: the
balance that it read first is written back last. Nobody who tests with two accounts sees it.
Proved: `safe_transfer` conserves money and never overdraws, for all balances and amounts, whether
the accounts are one or two; and `withdraw` keeps the invariant of an account.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent import verify


@dataclass
class Account:
    """What somebody owns, in cents."""

    balance: int

    def __invariant__(self) -> bool:
        return self.balance >= 0

    def withdraw(self, amount: int) -> bool:
        """Take the amount out if it is there, and say so."""
        if not 0 < amount <= self.balance:
            return False
        self.balance -= amount
        assert self.balance >= 0
        return True


def transfer(source: Account, target: Account, amount: int) -> bool:
    """Move money as one would write it at first."""
    if not 0 < amount <= source.balance:
        return False
    left, right = source.balance - amount, target.balance + amount
    source.balance = left
    target.balance = right
    return True


def safe_transfer(source: Account, target: Account, amount: int) -> bool:
    """Move money, each balance changed where it is."""
    if not source.withdraw(amount):
        return False
    target.balance += amount
    return True


def owned(*accounts: Account) -> int:
    """The money in these accounts, each counted once."""
    different = [a for i, a in enumerate(accounts) if not any(a is b for b in accounts[:i])]
    return sum(account.balance for account in different)


def transfer_conserves(source: Account, target: Account, amount: int) -> None:
    before = owned(source, target)
    transfer(source, target, amount)
    assert owned(source, target) == before


def safe_transfer_conserves(source: Account, target: Account, amount: int) -> None:
    before = owned(source, target)
    safe_transfer(source, target, amount)
    assert owned(source, target) == before
    assert source.balance >= 0
    assert target.balance >= 0


if __name__ == "__main__":
    withdrawal = verify(Account.withdraw)
    two_accounts = verify(transfer_conserves)
    one_account = verify(transfer_conserves, alias=True)
    repaired = verify(safe_transfer_conserves, alias=True)
    for result in (withdrawal, two_accounts, one_account, repaired):
        print(result)
