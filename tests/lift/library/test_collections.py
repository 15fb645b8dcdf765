"""`collections`: deques, counters, default dicts and ordered dicts against CPython."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import pytest

from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]


def ragged(p: Any, q: Any, x: Any, maxlen: Any = None) -> Any:
    """A deque of one to three items."""
    items = deque([x], maxlen)
    if p:
        items.append(5)
    if q:
        items.append(x + 1)
    return items


# --- deque ----------------------------------------------------------------------------------------


def test_both_ends() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, x)
        items.appendleft(7)
        items.append(8)
        first = items.popleft()
        last = items.pop() if p else None
        items.extendleft([1, x])
        items.extend((2, x))
        return items, first, last, len(items), items[0], items[-1], bool(items)

    agree(f, BITS, BITS, SMALL)


def test_empty_deques() -> None:
    def f(p: Any, q: Any) -> Any:
        items: deque[Any] = deque()
        if p:
            items.append(1)
        if q:
            return items.pop(), items
        return items.popleft(), items

    agree(f, BITS, BITS)


@pytest.mark.parametrize("maxlen", [0, 1, 2, 3])
def test_maximum_length(maxlen: int) -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, x, maxlen)
        items.append(8)
        if q:
            items.appendleft(9)
        items.extend([x, 3] if p else [])
        return items, items.maxlen, len(items)

    agree(f, BITS, BITS, [0, 1])


def test_insert_into_a_full_deque() -> None:
    def f(p: Any, q: Any, i: Any) -> Any:
        items = ragged(p, q, 1, 3)
        items.insert(i, "new")
        return items

    agree(f, BITS, BITS, [-1, 0, 1, 4])


def test_items_that_no_path_has_any_more() -> None:
    def f(p: Any, q: Any, x: Any, y: Any) -> Any:
        items, log = deque([1], 3), []
        if x == y:
            items.insert(0, 1)
        if p:
            log.append(items[0])
        if p:
            items.remove(1)
        if p:
            items.append(2)
        if q:
            log.append(items.pop())
        return items, log

    agree(f, BITS, BITS, SMALL, SMALL)


def test_rotate() -> None:
    def f(p: Any, n: Any) -> Any:
        items = ragged(p, True, 1)
        items.rotate(n)
        other = deque("abcd")
        other.rotate(-1 if p else n)
        empty: deque[Any] = deque()
        empty.rotate(n)
        other.rotate()
        return items, other, empty

    agree(f, BITS, [-5, -2, -1, 0, 1, 2, 3])


def test_searching_and_changing() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, x)
        found = items.index(x), items.count(5), 5 in items, items[-1]
        items.reverse()
        items.insert(1, "i")
        items.remove(x)
        items[0] = "first"
        return found, items, items.copy() == items, items == deque([5])

    agree(f, BITS, BITS, SMALL)


def test_what_is_not_there() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, 1)
        if p:
            items.remove(x)
        return items.index(x), items

    agree(f, BITS, BITS, [0, 1, 2, 5])

    def g(p: Any, i: Any) -> Any:
        items = ragged(p, p, 1)
        items[i] = 0
        del items[i - 1]
        return items, items[i]

    agree(g, BITS, [-3, -1, 0, 1, 2, 3])


def test_deques_in_place_and_aliases() -> None:
    def f(items: Any, alias: Any, p: Any, x: Any) -> Any:
        if p:
            items += [x]
        else:
            alias.clear()
        alias.appendleft(x)
        return items is alias, items.__len__(), items.__contains__(x), items.__add__(deque([1]))

    def make(p: Any, x: Any) -> tuple[Any, ...]:
        items = deque([5, 6])
        return items, items, p, x

    agree(f, BITS, SMALL, make=make)


def test_breadth_first_search() -> None:
    def f(a: Any, b: Any) -> Any:
        edges = {0: [a], 1: [b, 2], 2: []}
        queue, seen = deque([0]), [0]
        for _ in range(3):
            if queue:
                for node in edges[queue.popleft()]:
                    if node not in seen:
                        seen.append(node)
                        queue.append(node)
        return seen

    agree(f, SMALL, SMALL)


# --- Counter --------------------------------------------------------------------------------------


def counted(p: Any, x: Any) -> Any:
    """Counts of three symbolic elements or two."""
    items = [x, 1]
    if p:
        items.append(x)
    return Counter(items)


def test_counts() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found = counted(p, x)
        missing = found[7], found[y], y in found
        found[y] += 2
        return missing, found, found.total(), len(found), found.get(7)

    agree(f, BITS, SMALL, SMALL)


def test_counter_from_anything() -> None:
    def f(p: Any, x: Any) -> Any:
        return Counter({x: 2, 1: p}), Counter("aab"), Counter(a=x), Counter(), Counter([x], b=1)

    agree(f, BITS, SMALL)


def test_update_and_subtract() -> None:
    def f(p: Any, x: Any) -> Any:
        found = counted(p, x)
        found.update([x, 2])
        found.update({1: 5}, a=1)
        if p:
            found.subtract([x])
        found.subtract({1: 2, 9: x}, a=3)
        found.update(None)
        return [found[key] for key in (0, 1, 2, 9, "a")], found.total(), len(found)

    agree(f, BITS, SMALL)


def test_most_common() -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        found = Counter([x, 1, y])
        return found.most_common(), found.most_common(n), found.most_common(1)

    agree(f, SMALL, SMALL, [-1, 0, 1, 2, 5])


def test_elements() -> None:
    def f(p: Any, x: Any) -> Any:
        return list(counted(p, x).elements()), list(Counter(a=x, b=-1).elements())

    agree(f, BITS, SMALL)


def test_arithmetic() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        first, second = counted(p, x), Counter({y: 2, 1: -1})
        return first + second, first - second, first | second, first & second, +second, -second

    agree(f, BITS, SMALL, SMALL)


def test_arithmetic_in_place() -> None:
    def f(p: Any, x: Any) -> Any:
        a, b, c, d = counted(p, 1), counted(p, 1), counted(p, 1), counted(p, 1)
        other = Counter({1: x})
        a += other
        b -= other
        c |= other
        d &= other
        return a, b, c, d

    agree(f, BITS, SMALL)


def test_arithmetic_with_what_is_no_counter() -> None:
    def f(p: Any) -> Any:
        return Counter("a") + ({} if p else Counter("b"))

    agree(f, BITS)


def test_comparisons() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        first, second = counted(p, x), Counter({y: 1, 1: 1, 9: 0})
        return first == second, first != second, first <= second, first < second, first >= second

    agree(f, BITS, SMALL, SMALL)


def test_equality_with_a_dict() -> None:
    def f(p: Any, x: Any) -> Any:
        found = counted(p, x)
        return found == {x: 1, 1: 1}, {1: 2} == found, found != {1: 3}, {1: 3} != found

    agree(f, BITS, SMALL)


def test_deleting_a_count() -> None:
    def f(p: Any, x: Any) -> Any:
        found = counted(p, 1)
        del found[x]
        other = found.copy()
        other[5] = x
        return found, other

    agree(f, BITS, SMALL)


def test_fromkeys_of_a_counter() -> None:
    def f(p: Any) -> Any:
        return Counter.fromkeys([1]) if p else 0

    agree(f, BITS)


# --- defaultdict ----------------------------------------------------------------------------------


def test_default_values() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        groups: Any = defaultdict(list)
        groups[x].append("a")
        if p:
            groups[y].append("b")
        groups[1].append("c")
        return groups.get(0), groups.get(1), groups.get(2), len(groups)

    agree(f, BITS, SMALL, SMALL)


def test_default_numbers() -> None:
    def f(p: Any, x: Any) -> Any:
        counts: Any = defaultdict(int, {1: 5})
        counts[x] += 1
        if p:
            counts[2] += x
        nested: Any = defaultdict(lambda: defaultdict(int))
        nested[x][1] += 1
        other = counts.copy()
        other[9] += 1
        return dict(counts), nested[1][1], other[9], 9 in counts, counts.__missing__(8)

    agree(f, BITS, SMALL)


def test_reading_makes_keys_but_looking_does_not() -> None:
    def f(p: Any, x: Any) -> Any:
        found: Any = defaultdict(list)
        if p:
            found[x]
        return x in found, found.get(5), 5 in found, len(found), found.pop(7, 3)

    agree(f, BITS, SMALL)


def test_without_a_factory() -> None:
    def f(x: Any) -> Any:
        found: Any = defaultdict(None, {1: "one"})
        return found[x], defaultdict.fromkeys([x], 1)

    agree(f, SMALL)


# --- OrderedDict ----------------------------------------------------------------------------------


def test_ordered_dicts() -> None:
    def f(p: Any, x: Any) -> Any:
        found: Any = OrderedDict([("a", 1), ("b", x)])
        if p:
            found["c"] = 3
        found["a"] = 5
        return list(found), list(found.items()), list(found.values()), len(found), found

    agree(f, BITS, SMALL)


def test_move_to_end() -> None:
    def f(x: Any) -> Any:
        found: Any = OrderedDict.fromkeys("abc", x)
        found.move_to_end("a")
        found.move_to_end("c", last=False)
        return found, list(found), found.popitem(), found.popitem(last=False), found

    agree(f, SMALL)


def test_moves_under_a_condition_are_undone() -> None:
    def f(found: Any, p: Any) -> Any:
        if p:
            found.move_to_end("a")
            assert list(found) == ["b", "a"]
            found.move_to_end("a", last=False)
        else:
            assert list(found) == ["a", "b"]
            found["c"] = 3
        return list(found)

    agree(f, BITS, make=lambda p: (OrderedDict(a=1, b=2), p))


def test_failures_of_ordered_dicts() -> None:
    def f(p: Any) -> Any:
        found: Any = OrderedDict()
        if p:
            found["a"] = 1
        first = found.popitem(last=False)
        found.move_to_end("z")
        return first

    agree(f, BITS)


def test_equality_of_ordered_dicts() -> None:
    def f(p: Any, x: Any) -> Any:
        first: Any = OrderedDict([("a", x), ("b", 2)])
        second: Any = OrderedDict([("b", 2), ("a", 1)])
        if p:
            first.pop("b")
        return first == second, first == {"b": 2, "a": 1}, first == OrderedDict(a=1)

    agree(f, BITS, SMALL)


class Cache(OrderedDict):  # type: ignore[type-arg]
    """Forgets the oldest entry."""

    def put(self, key: Any, value: Any) -> None:
        self[key] = value
        if len(self) > 2:
            self.popitem(last=False)


def test_derived_classes() -> None:
    def f(p: Any, x: Any) -> Any:
        cache = Cache()
        cache.put("a", x)
        cache.put("b", 2)
        if p:
            cache.put("c", x)
        return list(cache.items()), "a" in cache, len(cache)

    agree(f, BITS, SMALL)
