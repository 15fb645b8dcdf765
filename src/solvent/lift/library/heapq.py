"""`heapq`: the layout of the heap is that of Python's own functions.

Where an item goes depends on comparisons, so its place is symbolic.  Instead of a symbolic index,
every place of the tree gets a guard under which the item comes by: one comparison per place.
"""

from __future__ import annotations

import heapq
import itertools
import operator
from collections.abc import Callable

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.counted import lifts_counted
from solvent.lift.registry import lifts
from solvent.lift.sorting import items_to_sort, less, ranked_items
from solvent.lift.unlifted import is_data
from solvent.lift.values import sequences
from solvent.lift.values.protocol import get_item, iter_of
from solvent.lift.values.sequences import pick
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.vm.kinds import python_type
from solvent.vm.machine import current
from solvent.vm.places import ITEMS
from solvent.vm.spread import either, over_members_of
from solvent.vm.values import Guard, Value

_EMPTY = "index out of range"


def _rise(values: list[Value], place: int) -> None:
    """Move an item towards the root, past the larger ones."""
    item = values[place]
    arrived: Guard = True
    while place:
        parent = (place - 1) // 2
        up = less(item, values[parent], arrived)
        values[place] = pick(up, values[parent], pick(arrived, item, values[place]))
        if up is False:
            return
        arrived, place = up, parent
    values[0] = pick(arrived, item, values[0])


def _sink(values: list[Value], start: int) -> None:
    """Move an item down as Python does: to a leaf along the smaller children, then up again."""
    item = values[start]
    here = _way_down(values, start)
    up: dict[int, Guard] = {}
    arrived: dict[int, Guard] = {}
    for place in reversed(here):
        below = [child for child in _children(place) if child in here]
        arrived[place] = or_([up[child] for child in below]) if below else here[place]
        # The child came up when the item went down; the item passes it on the way back.
        up[place] = place != start and less(item, values[place], arrived[place])
    old = list(values)
    for place in here:
        for child in _children(place):
            if child in here:
                moved = and_(here[child], not_(up[child]))
                values[place] = pick(moved, old[child], values[place])
        values[place] = pick(and_(arrived[place], not_(up[place])), item, values[place])


def _children(place: int) -> tuple[int, int]:
    return 2 * place + 1, 2 * place + 2


def _way_down(values: list[Value], start: int) -> dict[int, Guard]:
    """Under which guard each place below is on the way along the smaller children."""
    here: dict[int, Guard] = {start: True}
    for place in range(start, len(values)):
        left, right = _children(place)
        if place not in here or left >= len(values):
            continue
        guard = here[place]
        first = True if right >= len(values) else less(values[left], values[right], guard)
        for child, side in ((left, and_(guard, first)), (right, and_(guard, not_(first)))):
            if side is not False:
                here[child] = side
    return here


@over_members_of("heap")
def _changed(
    heap: Value, native: Callable[[Value], Value], action: Callable[[list[Value]], Value]
) -> Value:
    """Do something with the items of a heap, once for every length that it may have."""
    if not isinstance(heap, list):
        return native(heap)
    if sequences.is_ragged(heap):
        return sequences.by_length(heap, lambda found: _changed(found, native, action))
    current().write_whole(ITEMS, heap)
    values = list.copy(heap)
    result = action(values)
    ITEMS.restore(heap, values)
    return result


@lifts_counted(heapq.heappush)
def heappush(heap: Value, item: Value, /) -> None:
    """`heapq.heappush(heap, item)`."""

    def push(values: list[Value]) -> None:
        values.append(item)
        if all(map(is_data, values)):
            values.pop()
            heapq.heappush(values, item)
        else:
            _rise(values, len(values) - 1)

    _changed(heap, lambda found: heapq.heappush(found, item), push)


@lifts_counted(heapq.heappop)
def heappop(heap: Value, /) -> Value:
    """`heapq.heappop(heap)`."""

    def pop(values: list[Value]) -> Value:
        if not values:
            raise IndexError(_EMPTY)
        if all(map(is_data, values)):
            return heapq.heappop(values)
        last = values.pop()
        return _replace(values, last) if values else last

    return _changed(heap, heapq.heappop, pop)


def _replace(values: list[Value], item: Value) -> Value:
    """Take the smallest item and put another in."""
    current().write_whole(ITEMS, values)
    first, values[0] = values[0], item
    _sink(values, 0)
    return first


@lifts_counted(heapq.heapreplace)
def heapreplace(heap: Value, item: Value, /) -> Value:
    """`heapq.heapreplace(heap, item)`."""

    def replace(values: list[Value]) -> Value:
        if not values:
            raise IndexError(_EMPTY)
        return _replace(values, item)

    return _changed(heap, lambda found: heapq.heapreplace(found, item), replace)


@lifts_counted(heapq.heappushpop)
def heappushpop(heap: Value, item: Value, /) -> Value:
    """`heapq.heappushpop(heap, item)`."""

    def push_pop(values: list[Value]) -> Value:
        if not values:
            return item
        return either(less(values[0], item), lambda: _replace(values, item), lambda: item)

    return _changed(heap, lambda found: heapq.heappushpop(found, item), push_pop)


@lifts_counted(heapq.heapify)
def heapify(heap: Value, /) -> None:
    """`heapq.heapify(heap)`."""

    def order(values: list[Value]) -> None:
        if all(map(is_data, values)):
            heapq.heapify(values)
            return
        for place in reversed(range(len(values) // 2)):
            _sink(values, place)

    _changed(heap, heapq.heapify, order)


@lifts(heapq.nsmallest)
def nsmallest(n: Value, iterable: Value, key: Value = None) -> Value:
    """`heapq.nsmallest(n, iterable, key)`."""
    return _ranked(heapq.nsmallest, n, iterable, key)


@lifts(heapq.nlargest)
def nlargest(n: Value, iterable: Value, key: Value = None) -> Value:
    """`heapq.nlargest(n, iterable, key)`."""
    return _ranked(heapq.nlargest, n, iterable, key)


@over_members_of("source")
def _ranked(
    function: Callable[[int, list[Value]], Value], n: Value, source: Value, key: Value
) -> Value:
    """The first items in order; Python's own way to find them matters if they have none."""
    items = items_to_sort(source, key)
    if key is None and type(n) is int and is_data(items):
        return function(n, items)
    return _first(n, ranked_items(items, key, function is heapq.nlargest))


@over_members_of("n")
def _first(n: Value, ranked: Value) -> Value:
    """The first items; none for a negative number."""
    number = ite(n < 0, 0, n) if type(n) in sequences.INDICES else max(n, 0)
    return get_item(ranked, slice(None, number))


@lifts(heapq.merge)
def merge_sorted(*iterables: Value, key: Value = None, reverse: Value = False) -> Value:
    """`heapq.merge(...)`, if nothing is symbolic."""
    plain = all(isinstance(found, (list, tuple)) and is_data(found) for found in iterables)
    if plain and key is None:
        return iter_of(list(heapq.merge(*iterables, reverse=reverse)))
    for found in iterables:
        if not issubclass(python_type(found), (list, tuple)):
            raise NotLiftedError(
                "`heapq.merge` of symbolic values is only lifted for lists and tuples; make lists"
            )
    ordered, items = _merged(iterables, key, reverse)
    unsorted = NotLiftedError(
        "`heapq.merge` of symbolic values is only lifted for lists that are sorted; sort them first"
    )
    current().end_unknown(not_(ordered), unsorted)
    return iter_of(items)


@lifted
def _merged(iterables: tuple[Value, ...], key: Value, reverse: Value) -> tuple[Guard, list[Value]]:
    """Whether all lists are sorted, and their items, which are in the order of `sorted` then."""
    lists = [[(item if key is None else key(item), item) for item in found] for found in iterables]
    pairs = [pair for found in lists for pair in found]
    try:
        for found in lists:
            for (before, _), (after, _) in itertools.pairwise(found):
                if (before < after) if reverse else (after < before):
                    return False, []
        pairs.sort(key=operator.itemgetter(0), reverse=reverse)
    except TypeError:
        # Merging compares fewer of them.
        return False, []
    return True, [item for _, item in pairs]
