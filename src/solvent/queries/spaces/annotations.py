"""Reading annotations: which space of inputs one describes.

A class that is an annotation by itself has a row in `SPACES_BY_CLASS`.  Another module registers
one of its own there while it is imported: the class, and a function from the greatest length to
the space.

>>> class Even:
...     "An even number."
>>> SPACES_BY_CLASS[Even] = lambda max_len: Choices((Exactly(0), Exactly(2)))
>>> print(of_annotation(list[Even]))
lists of up to 3 items, each one of 0, 2
>>> del SPACES_BY_CLASS[Even]
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable
from fractions import Fraction

from solvent.errors import InputSpaceError
from solvent.queries.replay import shown
from solvent.queries.spaces.base import DEFAULT_LENGTH, Space
from solvent.queries.spaces.characters import Binary, Buffers, Texts
from solvent.queries.spaces.containers import Dicts, Lists, Sets, Tuples, VariableTuples
from solvent.queries.spaces.objects import Objects
from solvent.queries.spaces.values import Choices, Exactly, Sorted, choice_of
from solvent.terms import Bool, Float64, Int, Real, Sort

# What an annotation that is a class stands for, given the greatest length.
SPACES_BY_CLASS: dict[type, Callable[[int], Space]] = {
    int: lambda _: Sorted(Int),
    bool: lambda _: Sorted(Bool),
    float: lambda _: Sorted(Float64),
    Fraction: lambda _: Sorted(Real),
    type(None): lambda _: Exactly(None),
    str: lambda max_len: Texts(0, max_len),
    bytes: lambda max_len: Binary(0, max_len),
    bytearray: lambda max_len: Buffers(0, max_len),
}


def of_annotation(
    annotation: object, max_len: int = DEFAULT_LENGTH, seen: tuple[type, ...] = ()
) -> Space:
    """The space that an annotation describes, with small bounds where it gives none.

    >>> print(of_annotation(list[tuple[int, bool]]))
    lists of up to 3 items, each (any int, any bool)
    """
    if isinstance(annotation, Space):
        return annotation
    if isinstance(annotation, Sort):
        return Sorted(annotation)
    if annotation is None:
        return Exactly(None)
    for known, make in SPACES_BY_CLASS.items():
        # By identity: the hash and the equality of a class may be the program's own.
        if annotation is known:
            return make(max_len)
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _of_generic(annotation, origin, max_len, seen)
    if isinstance(annotation, type):
        found = _of_class(annotation, max_len, seen)
        if found is not None:
            return found
    text = getattr(annotation, "__name__", None) or shown(annotation)
    if any(annotation is known for known in (list, tuple, set, dict, frozenset)):
        raise InputSpaceError(f"the annotation `{text}` does not say of what")
    raise InputSpaceError(f"no symbolic value can be made for the annotation `{text}`")


def _of_generic(annotation: object, origin: object, max_len: int, seen: tuple[type, ...]) -> Space:
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        for extra in arguments[1:]:
            if isinstance(extra, (Space, Sort)):
                return of_annotation(extra)
        return of_annotation(arguments[0], max_len, seen)
    if origin is typing.Literal:
        return choice_of(arguments)
    if origin in (typing.Union, types.UnionType):
        return Choices(tuple(of_annotation(option, max_len, seen) for option in arguments))
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        return VariableTuples(of_annotation(arguments[0], max_len, seen), 0, max_len)
    parts = [of_annotation(argument, max_len, seen) for argument in arguments]
    if origin is tuple:
        return Tuples(tuple(parts))
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
        return Lists(parts[0], 0, max_len)
    if origin in (set, frozenset, collections.abc.Set):
        return Sets(parts[0], max_len, origin is frozenset)
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        return Dicts(parts[0], parts[1], max_len)
    raise InputSpaceError(f"no symbolic value can be made for the annotation `{annotation}`")


def _of_class(cls: type, max_len: int, seen: tuple[type, ...]) -> Space | None:
    if issubclass(cls, enum.Enum):
        return choice_of(cls)
    if any(cls is known for known in seen):
        raise InputSpaceError(
            f"`{cls.__name__}` contains itself; give its values with `objects` or `one_of`"
        )
    hints = hints_of(cls)
    if dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls) if field.init]
        return Objects(
            cls, tuple((name, of_annotation(hints[name], max_len, (*seen, cls))) for name in names)
        )
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return Tuples(
            tuple(
                of_annotation(hints.get(name, int), max_len, (*seen, cls)) for name in cls._fields
            ),
            cls,
        )
    return None


def hints_of(target: object) -> dict[str, object]:
    """The annotations of a function or class, those in quotes read where that is possible."""
    if isinstance(target, functools.partial):
        return hints_of(target.func)
    if not isinstance(target, type) and type(type(target).__call__) is types.FunctionType:
        target = type(target).__call__
    try:
        return typing.get_type_hints(target, include_extras=True)
    except Exception:
        # A name in quotes that cannot be resolved: the others may do.
        return dict(getattr(target, "__annotations__", {}))
