"""Deques: like lists with two ends, but each change is one of the whole."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from solvent.errors import NotLiftedError
from solvent.lift.messages import message, raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values import searching, sequences, slices
from solvent.lift.values.iterators import DequeIterator, Unchanged
from solvent.lift.values.lists import refilled
from solvent.lift.values.objects import Objects, check_access
from solvent.lift.values.protocol import (
    Copying,
    Evaluation,
    Texts,
    behaves,
    items_of,
    ordered,
    runs_code,
)
from solvent.lift.values.searching import among, count_of, index_of, lists_equal
from solvent.lift.values.slices import take
from solvent.lift.values.stepping import add_each
from solvent.lift.words import check_word
from solvent.terms.booleans import not_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.merge import union_of
from solvent.vm.places import QUEUE
from solvent.vm.slots import Maybe, opened
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

Deque = deque[Value]

_INDEX = message(operator.getitem, deque(), 0)


class Deques(Objects):
    """What deques do."""

    def derived(self, cls: type) -> Deques:
        check_access(cls, deque, ("__getitem__", "__iter__", "__len__"))
        return self

    def truth(self, value: Deque) -> Guard:
        if not value:
            return False
        first = value[0]
        return first.guard if type(first) is Maybe else True  # flat: hot path

    def length(self, value: Deque) -> Integer:
        return sequences.length(value)

    @over_members_of("key")
    def get_item(self, owner: Deque, key: Value) -> Value:
        return sequences.get_item(owner, key, _INDEX)

    @over_members_of("key")
    def set_item(self, owner: Deque, key: Value, value: Value) -> None:
        sequences.set_item(owner, key, value, _INDEX, QUEUE)

    @over_members_of("key")
    def delete_item(self, owner: Deque, key: Value) -> None:
        slices.delete_item(owner, key, _INDEX, QUEUE)

    def contains(self, container: Deque, item: Value) -> Guard:
        return among(item, container)

    def equal(self, a: Deque, b: Value) -> Value:
        if not isinstance(b, deque) or type(b).__eq__ is not deque.__eq__:
            return NotImplemented
        return a is b or lists_equal(a, b)

    def ordered(self, a: Deque, b: Value, name: str) -> Value:
        return ordered(list(a), list(b), name) if type(b) is deque else NotImplemented

    def iterate(self, value: Deque) -> Iterable[Value]:
        return _watched(value)

    def iterator(self, value: Deque) -> Value:
        return DequeIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: Deque) -> Iterable[Value]:
        return value

    def fill(self, new: Deque, value: Deque, copying: Copying) -> None:
        deque.__init__(new, [copying.part(item) for item in value], value.maxlen)

    def shown(self, value: Deque, texts: Texts) -> Value:
        if texts.are_plain(value):
            return repr(value)
        end = ")" if value.maxlen is None else f", maxlen={value.maxlen})"
        return texts.joined(f"{type(value).__name__}(", texts.of(list(value)), end)

    def under(self, value: Deque, evaluate: Evaluation) -> Value:
        return refilled(value, deque(maxlen=value.maxlen), evaluate)


def _watched(owner: Deque) -> Iterator[Value]:
    """The items of a deque for a loop, which may change it."""
    unchanged = Unchanged(owner)
    for place in range(len(owner)):
        yield owner[place]
        unchanged.check()


DEQUES = Deques()
behaves(DEQUES, deque)


# --- methods --------------------------------------------------------------------------------------

_EMPTY = message(deque().pop)


@lifts(deque)
def make_deque(iterable: Value = (), maxlen: Value = None) -> Value:
    """`deque(iterable, maxlen)`."""
    if type(maxlen) in sequences.INDICES:
        maxlen = _lengths(sequences.whole(maxlen))
    if type(maxlen) is Union:
        return over(maxlen, lambda member: make_deque(iterable, member))
    result: Deque = deque(maxlen=maxlen)
    extend(result, iterable)
    return result


# How long a deque with a symbolic bound may get.
_LENGTHS = (8, 32, 128)


def _lengths(maxlen: Integer) -> Value:
    """All values that a symbolic bound of a deque may have."""
    check_word(maxlen)
    machine = current()
    machine.fail_if(maxlen < 0, raised(deque, (), -1))
    for most in _LENGTHS:
        if not machine.limits.feasible(machine, maxlen > most):
            rows = [(maxlen == number, number) for number in range(most)]
            return union_of((*rows, (True, most)))
    raise NotLiftedError(
        f"a deque with a symbolic `maxlen` that may be more than {_LENGTHS[-1]} is not lifted; "
        "assume a bound on it"
    )


@lifts_method(deque, name="__init__")
def initialise(items: Deque, iterable: Value = (), maxlen: Value = None) -> None:
    """`deque.__init__(items, iterable, maxlen)`, as derived classes call it."""
    if isinstance(maxlen, (Term, Union)):
        raise NotLiftedError(
            "a symbolic `maxlen` of a class that is derived from deque is not lifted; choose "
            "between concrete ones with `if`"
        )
    current().write_whole(QUEUE, items)
    deque.__init__(items, (), maxlen)
    extend(items, iterable)


def _has_room(items: Deque) -> bool:
    """Whether a deque has room for one more item on every path."""
    return items.maxlen is None or len(items) < items.maxlen


@lifts_method(deque)
def append(items: Deque, value: Value, /) -> None:
    """`items.append(value)`."""
    if sequences.is_ragged(items) and not _has_room(items):
        sequences.by_length(items, lambda found: append(found, value), QUEUE)
    else:
        sequences.append(items, value, QUEUE)


@lifts_method(deque)
def appendleft(items: Deque, value: Value, /) -> None:
    """`items.appendleft(value)`."""
    if sequences.is_ragged(items) and not _has_room(items):
        sequences.by_length(items, lambda found: appendleft(found, value), QUEUE)
        return
    current().write_whole(QUEUE, items)
    items.appendleft(value)


@lifts_method(deque)
def pop(items: Deque, /) -> Value:
    """`items.pop()`."""
    return take(items, -1, _EMPTY, QUEUE)


@lifts_method(deque)
def popleft(items: Deque, /) -> Value:
    """`items.popleft()`."""
    if not items:
        raise IndexError(_EMPTY)
    first = items[0]
    if type(first) is Maybe:  # flat: hot path
        current().fail_if(not_(first.guard), IndexError(_EMPTY))
        first = first.value
    current().write_whole(QUEUE, items)
    items.popleft()
    return first


@lifts_method(deque)
def extend(items: Deque, iterable: Value, /) -> None:
    """`items.extend(iterable)`."""
    _add_all(items, iterable, append)


@lifts_method(deque)
def extendleft(items: Deque, iterable: Value, /) -> None:
    """`items.extendleft(iterable)`."""
    _add_all(items, iterable, appendleft)


def _add_all(items: Deque, iterable: Value, add: Callable[[Deque, Value], None]) -> None:
    if runs_code(iterable):
        add_each(iterable, lambda _, value: add(items, value))
        return
    for row in list(items_of(iterable)):
        guard, value = opened(row)
        either(guard, lambda: add(items, value), lambda: None)  # noqa: B023


@lifts_method(deque)
def rotate(items: Deque, n: Value = 1, /) -> None:
    """`items.rotate(n)`."""
    if type(n) is Union:
        over(n, lambda member: rotate(items, member))
        return
    if sequences.is_ragged(items):
        sequences.by_length(items, lambda found: rotate(found, n), QUEUE)
        return
    if type(n) is IntTerm:
        check_word(n)
    current().write_whole(QUEUE, items)
    if type(n) not in sequences.INDICES:
        items.rotate(n)
    elif len(items) > 1:
        _rotate_symbolic(items, n)


def _rotate_symbolic(items: Deque, n: sequences.Index) -> None:
    values, count = list(items), len(items)
    steps = sequences.whole(n) % count
    turned = [
        sequences.choose(steps, range(count), lambda step: values[(place - step) % count])  # noqa: B023
        for place in range(count)
    ]
    QUEUE.restore(items, turned)


@lifts_method(deque)
def insert(items: Deque, index: Value, value: Value, /) -> None:
    """`items.insert(index, value)`."""
    if type(index) is Union:
        over(index, lambda member: insert(items, member, value))
        return
    if type(index) in (int, IntTerm):
        check_word(index)
    if items.maxlen is not None:
        full = sequences.length(items) == items.maxlen
        current().fail_if(full, raised(deque(maxlen=0).insert, 0, 0))
        if sequences.is_ragged(items):
            _forget_full(items)
    sequences.insert(items, index, value, QUEUE)


def _forget_full(items: Deque) -> None:
    """Drop the last item of a deque that is known not to be full."""
    if not _has_room(items):
        current().write_whole(QUEUE, items)
        items.pop()


@lifts_method(deque)
def remove(items: Deque, value: Value, /) -> None:
    """`items.remove(value)`."""
    searching.remove(items, value, QUEUE)


@lifts_method(deque)
def index(items: Deque, value: Value, start: Value = 0, stop: Value = sequences.END, /) -> Value:
    """`items.index(value, start, stop)`."""
    return index_of(items, value, start, stop, "deque")


@lifts_method(deque)
def count(items: Deque, value: Value, /) -> Integer:
    """`items.count(value)`."""
    return count_of(items, value)


@lifts_method(deque)
def reverse(items: Deque, /) -> None:
    """`items.reverse()`."""
    sequences.reverse(items, QUEUE)


@lifts_method(deque)
def clear(items: Deque, /) -> None:
    """`items.clear()`."""
    current().write_whole(QUEUE, items)
    items.clear()


@lifts_method(deque)
def copy(items: Deque, /) -> Deque:
    """`items.copy()`."""
    return deque(items, items.maxlen)


lifts_method(deque, name="__copy__")(copy)


@lifts_method(deque, name="__len__")
def length(items: Deque, /) -> Integer:
    """`items.__len__()`."""
    return sequences.length(items)


@lifts_method(deque, name="__contains__")
def contains(items: Deque, value: Value, /) -> Guard:
    """`items.__contains__(value)`."""
    return among(value, items)


@lifts_method(deque, name="__getitem__")
def get_item(items: Deque, key: Value, /) -> Value:
    """`items.__getitem__(key)`."""
    return DEQUES.get_item(items, key)


@lifts_method(deque, name="__setitem__")
def set_item(items: Deque, key: Value, value: Value, /) -> None:
    """`items.__setitem__(key, value)`."""
    DEQUES.set_item(items, key, value)


@lifts_method(deque, name="__delitem__")
def delete_item(items: Deque, key: Value, /) -> None:
    """`items.__delitem__(key)`."""
    DEQUES.delete_item(items, key)


@lifts_method(deque, name="__add__")
@over_members_of("other")
def add(items: Deque, other: Value, /) -> Value:
    """`items.__add__(other)`."""
    if not isinstance(other, deque):
        return items + other
    result = copy(items)
    extend(result, other)
    return result


@lifts_method(deque, name="__iadd__")
def add_in_place(items: Deque, other: Value, /) -> Deque:
    """`items.__iadd__(other)`."""
    extend(items, other)
    return items
