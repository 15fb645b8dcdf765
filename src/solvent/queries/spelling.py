"""Inputs as Python text that can be pasted and run.

Other than `repr`, it writes enumerations, classes and floats as one types them, objects as the call
that makes them, and what is there twice with a name: `f([(shared := [1]), shared])`.  Which imports
a text needs is known once it is written.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import operator
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, NoneType
from typing import Protocol, TypeGuard

from solvent.queries.recipes import Recipe
from solvent.queries.replay import cut, shown
from solvent.terms.softfloat import FP
from solvent.terms.values import BV
from solvent.vm.values import Value

# How much of a value is written at most.
LONGEST = 10_000
# How much of one input where all of them are listed.
LONGEST_INPUT = 200

# The attribute in which a function that was made for an input has its text.
TEXT_OF_FUNCTION = "__solvent_text__"

Write = Callable[[Value], str]


class Spelled(Protocol):
    """A recipe that is not written as a call."""

    def spelled(self, write: Write) -> str:
        """The text, given how its parts are written."""


def _is_spelled(recipe: Recipe) -> TypeGuard[Spelled]:
    # Asking whether a value is of a protocol takes many times as long.
    return hasattr(type(recipe), "spelled")


def spelled(value: Value, made: Iterable[tuple[Value, Recipe]] = (), most: int = LONGEST) -> str:
    """The text of one value, cut if it is long.

    >>> spelled([float("nan"), int, {1: ("a",)}])
    "[float('nan'), int, {1: ('a',)}]"
    >>> xs = [1]
    >>> spelled((xs, xs))
    '((shared := [1]), shared)'
    """
    return cut(Speller([value], made).text(value), most)


def spelled_each(
    inputs: Mapping[str, Value], made: Iterable[tuple[Value, Recipe]] = ()
) -> dict[str, str]:
    """Inputs by name, each as a text of its own that is not too long."""
    recipes = tuple(made)
    return {name: spelled(value, recipes, LONGEST_INPUT) for name, value in inputs.items()}


def name_of(found: Callable[..., Value]) -> str:
    """What a class or function is called where it was defined."""
    found = _written(found)
    name: str = getattr(found, "__qualname__", None) or shown(found)
    return name.rpartition("<locals>.")[2]


def _written(found: Callable[..., Value]) -> Callable[..., Value]:
    """The class that stands in the source, if its decorator has put a derived one in its place."""
    for base in found.__mro__ if isinstance(found, type) else ():
        value: Value = sys.modules.get(base.__module__)
        for part in base.__qualname__.split("."):
            value = getattr(value, part, None)
        if value is found:
            return base
    return found


class Speller:
    """Writes values that stand in one call, with the recipes of some of them."""

    def __init__(self, values: Iterable[Value], made: Iterable[tuple[Value, Recipe]] = ()) -> None:
        self.recipes = {id(value): (value, recipe) for value, recipe in made}
        # What is being written, and what has been written and is named, by identity.
        self._open: set[int] = set()
        self._named: dict[int, str] = {}
        # What classes and functions are called, and the fields of dataclasses: there may be many
        # values of one class.
        self._called: dict[int, tuple[Callable[..., Value], str]] = {}
        self._fields: dict[type, list[str] | None] = {}
        self._twice = self._found_twice(values)
        # What the texts refer to: a name, or with `None` the module itself, by module.
        self._needed: dict[tuple[str, str | None], None] = {}

    def setup(self, known: Mapping[str, Value]) -> str:
        """The imports that all texts so far need where some names are known already.

        >>> from decimal import Decimal
        >>> speller = Speller([])
        >>> speller.text([Decimal("0.1"), deque([Counter()])]), speller.setup({"deque": deque})
        ("[Decimal('0.1'), deque([Counter()])]", 'from collections import Counter; \
from decimal import Decimal')
        """
        lines: list[str] = []
        names: dict[str, list[str]] = {}
        for module, name in self._needed:
            found = sys.modules.get(module)
            if name is None:
                if known.get(module) is not found:
                    lines.append(f"import {module}")
            elif known.get(name, known) is not getattr(found, name, None):
                names.setdefault(module, []).append(name)
        lines += [f"from {module} import {', '.join(sorted(found))}"
                  for module, found in names.items()]  # fmt: skip
        return "; ".join(sorted(lines))

    def named(self, found: Callable[..., Value]) -> str:
        """The name of a class or function, which has to be there."""
        known = self._called.get(id(found))
        if known is not None:
            return known[1]
        name = name_of(found)
        self._called[id(found)] = found, name
        found = _written(found)
        module = getattr(found, "__module__", None)
        first = name.partition(".")[0]
        # What was defined inside of a function cannot be imported, and builtins need not be.
        is_public = "<locals>" not in getattr(found, "__qualname__", "<locals>")
        if is_public and module not in ("builtins", "__main__", None):
            self._needed[module, first] = None
        return name

    @property
    def shares(self) -> bool:
        """Whether an object is there twice."""
        return bool(self._twice)

    def text(self, value: Value) -> str:
        """The text of one of the values."""
        if type(value) in _ALWAYS_NEW and not self.recipes:
            return shown(value, LONGEST)
        key = id(value)
        if key in self._named:
            return self._named[key]
        if key in self._open:
            return "..."
        self._open.add(key)
        try:
            text = self._new(value)
        finally:
            self._open.discard(key)
        if key not in self._twice:
            return text
        number = len(self._named) + 1
        name = self._named[key] = "shared" if number == 1 else f"shared{number}"
        return f"({name} := {text})"

    def _new(self, value: Value) -> str:
        known = self.recipes.get(id(value))
        if known is not None:
            return self._call(known[1])
        write = _WRITERS.get(type(value))
        if write is not None:
            return write(self, value)
        if isinstance(value, enum.Enum):
            return self._member(value)
        if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            return getattr(value, TEXT_OF_FUNCTION, None) or self.named(value)
        names = getattr(type(value), "_fields", None)
        if isinstance(value, tuple) and names is not None:
            return self._call(Recipe(type(value), (), dict(zip(names, value, strict=True))))
        fields = self._fields_of(value)
        if fields is not None:
            return self._call(Recipe(type(value), (), fields))
        return self._shown(value)

    def _fields_of(self, value: Value) -> dict[str, Value] | None:
        """What a dataclass is made with, if it is as the decorator has made it and complete."""
        cls = type(value)
        if cls not in self._fields:
            self._fields[cls] = _names_of_fields(cls)
        names = self._fields[cls]
        if names is None or not all(hasattr(value, name) for name in names):
            return None
        return {name: getattr(value, name) for name in names}

    def _shown(self, value: Value) -> str:
        """What a value says of itself."""
        text = shown(value, LONGEST)
        cls = type(value)
        module = cls.__module__
        if text.startswith(f"{module}."):
            self._needed[module, None] = None
        elif text.startswith(f"{cls.__qualname__}("):
            self.named(cls)
        elif isinstance(value, (BV, FP)):
            self._needed["solvent.terms", text.partition("(")[0]] = None
            if isinstance(value, FP):
                self._needed["solvent.terms", str(value.sort).partition("(")[0]] = None
        return text

    def _member(self, value: enum.Enum) -> str:
        name = self.named(type(value))
        if value.name in type(value).__members__:
            return f"{name}.{value.name}"
        parts = [*value] if isinstance(value, enum.Flag) else []
        # What is set beside the flags that have names stands in a number only.
        if parts and functools.reduce(operator.or_, parts) == value:
            return " | ".join(f"{name}.{part.name}" for part in parts)
        return f"{name}({value.value!r})"

    def _call(self, recipe: Recipe) -> str:
        if _is_spelled(recipe):
            return recipe.spelled(self.text)
        named = [f"{name}={self.text(value)}" for name, value in recipe.named.items()]
        return f"{self.named(recipe.function)}({', '.join([*map(self.text, recipe.args), *named])})"

    def items(self, values: Iterable[Value]) -> str:
        """Values separated by commas."""
        return ", ".join(map(self.text, values))

    def _found_twice(self, values: Iterable[Value]) -> set[int]:
        """The mutable objects to which several parts of the values refer."""
        seen: set[int] = set()
        twice: set[int] = set()
        pending = list(values)
        while pending:
            value = pending.pop()
            if id(value) in seen:
                if type(value) in _MUTABLE or id(value) in self.recipes:
                    twice.add(id(value))
                continue
            seen.add(id(value))
            pending += self._parts(value)
        return twice

    def _parts(self, value: Value) -> Iterable[Value]:
        known = self.recipes.get(id(value))
        if known is not None:
            return (*known[1].args, *known[1].named.values())
        if isinstance(value, dict):
            return (*value, *value.values())
        if isinstance(value, (list, tuple, set, frozenset, deque)):
            return tuple(value)
        return ()


def _names_of_fields(cls: type) -> list[str] | None:
    """The fields that a dataclass is made with, if it is as the decorator has made it."""
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None or not (parameters.init and parameters.repr):
        return None
    fields = dataclasses.fields(cls)
    if not all(field.init and field.repr for field in fields) or hasattr(cls, "__post_init__"):
        return None
    return [field.name for field in fields]


def _float(_: Speller, value: float) -> str:
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def _complex(speller: Speller, value: complex) -> str:
    """By its parts: the text that `repr` gives is a sum, which may lose the sign of a zero."""
    return f"complex({_float(speller, value.real)}, {_float(speller, value.imag)})"


def _tuple(speller: Speller, value: tuple[Value, ...]) -> str:
    return f"({speller.items(value)}{',' * (len(value) == 1)})"


def _dict(speller: Speller, value: dict[Value, Value]) -> str:
    pairs = (f"{speller.text(key)}: {speller.text(found)}" for key, found in value.items())
    return f"{{{', '.join(pairs)}}}"


def _set(speller: Speller, value: set[Value]) -> str:
    return f"{{{speller.items(value)}}}" if value else "set()"


def _frozenset(speller: Speller, value: frozenset[Value]) -> str:
    return f"frozenset({{{speller.items(value)}}})" if value else "frozenset()"


def _deque(speller: Speller, value: deque[Value]) -> str:
    length = "" if value.maxlen is None else f", maxlen={value.maxlen}"
    return f"{speller.named(deque)}([{speller.items(value)}]{length})"


def _counter(speller: Speller, value: Counter[Value]) -> str:
    return f"{speller.named(Counter)}({_dict(speller, dict(value)) if value else ''})"


def _defaultdict(speller: Speller, value: defaultdict[Value, Value]) -> str:
    factory = speller.text(value.default_factory)
    return f"{speller.named(defaultdict)}({factory}, {_dict(speller, value)})"


_WRITERS: dict[type, Callable[[Speller, Value], str]] = {
    float: _float,
    complex: _complex,
    list: lambda speller, value: f"[{speller.items(value)}]",
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    deque: _deque,
    Counter: _counter,
    defaultdict: _defaultdict,
}

# What is never named, holds nothing and is written as `repr` does.
_ALWAYS_NEW = frozenset((bool, int, str, bytes, NoneType))

_MUTABLE = (list, dict, set, bytearray, deque, Counter, defaultdict)
