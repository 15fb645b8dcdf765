"""Calling functions that are not lifted, and what makes a value concrete."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from io import TextIOBase
from types import FunctionType, MethodType

from solvent.errors import NotLiftedError
from solvent.lift import foreign
from solvent.lift.function import lift_function
from solvent.lift.origins import is_library
from solvent.lift.progress import TrackedIterator
from solvent.lift.registry import METHODS
from solvent.lift.survey import ATOMIC, Survey
from solvent.lift.terminal import MADE
from solvent.lift.twins.conversion import twin_call
from solvent.lift.values.protocol import parts
from solvent.terms.booleans import BoolTerm
from solvent.terms.term import Term
from solvent.vm.hidden import ELSEWHERE, is_held, states_of
from solvent.vm.kinds import python_type
from solvent.vm.machine import current
from solvent.vm.owned import VARYING
from solvent.vm.spread import over
from solvent.vm.twins import NATIVE, twin_of_values
from solvent.vm.union import Union
from solvent.vm.values import Value


def is_concrete(value: Value) -> bool:
    """Whether a value contains nothing symbolic, as deep as containers and objects go."""
    cls = type(value)
    if cls in ATOMIC:
        return True
    seen: dict[int, Value] = {}
    stack = [value]
    while stack:
        value = stack.pop()
        cls = type(value)
        if cls in ATOMIC or id(value) in seen:
            continue
        if isinstance(value, VARYING):
            return False
        if ELSEWHERE and (states_of(value) is not None or is_held(value)):
            return False
        seen[id(value)] = value
        stack.extend(_inside(value))
    return True


def _inside(value: Value) -> Iterable[Value]:
    """What a value holds, unless that is plain data."""
    found = parts(value)
    return () if set(map(type, found)) <= ATOMIC else found


class Direct:
    """A function that is not lifted: called as it is if its arguments are concrete."""

    __slots__ = ("function",)

    def __init__(self, function: Value) -> None:
        self.function = function

    def __call__(self, /, *args: Value, **named: Value) -> Value:
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
        # Files and the like are more than iterators, and those of twins are in Python.
        step = getattr(type(result), "__next__", None)
        if step is None or type(step) is FunctionType or hasattr(type(result), "__enter__"):
            return result
        return TrackedIterator(result)

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """What to do if an argument is symbolic."""
        function = self.function
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename.startswith("<") and code.co_name in _STORES:
            return function(*args, **named)
        own = _of_term(function, args)
        if own is not None:
            return own(*args[1:], **named)
        twin = twin_call(function)
        if twin is not None:
            return twin(*args, **named)
        name = getattr(function, "__qualname__", None) or repr(function)
        module = getattr(function, "__module__", None)
        full = f"{module}.{name}" if module and module != "builtins" else name
        found = current().concretely(full, (args, named), self.chosen)
        if found is not NotImplemented:
            return found
        raise NotLiftedError(
            f"`{full}` is not lifted and was called with a symbolic value; write it in Python, use "
            "`for_all` to apply it to concrete members, or compute its arguments concretely"
        )

    def chosen(self, given: tuple[tuple[Value, ...], dict[str, Value]]) -> Value:
        """The call with values that were chosen for what is symbolic."""
        function = self.function
        return foreign.run(self, function, *given, lambda args, named: function(*args, **named))


def _of_term(function: Value, args: tuple[Value, ...]) -> Callable[..., Value] | None:
    """The method of a symbolic number or text that a program calls by its class."""
    owner = args[0] if args else None
    cls: type | None = getattr(function, "__objclass__", None)
    if not isinstance(owner, Term) or cls is None or not issubclass(python_type(owner), cls):
        return None
    if isinstance(owner, BoolTerm) and cls is int:
        owner = owner.as_int()
    found = METHODS.get(type(owner), {}).get(function.__name__)
    return None if found is None else MethodType(found, owner)


# Generated by dataclasses or named tuples: what only stores its arguments.
_STORES = frozenset(("__init__", "__new__", "_make", "_replace", "__setattr__"))


class Library(Direct):
    """A library function written in Python: lifted only when something is symbolic."""

    __slots__ = ()

    def __call__(self, /, *args: Value, **named: Value) -> Value:
        if not is_library(self.function):
            # Its package was asked about meanwhile.
            return lift_function(self.function)(*args, **named)
        if self.is_pure(args, named):
            return self.function(*args, **named)
        machine = current()
        # What a decorator of a library has made calls functions of the program.
        alone = self.function.__closure__ is None and not machine.layers
        if alone and all(map(is_data, args)) and all(map(is_data, named.values())):
            if machine.watchers:
                survey = Survey()
                survey.look(*args, *named.values())
                survey.note()
            return self.function(*args, **named)
        try:
            lifted = twin_call(self.function) or lift_function(self.function)
        except NotLiftedError:
            return super().__call__(*args, **named)
        return lifted(*args, **named)

    def is_pure(self, args: tuple[Value, ...], named: dict[str, Value]) -> bool:
        """Whether a call changes nothing that the program can see, so that it need not be lifted.

        Caches inside of these modules are better kept than undone with every path.
        """
        module = self.function.__module__
        return module in _PURE_MODULES and all(
            type(value) in ATOMIC
            # Flags and the like of the module itself.
            or (isinstance(value, (int, str)) and type(value).__module__ == module)
            or _is_plain_value(value)
            for value in (*args, *named.values())
        )


# Modules whose functions only compute from immutable arguments.
_PURE_MODULES = frozenset(
    ("base64", "calendar", "fnmatch", "fractions", "genericpath", "html", "html.entities", "json",
     "json.decoder", "json.encoder", "json.scanner", "keyword", "ntpath", "posixpath", "re",
     "re._compiler", "re._parser", "shlex", "statistics", "string", "textwrap", "urllib.parse")
)  # fmt: skip


def _is_plain_value(value: Value) -> bool:
    """Whether a value is a `Fraction` or the like, or its class, and not of a twin: concrete."""
    cls = value if isinstance(value, type) else type(value)
    # What decimal numbers come to depends on their context, which paths may have changed.
    return cls not in NATIVE and cls.__module__ != "decimal" and twin_of_values(cls) is not None


def is_data(value: Value) -> bool:
    """Whether a value is concrete data: no functions and no objects, which may hold anything."""
    cls = type(value)
    if cls in ATOMIC or _is_plain_value(value):
        return True
    if cls in (list, tuple, set, frozenset, deque):
        return all(map(is_data, value)) if not set(map(type, value)) <= ATOMIC else True
    if cls is dict:
        return all(map(is_data, value)) and all(map(is_data, value.values()))
    return False
