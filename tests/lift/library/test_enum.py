"""Flags: members by symbolic numbers within and beyond each boundary, operators, iteration.

PYTEST_DONT_REWRITE: the assertions in here are part of the programs.
"""

from __future__ import annotations

from enum import CONFORM, EJECT, KEEP, Flag, IntFlag, auto

import pytest

from solvent import Int, verify
from solvent.errors import NotLiftedError
from solvent.lift.reflection import assume
from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


class Access(Flag):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    BOTH = READ | WRITE


class Conforming(Flag, boundary=CONFORM):
    A = 1
    B = 4


class Ejecting(Flag, boundary=EJECT):
    A = 1
    B = 4


class Keeping(Flag, boundary=KEEP):
    A = 1
    B = 4


class Gaps(Flag):
    A = 1
    C = 4


class Bits(IntFlag):
    X = 1
    W = 2
    R = 4


AROUND = range(-9, 10)


@cases.on(AROUND)
def by_number(n):
    return Bits(n), Conforming(n), Keeping(n)


@cases.on(AROUND)
def ejected(n):
    found = Ejecting(n)
    return found, type(found) is int


@cases.on(AROUND)
def refused_beyond(n):
    try:
        return Access(n)
    except ValueError:
        return None


@cases.on(AROUND)
def refused_between(n):
    try:
        return Gaps(n).value
    except ValueError:
        return -1


@cases.on(range(8), range(8))
def operators(n, m):
    a, b = Access(n), Access(m)
    return a | b, a & b, a ^ b, ~a, a in b, bool(a & b), a == b, a is b


@cases.on(range(8))
def parts(n):
    a = Access(n)
    return a.name, a.value, len(a), list(a), str(a), repr(a), [m for m in Access if m in a]


@cases.on(range(8), range(-2, 10))
def with_numbers(n, m):
    a = Bits(n)
    return a | m, a & m, a ^ 3, a + m, ~a, m in (a, 3), f"{a}", int(a)


@cases.on(range(8))
def loops_over_some(n):
    found = []
    items = iter(Access(n))
    for item in items:
        if item is Access.WRITE:
            break
        found.append(item.name)
    return found, list(items)


@cases.on(range(8), range(8))
def as_keys(n, m):
    table = {Access(n): 1}
    table[Access(m)] = 2
    return len(table), table.get(Access.BOTH)


@cases.on([False, True])
def by_truth(flag):
    return Bits(flag), Conforming(flag)


def test_proofs_of_all_numbers() -> None:
    def conforming(n: int) -> None:
        assert Conforming(n).value == (n & 5)

    def ejecting(n: int) -> None:
        found = Ejecting(n)
        assert found == n or (found.value - n) % 8 == 0

    def kept(n: int) -> None:
        assert Bits(n & 7) | Bits.X == (n & 7) | 1

    assert verify(conforming).holds
    assert verify(ejecting).holds
    assert verify(kept).holds


def test_number_of_any_size_where_all_bits_are_kept_is_refused() -> None:
    def program(n: int) -> None:
        assume(n > 3)
        assert Bits(n) & 1

    with pytest.raises(NotLiftedError, match="keeps all bits"):
        verify(program, Int("n"))
