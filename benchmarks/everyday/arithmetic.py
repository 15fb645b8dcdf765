"""Everyday functions on numbers: floats, fractions, decimals, whole ones."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction

from benchmarks.everyday.claims import all_lists, fails, holds

FLOATS = [0.0, -0.0, 0.1, 0.2, 0.3, 1.5, -2.5, 1e308, math.inf, math.nan]


@fails(values=all_lists(FLOATS[:4], 2))
def mean(values: list[float]) -> None:
    sum(values) / len(values)


@fails(a=FLOATS, b=FLOATS, c=FLOATS)
def sums_in_any_order(a: float, b: float, c: float) -> None:
    if all(0 <= x <= 1 for x in (a, b, c)):
        assert (a + b) + c == a + (b + c)


@fails(x=FLOATS)
def clamped(x: float) -> None:
    assert 0.0 <= max(0.0, min(x, 1.0)) <= 1.0 and x == x  # noqa: PT018


@holds(parts=range(-1, 8))
def shares(parts: int) -> None:
    if 0 < parts < 8:
        assert sum([Fraction(1, parts)] * parts) == 1


@holds(cents=range(-20, 20))
def decimal_cents(cents: int) -> None:
    if -100 < cents < 100:
        assert Decimal(cents) / 100 * 100 == cents


@holds(number=[0, 1, 2, 3, 99, 100, 101])
def root(number: int) -> None:
    if 0 <= number <= 10_000:
        found = math.isqrt(number)
        assert found * found <= number < (found + 1) * (found + 1)


@fails(old=range(-2, 3), new=range(-2, 3))
def change_in_percent(old: int, new: int) -> None:
    assert (new - old) * 100 // old <= 100 * abs(new - old)


@holds(a=range(1, 9), b=range(1, 9))
def divisors(a: int, b: int) -> None:
    if 0 < a < 50 and 0 < b < 50:
        assert a % math.gcd(a, b) == 0
        assert math.lcm(a, b) % a == 0


@holds(values=all_lists(range(-1, 3), 3))
def counted(values: list[int]) -> None:
    counts = Counter(values)
    assert sum(counts.values()) == len(values)
    assert all(counts[value] == values.count(value) for value in values)


@holds(values=all_lists(range(-1, 3), 3), wanted=range(-2, 4))
def found_by_bisection(values: list[int], wanted: int) -> None:
    ordered = sorted(values)
    place = bisect_left(ordered, wanted)
    assert (place < len(ordered) and ordered[place] == wanted) == (wanted in values)


@fails(values=all_lists(range(-1, 3), 3))
def zeros_removed(values: list[int]) -> None:
    """A list that is changed while it is walked."""
    for value in values:
        if value == 0:
            values.remove(value)
    assert 0 not in values


@holds(values=all_lists(range(3), 3), steps=range(-3, 4))
def rotated(values: list[int], steps: int) -> None:
    if -4 < steps < 4:
        ring = deque(values)
        ring.rotate(steps)
        ring.rotate(-steps)
        assert list(ring) == values


@fails(number=range(-3, 10))
def halved_to_nothing(number: int) -> None:
    """Division rounds down: minus one stays."""
    if -100 < number < 100:
        for _ in range(8):
            number //= 2
        assert number == 0


@holds(flags=range(16), bit=range(4))
def flag_set_and_cleared(flags: int, bit: int) -> None:
    if 0 <= flags < 256 and 0 <= bit < 8:
        assert (flags | 1 << bit) & ~(1 << bit) == flags & ~(1 << bit)
