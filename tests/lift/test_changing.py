"""Containers that change while something iterates over them, or while they are being filled."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import pytest

from solvent import Bool
from solvent.errors import NotLiftedError
from solvent.lift import execute
from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()
BOOLS = [False, True]
SMALL = range(-1, 4)


# --- iterating over what changes ------------------------------------------------------------------


@cases.on(BOOLS, SMALL)
def a_dict_that_grows(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    for key in found:
        if key == n:
            found[9] = 1
    return found, p


@cases.on(BOOLS, SMALL)
def a_dict_that_grows_by_a_symbolic_key(p: Any, n: Any) -> Any:
    found = {1: 1}
    for _ in found.items():
        found[n] = 1
    return found, p


@cases.on(BOOLS, SMALL)
def a_symbolic_dict_that_grows(p: Any, n: Any) -> Any:
    found = {1: 1, n: 2}
    for _ in found:
        if p:
            found[9] = 1
    return found


@cases.on(BOOLS, SMALL)
def a_dict_that_shrinks(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    for _ in found.values():
        if p:
            found.pop(n, None)
    return found


@cases.on(BOOLS, SMALL)
def a_loop_that_is_left_before_it_notices(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    seen = []
    for key in found.keys():  # noqa: SIM118
        seen.append(key)
        if key == n:
            found[9] = 1
        if key == 2 or p:
            break
    return seen, found


@cases.on(BOOLS, SMALL)
def a_comprehension_that_shrinks(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    return [found.pop(n, None) for _ in found], p


@cases.on(BOOLS, SMALL)
def values_that_change(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    seen = []
    for key, value in found.items():
        seen.append((key, value))
        if p:
            found[2] = n
    rest = iter(found.values())
    next(rest)
    found[2] = 7
    return seen, next(rest)


@cases.on(BOOLS, SMALL)
def values_of_symbolic_keys_that_change(p: Any, n: Any) -> Any:
    found = {1: 1, n: 2}
    seen = []
    for value in found.values():
        seen.append(value)
        if p:
            found[n] = 9
    return seen


@cases.on(BOOLS, SMALL)
def sets_that_grow_and_shrink(p: Any, n: Any) -> Any:
    found = {1, 2}
    for value in found:
        if value == n:
            found.add(9)
        if p:
            found.discard(2)
    return len(found)


@cases.on(BOOLS, SMALL)
def other_dicts(p: Any, n: Any) -> Any:
    found: Any = defaultdict(int, {1: 1, 2: 2})
    counts = Counter([1, 2])
    for _ in found:
        if p:
            found[n]
    for key in counts:
        if key == n:
            counts[9] += 1
    return found, counts


@cases.on(BOOLS, SMALL)
def iterators_over_a_dict(p: Any, n: Any) -> Any:
    found = {1: 1, 2: 2}
    forth, back = iter(found), reversed(found)
    next(forth)
    next(back)
    if p:
        found[n] = 1
    return next(forth), next(back), list(forth), list(back)


@cases.on(BOOLS, SMALL)
def items_of_a_deque_that_change(p: Any, n: Any) -> Any:
    found = deque([1, 2, 3])
    for place, value in enumerate(found):
        found[place] = value + n
    return found, p


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_python(case: Case) -> None:
    case.check()


def grow(found: Any, n: Any) -> Any:
    for value in found:
        if value == n:
            found.append(9)
    return found


def rotate(found: Any, n: Any) -> Any:
    for _ in found:
        found.rotate(n)
    return found


def move(found: Any, n: Any) -> Any:
    for key in found:
        if key == n:
            found.move_to_end(1)
    return found


@pytest.mark.parametrize(
    ("change", "make"),
    [
        (grow, lambda: deque([1, 2])),
        (grow, lambda: deque([1, 2], 2)),
        (rotate, lambda: deque([1, 2])),
        (move, lambda: OrderedDict([(1, 1), (2, 2)])),
    ],
)
def test_what_only_the_container_itself_knows_is_refused(change: Any, make: Any) -> None:
    def program(n: Any) -> Any:
        return change(make(), n)

    with pytest.raises(NotLiftedError, match="was changed while"):
        agree(program, SMALL)


# --- filling from what fails or looks on ----------------------------------------------------------

filling = Cases()


def shares(n: Any) -> Any:
    """Numbers, one of which may fail."""
    return (6 // (value - n) for value in [0, 1, 2])


def filled(found: Any, fill: Any) -> Any:
    try:  # noqa: SIM105
        fill(found)
    except ZeroDivisionError:
        pass
    return found


@filling
def lists_keep_what_came_before_a_failure(n: Any) -> Any:
    other = [5]
    try:
        other += shares(n)
    except ZeroDivisionError:
        other.append(0)
    return filled([], lambda found: found.extend(shares(n))), other


@filling
def deques_keep_what_came_before_a_failure(n: Any) -> Any:
    return (
        filled(deque(), lambda found: found.extend(shares(n))),
        filled(deque([1], 2), lambda found: found.extend(map((6).__floordiv__, [1, 2, 3]))),
        filled(deque([1]), lambda found: found.extendleft(shares(n))),
    )


@filling
def sets_keep_what_came_before_a_failure(n: Any) -> Any:
    return (
        filled(set(), lambda found: found.update(shares(n))),
        filled({6, 3, 2, -6, -3}, lambda found: found.difference_update(shares(n))),
        filled({6, 3, 2}, lambda found: found.intersection_update(shares(n))),
    )


@filling
def dicts_keep_what_came_before_a_failure(n: Any) -> Any:
    found = {1: 1}
    try:
        found |= ((value, value) for value in shares(n))
    except ZeroDivisionError:
        found[7] = 7
    return filled({}, lambda found: found.update(enumerate(shares(n)))), found


@filling
def a_set_keeps_what_came_before_what_it_cannot_hold(n: Any) -> Any:
    found = {0}
    try:
        found.update([1, [], n] if n > 1 else [n, 2])
    except TypeError:
        found.add(5)
    return found


@filling
def a_dict_that_is_filled_from_itself(n: Any) -> Any:
    found = {1: 1, 2: 2}
    found.update((key + n, 1) for key in found)
    return found


@filling
def a_list_is_empty_while_it_is_sorted(n: Any) -> Any:
    found = [3, n, 2]
    seen = []

    def key(value: Any) -> Any:
        seen.append(list(found))
        return 6 // value

    try:
        found.sort(key=key)
    except ZeroDivisionError:
        seen.append(list(found))
    return found, seen


@pytest.mark.parametrize("case", filling, ids=str)
def test_filling(case: Case) -> None:
    case.check()


def test_what_is_added_can_be_seen() -> None:
    def distinct(n: Any) -> Any:
        found: list[Any] = []
        found.extend(value + n for value in [1, 1, 2] if value + n not in found or n == 100)
        return found

    agree(call_on_each(distinct), range(3))


def call_on_each(function: Any) -> Any:
    """A function that is called with a concrete number on each path."""

    def program(n: Any) -> Any:
        for number in range(3):
            if n == number:
                return function(number)
        return None

    return program


def test_a_generator_that_would_read_too_early_is_refused() -> None:
    def extended(n: Any) -> Any:
        found: list[Any] = []
        found.extend(value for value in [1, 1, n] if value not in found)
        return found

    def appended(n: Any) -> Any:
        found: list[Any] = []
        for value in (value for value in [1, 1, n] if value not in found):
            found.append(value)
        return found

    def appended_behind_an_iterator(n: Any) -> Any:
        found = [1, 2, 3]
        values = iter(found)
        taken = []
        for value in (value for value in values if value > n):
            taken.append(value)
            if len(found) < 6:
                found.append(10)
        return taken

    for program in (extended, appended, appended_behind_an_iterator):
        with pytest.raises(NotLiftedError, match="read too early"):
            agree(program, SMALL)


# --- arguments by name ----------------------------------------------------------------------------


def test_named_arguments_of_a_method_of_which_another_is_a_union() -> None:
    def program(p: Any, n: Any) -> Any:
        return "a,b,c".split("," if p else ";", maxsplit=n), "a,b".split(
            ",", maxsplit=1 if p else 0
        )

    agree(program, BOOLS, SMALL)


class Items(list[Any]):
    pass


class Entries(dict[Any, Any]):
    pass


def test_classes_that_change_their_special_methods() -> None:
    def length(p: Any) -> Any:
        found = Items([1, 2]) if p else Items([1])
        before = len(found)
        Items.__len__ = lambda self: 7  # type: ignore[method-assign]
        after = len(found)
        del Items.__len__
        return before, after, len(found)

    def truth(p: Any) -> Any:
        found = Entries(a=1) if p else Entries()
        before = bool(found)
        Entries.__bool__ = lambda self: False  # type: ignore[attr-defined]
        after = bool(found)
        del Entries.__bool__  # type: ignore[attr-defined]
        return before, after, bool(found)

    def item(p: Any) -> Any:
        found = Entries(a=1) if p else Entries(a=2)
        before = found["a"]
        Entries.__getitem__ = lambda self, key: 5  # type: ignore[method-assign]
        after = found["a"]
        del Entries.__getitem__
        return before, after, found["a"]

    for function in (length, truth, item):
        agree(function, [False, True])


def test_special_methods_that_some_paths_set_are_refused() -> None:
    def length(p: Any) -> Any:
        found = Items([1])
        if p:
            Items.__len__ = lambda self: 7  # type: ignore[method-assign]
        return len(found)

    with pytest.raises(NotLiftedError, match="`__len__` only on some paths"):
        execute(length, Bool("p"))
