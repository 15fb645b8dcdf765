"""Bytearrays under symbolic conditions and with symbolic bytes.

What is concrete is done by the bytearray itself, after the journal was told.  For everything else
the items are taken as a list, possibly a ragged one, on which the operations of lists work; the
result becomes the contents of the bytearray, see `solvent.vm.buffers`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.facts import bounds, on_path
from solvent.lift.values import sequences, slices
from solvent.lift.values.searching import among
from solvent.lift.values.sequences import INDICES, is_ragged, whole
from solvent.lift.values.slices import by_union, each_slice, get_slice, has_union
from solvent.lift.words import index_message
from solvent.terms.booleans import ITE, and_, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, codes_of, octets
from solvent.vm.buffers import contents, held, made, shadow, store
from solvent.vm.kinds import StandIn, type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.merge import gathered
from solvent.vm.places import BYTES
from solvent.vm.spread import over, over_members_of
from solvent.vm.state import PathEnd
from solvent.vm.union import Union, exclusive
from solvent.vm.values import Choice, Guard, Value

INDEX = "bytearray index out of range"

_PLAIN = frozenset((int, bool, bytes, str, float, type(None), range))
_BOUNDS = frozenset((int, type(None)))


def is_plain(value: Value) -> bool:
    """Whether Python's own bytearrays can be given a value as it is."""
    cls = type(value)
    if cls in _PLAIN:
        return True
    if cls is bytearray:
        return shadow(value) is None
    if cls is list or cls is tuple:
        return set(map(type, value)) <= sequences.ATOMIC
    return cls is slice and {type(value.start), type(value.stop), type(value.step)} <= _BOUNDS


def change(owner: bytearray, action: Callable[[list[Value]], Value]) -> Value:
    """Change a bytearray by changing the list of its items."""
    items = contents(owner)
    result = action(items)
    current().write_whole(BYTES, owner)
    store(owner, items)
    return result


# --- values ---------------------------------------------------------------------------------------


def is_whole(value: object) -> bool:
    """Whether Python takes a value as an int where it needs one."""
    if isinstance(value, Term):
        return type(value) in INDICES
    return hasattr(type(value), "__index__")


def number(value: Value) -> Integer:
    """A value that Python takes as an int: an int or a term."""
    if type(value) is int:
        return value
    cls = type(value)
    if cls is Union:
        found: Integer = over(value, number)
        return found
    if cls in INDICES:
        return whole(value)
    if isinstance(value, Term):
        raise TypeError(f"'{type_name(value)}' object cannot be interpreted as an integer")
    method: Value = getattr(cls, "__index__", None)
    if type(method) is FunctionType:
        return number(call(method)(value))
    return int(operator.index(value))


def byte(value: Value, what: str = "byte") -> Integer:
    """A value that is to become an item: an int or a term from 0 to 255."""
    found = number(value)
    if isinstance(found, Term):
        low, high = bounds(found)
        if low is not None and high is not None and low >= 0 and high < 256:
            return found
    if type(found) is not int or not 0 <= found < 256:
        outside = or_(found < 0, found > 255)
        current().fail_if(outside, ValueError(f"{what} must be in range(0, 256)"))
    return found


def buffer_items(value: Value) -> list[Value] | None:
    """The items of a bytes-like object as a list, None for other objects."""
    if isinstance(value, bytearray):
        return contents(value)
    if type(value) is BytesTerm or type(value) is SymbolicView:
        return list(value.codes)
    if isinstance(value, (Term, StandIn)):
        return None
    try:
        return list(memoryview(value).tobytes())
    except TypeError:
        return None


def joined(items: list[Value]) -> Value:
    """Items as bytes, of each length that they may have.

    >>> from solvent.terms import Int
    >>> joined([97, 98]), joined([97, Int("c")])
    (b'ab', bytes(97, c))
    """
    if not is_ragged(items):
        return octets(items)
    rows = exclusive(tuple(sequences.alternatives(items)))
    return gathered([(guard, octets(found)) for guard, found in rows])


def as_bytes(value: Value) -> Value:
    """A bytes-like object as bytes, which may be symbolic or of several lengths, or None."""
    if isinstance(value, bytes) or type(value) is BytesTerm:
        return value
    items = buffer_items(value)
    return None if items is None else joined(items)


def is_symbolic_buffer(value: Value) -> bool:
    """Whether an object that is like bytes, and no term, holds symbolic bytes."""
    return type(value) is SymbolicView or shadow(value) is not None


class SymbolicView(StandIn):
    """A `memoryview` of symbolic bytes."""

    __slots__ = ("source",)

    def __init__(self, source: bytes | BytesTerm) -> None:
        self.source = source

    @property
    def codes(self) -> tuple[Integer, ...]:
        """The bytes, each a number."""
        return codes_of(bytes, self.source) or ()

    def python_type(self) -> type:
        return memoryview

    # What the program may read of it, as of any view of bytes.
    itemsize, ndim, format, readonly = 1, 1, "B", True
    nbytes = property(lambda self: len(self.codes))
    shape = property(lambda self: (len(self.codes),))


def converted(value: Value, problem: str, what: str = "byte") -> list[Value]:
    """The items that a bytes-like object or an iterable of ints gives, as a list."""
    found = buffer_items(value)
    if found is not None:
        return found
    cls = type(value)
    if cls in INDICES or not (hasattr(cls, "__iter__") or hasattr(cls, "__getitem__")):
        raise TypeError(problem.format(type_name(value)))
    return bytes_from(value, what)


@lifted
def bytes_from(source: Value, what: str) -> list[Value]:
    """A list of the items of an iterable of ints, each checked before the next is taken."""
    result = []
    for item in source:
        result.append(byte(item, what))
    return result


NOT_CONVERTED = "cannot convert '{}' object to bytearray"

# How many concrete values a bytearray may have for what only Python itself can do with it.
_VALUES = 256


def choices(value: Value) -> Value:
    """A bytearray for what needs concrete bytes: as it is, or a union of all that it may be."""
    items = shadow(value)
    if items is None:
        return value
    rows: list[tuple[Guard, bytes]] = []
    for there, found in sequences.alternatives(items):
        rows += _values(on_path(there), found)
    rows = [row for row in rows if row[0] is not False]
    if len(rows) > _VALUES:
        raise _unknown()
    if not rows:
        raise PathEnd
    union = [(guard, bytearray(row)) for guard, row in rows]
    return union[0][1] if len(union) == 1 else Union((*union[:-1], (True, union[-1][1])))


def _unknown() -> NotLiftedError:
    return NotLiftedError(
        "a bytearray with symbolic bytes cannot be used as concrete bytes unless it has few "
        "possible values; use its items, or a list of ints"
    )


def _values(guard: Guard, items: list[Value]) -> list[tuple[Guard, bytes]]:
    """All values that items of one length may have, each with the guard under which it does."""
    rows = [(guard, b"")]
    for item in items:
        leaves = _leaves(item)
        rows = [
            (both, text + bytes((leaf,)))
            for before, text in rows
            for found, leaf in leaves
            if (both := on_path(and_(before, found))) is not False
        ]
        if len(rows) > _VALUES:
            raise _unknown()
    return rows


def _leaves(item: Value) -> list[tuple[Guard, int]]:
    """The values that an item chooses between."""
    found: dict[int, Guard] = {}
    pending: list[Choice] = [(True, item)]
    for _ in range(4 * _VALUES):
        if not pending:
            return [(guard, leaf) for leaf, guard in found.items()]
        guard, part = pending.pop()
        if type(part) is int:
            # Choices outside of the range belong to paths that have ended.
            if 0 <= part < 256:
                found[part] = or_(found.get(part, False), guard)
        elif part.op.base is ITE:
            test, a, b = part.key[1:]
            pending += [(and_(guard, not_(test)), b), (and_(guard, test), a)]
        else:
            break
    raise _unknown()


# --- reading --------------------------------------------------------------------------------------


def get_item(owner: bytearray, key: Value) -> Value:
    """`owner[key]`."""
    found = held(owner)
    if found is owner and type(key) is int:
        return owner[key]
    if type(key) is Union:
        return over(key, lambda member: get_item(owner, member))
    if type(key) is slice:
        if found is owner and is_plain(key):
            return owner[key]
        return _taken(get_slice(list(found), key))
    _check_index(key)
    try:
        return sequences.get_item(found, key, INDEX)
    except IndexError:
        raise IndexError(index_message(key, INDEX)) from None


def _taken(items: Value) -> Value:
    """A new bytearray for a list, or one for each that a union may be."""
    return over(items, made) if type(items) is Union else made(items)


def _check_index(key: object) -> None:
    if not is_whole(key):
        raise TypeError(f"bytearray indices must be integers or slices, not {type_name(key)}")


def live(owner: bytearray) -> Iterator[Value]:
    """The raw items of a bytearray, which may change meanwhile, one by one."""
    place = 0
    while True:
        found = held(owner)
        if place >= len(found):
            return
        yield found[place]
        place += 1


@lifted
def within(count: Integer, start: Value, stop: Value) -> tuple[Value, Value]:
    """The bounds of a search in a sequence of some length."""
    if start is None:
        start = 0
    elif start < 0:
        start = max(start + count, 0)
    if stop is None or stop > count:
        stop = count
    elif stop < 0:
        stop = max(stop + count, 0)
    return start, stop


@lifted
def found_at(items: list[Value], part: list[Value], start: Value, stop: Value) -> Integer:
    """The first place of a part in a list, -1 if there is none."""
    start, stop = within(len(items), start, stop)
    size = len(part)
    for place in range(stop - size + 1):
        if place >= start and items[place : place + size] == part:
            return place
    return -1


def contains(owner: bytearray, item: Value) -> Guard:
    """`item in owner`."""
    if type(item) is Union:
        result: Guard = over(item, lambda member: contains(owner, member))
        return result
    if is_plain(item) and shadow(owner) is None:
        return item in owner
    if is_whole(item):
        return among(byte(item), held(owner))
    part = buffer_items(item)
    if part is None:
        raise TypeError(f"a bytes-like object is required, not '{type_name(item)}'")
    return found_at(contents(owner), part, 0, None) >= 0


def pair(a: Value, b: Value) -> tuple[list[Value], list[Value]] | None:
    """The items of two bytes-like objects, if one of them is symbolic."""
    if not any(type(value) is BytesTerm or is_symbolic_buffer(value) for value in (a, b)):
        return None
    first, second = buffer_items(a), buffer_items(b)
    return None if first is None or second is None else (first, second)


# --- writing --------------------------------------------------------------------------------------


def set_item(owner: bytearray, key: Value, value: Value) -> None:
    """`owner[key] = value`."""
    if type(key) is int and type(value) is int and shadow(owner) is None:
        if JOURNALING:
            _note(owner, key, len(owner))
        owner[key] = value
    elif type(key) is Union:
        over(key, lambda member: set_item(owner, member, value))
    elif type(key) is slice:
        set_slice(owner, key, value)
    else:
        _check_index(key)
        _set_byte(owner, key, byte(value))


def _note(owner: bytearray, index: int, count: int) -> int:
    """Tell the journal that an item is written, if it is there; the place that an index means."""
    place = index + count if index < 0 else index
    if 0 <= place < count:
        current().write_slot(BYTES, owner, place)
    return place


def _set_byte(owner: bytearray, key: Value, value: Value) -> None:
    found = held(owner)
    if type(key) is not int or is_ragged(found):
        change(owner, lambda items: _write(items, key, value))
        return
    place = _note(owner, key, len(found))
    if not 0 <= place < len(found):
        raise IndexError(index_message(key, INDEX))
    BYTES.write(owner, place, value)


def _write(items: list[Value], key: Value, value: Value) -> None:
    if is_ragged(items) and not (type(key) is int and key >= 0):
        sequences.by_length(items, lambda found: _write(found, key, value))
        return
    try:
        sequences.set_item(items, key, value, INDEX)
    except IndexError:
        raise IndexError(index_message(key, INDEX)) from None


@over_members_of("values")
def set_slice(owner: bytearray, part: slice, values: Value) -> None:
    """`owner[part] = values`."""
    if is_plain(part) and is_plain(values) and shadow(owner) is None:
        current().write_whole(BYTES, owner)
        owner[part] = values
    else:
        if isinstance(values, (int, float, complex, str, Term)) and type(values) is not BytesTerm:
            raise TypeError("can assign only bytes, buffers, or iterables of ints in range(0, 256)")
        new = converted(values, NOT_CONVERTED)
        change(owner, lambda items: _assign(items, part, new))


def _assign(items: list[Value], part: slice, new: list[Value]) -> None:
    """`items[part] = new` with the rules and messages of bytearrays."""
    if has_union(part):
        by_union(part, lambda found: _assign(items, found, new))
    elif part.step is None or (type(part.step) is int and part.step == 1):
        slices.set_slice(items, part, new)
    elif is_ragged(new):
        sequences.by_alternative(new, lambda found: _assign(items, part, found))
    elif not new:
        slices.delete_item(items, part, INDEX)
    elif is_ragged(items):
        sequences.by_length(items, lambda found: _assign(found, part, new))
    else:
        each_slice(part, len(items), lambda found: _assign_each(items, found, new))


def _assign_each(items: list[Value], part: slice, new: list[Value]) -> None:
    size = len(items[part])
    if size != len(new):
        raise ValueError(
            f"attempt to assign bytes of size {len(new)} to extended slice of size {size}"
        )
    slices.set_slice(items, part, new)


@over_members_of("key")
def delete_item(owner: bytearray, key: Value) -> None:
    """`del owner[key]`."""
    if is_plain(key) and shadow(owner) is None:
        current().write_whole(BYTES, owner)
        del owner[key]
    else:
        if type(key) is not slice:
            _check_index(key)
        change(owner, lambda items: _delete(items, key))


def _delete(items: list[Value], key: Value) -> None:
    if is_ragged(items):
        sequences.by_length(items, lambda found: _delete(found, key))
        return
    try:
        slices.delete_item(items, key, INDEX)
    except IndexError:
        raise IndexError(index_message(key, INDEX)) from None
