"""`lifted` and `lift`."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any, TypeVar

from solvent.errors import NotLiftedError
from solvent.lift.classes import lift_class
from solvent.lift.function import lift_function
from solvent.lift.origins import claim

Lifted = TypeVar("Lifted")


def lifted(target: Lifted) -> Lifted:
    """Make a function or class run on symbolic values too.

    >>> from solvent import Int
    >>> @lifted
    ... def larger(a, b):
    ...     if a > b:
    ...         return a
    ...     return b
    >>> larger(3, 4), larger(Int("x"), 4)
    (4, ite(x <= 4, 4, x))
    """
    found: Any = target
    if isinstance(found, FunctionType):
        claim(found)
        return lift_function(found)  # type: ignore[return-value]
    if isinstance(found, type):
        return lift_class(found)  # type: ignore[return-value]
    if isinstance(found, (staticmethod, classmethod)):
        return type(found)(lifted(found.__func__))  # type: ignore[return-value]
    if isinstance(found, property):
        parts: list[Any] = [found.fget, found.fset, found.fdel]
        get, put, delete = [part and lifted(part) for part in parts]
        result: Any = property(get, put, delete, found.__doc__)
        return result  # type: ignore[no-any-return]
    raise NotLiftedError(f"{found!r} is neither a function nor a class, so it cannot be lifted")


def lift(target: Any) -> Any:
    """The lifted version of a function, class or module."""
    if isinstance(target, ModuleType):
        for name, value in list(vars(target).items()):
            if isinstance(value, (FunctionType, type)) and value.__module__ == target.__name__:
                setattr(target, name, lifted(value))
        return target
    return lifted(target)
