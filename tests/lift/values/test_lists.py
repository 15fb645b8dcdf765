"""Lists and tuples: every method against CPython, on symbolic items, indices and lengths."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError, assume, evaluate, verify
from solvent.lift import execute
from solvent.solvers import Status
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]
INDICES = [-4, -3, -2, -1, 0, 1, 2, 3, 4]


def ragged(p: Any, q: Any, x: Any) -> list[Any]:
    """A list of one to three items."""
    items = [x]
    if p:
        items.append(5)
    if q:
        items.append(x + 1)
    return items


def test_append_and_extend() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        a = ragged(p, q, x)
        b = a
        b.append(x)
        a.extend(ragged(q, p, 3))
        a += (7, x)
        return a, b, len(a)

    agree(f, BITS, BITS, SMALL)


def test_extend_by_anything() -> None:
    def f(p: Any, x: Any) -> Any:
        items: list[Any] = []
        items.extend({x: 1, 2: 2})
        items.extend({1: x}.values())
        items.extend((x, p) if p else "ab")
        items.extend(items)
        return items

    agree(f, BITS, SMALL)


def test_extend_by_what_is_not_iterable() -> None:
    def f(x: Any) -> Any:
        [].extend(x)

    agree(f, SMALL)


@pytest.mark.parametrize("length", [0, 1, 3])
def test_insert_at_a_symbolic_index(length: int) -> None:
    def f(i: Any, p: Any) -> Any:
        items = list(range(length))
        if p:
            items.insert(i, "new")
        return items

    agree(f, INDICES, BITS)


def test_insert_into_a_ragged_list() -> None:
    def f(p: Any, q: Any, i: Any) -> Any:
        items = ragged(p, q, 1)
        items.insert(i, "new")
        items.insert(0, "first")
        items.insert(-1, "before last")
        return items

    agree(f, BITS, BITS, [-2, 0, 1, 2, 5])


def test_insert_with_an_index_of_the_wrong_type() -> None:
    def f(p: Any) -> Any:
        items = [1]
        items.insert("a" if p else 0, 2)  # type: ignore[call-overload]
        return items

    agree(f, BITS)


def test_pop() -> None:
    def f(p: Any, q: Any, i: Any) -> Any:
        items = ragged(p, q, 1)
        if p:
            last = items.pop()
        else:
            last = items.pop(i)
        return last, items

    agree(f, BITS, BITS, [-3, -1, 0, 1, 2])


def test_pop_until_empty() -> None:
    def f(p: Any, q: Any) -> Any:
        items = ragged(p, q, 1)
        return items.pop(), items.pop(0), items

    agree(f, BITS, BITS)


def test_remove() -> None:
    def f(x: Any, y: Any, p: Any) -> Any:
        items = [x, 1, y, 2]
        if p:
            items.append(9)
            items.remove(1)
        items.remove(y)
        return items

    agree(f, SMALL, SMALL, BITS)


def test_remove_what_is_not_there() -> None:
    def f(x: Any, p: Any) -> Any:
        items = [0, 1] if p else [1]
        try:
            items.remove(x)
        except ValueError as error:
            return str(error), items
        return items

    agree(f, SMALL, BITS)

    def g(x: Any) -> Any:
        [3, 4].remove(x)

    agree(g, [3, 5])


def test_items_that_no_path_has_any_more() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items, log = [1], []
        if p:
            items.append(2)
        if x > 0:
            items.remove(x)
        if x > 0:
            items += [1]
        if x > 0:
            log.append(items.pop(0))
        if q:
            log.append(items.pop())
        return items, log

    agree(f, BITS, BITS, SMALL)


def test_index() -> None:
    def f(x: Any, y: Any, p: Any) -> Any:
        items = [x, 1, y]
        if p:
            items.append(7)
        return items.index(y), items.index(1), (x, 1, y).index(y)

    agree(f, SMALL, SMALL, BITS)


def test_index_that_fails() -> None:
    def f(x: Any, p: Any) -> Any:
        items = [1, 2]
        if p:
            items.append(3)
        return items.index(x)

    agree(f, [0, 1, 2, 3, -5], BITS)

    def g(x: Any) -> Any:
        return (1, 2).index(x)

    agree(g, SMALL)


def test_index_within_bounds() -> None:
    def f(start: Any, stop: Any, x: Any) -> Any:
        return [0, x, 0, 1].index(0, start, stop)

    agree(f, [-5, -2, 0, 1, 3], [-2, 0, 2, 4, 9], [0, 1])

    def g(start: Any, p: Any) -> Any:
        return ragged(p, True, 1).index(2, start)

    agree(g, [-3, -1, 0, 1, 2], BITS)


def test_index_with_a_bound_of_the_wrong_type() -> None:
    def f(p: Any) -> Any:
        return [1].index(1, None if p else 0)  # type: ignore[arg-type]

    agree(f, BITS)


def test_count() -> None:
    def f(x: Any, y: Any, p: Any) -> Any:
        items = ragged(p, True, x)
        return items.count(y), (x, y, 1).count(1), [x, None, "a"].count(None)

    agree(f, SMALL, SMALL, BITS)


def test_reverse_clear_and_copy() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, x)
        other = items.copy()
        items.reverse()
        if q:
            other.clear()
        return items, other, other is items

    agree(f, BITS, BITS, SMALL)


def test_changes_to_an_argument_under_conditions() -> None:
    def f(items: Any, alias: Any, p: Any, x: Any) -> Any:
        if p:
            items.insert(x, [])
            items.remove(5)
        else:
            alias.reverse()
        alias[0] = x
        return items is alias

    def make(p: Any, x: Any) -> tuple[Any, ...]:
        items = [5, 6, 7]
        return items, items, p, x

    agree(f, BITS, SMALL, make=make)


def test_slices_with_symbolic_bounds() -> None:
    def f(i: Any, j: Any) -> Any:
        items = [1, 2, 3]
        return items[i:j], items[i::-1], items[:j:-1], items[i:], (1, 2)[:j]

    agree(f, INDICES, INDICES)


def test_slices_with_symbolic_steps() -> None:
    def f(i: Any, step: Any) -> Any:
        items = [1, 2, 3]
        return items[i::step], items[:i:step], (1, 2)[::step], [][i::step]

    agree(f, INDICES, INDICES)

    def g(n: Any) -> Any:
        items, others = [1, 2, 3, 4], [1, 2, 3, 4]
        del items[::n]
        others[::n] = [7, 8]
        return items, others

    agree(g, INDICES)


def test_slices_with_bounds_of_several_types() -> None:
    def f(p: Any, x: Any) -> Any:
        bound = x if p else None
        return [1, 2, 3][bound:], [1, 2, 3][:bound:2]

    agree(f, BITS, [-2, 0, 1, 5])


def test_assignment_to_symbolic_slices() -> None:
    def f(i: Any, j: Any, p: Any) -> Any:
        items = [1, 2, 3]
        if p:
            items[i:j] = [7, 8]
        else:
            items[i:] = ragged(p, j > 0, i)
        return items

    agree(f, [-4, -1, 0, 2, 4], [-1, 0, 2, 4], BITS)


def test_assignment_to_extended_slices() -> None:
    def f(p: Any, x: Any) -> Any:
        items = [0, 1, 2]
        items[::2] = [x, x] if p else [x]
        return items

    agree(f, BITS, SMALL)


def test_deletion() -> None:
    def f(i: Any, j: Any, p: Any) -> Any:
        items = [1, 2, 3]
        if p:
            del items[i]
        else:
            del items[i:j]
        return items

    agree(f, [-4, -1, 0, 2, 3], [-1, 0, 2, 4], BITS)


def test_deletion_from_a_ragged_list() -> None:
    def f(p: Any, q: Any, i: Any) -> Any:
        items = ragged(p, q, 1)
        del items[i]
        return items

    agree(f, BITS, BITS, [-3, -1, 0, 1, 2])


def test_repetition() -> None:
    def f(p: Any, n: Any) -> Any:
        items = ragged(p, p, 1)
        number = 2 if n else 0
        items *= number
        return items, [1] * number, items.__mul__(2)

    agree(f, BITS, BITS)


@pytest.mark.parametrize("items", [[1, 2], (1, 2), "ab", b"ab", [], ()], ids=repr)
def test_a_symbolic_number_of_repetitions(items: Any) -> None:
    def f(n: Any, p: Any) -> Any:
        found = items * n
        if p:
            found = n * found
        return found, len(found), found[:3]

    agree(f, range(-2, 5), BITS)


def test_ragged_lists_are_repeated() -> None:
    def f(p: Any, q: Any, n: Any) -> Any:
        items = ragged(p, q, n)
        items *= n
        return items

    agree(f, BITS, BITS, range(-1, 4))


def test_many_repetitions_within_bounds() -> None:
    def f(n: Any) -> Any:
        return len([0] * n), len("a" * n)

    agree(f, range(595, 601))


@pytest.mark.parametrize("items", [[1], (1,), "a", b"a"], ids=repr)
def test_repetitions_without_bounds_end_at_a_limit(items: Any) -> None:
    def f(n: Any) -> Any:
        return len(items * n)

    outcome = execute(f, Int("n"))
    for number in (-1, 0, 3, 64):
        assert evaluate(outcome.normal, {"n": number}) is True
        assert evaluate(outcome.value, {"n": number}) == max(0, number)
    for number, error in (
        (65, NotLiftedError),
        (2**63 - 1, NotLiftedError),
        (2**63, OverflowError),
    ):
        [found] = [x for x in outcome.failures if evaluate(x.condition, {"n": number})]
        assert type(found.exception) is error


def test_the_bound_of_a_query_is_that_of_repetitions() -> None:
    def f(n: int) -> None:
        assume(abs(n) < 2**40)
        assert len([0] * n) < 6

    assert verify(f, bound=5).status is Status.UNKNOWN
    assert verify(f, bound=5, unwinding="assume").status is Status.UNSAT
    assert verify(f, bound=6).status is Status.SAT


def test_special_methods_called_by_name() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        items = ragged(p, q, x)
        items.__setitem__(0, 3)
        found = items.__getitem__(-1), items.__len__(), items.__contains__(5)
        same = items.__eq__([3, 5]), items.__eq__((3, 5)), items.__lt__([3, x]), items.__ne__([3])
        items.__delitem__(0)
        return found, same, items.__add__([x]), items.__iadd__([1]), list.__len__(items)

    agree(f, BITS, BITS, SMALL)

    def g(x: Any) -> Any:
        pair = (x, 2)
        return pair.__getitem__(0), pair.__contains__(1), pair.__len__(), pair.__getitem__(x)

    agree(g, SMALL)


class Stack(list):  # type: ignore[type-arg]
    """A list with attributes."""

    def __init__(self, *items: Any) -> None:
        super().__init__(items)
        self.pushed = 0

    def push(self, item: Any) -> None:
        self.append(item)
        self.pushed += 1


class Shifted(list):  # type: ignore[type-arg]
    """A list whose indices start at one."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index - 1)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index - 1, value)

    def __len__(self) -> int:
        return super().__len__() + 100


def test_derived_classes() -> None:
    def f(p: Any, x: Any) -> Any:
        stack = Stack(x, 1)
        if p:
            stack.push(x)
        return stack, stack.pushed, len(stack), stack[-1], x in stack, stack.index(1)

    agree(f, BITS, SMALL)


def test_derived_classes_with_their_own_access() -> None:
    def f(i: Any, p: Any) -> Any:
        items = Shifted()
        items.extend([10, 20, 30])
        if p:
            items.append(40)
            items[i] = 5
        items.insert(i, 7)
        return items[i], len(items), items.count(7), items.index(30), items.pop(), list(items)

    agree(f, [1, 2, 3], BITS)


class Circular(list):  # type: ignore[type-arg]
    """A list whose indices may be too large."""

    def __getitem__(self, index: Any) -> Any:
        return list.__getitem__(self, index % len(self) if isinstance(index, int) else index)


class Endless(list):  # type: ignore[type-arg]
    """A list with an iterator of its own."""

    def __iter__(self) -> Any:
        return iter([9, 9])


class Long(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 7


@pytest.mark.parametrize("kind", [Circular, Endless, Long])
def test_what_a_derived_class_leaves_to_list(kind: type[list[Any]]) -> None:
    def f(p: Any, x: Any) -> Any:
        items = kind([1])
        if p:
            items.append(x)
        items[0] = 2
        told = len(items), bool(items), 1 in items, items == [2], [2] == items, items < [2, 1]
        listed = [item for item in items], list(items), sorted(items), items[0], items[-1:]  # noqa: C416
        del items[0]
        return told, listed, items + [3], list.copy(items)  # noqa: RUF005

    agree(f, BITS, SMALL)


def test_other_containers_with_their_own_access_are_refused() -> None:
    class Fives(deque):  # type: ignore[type-arg]
        def __getitem__(self, index: Any) -> Any:
            return 5

    class Nines(set):  # type: ignore[type-arg]
        def __iter__(self) -> Any:
            return iter([9])

    for kind in (Fives, Nines):
        with pytest.raises(NotLiftedError, match=f"{kind.__name__} derives from"):
            execute(lambda x: len(kind([x])), Int("x"))  # noqa: B023


def test_concrete_lists_stay_concrete() -> None:
    def f(p: Any) -> Any:
        items = [3, 1, 2]
        items.sort()
        items.insert(1, 9)
        items.remove(2)
        return items

    assert execute(f, Bool("p")).value == [1, 9, 3]
