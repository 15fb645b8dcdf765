"""The module `functools`.

Caches are transparent: a cached function is called again, since whether its arguments were seen
before may differ between paths.
"""

from __future__ import annotations

import functools

from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.messages import raised
from solvent.lift.registry import OBJECTS, TRUSTED, lifts
from solvent.lift.values.iterators import advance
from solvent.lift.values.protocol import iter_of
from solvent.terms.booleans import not_
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value

OBJECTS[functools._lru_cache_wrapper] = lambda cached: call(cached.__wrapped__)

TRUSTED.update(
    (
        functools.lru_cache, functools.cache, functools.wraps, functools.update_wrapper,
        functools.total_ordering,
    )
)  # fmt: skip


@lifts(functools.reduce)
def reduce(function: Value, iterable: Value, /, *initial: Value) -> Value:
    """`functools.reduce(function, iterable, initial)`."""
    source = iter_of(iterable)
    if initial:
        return _folded(function, source, *initial)
    guard, first = advance(source)
    error = raised(functools.reduce, max, ())
    current().fail_if(not_(guard), error)
    return _folded(function, source, first)


@lifted
def _folded(function: Value, source: Value, result: Value) -> Value:
    for item in source:
        result = function(result, item)
    return result


@lifts(functools.partial)
def partial(function: Value, /, *args: Value, **named: Value) -> Value:
    """`functools.partial(function, ...)`."""
    if type(function) is Union:
        return over(function, lambda member: partial(member, *args, **named))
    return functools.partial(function, *args, **named)


@lifts(functools.cmp_to_key)
def cmp_to_key(mycmp: Value) -> functools.partial[Key]:
    """`functools.cmp_to_key(mycmp)`."""
    return functools.partial(Key, mycmp)


class Key:
    """A value that is compared by a function."""

    __slots__ = ("compare", "obj")

    def __init__(self, compare: Value, obj: Value) -> None:
        self.compare = compare
        self.obj = obj

    def _by(self, other: Value) -> Value:
        return call(self.compare)(self.obj, other.obj)

    def __lt__(self, other: Key) -> Value:
        return operators.lt(self._by(other), 0)

    def __le__(self, other: Key) -> Value:
        return operators.le(self._by(other), 0)

    def __gt__(self, other: Key) -> Value:
        return operators.gt(self._by(other), 0)

    def __ge__(self, other: Key) -> Value:
        return operators.ge(self._by(other), 0)

    def __eq__(self, other: object) -> Value:
        return operators.eq(self._by(other), 0)

    __hash__ = None  # type: ignore[assignment]
