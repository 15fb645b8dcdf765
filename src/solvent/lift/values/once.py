"""`for ... in enumerate(...)` and the like: iterators that nothing but their loop can advance.

An iterator that a program keeps must be able to go back when a path is undone, and pays for it.
One that is made in the head of a loop is gone when the loop is, so it can be as simple as Python's
own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from solvent.lift.calls import call
from solvent.lift.stopping import unless_stopped
from solvent.lift.values.iterators import END, where
from solvent.terms.booleans import and_
from solvent.vm.slots import Maybe, guard_of, opened, slot, value_in
from solvent.vm.values import Value

_SEQUENCES = frozenset((list, tuple, range, str))


def once(function: Value, *args: Value) -> Iterable[Value]:
    """What a loop over `function(*args)` iterates over."""
    if function is enumerate and args and type(args[0]) in _SEQUENCES:
        if len(args) == 1:
            return _enumerated(args[0], 0)
        if len(args) == 2 and type(args[1]) is int:
            return _enumerated(args[0], args[1])
    if function is zip and all(type(source) in _SEQUENCES for source in args):
        return _zipped(args)
    if function is map and len(args) == 2 and type(args[1]) in _SEQUENCES:
        return _mapped(call(args[0]), args[1])
    return call(function)(*args)  # type: ignore[no-any-return]


def _enumerated(source: Iterable[Value], number: int) -> Iterator[Value]:
    for item in source:
        if type(item) is Maybe:  # flat: hot path
            yield Maybe(item.guard, (number, item.value))
        else:
            yield number, item
        number += 1


def _mapped(function: Callable[..., Value], source: Iterable[Value]) -> Iterator[Value]:
    for item in source:
        there, value = opened(item)
        guard, result = where(there, lambda: unless_stopped(function, (value,), END))  # noqa: B023
        if guard is False:
            return
        yield slot(guard, result)


def _zipped(sources: tuple[Iterable[Value], ...]) -> Iterator[Value]:
    for row in zip(*sources):  # noqa: B905
        for item in row:
            if type(item) is Maybe:  # flat: hot path
                yield slot(and_(map(guard_of, row)), tuple(map(value_in, row)))
                break
        else:
            yield row
