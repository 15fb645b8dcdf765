"""Numbers: boundaries, magic constants, loops, floats and remainders."""

from __future__ import annotations

from benchmarks.everyday.claims import fails, holds

SMALL = range(-20, 300)


@fails(score=SMALL)
def grade(score: int) -> None:
    if score < 0 or score > 100:
        return
    bands = "FFFFFDCBA"
    assert bands[score // 10 - 1] in "ABCDF"


@fails(year=[1899, 1900, 2000, 2023, 2024])
def leap_years(year: int) -> None:
    if year < 1583:
        return
    leap = year % 4 == 0 or (year % 100 == 0 and year % 400 == 0)
    exact = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    assert leap == exact


@fails(low=SMALL, high=[0, 5, 6, 7])
def middle_is_between(low: int, high: int) -> None:
    if 0 <= low < high:
        middle = low + (high - low) // 2
        assert low < middle < high


@fails(amount=range(0, 4000))
def discount_is_monotonic(amount: int) -> None:
    def price(total: int) -> int:
        return total - total // 10 if total >= 1000 else total

    if amount >= 0:
        assert price(amount + 1) >= price(amount)


@fails(n=range(0, 3000))
def digits_of_a_year(n: int) -> None:
    total = 0
    left = n
    while left > 0:
        total += left % 10
        left //= 10
    assert n < 0 or total != 28


@fails(code=[0, 271828, 314159])
def hidden_code(code: int) -> None:
    if code > 300_000 and code % 1000 == 159 and code // 1000 == 314:
        raise RuntimeError("unlocked")


@fails(x=[0.0, 0.1, 0.5, 1e300], y=[0.2, 0.3, 1e-300])
def addition_is_undone(x: float, y: float) -> None:
    if 0 <= x <= 1 and 0 <= y <= 1:
        assert (x + y) - y == x


@fails(x=[0.0, 1.5, float("nan")])
def clamped_is_in_range(x: float) -> None:
    clamped = min(max(x, 0.0), 1.0)
    assert 0.0 <= clamped <= 1.0
    assert clamped == x or not 0.0 <= x <= 1.0


@fails(a=range(-12, 13), b=range(-12, 13))
def truncating_division(a: int, b: int) -> None:
    if b != 0:
        assert a // b == int(a / b)


@fails(n=range(0, 70))
def collatz_is_short(n: int) -> None:
    if not 0 < n < 64:
        return
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    assert steps < 112


@holds(x=SMALL, y=SMALL)
def larger_of_two(x: int, y: int) -> None:
    larger = x if x > y else y
    assert larger >= x
    assert larger >= y
    assert larger in (x, y)


@holds(seconds=range(0, 5000))
def clock(seconds: int) -> None:
    if seconds < 0:
        return
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    assert hours * 3600 + minutes * 60 + left == seconds
    assert 0 <= minutes < 60
    assert 0 <= left < 60


@holds(n=range(0, 300))
def bits_are_counted(n: int) -> None:
    if not 0 <= n < 256:
        return
    count = 0
    left = n
    while left:
        left &= left - 1
        count += 1
    assert count == bin(n).count("1")


@holds(x=[0.0, -1.5, 2.5, 1e308])
def absolute_float(x: float) -> None:
    distance = -x if x < 0 else x
    assert distance >= 0 or distance != distance


@holds(a=range(0, 30), b=range(0, 30))
def euclid(a: int, b: int) -> None:
    if not (0 < a < 16 and 0 < b < 16):
        return
    x, y = a, b
    while y:
        x, y = y, x % y
    assert a % x == 0
    assert b % x == 0
