"""A module for the tests of lifting."""

from __future__ import annotations

LIMIT = 10


def absolute(x):
    return -x if x < 0 else x


def clamp(x):
    if absolute(x) > LIMIT:
        return LIMIT
    return x


class Box:
    def __init__(self, value):
        self.value = value

    def doubled(self):
        return self.value * 2 if self.value > 0 else 0


smallest = lambda a, b: a if a < b else b  # noqa: E731


def count_down(n):
    while n > 0:
        yield n
        n -= 1


def many_branches(x):
    if x == 0:  # noqa: SIM116
        return "zero"
    elif x == 1:
        return "one"
    elif x == 2:
        return "two"
    elif x == 3:
        return "three"
    elif x == 4:
        return "four"
    elif x == 5:
        return "five"
    elif x == 6:
        return "six"
    elif x == 7:
        return "seven"
    elif x == 8:
        return "eight"
    return "many"
