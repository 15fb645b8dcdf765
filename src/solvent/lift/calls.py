"""Calling anything from lifted code.

A function is resolved once per call: lifted builtins and methods come from the registry, functions
written in Python are lifted on demand, and everything else is called as it is when its arguments
are concrete, spread over the members when they are unions (symbolic reflection), and refused when
they are symbolic.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from enum import EnumMeta
from functools import partial
from io import BytesIO, StringIO
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import TYPE_CHECKING, NoReturn

from solvent.lift.classes import CALLING, READY, make_ready
from solvent.lift.function import OWNER, UNLIFTED, lift_function
from solvent.lift.origins import is_library
from solvent.lift.registry import (
    CODES,
    ENUMERATIONS,
    FUNCTIONS,
    METHODS,
    OBJECT_METHODS,
    OBJECTS,
    TRUSTED,
)
from solvent.lift.standins import attribute_of
from solvent.lift.survey import is_symbolic
from solvent.lift.twins.conversion import inside, making
from solvent.lift.twins.loading import is_inside, twin_class
from solvent.lift.typed import is_made
from solvent.lift.unbound import counted, unbound
from solvent.lift.unlifted import Direct, Library
from solvent.terms.arithmetic import NEG
from solvent.terms.bitvector_ops import BVADD, BVNEG
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.core import COMPILED
from solvent.terms.term import Term
from solvent.vm.exceptions import LIFTED
from solvent.vm.kinds import type_name
from solvent.vm.own import is_own
from solvent.vm.spread import over
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union
from solvent.vm.values import Value


def call(function: Value) -> Callable[..., Value]:
    """What to call instead of a function."""
    cls = type(function)
    if cls is FunctionType:
        if function.__code__.co_flags & LIFTED:
            return function  # type: ignore[no-any-return]
        known = function.__dict__.get("__solvent_call__")
        # `functools.wraps` copies what is remembered of the function inside.
        if known is None or function.__dict__.get(OWNER, function) is not function:
            known = function.__dict__["__solvent_call__"] = _python_function(function)
            function.__dict__[OWNER] = function
        return known  # type: ignore[no-any-return]
    if cls is MethodType:
        inner = function.__func__
        if type(inner) is FunctionType and inner.__code__.co_flags & LIFTED:
            return function  # type: ignore[no-any-return]
        if type(function.__self__) is Union:
            return _of_each_owner(function)
        return MethodType(call(inner), function.__self__)
    if cls is type:
        found = FUNCTIONS.get(function) or _CONSTRUCTORS.get(function)
    else:
        try:
            found = FUNCTIONS.get(function)
        except TypeError:
            found = None
    if found is not None:
        return found
    return _resolve(function, cls)


def _of_each_owner(method: MethodType) -> Callable[..., Value]:
    """A method of our own that was merged: it is for one owner, and does not look into unions."""
    inner = call(method.__func__)
    owners: Value = method.__self__

    def spread(*args: Value, **named: Value) -> Value:
        return over(owners, lambda owner: inner(owner, *args, **named))

    return spread


# A function, and what to call instead of it.
UNRESOLVED: tuple[object, None] = (object(), None)

# Classes of functions for which that never changes.
_STEADY = frozenset((FunctionType, BuiltinFunctionType, type))


def resolve(function: Value) -> tuple[object, Callable[..., Value]]:
    """A function and what to call instead of it, for loops, which look it up once."""
    kept = function if type(function) in _STEADY else UNRESOLVED[0]
    return kept, call(function)


# How to make instances of a class, found once per class.
_CONSTRUCTORS: dict[type, Callable[..., Value]] = {}


def made_by(cls: type, make: Callable[..., Value]) -> Callable[[], None]:
    """Let something else make the instances of a class, until what is given back is called."""
    before = _CONSTRUCTORS.get(cls)
    _CONSTRUCTORS[cls] = make

    def restore() -> None:
        if before is None:
            _CONSTRUCTORS.pop(cls, None)
        else:
            _CONSTRUCTORS[cls] = before

    return restore


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_calls

    setup_calls(
        FUNCTIONS,
        _CONSTRUCTORS,
        "__solvent_call__",
        OWNER,
        LIFTED,
        BitVecTerm,
        NEG.construct,
        BVADD.construct,
        BVNEG.construct,
    )
    call, resolve = fast(call), fast(resolve)


def _python_function(function: FunctionType) -> Callable[..., Value]:
    """A function written in Python that is not lifted yet."""
    try:
        found = FUNCTIONS.get(function)
    except TypeError:
        found = None
    if found is not None:
        return found
    known = CODES.get(function.__code__)
    if known is not None:
        return known(function)
    if is_inside(function):
        return inside(function)
    filename = function.__code__.co_filename
    if is_own(filename) or UNLIFTED or function in TRUSTED:
        return function
    # Dataclasses, named tuples, enums.
    if is_made(function):
        return Direct(function)
    if is_library(function):
        return Library(function)
    return lift_function(function)


def _resolve(function: Value, cls: type) -> Callable[..., Value]:
    resolver = OBJECTS.get(cls)
    if resolver is not None:
        return resolver(function)
    if isinstance(function, type):
        known = _CONSTRUCTORS.get(function)
        if known is None:
            known = _CONSTRUCTORS[function] = construct(function)
        return known
    if not callable(function):
        return _not_callable(function)
    if cls.__module__.startswith("solvent.") or _is_trusted(function):
        return function  # type: ignore[no-any-return]
    method = getattr(cls, "__call__", None)  # noqa: B004
    if type(method) is FunctionType:
        return MethodType(call(method), function)
    return Direct(function)


def _lifted_method(cls: type, name: str) -> Callable[..., Value] | None:
    """The lifted version of a method of a builtin type or of one that derives from it."""
    table = _methods(cls)
    return None if table is None else table.get(name)


def _builtin_function(function: BuiltinFunctionType) -> Callable[..., Value]:
    """A builtin function, or a method of a builtin type with its owner."""
    owner = function.__self__
    if owner is not None and type(owner) is not ModuleType:
        found = _lifted_method(type(owner), function.__name__)
        if found is not None:
            return MethodType(found, owner)
    return Direct(function)


def _method_of_type(function: MethodDescriptorType) -> Callable[..., Value]:
    """A method of a builtin type without an owner, such as `list.append`."""
    basic = _basic(function, type(function))
    if basic is not None:
        return basic
    found = _lifted_method(function.__objclass__, function.__name__)
    return Direct(function) if found is None else unbound(function, found)


def _special_method(function: MethodWrapperType) -> Callable[..., Value]:
    """A special method of a builtin type with its owner, such as `xs.__len__`."""
    basic = _basic(function, type(function))
    if basic is not None:
        return basic
    found = _lifted_method(type(function.__self__), function.__name__)
    return Direct(function) if found is None else counted(function, found)


def _is_trusted(function: object) -> bool:
    try:
        return function in TRUSTED
    except TypeError:
        return False


def _not_callable(value: object) -> Callable[..., Value]:
    """What fails when it is called, after its arguments were evaluated."""

    def fail(*args: Value, **named: Value) -> NoReturn:
        raise TypeError(f"'{type_name(value)}' object is not callable")

    return fail


def _basic(function: Value, cls: type) -> Callable[..., Value] | None:
    """Methods that every object or exception has, which hold whatever they are given."""
    owner = function.__objclass__
    name = function.__name__
    if owner is object and name in ("__setattr__", "__delattr__"):
        found = OBJECT_METHODS[name]
        return MethodType(found, function.__self__) if cls is MethodWrapperType else found
    holds = owner is object or issubclass(owner, BaseException)
    if holds and name in ("__init__", "__new__", "__setstate__", "with_traceback", "add_note"):
        return function  # type: ignore[no-any-return]
    return None


def _lifted_partial(function: partial[Value]) -> Callable[..., Value]:
    inner = call(function.func)
    return partial(inner, *function.args, **function.keywords)


OBJECTS[BuiltinFunctionType] = _builtin_function
# Methods that are told the class that defines them have a type of their own.
OBJECTS[type(re.compile("").match)] = _builtin_function
OBJECTS[MethodDescriptorType] = _method_of_type
OBJECTS[WrapperDescriptorType] = _method_of_type
OBJECTS[MethodWrapperType] = _special_method
OBJECTS[partial] = _lifted_partial


_WITH_METHODS: tuple[type, ...] = (
    list, dict, set, frozenset, str, deque, tuple, int, float, bytearray, StringIO, BytesIO, type,
)  # fmt: skip


def _methods(cls: type) -> dict[str, Callable[..., Value]] | None:
    """The lifted methods of a builtin type, or of the builtin type that a class derives from."""
    table = METHODS.get(cls)
    if table is not None or not issubclass(cls, _WITH_METHODS):
        return table
    for base in cls.__mro__:
        table = METHODS.get(base)
        if table is not None:
            return table
    return None


class _Found:
    """A method of one member of a union, which must not merge with those of others."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Value]) -> None:
        self.function = function


def for_each(value: Value, action: Callable[[Value], Value]) -> Value:
    """Do something for every member of a value, which may be a union."""
    return over(value, action) if type(value) is Union else action(value)


def method(owner: Value, name: str) -> Callable[..., Value]:
    """What to call for `owner.name(...)`."""
    cls = type(owner)
    table = METHODS.get(cls)
    if table is not None:
        found = table.get(name)
        if found is not None:
            return MethodType(found, owner)
    if cls is Union:
        # Looked up before the arguments are evaluated, as Python does.
        found = over(owner, lambda member: _Found(method(member, name)))
        return lambda *args, **named: for_each(found, lambda each: each.function(*args, **named))
    attribute = attribute_of(owner, name) if isinstance(owner, Term) else getattr(owner, name)
    if type(attribute) is MethodType:
        inner = attribute.__func__
        if type(inner) is FunctionType and inner.__code__.co_flags & LIFTED:
            return attribute
    return call(attribute)


def method_of(owner: Value, name: str) -> Callable[..., Value]:
    """Like `method`, but what to call takes the owner as its first argument."""
    table = METHODS.get(type(owner))
    found = table.get(name) if table is not None else None
    if found is not None:
        return found
    bound = method(owner, name)
    if type(bound) is MethodType and bound.__self__ is owner:
        return bound.__func__
    return lambda _, /, *args, **named: bound(*args, **named)


def _calling(function: Value) -> Callable[[], Value]:
    """A function that calls another one, for code that is not lifted."""
    return lambda: call(function)()


CALLING.append(_calling)


# --- making instances --------------------------------------------------------------------------

_CONTAINERS = (list, dict, set, deque)


def _filled(cls: Value, initialise: Callable[..., Value]) -> Callable[..., Value]:
    """Make a container of a class without an `__init__` of its own, and fill it."""

    def make(*args: Value, **named: Value) -> Value:
        instance = cls.__new__(cls)
        call(initialise)(instance, *args, **named)
        return instance

    return make


def construct(cls: type) -> Callable[..., Value]:
    """What to call to make an instance of a class."""
    if cls in TRUSTED:
        return cls
    if cls in NATIVE:
        return making(cls)
    make_ready(cls)
    if isinstance(cls, EnumMeta):
        made = (make for base, make in ENUMERATIONS.items() if issubclass(cls, base))
        return next(made, Enumerated)(cls)
    if type(vars(cls).get("__init__")) is FunctionType and twin_class(cls) is not None:
        return Paired(cls, _made_by(cls))
    return _made_by(cls)


def _made_by(cls: type) -> Callable[..., Value]:
    """What makes instances of a class by its own methods."""
    if type(cls) is not type and type(type(cls).__call__) is FunctionType:
        return lambda *args, **named: call(type(cls).__call__)(cls, *args, **named)
    return made_by_type(cls)


def made_by_type(cls: type) -> Callable[..., Value]:
    """What makes instances of a class as `type.__call__` does."""
    initialise: Value = cls.__init__  # type: ignore[misc]
    if issubclass(cls, BaseException):
        written = type(initialise) is FunctionType and cls not in READY
        return _raisable(cls, initialise) if written else cls
    if type(initialise) is not FunctionType and issubclass(cls, _CONTAINERS):
        return _filled(cls, initialise)
    if cls in READY:
        return cls
    if type(initialise) is FunctionType and cls.__new__ is object.__new__:
        if is_made(initialise):
            return cls

        def make(*args: Value, **named: Value) -> Value:
            instance = object.__new__(cls)
            call(initialise)(instance, *args, **named)
            return instance

        return make
    if initialise is object.__init__ and cls.__new__ is object.__new__:
        return cls
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return cls
    if type(cls.__new__) is FunctionType:
        return making(cls) if is_inside(cls.__new__) else Written(cls)
    return Direct(cls)


def _raisable(cls: Value, initialise: FunctionType) -> Callable[..., Value]:
    """What makes exceptions of a class with an `__init__` in Python, which is lifted."""

    def make(*args: Value, **named: Value) -> Value:
        instance = cls.__new__(cls, *args, **named)
        call(initialise)(instance, *args, **named)
        return instance

    return make


class Enumerated(Direct):
    """An enumeration that is called with a value."""

    __slots__ = ()

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """As Python's own code looks for the member."""
        return call(type(self.function).__call__)(self.function, *args, **named)


class Paired(Direct):
    """A class in Python that has a twin: what is made of symbolic values is of the twin."""

    __slots__ = ("make",)

    def __init__(self, cls: type, make: Callable[..., Value]) -> None:
        super().__init__(cls)
        self.make = make

    def __call__(self, *args: Value, **named: Value) -> Value:
        if is_symbolic([*args, *named.values()]):
            return super().__call__(*args, **named)
        return self.make(*args, **named)


class Written(Direct):
    """A class of a library whose `__new__` is written in Python."""

    __slots__ = ()

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """By its twin, or by its own methods, lifted."""
        if twin_class(self.function) is not None:
            return super().symbolic(args, named)
        made = call(self.function.__new__)(self.function, *args, **named)
        return for_each(made, lambda member: self.filled(member, args, named))

    def filled(self, made: Value, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """An instance after its `__init__`."""
        initialise = type(made).__init__
        if isinstance(made, self.function) and type(initialise) is FunctionType:
            call(initialise)(made, *args, **named)
        return made
