"""What Boogie types mean; `unification` makes two of them equal.

Types are interned: equal types are the same object.  In a polymorphic map type the bound variables
are numbers, in the order in which they occur in the type, so that types that differ only in
the names or the order of their variables are the same object too.  A *proxy* stands for a type
that is not known yet; unification gives it one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar
from weakref import WeakValueDictionary


@dataclass(slots=True, eq=False, weakref_slot=True)
class Type:
    """The base of all types; made by the functions below, never directly."""

    # Proxies or variables inside, and the number of enclosing binders that bound variables need.
    has_proxy: bool = field(default=False, init=False, repr=False)
    has_variable: bool = field(default=False, init=False, repr=False)
    loose: int = field(default=0, init=False, repr=False)
    depth: int = field(default=1, init=False, repr=False)

    def __str__(self) -> str:
        return type_name(self)


@dataclass(slots=True, eq=False)
class BasicType(Type):
    """`bool`, `int`, `real`, `rmode`, `string` or `regex`."""

    name: str

    # A copy from another process must be the same object as the type here.
    def __reduce__(self) -> tuple[object, ...]:
        return (basic_type, (self.name,))


@dataclass(slots=True, eq=False)
class BitVecType(Type):
    """`bv32`."""

    width: int

    def __reduce__(self) -> tuple[object, ...]:
        return (bitvec_type, (self.width,))


@dataclass(slots=True, eq=False)
class FloatType(Type):
    """`float24e8`: significand bits with the hidden one, and exponent bits."""

    significand: int
    exponent: int

    def __reduce__(self) -> tuple[object, ...]:
        return (float_type, (self.significand, self.exponent))


@dataclass(slots=True, eq=False)
class ConstructorType(Type):
    """A user type with its arguments: `ref`, `Field int`."""

    name: str
    arguments: tuple[Type, ...]

    def __reduce__(self) -> tuple[object, ...]:
        return (constructor_type, (self.name, self.arguments))


@dataclass(slots=True, eq=False)
class MapType(Type):
    """`[int, bool]T`, or with `parameters` above zero a polymorphic map."""

    parameters: int
    arguments: tuple[Type, ...]
    result: Type

    def __reduce__(self) -> tuple[object, ...]:
        return (map_type, (self.arguments, self.result, self.parameters))


@dataclass(slots=True, eq=False)
class TypeVariable(Type):
    """A type variable of a function, procedure, quantifier or lambda; each binding has its own."""

    name: str


@dataclass(slots=True, eq=False)
class BoundType(Type):
    """A variable of a polymorphic map type: of which binder, counted outwards, and which one."""

    level: int
    index: int

    def __reduce__(self) -> tuple[object, ...]:
        return (bound_type, (self.level, self.index))


@dataclass(slots=True, eq=False)
class Proxy(Type):
    """A type that is not known yet; `parameter` is the variable that it instantiates."""

    parameter: str
    target: Type | None = field(default=None, init=False)


_INTERNED: WeakValueDictionary[object, Type] = WeakValueDictionary()
_interning = threading.Lock()
Made = TypeVar("Made", bound=Type)


def _interned(key: object, made: Made) -> Made:
    """The one type with a key: the one just made, unless another thread was faster."""
    with _interning:
        found = _INTERNED.get(key)
        if isinstance(found, type(made)):
            return found
        _INTERNED[key] = made
        return made


BOOL, INT, REAL = BasicType("bool"), BasicType("int"), BasicType("real")
RMODE, STRING, REGEX = BasicType("rmode"), BasicType("string"), BasicType("regex")

# The type of what could not be checked: it fits everywhere, so that one mistake is reported once.
UNKNOWN = BasicType("?")

_BASIC = {each.name: each for each in (BOOL, INT, REAL, RMODE, STRING, REGEX, UNKNOWN)}


def basic_type(name: str) -> BasicType:
    """The built-in type of a name.

    >>> basic_type("int") is INT
    True
    """
    return _BASIC[name]


def bitvec_type(width: int) -> BitVecType:
    """`bvN`.

    >>> bitvec_type(8) is bitvec_type(8)
    True
    """
    found = _INTERNED.get(("bv", width))
    if not isinstance(found, BitVecType):
        found = _interned(("bv", width), BitVecType(width))
    return found


def float_type(significand: int, exponent: int) -> FloatType:
    """`floatSeE`."""
    key = ("float", significand, exponent)
    found = _INTERNED.get(key)
    if not isinstance(found, FloatType):
        found = _interned(key, FloatType(significand, exponent))
    return found


def bound_type(level: int, index: int) -> BoundType:
    """A variable of an enclosing polymorphic map type."""
    found = _INTERNED.get(("bound", level, index))
    if not isinstance(found, BoundType):
        made = BoundType(level, index)
        made.loose = level + 1
        found = _interned(("bound", level, index), made)
    return found


def constructor_type(name: str, arguments: tuple[Type, ...] = ()) -> ConstructorType:
    """A user type.

    >>> print(constructor_type("Field", (INT,)))
    Field int
    """
    found = _INTERNED.get((name, arguments))
    if not isinstance(found, ConstructorType):
        made = ConstructorType(name, arguments)
        _inherit(made, arguments, 0)
        found = _interned((name, arguments), made)
    return found


def map_type(arguments: tuple[Type, ...], result: Type, parameters: int = 0) -> MapType:
    """A map type; inside it `BoundType(0, i)` is its own variable `i`.

    >>> print(map_type((INT, BOOL), REAL))
    [int,bool]real
    """
    key = (parameters, arguments, result)
    found = _INTERNED.get(key)
    if not isinstance(found, MapType):
        made = MapType(parameters, arguments, result)
        _inherit(made, (*arguments, result), 1)
        found = _interned(key, made)
    return found


def type_variable(name: str) -> TypeVariable:
    """A new type variable, different from all others of the same name."""
    found = TypeVariable(name)
    found.has_variable = True
    return found


def proxy(parameter: str = "?") -> Proxy:
    """A new unknown type."""
    found = Proxy(parameter)
    found.has_proxy = True
    return found


def _inherit(found: Type, parts: Sequence[Type], binders: int) -> None:
    found.has_proxy = any(part.has_proxy for part in parts)
    found.has_variable = any(part.has_variable for part in parts)
    found.loose = max((part.loose - binders for part in parts), default=0)
    found.loose = max(found.loose, 0)
    found.depth = 1 + max((part.depth for part in parts), default=0)


def rebuild(type_: Type, leaf: Callable[[Type, int], Type], level: int = 0) -> Type:
    """The type with `leaf(part, number of binders around it)` for each part without parts."""
    if isinstance(type_, ConstructorType):
        if not type_.arguments:
            return type_
        arguments = tuple([rebuild(part, leaf, level) for part in type_.arguments])
        return constructor_type(type_.name, arguments)
    if isinstance(type_, MapType):
        arguments = tuple([rebuild(part, leaf, level + 1) for part in type_.arguments])
        return map_type(arguments, rebuild(type_.result, leaf, level + 1), type_.parameters)
    return leaf(type_, level)


def polymorphic_map(
    variables: Sequence[TypeVariable], arguments: tuple[Type, ...], result: Type
) -> tuple[MapType, list[TypeVariable]]:
    """The map type that binds the variables, and those of them that do not occur in it."""
    order = [each for each in _variables_in((*arguments, result)) if each in variables]
    missing = [each for each in variables if each not in order]
    places = {each: at for at, each in enumerate(order + missing)}

    def abstract(type_: Type, level: int) -> Type:
        if isinstance(type_, TypeVariable) and type_ in places:
            return bound_type(level, places[type_])
        return type_

    closed = tuple(rebuild(argument, abstract) for argument in arguments)
    return map_type(closed, rebuild(result, abstract), len(variables)), missing


def _variables_in(types: Sequence[Type]) -> list[TypeVariable]:
    """The type variables that occur, each once, in order."""
    found: dict[TypeVariable, None] = {}

    def note(type_: Type, _: int) -> Type:
        if isinstance(type_, TypeVariable):
            found[type_] = None
        return type_

    for each in types:
        if each.has_variable:
            rebuild(each, note)
    return list(found)


def variables_in(types: Sequence[Type]) -> list[TypeVariable]:
    """The type variables that occur in some types, each once, in order.

    >>> a = type_variable("a")
    >>> variables_in([INT, map_type((a,), a)]) == [a]
    True
    """
    return _variables_in([resolved(each) for each in types])


def substitute(type_: Type, replacement: dict[TypeVariable, Type]) -> Type:
    """The type with types in place of its variables."""
    if not type_.has_variable or not replacement:
        return type_

    def leaf(part: Type, _: int) -> Type:
        return replacement.get(part, part) if isinstance(part, TypeVariable) else part

    return rebuild(type_, leaf)


def open_map(type_: MapType, instances: Sequence[Type]) -> tuple[tuple[Type, ...], Type]:
    """Arguments and result of a map type for given values of its variables."""

    def leaf(part: Type, level: int) -> Type:
        if isinstance(part, BoundType) and part.level == level:
            return instances[part.index]
        return part

    if not type_.parameters:
        return type_.arguments, type_.result
    arguments = tuple(rebuild(part, leaf) for part in type_.arguments)
    return arguments, rebuild(type_.result, leaf)


# Proxies -----------------------------------------------------------------------------------------


def pruned(type_: Type) -> Type:
    """The type itself, or what a proxy has come to stand for."""
    while isinstance(type_, Proxy) and type_.target is not None:
        type_ = type_.target
    return type_


def resolved(type_: Type) -> Type:
    """The type with what is known in place of its proxies."""
    if not type_.has_proxy:
        return type_

    def leaf(part: Type, _: int) -> Type:
        known = pruned(part)
        return known if known is part else resolved(known)

    return rebuild(pruned(type_), leaf) if pruned(type_) is type_ else resolved(pruned(type_))


def _proxies_in(type_: Type) -> list[Proxy]:
    found: list[Proxy] = []

    def note(part: Type, _: int) -> Type:
        if isinstance(part, Proxy):
            found.append(part)
        return part

    rebuild(type_, note)
    return found


def proxies_in(type_: Type) -> list[Proxy]:
    """The types inside that are still not known."""
    return _proxies_in(resolved(type_)) if type_.has_proxy else []


# Names -------------------------------------------------------------------------------------------


def type_name(type_: Type) -> str:
    """A type as messages write it.

    >>> print(map_type((constructor_type("Field", (bound_type(0, 0),)),), bound_type(0, 0), 1))
    <a>[Field a]a
    """
    known = resolved(type_)
    used = {each.name for each in _variables_in([known])}
    used.update(each.parameter for each in proxies_in(known))
    return _named(known, (), (name for name in _fresh_names() if name not in used))


def _fresh_names() -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    for suffix in count():
        yield from (f"{letter}{suffix or ''}" for letter in letters)


def _named(type_: Type, binders: tuple[list[str], ...], fresh: Iterator[str]) -> str:
    if isinstance(type_, BitVecType):
        return f"bv{type_.width}"
    if isinstance(type_, FloatType):
        return f"float{type_.significand}e{type_.exponent}"
    if isinstance(type_, BoundType):
        return binders[-1 - type_.level][type_.index]
    if isinstance(type_, ConstructorType):
        parts = [_argument_name(part, binders, fresh) for part in type_.arguments]
        return " ".join([type_.name, *parts])
    if isinstance(type_, MapType):
        names = [next(fresh) for _ in range(type_.parameters)]
        inner = (*binders, names)
        arguments = ",".join(_named(part, inner, fresh) for part in type_.arguments)
        start = f"<{','.join(names)}>" if names else ""
        return f"{start}[{arguments}]{_named(type_.result, inner, fresh)}"
    assert isinstance(type_, (BasicType, TypeVariable, Proxy))
    return type_.parameter if isinstance(type_, Proxy) else type_.name


def _argument_name(type_: Type, binders: tuple[list[str], ...], fresh: Iterator[str]) -> str:
    name = _named(type_, binders, fresh)
    plain = not isinstance(type_, MapType) and not (
        isinstance(type_, ConstructorType) and type_.arguments
    )
    return name if plain else f"({name})"
