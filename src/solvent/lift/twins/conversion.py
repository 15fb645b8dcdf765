"""What to call instead of a C function that is given something symbolic."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from inspect import CO_VARARGS
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)

from solvent.errors import NotLiftedError
from solvent.lift.function import lift_function
from solvent.lift.twins.loading import is_inside, loaded, made_twin, twin_class
from solvent.lift.twins.table import BY_MODULE
from solvent.terms.term import Term
from solvent.vm.spread import over
from solvent.vm.twins import NATIVE, entered
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value


class Inside:
    """A function of a twin: lifted, and given instances of twins for those of C classes."""

    __slots__ = ("function", "lifted")

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.lifted = lift_function(function)

    def __call__(self, *args: Value, **named: Value) -> Value:
        return self.lifted(
            *map(admitted, args), **{name: admitted(value) for name, value in named.items()}
        )


def admitted(value: Value) -> Value:
    """What the code of a twin is given for a value."""
    if type(value) is Union:
        choices = choices_of(value)
        members = [entered(member) for _, member in choices]
        if all(new is old for new, (_, old) in zip(members, choices, strict=True)):
            return value
        return Union(tuple((g, new) for (g, _), new in zip(choices, members, strict=True)))
    found = entered(value)
    if found is value and type(value) not in NATIVE:
        _refuse_derived(value)
    return found


def _refuse_derived(value: Value) -> None:
    """Refuse an instance of a class that derives from one whose instances are values."""
    for base in type(value).__mro__[1:-1]:
        twin = BY_MODULE.get(base.__module__)
        if twin is not None and base.__name__ in twin.values and base not in NATIVE:
            if twin_class(type(value)) is None:
                raise NotLiftedError(
                    f"a `{type(value).__name__}`, whose class derives from `{base.__qualname__}`, "
                    f"together with symbolic values is not lifted; use `{base.__qualname__}`"
                )
            return


def inside(function: FunctionType) -> Inside:
    """What to call for a function of a twin."""
    known: Inside | None = function.__dict__.get("__solvent_inside__")
    if known is None:
        known = function.__dict__["__solvent_inside__"] = Inside(function)
    return known


def making(cls: Value) -> Callable[..., Value]:
    """What makes instances of a class of a twin, or of another whose `__new__` is in Python."""
    new: Value = cls.__new__
    initialise: Value = cls.__init__

    def make(*args: Value, **named: Value) -> Value:
        if type(new) is not FunctionType:
            if type(initialise) is not FunctionType:
                return cls(*args, **named)
            return fill(cls.__new__(cls), args, named)
        made = inside(new)(cls, *args, **named)
        return made if type(initialise) is not FunctionType else fill(made, args, named)

    def fill(made: Value, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        if type(made) is Union:
            return over(made, lambda member: fill(member, args, named))
        if isinstance(made, cls):
            inside(initialise)(made, *args, **named)
        return made

    return make


def _ready(found: Value) -> Callable[..., Value] | None:
    """What to call for something of a twin."""
    if isinstance(found, type):
        return making(found)
    if type(found) is MethodType:
        function: Value = found.__func__
        return MethodType(inside(function), found.__self__) if is_inside(function) else None
    return inside(found) if type(found) is FunctionType and is_inside(found) else None


def twin_call(function: Value) -> Callable[..., Value] | None:
    """What to call instead of a function that is not lifted, or None if there is no twin of it."""
    cls = type(function)
    if isinstance(function, type):
        twin = twin_class(function)
        return None if twin is None else _limited(function, twin.__new__, making(twin))
    if cls is FunctionType:
        # What fills an object must be given the object itself.
        if is_inside(function) or function.__name__ == "__init__" or not _is_there(function):
            return None
        found = _by_name(function.__module__, function.__qualname__)
        return _given_class(function, found) if type(found) is MethodType else found
    if isinstance(function, BuiltinFunctionType) or cls is MethodWrapperType:
        owner = function.__self__
        if owner is None or isinstance(owner, ModuleType):
            return _by_name(function.__module__, function.__name__)
        if isinstance(owner, type):
            twin = twin_class(owner)
            return None if twin is None else _ready(getattr(twin, function.__name__, None))
        return _method(type(owner), function.__name__, owner)
    if cls is MethodDescriptorType or cls is WrapperDescriptorType:
        return _method(function.__objclass__, function.__name__)
    return _object_call(function)


def _limited(native: type, new: Value, make: Callable[..., Value]) -> Callable[..., Value]:
    """What makes instances, if it is given no more arguments than it takes: C says so itself."""
    if type(new) is not FunctionType or new.__code__.co_flags & CO_VARARGS:
        return make
    # The class is one of the parameters.
    most = new.__code__.co_argcount - 1

    def limited(*args: Value, **named: Value) -> Value:
        if len(args) > most:
            native(*[0 if isinstance(value, (Term, Union)) else value for value in args])
        return make(*args, **named)

    return limited


def _given_class(function: FunctionType, method: MethodType) -> Callable[..., Value]:
    """A class method of a twin, for the function of one, which is given the class as well."""
    twin: Value = method.__self__

    def call(cls: Value, *args: Value, **named: Value) -> Value:
        if NATIVE.get(cls, cls) is NATIVE.get(twin):
            return method(*args, **named)
        return lift_function(function)(cls, *args, **named)

    return call


def _object_call(value: Value) -> Callable[..., Value] | None:
    """What to call instead of an object of C, which the twin is told."""
    twin = BY_MODULE.get(type(value).__module__)
    if twin is None or twin.module not in sys.modules:
        return None
    found = loaded(twin).__dict__.get("__calls__", {}).get(type(value).__name__)
    return None if found is None else partial(inside(found), value)


def _method(cls: type, name: str, *owner: Value) -> Callable[..., Value] | None:
    """A method of the twin of a class, with its owner if there is one."""
    written = _written(cls, name)
    if written is not None:
        return partial(written, *owner)
    twin = twin_class(cls)
    found = None if twin is None else getattr(twin, name, None)
    if type(found) is not FunctionType:
        return None
    return MethodType(inside(found), made_twin(owner[0])) if owner else inside(found)


def _is_there(function: FunctionType) -> bool:
    """Whether a module has a function where it says that it is: no other module of that name."""
    found: Value = sys.modules.get(function.__module__ or "")
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return getattr(found, "__func__", found) is function


def _written(cls: type, name: str) -> Callable[..., Value] | None:
    """A method of a class of C whose objects have no twin, which a twin has as a function."""
    twin = BY_MODULE.get(cls.__module__)
    if twin is None or twin.module not in sys.modules:
        return None
    found = loaded(twin).__dict__.get("__methods__", {}).get(f"{cls.__name__}.{name}")
    return None if found is None else inside(found)


def _by_name(module: str | None, name: str) -> Callable[..., Value] | None:
    """What a twin has under the name of a function of a module."""
    twin = BY_MODULE.get(module or "")
    if twin is None or twin.module not in sys.modules:
        return None
    found: Value = loaded(twin)
    for part in name.split("."):
        found = getattr(found, part, None)
    return _ready(found)
