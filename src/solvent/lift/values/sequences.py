"""Lists and tuples with symbolic items, symbolic indices and lengths that differ between paths.

A list whose length differs between paths is *ragged*: its last items are partial (see `vm.slots`),
and the guard of each implies the guard of the one before.  Tuples have one length; those of several
are unions.
"""

from __future__ import annotations

import operator
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds, possible
from solvent.lift.values.protocol import items_of, runs_code
from solvent.lift.values.stepping import add_each
from solvent.lift.words import check_repetition, check_word, index_message
from solvent.terms import bv_to_int
from solvent.terms.bitvectors import BitVecTerm, uge
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.texts import BytesTerm, TextTerm, codes_of
from solvent.terms.values import bv
from solvent.vm.forks import Chain
from solvent.vm.kinds import STANDS_FOR, python_type
from solvent.vm.machine import current
from solvent.vm.merge import gathered, merge, merge_slots
from solvent.vm.places import ITEMS, Kind
from solvent.vm.slots import UNBOUND, Maybe, guard_of, opened, slot
from solvent.vm.spread import combine, over, settled
from solvent.vm.state import PathEnd
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

SEQUENCES = frozenset((list, tuple, str, bytes, deque, TextTerm, BytesTerm))
# A symbolic index, and the classes of those.
Index = IntTerm | BoolTerm | BitVecTerm
INDICES = frozenset((IntTerm, BoolTerm, BitVecTerm))

# What has items that can be changed, and anything whose items can be read.
ListLike = list[Value] | deque[Value]
Items = TypeVar("Items", bound=ListLike)
Readable = TypeVar("Readable", bound=Sequence[Value])

# The end of a search that has no other end.
END = sys.maxsize


def pick(c: Guard, a: Value, b: Value) -> Value:
    """The value that is `a` where `c` (a bool or a term) holds and `b` elsewhere."""
    if c is True:
        return a
    return b if c is False else merge(c, a, b)


# What Python compares by itself.
ATOMIC = frozenset((int, float, bool, str, bytes, complex, type(None)))


def is_atomic(items: Iterable[Value], value: Value = None) -> bool:
    """Whether items, and a value to look for, are plain data, so that Python's own search does.

    >>> is_atomic((1, "a"), 2), is_atomic((int, str), int), is_atomic((int, 2), 2)
    (True, True, False)
    """
    cls = type(value)
    if cls is type:
        # Classes are equal if they are the same one.
        return all(type(item) is type for item in items)
    return cls in ATOMIC and set(map(type, items)) <= ATOMIC


def is_ragged(items: Sequence[Value]) -> bool:
    """Whether the length of a list or deque differs between paths."""
    return bool(items) and type(items[-1]) is Maybe  # flat: hot path


def length(items: Sequence[Value]) -> Integer:
    """The length of a list, tuple, string or deque: an int or a term.

    >>> from solvent.terms import Bool
    >>> length([1, 2]), length([1, slot(Bool("p"), 2)])
    (2, ite(p, 2, 1))
    """
    count = len(items)
    if not count or type(items[-1]) is not Maybe:  # flat: hot path
        return count
    fixed = fixed_length(items)
    result: Integer = fixed
    for place in range(fixed, count):
        result = ite(items[place].guard, place + 1, result)
    return result


def fixed_length(items: Sequence[Value]) -> int:
    """How many items are there on every path."""
    count = len(items)
    while count and type(items[count - 1]) is Maybe:  # flat: hot path
        count -= 1
    return count


def alternatives(items: Sequence[Value]) -> list[tuple[Guard, list[Value]]]:
    """The lists that a ragged list may be, as an ordered choice, the longest first."""
    values, guards = opened_tail(items)
    fixed = len(values) - len(guards)
    rows: list[tuple[Guard, list[Value]]] = [
        (guards[place - fixed - 1], values[:place])
        for place in range(len(values), fixed, -1)
        if guards[place - fixed - 1] is not False
    ]
    rows.append((True, values[:fixed]))
    return rows


def opened_tail(items: Sequence[Value]) -> tuple[list[Value], list[Guard]]:
    """The values of all items, and where those are there that only some paths have.

    >>> from solvent.terms import Bool
    >>> opened_tail([1, slot(Bool("p"), 2)])
    ([1, 2], [p])
    """
    fixed = fixed_length(items)
    values, guards = [], []
    for place, item in enumerate(items):
        if place < fixed:
            values.append(item)
        else:
            values.append(item.value)
            guards.append(item.guard)
    return values, guards


def by_length(items: Items, action: Callable[[Items], Value], kind: Kind = ITEMS) -> Value:
    """Do something with a ragged list, once for every length, under the guard of that length."""
    rows = alternatives(items)
    machine = current()
    if machine.limits.directed:
        rows = list(settled(machine, tuple(rows)))
    chain = Chain()
    results: list[Choice] = []
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
        raise PathEnd
    return combine(results)


def by_alternative(items: Readable, action: Callable[[Readable | list[Value]], Value]) -> Value:
    """Do something with each list that a list may be, under its guard, and merge the results."""
    if not is_ragged(items):
        return action(items)
    rows = alternatives(items)
    if len(rows) == 1:
        return action(rows[0][1])
    return over(Union(tuple(rows)), action)


def choose(term: Integer | BitVecTerm, numbers: range, action: Callable[[int], Value]) -> Value:
    """The result of an action without effects for the number that a term stands for.

    The term is one of the numbers on every path that goes on.
    """
    rows: list[Choice] = []
    known = possible(term)
    for number in numbers if known is None else [each for each in known if each in numbers]:
        guard = term == number
        if guard is not False:
            rows.append((guard, action(number)))
            if guard is True:
                break
    if not rows:
        raise PathEnd
    return combine(rows)


# --- indices --------------------------------------------------------------------------------------


def index_number(index: Value) -> int:
    """A concrete index as an int, as Python takes it."""
    try:
        return operator.index(index)
    except TypeError:
        message = "slice indices must be integers or have an __index__ method"
        raise TypeError(message) from None


def whole(index: Index) -> Integer:
    """A symbolic index as an integer."""
    if isinstance(index, BoolTerm):
        return index.as_int()
    if isinstance(index, BitVecTerm):
        return bv_to_int(index)
    return index


def position(index: Index, count: int, message: str) -> Integer | BitVecTerm:
    """The position that a symbolic index means; raises `IndexError` where it is out of range."""
    if isinstance(index, BoolTerm):
        index = index.as_int()
    if isinstance(index, BitVecTerm):
        width = index.sort.width
        if count < (1 << width):
            # As `__index__` of concrete bitvectors, which is the unsigned value.
            current().fail_if(uge(index, bv(count, width)), IndexError(message))
        return index
    known = possible(index) or [-count - 1, count]
    outside = or_(known[0] < -count and index < -count, known[-1] >= count and index >= count)
    if outside is not False:
        current().fail_if(outside, IndexError(index_message(index, message)))
    if known[0] >= 0:
        return index
    return index + count if known[-1] < 0 else ite(index < 0, index + count, index)


def get_item(items: Sequence[Value], index: Value, message: str) -> Value:
    """Read an item of a list, tuple or deque."""
    cls = type(index)
    if cls is int or cls is bool:
        return _get_at(items, int(index), message)
    if cls in INDICES:
        return by_alternative(items, lambda values: get_symbolic(values, index, message))
    if cls in STANDS_FOR:
        # Python says what is wrong with an index of that type.
        return items[STANDS_FOR[cls]()]
    if hasattr(cls, "__index__"):
        return get_item(items, int(index), message)
    return items[index]


def _get_at(items: Sequence[Value], index: int, message: str) -> Value:
    if type(items) is range:
        return items[index]
    count = len(items)
    if not count or type(items[-1]) is not Maybe:  # flat: hot path
        return items[index]
    if index >= 0:
        if index >= count:
            raise IndexError(index_message(index, message))
        guard, value = opened(items[index])
        current().fail_if(not_(guard), IndexError(message))
        return value
    missing: Guard = False
    rows = []
    rest: Guard = True
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


def get_symbolic(items: Sequence[Value], index: Value, message: str) -> Value:
    count = len(items)
    place = position(index, count, message)
    return choose(place, range(count), lambda number: items[number])


def set_item(items: ListLike, index: Value, value: Value, message: str, kind: Kind = ITEMS) -> None:
    """Write an item of a list or deque."""
    cls = type(index)
    machine = current()
    if cls is bool:
        index, cls = int(index), int
    if cls is int:
        if not is_ragged(items):
            if machine.listens:
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
            there = guard_of(items[index])
            machine.fail_if(not_(there), IndexError(message))
            if kind is ITEMS:
                machine.write_slot(kind, items, index)
            else:
                machine.write_whole(kind, items)
            items[index] = slot(there, value)
            return
    elif cls in INDICES:
        if not is_ragged(items):
            place = position(index, len(items), message)
            machine.write_whole(kind, items)
            for number in range(len(items)):
                guard = place == number
                items[number] = pick(guard, value, items[number])
            return
    elif cls in STANDS_FOR:
        items[STANDS_FOR[cls]()] = value
        return
    elif hasattr(cls, "__index__"):
        set_item(items, int(index), value, message, kind)
        return
    else:
        items[index] = value
        return
    by_length(items, lambda found: set_item(found, index, value, message, kind), kind)


# --- changing the length --------------------------------------------------------------------------


def append(items: ListLike, value: Value, kind: Kind = ITEMS) -> None:
    """Add an item at the end, wherever that is."""
    current().write_whole(kind, items)
    if not is_ragged(items):
        items.append(value)
        return
    # The new item is at position p where the list was exactly p long.
    reached: Guard = True
    for place in range(fixed_length(items), len(items)):
        old = items[place]
        items[place] = slot(reached, pick(old.guard, old.value, value))
        reached = old.guard
    items.append(slot(reached, value))


def extend(items: ListLike, more: Value, kind: Kind = ITEMS) -> None:
    """Add all items of an iterable at the end."""
    if runs_code(more):
        add_each(more, lambda _, value: append(items, value, kind))
        return
    new = list(items_of(more))
    if not is_ragged(items):
        current().write_whole(kind, items)
        items.extend(new)
        return
    for item in new:
        guard, value = opened(item)
        append_if(items, guard, value, kind)


def append_if(items: ListLike, guard: Guard, value: Value, kind: Kind = ITEMS) -> None:
    """Append where a guard holds."""
    if guard is False:
        return
    if guard is True:
        append(items, value, kind)
        return
    if not is_ragged(items):
        current().write_whole(kind, items)
        items.append(slot(guard, value))
        return
    before = list(items)
    append(items, value, kind)
    merged = []
    for place, item in enumerate(items):
        merged.append(merge_slots(guard, item, before[place] if place < len(before) else UNBOUND))
    kind.restore(items, merged)


def concatenate(a: list[Value], b: list[Value]) -> list[Value]:
    """`a + b` for lists."""
    if not is_ragged(a):
        return a + b
    result = list(a)
    extend(result, b)
    return result


def repeat(items: Value, count: Value) -> Value:
    """`items * count`."""
    if type(count) in INDICES:
        return _repeat_symbolic(items, whole(count))
    if isinstance(items, list) and is_ragged(items):
        check_repetition(count)
        result: list[Value] = []
        for _ in range(count):
            extend(result, list.copy(items))
        return result
    if type(items) is deque and is_ragged(items):
        return deque(repeat(list(items), count), items.maxlen)
    return items * count


# How often a sequence is repeated if the number has bounds, and if it has none.
_MOST_REPETITIONS = 1024
_REPETITIONS = 64


def _repeat_symbolic(items: Value, count: Integer) -> Value:
    native = python_type(items)
    if not isinstance(items, (list, tuple)) and native is not str and native is not bytes:
        raise NotLiftedError(
            f"repeating a {type(items).__name__} a symbolic number of times is not lifted; use a "
            "list, or build it in a loop with a bound"
        )
    check_repetition(count)
    if not items:
        return items if not isinstance(items, list) else []
    most = _most_repetitions(count)
    if isinstance(items, list):
        return _repeat_list(items, count, most)
    least = min(max(0, bounds(count)[0] or 0), most)
    if least == most:
        return repeat(items, most)
    counts = range(least, most + 1)
    guards = [_times(count, number, counts) for number in counts]
    if isinstance(items, tuple):
        return combine([(guard, items * n) for guard, n in zip(guards, counts, strict=True)])
    codes = codes_of(native, items) or ()
    made = TextTerm.made if native is str else BytesTerm.made
    return gathered([(guard, made(codes * n)) for guard, n in zip(guards, counts, strict=True)])


def _repeat_list(items: list[Value], count: Integer, most: int) -> list[Value]:
    guards = [count > number for number in range(most)]
    if not is_ragged(items):
        return [slot(guard, value) for guard in guards for value in items]
    result: list[Value] = []
    for guard in guards:
        for there, value in walk(items):
            append_if(result, and_(guard, there), value)
    return result


def _times(count: Integer, number: int, counts: range) -> Guard:
    """Whether something is repeated so often; a negative count counts as zero."""
    if number == counts[0]:
        return count <= number
    return count >= number if number == counts[-1] else count == number


def _most_repetitions(count: Integer) -> int:
    """How often something is repeated at most; where it would be more often, the path ends."""
    machine = current()
    low, high = bounds(count)
    if high is not None and high <= _MOST_REPETITIONS:
        return max(0, high)
    limits = machine.limits
    own = limits.bound if limits.bound is not None and limits.bound <= _MOST_REPETITIONS else None
    most = _REPETITIONS if own is None else own
    for number in [1 << power for power in range(most.bit_length())]:
        if number < most and not limits.feasible(machine, count > number):
            return number
    if own is not None:
        limits.stop(machine, count > most, "repetition")
        return most
    error = NotLiftedError(
        f"repeating a sequence more than {most} times by a symbolic number is not lifted unless "
        "it has a bound; assume one, or give the query a `bound`"
    )
    if low is not None and low > most:
        raise error
    if limits.feasible(machine, count > most):
        machine.end_unknown(count > most, error)
    return most


def repeat_in_place(items: list[Value], count: Value) -> None:
    """`items *= count`."""
    if type(count) is Union:
        over(count, lambda member: repeat_in_place(items, member))
        return
    new = repeat(items, count)
    current().write_whole(ITEMS, items)
    items[:] = new


def walk(items: Iterable[Value]) -> Iterator[Choice]:
    """Guard and value of each item."""
    for item in items:
        yield opened(item)


def insert(items: ListLike, index: Value, value: Value, kind: Kind = ITEMS) -> None:
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
    if isinstance(items, list):
        list.insert(items, index, value)
    else:
        deque.insert(items, index, value)


def _insert_at(items: ListLike, index: Integer, value: Value, kind: Kind) -> None:
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


def reverse(items: ListLike, kind: Kind = ITEMS) -> None:
    """`items.reverse()`."""
    if is_ragged(items):
        by_length(items, lambda found: reverse(found, kind), kind)
        return
    current().write_whole(kind, items)
    items.reverse()


def close_up(items: ListLike, passed: list[Guard], kind: Kind) -> None:
    """Take out the first item for which `passed` holds; those after it move up."""
    values = list(items)
    shorter = [
        pick(passed[place], values[place + 1], values[place]) for place in range(len(values) - 1)
    ]
    current().write_whole(kind, items)
    kind.restore(items, shorter)
