"""`bisect`: the same binary search as Python's, as a tree of decisions.

Every item is compared in one place of the tree, so the terms grow with the length of the list.  The
result is that of Python even if the list is not sorted.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Callable
from functools import partial, wraps
from inspect import signature

from solvent.errors import NotLiftedError
from solvent.lift.calls import call, method
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.sorting import less
from solvent.lift.values import sequences
from solvent.terms.booleans import not_
from solvent.vm.spread import either, over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# Whether the search goes on to the right of an item.
Test = Callable[[Value], Guard]


def _lifts(native: Callable[..., Value]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function; Python says what is wrong with the number of its arguments."""

    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        parameters = signature(function)

        @wraps(function)
        def lifted(*args: Value, **named: Value) -> Value:
            try:
                parameters.bind(*args, **named)
            except TypeError:
                wrong = partial(native, **dict.fromkeys(named))
                raise raised(wrong, *[None] * len(args)) from None
            return function(*args, **named)

        return lifts(native)(lifted)

    return register


@_lifts(bisect.bisect_left)
def bisect_left(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> Value:
    """`bisect.bisect_left(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: less(keyed(item), x))


@_lifts(bisect.bisect_right)
def bisect_right(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None
) -> Value:
    """`bisect.bisect_right(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: not_(less(x, keyed(item))))


@_lifts(bisect.insort_left)
def insort_left(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> None:
    """`bisect.insort_left(a, x, lo, hi, key=key)`."""
    place = bisect_left(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


@_lifts(bisect.insort_right)
def insort_right(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> None:
    """`bisect.insort_right(a, x, lo, hi, key=key)`."""
    place = bisect_right(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


def _keyed(key: Value) -> Callable[[Value], Value]:
    return (lambda item: item) if key is None else call(key)


def _searched(a: Value, lo: Value, hi: Value, test: Test) -> Value:
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


def _search(items: list[Value], low: int, high: int, test: Test) -> Value:
    if low >= high:
        return low
    middle = (low + high) // 2
    return either(
        test(items[middle]),
        lambda: _search(items, middle + 1, high, test),
        lambda: _search(items, low, middle, test),
    )
