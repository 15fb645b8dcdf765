"""Equality and order of containers and records that hold symbolic values."""

from __future__ import annotations

from collections import deque
from collections.abc import ItemsView, KeysView
from types import FunctionType, MappingProxyType
from typing import Any

from solvent.lift import bytearrays, mappings, sets
from solvent.lift.sequences import alternatives, is_ragged
from solvent.lift.survey import target
from solvent.terms.booleans import and_, not_, or_
from solvent.vm.kinds import python_type
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union


def is_generated(method: FunctionType) -> bool:
    """Whether a comparison method was written by `dataclasses`."""
    return (
        method.__code__.co_filename == "<string>" and "__create_fn__" in method.__code__.co_qualname
    )


def compare_records(name: str, a: Any, b: Any) -> Any:
    """What the comparison method that `dataclasses` writes does."""
    from solvent.lift import operators

    name = name.strip("_")
    if type(a) is not type(b):
        return NotImplemented
    fields = [f.name for f in a.__dataclass_fields__.values() if f.compare]
    first = tuple([getattr(a, field) for field in fields])
    second = tuple([getattr(b, field) for field in fields])
    return getattr(operators, name)(first, second)


def equal(a: Any, b: Any) -> Any:
    """`a == b` for containers; `NotImplemented` if these are none."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if type(a).__eq__ is not tuple.__eq__ or type(b).__eq__ is not tuple.__eq__:
            return NotImplemented
        return a is b or (len(a) == len(b) and _all_equal(a, b))
    if (isinstance(a, list) and isinstance(b, list)) or (
        isinstance(a, deque) and isinstance(b, deque)
    ):
        if type(a).__eq__ not in (list.__eq__, deque.__eq__):
            return NotImplemented
        return a is b or _lists_equal(a, b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a is b or mappings.equal(a, b)
    if isinstance(a, sets.SETS) and isinstance(b, sets.SETS):
        return sets.equal(a, b)
    if isinstance(a, (KeysView, ItemsView)) and isinstance(b, (*sets.SETS, KeysView, ItemsView)):
        return sets.equal(sets.as_set(a), sets.as_set(b))
    if isinstance(a, bytearray) or isinstance(b, bytearray):
        found = bytearrays.pair(a, b)
        return NotImplemented if found is None else a is b or _lists_equal(*found)
    if type(a) is MappingProxyType or type(b) is MappingProxyType:
        return equal(_shown(a), _shown(b))
    if python_type(a) is range and python_type(b) is range:
        from solvent.lift.builtins import ranges

        return ranges.equal(a, b)
    return NotImplemented


def _shown(value: Any) -> Any:
    """The mapping that is compared instead of a view of it."""
    return target(value) if type(value) is MappingProxyType else value


def same(a: Any, b: Any) -> Any:
    """Whether two elements of containers are the same or equal, as Python compares them."""
    from solvent.lift.operators import eq
    from solvent.lift.truth import truth

    if a is b:
        return True
    result = eq(a, b)
    return result if type(result) is bool else truth(result)


def _all_equal(a: Any, b: Any) -> Any:
    result: Any = True
    for x, y in zip(a, b, strict=False):
        if x is y:
            continue
        result = and_(result, same(x, y))
        if result is False:
            return False
    return result


def _lists_equal(a: Any, b: Any) -> Any:
    if not is_ragged(a) and not is_ragged(b):
        return len(a) == len(b) and _all_equal(a, b)
    short = min(len(a), len(b))
    result: Any = True
    for place in range(max(len(a), len(b))):
        x = a[place] if place < len(a) else Maybe(False, None)
        y = b[place] if place < len(b) else Maybe(False, None)
        guard_x, value_x = (x.guard, x.value) if type(x) is Maybe else (True, x)
        guard_y, value_y = (y.guard, y.value) if type(y) is Maybe else (True, y)
        both = and_(guard_x, guard_y)
        neither = and_(not_(guard_x), not_(guard_y))
        equal_here = same(value_x, value_y) if place < short else True
        result = and_(result, or_(neither, and_(both, equal_here)))
        if result is False:
            return False
    return result


def ordered(a: Any, b: Any, name: str) -> Any:
    """`a < b` and so on for containers; `NotImplemented` if these are none."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if type(a).__lt__ is not tuple.__lt__ or type(b).__lt__ is not tuple.__lt__:
            return NotImplemented
        return _lexicographic(a, b, name)
    if isinstance(a, list) and isinstance(b, list):
        if is_ragged(a):
            rows = tuple(alternatives(a))
            return over(Union(rows), lambda found: ordered(found, b, name))
        if is_ragged(b):
            rows = tuple(alternatives(b))
            return over(Union(rows), lambda found: ordered(a, found, name))
        return _lexicographic(a, b, name)
    if type(a) is deque and type(b) is deque:
        return ordered(list(a), list(b), name)
    if isinstance(a, sets.SET_LIKE) and isinstance(b, sets.SET_LIKE):
        return sets.ordered(a, b, name)
    if isinstance(a, bytearray) or isinstance(b, bytearray):
        found = bytearrays.pair(a, b)
        return NotImplemented if found is None else ordered(*found, name)
    return NotImplemented


def _lexicographic(a: Any, b: Any, name: str) -> Any:
    """The first elements that differ decide, otherwise the lengths."""
    from solvent.lift import operators
    from solvent.lift.truth import truth

    compare = getattr(operators, name)
    short = min(len(a), len(b))
    result: Any = compare(len(a), len(b))
    for place in range(short - 1, -1, -1):
        x, y = a[place], b[place]
        equal_here = same(x, y)
        if equal_here is True:
            continue
        if equal_here is False:
            result = None
        decided = _decide(compare, x, y, equal_here, truth)
        result = (
            decided
            if result is None
            else or_(and_(equal_here, result), and_(not_(equal_here), decided))
        )
    return result


def _decide(compare: Any, x: Any, y: Any, equal_here: Any, truth: Any) -> Any:
    """Compare two elements that differ."""
    result = compare(x, y)
    return result if type(result) is bool else truth(result)
