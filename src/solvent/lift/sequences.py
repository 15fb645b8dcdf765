"""Lists and tuples with symbolic items, symbolic indices and lengths that differ between paths.

A list whose length differs between paths is *ragged*: its last items are `Maybe`s, and the guard of
each implies the guard of the one before.  Tuples have one length; those of several are unions.
"""

from __future__ import annotations

import operator
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.messages import message
from solvent.lift.words import check_repetition, check_word, fits, index_message
from solvent.terms.bitvectors import BitVecTerm, uge
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.values import bv
from solvent.vm.forks import Chain
from solvent.vm.machine import PATH_END, current
from solvent.vm.merge import merge, merge_slots
from solvent.vm.places import ITEMS, QUEUE, Kind
from solvent.vm.spread import combine, over, settled
from solvent.vm.union import UNBOUND, Maybe, Union

SEQUENCES = frozenset((list, tuple, str, bytes, deque))
INDICES = frozenset((IntTerm, BoolTerm, BitVecTerm))

# The end of a search that has no other end.
END = sys.maxsize


def pick(c: Any, a: Any, b: Any) -> Any:
    """The value that is `a` where `c` (a bool or a term) holds and `b` elsewhere."""
    if c is True:
        return a
    return b if c is False else merge(c, a, b)


# What Python compares by itself.
ATOMIC = frozenset((int, float, bool, str, bytes, complex, type(None)))


def is_atomic(items: Any, value: Any = None) -> bool:
    """Whether items, and a value to look for, are plain data, so that Python's own search does."""
    return type(value) in ATOMIC and set(map(type, items)) <= ATOMIC


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
        (items[place - 1].guard, values[:place])
        for place in range(len(values), fixed, -1)
        if items[place - 1].guard is not False
    ]
    rows.append((True, values[:fixed]))
    return rows


def by_length(items: Any, action: Callable[[Any], Any], kind: Kind = ITEMS) -> Any:
    """Do something with a ragged list, once for every length, under the guard of that length."""
    rows = alternatives(items)
    machine = current()
    if machine.limits.directed:
        rows = list(settled(machine, tuple(rows)))
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


def by_alternative(items: list[Any], action: Callable[[list[Any]], Any]) -> Any:
    """Do something with each list that a list may be, under its guard, and merge the results."""
    if not is_ragged(items):
        return action(items)
    rows = alternatives(items)
    if len(rows) == 1:
        return action(rows[0][1])
    return over(Union(tuple(rows)), action)


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


def index_number(index: Any) -> int:
    """A concrete index as an int, as Python takes it."""
    try:
        return operator.index(index)
    except TypeError:
        message = "slice indices must be integers or have an __index__ method"
        raise TypeError(message) from None


def position(index: Any, count: int, message: str) -> Any:
    """The position that a symbolic index means; raises `IndexError` where it is out of range."""
    if type(index) is BoolTerm:
        index = index.as_int()
    if type(index) is BitVecTerm:
        width = index.sort.width
        if count < (1 << width):
            # As `__index__` of concrete bitvectors, which is the unsigned value.
            current().fail_if(uge(index, bv(count, width)), IndexError(message))
        return index
    outside = or_(index < -count, index >= count)
    if outside is not False:
        current().fail_if(outside, IndexError(index_message(index, message)))
    return ite(index < 0, index + count, index)


def get_item(items: Any, index: Any, message: str) -> Any:
    """Read an item of a list, tuple or deque."""
    cls = type(index)
    if cls is int or cls is bool:
        return _get_at(items, int(index), message)
    if cls in INDICES:
        return by_alternative(items, lambda values: _get_symbolic(values, index, message))
    if hasattr(cls, "__index__"):
        return get_item(items, int(index), message)
    return items[index]


def _get_at(items: Any, index: int, message: str) -> Any:
    if type(items) is range:
        return items[index]
    count = len(items)
    if not count or type(items[-1]) is not Maybe:
        return items[index]
    if index >= 0:
        if index >= count:
            raise IndexError(index_message(index, message))
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
    error = IndexError(index_message(index, message))
    if not rows:
        raise error
    current().fail_if(missing, error)
    return combine(rows)


def _get_symbolic(items: Any, index: Any, message: str) -> Any:
    count = len(items)
    place = position(index, count, message)
    return choose(place, range(count), lambda number: items[number])


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
                raise IndexError(index_message(index, message))
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
                items[number] = pick(guard, value, items[number])
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
            slot = pick(longer, old[place].value, value)
        else:
            slot = value
        new = slot if reached is True else Maybe(reached, slot)
        if place < len(old):
            items[place] = new
        else:
            items.append(new)


def extend(items: Any, more: Any, kind: Kind = ITEMS) -> None:
    """Add all items of an iterable at the end."""
    from solvent.lift.iteration import items_of, runs_code

    if runs_code(more):
        from solvent.lift.builtins.stepping import add_each

        add_each(more, lambda _, value: append(items, value, kind))
        return
    new = list(items_of(more))
    if not is_ragged(items):
        current().write_whole(kind, items)
        items.extend(new)
        return
    for item in new:
        if type(item) is Maybe:
            append_if(items, item.guard, item.value, kind)
        else:
            append(items, item, kind)


def append_if(items: Any, guard: Any, value: Any, kind: Kind = ITEMS) -> None:
    """Append where a guard holds."""
    if guard is False:
        return
    if guard is True:
        append(items, value, kind)
        return
    if not is_ragged(items):
        current().write_whole(kind, items)
        items.append(Maybe(guard, value))
        return
    before = list(items)
    append(items, value, kind)
    merged = []
    for place, item in enumerate(items):
        merged.append(merge_slots(guard, item, before[place] if place < len(before) else UNBOUND))
    kind.restore(items, merged)


def concatenate(a: list[Any], b: list[Any]) -> list[Any]:
    """`a + b` for lists."""
    if not is_ragged(a):
        return a + b
    result = list(a)
    extend(result, b)
    return result


def repeat(items: Any, count: Any) -> Any:
    """`items * count`."""
    if type(count) in INDICES:
        return _repeat_symbolic(items, whole(count))
    if isinstance(items, list) and is_ragged(items):
        check_repetition(count)
        result: list[Any] = []
        for _ in range(count):
            extend(result, list.copy(items))
        return result
    if type(items) is deque and is_ragged(items):
        return deque(repeat(list(items), count), items.maxlen)
    return items * count


# How often a sequence is repeated before the number must have a bound.
_REPETITIONS = 64


def _repeat_symbolic(items: Any, count: Any) -> Any:
    if not isinstance(items, (list, tuple)):
        raise NotLiftedError(
            f"repeating a {type(items).__name__} a symbolic number of times is not lifted; use a "
            "list, or build it in a loop with a bound"
        )
    check_repetition(count)
    machine = current()
    result: list[Any] = []
    if not items:
        return result if isinstance(items, list) else ()
    for number in range(_REPETITIONS + 1):
        guard = count > number
        if guard is False or not machine.limits.feasible(machine, guard):
            break
        if number == _REPETITIONS:
            raise NotLiftedError(
                f"repeating a sequence more than {_REPETITIONS} times by a symbolic number is not "
                "lifted; assume a bound, or build it in a loop"
            )
        for there, value in walk(items):
            append_if(result, and_(guard, there), value)
    if isinstance(items, list) or not is_ragged(result):
        return result if isinstance(items, list) else tuple(result)
    return combine([(guard, tuple(values)) for guard, values in alternatives(result)])


def repeat_in_place(items: list[Any], count: Any) -> None:
    """`items *= count`."""
    if type(count) is Union:
        over(count, lambda member: repeat_in_place(items, member))
        return
    new = repeat(items, count)
    current().write_whole(ITEMS, items)
    items[:] = new


# --- slices ---------------------------------------------------------------------------------------


def _is_symbolic(part: slice) -> bool:
    return any(type(bound) in INDICES for bound in (part.start, part.stop, part.step))


def by_union(part: slice, action: Callable[[slice], Any]) -> Any:
    """Do something for each slice that one with a union in it may be."""
    if type(part.start) is Union:
        return over(part.start, lambda bound: action(slice(bound, part.stop, part.step)))
    if type(part.stop) is Union:
        return over(part.stop, lambda bound: action(slice(part.start, bound, part.step)))
    return over(part.step, lambda step: action(slice(part.start, part.stop, step)))


def has_union(part: slice) -> bool:
    return Union in (type(part.start), type(part.stop), type(part.step))


def get_slice(items: Any, part: slice) -> Any:
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
        raise PATH_END
    return combine(rows)


def _plain_bounds(part: slice) -> bool:
    """Whether a slice of a ragged list is the slice of its items: a suffix may still be missing."""
    start = part.start if part.start is not None else 0
    return (
        type(start) is int
        and start >= 0
        and (part.stop is None or (type(part.stop) is int and part.stop >= 0))
    )


def _slices(part: slice, count: int) -> list[tuple[Any, slice]]:
    """The concrete slices that a symbolic one may be; the guards exclude each other."""
    if type(part.step) in INDICES:
        raise NotLiftedError(
            "a slice with a symbolic step is not lifted; choose between slices with concrete steps"
        )
    backwards = part.step is not None and part.step < 0
    return [
        (and_(first, second), slice(start, stop, part.step))
        for first, start in _bounds(part.start, count, backwards)
        for second, stop in _bounds(part.stop, count, backwards)
        if and_(first, second) is not False
    ]


def _bounds(bound: Any, count: int, backwards: bool) -> list[tuple[Any, Any]]:
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


def whole(index: Any) -> Any:
    """A symbolic index as an integer."""
    if type(index) is BoolTerm:
        return index.as_int()
    if type(index) is BitVecTerm:
        from solvent.terms import bv_to_int

        return bv_to_int(index)
    return index


def each_slice(part: slice, count: int, action: Callable[[slice], None]) -> None:
    """Do something that has effects for each slice that a symbolic one may be."""
    rows = [row for row in _slices(part, count) if row[0] is not False]
    if not rows:
        raise PATH_END
    if len(rows) == 1:
        action(rows[0][1])
    else:
        over(Union(tuple(rows)), action)


def set_slice(items: list[Any], part: slice, values: Any) -> None:
    """`items[part] = values`."""
    from solvent.lift.iteration import items_of

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


def delete_item(items: Any, index: Any, message: str, kind: Kind = ITEMS) -> None:
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
        _close_up(items, passed, kind)
    elif kind is QUEUE and type(index) is int and fits(index) is False:
        # The method of deques says something else than `del`.
        raise IndexError(index_message(index, message))
    else:
        current().write_whole(kind, items)
        (list if isinstance(items, list) else deque).__delitem__(items, index)


def _close_up(items: Any, passed: list[Any], kind: Kind) -> None:
    """Take out the first item for which `passed` holds; those after it move up."""
    values = list(items)
    shorter = [
        pick(passed[place], values[place + 1], values[place]) for place in range(len(values) - 1)
    ]
    current().write_whole(kind, items)
    kind.restore(items, shorter)


def take(
    items: Any, index: Any = -1, empty: str = "pop from empty list", kind: Kind = ITEMS
) -> Any:
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
        value = _get_symbolic(items, index, message)
        delete_item(items, index, message, kind)
        return value
    machine.write_whole(kind, items)
    if kind is QUEUE:
        value = items[index]
        del items[index]
        return value
    return list.pop(items, index)


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


def insert(items: Any, index: Any, value: Any, kind: Kind = ITEMS) -> None:
    """`items.insert(index, value)`."""
    if type(index) is Union:
        over(index, lambda member: insert(items, member, value, kind))
        return
    if type(index) in (int, IntTerm):
        check_word(index)
    if is_ragged(items) and not (type(index) is int and 0 <= index <= fixed_length(items)):
        by_length(items, lambda found: insert(found, index, value, kind), kind)
        return
    if type(index) in INDICES:
        _insert_at(items, whole(index), value, kind)
        return
    current().write_whole(kind, items)
    (list if isinstance(items, list) else deque).insert(items, index, value)


def _insert_at(items: Any, index: Any, value: Any, kind: Kind) -> None:
    old = list(items)
    count = len(old)
    place = ite(index < 0, ite(index < -count, 0, index + count), ite(index > count, count, index))
    new = []
    for number in range(count + 1):
        # What was here moves up where the new item comes earlier.
        slot = old[number] if number < count else value
        if number:
            slot = pick(place < number, old[number - 1], slot)
        new.append(pick(place == number, value, slot))
    current().write_whole(kind, items)
    kind.restore(items, new)


def reverse(items: Any, kind: Kind = ITEMS) -> None:
    """`items.reverse()`."""
    if is_ragged(items):
        by_length(items, lambda found: reverse(found, kind), kind)
        return
    current().write_whole(kind, items)
    items.reverse()


_NOT_REMOVED = message([].remove, 0)
_NOT_IN_TUPLE = message(().index, 0)


# --- searching ------------------------------------------------------------------------------------


def remove(items: Any, value: Any, kind: Kind = ITEMS, missing: str | None = None) -> None:
    """`items.remove(value)`; `missing` is the message of other kinds of sequences."""
    from solvent.lift.equality import same

    if is_ragged(items):
        by_length(items, lambda found: remove(found, value, kind, missing), kind)
        return
    passed: list[Any] = []
    anywhere: Any = False
    for item in items:
        anywhere = True if anywhere is True else or_(anywhere, same(item, value))
        passed.append(anywhere)
    if anywhere is not True:
        text = not_in(value, "deque") if kind is QUEUE else missing or _NOT_REMOVED
        current().fail_if(not_(anywhere), ValueError(text))
    _close_up(items, passed, kind)


def count_of(items: Any, value: Any) -> Any:
    """`items.count(value)`."""
    from solvent.lift.equality import same

    if is_atomic(items, value):
        return items.count(value)
    result: Any = 0
    for guard, item in walk(items):
        here = and_(guard, same(item, value))
        result = result + (int(here) if type(here) is bool else ite(here, 1, 0))
    return result


def index_of(items: Any, value: Any, start: Any, stop: Any, name: str) -> Any:
    """`items.index(value, start, stop)` of a list, tuple or deque."""
    if type(start) is Union:
        return over(start, lambda bound: index_of(items, value, bound, stop, name))
    if type(stop) is Union:
        return over(stop, lambda bound: index_of(items, value, start, bound, name))
    everywhere = type(start) is int and start == 0 and type(stop) is int and stop == END
    if everywhere and is_atomic(items, value):
        return items.index(value)
    if is_ragged(items) and not everywhere:
        return by_alternative(list(items), lambda found: index_of(found, value, start, stop, name))
    return _index_within(items, value, _bound(start, items), _bound(stop, items), name)


def _bound(bound: Any, items: Any) -> Any:
    """The place that a bound of a search means."""
    count = len(items)
    bound = whole(bound) if type(bound) in INDICES else index_number(bound)
    return ite(bound < 0, ite(bound < -count, 0, bound + count), bound)


def _index_within(items: Any, value: Any, start: Any, stop: Any, name: str) -> Any:
    from solvent.lift.equality import same

    rows = []
    for place, (guard, item) in enumerate(walk(items)):
        inside = and_(guard, start <= place, place < stop)
        here = False if inside is False else and_(inside, same(item, value))
        if here is not False:
            rows.append((here, place))
        if here is True:
            break
    missing = not_(or_([guard for guard, _ in rows]))
    if missing is not False:
        current().fail_if(missing, ValueError(not_in(value, name)))
    return combine(rows)


def not_in(value: Any, name: str) -> Any:
    """The message of `index` where nothing is found."""
    if name == "tuple":
        return _NOT_IN_TUPLE
    from solvent.lift.calls import call
    from solvent.lift.operators import add

    return add(call(repr)(value), f" is not in {name}")
