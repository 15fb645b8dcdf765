"""`StopIteration` that a function of the program raises while an iterator or generator runs."""

from __future__ import annotations

import collections
import functools
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from solvent.errors import NotLiftedError
from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()


def unless(n: Any) -> Callable[[Any], Any]:
    """A function that gives back what it gets, but for one value."""

    def function(value: Any) -> Any:
        if value == n:
            raise StopIteration
        return value

    return function


@cases
def map_ends(n: Any) -> Any:
    return list(map(unless(n), [0, 1, 2]))


@cases
def map_goes_on_when_it_is_asked_again(n: Any) -> Any:
    found = map(unless(n), [0, 1, 2])
    return list(found), list(found)


@cases
def steps_of_a_map(n: Any) -> Any:
    found = map(unless(n), [0, 1, 2])
    return next(found, "a"), next(found, "b"), next(found, "c"), next(found, "d")


@cases
def the_first_step_of_a_map(n: Any) -> Any:
    return next(map(unless(n), [0]))


@cases
def a_handler_around_a_map(n: Any) -> Any:
    try:
        return next(map(unless(n), [0]))
    except StopIteration:
        return "stopped"


@cases
def loops_over_maps(n: Any) -> Any:
    found: list[Any] = []
    for value in map(unless(n), [0, 1, 2]):
        found.append(value)
    else:
        found.append("end")
    source = map(unless(n), [0, 1, 2])
    for value in source:
        found.append(value)
    for value in source:
        found.append(("again", value))
    return found, [value for value in map(unless(n), [2, 1, 0])]  # noqa: C416


@cases.on(range(3), [False, True])
def a_map_over_an_iterator_that_is_ahead_on_some_paths(n: Any, p: Any) -> Any:
    source = iter([0, 1, 2])
    if p:
        next(source)
    return list(map(lambda value: next(source) + value, [10, 20, 30])), n  # noqa: C417


@cases
def filter_ends(n: Any) -> Any:
    found = filter(unless(n), [1, 0, 2, 3])
    return list(found), list(found)


@cases
def steps_of_a_filter(n: Any) -> Any:
    found = filter(unless(n), [1, 0, 2])
    return next(found, "a"), next(found, "b"), next(found, "c")


@cases
def iterators_over_a_map(n: Any) -> Any:
    def source() -> Any:
        return map(unless(n), [0, 1, 2])

    return (
        list(zip(source(), "abc", strict=False)),
        list(enumerate(source())),
        list(itertools.chain(source(), [7])),
        list(itertools.chain.from_iterable([source(), [7]])),
        list(itertools.islice(source(), 2)),
        list(itertools.zip_longest(source(), [5])),
        list(itertools.pairwise(source())),
        [list(each) for each in itertools.tee(source())],
    )


@cases
def strict_zips(n: Any) -> Any:
    return list(zip("abc", map(unless(n), [0, 1, 2]), strict=True))


@cases
def itertools_that_call_functions(n: Any) -> Any:
    def add(total: Any, value: Any) -> Any:
        return total + unless(n)(value)

    stop = unless(n)
    return (
        list(itertools.takewhile(stop, [3, 1, 2])),
        list(itertools.dropwhile(stop, [3, 1, 0, 2])),
        list(itertools.filterfalse(stop, [0, 3, 0, 1])),
        list(itertools.starmap(stop, [(0,), (1,), (2,)])),
        list(itertools.accumulate([3, 1, 2], add)),
        [(key, list(group)) for key, group in itertools.groupby([0, 0, 1, 2], stop)],
        list(itertools.islice(iter(lambda: stop(1), 3), 2)),
    )


@cases
def consumers_of_a_map(n: Any) -> Any:
    def source() -> Any:
        return map(unless(n), [0, 1, 2])

    found = [9]
    found.extend(source())
    found += source()
    found[:1] = source()
    return (
        sum(source()), max(source(), default=7), sorted(source()), tuple(source()), set(source()),
        [*source()], (lambda *values: values)(*source()), dict(zip(source(), "abc", strict=False)),
        1 in source(), any(source()), collections.Counter(source()), deque(source()), found,
        functools.reduce(lambda a, b: a + b, source(), 0),
    )  # fmt: skip


@cases
def unpacking_a_map(n: Any) -> Any:
    first, second = map(unless(n), [0, 1])
    return first, second


@cases
def functions_that_are_not_called_by_iterators(n: Any) -> Any:
    return sorted([0, 1, 2], key=unless(n))


@cases
def other_exceptions_pass(n: Any) -> Any:
    found: list[Any] = []
    source = map(lambda value: 6 // (value - n), [0, 1, 2])  # noqa: C417
    while True:
        try:
            found.append(next(source))
        except ZeroDivisionError:
            found.append("zero")
        except StopIteration:
            return found


@cases
def a_generator_must_not_stop_so(n: Any) -> Any:
    def generator() -> Iterator[Any]:
        yield unless(n)(0)
        yield unless(n)(1)

    try:
        return list(generator())
    except StopIteration:
        return "wrong"


@cases
def a_generator_expression_must_not_stop_so(n: Any) -> Any:
    try:
        return list(unless(n)(value) for value in [0, 1])  # noqa: C400
    except RuntimeError as error:
        return str(error)


@cases
def a_generator_may_catch_it(n: Any) -> Any:
    def generator() -> Iterator[Any]:
        for value in range(3):
            try:
                yield unless(n)(value)
            except StopIteration:
                yield "caught"

    return list(generator())


@cases
def what_a_generator_calls_may_catch_it(n: Any) -> Any:
    def careful(value: Any) -> Any:
        try:
            return unless(n)(value)
        except StopIteration:
            return "caught"

    def generator() -> Iterator[Any]:
        yield careful(0)
        yield careful(1)

    return list(generator())


class Until:
    """An iterator that is written by hand."""

    def __init__(self, stop: Any) -> None:
        self.stop = stop
        self.place = 0

    def __iter__(self) -> Until:
        return self

    def __next__(self) -> Any:
        self.place += 1
        if self.place == self.stop or self.place > 3:
            raise StopIteration
        return self.place


@cases
def iterators_written_by_hand(n: Any) -> Any:
    return list(Until(n)), list(map(str, Until(n))), list(zip(Until(n), Until(2), strict=False))


@cases
def the_last_step_of_a_loop_takes_items_too(n: Any) -> Any:
    first, second = iter([1, 2, 3]), [value for value in [5] if value > n]
    found = [pair for pair in zip(first, second, strict=False)]  # noqa: C416
    return found, list(first), second


@cases
def an_iterator_that_has_ended_stays_so(n: Any) -> Any:
    values = [value for value in [0, 1, 2] if value > n]
    source = iter(values)
    found = [value + 1 for value in source]
    values.append(9)
    return found, list(source)


@pytest.mark.parametrize("case", cases, ids=str)
def test_stopping(case: Case) -> None:
    case.check()


def test_a_value_of_stop_iteration_is_refused() -> None:
    def program(n: Any) -> Any:
        def function(value: Any) -> Any:
            if value == n:
                raise StopIteration(7)
            return value

        return next(map(function, [0]))

    with pytest.raises(NotLiftedError, match="with a value"):
        agree(program, range(2))
