"""`bisect`: the same binary search as Python's, as a tree of decisions.

Every item is compared in one place of the tree, so the terms grow with the length of the list.  The
result is that of Python even if the list is not sorted.
"""

from __future__ import annotations

import bisect
import operator
from collections import deque
from collections.abc import Callable, Sequence

from solvent.errors import NotLiftedError
from solvent.lift.calls import call, method
from solvent.lift.counted import lifts_counted
from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.sorting import less
from solvent.lift.values import sequences
from solvent.lift.words import fits
from solvent.terms.booleans import not_
from solvent.terms.term import Term
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# Whether the search goes on to the right of an item.
Test = Callable[[Value], Guard]


@lifts_counted(bisect.bisect_left)
def bisect_left(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> Value:
    """`bisect.bisect_left(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: less(keyed(item), x))


@lifts_counted(bisect.bisect_right)
def bisect_right(
    a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None
) -> Value:
    """`bisect.bisect_right(a, x, lo, hi, key=key)`."""
    keyed = _keyed(key)
    return _searched(a, lo, hi, lambda item: not_(less(x, keyed(item))))


@lifts_counted(bisect.insort_left)
def insort_left(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> None:
    """`bisect.insort_left(a, x, lo, hi, key=key)`."""
    place = bisect_left(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


@lifts_counted(bisect.insort_right)
def insort_right(a: Value, x: Value, lo: Value = 0, hi: Value = None, *, key: Value = None) -> None:
    """`bisect.insort_right(a, x, lo, hi, key=key)`."""
    place = bisect_right(a, _keyed(key)(x), lo, hi, key=key)
    method(a, "insert")(place, x)


def _keyed(key: Value) -> Callable[[Value], Value]:
    return (lambda item: item) if key is None else call(key)


@over_members_of("a")
def _searched(a: Value, lo: Value, hi: Value, test: Test) -> Value:
    if not isinstance(a, Term) and not hasattr(type(a), "__getitem__"):
        raise raised(bisect.bisect_left, a, None)
    if not isinstance(a, (list, tuple, deque)):
        raise NotLiftedError("`bisect` on something else than a list or tuple is not lifted")
    return _for_each(lo, lambda low: _for_each(hi, lambda high: _within(a, low, high, test)))


# How many values of a symbolic bound are told apart.
_MOST = 64


@over_members_of("bound")
def _for_each(bound: Value, action: Callable[[Value], Value]) -> Value:
    """Do something for each value that a bound of the search may have."""
    if type(bound) not in sequences.INDICES:
        return action(bound)
    number = sequences.whole(bound)
    least, greatest = bounds(number)
    if least is None or greatest is None or greatest - least >= _MOST:
        raise NotLiftedError(
            f"`bisect` with a symbolic `lo` or `hi` of more than {_MOST} values is not lifted; "
            "assume bounds on it, or search the whole list"
        )
    rows = [(number == each, each) for each in range(least, greatest)]
    return over(Union((*rows, (True, greatest))), action)


def _within(a: Sequence[Value], lo: Value, hi: Value, test: Test) -> Value:
    good = hasattr(lo, "__index__") and (hi is None or hasattr(hi, "__index__"))
    # The number that stands for no bound in C is one that a program can give.
    low, high = (operator.index(lo), operator.index(-1 if hi is None else hi)) if good else (-1, -1)
    if low < 0 or fits(low) is not True or fits(high) is not True:
        raise raised(bisect.bisect_left, (), None, lo, hi)

    def search(items: list[Value]) -> Value:
        return _search(items, low, len(items) if high == -1 else high, test, type(a))

    return sequences.by_alternative(list(a), search)


def _search(items: list[Value], low: int, high: int, test: Test, kind: type) -> Value:
    if low >= high:
        return low
    middle = (low + high) // 2
    if middle >= len(items):
        raise raised(lambda: kind()[0])
    return either(
        test(items[middle]),
        lambda: _search(items, middle + 1, high, test, kind),
        lambda: _search(items, low, middle, test, kind),
    )
