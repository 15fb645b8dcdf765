"""What the code of a generator leads to."""

from __future__ import annotations

from collections.abc import Callable

from solvent.lift.values.reach import Reach
from solvent.terms import BitVec, eq, zero_extend


def closing_over(value: object) -> Callable[[], object]:
    """A function of the program that can read a value."""
    return lambda: value


def test_what_solvent_remembers_is_not_looked_at() -> None:
    function = closing_over(eq)
    before = Reach().look(function)
    bits = BitVec("b", 8)
    for width in range(30, 90):
        zero_extend(width, bits)
    after = Reach().look(function)
    assert not before.strange
    assert before.count == after.count < 20


def test_what_a_function_closes_over_is_looked_at() -> None:
    kept: list[object] = [[]]
    found = Reach().look(closing_over(kept))
    assert id(kept) in found.owners
    assert id(kept[0]) in found.owners
