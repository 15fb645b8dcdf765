"""Lists, dicts, sets and objects: ends, duplicates, aliases, order."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.everyday.claims import all_lists, fails, holds

LISTS = all_lists(range(-1, 3))


@fails(xs=LISTS)
def mean_is_between(xs: list[int]) -> None:
    mean = sum(xs) / len(xs)
    assert min(xs) <= mean <= max(xs)


@fails(xs=LISTS)
def largest_by_scan(xs: list[int]) -> None:
    largest = 0
    for x in xs:
        if x > largest:
            largest = x
    assert not xs or largest == max(xs)


@fails(xs=LISTS)
def without_duplicates(xs: list[int]) -> None:
    ys = [x for place, x in enumerate(xs) if place == 0 or x != xs[place - 1]]
    assert len(ys) == len(set(xs))


@fails(xs=LISTS, y=range(-1, 3))
def found_by_halves(xs: list[int], y: int) -> None:
    xs = sorted(xs)
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < y:
            low = middle + 1
        else:
            high = middle - 1
    assert (low < len(xs) and xs[low] == y) == (y in xs)


@fails(xs=LISTS, k=range(-1, 5))
def rotated(xs: list[int], k: int) -> None:
    turned = xs[k:] + xs[:k]
    assert k >= 0
    assert not xs or turned[0] == xs[k % len(xs)]


@fails(names=[{}, {1: 2}, {1: 2, 2: 2}])
def inverted_twice(names: dict[int, int]) -> None:
    inverse = {value: key for key, value in names.items()}
    assert {value: key for key, value in inverse.items()} == names


@fails(xs=LISTS)
def row_of_rows(xs: list[int]) -> None:
    rows = [[0] * 2] * 2
    for place, x in enumerate(xs[:2]):
        rows[place][0] = x
    assert len(xs) < 2 or rows[0][0] == xs[0]


@fails(left=[set(), {1}, {1, 2}], right=[set(), {1}, {2, 3}])
def jaccard(left: set[int], right: set[int]) -> None:
    similarity = len(left & right) / len(left | right)
    assert 0 <= similarity <= 1


@dataclass
class Account:
    """Money that may not be overdrawn."""

    balance: int
    limit: int = 0


@fails(account=[Account(5, 0), Account(0, 10)], amount=range(-5, 20))
def withdraw(account: Account, amount: int) -> None:
    before = account.balance
    if account.limit >= 0 and amount <= account.balance + account.limit:
        account.balance -= amount
    assert account.balance <= before


@fails(xs=all_lists(range(1, 4)))
def three_in_a_row_are_no_triangle(xs: list[int]) -> None:
    if len(xs) == 3 and all(x > 0 for x in xs):
        a, b, c = xs
        assert not (a + b > c and b + c > a and a + c > b and a * a + b * b == c * c + 1)


@holds(xs=LISTS)
def insertion_sort(xs: list[int]) -> None:
    ys: list[int] = []
    for x in xs:
        place = 0
        while place < len(ys) and ys[place] < x:
            place += 1
        ys.insert(place, x)
    assert ys == sorted(xs)


@holds(xs=LISTS)
def prefix_sums(xs: list[int]) -> None:
    sums = [0]
    for x in xs:
        sums.append(sums[-1] + x)
    assert len(sums) == len(xs) + 1
    assert sums[-1] == sum(xs)


@holds(xs=LISTS)
def counted(xs: list[int]) -> None:
    counts: dict[int, int] = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    assert sum(counts.values()) == len(xs)


@holds(xs=LISTS, ys=LISTS)
def merged(xs: list[int], ys: list[int]) -> None:
    left, right = sorted(xs[:2]), sorted(ys[:2])
    result = []
    while left and right:
        result.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    result += left + right
    assert result == sorted(xs[:2] + ys[:2])


@holds(xs=LISTS)
def partitioned(xs: list[int]) -> None:
    small = [x for x in xs if x < 0]
    large = [x for x in xs if x >= 0]
    assert len(small) + len(large) == len(xs)
