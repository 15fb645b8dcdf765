"""The functions and classes that a value leads to: those in tables, objects, descriptors, closures.

A contract counts however its function was put away.  Nothing of the program is run to find out:
only what containers, objects and functions hold is looked at.

>>> def f(): ...
>>> [one.__name__ for one in reached({"key": [f]}, lambda cls: False)]
['f']
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from types import FunctionType

from solvent.vm.values import Value

# So many items of one container are looked at.
ITEMS = 1000

_PLAIN = (int, float, complex, str, bytes, bool, type(None))
_SEQUENCES = (list, tuple, set, frozenset, collections.deque)
# What wraps functions, and where it has them.
_HOLDERS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (staticmethod, ("__func__",)),
    (classmethod, ("__func__",)),
    (types.MethodType, ("__func__", "__self__")),
    (property, ("fget", "fset", "fdel")),
    (functools.partial, ("func", "args", "keywords")),
    (functools.partialmethod, ("func", "args", "keywords")),
    (functools.cached_property, ("func",)),
    (functools.singledispatchmethod, ("dispatcher",)),
    (functools._lru_cache_wrapper, ("__wrapped__",)),
)


def reached(value: Value, is_programs: Callable[[type], bool], most: int = 1000) -> Iterator[Value]:
    """The functions and classes that a value leads to, up to other functions and classes."""
    pending, seen = [value], {id(value): value}
    while pending and len(seen) < most:
        for one in inside(pending.pop(), is_programs):
            if type(one) in _PLAIN or id(one) in seen:
                continue
            seen[id(one)] = one
            if type(one) is FunctionType or issubclass(type(one), type):
                yield one
            else:
                pending.append(one)


def inside(value: Value, is_programs: Callable[[type], bool]) -> Iterable[Value]:
    """What a value holds itself.

    >>> def outer(n):
    ...     return lambda: n
    >>> list(inside(outer([1]), lambda cls: False))
    [[1]]
    """
    cls = type(value)
    if cls is FunctionType:
        return _of_function(value)
    with suppress(Exception):
        if issubclass(cls, _SEQUENCES):
            kind = next(one for one in _SEQUENCES if issubclass(cls, one))
            return list(islice(kind.__iter__(value), ITEMS))
        if issubclass(cls, dict):
            return list(islice(dict.values(value), ITEMS))
        if cls is types.MappingProxyType:
            return list(islice(value.values(), ITEMS))
        for holder, names in _HOLDERS:
            if issubclass(cls, holder):
                return [getattr(value, name, None) for name in names]
        held = list(islice(object.__getattribute__(value, "__dict__").values(), ITEMS))
        # An object of a library may have a function of the program, such as a command.
        return held if is_programs(cls) else [one for one in held if type(one) is FunctionType]
    return ()


def _of_function(function: FunctionType) -> list[Value]:
    """What a function refers to, beside global names."""
    found: list[Value] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    found += [one for name, one in vars(function).items() if not name.startswith("__solvent_")]
    for cell in function.__closure__ or ():
        # A cell may be empty still.
        with suppress(ValueError):
            found.append(cell.cell_contents)
    return found
