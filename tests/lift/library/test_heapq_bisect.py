"""`heapq` and `bisect`: results and the layout of heaps against CPython."""

from __future__ import annotations

import bisect
import heapq
import math
from collections import deque
from typing import Any

import pytest

from solvent import Int, NotLiftedError, verify
from solvent.lift import execute
from tests.lift.differential import agree
from tests.patience import FOREVER

BITS = [False, True]
SMALL = [0, 1, 2]


# --- heapq ----------------------------------------------------------------------------------------


def test_push() -> None:
    def f(x: Any, y: Any, z: Any, p: Any) -> Any:
        heap: list[Any] = [1]
        heapq.heappush(heap, x)
        if p:
            heapq.heappush(heap, y)
        heapq.heappush(heap, z)
        return heap, heap[0]

    agree(f, SMALL, SMALL, SMALL, BITS)


def test_pop() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        heap = [x, 1, y, z, 0, 2]
        heapq.heapify(heap)
        layout = list(heap)
        return layout, [heapq.heappop(heap) for _ in range(6)], heap

    agree(f, SMALL, SMALL, SMALL)


def test_pop_from_what_is_no_heap() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        heap = [2, x, 0, y, z, 1]
        return heapq.heappop(heap), heap, heapq.heappop(heap), heap

    agree(f, SMALL, SMALL, SMALL)


def test_an_item_that_rises_from_a_leaf_to_the_root() -> None:
    def f(x: Any, y: Any) -> Any:
        heap = [3, x, y, 2, 1, x, 2, 0]
        return heapq.heappop(heap), heap

    agree(f, SMALL, SMALL)


def test_pop_from_an_empty_heap() -> None:
    def f(p: Any, x: Any) -> Any:
        heap: list[Any] = []
        if p:
            heapq.heappush(heap, x)
        return heapq.heappop(heap), heap

    agree(f, BITS, SMALL)

    def g(p: Any) -> Any:
        heap: list[Any] = [1] if p else []
        return heapq.heapreplace(heap, 3), heap

    agree(g, BITS)


def test_replace_and_push_pop() -> None:
    def f(x: Any, y: Any, p: Any) -> Any:
        heap = [0, 1, 2]
        alias = heap
        if p:
            first = heapq.heapreplace(heap, x)
        else:
            first = heapq.heappushpop(heap, x)
        second = heapq.heappushpop(alias, y)
        return first, second, heap, heapq.heappushpop([], x)

    agree(f, [-1, 0, 1, 3], [-1, 1, 4], BITS)


def test_lengths_that_differ() -> None:
    def f(x: Any, p: Any, q: Any) -> Any:
        heap = [1]
        if p:
            heap.append(2)
        if q:
            heapq.heappush(heap, x)
        first = heapq.heappop(heap)
        heapq.heapify(heap)
        return first, heap, len(heap)

    agree(f, SMALL, BITS, BITS)


def test_pairs() -> None:
    def f(x: Any, y: Any) -> Any:
        heap: list[Any] = []
        for item in ((x, "a"), (1, "b"), (y, "c")):
            heapq.heappush(heap, item)
        return [heapq.heappop(heap)[1] for _ in range(3)]

    agree(f, SMALL, SMALL)


def test_values_that_cannot_be_compared() -> None:
    def f(p: Any, x: Any) -> Any:
        heap: list[Any] = [x]
        heapq.heappush(heap, "a" if p else 1)
        return heap

    agree(f, BITS, SMALL)

    def g(p: Any, x: Any) -> Any:
        return heapq.heappushpop([1, "a", "b"], 0 if p else x), p

    agree(g, BITS, [0, 1])


def test_smallest_and_largest() -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        items = [(x, "a"), (1, "b"), (y, "c")]
        return (
            heapq.nsmallest(n, items, key=lambda item: item[0]),
            heapq.nlargest(2, items, key=lambda item: item[0]),
            heapq.nlargest(n, [x, y]),
            heapq.nsmallest(1, {x, y}),
        )

    agree(f, SMALL, SMALL, [-1, 0, 1, 2, 4])


def test_merging() -> None:
    def f(p: Any) -> Any:
        if p:
            return list(heapq.merge([1, 3], (2, 4), reverse=False))
        return list(heapq.merge([3, 1], [2], reverse=True))

    agree(f, BITS)

    def g(a: Any, b: Any, c: Any, p: Any) -> Any:
        first = [min(a, b), max(a, b)]
        if p:
            first.append(9)
        falling = heapq.merge([max(a, b), min(a, b)], [c, -1], reverse=True)
        return list(heapq.merge(first, (c,), [min(1, b), 5])), list(falling)

    agree(g, SMALL, SMALL, SMALL, BITS)


def test_merging_by_a_key_keeps_the_order_of_equal_ones() -> None:
    def f(a: Any, b: Any, c: Any) -> Any:
        found = heapq.merge([(a, 1), (a + b, 2)], [(c, 3)], key=lambda pair: pair[0] // 2)
        return list(found)

    agree(f, SMALL, SMALL, SMALL)


def test_merging_what_is_not_sorted_is_not_known() -> None:
    def f(x: int) -> None:
        assert list(heapq.merge([x, 2], [1])) == sorted([x, 2, 1])

    def g(x: int) -> None:
        list(heapq.merge([x, "a"], [1]))

    for function in (f, g):
        found = verify(function)
        assert not found.holds
        assert "only lifted for lists that are sorted" in str(found.reason)


def test_shortest_path() -> None:
    def f(a: Any, b: Any) -> Any:
        edges = {0: [(1, a), (2, 2)], 1: [(2, b)], 2: []}
        best = {0: 0}
        heap = [(0, 0)]
        for _ in range(4):
            if not heap:
                break
            cost, node = heapq.heappop(heap)
            for other, weight in edges[node]:
                if other not in best or cost + weight < best[other]:
                    best[other] = cost + weight
                    heapq.heappush(heap, (cost + weight, other))
        return best[2]

    agree(f, SMALL, SMALL)


# --- bisect ---------------------------------------------------------------------------------------


def test_bisection() -> None:
    def f(x: Any, y: Any) -> Any:
        items = sorted([1, 3, y])
        return (
            bisect.bisect(items, x), bisect.bisect_left(items, x), bisect.bisect_right(items, x),
            bisect.bisect_left((0, 2, 2, 5), x), bisect.bisect([], x),
        )  # fmt: skip

    agree(f, [-1, 0, 1, 2, 3, 4], SMALL)


def test_bisection_of_what_is_not_sorted() -> None:
    def f(x: Any, y: Any) -> Any:
        items = [x, 0, y, 2, 1]
        return bisect.bisect_left(items, 1), bisect.bisect_right(items, x)

    agree(f, SMALL, SMALL)


def test_bounds_and_keys() -> None:
    def f(x: Any, p: Any) -> Any:
        items = [1, 2, 4]
        if p:
            items.append(5)
        return (
            bisect.bisect_left(items, x, 1),
            bisect.bisect_right(items, x, 0, 2),
            bisect.bisect_left(items, x, key=lambda item: item - 1),
        )

    agree(f, [0, 1, 2, 4, 6], BITS)


@pytest.mark.parametrize(
    "bounds",
    [
        (-1,),
        (0, 9),
        (0, -1),
        (0, -2),
        (1, -1),
        (5,),
        (True, False),
        (0, 1.0),
        (None,),
        ("a", 2),
        (-1, 2**70),
        (-(2**70), 1),
    ],
)
def test_strange_bounds(bounds: Any) -> None:
    for items in ([1, 2], (1, 2), deque((1, 2))):
        agree(lambda x, items=items: bisect.bisect(items, x, *bounds), [0, 5])


def test_symbolic_bounds() -> None:
    def f(x: Any, low: Any, high: Any, p: Any) -> Any:
        items = [1, 2, 4]
        if p:
            items.append(5)
        found = bisect.bisect_left(items, x, low, high)
        bisect.insort(items, x, 0, None if p else high)
        return found, items

    agree(f, [0, 3], [-1, 0, 1], [-2, -1, 0, 3, 5], BITS)
    agree(lambda x, p: bisect.bisect([1, 2, 4], x, p), [0, 1, 3], BITS)


def test_symbolic_bounds_that_may_be_anything_are_refused() -> None:
    def f(n: Any) -> Any:
        return bisect.bisect([1, 2], 1, n)

    with pytest.raises(NotLiftedError, match="lo"):
        execute(f, Int("n"))


def test_insertion() -> None:
    def f(x: Any, y: Any, p: Any) -> Any:
        items = [0, 2]
        alias = items
        bisect.insort(items, x)
        if p:
            bisect.insort_left(alias, y)
        bisect.insort_right(items, 1, key=lambda item: item)
        return items

    agree(f, SMALL, SMALL, BITS)


def test_insertion_is_stable() -> None:
    def f(x: Any) -> Any:
        items = [(0, "a"), (1, "b"), (2, "c")]
        bisect.insort_left(items, (x, "left"), key=lambda item: item[0])
        return items

    # `insort` applies the key to the new item, but `bisect` does not.
    agree(f, SMALL)


def test_arguments_that_are_missing() -> None:
    for function in (bisect.bisect_left, bisect.bisect_right, bisect.insort_right):
        agree(lambda k, function=function: function([k]), [0, 1])
        agree(lambda k, function=function: function([k], k, wrong=k), [0, 1])
    agree(lambda k: heapq.heapreplace([k]), [0, 1])
    agree(lambda k: heapq.heappush([k], k, k), [0, 1])
    agree(lambda k: bisect.bisect_right(10, k), [0, 1])  # type: ignore[call-overload]


def two_smallest(x: float, y: float, z: float) -> None:
    found, ranked = heapq.nsmallest(2, [x, y, z]), sorted([x, y, z])
    assert all(a == b or (a != a and b != b) for a, b in zip(found, ranked, strict=False))


def two_largest(x: float, y: float, z: float) -> None:
    found, ranked = heapq.nlargest(2, [x, y, z]), sorted([x, y, z], reverse=True)
    assert all(a == b or (a != a and b != b) for a, b in zip(found, ranked, strict=False))


@pytest.mark.parametrize("wrong", [two_smallest, two_largest])
def test_the_smallest_of_what_has_no_order_is_not_proved(wrong: object) -> None:
    assert not verify(wrong, budget=FOREVER, probes=False).holds  # type: ignore[call-overload]


def test_the_smallest_of_known_items_are_those_of_python() -> None:
    items = [math.nan, 2.0, 1.0, math.nan, 0.5]
    for function in (heapq.nsmallest, heapq.nlargest):
        for count in range(7):
            found = execute(lambda n=count, f=function: f(n, items)).value  # type: ignore[misc]
            assert repr(found) == repr(function(count, items))
