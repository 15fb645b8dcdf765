"""What the metadata of annotations says of a value: `Gt(0)` and the like, of annotated-types.

Metadata that annotated-types does not define means nothing, as `Annotated` has it; what it defines
and cannot be checked, such as a time zone, is refused.

>>> from typing import Annotated
>>> import annotated_types as at
>>> [one.text for one in constraints_of(Annotated[int, at.Gt(0), "a note", at.Interval(lt=9)])]
['> 0', '< 9']
"""

from __future__ import annotations

import math
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.vm.values import Value

_MODULE = "annotated_types"


def is_used() -> bool:
    """Whether the program uses annotated-types at all."""
    return sys.modules.get(_MODULE) is not None


@dataclass(frozen=True, slots=True)
class Constraint:
    """What metadata says of a value."""

    text: str
    # Whether it holds of a value; a lifted function.
    holds: Callable[[Value], Value]
    # Bounds of a number, and of a length, if it is one.
    low: Any = None
    high: Any = None
    shortest: int | None = None
    longest: int | None = None


def constraints_of(annotation: object) -> list[Constraint]:
    """What the metadata of an annotation says, if annotated-types is used at all."""
    if not is_used() or typing.get_origin(annotation) is not typing.Annotated:
        return []
    return [found for extra in typing.get_args(annotation)[1:] for found in _read(extra)]


def _read(extra: Any) -> Iterator[Constraint]:
    library: Any = sys.modules[_MODULE]
    if type(extra).__module__.startswith("pydantic"):
        yield from _read_pydantic(extra)
        return
    if isinstance(extra, slice):
        extra = library.Len(extra.start or 0, extra.stop)
    if not isinstance(extra, type) and isinstance(extra, library.GroupedMetadata):
        for part in extra:
            yield from _read(part)
        return
    for cls, read in _READ.items():
        if type(extra) is getattr(library, cls, None):
            yield from read(extra)
            return
    if typing.get_origin(extra) is typing.Annotated:
        raise NotLiftedError(
            f"`{extra!r}` is an annotation, no constraint; write `LowerCase[str]`, not "
            "`Annotated[str, LowerCase]`"
        )
    if isinstance(extra, library.BaseMetadata):
        raise NotLiftedError(f"the constraint `{extra!r}` of an annotation cannot be checked")


def _read_pydantic(extra: Any) -> Iterator[Constraint]:
    """What `Field(gt=0)` and the like say; a type that is exact already need not be strict."""
    if type(extra).__name__ == "FieldInfo":
        for part in extra.metadata:
            yield from _read(part)
    elif isinstance(extra, sys.modules[_MODULE].GroupedMetadata):
        # `constr(max_length=2)`: a part for each thing that it says.
        for part in extra:
            yield from _read(part)
    elif type(extra).__name__ == "AllowInfNan":
        if not extra.allow_inf_nan:
            yield Constraint("finite", partial(_is, math.isfinite))
    elif type(extra).__name__ != "Strict":
        raise NotLiftedError(f"the constraint `{extra!r}` of pydantic cannot be checked")


def _multiple(extra: Any) -> Iterator[Constraint]:
    by = extra.multiple_of
    yield Constraint(f"a multiple of {by!r}", partial(_is_multiple, by))


def _predicate(extra: Any) -> Iterator[Constraint]:
    function = extra.func
    name = getattr(function, "__name__", None) or repr(function)
    inner = getattr(function, "func", None)
    library: Any = sys.modules[_MODULE]
    if isinstance(function, library.Not):
        yield Constraint(f"not {getattr(inner, '__name__', inner)}", partial(_is_not, inner))
    else:
        yield Constraint(name, partial(_is, function))


@lifted
def _is(function: Value, value: Value) -> bool:
    return bool(function(value))


@lifted
def _is_not(function: Value, value: Value) -> bool:
    return not function(value)


@lifted
def _is_multiple(by: Value, value: Value) -> bool:
    return bool(value % by == 0)


@lifted
def _is_above(bound: Value, value: Value) -> bool:
    return bool(value > bound)


@lifted
def _is_at_least(bound: Value, value: Value) -> bool:
    return bool(value >= bound)


@lifted
def _is_below(bound: Value, value: Value) -> bool:
    return bool(value < bound)


@lifted
def _is_at_most(bound: Value, value: Value) -> bool:
    return bool(value <= bound)


@lifted
def _is_as_long(bound: Value, value: Value) -> bool:
    return bool(len(value) >= bound)


@lifted
def _is_as_short(bound: Value, value: Value) -> bool:
    return bool(len(value) <= bound)


def _bound(bound: Any, more: int) -> int | None:
    """The bound of an int, if it is one by itself."""
    return bound + more if type(bound) is int else None


_READ: dict[str, Callable[[Any], Iterator[Constraint]]] = {
    "Gt": lambda e: iter([Constraint(f"> {e.gt!r}", partial(_is_above, e.gt), _bound(e.gt, 1))]),
    "Ge": lambda e: iter(
        [Constraint(f">= {e.ge!r}", partial(_is_at_least, e.ge), _bound(e.ge, 0))]
    ),
    "Lt": lambda e: iter(
        [Constraint(f"< {e.lt!r}", partial(_is_below, e.lt), high=_bound(e.lt, -1))]
    ),
    "Le": lambda e: iter(
        [Constraint(f"<= {e.le!r}", partial(_is_at_most, e.le), high=_bound(e.le, 0))]
    ),
    "MinLen": lambda e: iter(
        [
            Constraint(
                f"of length >= {e.min_length}",
                partial(_is_as_long, e.min_length),
                shortest=e.min_length,
            )
        ]
    ),
    "MaxLen": lambda e: iter(
        [
            Constraint(
                f"of length <= {e.max_length}",
                partial(_is_as_short, e.max_length),
                longest=e.max_length,
            )
        ]
    ),
    "MultipleOf": _multiple,
    "Predicate": _predicate,
    # What a value is measured in, and prose: nothing to check.
    "Unit": lambda _: iter(()),
    "DocInfo": lambda _: iter(()),
}


def described(hint: object) -> str:
    """An annotation in words, without the names of modules."""
    return ", ".join(one.text for one in constraints_of(hint)) or "as its annotation says"
