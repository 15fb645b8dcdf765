"""Steps of iterators that branch, written as lifted Python; see `solvent.lift.values.iterators`."""

from __future__ import annotations

from collections.abc import Callable

from solvent.lift.api import lifted
from solvent.terms.kinds import Integer
from solvent.vm.values import Guard, Value


@lifted
def next_or(iterator: Value, end: Value) -> Value:
    """The next item of an object with a `__next__` method, or `end`."""
    try:
        return iterator.__next__()
    except StopIteration:
        return end


@lifted
def item_or(source: Value, place: Integer, end: Value) -> Value:
    """The item at a place, or `end` if that is out of range."""
    try:
        return source[place]
    except (IndexError, StopIteration):
        return end


@lifted
def call_or(function: Callable[[], Value], sentinel: Value, end: Value) -> Value:
    """What a function returns, or `end` if that is the sentinel."""
    try:
        result = function()
        if result == sentinel:
            return end
    except StopIteration:
        return end
    return result


@lifted
def all_items(iterator: Value) -> list[Value]:
    """A list of the items that are left."""
    result = []
    for item in iterator:
        result.append(item)
    return result


@lifted
def first_items(iterator: Value, count: int) -> list[Value]:
    """A list of the next items, at most `count` of them."""
    result = []
    if count > 0:
        for item in iterator:
            result.append(item)
            count -= 1
            if count == 0:
                break
    return result


@lifted
def add_each(source: Value, add: Callable[[int, Value], None]) -> None:
    """Add the items of an iterable one by one: what gives them may look at what has been added."""
    for place, item in enumerate(source):
        add(place, item)


@lifted
def is_among(iterator: Value, value: Value) -> Guard:
    """Whether a value is among the items that are left; takes them up to that one."""
    for item in iterator:  # noqa: SIM110
        if item is value or item == value:
            return True
    return False
