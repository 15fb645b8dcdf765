"""Tuples, which have one length: those of several are members of a union."""

from __future__ import annotations

import operator
from collections.abc import Iterable

from solvent.lift.messages import message
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values import searching, sequences
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, items_of
from solvent.lift.values.searching import all_equal, among, lexicographic
from solvent.lift.values.slices import get_slice
from solvent.terms.kinds import Integer
from solvent.vm.spread import combine, over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_INDEX = message(operator.getitem, (), 0)


class Tuples(Objects):
    """What tuples do."""

    def truth(self, value: tuple[Value, ...]) -> Guard:
        return bool(tuple.__len__(value))

    def length(self, value: tuple[Value, ...]) -> Integer:
        return tuple.__len__(value)

    def get_item(self, owner: tuple[Value, ...], key: Value) -> Value:
        if type(key) is Union:
            return over(key, lambda member: self.get_item(owner, member))
        if type(key) is slice:
            return get_slice(owner, key)
        return sequences.get_item(owner, key, _INDEX)

    def contains(self, container: tuple[Value, ...], item: Value) -> Guard:
        return among(item, container)

    def equal(self, a: tuple[Value, ...], b: Value) -> Value:
        if not isinstance(b, tuple) or type(b).__eq__ is not tuple.__eq__:
            return NotImplemented
        return a is b or (len(a) == len(b) and all_equal(a, b))

    def ordered(self, a: tuple[Value, ...], b: Value, name: str) -> Value:
        if not isinstance(b, tuple) or type(b).__lt__ is not tuple.__lt__:
            return NotImplemented
        return lexicographic(a, b, name)

    def iterate(self, value: tuple[Value, ...]) -> Iterable[Value]:
        return value

    def iterator(self, value: tuple[Value, ...]) -> Value:
        return SequenceIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: tuple[Value, ...]) -> Iterable[Value]:
        return value

    def copied(self, value: tuple[Value, ...], copying: Copying) -> Value:
        return tuple.__new__(type(value), [copying.part(item) for item in value])

    def shown(self, value: tuple[Value, ...], texts: Texts) -> Value:
        items = _bare(value)
        if texts.are_plain(items):
            return repr(value)
        return texts.listed("(", items, ",)" if len(items) == 1 else ")")

    def under(self, value: tuple[Value, ...], evaluate: Evaluation) -> Value:
        if not tuple.__len__(value):
            return value
        items = [evaluate.value(item) for item in value]
        if all(map(operator.is_, items, value)):
            return value
        cls = type(value)
        return tuple(items) if cls is tuple else tuple.__new__(cls, items)


TUPLES = Tuples()
behaves(TUPLES, tuple)


def _bare(items: tuple[Value, ...]) -> tuple[Value, ...]:
    """The items alone: a derived class may read them in its own way."""
    return items if type(items) is tuple else tuple.__getitem__(items, slice(None))


@lifts_method(tuple)
def index(
    items: tuple[Value, ...], value: Value, start: Value = 0, stop: Value = sequences.END, /
) -> Value:
    """`items.index(value, start, stop)`."""
    return searching.index_of(_bare(items), value, start, stop, "tuple")


@lifts_method(tuple)
def count(items: tuple[Value, ...], value: Value, /) -> Integer:
    """`items.count(value)`."""
    return searching.count_of(_bare(items), value)


@lifts_method(tuple, name="__len__")
def length(items: tuple[Value, ...], /) -> int:
    """`items.__len__()`."""
    return tuple.__len__(items)


@lifts_method(tuple, name="__contains__")
def contains(items: tuple[Value, ...], value: Value, /) -> Guard:
    """`items.__contains__(value)`."""
    return among(value, _bare(items))


@lifts_method(tuple, name="__getitem__")
def get_item(items: tuple[Value, ...], key: Value, /) -> Value:
    """`items.__getitem__(key)`."""
    return TUPLES.get_item(_bare(items), key)


@lifts(tuple)
def as_tuple(source: Value = ()) -> Value:
    """`tuple(source)`: a union of tuples if the length differs between paths."""
    if type(source) is tuple:
        return source
    if type(source) is Union:
        if all(type(member) is tuple for _, member in source._solvent_choices):
            return source
        return over(source, as_tuple)
    items = list(items_of(source))
    if sequences.is_ragged(items):
        rows = sequences.alternatives(items)
        return combine([(guard, tuple(values)) for guard, values in rows])
    return tuple(items)


@lifts(tuple.__new__)
def new(cls: type[tuple[Value, ...]], source: Value = ()) -> Value:
    """`tuple.__new__(cls, source)`, which named tuples use."""
    items = as_tuple(source)
    if type(items) is Union:
        return over(items, lambda found: tuple.__new__(cls, found))
    return tuple.__new__(cls, items)
