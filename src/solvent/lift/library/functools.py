"""The module `functools`.

A cached function remembers its results, on each path its own: where a symbolic argument was seen
before, what it gave then is the result, and the function is called only where it was not.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import NoReturn
from weakref import WeakKeyDictionary

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.attributes import keep_attribute
from solvent.lift.calls import call, for_each
from solvent.lift.classes import KINDS, PARTS
from solvent.lift.leaves import known_leaves
from solvent.lift.messages import raised
from solvent.lift.registry import CODES, OBJECTS, TRUSTED, lifts, lifts_method
from solvent.lift.values.entries import check_key
from solvent.lift.values.iterators import advance
from solvent.lift.values.mappings import clear, look_up, move_to_end, pop_item, set_item, size
from solvent.lift.values.protocol import iter_of
from solvent.terms.booleans import not_
from solvent.vm.kinds import StandIn, python_type
from solvent.vm.machine import current
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Value


class _Kept(functools.cached_property[Value]):
    """A cached property that is computed and kept on each path by itself."""

    def __get__(self, instance: Value, owner: type | None = None) -> Value:
        if instance is None or self.attrname is None or not hasattr(instance, "__dict__"):
            return super().__get__(instance, owner)
        value = call(self.func)(instance)
        keep_attribute(instance, self.attrname, value)
        return value


def _kept(found: functools.cached_property[Value]) -> _Kept:
    result = _Kept(found.func)
    result.attrname = found.attrname
    return result


KINDS[functools.cached_property] = _kept


def _calling(cached: functools._lru_cache_wrapper[Value]) -> Callable[..., Value]:
    """A function that calls a cached one, for what calls it in C."""

    def calling(*args: Value) -> Value:
        return call(cached)(*args)

    return calling


PARTS[functools._lru_cache_wrapper] = _calling


def _dispatching(dispatch: Callable[[type], Value]) -> Callable[..., Value]:
    """Python's own choice of a function for a class, which it only remembers."""

    def choose(cls: Value) -> Value:
        return for_each(cls, dispatch)

    return choose


CODES[functools.singledispatch(print).dispatch.__code__] = _dispatching

# Under this key a machine remembers the results of functions.
_RESULTS = object()


def _results(cached: functools._lru_cache_wrapper[Value]) -> dict[Value, Value]:
    functions: WeakKeyDictionary[object, dict[Value, Value]]
    functions = current().notes.setdefault(_RESULTS, WeakKeyDictionary())
    return functions.setdefault(cached, OrderedDict())


def _at(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    place: int,
    value: Value,
    named: dict[str, Value],
) -> Value:
    """Call a function with another argument at a place."""
    return function(*args[:place], value, *args[place + 1 :], **named)


def _remembering(cached: functools._lru_cache_wrapper[Value]) -> Callable[..., Value]:
    """What to call instead of a cached function."""
    plain = call(cached.__wrapped__)
    parameters = cached.cache_parameters()
    most, typed = parameters["maxsize"], parameters["typed"]

    def function(*args: Value, **named: Value) -> Value:
        for place, value in enumerate(args):
            rows = known_leaves(value)
            if rows is not None:
                return over(rows, lambda member: _at(function, args, place, member, named))  # noqa: B023
            if type(value) is Union:
                return over(value, lambda member: _at(function, args, place, member, named))  # noqa: B023
        given = (*args, *named.values())
        # An int or a text alone is another key than what is equal to it, as in C.
        kinds: Value = not named and len(args) == 1 and python_type(args[0]) in (int, str)
        if typed:
            kinds = tuple(map(python_type, given))
        results = _results(cached)
        check_key(given)
        if most == 0 or any(isinstance(value, StandIn) for value in given):
            return plain(*args, **named)
        key = (args, tuple(named.items()), kinds)
        known, value = look_up(results, key)

        def compute() -> Value:
            result = plain(*args, **named)
            if most is not None and len(results) >= most:
                is_full = size(results) >= most
                either(is_full, lambda: pop_item(results, last=False), lambda: None)
            set_item(results, key, result)
            return result

        def remembered() -> Value:
            # The one that was not used for the longest time is the next to be forgotten.
            if most is not None:
                move_to_end(results, key)
            return value

        # No more calls than need be: cached functions are often recursive.
        return compute() if known is False else either(known, remembered, compute)

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
@over_members_of("function")
def partial(function: Value, /, *args: Value, **named: Value) -> Value:
    """`functools.partial(function, ...)`."""
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
