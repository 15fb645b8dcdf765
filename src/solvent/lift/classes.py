"""Lifting classes: their methods are lifted in place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property, partialmethod, singledispatchmethod
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.function import UNLIFTED, is_lifted, lift_function
from solvent.lift.hashing import behind, own_hash
from solvent.lift.origins import is_users
from solvent.lift.typed import is_made
from solvent.vm.own import is_own
from solvent.vm.twins import twin_of_values
from solvent.vm.values import Value

# Classes whose methods are lifted in place, or that need nothing.
READY: set[type] = set()
# How the attributes of other kinds that a class may have are lifted, by their class.
KINDS: dict[type, Callable[[Value], Value]] = {}
# How what a property calls is lifted where that is no function, by its class.
PARTS: dict[type, Callable[[Value], Value]] = {}
# What makes a function that calls another as lifted code does; `calls` sets it.
CALLING: list[Callable[[Value], Callable[[], Value]]] = []
# Who is told of a class before its methods are lifted.
ON_CLASS: list[Callable[[type], None]] = []


def lift_class(cls: type) -> type:
    """Lift the methods of a class in place; on concrete values they behave as before."""
    if UNLIFTED or cls in READY:
        return cls
    for tell in ON_CLASS:
        tell(cls)
    READY.add(cls)
    for name, value in list(vars(cls).items()):
        if type(getattr(type(value), "__get__", None)) is FunctionType:
            # What a descriptor of the user does is part of what the class does.
            make_ready(type(value))
        lifted = _lifted_attribute(value)
        if name == "__hash__" and type(lifted) is FunctionType and not is_made(lifted):
            lifted = own_hash(lifted)
        if lifted is not value:
            try:
                setattr(cls, name, lifted)
            except (AttributeError, TypeError):
                continue
    return cls


def _lifted_attribute(value: Value) -> Value:
    if type(value) is FunctionType:
        own = is_own(value.__code__.co_filename)
        # Called, an `async` method is refused; those beside it need not be.
        is_async = bool(value.__code__.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR))
        keep = own or is_made(value) or is_lifted(value) or is_async
        return value if keep else lift_function(value)
    if type(value) is staticmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else staticmethod(inner)
    if type(value) is classmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else classmethod(inner)
    if type(value) is property:
        parts = [_lifted_part(part) for part in (value.fget, value.fset, value.fdel)]
        if parts != [value.fget, value.fset, value.fdel]:
            return property(parts[0], parts[1], parts[2], value.__doc__)
    lift = KINDS.get(type(value))
    return value if lift is None else lift(value)


def _lifted_part(value: Value) -> Value:
    if type(value) is FunctionType:
        return _lifted_attribute(value)
    lift = PARTS.get(type(value))
    return value if lift is None else lift(value)


def make_ready(cls: type) -> None:
    """Lift those of the classes that a class derives from which the user has written.

    Methods of the standard library are lifted where lifted code calls them, which it does not with
    properties and hashes.
    """
    if cls not in READY:
        for base in reversed(cls.__mro__):
            if "__dataclass_fields__" in base.__dict__ and base not in _WITH_FACTORIES:
                _WITH_FACTORIES.add(base)
                _lift_factories(base)
            if base in _LOOKED_AT:
                continue
            if is_own_class(base):
                try:
                    lift_class(base)
                except NotLiftedError:
                    READY.discard(base)
                    raise
            elif base.__module__.partition(".")[0] in sys.stdlib_module_names:
                _LOOKED_AT.add(base)
                # A twin has methods of its own.
                if twin_of_values(base) is None:
                    _lift_unseen_calls(base)


# Dataclasses whose factories are lifted.
_WITH_FACTORIES: set[type] = set()
# Factories that make something new and do nothing else.
_PLAIN_FACTORIES = frozenset((list, dict, set, tuple, str, int, float, bool, bytes))


def _lift_factories(cls: Value) -> None:
    """Let the `__init__` that `dataclass` has made call factories as lifted code does."""
    factories = [field.default_factory for field in cls.__dataclass_fields__.values()]
    for cell in getattr(cls.__dict__.get("__init__"), "__closure__", None) or ():
        found = cell.cell_contents
        is_plain = type(found) is type and found in _PLAIN_FACTORIES
        if any(found is factory for factory in factories) and not is_plain:
            cell.cell_contents = CALLING[0](found)


# Classes of the standard library that were looked through.
_LOOKED_AT: set[type] = set()


def _lift_unseen_calls(cls: type) -> None:
    """Lift what Python itself calls of a class, in place."""
    for name, value in list(vars(cls).items()):
        if type(value) is property or type(value) in KINDS or name == "__hash__":
            lifted = _lifted_attribute(value)
            if name == "__hash__" and lifted is not value:
                lifted = own_hash(lifted)
            if lifted is not value:
                setattr(cls, name, lifted)


def is_own_class(cls: type) -> bool:
    """Whether the methods of a class were written by the user rather than for a library."""
    for value in vars(cls).values():
        function = behind(_function_of(value))
        if type(function) is FunctionType and not is_made(function) and is_users(function):
            return True
    return False


# What the library makes of a function to stand in a class.
_OF_FUNCTIONS = (cached_property, partialmethod, singledispatchmethod)


def _function_of(value: Value) -> Value:
    """The function that an attribute of a class is, or is made of, if it is."""
    if type(value) is property:
        return value.fget
    # Attributes of symbolic values are not asked for: that is a step of the program.
    found = value.func if isinstance(value, _OF_FUNCTIONS) else getattr(value, "__func__", value)
    if type(found) is not FunctionType:
        found = getattr(type(value), "__get__", value)
    return found
