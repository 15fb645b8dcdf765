"""`bisect`: the same binary search as Python's, as a tree of decisions.

Every item is compared in one place of the tree, so the terms grow with the length of the list.  The
result is that of Python even if the list is not sorted.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Callable
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.calls import call, method
from solvent.lift.registry import lifts
from solvent.lift.sorting import less
from solvent.lift.values import sequences
from solvent.terms.booleans import not_
from solvent.vm.spread import either, over
from solvent.vm.union import Union

# Whether the search goes on to the right of an item.
Test = Callable[[Any], Any]


@lifts(bisect.bisect_left)
def bisect_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_left(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: less(keyed(item), x))


@lifts(bisect.bisect_right)
def bisect_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_right(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: not_(less(x, keyed(item))))


@lifts(bisect.insort_left)
def insort_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_left(a, x, lo, hi, key=key)`."""
    place = bisect_left(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


@lifts(bisect.insort_right)
def insort_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_right(a, x, lo, hi, key=key)`."""
    place = bisect_right(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


def _keyed(key: Any) -> Callable[[Any], Any]:
    return (lambda item: item) if key is None else call(key)


def _searched(a: Any, lo: Any, hi: Any, test: Test) -> Any:
    if type(a) is Union:
        return over(a, lambda member: _searched(member, lo, hi, test))
    if not isinstance(a, (list, tuple, deque)):
        raise NotLiftedError("`bisect` on something else than a list or tuple is not lifted")
    for bound in (lo, hi):
        if type(bound) in sequences.INDICES or type(bound) is Union:
            raise NotLiftedError(
                "`bisect` with symbolic `lo` or `hi` is not lifted; search the whole list"
            )
    if lo < 0:
        raise ValueError("lo must be non-negative")
    return sequences.by_alternative(
        list(a), lambda items: _search(items, lo, len(items) if hi is None else hi, test)
    )


def _search(items: list[Any], low: int, high: int, test: Test) -> Any:
    if low >= high:
        return low
    middle = (low + high) // 2
    return either(
        test(items[middle]),
        lambda: _search(items, middle + 1, high, test),
        lambda: _search(items, low, middle, test),
    )
