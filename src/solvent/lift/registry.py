"""Which lifted function stands for which builtin function, class or method.

The modules in `solvent.lift.builtins` fill these tables, one module per type or library module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Lifted versions of builtin functions and classes, by the builtin itself.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}

# Lifted versions of methods of builtin types, by type and name.
METHODS: dict[type, dict[str, Callable[..., Any]]] = {}

# What to call instead of an object of a class, by the class.
OBJECTS: dict[type, Callable[[Any], Callable[..., Any]]] = {}

# Functions and classes that may be called as they are, whatever their arguments.
TRUSTED: set[Any] = set()


def lifts(*originals: Any) -> Callable[[Function], Function]:
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
