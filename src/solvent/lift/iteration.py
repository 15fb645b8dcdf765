"""Iterating over anything: `for` loops, unpacking, and functions that consume iterables.

An item that only some paths have is a `Maybe`; its guard implies the guard of the item before, so
that a path on which an item is missing has reached the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from types import GeneratorType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import mappings, sequences, sets
from solvent.terms.booleans import BoolTerm, and_, not_
from solvent.terms.integers import IntTerm
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

_NATIVE = frozenset((list, tuple, str, range, bytes, bytearray, deque))

_KEYS, _VALUES, _ITEMS = type({}.keys()), type({}.values()), type({}.items())
_VIEWS = {_KEYS: "keys", _VALUES: "values", _ITEMS: "items"}


class SymbolicRange:
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
            if type(self.step) is int and self.step > 0:
                guard = number < self.stop
            elif type(self.step) is int and self.step < 0:
                guard = number > self.stop
            else:
                raise NotLiftedError("a range with a symbolic step is not lifted")
            count += 1
            if guard is False or not machine.limits.may_go_on(machine, count, guard):
                return
            yield number if guard is True else Maybe(guard, number)
            number = number + self.step

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"

    def length(self) -> Any:
        """`len` of the range."""
        from solvent.terms.booleans import ite

        if self.step == 1:
            size = self.stop - self.start
            return ite(size < 0, 0, size)
        raise NotLiftedError("the length of a symbolic range with a step is not lifted")


def iterate(value: Any) -> Iterable[Any]:
    """What a `for` loop iterates over."""
    cls = type(value)
    if cls in _NATIVE or cls is GeneratorType:
        return value  # type: ignore[no-any-return]
    if cls is dict:
        return value if mappings.is_plain(value) else mappings.rows_in_order(value, "keys")
    return _iterate(value, cls)


def _iterate(value: Any, cls: type) -> Iterable[Any]:
    if cls is Union:
        return over(value, lambda member: list(iterate(member)))  # type: ignore[no-any-return]
    if isinstance(value, dict) and cls.__iter__ in (dict.__iter__, *_DICT_ITERATORS):
        return value if mappings.is_plain(value) else mappings.rows_in_order(value, "keys")
    if isinstance(value, sets.SETS):
        return value if sets.is_plain(value) else sets.in_order(value)
    if cls in _VIEWS:
        return mappings.rows_in_order(value.mapping, _VIEWS[cls])
    if isinstance(value, Term):
        raise TypeError(f"'{_type_name(value)}' object is not iterable")
    if cls is SymbolicRange:
        return value  # type: ignore[no-any-return]
    return _by_method(value, cls)


_DICT_ITERATORS: list[Any] = []


def _type_name(value: Term) -> str:
    return {IntTerm: "int", BoolTerm: "bool"}.get(type(value), type(value).__name__)  # type: ignore[call-overload, no-any-return]


def _by_method(value: Any, cls: type) -> Iterable[Any]:
    from types import FunctionType

    method = getattr(cls, "__iter__", None)
    if type(method) is not FunctionType:
        if method is None and type(getattr(cls, "__getitem__", None)) is FunctionType:
            return _by_index(value)
        return value  # type: ignore[no-any-return]
    from solvent.lift.calls import call

    iterator = call(method)(value)
    if iterator is not value and type(iterator) is not cls:
        return iterate(iterator)
    return _by_next(iterator)


def _by_next(iterator: Any) -> Iterator[Any]:
    """The items of an object with a `__next__` method of its own."""
    from solvent.lift.calls import call

    step = call(type(iterator).__next__)
    while True:
        try:
            item = step(iterator)
        except StopIteration:
            return
        yield item


def _by_index(value: Any) -> Iterator[Any]:
    from solvent.lift.items import get_item

    place = 0
    while True:
        try:
            item = get_item(value, place)
        except IndexError:
            return
        yield item
        place += 1


def items_of(value: Any) -> Iterable[Any]:
    """The items of an iterable; items that only some paths have are `Maybe`s."""
    return iterate(value)


def plain_items(value: Any, what: str) -> list[Any]:
    """The items of an iterable whose length is the same on every path."""
    result = list(iterate(value))
    if sequences.is_ragged(result):
        raise NotLiftedError(f"{what} has a length that differs between paths, which is not lifted")
    return result


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """`a, b = value`."""
    cls = type(value)
    if cls is Union:
        return over(value, lambda member: unpack(member, count))  # type: ignore[no-any-return]
    if isinstance(value, Term):
        raise TypeError(f"cannot unpack non-iterable {_type_name(value)} object")
    if cls is tuple or (cls is list and not sequences.is_ragged(value)):
        items = tuple(value)
    else:
        found: list[Any] = []
        for item in iterate(value):
            found.append(item)
            if len(found) > count and type(item) is not Maybe:
                break
        if sequences.is_ragged(found):
            _check_length(found, count, count)
            found = [i.value if type(i) is Maybe else i for i in found[:count]]
        items = tuple(found)
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return items


def _check_length(found: list[Any], least: int, most: int | None) -> None:
    machine = current()
    if least > len(found):
        raise ValueError(f"not enough values to unpack (expected {least}, got {len(found)})")
    if least and type(found[least - 1]) is Maybe:
        error = ValueError(f"not enough values to unpack (expected {least})")
        machine.fail_if(not_(found[least - 1].guard), error)
    if most is not None and len(found) > most:
        error = ValueError(f"too many values to unpack (expected {most})")
        guard = found[most].guard if type(found[most]) is Maybe else True
        machine.fail_if(guard, error)
        del found[most:]


def unpack_star(value: Any, before: int, after: int) -> tuple[Any, ...]:
    """`a, *b, c = value`."""
    if type(value) is Union:
        return over(value, lambda member: unpack_star(member, before, after))  # type: ignore[no-any-return]
    items = list(iterate(value))
    if sequences.is_ragged(items):
        _check_length(items, before + after, None)
        rows = [row for row in sequences.alternatives(items) if len(row[1]) >= before + after]
        return over(  # type: ignore[no-any-return]
            Union(tuple(rows)), lambda found: unpack_star(found, before, after)
        ) if len(rows) > 1 else unpack_star(rows[0][1], before, after)
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


def spread_named(value: Any) -> Any:
    """`**value` in a call."""
    if isinstance(value, dict):
        if mappings.is_plain(value):
            return value
        raise NotLiftedError("what follows `**` has keys that differ between paths: not lifted")
    return value


__all__ = ["and_", "iterate"]
