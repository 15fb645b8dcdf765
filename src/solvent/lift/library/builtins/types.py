"""`len`, `bool`, `type` and `isinstance`, and how types make instances and methods."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import TYPE_CHECKING

from solvent.lift.calls import made_by_type
from solvent.lift.classes import make_ready
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values.protocol import length, truth
from solvent.terms.core import COMPILED
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn, python_type
from solvent.vm.spread import over
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

lifts(len)(length)


def type_of(value: Value) -> Value:
    """`type(value)`: the Python type that a symbolic value stands for."""
    if type(value) is Union:
        return over(value, type_of)
    return python_type(value)


@lifts(isinstance)
def is_instance(value: Value, classes: Value) -> Guard:
    """`isinstance(value, classes)`."""
    if type(value) is Union:
        return over(value, lambda member: is_instance(member, classes))  # type: ignore[no-any-return]
    if type(classes) is Union:
        return over(classes, lambda member: is_instance(value, member))  # type: ignore[no-any-return]
    if isinstance(value, (Term, StandIn)) or type(value) in NATIVE:
        return isinstance(value, classes) or issubclass(python_type(value), classes)
    return isinstance(value, classes)


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_instances

    setup_instances(StandIn, NATIVE)
    is_instance = lifts(isinstance)(fast(is_instance))


@lifts(MethodType)
def make_method(function: Value, owner: Value, /) -> Value:
    """`MethodType(function, owner)`: nothing is called yet."""
    if type(function) is Union:
        return over(function, lambda member: make_method(member, owner))
    return MethodType(function, owner)


@lifts(bool)
def make_bool(value: Value = False) -> Guard:
    """`bool(value)`."""
    return truth(value)


@lifts(type)
def type_function(*arguments: Value) -> Value:
    """`type(value)`, or a new class."""
    if len(arguments) == 1:
        return type_of(arguments[0])
    return type(*arguments)


@lifts_method(type, name="__call__")
def make_instance(cls: type, /, *args: Value, **named: Value) -> Value:
    """`type.__call__(cls, ...)`, as metaclasses call it."""
    make_ready(cls)
    make = made_by_type(cls)
    return type.__call__(cls, *args, **named) if make is cls else make(*args, **named)


@lifts_method(FunctionType, name="__get__")
def bind(function: Value, owner: Value, cls: Value = None, /) -> Value:
    """`function.__get__(owner, cls)`: a method."""
    return FunctionType.__get__(function, owner, cls)
