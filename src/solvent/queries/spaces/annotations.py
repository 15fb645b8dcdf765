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

What is more than a name is read by `Reader`: containers and their abstract types by the table
`BY_ORIGIN`, and classes of the program by `classes`.  `Any`, `object` and what an annotation leaves
out, such as the items of a bare `list`, are ints and texts.
"""

from __future__ import annotations

import collections
import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import InitVar
from fractions import Fraction

from solvent.contracts.constraints import constraints_of
from solvent.errors import InputSpaceError
from solvent.queries.replay import shown
from solvent.queries.spaces.base import DEFAULT_LENGTH, Space
from solvent.queries.spaces.characters import Binary, Buffers, Texts
from solvent.queries.spaces.classes import TooDeepError, of_class
from solvent.queries.spaces.constrained import constrained
from solvent.queries.spaces.containers import (
    Counters,
    DefaultDicts,
    Deques,
    Dicts,
    Lists,
    Sets,
    Tuples,
    VariableTuples,
)
from solvent.queries.spaces.functions import Functions
from solvent.queries.spaces.library import LIBRARY
from solvent.queries.spaces.objects import Objects
from solvent.queries.spaces.steps import NumberRanges, Slices, Views
from solvent.queries.spaces.values import Choices, Exactly, Sorted, choice_of
from solvent.queries.spelling import name_of
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
    memoryview: lambda max_len: Views(memoryview, Binary(0, max_len), "memoryview"),
    range: NumberRanges,
    slice: lambda _: Slices(),
    **LIBRARY,
}


def of_annotation(annotation: object, max_len: int = DEFAULT_LENGTH) -> Space:
    """The space that an annotation describes, with small bounds where it gives none.

    >>> print(of_annotation(list[tuple[int, bool]]))
    lists of up to 3 items, each (any int, any bool)
    """
    return Reader(max_len).space(annotation)


Bound = Mapping[object, Space]


class Reader:
    """Reads annotations, of which parts may stand for something by themselves."""

    def __init__(
        self, max_len: int, seen: tuple[type, ...] = (), variables: Bound | None = None
    ) -> None:
        self.max_len = max_len
        # The classes in whose fields the annotation is.
        self.seen = seen
        # What type variables stand for.
        self.variables = variables or {}

    def inside(self, cls: type, arguments: tuple[object, ...]) -> Reader:
        """Reads the fields of a class, with arguments for its type variables."""
        parameters = getattr(cls, "__parameters__", ())
        given = dict(zip(parameters, map(self.space, arguments), strict=False))
        return Reader(self.max_len, (*self.seen, cls), given)

    def space(self, annotation: object) -> Space:
        """The space that an annotation describes."""
        if isinstance(annotation, Space):
            return annotation
        if isinstance(annotation, Sort):
            return Sorted(annotation)
        if annotation is None:
            return Exactly(None)
        if annotation is typing.Any or annotation is object:
            return self.anything()
        for known, make in SPACES_BY_CLASS.items():
            # By identity: the hash and the equality of a class may be the program's own.
            if annotation is known:
                return make(self.max_len)
        if isinstance(annotation, typing.TypeVar):
            return self.variable(annotation)
        if isinstance(annotation, typing.NewType):
            return self.space(annotation.__supertype__)
        if isinstance(annotation, InitVar):
            return self.space(annotation.type)
        return self.compound(annotation)

    def anything(self) -> Space:
        """What is tried for a value of any type."""
        return Choices((Sorted(Int), Texts(0, self.max_len)))

    def variable(self, variable: typing.TypeVar) -> Space:
        """What is tried for a type variable: the same type wherever it stands."""
        for known, found in self.variables.items():
            if variable is known:
                return found
        if variable.__bound__ is not None:
            return self.space(variable.__bound__)
        options = tuple(map(self.space, variable.__constraints__))
        return Choices(options or (Sorted(Int), Texts(0, self.max_len)), variable)

    def compound(self, annotation: object) -> Space:
        """What an annotation with parts, or a class, describes."""
        origin = typing.get_origin(annotation) or annotation
        arguments = typing.get_args(annotation)
        if any(origin is known for known in _WRAPPERS) and arguments:
            return self.space(arguments[0])
        if origin is typing.Annotated:
            extras = [extra for extra in arguments[1:] if isinstance(extra, (Space, Sort))]
            if extras:
                return self.space(extras[0])
            return constrained(self.space(arguments[0]), constraints_of(annotation))
        if origin is typing.Literal:
            return choice_of(arguments)
        if _is_union(annotation):
            return self.union(arguments)
        if origin is tuple and not arguments and annotation is not tuple:
            # `typing.Tuple` alone says nothing of its items, other than `tuple[()]`.
            return self.space(tuple) if annotation is typing.Tuple else Tuples(())  # noqa: UP006
        for known, read in BY_ORIGIN.items():
            if origin is known:
                return read(self, arguments)
        if isinstance(origin, type):
            return of_class(origin, self.inside(origin, arguments))
        # `type Name[T] = ...`, of Python 3.12 and later.
        value = getattr(origin, "__value__", None)
        if value is not None:
            parameters = getattr(origin, "__type_params__", ())
            given = dict(zip(parameters, map(self.space, arguments), strict=False))
            return Reader(self.max_len, self.seen, {**self.variables, **given}).space(value)
        if isinstance(annotation, str):
            raise InputSpaceError(
                f"the annotation `{annotation}` cannot be read, since its names are not known at "
                "the top of the file, or are not used rightly"
            )
        raise InputSpaceError(
            f"no input can be made for the annotation `{_text(annotation)}`; {_INSTEAD}"
        )

    def union(self, options: tuple[object, ...]) -> Space:
        """What one of some annotations describes, without those that would never end."""
        found: list[Space] = []
        last: TooDeepError | None = None
        for option in options:
            try:
                found.append(self.space(option))
            except TooDeepError as error:
                last = error
        if last is not None and not found:
            raise last
        # What ends comes first, which makes the simplest inputs.
        found.sort(key=lambda space: isinstance(space, Objects) and space.is_inner)
        return Choices(tuple(found)) if len(found) > 1 else found[0]

    def items(self, arguments: tuple[object, ...], *places: int) -> tuple[int, list[Space]]:
        """How many items a container has at most, and what they are: none that would never end."""
        try:
            return self.max_len, [self.argument(arguments, place) for place in places]
        except TooDeepError:
            return 0, [Exactly(None) for _ in places]

    def argument(self, arguments: tuple[object, ...], place: int) -> Space:
        """A part of an annotation, which may be missing."""
        return self.space(arguments[place]) if place < len(arguments) else self.anything()


_INSTEAD = "give a space, such as one_of(...) or objects(...)"
_WRAPPERS = [
    getattr(typing, name)
    for name in ("Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
    if hasattr(typing, name)
]


def _is_union(annotation: object) -> bool:
    origin = typing.get_origin(annotation)
    return origin is typing.Union or origin is types.UnionType


Read = Callable[[Reader, tuple[object, ...]], Space]


def _lists(reader: Reader, arguments: tuple[object, ...]) -> Space:
    most, (item,) = reader.items(arguments, 0)
    return Lists(item, 0, most)


def _deques(reader: Reader, arguments: tuple[object, ...]) -> Space:
    most, (item,) = reader.items(arguments, 0)
    return Deques(item, 0, most)


def _iterators(reader: Reader, arguments: tuple[object, ...]) -> Space:
    return Views(iter, _lists(reader, arguments), "iterator")


def _sets(reader: Reader, arguments: tuple[object, ...]) -> Space:
    most, (item,) = reader.items(arguments, 0)
    return Sets(item, most)


def _frozensets(reader: Reader, arguments: tuple[object, ...]) -> Space:
    return Sets(reader.argument(arguments, 0), reader.max_len, True)


def _dicts(reader: Reader, arguments: tuple[object, ...]) -> Space:
    most, (keys, values) = reader.items(arguments, 0, 1)
    return Dicts(keys, values, most)


def _counters(reader: Reader, arguments: tuple[object, ...]) -> Space:
    return Counters(reader.argument(arguments, 0), reader.max_len)


def _default_dicts(reader: Reader, arguments: tuple[object, ...]) -> Space:
    keys, values = reader.argument(arguments, 0), reader.argument(arguments, 1)
    factory = (typing.get_origin(arguments[1]) or arguments[1]) if len(arguments) > 1 else int
    if not any(factory is known for known in _FACTORIES):
        raise InputSpaceError(
            f"no function is known that makes the values of a defaultdict of `{_text(factory)}`; "
            "take a dict and make the defaultdict in the function"
        )
    return DefaultDicts(keys, values, reader.max_len, typing.cast("type", factory))


# The types of values whose class makes one when it is called.
_FACTORIES = (int, float, bool, str, bytes, list, dict, set, tuple, frozenset)


def _tuples(reader: Reader, arguments: tuple[object, ...]) -> Space:
    if not arguments or (len(arguments) == 2 and arguments[1] is ...):
        most, (item,) = reader.items(arguments, 0)
        return VariableTuples(item, 0, most)
    return Tuples(tuple(map(reader.space, arguments)))


def _functions(reader: Reader, arguments: tuple[object, ...]) -> Space:
    parameters, result = arguments or (..., typing.Any)
    results = reader.space(result)
    if parameters is ...:
        return Functions(None, results, reader.max_len)
    if not isinstance(parameters, list):
        raise InputSpaceError(
            f"no function can be made for the parameters `{_text(parameters)}`; write their types "
            "in a list, or `...`"
        )
    return Functions(tuple(map(reader.space, parameters)), results, reader.max_len)


def _classes(reader: Reader, arguments: tuple[object, ...]) -> Space:
    """The classes that an annotation `type[...]` allows: one, and those that derive from it."""
    base = arguments[0] if arguments else typing.Any
    if isinstance(base, typing.TypeVar) and base.__bound__ is None:
        # In the order of what the variable itself stands for.
        options = base.__constraints__ or (int, str)
        return Choices(tuple(map(Exactly, options)), base)
    if isinstance(base, typing.TypeVar):
        base = base.__bound__
    found: list[type] = []
    for option in typing.get_args(base) if _is_union(base) else (base,):
        if option is typing.Any or option is object:
            found += [int, str]
        elif isinstance(option, type):
            _add_derived(option, found)
    if not found:
        raise InputSpaceError(
            f"no class is known for the annotation `type[{_text(base)}]`; give some with one_of"
        )
    return choice_of(found)


def _add_derived(cls: type, found: list[type]) -> None:
    """Add a class, and those of the program that derive from it, unless they are abstract."""
    if not any(cls is known for known in found) and not inspect.isabstract(cls):
        found.append(cls)
    subclasses: list[type] = type.__subclasses__(cls)
    for derived in subclasses:
        package = derived.__module__.partition(".")[0]
        is_foreign = package in sys.stdlib_module_names or package == "solvent"
        if not is_foreign or derived.__module__ == cls.__module__:
            _add_derived(derived, found)


def _refused(reason: str) -> Read:
    def refuse(reader: Reader, arguments: tuple[object, ...]) -> Space:
        raise InputSpaceError(reason)

    return refuse


# What a generic type stands for, with its arguments or without.
BY_ORIGIN: dict[object, Read] = {
    **dict.fromkeys(
        (
            list,
            collections.abc.Sequence,
            collections.abc.MutableSequence,
            collections.abc.Iterable,
            collections.abc.Collection,
            collections.abc.Container,
            collections.abc.Reversible,
        ),
        _lists,
    ),
    tuple: _tuples,
    **dict.fromkeys((set, collections.abc.Set, collections.abc.MutableSet), _sets),
    frozenset: _frozensets,
    **dict.fromkeys(
        (dict, collections.abc.Mapping, collections.abc.MutableMapping),
        _dicts,
    ),
    collections.deque: _deques,
    collections.Counter: _counters,
    collections.defaultdict: _default_dicts,
    collections.abc.Iterator: _iterators,
    collections.abc.Callable: _functions,
    type: _classes,
    collections.abc.Hashable: lambda reader, _: reader.anything(),
    collections.abc.Generator: _refused(
        "no generator can be made as an input; take an Iterator, or a list"
    ),
    typing.Never: _refused("there is no value of the type `Never`"),
    typing.NoReturn: _refused("there is no value of the type `NoReturn`"),
    typing.LiteralString: lambda reader, _: Texts(0, reader.max_len),
}


def _text(annotation: object) -> str:
    """An annotation as it is written."""
    return name_of(annotation) if isinstance(annotation, type) else shown(annotation)
