"""Making instances, and lifting classes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import EnumMeta
from types import FunctionType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.calls import Direct, call
from solvent.lift.function import UNLIFTED, is_lifted, lift_function
from solvent.lift.origins import is_users
from solvent.lift.registry import TRUSTED
from solvent.lift.typed import is_made
from solvent.vm.limits import OWN_FILES

# Classes whose methods are lifted in place, or that need nothing.
_READY: set[type] = set()


def lift_class(cls: type) -> type:
    """Lift the methods of a class in place; on concrete values they behave as before."""
    if UNLIFTED or cls in _READY:
        return cls
    _READY.add(cls)
    for name, value in list(vars(cls).items()):
        lifted = _lifted_attribute(value)
        if lifted is not value:
            try:
                setattr(cls, name, lifted)
            except (AttributeError, TypeError):
                continue
    return cls


def _lifted_attribute(value: Any) -> Any:
    if type(value) is FunctionType:
        own = value.__code__.co_filename.startswith(OWN_FILES)
        keep = own or is_made(value) or is_lifted(value)
        return value if keep else lift_function(value)
    if type(value) is staticmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else staticmethod(inner)
    if type(value) is classmethod and type(value.__func__) is FunctionType:
        inner = _lifted_attribute(value.__func__)
        return value if inner is value.__func__ else classmethod(inner)
    if type(value) is property:
        parts: list[Any] = [
            _lifted_attribute(part) if type(part) is FunctionType else part
            for part in (value.fget, value.fset, value.fdel)
        ]
        if parts != [value.fget, value.fset, value.fdel]:
            return property(parts[0], parts[1], parts[2], value.__doc__)
    return value


def is_own_class(cls: type) -> bool:
    """Whether the methods of a class were written by the user rather than for a library."""
    for value in vars(cls).values():
        function = value.fget if type(value) is property else getattr(value, "__func__", value)
        if type(function) is FunctionType and not is_made(function):
            return is_users(function)
    return False


_CONTAINERS = (list, dict, set, deque)


def _filled(cls: Any, initialise: Any) -> Callable[..., Any]:
    """Make a container of a class without an `__init__` of its own, and fill it."""

    def make(*args: Any, **named: Any) -> Any:
        instance = cls.__new__(cls)
        call(initialise)(instance, *args, **named)
        return instance

    return make


def construct(cls: Any) -> Callable[..., Any]:
    """What to call to make an instance of a class."""
    if cls in TRUSTED:
        return cls  # type: ignore[no-any-return]
    if cls not in _READY:
        for base in reversed(cls.__mro__):
            if is_own_class(base):
                try:
                    lift_class(base)
                except NotLiftedError:
                    _READY.discard(base)
                    raise
    if isinstance(cls, EnumMeta):
        return Direct(cls)
    if type(cls) is not type and type(type(cls).__call__) is FunctionType:
        return lambda *args, **named: call(type(cls).__call__)(cls, *args, **named)
    if issubclass(cls, BaseException):
        return cls  # type: ignore[no-any-return]
    initialise = cls.__init__
    if type(initialise) is not FunctionType and issubclass(cls, _CONTAINERS):
        return _filled(cls, initialise)
    if cls in _READY:
        return cls  # type: ignore[no-any-return]
    if type(initialise) is FunctionType and cls.__new__ is object.__new__:
        if is_made(initialise):
            return cls  # type: ignore[no-any-return]

        def make(*args: Any, **named: Any) -> Any:
            instance = object.__new__(cls)
            call(initialise)(instance, *args, **named)
            return instance

        return make
    if initialise is object.__init__ and cls.__new__ is object.__new__:
        return cls  # type: ignore[no-any-return]
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return cls  # type: ignore[no-any-return]
    return Direct(cls)
