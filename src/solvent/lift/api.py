"""`lifted` and `lift`."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import ParamSpec, Protocol, TypeVar, overload

from solvent.errors import NotLiftedError
from solvent.lift.classes import lift_class
from solvent.lift.function import lift_function
from solvent.lift.origins import claim
from solvent.vm.values import Value

Lifted = TypeVar("Lifted")
Class = TypeVar("Class", bound=type)
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result", covariant=True)


class LiftedFunction(Protocol[Parameters, Result]):
    """What type checkers know of a lifted function: it also takes and returns symbolic values."""

    __name__: str
    __qualname__: str

    @property
    def __wrapped__(self) -> Callable[Parameters, Result]: ...
    @overload
    def __call__(self, *args: Parameters.args, **named: Parameters.kwargs) -> Result: ...
    @overload
    def __call__(self, *args: Value, **named: Value) -> Value: ...
    # A method, whose first argument Python puts in.
    def __get__(self, instance: object, owner: type | None = None, /) -> Value: ...


# A class is a function too, but stays a class.
@overload
def lifted(target: Class) -> Class: ...  # type: ignore[overload-overlap]
@overload
def lifted(target: property) -> property: ...
@overload
def lifted(target: Callable[Parameters, Result]) -> LiftedFunction[Parameters, Result]: ...
@overload
def lifted(target: Lifted) -> Lifted: ...
def lifted(target: object) -> Value:
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
    found = target
    if isinstance(found, FunctionType):
        claim(found)
        return lift_function(found)
    if isinstance(found, type):
        return lift_class(found)
    if isinstance(found, (staticmethod, classmethod)):
        return type(found)(lifted(found.__func__))
    if isinstance(found, property):
        parts: list[Callable[..., Value] | None] = [found.fget, found.fset, found.fdel]
        get, put, delete = [part and lifted(part) for part in parts]
        return property(get, put, delete, found.__doc__)
    raise NotLiftedError(f"{found!r} is neither a function nor a class, so it cannot be lifted")


def lift(target: object) -> Value:
    """The lifted version of a function, class or module."""
    if isinstance(target, ModuleType):
        for name, value in list(vars(target).items()):
            if isinstance(value, (FunctionType, type)) and value.__module__ == target.__name__:
                setattr(target, name, lifted(value))
        return target
    return lifted(target)
