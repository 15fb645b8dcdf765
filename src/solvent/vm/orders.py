"""Dicts whose order of keys differs between paths.

The keys have one order in the Python dict.  For each pair of keys that some paths have the other
way round, the dict remembers under a hidden key the guard under which they are exchanged.  That is
right for any two keys that are both there; what a pair means where one of them is missing does not
matter.  So there is never more to remember than a guard for each pair, however many orders the
paths have, and merging two dicts merges guards.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import cmp_to_key
from operator import is_

from solvent.terms.booleans import and_, ite, not_, or_
from solvent.vm.slots import Maybe
from solvent.vm.values import Guard, Value


class _Hidden:
    """A key of a dict that is none of the program's."""

    def __init__(self, meaning: str) -> None:
        self.meaning = meaning

    def __repr__(self) -> str:
        return f"<{self.meaning}>"

    def __reduce__(self) -> str:
        # There is one of each, also for those who copy or pickle a dict.
        return self.meaning.upper()


# Under this key a dict remembers which pairs of keys are exchanged, as a `Maybe` that never is.
ORDER = _Hidden("order")
# Under this key a dict remembers that some of its keys are symbolic.
SYMBOLIC = _Hidden("symbolic")
HIDDEN = (ORDER, SYMBOLIC)

# By two keys in the order of the Python dict: the guard under which the second comes first.
Swaps = dict[tuple[Value, Value], Guard]
_NONE: Swaps = {}


def swaps_of(entries: dict[Value, Value]) -> Swaps:
    """Which pairs of keys are exchanged, and under which guard; not to be changed."""
    found = dict.get(entries, ORDER)
    return _NONE if found is None else found.value


def held(swaps: Swaps) -> Maybe:
    """What a dict holds under `ORDER`."""
    return Maybe(False, swaps)


class Order:
    """The keys of a dict in the order of the Python dict, and which pairs are exchanged."""

    __slots__ = ("places", "swaps")

    def __init__(self, keys: Iterable[Value], swaps: Swaps) -> None:
        self.places = {key: place for place, key in enumerate(keys)}
        self.swaps = swaps

    def before(self, x: Value, y: Value) -> Guard:
        """The guard under which one key comes before another."""
        if self.places[x] < self.places[y]:
            return not_(self.swaps.get((x, y), False))
        return self.swaps.get((y, x), False)

    def has(self, x: Value, y: Value) -> bool:
        """Whether both keys are among these."""
        return x in self.places and y in self.places

    def let(self, x: Value, y: Value, guard: Guard) -> None:
        """Let one key come before another where a guard holds, and after it elsewhere."""
        pair = (x, y)
        if self.places[x] < self.places[y]:
            guard = not_(guard)
        else:
            pair = (y, x)
        if guard is False:
            self.swaps.pop(pair, None)
        else:
            self.swaps[pair] = guard


def merged_orders(
    c: Guard, a: dict[Value, Value], b: dict[Value, Value]
) -> tuple[list[Value], Swaps]:
    """The keys of two dicts in one order, and the pairs that are exchanged, where `c` chooses.

    >>> from solvent.terms import Bool
    >>> merged_orders(Bool("p"), {"k": 1, "l": 2, "m": 3}, {"l": 1, "k": 2})
    (['k', 'l', 'm'], {('k', 'l'): not p})
    """
    if len(a) == len(b) and all(map(is_, a, b)) and ORDER not in a:
        return list(a), _NONE
    first, second = _visible(a), _visible(b)
    keys, agree = _common_order(first, second)
    swaps_a, swaps_b = swaps_of(a), swaps_of(b)
    if not agree or swaps_a or swaps_b:
        swaps = _merged_swaps(c, Order(first, swaps_a), Order(second, swaps_b), keys, second)
    else:
        swaps = _NONE
    if SYMBOLIC in a or SYMBOLIC in b:
        keys.append(SYMBOLIC)
    return keys, swaps


def _visible(entries: dict[Value, Value]) -> list[Value]:
    return [key for key in entries if type(key) is not _Hidden]


def _common_order(a: list[Value], b: list[Value]) -> tuple[list[Value], bool]:
    """An order of keys that contains the first order, and whether it contains the second too."""
    in_a = dict.fromkeys(a)
    places = {key: place for place, key in enumerate(b)}
    result: dict[Value, None] = {}
    agree = True
    done = 0
    for key in a:
        place = places.get(key)
        if place is not None:
            while done < len(b) and (b[done] not in in_a or b[done] in result):
                result[b[done]] = None
                done += 1
            if place == done:
                done += 1
            else:
                agree = False
        result[key] = None
    result.update(dict.fromkeys(b[done:]))
    return list(result), agree


def _merged_swaps(c: Guard, a: Order, b: Order, keys: list[Value], second: list[Value]) -> Swaps:
    result = Order(keys, {})
    for x, y in (*_inversions(keys, second), *a.swaps, *b.swaps):
        if not b.has(x, y):
            guard = a.before(x, y)
        elif not a.has(x, y):
            guard = b.before(x, y)
        else:
            guard = ite(c, a.before(x, y), b.before(x, y))
        result.let(x, y, guard)
    return result.swaps


def _inversions(keys: list[Value], other: list[Value]) -> Iterator[tuple[Value, Value]]:
    """The pairs of keys that another order has the other way round."""
    places = {key: place for place, key in enumerate(other)}
    seen: list[int] = []
    for key in keys:
        place = places.get(key)
        if place is not None:
            start = bisect(seen, place)
            for later in seen[start:]:
                yield other[later], key
            seen.insert(start, place)


def moved(order: Order, key: Value, guard: Guard, last: bool, others: Iterable[Value]) -> None:
    """Let a key come after (or before) others where a guard holds."""
    for other in others:
        if last:
            order.let(other, key, or_(guard, order.before(other, key)))
        else:
            order.let(key, other, or_(guard, order.before(key, other)))


def exchanged(order: Order, swaps: Iterable[tuple[Value, Value, Guard]]) -> None:
    """Let the second of two keys come first where a guard holds."""
    for x, y, guard in swaps:
        order.let(x, y, and_(order.before(x, y), not_(guard)))


def in_order(
    order: Order, rows: list[tuple[Value, Value]], holds: Callable[[Guard], object]
) -> list[tuple[Value, Value]]:
    """Rows that start with keys, all there, in the order that they have if these guards hold."""

    def compare(x: tuple[Value, Value], y: tuple[Value, Value]) -> int:
        return -1 if holds(order.before(x[0], y[0])) else 1

    return sorted(rows, key=cmp_to_key(compare))
