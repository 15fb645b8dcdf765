"""Lists and tuples with symbolic items, symbolic indices and lengths that differ between paths.

A list whose length differs between paths is *ragged*: its last items are `Maybe`s, and the guard of
each implies the guard of the one before.  Tuples have one length; those of several are unions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from solvent.errors import NotLiftedError
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.values import BV
from solvent.vm.machine import PATH_END, Chain, current
from solvent.vm.merge import merge, merge_slots
from solvent.vm.places import ITEMS, QUEUE, Kind
from solvent.vm.spread import combine
from solvent.vm.union import UNBOUND, Maybe, Union

SEQUENCES = frozenset((list, tuple, str, bytes, deque))
INDICES = frozenset((IntTerm, BoolTerm, BitVecTerm))


def is_ragged(items: Any) -> bool:
    """Whether the length of a list or deque differs between paths."""
    return bool(items) and type(items[-1]) is Maybe


def length(items: Any) -> Any:
    """The length of a list, tuple, string or deque: an int or a term.

    >>> from solvent.terms import Bool
    >>> length([1, 2]), length([1, Maybe(Bool("p"), 2)])
    (2, ite(p, 2, 1))
    """
    count = len(items)
    if not count or type(items[-1]) is not Maybe:
        return count
    result: Any = fixed_length(items)
    for place in range(result, count):
        result = ite(items[place].guard, place + 1, result)
    return result


def fixed_length(items: Any) -> int:
    """How many items are there on every path."""
    count = len(items)
    while count and type(items[count - 1]) is Maybe:
        count -= 1
    return count


def alternatives(items: Any) -> list[tuple[Any, list[Any]]]:
    """The lists that a ragged list may be, as an ordered choice, the longest first."""
    fixed = fixed_length(items)
    values = [item.value if type(item) is Maybe else item for item in items]
    rows: list[tuple[Any, list[Any]]] = [
        (items[place - 1].guard, values[:place]) for place in range(len(values), fixed, -1)
    ]
    rows.append((True, values[:fixed]))
    return rows


def by_length(items: Any, action: Callable[[Any], Any], kind: Kind = ITEMS) -> Any:
    """Do something with a ragged list, once for every length, under the guard of that length."""
    rows = alternatives(items)
    machine = current()
    chain = Chain()
    results: list[tuple[Any, Any]] = []
    last = len(rows) - 1
    for place, (guard, values) in enumerate(rows):
        if place < last:
            chain.fork(guard, ())
        try:
            machine.write_whole(kind, items)
            kind.restore(items, values)
            results.append((guard, action(items)))
        except BaseException as error:
            if not chain.forks:
                raise
            chain.end(error)
        chain.next(())
    if not results:
        raise PATH_END
    return combine(results)


def choose(term: Any, numbers: range, action: Callable[[int], Any]) -> Any:
    """The result of an action without effects for the number that a term stands for.

    The term is one of the numbers on every path that goes on.
    """
    rows = []
    for number in numbers:
        guard = term == number
        if guard is not False:
            rows.append((guard, action(number)))
            if guard is True:
                break
    if not rows:
        raise PATH_END
    return combine(rows)


# --- indices --------------------------------------------------------------------------------------


def position(index: Any, count: int, message: str) -> Any:
    """The position that a symbolic index means; raises `IndexError` where it is out of range."""
    if type(index) is BoolTerm:
        index = index.as_int()
    if type(index) is BitVecTerm:
        width = index.sort.width
        if count < (1 << width):
            current().fail_if(index >= BV(count, width), IndexError(message))
        return index
    machine = current()
    machine.fail_if(or_(index < -count, index >= count), IndexError(message))
    return ite(index < 0, index + count, index)


def get_item(items: Any, index: Any, message: str) -> Any:
    """Read an item of a list, tuple or deque."""
    cls = type(index)
    if cls is int or cls is bool:
        return _get_at(items, int(index), message)
    if cls in INDICES:
        if is_ragged(items):
            rows = alternatives(items)
            return _pick(rows, lambda values: _get_symbolic(values, index, message))
        return _get_symbolic(items, index, message)
    if hasattr(cls, "__index__"):
        return get_item(items, int(index), message)
    return items[index]


def _get_at(items: Any, index: int, message: str) -> Any:
    count = len(items)
    if not count or type(items[-1]) is not Maybe:
        return items[index]
    if index >= 0:
        if index >= count:
            raise IndexError(message)
        item = items[index]
        if type(item) is not Maybe:
            return item
        current().fail_if(not_(item.guard), IndexError(message))
        return item.value
    missing: Any = False
    rows = []
    rest: Any = True
    for guard, values in alternatives(items):
        if -index <= len(values):
            rows.append((guard, values[index]))
        else:
            missing = or_(missing, and_(rest, guard))
        rest = and_(rest, not_(guard))
    current().fail_if(missing, IndexError(message))
    return combine(rows)


def _get_symbolic(items: Any, index: Any, message: str) -> Any:
    count = len(items)
    place = position(index, count, message)
    return choose(place, range(count), lambda number: items[number])


def _pick(rows: list[tuple[Any, Any]], action: Callable[[Any], Any]) -> Any:
    """Do something for each row of an ordered choice under its guard."""
    from solvent.vm.spread import over

    if len(rows) == 1:
        return action(rows[0][1])
    return over(Union(tuple(rows)), action)


def set_item(items: Any, index: Any, value: Any, message: str, kind: Kind = ITEMS) -> None:
    """Write an item of a list or deque."""
    cls = type(index)
    machine = current()
    if cls is bool:
        index, cls = int(index), int
    if cls is int:
        if not is_ragged(items):
            if machine.layers:
                place = index + len(items) if index < 0 else index
                if 0 <= place < len(items):
                    if kind is ITEMS:
                        machine.write_slot(kind, items, place)
                    else:
                        machine.write_whole(kind, items)
            items[index] = value
            return
        if index >= 0:
            if index >= len(items):
                raise IndexError(message)
            item = items[index]
            if type(item) is Maybe:
                machine.fail_if(not_(item.guard), IndexError(message))
                value = Maybe(item.guard, value)
            if kind is ITEMS:
                machine.write_slot(kind, items, index)
            else:
                machine.write_whole(kind, items)
            items[index] = value
            return
    elif cls in INDICES:
        if not is_ragged(items):
            place = position(index, len(items), message)
            machine.write_whole(kind, items)
            for number in range(len(items)):
                guard = place == number
                if guard is not False:
                    items[number] = merge(guard, value, items[number]) if guard is not True else value
            return
    elif hasattr(cls, "__index__"):
        set_item(items, int(index), value, message, kind)
        return
    else:
        items[index] = value
        return
    by_length(items, lambda found: set_item(found, index, value, message, kind), kind)


# --- changing the length --------------------------------------------------------------------------


def append(items: Any, value: Any, kind: Kind = ITEMS) -> None:
    """Add an item at the end, wherever that is."""
    current().write_whole(kind, items)
    if not is_ragged(items):
        items.append(value)
        return
    fixed = fixed_length(items)
    old = list(items)
    # The new item is at position p where the list was exactly p long.
    for place in range(fixed, len(old) + 1):
        reached = True if place == fixed else old[place - 1].guard
        longer = old[place].guard if place < len(old) else False
        if place < len(old):
            slot = merge(longer, old[place].value, value)
        else:
            slot = value
        new = slot if reached is True else Maybe(reached, slot)
        if place < len(old):
            items[place] = new
        else:
            items.append(new)


def extend(items: list[Any], more: Any) -> None:
    """Add all items of an iterable at the end."""
    from solvent.lift.iteration import items_of

    for item in list(items_of(more)):
        if type(item) is Maybe:
            _append_if(items, item.guard, item.value)
        else:
            append(items, item)


def _append_if(items: list[Any], guard: Any, value: Any) -> None:
    """Append where a guard holds."""
    if not is_ragged(items):
        current().write_whole(ITEMS, items)
        items.append(Maybe(guard, value))
        return
    before = list(items)
    append(items, value)
    merged = []
    for place, item in enumerate(items):
        merged.append(merge_slots(guard, item, before[place] if place < len(before) else UNBOUND))
    items[:] = merged


def concatenate(a: list[Any], b: list[Any]) -> list[Any]:
    """`a + b` for lists."""
    if not is_ragged(a):
        return a + b
    result = list(a)
    extend(result, b)
    return result


def repeat(items: Any, count: Any) -> Any:
    """`items * count`."""
    if type(count) is BoolTerm:
        count = count.as_int()
    if type(count) is IntTerm:
        raise NotLiftedError(
            "repeating a sequence a symbolic number of times is not lifted; build it in a loop with "
            "a bound"
        )
    if type(items) is list and is_ragged(items):
        result: list[Any] = []
        for _ in range(count):
            extend(result, items)
        return result
    return items * count


def repeat_in_place(items: list[Any], count: Any) -> None:
    """`items *= count`."""
    new = repeat(items, count)
    current().write_whole(ITEMS, items)
    items[:] = new


# --- slices ---------------------------------------------------------------------------------------


def _is_symbolic(part: slice) -> bool:
    return any(type(bound) in INDICES for bound in (part.start, part.stop, part.step))


def get_slice(items: Any, part: slice) -> Any:
    """`items[part]`."""
    if type(items) is list and is_ragged(items):
        if not _is_symbolic(part) and part.step in (None, 1) and _plain_bounds(part):
            return items[part]
        return combine([(guard, get_slice(values, part)) for guard, values in alternatives(items)])
    if not _is_symbolic(part):
        return items[part]
    if type(part.step) in INDICES:
        raise NotLiftedError("a slice with a symbolic step is not lifted")
    count = len(items)
    return _bounded(part.start, count, lambda start: _bounded(part.stop, count, lambda stop: items[start:stop : part.step]))  # fmt: skip


def _plain_bounds(part: slice) -> bool:
    """Whether a slice of a ragged list is the slice of its items: a suffix may still be missing."""
    start = part.start if part.start is not None else 0
    return type(start) is int and start >= 0 and (
        part.stop is None or (type(part.stop) is int and part.stop >= 0)
    )


def _bounded(bound: Any, count: int, action: Callable[[Any], Any]) -> Any:
    """Do something for every value that a symbolic bound of a slice may have."""
    if type(bound) is Union:
        raise NotLiftedError("a slice bound of several types is not lifted")
    if type(bound) not in INDICES:
        return action(bound)
    if type(bound) is BoolTerm:
        bound = bound.as_int()
    if type(bound) is BitVecTerm:
        from solvent.terms import bv_to_int

        bound = bv_to_int(bound)
    clamped = ite(
        bound < 0,
        ite(bound < -count, 0, bound + count),
        ite(bound > count, count, bound),
    )
    return choose(clamped, range(count + 1), action)


def set_slice(items: list[Any], part: slice, values: Any) -> None:
    """`items[part] = values`."""
    from solvent.lift.iteration import plain_items

    new = plain_items(values, "the right side of a slice assignment")
    if is_ragged(items):
        by_length(items, lambda found: set_slice(found, part, new))
        return
    if _is_symbolic(part):
        raise NotLiftedError("assigning to a slice with symbolic bounds is not lifted")
    current().write_whole(ITEMS, items)
    items[part] = new


def delete_item(items: Any, index: Any, message: str, kind: Kind = ITEMS) -> None:
    """`del items[index]`."""
    if is_ragged(items):
        by_length(items, lambda found: delete_item(found, index, message, kind), kind)
        return
    machine = current()
    if type(index) is slice and _is_symbolic(index):
        raise NotLiftedError("deleting a slice with symbolic bounds is not lifted")
    machine.write_whole(kind, items)
    if type(index) in INDICES:
        place = position(index, len(items), message)
        shorter = items[:-1] if type(items) is list else list(items)[:-1]
        values = list(items)
        for number in range(len(values) - 1):
            # Items from the deleted one on move up.
            moved = or_([place == before for before in range(number + 1)])
            shorter[number] = merge(moved, values[number + 1], values[number])
        kind.restore(items, shorter)
        return
    del items[index]


def take(items: Any, index: Any = -1, empty: str = "pop from empty list", kind: Kind = ITEMS) -> Any:
    """`items.pop(index)`."""
    machine = current()
    if is_ragged(items):
        if type(index) is int and index == -1:
            return _take_last(items, empty, kind)
        return by_length(items, lambda found: take(found, index, empty, kind), kind)
    if not len(items):
        raise IndexError(empty)
    message = "pop index out of range"
    if type(index) in INDICES:
        value = _get_symbolic(items, index, message)
        delete_item(items, index, message, kind)
        return value
    machine.write_whole(kind, items)
    if kind is QUEUE:
        value = items[index]
        del items[index]
        return value
    return items.pop(index)


def _take_last(items: Any, empty: str, kind: Kind) -> Any:
    machine = current()
    fixed = fixed_length(items)
    if fixed == 0:
        machine.fail_if(not_(items[0].guard), IndexError(empty))
    value = combine([(guard, values[-1]) for guard, values in alternatives(items) if values])
    machine.write_whole(kind, items)
    old = list(items)
    new = old[: max(fixed - 1, 0)]
    for place in range(max(fixed - 1, 0), len(old) - 1):
        guard = old[place + 1].guard
        item = old[place].value if type(old[place]) is Maybe else old[place]
        new.append(Maybe(guard, item) if guard is not True else item)
    kind.restore(items, new)
    return value


def walk(items: Any) -> Iterator[tuple[Any, Any]]:
    """Guard and value of each item."""
    for item in items:
        yield (item.guard, item.value) if type(item) is Maybe else (True, item)
