"""The methods of `set` and `frozenset`, and the constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvent.lift import sequences, sets
from solvent.lift.builtins.stepping import add_each
from solvent.lift.iteration import runs_code
from solvent.lift.registry import lifts, lifts_method
from solvent.terms.booleans import not_
from solvent.vm.machine import current
from solvent.vm.places import MEMBERS
from solvent.vm.spread import over
from solvent.vm.union import Union

_BOTH = (set, frozenset)


@lifts(set)
def make_set(source: Any = (), /) -> Any:
    """`set(source)`."""
    if type(source) is Union:
        return over(source, make_set)
    return set(sets.collected(source))


@lifts(frozenset)
def make_frozenset(source: Any = (), /) -> Any:
    """`frozenset(source)`."""
    if type(source) is Union:
        return over(source, make_frozenset)
    return source if type(source) is frozenset else frozenset(sets.collected(source))


@lifts_method(set, name="__init__")
def initialise(found: set[Any], source: Any = (), /) -> None:
    """`set.__init__(found, source)`, as derived classes call it."""
    new = make_set(source)
    if type(new) is Union:
        over(new, lambda member: initialise(found, member))
        return
    current().write_whole(MEMBERS, found)
    MEMBERS.restore(found, new)


# --- elements -------------------------------------------------------------------------------------


@lifts_method(set)
def add(found: set[Any], element: Any, /) -> None:
    """`found.add(element)`."""
    sets.add(found, element)


@lifts_method(set)
def remove(found: set[Any], element: Any, /) -> None:
    """`found.remove(element)`."""
    sets.remove(found, element)


@lifts_method(set)
def discard(found: set[Any], element: Any, /) -> None:
    """`found.discard(element)`."""
    sets.discard(found, element)


@lifts_method(set)
def pop(found: set[Any], /) -> Any:
    """`found.pop()`."""
    return sets.pop(found)


@lifts_method(set)
def clear(found: set[Any], /) -> None:
    """`found.clear()`."""
    sets.clear(found)


@lifts_method(*_BOTH)
def copy(found: Any, /) -> Any:
    """`found.copy()`."""
    return found if type(found) is frozenset else set(found)


@lifts_method(*_BOTH, name="__len__")
def length(found: Any, /) -> Any:
    """`found.__len__()`."""
    return sets.size(found)


@lifts_method(*_BOTH, name="__contains__")
def contains(found: Any, element: Any, /) -> Any:
    """`found.__contains__(element)`."""
    return sets.contains(found, element)


# --- methods that take any iterables --------------------------------------------------------------


@lifts_method(*_BOTH)
def union(found: Any, /, *others: Any) -> Any:
    """`found.union(...)`."""
    return _folded("or", found, others)


@lifts_method(*_BOTH)
def intersection(found: Any, /, *others: Any) -> Any:
    """`found.intersection(...)`."""
    return _folded("and", found, others)


@lifts_method(*_BOTH)
def difference(found: Any, /, *others: Any) -> Any:
    """`found.difference(...)`."""
    return _folded("sub", found, others)


@lifts_method(*_BOTH)
def symmetric_difference(found: Any, other: Any, /) -> Any:
    """`found.symmetric_difference(other)`."""
    return sets.set_method("xor", found, other)


def _folded(name: str, found: Any, others: tuple[Any, ...]) -> Any:
    if not others:
        return copy(found)
    result = found
    for place, other in enumerate(others):
        if type(result) is Union:
            rest = others[place:]
            return over(result, lambda member: _folded(name, member, rest))  # noqa: B023
        result = sets.set_method(name, result, other)
    return result


@lifts_method(set)
def update(found: set[Any], /, *others: Any) -> None:
    """`found.update(...)`."""
    for other in others:
        _change("or", found, other)


@lifts_method(set)
def intersection_update(found: set[Any], /, *others: Any) -> None:
    """`found.intersection_update(...)`."""
    for other in others:
        _change("and", found, other)


@lifts_method(set)
def difference_update(found: set[Any], /, *others: Any) -> None:
    """`found.difference_update(...)`."""
    for other in others:
        _change("sub", found, other)


@lifts_method(set)
def symmetric_difference_update(found: set[Any], other: Any, /) -> None:
    """`found.symmetric_difference_update(other)`."""
    _change("xor", found, other)


# What is done element by element, also if a later one fails.
_ONE_BY_ONE: dict[str, Callable[[set[Any], Any], None]] = {"or": sets.add, "sub": sets.discard}


def _may_fail(other: Any) -> bool:
    """Whether an iterable may hold something that no set can hold."""
    return type(other) in (list, tuple) and not sequences.is_atomic(other)


def _change(name: str, found: set[Any], other: Any) -> None:
    if type(other) is Union:
        over(other, lambda member: _change(name, found, member))
    elif name in _ONE_BY_ONE and (runs_code(other) or _may_fail(other)):
        add_each(other, lambda _, element: _ONE_BY_ONE[name](found, element))
    else:
        sets.set_in_place(name, found, sets.collected(other))


# --- comparisons ----------------------------------------------------------------------------------


@lifts_method(*_BOTH)
def issubset(found: Any, other: Any, /) -> Any:
    """`found.issubset(other)`."""
    if type(other) is Union:
        return over(other, lambda member: issubset(found, member))
    return sets.is_subset(found, sets.collected(other))


@lifts_method(*_BOTH)
def issuperset(found: Any, other: Any, /) -> Any:
    """`found.issuperset(other)`."""
    if type(other) is Union:
        return over(other, lambda member: issuperset(found, member))
    return sets.is_subset(sets.collected(other), found)


@lifts_method(*_BOTH, name="isdisjoint")
def disjoint(found: Any, other: Any, /) -> Any:
    """`found.isdisjoint(other)`."""
    if type(other) is Union:
        return over(other, lambda member: disjoint(found, member))
    return sets.are_disjoint(found, sets.collected(other))


def compared(name: str, kinds: tuple[type, ...]) -> None:
    """Register a comparison of sets or views that is called by name."""

    def method(found: Any, other: Any, /) -> Any:
        if type(other) is Union:
            return over(other, lambda member: method(found, member))
        if not isinstance(other, (*sets.SETS, *sets.VIEWS)):
            return NotImplemented
        first, second = sets.as_set(found), sets.as_set(other)
        if name in ("eq", "ne"):
            same = sets.equal(first, second)
            return same if name == "eq" else not_(same)
        return sets.ordered(first, second, name)

    lifts_method(*kinds, name=f"__{name}__")(method)


def _combines(name: str) -> None:
    """Register an operator of sets that is called by name."""

    def method(found: Any, other: Any, /) -> Any:
        if type(other) is Union:
            return over(other, lambda member: method(found, member))
        if not isinstance(other, sets.SETS):
            return NotImplemented
        return sets.set_method(name, found, other)

    def in_place(found: set[Any], other: Any, /) -> Any:
        if type(other) is Union:
            return over(other, lambda member: in_place(found, member))
        if not isinstance(other, (*sets.SETS, *sets.VIEWS)):
            return NotImplemented
        return sets.set_in_place(name, found, other)

    lifts_method(*_BOTH, name=f"__{name}__")(method)
    lifts_method(set, name=f"__i{name}__")(in_place)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    compared(_name, _BOTH)
for _name in sets.OPERATIONS:
    _combines(_name)
