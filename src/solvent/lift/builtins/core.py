"""The builtin functions that every program uses."""

from __future__ import annotations

from collections import deque
from typing import Any

from solvent.lift import entries, mappings, sequences, sets
from solvent.lift.items import by_method
from solvent.lift.iteration import _VIEWS, SymbolicRange, items_of
from solvent.lift.registry import lifts
from solvent.lift.truth import truth
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.spread import over
from solvent.vm.union import Union


@lifts(len)
def length(value: Any) -> Any:
    """`len(value)`."""
    cls = type(value)
    if cls in (list, tuple, str, bytes, deque, range):
        return sequences.length(value)
    if isinstance(value, dict) and cls.__len__ is dict.__len__:
        return len(value) if entries.is_plain(value) else mappings.size(value)
    if isinstance(value, sets.SETS):
        return sets.size(value)
    if cls is Union:
        return over(value, length)
    if cls in _VIEWS:
        return mappings.size(value.mapping)
    if cls is SymbolicRange:
        return value.length()
    if cls is StringTerm:
        from solvent.terms import length as string_length

        return string_length(value)
    if isinstance(value, (list, tuple)) and cls.__len__ in (list.__len__, tuple.__len__):
        return sequences.length(value)
    if isinstance(value, Term) or not hasattr(cls, "__len__"):
        raise TypeError(f"object of type '{type_name(value)}' has no len()")
    return by_method(value, "__len__", "has no len()")


def type_of(value: Any) -> Any:
    """`type(value)`: the Python type that a symbolic value stands for."""
    if type(value) is Union:
        return over(value, type_of)
    return python_type(value)


@lifts(isinstance)
def is_instance(value: Any, classes: Any) -> Any:
    """`isinstance(value, classes)`."""
    if type(value) is Union:
        return over(value, lambda member: is_instance(member, classes))
    if type(classes) is Union:
        return over(classes, lambda member: is_instance(value, member))
    if isinstance(value, (Term, StandIn)):
        return isinstance(value, classes) or issubclass(python_type(value), classes)
    return isinstance(value, classes)


@lifts(bool)
def make_bool(value: Any = False) -> Any:
    """`bool(value)`."""
    return truth(value)


@lifts(list)
def make_list(source: Any = ()) -> Any:
    """`list(source)`."""
    return list(items_of(source))


@lifts(tuple)
def make_tuple(source: Any = ()) -> Any:
    """`tuple(source)`."""
    if type(source) is tuple:
        return source
    items = list(items_of(source))
    if sequences.is_ragged(items):
        from solvent.vm.spread import combine

        rows = sequences.alternatives(items)
        return combine([(guard, tuple(values)) for guard, values in rows])
    return tuple(items)


@lifts(type)
def type_function(*arguments: Any) -> Any:
    """`type(value)`, or a new class."""
    if len(arguments) == 1:
        return type_of(arguments[0])
    return type(*arguments)
