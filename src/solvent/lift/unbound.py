"""Methods of builtin types that are called by the type, as in `list.append(items, 1)`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from types import MethodDescriptorType, MethodWrapperType, WrapperDescriptorType

from solvent.terms.booleans import BoolTerm
from solvent.terms.integers import IntTerm
from solvent.terms.strings import StringTerm
from solvent.vm.kinds import python_type
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value

# Concrete values in place of terms: what Python says of one, it says of all of a type.
_SAMPLES: dict[type, object] = {IntTerm: 0, BoolTerm: False, StringTerm: ""}


def unbound(
    descriptor: MethodDescriptorType | WrapperDescriptorType, lifted: Callable[..., Value]
) -> Callable[..., Value]:
    """What to call for a method descriptor; the owner, the first argument, may be anything."""

    def method(*args: Value, **named: Value) -> Value:
        owner = args[0] if args else None
        if type(owner) is Union:
            return over(owner, lambda member: method(member, *args[1:], **named))
        if not args or not issubclass(python_type(owner), descriptor.__objclass__):
            # Python itself says what is wrong.
            return descriptor(*[_SAMPLES.get(type(value), value) for value in args], **named)
        return lifted(*args, **named)

    return method


def counted(function: MethodWrapperType, lifted: Callable[..., Value]) -> Callable[..., Value]:
    """What to call for a special method with its owner; Python says how many arguments it takes."""
    parameters = signature(lifted)

    def method(*args: Value, **named: Value) -> Value:
        try:
            parameters.bind(function.__self__, *args, **named)
        except TypeError:
            return function(*[_SAMPLES.get(type(value), value) for value in args], **named)
        return lifted(function.__self__, *args, **named)

    return method
