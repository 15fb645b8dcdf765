"""Tests with `@given` as people write them, for small functions of many kinds.

`test_sample.py` says of each whether it holds, and what Solvent says.
"""

from __future__ import annotations

import datetime
import itertools
import string
from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import assume, given
from hypothesis import strategies as st

# --- the functions --------------------------------------------------------------------------------


def insertion_sort(items: list[int]) -> list[int]:
    result: list[int] = []
    for item in items:
        place = 0
        while place < len(result) and result[place] <= item:
            place += 1
        result.insert(place, item)
    return result


def encode(text: str) -> list[tuple[str, int]]:
    return [(letter, len(list(group))) for letter, group in itertools.groupby(text)]


def decode(runs: list[tuple[str, int]]) -> str:
    return "".join(letter * count for letter, count in runs)


ROMAN = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]  # fmt: skip


def to_roman(number: int) -> str:
    result = ""
    for value, letters in ROMAN:
        while number >= value:
            result += letters
            number -= value
    return result


def from_roman(text: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for place, letter in enumerate(text):
        value = values[letter]
        if place + 1 < len(text) and values[text[place + 1]] > value:
            total -= value
        else:
            total += value
    return total


@dataclass(frozen=True)
class Interval:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("empty")

    def meets(self, other: Interval) -> bool:
        return self.low <= other.high and other.low <= self.high

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))


def parse_pair(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip(), value.strip()


def merge(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    result = dict(left)
    for key, value in right.items():
        result[key] = result.get(key, 0) + value
    return result


def next_month(day: datetime.date) -> datetime.date:
    if day.month == 12:
        return day.replace(year=day.year + 1, month=1)
    return day.replace(month=day.month + 1)


def is_palindrome(text: str) -> bool:
    letters = [letter.lower() for letter in text if letter.isalnum()]
    return letters == letters[::-1]


def chunked(items: list[int], size: int) -> list[list[int]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


@dataclass
class Account:
    owner: str
    cents: int = 0

    def deposit(self, cents: int) -> None:
        if cents <= 0:
            raise ValueError("nothing to deposit")
        self.cents += cents


def median(items: list[int]) -> float:
    ordered = sorted(items)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def slug(title: str) -> str:
    return "-".join(title.lower().split())


def shift(text: str, by: int) -> str:
    letters = string.ascii_lowercase
    return "".join(letters[(letters.index(letter) + by) % 26] for letter in text)


def share(total: int, people: int) -> list[int]:
    each, rest = divmod(total, people)
    return [each + (number < rest) for number in range(people)]


# --- the tests ------------------------------------------------------------------------------------


@given(st.lists(st.integers()))
def test_sorts(items):
    found = insertion_sort(items)
    assert all(a <= b for a, b in itertools.pairwise(found))
    assert Counter(found) == Counter(items)


@given(st.text())
def test_run_lengths(text):
    assert decode(encode(text)) == text


@given(st.integers(1, 60))
def test_roman(number):
    assert from_roman(to_roman(number)) == number


intervals = st.builds(
    lambda low, width: Interval(low, low + width), st.integers(-100, 100), st.integers(0, 50)
)


@given(intervals, intervals)
def test_hull(one, other):
    hull = one.hull(other)
    assert hull.meets(one)
    assert hull.meets(other)
    assert (hull.low, hull.high) == (min(one.low, other.low), max(one.high, other.high))


@given(intervals, intervals)
def test_intervals_meet(one, other):
    assume(one.low < other.low)
    assert one.meets(other) == (one.high > other.low)  # wrong where they touch


@given(st.text(alphabet="ab= ", max_size=4))
def test_pair(text):
    key, value = parse_pair(text)
    assert f"{key}={value}" == text.strip()  # wrong without `=`, and with spaces around it


@given(
    st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)),
    st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)),
)
def test_merge(left, right):
    merged = merge(left, right)
    assert sum(merged.values()) == sum(left.values()) + sum(right.values())
    assert merged.keys() == left.keys() | right.keys()


@given(st.dates(datetime.date(2020, 1, 1), datetime.date(2030, 12, 31)))
def test_next_month(day):
    assert next_month(day) > day  # there is no 31st of February


@given(st.dates(), st.integers(0, 1000))
def test_days_later(day, days):
    assume(day.year < 9990)
    assert (day + datetime.timedelta(days=days) - day).days == days


@given(st.text(alphabet=string.ascii_letters, max_size=3))
def test_palindromes(text):
    assert is_palindrome(text + text[::-1])


@given(st.lists(st.integers(), max_size=4), st.integers(1, 4))
def test_chunks(items, size):
    chunks = chunked(items, size)
    assert [item for chunk in chunks for item in chunk] == items
    assert all(len(chunk) == size for chunk in chunks)  # but for the last one


@given(st.builds(Account, st.text(max_size=2), st.integers(0, 10**9)), st.integers(1))
def test_deposit(account, cents):
    before = replace(account)
    account.deposit(cents)
    assert account.cents == before.cents + cents
    assert account.owner == before.owner


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=4))
def test_median(items):
    assert min(items) <= median(items) <= max(items)


@given(st.text(max_size=2))
def test_slug(title):
    assert " " not in slug(title)
    assert slug(slug(title)) == slug(title)


@given(st.text(alphabet=string.ascii_lowercase, max_size=3), st.integers(-30, 30))
def test_shift(text, by):
    assert shift(shift(text, by), -by) == text


@given(st.integers(0, 1000), st.integers(1, 6))
def test_share(total, people):
    shares = share(total, people)
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_mean(a, b):
    assert min(a, b) <= (a + b) / 2 <= max(a, b)


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=3))
def test_sum_of_floats(items):
    assert sum(items) == sum(reversed(items))  # it depends on the order
