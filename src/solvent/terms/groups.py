"""The groups of a quantifier's patterns; it imports nothing, as solvers' processes use it too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

PatternT = TypeVar("PatternT")


def pattern_groups(
    sizes: Sequence[int], patterns: Sequence[PatternT]
) -> list[tuple[PatternT, ...]]:
    """The patterns of a quantifier, each a group of terms that must match together.

    >>> pattern_groups([1, 2], ["f(x)", "g(x)", "h(y)"])
    [('f(x)',), ('g(x)', 'h(y)')]
    """
    groups = []
    start = 0
    for count in sizes:
        groups.append(tuple(patterns[start : start + count]))
        start += count
    return groups
