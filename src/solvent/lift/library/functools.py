"""The module `functools`.

A cached function remembers results for known arguments, on each path its own.  For symbolic ones it
is called again, since whether they were seen before may hang on their values.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NoReturn
from weakref import WeakKeyDictionary

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.hashing import CONCRETE_KEYS
from solvent.lift.leaves import known_leaves
from solvent.lift.messages import raised
from solvent.lift.registry import OBJECTS, TRUSTED, lifts, lifts_method
from solvent.lift.values.entries import check_key
from solvent.lift.values.iterators import advance
from solvent.lift.values.mappings import clear, look_up, set_item
from solvent.lift.values.protocol import iter_of
from solvent.terms.booleans import not_
from solvent.vm.kinds import StandIn
from solvent.vm.machine import current
from solvent.vm.owned import VARYING
from solvent.vm.spread import either, over
from solvent.vm.union import Union
from solvent.vm.values import Value

# Under this key a machine remembers the results of functions.
_RESULTS = object()


def _results(cached: functools._lru_cache_wrapper[Value]) -> dict[Value, Value]:
    functions: WeakKeyDictionary[object, dict[Value, Value]]
    functions = current().notes.setdefault(_RESULTS, WeakKeyDictionary())
    return functions.setdefault(cached, {})


def _is_known(value: Value) -> bool:
    """Whether it is known which other arguments are equal to one: plain data, or identity."""
    cls: Value = type(value)
    if cls is tuple:
        return all(map(_is_known, value))
    if cls in CONCRETE_KEYS:
        return True
    by_identity = cls.__eq__ is object.__eq__ and cls.__hash__ is object.__hash__
    return by_identity and not isinstance(value, (*VARYING, StandIn))


def _remembering(cached: functools._lru_cache_wrapper[Value]) -> Callable[..., Value]:
    """What to call instead of a cached function."""
    plain = call(cached.__wrapped__)
    most = cached.cache_parameters()["maxsize"]

    def function(*args: Value, **named: Value) -> Value:
        for place, value in enumerate(args):
            rows = known_leaves(value)
            if rows is not None:
                before, after = args[:place], args[place + 1 :]
                return over(rows, lambda member: function(*before, member, *after, **named))  # noqa: B023
        given = (*args, *named.values())
        types = tuple(map(type, given))
        results = _results(cached)
        if not all(map(_is_known, given)) or (most is not None and len(results) >= most):
            check_key(given)
            return plain(*args, **named)
        key = (args, tuple(named.items()), types)
        known, value = look_up(results, key)
        if known is False:
            # No more calls than need be: cached functions are often recursive.
            result = plain(*args, **named)
            set_item(results, key, result)
            return result

        def compute() -> Value:
            result = plain(*args, **named)
            set_item(results, key, result)
            return result

        return either(known, lambda: value, compute)

    return function


OBJECTS[functools._lru_cache_wrapper] = _remembering


@lifts_method(functools._lru_cache_wrapper)
def cache_clear(cached: functools._lru_cache_wrapper[Value], /) -> None:
    """`cached.cache_clear()`."""
    clear(_results(cached))


@lifts_method(functools._lru_cache_wrapper)
def cache_info(cached: functools._lru_cache_wrapper[Value], /) -> NoReturn:
    """`cached.cache_info()`."""
    raise NotLiftedError(
        f"`cache_info` of `{cached.__wrapped__.__name__}` is not lifted, as a cached function is "
        "called again for symbolic arguments; count the calls in the function"
    )


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
