"""Which space of inputs a class of the program describes: by its fields, or by its constructor."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import operator
import sys
import types
import typing

from solvent.contracts.invariants import has_invariants
from solvent.errors import InputSpaceError
from solvent.queries.spaces.base import Space
from solvent.queries.spaces.containers import Field, Records, Tuples
from solvent.queries.spaces.models import is_model, of_model
from solvent.queries.spaces.objects import Objects
from solvent.queries.spaces.values import choice_of
from solvent.vm.values import Value


class Reading(typing.Protocol):
    """What reads the annotations of fields."""

    # The greatest length of a container.
    max_len: int
    # The classes in whose fields the annotation is.
    seen: tuple[type, ...]

    def space(self, annotation: object) -> Space:
        """The space that an annotation describes."""


class TooDeepError(InputSpaceError):
    """A class stands in its own fields too often: what may do without ends here."""


def of_class(cls: type, reader: Reading) -> Space:
    """The space of the instances of a class, whose fields may have instances of it again.

    There are as many of them in a row as a container may have items.
    """
    if issubclass(cls, enum.Enum):
        members = _members(cls)
        if not members:
            raise InputSpaceError(f"the enumeration `{cls.__name__}` has no members")
        return choice_of(members)
    if _times(cls, reader) > max(1, reader.max_len):
        raise TooDeepError(
            f"`{cls.__name__}` contains itself; give its values with `objects` or `one_of`"
        )
    if typing.is_typeddict(cls):
        return _typed_dict(cls, reader)
    if dataclasses.is_dataclass(cls):
        return _dataclass(cls, reader)
    if is_model(cls):
        return of_model(cls, reader)
    fields = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and fields is not None:
        hints = hints_of(cls)
        if has_invariants(cls):
            return Objects(cls, tuple((n, reader.space(hints.get(n, int))) for n in fields))
        return Tuples(tuple(reader.space(hints.get(name, int)) for name in fields), cls)
    return _by_constructor(cls, reader)


def _times(cls: type, reader: Reading) -> int:
    """How often a class is among those whose fields are read, itself included."""
    return sum(cls is known for known in reader.seen)


# Of how many combinations of flags all are inputs.
_MOST_FLAGS = 32


def _members(cls: type[enum.Enum]) -> list[enum.Enum]:
    """The members of an enumeration; flags can also be combined, or none of them be set.

    >>> class Access(enum.IntFlag):
    ...     READ = 1
    ...     WRITE = 2
    >>> [one.value for one in _members(Access)]
    [1, 2, 0, 3]
    """
    if not issubclass(cls, enum.Flag):
        return list(cls)
    named = list(dict.fromkeys(cls.__members__.values()))
    if not named:
        return []
    together: dict[enum.Flag, None] = dict.fromkeys([*named, cls(0)])
    for one in named:
        together |= dict.fromkeys([known | one for known in together])
        if len(together) > _MOST_FLAGS:
            everything = functools.reduce(operator.or_, named)
            return list(dict.fromkeys([*named, cls(0), everything]))
    return list(together)


def _typed_dict(cls: Value, reader: Reading) -> Space:
    required: frozenset[str] = cls.__required_keys__
    fields: list[Field] = []
    for name, hint in hints_of(cls).items():
        # With annotations in quotes, the class itself does not know what they say.
        wrapper = typing.get_origin(hint)
        is_required = wrapper is typing.Required or (
            wrapper is not typing.NotRequired and name in required
        )
        fields.append(Field(name, reader.space(hint), is_required))
    return Records(tuple(fields))


def _dataclass(cls: type, reader: Reading) -> Space:
    hints = hints_of(cls)
    found = {field.name: field.type for field in dataclasses.fields(cls) if field.init}
    found |= {name: hint for name, hint in hints.items() if isinstance(hint, dataclasses.InitVar)}
    read = tuple((name, reader.space(hints.get(name, hint))) for name, hint in found.items())
    return Objects(cls, read, is_inner=_times(cls, reader) > 1)


def _by_constructor(cls: type, reader: Reading) -> Space:
    """Instances made by calling a class, with arguments that its `__init__` annotates."""
    name = cls.__name__
    if getattr(cls, "_is_protocol", False):
        raise InputSpaceError(
            f"the protocol `{name}` does not say how its objects are made; give them with "
            "objects(...), or annotate a class"
        )
    if inspect.isabstract(cls):
        raise InputSpaceError(
            f"`{name}` is abstract, so there are no instances; annotate a class that derives from "
            "it, or a union of such classes"
        )
    initialise = inspect.getattr_static(cls, "__init__")
    is_python = type(initialise) is types.FunctionType
    if not is_python and not (_inherits(cls, "__init__") and _inherits(cls, "__new__")):
        raise InputSpaceError(
            f"no input can be made for the class `{name}`, whose constructor has no annotations; "
            "give a space, such as one_of(...) or objects(...)"
        )
    if not is_python:
        return Objects(cls, ())
    hints = hints_of(initialise)
    fields: list[tuple[str, Space]] = []
    for found in list(inspect.signature(initialise).parameters.values())[1:]:
        if found.kind in (found.VAR_POSITIONAL, found.VAR_KEYWORD):
            continue
        if found.kind is found.POSITIONAL_ONLY and found.default is found.empty:
            raise InputSpaceError(
                f"the parameter `{found.name}` of `{name}()` has no name for callers; make the "
                "object in the function itself, from parameters for its parts"
            )
        if found.name in hints and found.kind is not found.POSITIONAL_ONLY:
            fields.append((found.name, reader.space(hints[found.name])))
        elif found.default is found.empty:
            raise InputSpaceError(
                f"the parameter `{found.name}` of `{name}()` has no annotation; annotate it, or "
                f"give objects({name}, {found.name}=...)"
            )
    return Objects(cls, tuple(fields), is_inner=_times(cls, reader) > 1)


# Flags of types: made while the program runs, and closed to changes, as those of C are.
_MADE, _CLOSED = 1 << 9, 1 << 8


def _inherits(cls: type, name: str) -> bool:
    """Whether a class that is written in Python has a method from `object`."""
    if not cls.__flags__ & _MADE or cls.__flags__ & _CLOSED:
        return False
    return bool(inspect.getattr_static(cls, name) is vars(object)[name])


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
        found: dict[str, object] = {}
        for owner in reversed(target.__mro__) if isinstance(target, type) else (target,):
            module = sys.modules.get(getattr(owner, "__module__", ""))
            names = getattr(owner, "__globals__", None) or getattr(module, "__dict__", {})
            for name, hint in getattr(owner, "__annotations__", {}).items():
                found[name] = _read(hint, names)
        return found


def _read(hint: object, names: dict[str, object]) -> object:
    """An annotation in quotes, if it can be read by itself."""
    try:
        return eval(hint, names) if isinstance(hint, str) else hint
    except Exception:
        return hint
