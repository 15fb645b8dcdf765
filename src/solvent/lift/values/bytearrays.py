"""`bytearray` with its methods.

Methods that only read do with symbolic contents what those of `bytes` do.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps

from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import for_each
from solvent.lift.messages import raised
from solvent.lift.registry import METHODS, Function, lifts, lifts_method
from solvent.lift.spelling import methods as spelled
from solvent.lift.spelling.kinds import OCTETS
from solvent.lift.spelling.quoting import quoted
from solvent.lift.templates import filled_in_bytes
from solvent.lift.unlifted import Direct
from solvent.lift.values import byte_items, octets, searching, sequences
from solvent.lift.values.byte_items import (
    buffer_items,
    byte,
    change,
    choices,
    converted,
    found_at,
    is_plain,
    is_whole,
    joined,
    number,
    within,
)
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.lists import items_under
from solvent.lift.values.objects import Objects
from solvent.lift.values.octets import encoded_source, is_made_as_it_is, made_of, sampled
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, ordered, truth
from solvent.lift.values.searching import lists_equal
from solvent.lift.values.slices import take
from solvent.terms.booleans import ite, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, codes_of
from solvent.vm.buffers import contents, held, made, shadow, store
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.places import BYTES
from solvent.vm.slots import opened, slot
from solvent.vm.spread import over, over_pure
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value

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


@lifts(bytearray)
def bytearray_(*arguments: Value, **named: Value) -> Value:
    """`bytearray(...)`."""
    if arguments and type(arguments[0]) is Union:
        return over(arguments[0], lambda member: bytearray_(member, *arguments[1:], **named))
    found = encoded_source(arguments, named)
    if found is not None:
        return as_bytearrays(found)
    if is_made_as_it_is(arguments, named):
        return Direct(bytearray)(*sampled(arguments), **named)
    (source,) = arguments
    if is_whole(source) and not isinstance(source, Term):
        return bytearray_(number(source))
    return made(made_of(source, "bytearray"))


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
    if type(other) is not BytesTerm and (shadow(owner) is None or type(other) is not bytes):
        return operators.natively(operator.add, other, owner)
    return operators.add(other, joined(contents(owner)))


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


# --- what bytes do too ----------------------------------------------------------------------------


def as_bytearrays(value: Value) -> Value:
    """What a method of bytes gives, with bytearrays in place of bytes."""
    cls = type(value)
    if cls is bytes or cls is BytesTerm:
        return made(list(codes_of(bytes, value) or ()))
    if cls is tuple:
        return tuple(map(as_bytearrays, value))
    if cls is list:
        rows = map(opened, value)
        return [slot(guard, as_bytearrays(found)) for guard, found in rows]
    if cls is not Union:
        return value
    members = exclusive(choices_of(value))
    if all(type(member) in (bytes, BytesTerm) for _, member in members):
        return made(_one_list(members))
    return over_pure(value, as_bytearrays)


def _one_list(rows: Sequence[Choice]) -> list[Value]:
    """The items of bytes of several lengths, as those of one bytearray."""
    result: list[Value] = []
    for place in range(max(len(found) for _, found in rows)):
        here = [(guard, found[place]) for guard, found in rows if place < len(found)]
        exists: Guard = len(here) == len(rows) or or_([guard for guard, _ in here])
        item = here[-1][1]
        for guard, other in reversed(here[:-1]):
            item = ite(guard, other, item)
        result.append(slot(exists, item))
    return result


def _any_arguments(*_args: Value, **_named: Value) -> None:
    """Stands for a method whose arguments are looked at elsewhere."""


def _reads(name: str) -> None:
    """Register a method that does with symbolic bytes what that of `bytes` does."""
    native = Direct(getattr(bytearray, name))
    parameters = inspect.signature(spelled.METHODS.get(name, _any_arguments))

    def method(owner: bytearray, /, *args: Value, **named: Value) -> Value:
        if shadow(owner) is None and all(map(is_plain, (*args, *named.values()))):
            return native(owner, *args, **named)
        try:
            parameters.bind(None, (), *args, **named)
        except TypeError:
            native_method = partial(getattr(bytearray(), name), **dict.fromkeys(named))
            raise raised(native_method, *[None] * len(args)) from None
        found = METHODS[bytes][name](joined(contents(owner)), *args, **named)
        return as_bytearrays(found)

    lifts_method(bytearray, name=name)(method)


for _name in dir(bytes):
    if not _name.startswith("__") and _name not in (*METHODS[bytearray], "fromhex", "maketrans"):
        _reads(_name)


@lifts_method(bytearray, name="__mod__")
def percent(template: bytearray, values: Value, /) -> Value:
    """`template % values`."""
    known = joined(contents(template))
    if type(known) is bytes:
        return as_bytearrays(filled_in_bytes(known, values))
    return Direct(bytearray.__mod__)(choices(template), values)


@lifts(bytearray.fromhex)
def fromhex(source: Value, /) -> Value:
    """`bytearray.fromhex(source)`."""
    return as_bytearrays(octets.fromhex(source))


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
        found = joined(contents(value))
        name = type(value).__name__
        written = for_each(
            found, lambda m: quoted(codes_of(bytes, m) or (), OCTETS, in_bytearray=True)
        )
        return texts.joined(f"{name}(", written, ")")

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


behaves(Bytearrays(), bytearray)
