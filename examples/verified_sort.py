"""A verified sort: merge sort is right, and stable, for all lists of up to three items.

Proved: the result is in order, has the same items as often, and keeps the order of equal keys;
for any integers whatever.
Found: with `<` instead of `<=` in one place, equal keys change their order. No test that sorts
plain numbers can see that.
"""

from __future__ import annotations

from solvent import Int, lists, verify

Row = tuple[int, int]


def merge(left: list[Row], right: list[Row], stable: bool) -> list[Row]:
    merged: list[Row] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i][0] < right[j][0] or (stable and left[i][0] == right[j][0]):
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def merge_sort(rows: list[Row], stable: bool = True) -> list[Row]:
    """The rows in the order of their first column."""
    if len(rows) < 2:
        return rows
    half = len(rows) // 2
    return merge(merge_sort(rows[:half], stable), merge_sort(rows[half:], stable), stable)


def sorts(keys: list[int]) -> None:
    rows = [(key, place) for place, key in enumerate(keys)]
    result = merge_sort(rows)
    for i in range(len(result) - 1):
        (key, place), (next_key, next_place) = result[i], result[i + 1]
        assert key <= next_key
        assert key < next_key or place < next_place  # stable
    for row in rows:
        assert row in result  # all are there, and no more
    assert len(result) == len(rows)


def sorts_plain_numbers(keys: list[int]) -> None:
    result = merge_sort([(key, 0) for key in keys], stable=False)
    assert [key for key, _ in result] == sorted(keys)


def hasty_is_stable(keys: list[int]) -> None:
    rows = [(key, place) for place, key in enumerate(keys)]
    assert merge_sort(rows, stable=False) == sorted(rows)


if __name__ == "__main__":
    proof = verify(sorts, lists(Int, max_len=3))
    numbers = verify(sorts_plain_numbers, lists(Int, max_len=3))
    unstable = verify(hasty_is_stable, lists(Int, max_len=3))
    for result in (proof, numbers, unstable):
        print(result)
