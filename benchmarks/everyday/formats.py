"""Everyday functions that write numbers as text, and read them."""

from __future__ import annotations

from benchmarks.everyday.claims import fails, holds


@fails(number=[0, 42, -42, 99999, -9999, -10000])
def five_digits(number: int) -> None:
    if -99999 <= number <= 99999:
        assert len(f"{number:05d}") == 5


@holds(number=[*range(-30, 30), 999, 1000, 1001, -1000, 123456])
def thousands(number: int) -> None:
    if -(10**6) < number < 10**6:
        assert int(f"{number:,}".replace(",", "")) == number


@fails(number=range(-3, 30))
def binary_digits(number: int) -> None:
    if -64 < number < 64:
        assert int(bin(number)[2:], 2) == abs(number)


@holds(red=range(0, 256, 51), green=range(0, 256, 51), blue=range(0, 256, 51))
def colour(red: int, green: int, blue: int) -> None:
    if all(0 <= part <= 255 for part in (red, green, blue)):
        written = f"#{red:02x}{green:02x}{blue:02x}"
        assert len(written) == 7
        assert int(written[1:3], 16) == red


@fails(cents=range(-120, 120))
def money(cents: int) -> None:
    """Wrong for amounts below zero."""
    if -1000 < cents < 1000:
        written = f"{cents // 100}.{cents % 100:02d}"
        whole, _, part = written.partition(".")
        sign = -1 if whole.startswith("-") else 1
        assert int(whole) * 100 + sign * int(part) == cents


@holds(number=range(-1, 40))
def roman(number: int) -> None:
    if not 0 < number < 40:
        return
    written, rest = "", number
    for value, letters in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while rest >= value:
            written += letters
            rest -= value
    values = {"I": 1, "V": 5, "X": 10}
    total = 0
    for place, letter in enumerate(written):
        value = values[letter]
        later = values[written[place + 1]] if place + 1 < len(written) else 0
        total += -value if value < later else value
    assert total == number


@fails(minutes=range(0, 1440, 30))
def clock(minutes: int) -> None:
    """Wrong from ten hours on."""
    if 0 <= minutes < 1440:
        written = f"{minutes // 60}:{minutes % 60:02d}"
        assert len(written) == 4


@holds(number=range(300))
def octets_of_a_number(number: int) -> None:
    if 0 <= number < 65536:
        assert f"{number:016b}".count("1") == number.bit_count()
