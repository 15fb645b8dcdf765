"""Calling anything from lifted code.

A function is resolved once per call: lifted builtins and methods come from the registry, functions
written in Python are lifted on demand, and everything else is called as it is when its arguments
are concrete, spread over the members when they are unions (symbolic reflection), and refused when
they are symbolic.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from io import TextIOBase
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import foreign, survey
from solvent.lift.attributes import get_attribute
from solvent.lift.function import UNLIFTED, lift_function
from solvent.lift.generators import TrackedIterator
from solvent.lift.origins import is_library
from solvent.lift.registry import FUNCTIONS, METHODS, OBJECTS, TRUSTED
from solvent.lift.terminal import MADE
from solvent.lift.typed import is_made
from solvent.lift.unbound import unbound
from solvent.terms.booleans import not_
from solvent.terms.term import Term
from solvent.vm.buffers import shadow
from solvent.vm.hidden import ELSEWHERE, states_of
from solvent.vm.kinds import type_name
from solvent.vm.limits import OWN_FILES
from solvent.vm.machine import LIFTED, current
from solvent.vm.owned import Elements
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union


def call(function: Any) -> Callable[..., Any]:
    """What to call instead of a function."""
    cls = type(function)
    if cls is FunctionType:
        if function.__code__.co_flags & LIFTED:
            return function  # type: ignore[no-any-return]
        known = function.__dict__.get("__solvent_call__")
        if known is None:
            known = function.__dict__["__solvent_call__"] = _python_function(function)
        return known  # type: ignore[no-any-return]
    if cls is MethodType:
        inner = function.__func__
        if type(inner) is FunctionType and inner.__code__.co_flags & LIFTED:
            return function  # type: ignore[no-any-return]
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


# A function, and what to call instead of it.
UNRESOLVED: tuple[Any, Any] = (Maybe(False, None), None)

# Classes of functions for which that never changes.
_STEADY = frozenset((FunctionType, BuiltinFunctionType, type))


def resolve(function: Any) -> tuple[Any, Callable[..., Any]]:
    """A function and what to call instead of it, for loops, which look it up once."""
    kept = function if type(function) in _STEADY else UNRESOLVED[0]
    return kept, call(function)


# How to make instances of a class, found once per class.
_CONSTRUCTORS: dict[type, Callable[..., Any]] = {}


def _python_function(function: FunctionType) -> Callable[..., Any]:
    """A function written in Python that is not lifted yet."""
    try:
        found = FUNCTIONS.get(function)
    except TypeError:
        found = None
    if found is not None:
        return found
    filename = function.__code__.co_filename
    if filename.startswith(OWN_FILES) or UNLIFTED or function in TRUSTED:
        return function
    # Dataclasses, named tuples, enums.
    if is_made(function):
        return Direct(function)
    if is_library(function):
        return Library(function)
    return lift_function(function)


def _resolve(function: Any, cls: type) -> Callable[..., Any]:
    if cls is BuiltinFunctionType:
        owner = function.__self__
        if owner is not None and type(owner) is not ModuleType:
            table = _methods(type(owner))
            if table is not None:
                found = table.get(function.__name__)
                if found is not None:
                    return MethodType(found, owner)
        return Direct(function)
    if cls in (MethodDescriptorType, WrapperDescriptorType, MethodWrapperType):
        found = _basic(function, cls)
        if found is not None:
            return found
    if cls in (MethodDescriptorType, WrapperDescriptorType):
        table = _methods(function.__objclass__)
        found = table.get(function.__name__) if table is not None else None
        if found is not None:
            return unbound(function, found)
        return Direct(function)
    if cls is MethodWrapperType:
        table = _methods(type(function.__self__))
        found = table.get(function.__name__) if table is not None else None
        if found is not None:
            return MethodType(found, function.__self__)
        return Direct(function)
    if cls is partial:
        return _lifted_partial(function)
    if cls in OBJECTS:
        return OBJECTS[cls](function)
    if cls is Union:
        return lambda *args, **named: over(function, lambda member: call(member)(*args, **named))
    if cls is Maybe:
        current().fail_if(not_(function.guard), AttributeError("attribute is not set"))
        return call(function.value)
    if isinstance(function, type):
        from solvent.lift.classes import construct

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


def _is_trusted(function: Any) -> bool:
    try:
        return function in TRUSTED
    except TypeError:
        return False


def _not_callable(value: Any) -> Callable[..., Any]:
    """What fails when it is called, after its arguments were evaluated."""

    def fail(*args: Any, **named: Any) -> Any:
        raise TypeError(f"'{type_name(value)}' object is not callable")

    return fail


def _basic(function: Any, cls: type) -> Callable[..., Any] | None:
    """Methods that every object or exception has, which hold whatever they are given."""
    owner = function.__objclass__
    name = function.__name__
    if owner is object and name in ("__setattr__", "__delattr__"):
        from solvent.lift.attributes import OBJECT_METHODS

        found = OBJECT_METHODS[name]
        return MethodType(found, function.__self__) if cls is MethodWrapperType else found
    holds = owner is object or issubclass(owner, BaseException)
    if holds and name in ("__init__", "__new__", "__setstate__", "with_traceback", "add_note"):
        return function  # type: ignore[no-any-return]
    return None


def _lifted_partial(function: Any) -> Callable[..., Any]:
    inner = call(function.func)
    return partial(inner, *function.args, **function.keywords)


def _methods(cls: type) -> dict[str, Callable[..., Any]] | None:
    """The lifted methods of a builtin type, or of the builtin type that a class derives from."""
    table = METHODS.get(cls)
    if table is not None or not issubclass(
        cls, (list, dict, set, frozenset, str, deque, tuple, int, float, bytearray)
    ):
        return table
    for base in cls.__mro__:
        table = METHODS.get(base)
        if table is not None:
            return table
    return None


class _Found:
    """A method of one member of a union, which must not merge with those of others."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


def for_each(value: Any, action: Callable[[Any], Any]) -> Any:
    """Do something for every member of a value, which may be a union."""
    return over(value, action) if type(value) is Union else action(value)


def method(owner: Any, name: str) -> Callable[..., Any]:
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
    attribute = get_attribute(owner, name) if isinstance(owner, Term) else getattr(owner, name)
    if type(attribute) is MethodType:
        inner = attribute.__func__
        if type(inner) is FunctionType and inner.__code__.co_flags & LIFTED:
            return attribute
    return call(attribute)


def method_of(owner: Any, name: str) -> Callable[..., Any]:
    """Like `method`, but what to call takes the owner as its first argument."""
    table = METHODS.get(type(owner))
    found = table.get(name) if table is not None else None
    if found is not None:
        return found
    bound = method(owner, name)
    if type(bound) is MethodType and bound.__self__ is owner:
        return bound.__func__
    return lambda _, /, *args, **named: bound(*args, **named)


# --- functions that are not lifted ----------------------------------------------------------------

_ATOMIC = survey.ATOMIC


def is_concrete(value: Any) -> bool:
    """Whether a value contains nothing symbolic, as deep as containers and objects go."""
    cls = type(value)
    if cls in _ATOMIC:
        return True
    seen: dict[int, Any] = {}
    stack = [value]
    while stack:
        value = stack.pop()
        cls = type(value)
        if cls in _ATOMIC or id(value) in seen:
            continue
        if isinstance(value, (Term, Union, Maybe, Elements)):
            return False
        if ELSEWHERE and states_of(value) is not None:
            return False
        seen[id(value)] = value
        stack.extend(_inside(value, cls))
    return True


_OPAQUE = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType)


def _inside(value: Any, cls: type) -> Any:
    """What a value holds, unless that is plain data."""
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return () if set(map(type, value)) <= _ATOMIC else list(value)
    if isinstance(value, dict):
        parts = [*dict.keys(value), *dict.values(value)]
        return () if set(map(type, parts)) <= _ATOMIC else parts
    if isinstance(value, slice):
        return (value.start, value.stop, value.step)
    if isinstance(value, _OPAQUE):
        return ()
    if isinstance(value, bytearray) and shadow(value) is not None:
        return shadow(value)
    if isinstance(value, BaseException):
        return (value.args, vars(value))
    found = list(getattr(value, "__dict__", {}).values())
    if cls.__module__ != "builtins":
        for base in cls.__mro__:
            slots = base.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                found.append(getattr(value, name, None))
    return found


class Direct:
    """A function that is not lifted: called as it is if its arguments are concrete."""

    __slots__ = ("function",)

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        function = self.function
        for place, value in enumerate(args):
            if type(value) is Union:
                return over(
                    value,
                    lambda m: self(*args[:place], m, *args[place + 1 :], **named),  # noqa: B023
                )
        for key, value in named.items():
            if type(value) is Union:
                return over(value, lambda m: self(*args, **{**named, key: m}))  # noqa: B023
        result = foreign.run(self, function, args, named, self.symbolic)
        if isinstance(result, TextIOBase):
            MADE.add(result)
        # Files and the like are more than iterators.
        if hasattr(type(result), "__next__") and not hasattr(type(result), "__enter__"):
            return TrackedIterator(result)
        return result

    def symbolic(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What to do if an argument is symbolic."""
        function = self.function
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename.startswith("<") and code.co_name in _STORES:
            return function(*args, **named)
        name = getattr(function, "__qualname__", None) or repr(function)
        module = getattr(function, "__module__", None)
        full = f"{module}.{name}" if module and module != "builtins" else name
        raise NotLiftedError(
            f"`{full}` is not lifted and was called with a symbolic value; write it in Python, use "
            "`for_all` to apply it to concrete members, or compute its arguments concretely"
        )


# Generated by dataclasses or named tuples: what only stores its arguments.
_STORES = frozenset(("__init__", "__new__", "_make", "_replace", "__setattr__"))


class Library(Direct):
    """A library function written in Python: lifted only when something is symbolic."""

    __slots__ = ()

    def __call__(self, *args: Any, **named: Any) -> Any:
        if not is_library(self.function):
            # Its package was asked about meanwhile.
            return lift_function(self.function)(*args, **named)
        if self.is_pure(args, named) or (
            not current().layers and all(map(_is_data, args)) and all(map(_is_data, named.values()))
        ):
            return self.function(*args, **named)
        try:
            lifted = lift_function(self.function)
        except NotLiftedError:
            return super().__call__(*args, **named)
        return lifted(*args, **named)

    def is_pure(self, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
        """Whether a call changes nothing that the program can see, so that it need not be lifted.

        Caches inside of these modules are better kept than undone with every path.
        """
        module = self.function.__module__
        return module in _PURE_MODULES and all(
            type(value) in _ATOMIC
            # Flags and the like of the module itself.
            or (isinstance(value, (int, str)) and type(value).__module__ == module)
            for value in (*args, *named.values())
        )


# Modules whose functions only compute from immutable arguments.
_PURE_MODULES = frozenset(
    ("base64", "calendar", "fnmatch", "genericpath", "html", "html.entities", "json",
     "json.decoder", "json.encoder", "json.scanner", "keyword", "ntpath", "posixpath", "re",
     "re._compiler", "re._parser", "shlex", "statistics", "string", "textwrap", "urllib.parse")
)  # fmt: skip


def _is_data(value: Any) -> bool:
    """Whether a value is concrete data: no functions and no objects, which may hold anything."""
    cls = type(value)
    if cls in _ATOMIC:
        return True
    if cls in (list, tuple, set, frozenset, deque):
        return all(map(_is_data, value)) if not set(map(type, value)) <= _ATOMIC else True
    if cls is dict:
        return all(map(_is_data, value)) and all(map(_is_data, value.values()))
    return False
