"""`len`, `bool`, `type` and `isinstance`."""

from __future__ import annotations

from solvent.lift.registry import lifts
from solvent.lift.values.protocol import length, truth
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
