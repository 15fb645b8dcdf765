"""Lifting classes: their methods are lifted in place."""

from __future__ import annotations

from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.function import UNLIFTED, is_lifted, lift_function
from solvent.lift.hashing import behind, own_hash
from solvent.lift.origins import is_users
from solvent.lift.typed import is_made
from solvent.vm.own import is_own
from solvent.vm.values import Value

# Classes whose methods are lifted in place, or that need nothing.
READY: set[type] = set()


def lift_class(cls: type) -> type:
    """Lift the methods of a class in place; on concrete values they behave as before."""
    if UNLIFTED or cls in READY:
        return cls
    READY.add(cls)
    for name, value in list(vars(cls).items()):
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
        keep = own or is_made(value) or is_lifted(value)
        return value if keep else lift_function(value)
    if type(value) is staticmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else staticmethod(inner)
    if type(value) is classmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else classmethod(inner)
    if type(value) is property:
        parts: list[Value] = [
            _lifted_attribute(part) if type(part) is FunctionType else part
            for part in (value.fget, value.fset, value.fdel)
        ]
        if parts != [value.fget, value.fset, value.fdel]:
            return property(parts[0], parts[1], parts[2], value.__doc__)
    return value


def make_ready(cls: type) -> None:
    """Lift those of the classes that a class derives from which the user has written."""
    if cls not in READY:
        for base in reversed(cls.__mro__):
            if is_own_class(base):
                try:
                    lift_class(base)
                except NotLiftedError:
                    READY.discard(base)
                    raise


def is_own_class(cls: type) -> bool:
    """Whether the methods of a class were written by the user rather than for a library."""
    for value in vars(cls).values():
        function = value.fget if type(value) is property else getattr(value, "__func__", value)
        function = behind(function)
        if type(function) is FunctionType and not is_made(function):
            return is_users(function)
    return False
