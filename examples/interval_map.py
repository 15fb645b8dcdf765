"""An interval map: values for ranges of numbers, kept as few boundaries as possible.

Proved: after any two assignments `m[low:high] = value`, for all bounds, the map says of every
number what the last assignment that covers it says, and no two neighbouring ranges have the same
value.
Found: without the look at the value that ends at `high`, an assignment changes what lies behind
it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from solvent import assume, verify


class IntervalMap:
    """From each boundary on, up to the next one, one value."""

    def __init__(self, default: int) -> None:
        self.starts: list[int] = []
        self.values = [default]  # one more than boundaries: the first is before all of them

    def __getitem__(self, key: int) -> int:
        return self.values[bisect_right(self.starts, key)]

    def assign(self, low: int, high: int, value: int) -> None:
        """All numbers from `low` up to `high`, which is not included, get the value."""
        if low >= high:
            return
        behind = self[high]
        first, last = bisect_left(self.starts, low), bisect_right(self.starts, high)
        starts, values = [], []
        if self.values[first] != value:
            starts.append(low)
            values.append(value)
        if behind != value:
            starts.append(high)
            values.append(behind)
        self.starts[first:last] = starts
        self.values[first + 1 : last + 1] = values


class HastyIntervalMap(IntervalMap):
    """The same, but for one line: what ended at `high` is taken from where `low` is."""

    def assign(self, low: int, high: int, value: int) -> None:
        if low >= high:
            return
        behind = self[low]
        first, last = bisect_left(self.starts, low), bisect_right(self.starts, high)
        self.starts[first:last] = [low, high]
        self.values[first + 1 : last + 1] = [value, behind]


def last_one_wins(a: int, b: int, c: int, d: int, key: int) -> None:
    ranges = IntervalMap(default=0)
    ranges.assign(a, b, 1)
    ranges.assign(c, d, 2)
    assert ranges[key] == (2 if c <= key < d else 1 if a <= key < b else 0)
    values = ranges.values
    assert all(values[i] != values[i + 1] for i in range(len(values) - 1))


def hasty_last_one_wins(a: int, b: int, c: int, d: int, key: int) -> None:
    assume(0 <= a <= 9 and 0 <= b <= 9 and 0 <= c <= 9 and 0 <= d <= 9 and 0 <= key <= 9)
    ranges = HastyIntervalMap(default=0)
    ranges.assign(a, b, 1)
    ranges.assign(c, d, 2)
    assert ranges[key] == (2 if c <= key < d else 1 if a <= key < b else 0)


if __name__ == "__main__":
    proof = verify(last_one_wins)
    mistake = verify(hasty_last_one_wins)
    print(proof)
    print(mistake)
