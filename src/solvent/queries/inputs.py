"""Spaces of inputs: symbolic values of a shape, given or derived from annotations.

A space makes a symbolic value under a name.  Its leaves are constants called after their place
(`xs[0]`, `p.x`), so that making it twice gives the same value; what limits the constants, such as
the length of a list, are assumptions.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import inspect
import types
import typing
from collections.abc import Callable
from fractions import Fraction

from solvent.errors import InputSpaceError
from solvent.lift.api import lifted
from solvent.lift.origins import claim
from solvent.lift.spelling.alphabets import as_ranges
from solvent.queries.replay import shown
from solvent.terms import Bool, Float64, Int, Real, Sort, Str, and_, or_
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, octets, text
from solvent.vm.buffers import made
from solvent.vm.merge import gathered
from solvent.vm.slots import slot
from solvent.vm.spread import combine
from solvent.vm.values import Guard, Value

# How long a list, set, dictionary or text is at most where nothing else is said.
DEFAULT_LENGTH = 3

Assumptions = list[Guard]


class Space:
    """A set of values of which a symbolic one can be made."""

    def make(self, name: str, assumptions: Assumptions) -> Value:
        """The symbolic value with this name; what limits it is added to the assumptions."""
        raise NotImplementedError

    def __str__(self) -> str:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Sorted(Space):
    """All values of a sort, between bounds where given."""

    sort: Sort[Term]
    low: int | None = None
    high: int | None = None

    def make(self, name: str, assumptions: Assumptions) -> Value:
        result: Value = self.sort(name)
        if self.low is not None:
            assumptions.append(self.low <= result)
        if self.high is not None:
            assumptions.append(result <= self.high)
        return result

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return _SORT_NAMES.get(str(self.sort), f"any {self.sort}")
        if self.low is None:
            return f"{self.sort} up to {self.high}"
        if self.high is None:
            return f"{self.sort} from {self.low}"
        return f"{self.sort} from {self.low} to {self.high}"


_SORT_NAMES = {
    "Int": "any int",
    "Bool": "any bool",
    "Real": "any fraction",
    "Str": "any str",
    "String": "any str",
}


@dataclasses.dataclass(frozen=True)
class Exactly(Space):
    """One value: concrete, or made of symbolic constants by the caller."""

    value: Value

    def make(self, name: str, assumptions: Assumptions) -> Value:
        return self.value

    def __str__(self) -> str:
        return repr(self.value)


@dataclasses.dataclass(frozen=True)
class Lists(Space):
    """Lists between two lengths."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, assumptions: Assumptions) -> Value:
        items = [self.items.make(f"{name}[{place}]", assumptions) for place in range(self.max_len)]
        if self.min_len == self.max_len:
            return items
        length = Int(f"len({name})")
        assumptions.append(and_(self.min_len <= length, length <= self.max_len))
        return [
            item if place < self.min_len else slot(length > place, item)
            for place, item in enumerate(items)
        ]

    def __str__(self) -> str:
        if self.min_len == self.max_len:
            return f"lists of {self.max_len} items, each {self.items}"
        low = f"{self.min_len} to " if self.min_len else "up to "
        return f"lists of {low}{self.max_len} items, each {self.items}"


@dataclasses.dataclass(frozen=True)
class Texts(Space):
    """Texts between two lengths, of any characters or of those of an alphabet."""

    min_len: int = 0
    max_len: int = DEFAULT_LENGTH
    alphabet: str = ""

    def make(self, name: str, assumptions: Assumptions) -> Value:
        codes = [Int(f"{name}[{place}]") for place in range(self.max_len)]
        ranges = as_ranges(sorted(map(ord, set(self.alphabet)))) or ((0, LAST_CODE),)
        for code in codes:
            assumptions.append(and_(ranges[0][0] <= code, code <= ranges[-1][1]))
            if len(ranges) > 1:
                assumptions.append(or_([and_(a <= code, code <= b) for a, b in ranges]))
        if self.min_len == self.max_len:
            return text(codes)
        length = Int(f"len({name})")
        assumptions.append(and_(self.min_len <= length, length <= self.max_len))
        return gathered(
            [(length == n, text(codes[:n])) for n in range(self.min_len, self.max_len + 1)]
        )

    def __str__(self) -> str:
        low = f"{self.min_len} to " if self.min_len else "up to "
        if self.min_len == self.max_len:
            low = ""
        found = "" if not self.alphabet else f" of {shown(''.join(sorted(set(self.alphabet))), 40)}"
        return f"texts of {low}{self.max_len} characters{found}"


@dataclasses.dataclass(frozen=True)
class Binary(Space):
    """Bytes between two lengths, or bytearrays of them."""

    min_len: int = 0
    max_len: int = DEFAULT_LENGTH
    cls: type[bytes] | type[bytearray] = bytes

    def make(self, name: str, assumptions: Assumptions) -> Value:
        codes = [Int(f"{name}[{place}]") for place in range(self.max_len)]
        assumptions += [and_(code >= 0, code <= 255) for code in codes]
        if self.cls is bytearray:
            items = Lists(Sorted(Int), self.min_len, self.max_len).make(name, assumptions)
            return made(items)
        if self.min_len == self.max_len:
            return octets(codes)
        length = Int(f"len({name})")
        assumptions.append(and_(self.min_len <= length, length <= self.max_len))
        return gathered(
            [(length == n, octets(codes[:n])) for n in range(self.min_len, self.max_len + 1)]
        )

    def __str__(self) -> str:
        low = f"{self.min_len} to " if self.min_len else "up to "
        if self.min_len == self.max_len:
            low = ""
        return f"{self.cls.__name__} of {low}{self.max_len}"


@dataclasses.dataclass(frozen=True)
class Tuples(Space):
    """Tuples with a space for each item."""

    items: tuple[Space, ...]
    cls: type = tuple

    def make(self, name: str, assumptions: Assumptions) -> Value:
        items = [
            space.make(f"{name}[{place}]", assumptions) for place, space in enumerate(self.items)
        ]
        return tuple(items) if self.cls is tuple else self.cls(*items)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@dataclasses.dataclass(frozen=True)
class VariableTuples(Space):
    """Tuples between two lengths: a union with one member per length."""

    items: Space
    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, assumptions: Assumptions) -> Value:
        items = [self.items.make(f"{name}[{place}]", assumptions) for place in range(self.max_len)]
        length = Int(f"len({name})")
        assumptions.append(and_(self.min_len <= length, length <= self.max_len))
        return combine(
            [(length == n, tuple(items[:n])) for n in range(self.min_len, self.max_len + 1)]
        )

    def __str__(self) -> str:
        return f"tuples of {self.min_len} to {self.max_len} items, each {self.items}"


@lifted
def _set_of(items: list[Value]) -> set[Value]:
    return set(items)


@lifted
def _frozenset_of(items: list[Value]) -> frozenset[Value]:
    return frozenset(items)


@lifted
def _dict_of(entries: list[tuple[Value, Value]]) -> dict[Value, Value]:
    result = {}
    for key, value in entries:
        result[key] = value
    return result


@dataclasses.dataclass(frozen=True)
class Sets(Space):
    """Sets of at most so many elements."""

    items: Space
    max_len: int = DEFAULT_LENGTH
    frozen: bool = False

    def make(self, name: str, assumptions: Assumptions) -> Value:
        items = Lists(self.items, 0, self.max_len).make(name, assumptions)
        return (_frozenset_of if self.frozen else _set_of)(items)

    def __str__(self) -> str:
        return f"sets of up to {self.max_len} elements, each {self.items}"


@dataclasses.dataclass(frozen=True)
class Dicts(Space):
    """Dictionaries of at most so many entries."""

    keys: Space
    values: Space
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, assumptions: Assumptions) -> Value:
        entries = Lists(Tuples((self.keys, self.values)), 0, self.max_len)
        return _dict_of(entries.make(name, assumptions))

    def __str__(self) -> str:
        return f"dicts of up to {self.max_len} entries, from {self.keys} to {self.values}"


@dataclasses.dataclass(frozen=True)
class Choices(Space):
    """One of several spaces."""

    options: tuple[Space, ...]

    def make(self, name: str, assumptions: Assumptions) -> Value:
        if len(self.options) == 1:
            return self.options[0].make(name, assumptions)
        which = Int(f"{name}.which")
        assumptions.append(and_(which >= 0, which < len(self.options)))
        return combine(
            [
                (which == place, option.make(f"{name}.{place}", assumptions))
                for place, option in enumerate(self.options)
            ]
        )

    def __str__(self) -> str:
        return "one of " + ", ".join(map(str, self.options))


@dataclasses.dataclass(frozen=True)
class Objects(Space):
    """Instances of a class, each field from a space."""

    cls: type
    fields: tuple[tuple[str, Space], ...]

    def make(self, name: str, assumptions: Assumptions) -> Value:
        fields = {field: space.make(f"{name}.{field}", assumptions) for field, space in self.fields}
        return self.cls(**fields)

    def __str__(self) -> str:
        fields = ", ".join(f"{name}: {space}" for name, space in self.fields)
        return f"{self.cls.__name__}({fields})"


# --- making spaces -----------------------------------------------------------------------------

# What describes a space: one, a sort, an annotation, or a list of the values to choose from.
SpaceLike = object


def space(value: SpaceLike) -> Space:
    """A space from a space, a sort, a type, or a list of the values to choose from.

    >>> print(space(Int), space(bool), space([1, 2]), sep="; ")
    any int; any bool; one of 1, 2
    """
    if isinstance(value, Space):
        return value
    if isinstance(value, Sort):
        return Sorted(value)
    if isinstance(value, (list, range)):
        return one_of(*value)
    return of_annotation(value)


def integers(low: int | None = None, high: int | None = None) -> Space:
    """Ints between bounds.

    >>> print(integers(0, 9))
    Int from 0 to 9
    """
    if low is not None and high is not None and low > high:
        raise InputSpaceError(f"there are no ints from {low} to {high}")
    return Sorted(Int, low, high)


def lists(items: SpaceLike, *, max_len: int = DEFAULT_LENGTH, min_len: int = 0) -> Space:
    """Lists of items from a space, a sort or a type, between two lengths.

    >>> print(lists(Int, max_len=4))
    lists of up to 4 items, each any int
    """
    _check_lengths(min_len, max_len)
    return Lists(space(items), min_len, max_len)


def texts(*, max_len: int | None = DEFAULT_LENGTH, min_len: int = 0, alphabet: str = "") -> Space:
    """Texts between two lengths, of any characters or of those of an alphabet.

    With `max_len=None` they are strings of any length of the solvers' theory, which knows less of
    what Python does with text.

    >>> print(texts(max_len=8, alphabet="01"), texts(max_len=None), sep="; ")
    texts of up to 8 characters of '01'; any str
    """
    if max_len is None:
        if min_len or alphabet:
            raise InputSpaceError("texts of any length have no `min_len` and no `alphabet`")
        return Sorted(Str)
    _check_lengths(min_len, max_len)
    return Texts(min_len, max_len, alphabet)


def binary(*, max_len: int = DEFAULT_LENGTH, min_len: int = 0) -> Space:
    """Bytes between two lengths, each of them from 0 to 255.

    >>> print(binary(max_len=8), binary(min_len=4, max_len=4), sep="; ")
    bytes of up to 8; bytes of 4
    """
    _check_lengths(min_len, max_len)
    return Binary(min_len, max_len)


def tuples(*items: SpaceLike) -> Space:
    """Tuples with a space, a sort or a type for each item.

    >>> print(tuples(Int, bool))
    (any int, any bool)
    """
    return Tuples(tuple(map(space, items)))


def sets(items: SpaceLike, *, max_len: int = DEFAULT_LENGTH) -> Space:
    """Sets of elements from a space, a sort or a type.

    >>> print(sets(integers(0, 3), max_len=2))
    sets of up to 2 elements, each Int from 0 to 3
    """
    _check_lengths(0, max_len)
    return Sets(space(items), max_len)


def dicts(keys: SpaceLike, values: SpaceLike, *, max_len: int = DEFAULT_LENGTH) -> Space:
    """Dictionaries with keys and values from spaces, sorts or types.

    >>> print(dicts(["a", "b"], Int, max_len=2))
    dicts of up to 2 entries, from one of 'a', 'b' to any int
    """
    _check_lengths(0, max_len)
    return Dicts(space(keys), space(values), max_len)


def one_of(*options: Value) -> Space:
    """One of some values; options that are spaces stand for their values.

    >>> print(one_of(None, integers(1)))
    one of None, Int from 1
    """
    if not options:
        raise InputSpaceError("one_of() needs at least one value")
    return Choices(
        tuple(option if isinstance(option, Space) else Exactly(option) for option in options)
    )


def objects(cls: type, /, **fields: SpaceLike) -> Space:
    """Instances of a class, made with these named arguments.

    >>> from types import SimpleNamespace
    >>> print(objects(SimpleNamespace, x=Int))
    SimpleNamespace(x: any int)
    """
    return Objects(cls, tuple((name, space(found)) for name, found in fields.items()))


def _check_lengths(low: int, high: int) -> None:
    if not 0 <= low <= high:
        raise InputSpaceError(f"there are no lengths from {low} to {high}")


# --- annotations -------------------------------------------------------------------------------

_SIMPLE: dict[object, Space] = {
    int: Sorted(Int),
    bool: Sorted(Bool),
    float: Sorted(Float64),
    Fraction: Sorted(Real),
    None: Exactly(None),
    type(None): Exactly(None),
}


def describes(annotation: object, found: Space) -> None:
    """Say which space an annotation describes."""
    _SIMPLE[annotation] = found


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
    for known, simple in _SIMPLE.items():
        # By identity: the hash and the equality of a class may be the program's own.
        if annotation is known:
            return simple
    if annotation is str:
        return Texts(0, max_len)
    if annotation is bytes or annotation is bytearray:
        return Binary(0, max_len, bytes if annotation is bytes else bytearray)
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
                return space(extra)
        return of_annotation(arguments[0], max_len, seen)
    if origin is typing.Literal:
        return one_of(*arguments)
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
        return one_of(*cls)
    if any(cls is known for known in seen):
        raise InputSpaceError(
            f"`{cls.__name__}` contains itself; give its values with `objects` or `one_of`"
        )
    hints = _hints(cls)
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


def _hints(target: object) -> dict[str, object]:
    if isinstance(target, functools.partial):
        return _hints(target.func)
    if not isinstance(target, type) and type(type(target).__call__) is types.FunctionType:
        target = type(target).__call__
    try:
        return typing.get_type_hints(target, include_extras=True)
    except Exception:
        # A name in quotes that cannot be resolved: the others may do.
        return dict(getattr(target, "__annotations__", {}))


# --- the arguments of a function ---------------------------------------------------------------


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """The arguments of a call, symbolic, with what limits them."""

    args: tuple[Value, ...]
    named: dict[str, Value]
    assumptions: tuple[Guard, ...]
    # Parameter names in order, with the values; those of `*args` are numbered.
    values: dict[str, Value]
    # What was derived from annotations, in words.
    derived: dict[str, str]


def bind(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    max_len: int = DEFAULT_LENGTH,
) -> Inputs:
    """The symbolic arguments of a call: those given, others from the annotations."""
    claim(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = inspect.Signature(
            [inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
             inspect.Parameter("named", inspect.Parameter.VAR_KEYWORD)]
        )  # fmt: skip
    name = getattr(function, "__qualname__", repr(function))
    try:
        given = signature.bind_partial(*args, **named).arguments
    except TypeError as error:
        raise InputSpaceError(f"{name}{signature}: {error}") from None
    return _Binder(function, name, signature, given, max_len).inputs()


class _Binder:
    def __init__(
        self,
        function: Callable[..., Value],
        name: str,
        signature: inspect.Signature,
        given: dict[str, Value],
        max_len: int,
    ) -> None:
        self.max_len = max_len
        self.function = function
        self.name = name
        self.signature = signature
        self.given = given
        self.assumptions: Assumptions = []
        self.derived: dict[str, str] = {}
        self.hints = _hints(function)

    def inputs(self) -> Inputs:
        args: list[Value] = []
        named: dict[str, Value] = {}
        values: dict[str, Value] = {}
        by_name = False
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                if not self.given.get(name):
                    self.derived[f"*{name}"] = "none"
                for place, value in enumerate(self.given.get(name, ())):
                    args.append(self.value(f"{name}[{place}]", value))
                    values[f"{name}[{place}]"] = args[-1]
            elif parameter.kind is parameter.VAR_KEYWORD:
                if not self.given.get(name):
                    self.derived[f"**{name}"] = "none"
                for key, value in self.given.get(name, {}).items():
                    named[key] = values[key] = self.value(key, value)
            elif name in self.given or parameter.default is parameter.empty:
                value = self.argument(name, parameter)
                values[name] = value
                if parameter.kind is parameter.KEYWORD_ONLY or by_name:
                    named[name] = value
                else:
                    args.append(value)
            else:
                # What comes after a default that is kept must be given by name.
                by_name = True
                self.derived[name] = f"{shown(parameter.default, 40)}, its default"
        return Inputs(tuple(args), named, tuple(self.assumptions), values, self.derived)

    def argument(self, name: str, parameter: inspect.Parameter) -> Value:
        if name in self.given:
            return self.value(name, self.given[name])
        if name not in self.hints:
            raise InputSpaceError(
                f"{self.name}: the parameter `{name}` has no value and no annotation; pass a "
                f'symbolic value, for example Int("{name}")'
            )
        try:
            found = of_annotation(self.hints[name], self.max_len)
        except InputSpaceError as error:
            raise InputSpaceError(f"{self.name}: parameter `{name}`: {error}") from None
        self.derived[name] = str(found)
        return found.make(name, self.assumptions)

    def value(self, name: str, value: Value) -> Value:
        return value.make(name, self.assumptions) if isinstance(value, Space) else value
