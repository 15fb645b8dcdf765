"""The module `functools`.

Caches are transparent: a cached function is called again, since whether its arguments were seen
before may differ between paths.
"""

from __future__ import annotations

import functools
from typing import Any

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

OBJECTS[functools._lru_cache_wrapper] = lambda cached: call(cached.__wrapped__)

TRUSTED.update(
    (
        functools.lru_cache, functools.cache, functools.wraps, functools.update_wrapper,
        functools.total_ordering,
    )
)  # fmt: skip


@lifts(functools.reduce)
def reduce(function: Any, iterable: Any, /, *initial: Any) -> Any:
    """`functools.reduce(function, iterable, initial)`."""
    source = iter_of(iterable)
    if initial:
        return _folded(function, source, *initial)
    guard, first = advance(source)
    error = raised(functools.reduce, max, ())
    current().fail_if(not_(guard), error)
    return _folded(function, source, first)


@lifted
def _folded(function: Any, source: Any, result: Any) -> Any:
    for item in source:
        result = function(result, item)
    return result


@lifts(functools.partial)
def partial(function: Any, /, *args: Any, **named: Any) -> Any:
    """`functools.partial(function, ...)`."""
    if type(function) is Union:
        return over(function, lambda member: partial(member, *args, **named))
    return functools.partial(function, *args, **named)


@lifts(functools.cmp_to_key)
def cmp_to_key(mycmp: Any) -> Any:
    """`functools.cmp_to_key(mycmp)`."""
    return functools.partial(Key, mycmp)


class Key:
    """A value that is compared by a function."""

    __slots__ = ("compare", "obj")

    def __init__(self, compare: Any, obj: Any) -> None:
        self.compare = compare
        self.obj = obj

    def _by(self, other: Any) -> Any:
        return call(self.compare)(self.obj, other.obj)

    def __lt__(self, other: Any) -> Any:
        return operators.lt(self._by(other), 0)

    def __le__(self, other: Any) -> Any:
        return operators.le(self._by(other), 0)

    def __gt__(self, other: Any) -> Any:
        return operators.gt(self._by(other), 0)

    def __ge__(self, other: Any) -> Any:
        return operators.ge(self._by(other), 0)

    def __eq__(self, other: object) -> Any:
        return operators.eq(self._by(other), 0)

    __hash__ = None  # type: ignore[assignment]
