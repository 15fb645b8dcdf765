"""Iterating over anything: `for` loops, unpacking, and functions that consume iterables.

An item that only some paths have is a `Maybe`; its guard implies the guard of the item before, so
that a path on which an item is missing has reached the end.
"""

from __future__ import annotations

import operator
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from types import FunctionType, GeneratorType, MappingProxyType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import bytearrays, entries, mappings, sequences, sets, survey
from solvent.lift.generators import check_ended
from solvent.lift.iterators import (
    Stateful,
    Unchanged,
    collected,
    collected_up_to,
    iter_of,
    live,
    steps,
)
from solvent.lift.words import check_length
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.vm.hidden import ELSEWHERE, strategy_of
from solvent.vm.kinds import StandIn, type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

_NATIVE = frozenset((list, tuple, str, range, bytes))

_NOTHING: dict[Any, Any] = {}
_ORDERED: OrderedDict[Any, Any] = OrderedDict()
_VIEWS = {
    type(_NOTHING.keys()): "keys", type(_NOTHING.values()): "values",
    type(_NOTHING.items()): "items",
    type(_ORDERED.keys()): "keys", type(_ORDERED.values()): "values",
    type(_ORDERED.items()): "items",
}  # fmt: skip


class SymbolicRange(StandIn):
    """`range` with symbolic bounds."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def __iter__(self) -> Iterator[Any]:
        machine = current()
        number = self.start
        count = 0
        while True:
            guard = self.goes_on(number)
            count += 1
            if guard is False or not machine.limits.may_go_on(machine, count, guard):
                return
            yield number if guard is True else Maybe(guard, number)
            number = number + self.step

    def goes_on(self, number: Any) -> Any:
        """Whether a number, from the start on, is before the end."""
        return number < self.stop if self.concrete_step() > 0 else number > self.stop

    def python_type(self) -> type:
        return range

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"

    def __bool__(self) -> Any:
        return self.size() > 0

    def __hash__(self) -> int:
        raise NotLiftedError("the hash of a range with symbolic bounds is not lifted; use a tuple")

    def concrete_step(self) -> int:
        """The step, which must be known for everything but making the range."""
        if type(self.step) is not int:
            raise NotLiftedError("a range with a symbolic step is not lifted")
        return self.step

    def size(self) -> Any:
        """How many numbers there are, however large that is."""
        step = self.concrete_step()
        distance = self.stop - self.start if step > 0 else self.start - self.stop
        count = (distance + abs(step) - 1) // abs(step)
        return ite(count < 0, 0, count)

    def length(self) -> Any:
        """`len` of the range."""
        size = self.size()
        check_length(size)
        return size

    def holds(self, number: Any) -> Any:
        """Whether a number, an int or a term, is one of the range."""
        step = self.concrete_step()
        if step > 0:
            inside = and_(self.start <= number, number < self.stop)
        else:
            inside = and_(self.stop < number, number <= self.start)
        return and_(inside, (number - self.start) % abs(step) == 0)

    def __getitem__(self, key: Any) -> Any:
        size = self.size()
        if type(key) is not slice:
            place = index_of_range(key)
            outside = or_(place >= size, place < -size)
            current().fail_if(outside, IndexError("range object index out of range"))
            return self.start + ite(place < 0, place + size, place) * self.step
        if sequences.has_union(key):
            return sequences.by_union(key, self.__getitem__)
        if isinstance(key.step, Term) or key.step not in (None, 1):
            raise NotLiftedError("a slice of a symbolic range with a step is not lifted")
        first = 0 if key.start is None else _clamped(index_of_range(key.start), size)
        last = size if key.stop is None else _clamped(index_of_range(key.stop), size)
        start, stop = self.start + first * self.step, self.start + last * self.step
        return SymbolicRange(start, stop, self.step)


def index_of_range(key: Any) -> Any:
    """An index of a range: an int or a term, of any size."""
    if type(key) in sequences.INDICES:
        return sequences.whole(key)
    if isinstance(key, Term) or not hasattr(type(key), "__index__"):
        raise TypeError(f"range indices must be integers or slices, not {type_name(key)}")
    return operator.index(key)


def _clamped(bound: Any, size: Any) -> Any:
    """A bound of a slice as a place from 0 to the length."""
    place = ite(bound < 0, bound + size, bound)
    return ite(place < 0, 0, ite(place > size, size, place))


def iterate(value: Any) -> Iterable[Any]:
    """What a `for` loop iterates over."""
    cls = type(value)
    if cls in _NATIVE:
        return value  # type: ignore[no-any-return]
    if cls is GeneratorType:
        check_ended(value)
        return value  # type: ignore[no-any-return]
    return _iterate(value, cls)


def _iterate(value: Any, cls: type) -> Iterable[Any]:
    if isinstance(value, Stateful):
        return steps(value)
    if cls is Union:
        if any(_is_lazy(type(member)) for _, member in value._solvent_choices):
            return steps(iter_of(value))
        return over(value, lambda member: list(iterate(member)))  # type: ignore[no-any-return]
    if isinstance(value, dict) and type(value).__iter__ in mappings.ITERATORS:
        return _watched(_keys(value), value)
    if isinstance(value, sets.SETS):
        return _watched(sets.in_order(value), value)
    if cls in _VIEWS:
        found = entries.viewed(value)
        return _watched(_keys(found, value.mapping), found, _VIEWS[cls])
    if cls is deque:
        return _of_deque(value)
    if cls is StringTerm:
        return steps(iter_of(value))
    if isinstance(value, Term):
        raise TypeError(f"'{type_name(value)}' object is not iterable")
    if cls is SymbolicRange:
        return value  # type: ignore[no-any-return]
    if isinstance(value, bytearray) and type(value).__iter__ is bytearray.__iter__:
        return bytearrays.live(value)
    return _by_method(value, cls)


def _keys(found: Any, mapping: Any = None) -> list[Any]:
    """The keys of a dict in order, those that only some paths have as `Maybe`s."""
    if entries.is_plain(found):
        return list(found)
    return entries.rows_in_order(found if mapping is None else mapping, "keys")


def _watched(rows: list[Any], owner: Any, what: str = "keys") -> Iterator[Any]:
    """The items of a dict, set or deque for a loop, which may change it."""
    unchanged = Unchanged(owner)
    for row in rows:
        if what == "keys":
            yield row
        elif type(row) is Maybe:
            yield Maybe(row.guard, _live(owner, row.value, what))
        else:
            yield _live(owner, row, what)
        unchanged.check()


def _of_deque(owner: Any) -> Iterator[Any]:
    """The items of a deque for a loop, which may change it."""
    unchanged = Unchanged(owner)
    for place in range(len(owner)):
        yield owner[place]
        unchanged.check()


def _live(owner: Any, key: Any, what: str) -> Any:
    if type(key) is Union:
        return over(key, lambda member: live(owner, member, what))
    return live(owner, key, what)


def _is_lazy(cls: type) -> bool:
    """Whether taking items of a value of this class runs code or changes a state."""
    if cls is GeneratorType or cls is StringTerm or issubclass(cls, Stateful):
        return True
    if (JOURNALING or ELSEWHERE) and (hasattr(cls, "__next__") or strategy_of(cls) is not None):
        return True
    method = getattr(cls, "__iter__", None)
    if method is None:
        return type(getattr(cls, "__getitem__", None)) is FunctionType
    return type(method) is FunctionType and cls is not SymbolicRange


def runs_code(value: Any) -> bool:
    """Whether taking the items of a value, or of a member of a union, may run code."""
    if type(value) is Union:
        return any(runs_code(member) for _, member in value._solvent_choices)
    return type(value) is not StringTerm and _is_lazy(type(value))


def _by_method(value: Any, cls: type) -> Iterable[Any]:
    if not _is_lazy(cls):
        if cls is MappingProxyType:
            return iterate(survey.target(value))
        return value  # type: ignore[no-any-return]
    iterator = iter_of(value)
    if type(iterator) is GeneratorType:
        return iterator
    return steps(iterator)


def items_of(value: Any) -> Iterable[Any]:
    """The items of an iterable; items that only some paths have are `Maybe`s."""
    cls = type(value)
    if cls is Union:
        return over(value, lambda member: list(items_of(member)))  # type: ignore[no-any-return]
    if cls is not GeneratorType and _is_lazy(cls):
        return collected(value)
    return iterate(value)


def plain_items(value: Any, what: str) -> list[Any]:
    """The items of an iterable whose length is the same on every path."""
    result = list(items_of(value))
    if sequences.is_ragged(result):
        raise NotLiftedError(f"{what} has a length that differs between paths, which is not lifted")
    return result


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """`a, b = value`."""
    cls = type(value)
    if cls is Union:
        return over(value, lambda member: unpack(member, count))  # type: ignore[no-any-return]
    if isinstance(value, Term) or not (hasattr(cls, "__iter__") or hasattr(cls, "__getitem__")):
        raise TypeError(f"cannot unpack non-iterable {type_name(value)} object")
    if cls is tuple or (cls is list and not sequences.is_ragged(value)):
        items = tuple(value)
    else:
        found = _first(value, count + 1)
        if sequences.is_ragged(found):
            _check_length(found, count, count)
            found = [i.value if type(i) is Maybe else i for i in found[:count]]
        items = tuple(found)
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items


def _first(value: Any, count: int) -> list[Any]:
    """The first items of an iterable: `count` of them, or more if some are not there everywhere."""
    cls = type(value)
    if cls is not GeneratorType and _is_lazy(cls):
        return list(collected_up_to(value, count))
    found: list[Any] = []
    for item in iterate(value):
        found.append(item)
        if len(found) >= count and type(item) is not Maybe:
            break
    return found


def _check_length(found: list[Any], least: int, most: int | None) -> None:
    machine = current()
    expected = f"expected {'at least ' if most is None else ''}{least}"
    fixed = sequences.fixed_length(found)
    for count in range(min(len(found), least - 1), fixed - 1, -1):
        more = _reaches(found, count + 1) if count < len(found) else False
        missing = and_(_reaches(found, count), not_(more))
        if count == fixed and len(found) < least:
            missing = True
        message = f"not enough values to unpack ({expected}, got {count})"
        machine.fail_if(missing, ValueError(message))
    if most is not None and len(found) > most:
        error = ValueError(f"too many values to unpack (expected {most})")
        guard = found[most].guard if type(found[most]) is Maybe else True
        machine.fail_if(guard, error)
        del found[most:]


def _reaches(found: list[Any], count: int) -> Any:
    """The guard under which a ragged list has so many items."""
    last = found[count - 1] if count else None
    return last.guard if type(last) is Maybe else True


def unpack_star(value: Any, before: int, after: int) -> tuple[Any, ...]:
    """`a, *b, c = value`."""
    if type(value) is Union:
        return over(value, lambda member: unpack_star(member, before, after))  # type: ignore[no-any-return]
    items = list(items_of(value))
    if sequences.is_ragged(items):
        _check_length(items, before + after, None)
        rows = [row for row in sequences.alternatives(items) if len(row[1]) >= before + after]
        if len(rows) == 1:
            return unpack_star(rows[0][1], before, after)
        every = Union(tuple(rows))
        return over(every, lambda found: unpack_star(found, before, after))  # type: ignore[no-any-return]
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    end = len(items) - after
    return (*items[:before], items[before:end], *items[end:])


def spread_out(value: Any) -> Any:
    """`*value` in a call or a display."""
    if type(value) in (tuple, range, str):
        return value
    return plain_items(value, "what follows `*`")
