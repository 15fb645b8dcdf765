"""`iter`, `next`, and the builtin functions that return iterators."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from sys import getrefcount
from types import FunctionType, GeneratorType
from typing import TYPE_CHECKING

from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.facts import on_path
from solvent.lift.purity import HARMLESS
from solvent.lift.registry import lifts
from solvent.lift.stopping import unless_stopped
from solvent.lift.values import entries, sets
from solvent.lift.values.iterators import (
    END,
    ENDED,
    Calling,
    CallIterator,
    ReverseIterator,
    ReverseSnapshot,
    SequenceIterator,
    Stateful,
    Step,
    advance,
    capacity_of,
    room_of,
    split,
    step_to,
)
from solvent.lift.values.lazy import given, next_item
from solvent.lift.values.protocol import ALONE, iter_of
from solvent.lift.values.ranges import SymbolicRange
from solvent.lift.values.views import SHOWN
from solvent.terms.booleans import not_
from solvent.terms.core import COMPILED
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.owned import HELD
from solvent.vm.slots import UNBOUND
from solvent.vm.spread import either, over
from solvent.vm.union import Union
from solvent.vm.values import Value


@lifts(iter)
def make_iterator(source: Value, *sentinel: Value) -> Value:
    """`iter(source)` or `iter(function, sentinel)`."""
    if sentinel:
        return CallIterator(source, *sentinel)
    return iter_of(source)


@lifts(next)
def take_next(iterator: Value, *default: Value) -> Value:
    """`next(iterator)` or `next(iterator, default)`."""
    if isinstance(iterator, Stateful) and (item := iterator.ready()) is not UNBOUND:
        return item
    if type(iterator) is GeneratorType:
        return next_item(iterator, *default)
    if type(iterator) is Union:
        return over(iterator, lambda member: take_next(member, *default))
    method = getattr(type(iterator), "__next__", None)
    if method is None:
        raise TypeError(f"'{type_name(iterator)}' object is not an iterator")
    if not default and type(method) is FunctionType and not isinstance(iterator, Stateful):
        return call(method)(iterator)
    guard, value = advance(iterator)
    return given(guard, value, default)


class Derived(Stateful):
    """An iterator that gives at most one item for each item of its source."""

    __slots__ = ("source",)

    source: Value

    def room(self) -> int | None:
        return room_of(self.source)

    def capacity(self) -> int:
        return capacity_of(self.source)


@lifts(enumerate)
class Enumerate(Derived):
    """`enumerate(iterable, start)`."""

    __slots__ = ("count",)

    def __init__(self, iterable: Value, start: Value = 0) -> None:
        self.source = iter_of(iterable)
        self.count = start

    def ready(self) -> Value:
        if type(self.count) is not int or (item := ready(self.source)) is UNBOUND:
            return UNBOUND
        # The source may have run code, after which the step may have to be undone.
        count = self.count
        step_to(self, "count", True, count + 1)
        return count, item

    def advance(self) -> Step:
        guard, value = advance(self.source)
        count = on_path(self.count)
        if guard is False:
            return ENDED
        step_to(self, "count", guard, count + 1)
        return guard, (count, value)


def ready(iterator: Value) -> Value:
    """The next item of any iterator if it is simply there, else `UNBOUND`."""
    return iterator.ready() if isinstance(iterator, Stateful) else UNBOUND


def ready_row(sources: tuple[Value, ...]) -> Value:
    """The next items of several iterators if they are simply there, else `UNBOUND`."""
    if len(sources) == 1:
        item = ready(sources[0])
        return UNBOUND if item is UNBOUND else (item,)
    row: list[Value] = []
    for source in sources:
        # Only these can take a step back if another has no item.
        item = source.ready() if type(source) is SequenceIterator else UNBOUND
        if item is UNBOUND:
            for earlier in sources[: len(row)]:
                earlier.place -= 1
            return UNBOUND
        row.append(item)
    return tuple(row) if row else UNBOUND


class Together(Stateful):
    """Iterators that are advanced one after the other."""

    __slots__ = ("sources",)

    sources: tuple[Value, ...]

    def room(self) -> int | None:
        rooms = [room_of(source) for source in self.sources]
        return min((room for room in rooms if room is not None), default=None)

    def capacity(self) -> int:
        return sum(capacity_of(source) for source in self.sources)

    def ready(self) -> Value:
        row = ready_row(self.sources)
        return UNBOUND if row is UNBOUND else self.finish(row)

    def advance(self) -> Step:
        return split(self.rest(0, ())) if self.sources else ENDED

    def rest(self, place: int, row: tuple[Value, ...]) -> Value:
        """The result of a step of which some items are known, or `END`."""
        while place < len(self.sources):
            guard, value = self.item(place)
            known = (*row, value)
            place += 1
            if guard is not True:
                return either(guard, lambda: self.rest(place, known), self.ended)  # noqa: B023
            row = known
        return self.finish(row)

    def item(self, place: int) -> Step:
        """A step of one of the iterators."""
        return advance(self.sources[place])

    def finish(self, row: tuple[Value, ...]) -> Value:
        """What to make of the items."""
        return row

    def ended(self) -> Value:
        """Called where an iterator has ended."""
        return END


@lifts(zip)
class Zip(Together):
    """`zip(*iterables)`."""

    __slots__ = ("strict",)

    def __init__(self, *iterables: Value, strict: Value = False) -> None:
        self.sources = tuple([iter_of(iterable) for iterable in iterables])
        self.strict = strict

    def item(self, place: int) -> Step:
        guard, value = advance(self.sources[place])
        if self.strict and place:
            current().fail_if(not_(guard), self.error(place, "shorter"))
            guard = True
        return guard, value

    def error(self, place: int, how: str) -> ValueError:
        others = "argument 1" if place == 1 else f"arguments 1-{place}"
        return ValueError(f"zip() argument {place + 1} is {how} than {others}")

    def ended(self) -> Value:
        if self.strict:
            for place in range(1, len(self.sources)):
                guard, _ = advance(self.sources[place])
                current().fail_if(guard, self.error(place, "longer"))
        return END


def _plain_rows(rows: Zip) -> Iterable[Value] | None:
    """Python's own `zip`, if it is over tuples of which nothing has been taken."""
    sources, tuples = rows.sources, []
    for place in range(len(sources)):
        each = sources[place]
        if type(each) is not SequenceIterator or getrefcount(each) > HELD:
            return None
        if type(each.source) is not tuple or type(each.place) is not int:
            return None
        if each.place != 0 or each.done is not False:
            return None
        tuples.append(each.source)
    if type(rows.strict) is not bool or (rows.strict and len(set(map(len, tuples))) > 1):
        return None
    return zip(*tuples, strict=rows.strict)


ALONE[Zip] = _plain_rows

if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import setup_iterators

    setup_iterators(Zip, SequenceIterator)


@lifts(map)
class Map(Calling, Together):
    """`map(function, *iterables)`."""

    __slots__ = ("function",)

    def __init__(self, function: Value, *iterables: Value) -> None:
        if not iterables:
            raise TypeError("map() must have at least two arguments.")
        self.function = function
        self.sources = tuple([iter_of(iterable) for iterable in iterables])

    def found(self) -> Value:
        return self.rest(0, ())

    def ready(self) -> Value:
        # Any other function may raise `StopIteration`.
        return super().ready() if self.function in HARMLESS else UNBOUND

    def listed(self) -> list[Value]:
        results: list[Value] = []
        if len(self.sources) == 1:
            unless_stopped(_add_each, (results, self.function, self.sources[0]), None)
        else:
            unless_stopped(_add_results, (results, self.function, Zip(*self.sources)), None)
        return results

    def finish(self, row: tuple[Value, ...]) -> Value:
        return call(self.function)(*row)


@lifts(filter)
class Filter(Calling, Derived):
    """`filter(function, iterable)`."""

    __slots__ = ("test",)

    def __init__(self, function: Value, iterable: Value, /) -> None:
        self.test = bool if function is None else function
        self.source = iter_of(iterable)

    def found(self) -> Value:
        return next_where(self.source, self.test, END)

    def listed(self) -> list[Value]:
        passing: list[Value] = []
        unless_stopped(_add_passing, (passing, self.test, self.source), None)
        return passing


@lifted
def next_where(source: Value, test: Value, end: Value) -> Value:
    """The next item that passes a test, or `end`."""
    for item in source:
        if test(item):
            return item
    return end


@lifted
def _add_results(results: list[Value], function: Value, rows: Zip) -> None:
    """Add what a function gives for rows of arguments."""
    for row in rows:
        results.append(function(*row))


@lifted
def _add_each(results: list[Value], function: Value, source: Value) -> None:
    """Add what a function gives for each item."""
    for item in source:
        results.append(function(item))


@lifted
def _add_passing(passing: list[Value], test: Value, source: Value) -> None:
    """Add the items that pass a test."""
    for item in source:
        if test(item):
            passing.append(item)


@lifts(reversed)
def reverse(source: Value) -> Value:
    """`reversed(source)`."""
    cls = type(source)
    if cls is Union:
        return over(source, reverse)
    if cls is SymbolicRange:
        if source.step != 1:
            return ReverseIterator(list(source))
        return iter_of(SymbolicRange(source.stop - 1, source.start - 1, -1))
    method = getattr(cls, "__reversed__", None)
    if type(method) is FunctionType:
        return call(method)(source)
    if isinstance(source, dict):
        return ReverseSnapshot(entries.rows_in_order(source, "keys"), source)
    if cls in SHOWN:
        rows = entries.rows_in_order(source.mapping, SHOWN[cls])
        return ReverseSnapshot(rows, entries.viewed(source))
    if cls is deque:
        return ReverseSnapshot(list(source), source)
    if isinstance(source, sets.SETS) or not (hasattr(cls, "__len__") or hasattr(cls, "startswith")):
        raise TypeError(f"'{type_name(source)}' object is not reversible")
    return ReverseIterator(source)
