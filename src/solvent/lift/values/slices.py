"""Slices of lists and tuples with symbolic bounds, and taking items out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from solvent.lift.facts import bounds
from solvent.lift.values.protocol import items_of
from solvent.lift.values.sequences import (
    INDICES,
    ListLike,
    alternatives,
    by_alternative,
    by_length,
    close_up,
    get_symbolic,
    is_ragged,
    opened_tail,
    position,
    whole,
)
from solvent.lift.words import check_word, fits, index_message
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.vm.machine import current
from solvent.vm.places import ITEMS, QUEUE, Kind
from solvent.vm.slots import slot
from solvent.vm.spread import combine, over
from solvent.vm.state import PathEnd
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value


def _is_symbolic(part: slice) -> bool:
    return any(type(bound) in INDICES for bound in (part.start, part.stop, part.step))


def by_union(part: slice, action: Callable[[slice], Value]) -> Value:
    """Do something for each slice that one with a union in it may be."""
    if type(part.start) is Union:
        return over(part.start, lambda bound: action(slice(bound, part.stop, part.step)))
    if type(part.stop) is Union:
        return over(part.stop, lambda bound: action(slice(part.start, bound, part.step)))
    return over(part.step, lambda step: action(slice(part.start, part.stop, step)))


def has_union(part: slice) -> bool:
    return Union in (type(part.start), type(part.stop), type(part.step))


def get_slice(items: Sequence[Value], part: slice) -> Value:
    """`items[part]`."""
    if has_union(part):
        return by_union(part, lambda found: get_slice(items, found))
    if isinstance(items, list) and is_ragged(items):
        if not _is_symbolic(part) and part.step in (None, 1) and _plain_bounds(part):
            return items[part]
        return combine([(guard, get_slice(values, part)) for guard, values in alternatives(items)])
    if not _is_symbolic(part):
        return items[part]
    rows = [(guard, items[found]) for guard, found in _slices(part, len(items))]
    if not rows:
        raise PathEnd
    return combine(rows)


def _plain_bounds(part: slice) -> bool:
    """Whether a slice of a ragged list is the slice of its items: a suffix may still be missing."""
    start = part.start if part.start is not None else 0
    return (
        type(start) is int
        and start >= 0
        and (part.stop is None or (type(part.stop) is int and part.stop >= 0))
    )


def _slices(part: slice, count: int) -> list[tuple[Guard, slice]]:
    """The concrete slices that a symbolic one may be; the guards exclude each other."""
    return [
        (and_(guard, first, second), slice(start, stop, step))
        for guard, step in _steps(part.step, count)
        for first, start in _bounds(part.start, count, step is not None and step < 0)
        for second, stop in _bounds(part.stop, count, step is not None and step < 0)
        if and_(guard, first, second) is not False
    ]


def _steps(step: Value, count: int) -> list[Choice]:
    """The steps that a symbolic one may be; what is longer than all items takes one of them."""
    if type(step) not in INDICES:
        return [(True, step)]
    step, most = whole(step), max(count, 1)
    current().fail_if(step == 0, ValueError("slice step cannot be zero"))
    low, high = bounds(step)
    rows: list[Choice] = [(step == n, n) for n in range(1 - most, most) if n]
    rows += [(step >= most, most), (step <= -most, -most)]
    return [
        row for row in rows if (low is None or low <= row[1]) and (high is None or row[1] <= high)
    ]


def _bounds(bound: Value, count: int, backwards: bool) -> list[Choice]:
    """The values that a symbolic bound of a slice may have, after clamping."""
    if type(bound) not in INDICES:
        return [(True, bound)]
    bound = whole(bound)
    # What lies before the first item: the first one, or the end of a slice that runs backwards.
    lowest = -count - 1 if backwards else 0
    clamped = ite(
        bound < 0,
        ite(bound < -count, lowest, bound + count),
        ite(bound > count, count, bound),
    )
    numbers = [*range(count + 1), lowest] if backwards else list(range(count + 1))
    return [(clamped == number, number) for number in numbers]


def each_slice(part: slice, count: int, action: Callable[[slice], None]) -> None:
    """Do something that has effects for each slice that a symbolic one may be."""
    rows = [row for row in _slices(part, count) if row[0] is not False]
    if not rows:
        raise PathEnd
    if len(rows) == 1:
        action(rows[0][1])
    else:
        over(Union(tuple(rows)), action)


def set_slice(items: list[Value], part: slice, values: Value) -> None:
    """`items[part] = values`."""
    if has_union(part):
        by_union(part, lambda found: set_slice(items, found, values))
        return
    new = values if type(values) is list else list(items_of(values))
    if is_ragged(new):
        by_alternative(new, lambda found: set_slice(items, part, found))
    elif is_ragged(items):
        by_length(items, lambda found: set_slice(found, part, new))
    elif _is_symbolic(part):
        each_slice(part, len(items), lambda found: set_slice(items, found, new))
    else:
        current().write_whole(ITEMS, items)
        list.__setitem__(items, part, new)


# --- taking items out -----------------------------------------------------------------------------


def delete_item(items: ListLike, index: Value, message: str, kind: Kind = ITEMS) -> None:
    """`del items[index]`."""
    if type(index) is slice and has_union(index):
        by_union(index, lambda found: delete_item(items, found, message, kind))
    elif is_ragged(items):
        by_length(items, lambda found: delete_item(found, index, message, kind), kind)
    elif type(index) is slice and _is_symbolic(index):
        each_slice(index, len(items), lambda part: delete_item(items, part, message, kind))
    elif type(index) in INDICES:
        place = position(index, len(items), message)
        passed = [or_([place == k for k in range(n + 1)]) for n in range(len(items))]
        close_up(items, passed, kind)
    elif kind is QUEUE and type(index) is int and fits(index) is False:
        # The method of deques says something else than `del`.
        raise IndexError(index_message(index, message))
    else:
        current().write_whole(kind, items)
        if isinstance(items, list):
            list.__delitem__(items, index)
        else:
            deque.__delitem__(items, index)


def take(
    items: ListLike,
    index: Value = -1,
    empty: str = "pop from empty list",
    kind: Kind = ITEMS,
) -> Value:
    """`items.pop(index)`."""
    machine = current()
    if type(index) in (int, IntTerm):
        check_word(index)
    if is_ragged(items):
        if type(index) is int and index == -1:
            return _take_last(items, empty, kind)
        return by_length(items, lambda found: take(found, index, empty, kind), kind)
    if not len(items):
        raise IndexError(empty)
    message = "pop index out of range"
    if type(index) in INDICES:
        value = get_symbolic(items, index, message)
        delete_item(items, index, message, kind)
        return value
    machine.write_whole(kind, items)
    if isinstance(items, deque):
        value = items[index]
        del items[index]
        return value
    return list.pop(items, index)


def _take_last(items: ListLike, empty: str, kind: Kind) -> Value:
    machine = current()
    values, guards = opened_tail(items)
    fixed = len(values) - len(guards)
    if fixed == 0:
        machine.fail_if(not_(guards[0]), IndexError(empty))
    else:
        guards.insert(0, True)
        fixed -= 1
    rows = [row for row in zip(guards, values[fixed:], strict=True) if row[0] is not False]
    value = combine(rows[::-1])
    machine.write_whole(kind, items)
    kind.restore(items, values[:fixed] + list(map(slot, guards[1:], values[fixed:])))
    return value
