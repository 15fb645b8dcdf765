"""Sums of bitvectors in different orders are equal without a solver."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent.terms import BitVec, bv, evaluate
from solvent.terms.bitvector_sums import LIMIT

XS = [BitVec(f"x{n}", 16) for n in range(8)]


def summed(parts: list[Any], source: random.Random) -> Any:
    """The sum of some terms, in a random order and with random parentheses."""
    parts = parts.copy()
    while len(parts) > 1:
        a = parts.pop(source.randrange(len(parts)))
        b = parts.pop(source.randrange(len(parts)))
        parts.append(a + b)
    return parts[0]


def random_parts(source: random.Random) -> list[Any]:
    return [
        source.choice((1, -1, 2, 3, 8)) * x + source.randrange(3)
        for x in source.choices(XS, k=source.randrange(2, 9))
    ]


@pytest.mark.parametrize("seed", range(40))
def test_any_order(seed: int) -> None:
    source = random.Random(seed)
    parts = random_parts(source)
    one, other = summed(parts, source), summed(parts, source)
    assert (one == other) is True
    assert (one == other + 1) is False
    assert (one - other == bv(0, 16)) is True or one is not other


@pytest.mark.parametrize("seed", range(40))
def test_different_sums_stay_open(seed: int) -> None:
    source = random.Random(seed)
    one, other = summed(random_parts(source), source), summed(random_parts(source), source)
    equal = one == other
    for _ in range(20):
        model = {x: bv(source.getrandbits(16), 16) for x in XS}
        assert evaluate(equal, model) is (evaluate(one, model) == evaluate(other, model))


def test_sharing_is_no_trap() -> None:
    one: Any = XS[0] + XS[1]
    other: Any = XS[1] + XS[0]
    for x in XS * 20:
        one, other = one + (one + x), x + other * 2
    assert (one == other) is True


def test_long_sums_are_given_up() -> None:
    xs = [BitVec(f"y{n}", 8) for n in range(LIMIT)]
    one, other = xs[0], xs[-1]
    for x in xs[1:]:
        one = one + x
    for x in reversed(xs[:-1]):
        other = other + x
    assert (one == other) is not False
