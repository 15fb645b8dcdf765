"""Which lifted function stands for which builtin function, class or method.

The modules in `solvent.lift.values` and `solvent.lift.library` fill these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TypeVar

from solvent.vm.values import Guard, Value

Function = TypeVar("Function", bound=Callable[..., Value])

# Lifted versions of builtin functions and classes, by the builtin itself.
FUNCTIONS: dict[Value, Callable[..., Value]] = {}

# What to call instead of functions that are made again and again, by their code.
CODES: dict[CodeType, Callable[[FunctionType], Callable[..., Value]]] = {}

# Lifted versions of methods of builtin types, by type and name.
METHODS: dict[type, dict[str, Callable[..., Value]]] = {}

# Lifted versions of methods that every object has, by name.
OBJECT_METHODS: dict[str, Callable[..., Value]] = {}

# What to call instead of an object of a class, by the class.
OBJECTS: dict[type, Callable[[Value], Callable[..., Value]]] = {}

# What to call instead of a class of an enumeration, by the class that it derives from.
ENUMERATIONS: dict[type, Callable[[Value], Callable[..., Value]]] = {}

# Functions and classes that may be called as they are, whatever their arguments.
TRUSTED: set[object] = set()


def lifts(*originals: object) -> Callable[[Function], Function]:
    """The decorated function is the lifted version of these builtins."""

    def register(function: Function) -> Function:
        for original in originals:
            FUNCTIONS[original] = function
        return function

    return register


def lifts_method(*types: type, name: str | None = None) -> Callable[[Function], Function]:
    """The decorated function is the lifted version of a method of these types."""

    def register(function: Function) -> Function:
        for cls in types:
            METHODS.setdefault(cls, {})[name or function.__name__.rstrip("_")] = function
        return function

    return register


# File, line and column of a call in the source.
Place = tuple[str, int, int]


class Placed:
    """What to do instead of calling a function whose result depends on the place of the call."""

    # Whether at most one argument is evaluated, the one that `picks` says.
    lazy = False

    def at(self, place: Place) -> Callable[..., Value]:
        """The function as it is called at a place."""
        raise NotImplementedError

    def picks(self, place: Place, count: int, which: int) -> Guard:
        """Whether one of `count` arguments is the one to evaluate, if none before it is."""
        raise NotImplementedError


def placed(function: object) -> Placed | None:
    """How a function is called that depends on the place, or `None` if it does not."""
    if type(function) is FunctionType:
        return function.__dict__.get("__solvent_placed__")
    return function if isinstance(function, Placed) else None
