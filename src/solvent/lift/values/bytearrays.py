"""`bytearray` with its methods, `bytes` of one, and `int.from_bytes`.

There are no symbolic `bytes`: those of a bytearray whose bytes are choices between a few concrete
ones are a union, and others are refused.  The same holds for methods that give text or parts.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import wraps

from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.registry import METHODS, Function, lifts, lifts_method
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values import byte_items, searching, sequences
from solvent.lift.values.byte_items import (
    NOT_CONVERTED,
    buffer_items,
    byte,
    change,
    choices,
    converted,
    found_at,
    is_plain,
    is_whole,
    number,
    within,
)
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.lists import items_under
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, ordered, truth
from solvent.lift.values.searching import among, lists_equal
from solvent.lift.values.slices import take
from solvent.lift.values.text import Sequences
from solvent.lift.words import check_repetition
from solvent.terms.booleans import ite, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.buffers import contents, held, made, shadow, store
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.places import BYTES
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# Operators have other messages than the methods that they call.
_OPERATORS: dict[str, Callable[..., Value]] = {
    "__mul__": operator.mul, "__rmul__": operator.mul, "__imul__": operator.imul,
}  # fmt: skip


def bytearray_method(name: str, changes: bool = False) -> Callable[[Function], Function]:
    """Register a method of `bytearray` for what is not all concrete."""
    native = _OPERATORS.get(name) or getattr(bytearray, name)

    def register(function: Function) -> Function:
        most = len(inspect.signature(function).parameters) - 1
        least = most - len(getattr(function, "__defaults__", None) or ())

        @wraps(function)
        def method(owner: bytearray, *args: Value, **named: Value) -> Value:
            if named or not isinstance(owner, bytearray):
                return getattr(bytearray, name)(owner, *args, **named)
            if shadow(owner) is None and all(map(is_plain, args)):
                if changes:
                    current().write_whole(BYTES, owner)
                return native(owner, *args)
            for place, value in enumerate(args):
                if type(value) is Union:
                    return over(
                        value,
                        lambda m: method(owner, *args[:place], m, *args[place + 1 :]),  # noqa: B023
                    )
            if not least <= len(args) <= most:
                return getattr(bytearray, name)(bytearray(), *args)
            return function(owner, *args)

        lifts_method(bytearray, name=name)(method)
        return function

    return register


# --- making ---------------------------------------------------------------------------------------


def _made_of(source: Value, what: str) -> list[Value]:
    """The items of `bytearray(source)`, where not all is concrete."""
    if type(source) in sequences.INDICES:
        count = sequences.whole(source)
        check_repetition(count)
        current().fail_if(count < 0, ValueError("negative count"))
        return sequences.repeat([0], count)  # type: ignore[no-any-return]
    item = "bytes" if what == "bytes" else "byte"
    return converted(source, NOT_CONVERTED.replace("bytearray", what), item)


def _made_as_it_is(arguments: tuple[Value, ...], named: dict[str, Value]) -> bool:
    """Whether a constructor can be called as it is."""
    return len(arguments) != 1 or bool(named) or is_plain(arguments[0])


def _converts(source: Value, name: str) -> bool:
    """Whether an object converts itself, by a special method."""
    return not isinstance(source, Term) and hasattr(type(source), name) and is_concrete(source)


@lifts(bytearray)
def bytearray_(*arguments: Value, **named: Value) -> Value:
    """`bytearray(...)`."""
    if _made_as_it_is(arguments, named):
        return Direct(bytearray)(*arguments, **named)
    (source,) = arguments
    if type(source) is Union:
        return over(source, bytearray_)
    if is_whole(source) and not isinstance(source, Term):
        return bytearray_(number(source))
    return made(_made_of(source, "bytearray"))


@lifts(bytes)
def bytes_(*arguments: Value, **named: Value) -> Value:
    """`bytes(...)`."""
    if _made_as_it_is(arguments, named):
        return Direct(bytes)(*arguments, **named)
    (source,) = arguments
    if type(source) is Union:
        return over(source, bytes_)
    if type(source) is bytes or _converts(source, "__bytes__"):
        return Direct(bytes)(source)
    if is_whole(source) and not isinstance(source, Term):
        return bytes_(number(source))
    return as_bytes(_made_of(source, "bytes"))


def as_bytes(items: list[Value]) -> Value:
    """Items as `bytes`, or a union of all that they may be."""
    found = choices(made(items))
    return over(found, bytes) if type(found) is Union else bytes(found)


@lifts(int.from_bytes)
def from_bytes(bytes: Value, byteorder: Value = "big", *, signed: Value = False) -> Value:
    """`int.from_bytes(bytes, byteorder, signed=...)`."""
    if type(bytes) is Union:
        return over(bytes, lambda member: from_bytes(member, byteorder, signed=signed))
    plain = is_plain(bytes) or not isinstance(bytes, (bytearray, list, tuple))
    if plain or not is_concrete((byteorder, signed)):
        return Direct(int.from_bytes)(bytes, byteorder, signed=signed)
    if byteorder not in ("big", "little"):
        return int.from_bytes(b"", byteorder)
    items = converted(bytes, NOT_CONVERTED.replace("bytearray", "bytes"), "bytes")
    return sequences.by_alternative(items, lambda found: _number_of(found, byteorder, signed))


def _number_of(items: Sequence[Value], order: str, signed: Value) -> Integer:
    result: Integer = 0
    for item in items if order == "big" else reversed(items):
        result = result * 256 + item
    if not signed or not items:
        return result
    high = 1 << (8 * len(items))
    return ite(result >= high // 2, result - high, result)


# --- changing -------------------------------------------------------------------------------------


@bytearray_method("append", changes=True)
def append(owner: bytearray, value: Value, /) -> None:
    """`owner.append(value)`."""
    found = byte(value)
    change(owner, lambda items: sequences.append(items, found))


@bytearray_method("extend", changes=True)
def extend(owner: bytearray, more: Value, /) -> None:
    """`owner.extend(more)`."""
    new = converted(more, "can't extend bytearray with {}")
    change(owner, lambda items: sequences.extend(items, new))


@bytearray_method("insert", changes=True)
def insert(owner: bytearray, index: Value, value: Value, /) -> None:
    """`owner.insert(index, value)`."""
    place = number(index)
    found = byte(value)
    change(owner, lambda items: sequences.insert(items, place, found))


@bytearray_method("pop", changes=True)
def pop(owner: bytearray, index: Value = -1, /) -> Value:
    """`owner.pop(index)`."""
    place = number(index)
    empty = "pop from empty bytearray"
    return change(owner, lambda items: take(items, place, empty))


@bytearray_method("remove", changes=True)
def remove(owner: bytearray, value: Value, /) -> None:
    """`owner.remove(value)`."""
    found = byte(value)
    missing = "value not found in bytearray"
    change(owner, lambda items: searching.remove(items, found, missing=missing))


@bytearray_method("clear", changes=True)
def clear(owner: bytearray, /) -> None:
    """`owner.clear()`."""
    current().write_whole(BYTES, owner)
    store(owner, [])


@bytearray_method("reverse", changes=True)
def reverse(owner: bytearray, /) -> None:
    """`owner.reverse()`."""
    change(owner, sequences.reverse)


@bytearray_method("__iadd__", changes=True)
def add_in_place(owner: bytearray, more: Value, /) -> bytearray:
    """`owner += more`."""
    new = _concatenated(more)
    if more is owner:
        # Python looks at the bytes of the one while it makes room in the other.
        error = BufferError("Existing exports of data: object cannot be re-sized")
        current().fail_if(truth(length(owner)), error)
    change(owner, lambda items: sequences.extend(items, new))
    return owner


@bytearray_method("__imul__", changes=True)
def multiply_in_place(owner: bytearray, count: Value, /) -> bytearray:
    """`owner *= count`."""
    times = _times(count)
    change(owner, lambda items: sequences.repeat_in_place(items, times))
    return owner


lifts_method(bytearray, name="__setitem__")(byte_items.set_item)
lifts_method(bytearray, name="__delitem__")(byte_items.delete_item)


# --- reading --------------------------------------------------------------------------------------

lifts_method(bytearray, name="__getitem__")(byte_items.get_item)
lifts_method(bytearray, name="__contains__")(byte_items.contains)


@bytearray_method("__len__")
def length(owner: bytearray, /) -> Integer:
    """`len(owner)`."""
    return sequences.length(held(owner))


@bytearray_method("copy")
def copy(owner: bytearray, /) -> bytearray:
    """`owner.copy()`."""
    return made(contents(owner))


def _concatenated(other: Value) -> list[Value]:
    found = buffer_items(other)
    if found is None:
        raise TypeError(f"can't concat {type_name(other)} to bytearray")
    return found


@bytearray_method("__add__")
def add(owner: bytearray, other: Value, /) -> bytearray:
    """`owner + other`."""
    return made(sequences.concatenate(contents(owner), _concatenated(other)))


@lifts_method(bytearray, name="__radd__")
def add_to(owner: bytearray, other: Value, /) -> Value:
    """`other + owner`, which has the type of the other."""
    if shadow(owner) is None or type(other) is not bytes:
        return operators.natively(operator.add, other, owner)
    return as_bytes([*other, *contents(owner)])


def _times(count: Value) -> Integer:
    if is_whole(count):
        return number(count)
    raise TypeError(f"can't multiply sequence by non-int of type '{type_name(count)}'")


@bytearray_method("__mul__")
def multiply(owner: bytearray, count: Value, /) -> bytearray:
    """`owner * count`."""
    return made(sequences.repeat(contents(owner), _times(count)))


bytearray_method("__rmul__")(multiply)


def _compares(name: str) -> None:
    """Register a comparison that is called by name."""
    compare = getattr(operators, name)

    @bytearray_method(f"__{name}__")
    def method(owner: bytearray, other: Value, /) -> Value:
        return NotImplemented if buffer_items(other) is None else compare(owner, other)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _compares(_name)


# --- searching ------------------------------------------------------------------------------------


def _part(value: Value) -> list[Value]:
    """What to search for: bytes, or a single one."""
    if is_whole(value):
        return [byte(value)]
    found = buffer_items(value)
    if found is None:
        kind = type_name(value)
        raise TypeError(f"argument should be integer or bytes-like object, not '{kind}'")
    return found


@lifted
def found_last(items: list[Value], part: list[Value], start: Value, stop: Value) -> Integer:
    """The last place of a part in a list, -1 if there is none."""
    start, stop = within(len(items), start, stop)
    size = len(part)
    result = -1
    for place in range(stop - size + 1):
        if place >= start and items[place : place + size] == part:
            result = place
    return result


@lifted
def how_often(items: list[Value], part: list[Value], start: Value, stop: Value) -> Integer:
    """How often a part is in a list, without overlaps."""
    start, stop = within(len(items), start, stop)
    size = len(part)
    result, free = 0, start
    for place in range(stop - size + 1):
        if place >= free and items[place : place + size] == part:
            result += 1
            free = place + max(size, 1)
    return result


@lifted
def _place_or_error(place: Integer) -> Integer:
    if place < 0:
        raise ValueError("subsection not found")
    return place


def _searches(name: str, search: Callable[..., Integer], fails: bool = False) -> None:
    """Register a method that searches."""

    @bytearray_method(name)
    def method(
        owner: bytearray, part: Value, start: Value = None, stop: Value = None, /
    ) -> Integer:
        result = search(contents(owner), _part(part), _bound(start), _bound(stop))
        return _place_or_error(result) if fails else result


def _bound(bound: Value) -> Integer | None:
    if bound is None or type(bound) in sequences.INDICES:
        return None if bound is None else sequences.whole(bound)
    return sequences.index_number(bound)


_searches("find", found_at)
_searches("rfind", found_last)
_searches("index", found_at, fails=True)
_searches("rindex", found_last, fails=True)
_searches("count", how_often)


@lifted
def _starts(items: list[Value], part: list[Value], start: Value, stop: Value) -> Guard:
    start, stop = within(len(items), start, stop)
    return start <= stop - len(part) and items[start : start + len(part)] == part


@lifted
def _ends(items: list[Value], part: list[Value], start: Value, stop: Value) -> Guard:
    start, stop = within(len(items), start, stop)
    return start <= stop - len(part) and items[stop - len(part) : stop] == part


def _edges(name: str, search: Callable[..., Guard]) -> None:
    """Register `startswith` or `endswith`."""

    @bytearray_method(name)
    def method(owner: bytearray, parts: Value, start: Value = None, stop: Value = None, /) -> Value:
        for part in parts if type(parts) is tuple else (parts,):
            if buffer_items(part) is None:
                return Direct(getattr(bytearray, name))(bytearray(), parts)
        if type(parts) is not tuple:
            return search(contents(owner), buffer_items(parts), _bound(start), _bound(stop))
        each = [method(owner, part, start, stop) for part in parts]
        return or_(each)


_edges("startswith", _starts)
_edges("endswith", _ends)


# --- what needs concrete bytes --------------------------------------------------------------------


def _reads(name: str) -> None:
    """Register a method that is called for each value that the bytearray may have."""
    native = Direct(getattr(bytearray, name))

    def method(owner: bytearray, /, *args: Value, **named: Value) -> Value:
        return native(*map(choices, (owner, *args)), **named)

    lifts_method(bytearray, name=name)(method)


for _name in ("__mod__", *(name for name in dir(bytes) if not name.startswith("__"))):
    if _name not in METHODS[bytearray] and _name not in ("fromhex", "maketrans"):
        _reads(_name)


class Bytearrays(Objects):
    """What bytearrays do."""

    def get_item(self, owner: bytearray, key: Value) -> Value:
        return byte_items.get_item(owner, key)

    def set_item(self, owner: bytearray, key: Value, value: Value) -> None:
        byte_items.set_item(owner, key, value)

    def delete_item(self, owner: bytearray, key: Value) -> None:
        byte_items.delete_item(owner, key)

    def contains(self, container: bytearray, item: Value) -> Guard:
        return byte_items.contains(container, item)

    def equal(self, a: bytearray, b: Value) -> Value:
        found = byte_items.pair(a, b)
        return NotImplemented if found is None else a is b or lists_equal(*found)

    def ordered(self, a: Value, b: Value, name: str) -> Value:
        found = byte_items.pair(a, b)
        return NotImplemented if found is None else ordered(*found, name)

    def iterate(self, value: bytearray) -> Iterable[Value]:
        return byte_items.live(value)

    def iterator(self, value: bytearray) -> Value:
        return SequenceIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: bytearray) -> Iterable[Value]:
        return shadow(value) or ()

    def copied(self, value: bytearray, copying: Copying) -> Value:
        if shadow(value) is None:
            return NotImplemented
        cls = type(value)
        result = cls.__new__(cls)
        store(result, contents(value))
        return result

    def shown(self, value: bytearray, texts: Texts) -> Value:
        found = choices(value)
        return over(found, repr) if type(found) is Union else repr(found)

    def under(self, value: bytearray, evaluate: Evaluation) -> Value:
        found = shadow(value)
        if found is None:
            return value
        cls = type(value)
        result = cls.__new__(cls)
        evaluate.started(value, result)
        # Under a model for which the run fails, an item may be anything.
        items = [evaluate.value(item) % 256 for item in items_under(found, evaluate)]
        bytearray.extend(result, items)
        return result


class Bytes(Sequences):
    """What bytes do, which are always concrete."""

    def contains(self, container: bytes, item: Value) -> Guard:
        if type(item) in sequences.INDICES:
            return among(byte(item), list(container))
        return super().contains(container, item)

    def ordered(self, a: bytes, b: Value, name: str) -> Value:
        return BYTEARRAYS.ordered(a, b, name) if isinstance(b, bytearray) else NotImplemented


BYTEARRAYS = Bytearrays()
behaves(BYTEARRAYS, bytearray)
behaves(Bytes(), bytes)
