"""`random.Random` with a known seed, asked for symbolic numbers and lists."""

from __future__ import annotations

import random
from typing import Any

from solvent import verify
from tests.lift.differential import agree


def test_numbers_up_to_symbolic_ones() -> None:
    def draw(n: int, again: bool) -> Any:
        chance = random.Random(3)
        if again:
            chance.random()
        first = chance.randrange(n) if 0 < n < 8 else -1
        return first, chance.getrandbits(4), chance.randint(0, 5)

    agree(draw, list(range(-1, 8)), [False, True])


def test_members_of_lists() -> None:
    def pick(n: int) -> Any:
        chance = random.Random("seed")
        items = [k for k in range(4) if k != n]
        chance.shuffle(items)
        return items, chance.choice(items), chance.sample(items, 2)

    agree(pick, [0, 3, 7])


def test_how_many_bits() -> None:
    def bits(n: int) -> Any:
        chance = random.Random(1)
        return chance.getrandbits(n % 8 + 28), chance.getrandbits(8)

    agree(bits, list(range(8)))


def test_shuffling_keeps_what_is_there() -> None:
    def shuffled(xs: list[int]) -> None:
        ys = xs[:]
        random.Random(7).shuffle(ys)
        assert sorted(ys) == sorted(xs)

    assert verify(shuffled, max_len=3).holds
