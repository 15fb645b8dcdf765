"""Boogie types as sorts of terms.

A map with several arguments is an array of arrays.  Type arguments are erased: `Field int` and
`Field bool` are one sort, and a value whose type is a variable lives in the sort `Any`, into which
values of all other sorts are boxed.
"""

from __future__ import annotations

from typing import Any

from solvent.boogie.diagnostics import BoogieError, Diagnostic, Position
from solvent.boogie.types import (
    BOOL,
    INT,
    REAL,
    STRING,
    BitVecType,
    BoundType,
    ConstructorType,
    FloatType,
    MapType,
    Type,
    TypeVariable,
    resolved,
    type_name,
)
from solvent.terms import Bool, Function, Int, Real, Str
from solvent.terms.functions import APPLY
from solvent.terms.sorts import Sort, array_sort, bitvec_sort, float_sort, uninterpreted_sort
from solvent.terms.term import Term

ANY = uninterpreted_sort("Any")

_BASIC: dict[Type, Any] = {BOOL: Bool, INT: Int, REAL: Real, STRING: Str}


class UnsupportedError(BoogieError):
    """A construct that is Boogie, but that no engine here can reason about."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__([Diagnostic(position, message)], "encoding")

    def __reduce__(self) -> Any:
        found = self.diagnostics[0]
        return (UnsupportedError, (found.position, found.message))


def sort_of(type_: Type, position: Position) -> Sort[Any]:
    """The sort of the values of a type.

    >>> from solvent.boogie.diagnostics import NOWHERE
    >>> from solvent.boogie.types import bitvec_type, map_type
    >>> sort_of(map_type((INT, bitvec_type(8)), BOOL), NOWHERE)
    Array(Int, Array(BitVec(8), Bool))
    """
    found = resolved(type_)
    if found in _BASIC:
        basic: Sort[Any] = _BASIC[found]
        return basic
    match found:
        case BitVecType(width=width) if width > 0:
            return bitvec_sort(width)
        case FloatType(significand=significand, exponent=exponent):
            return float_sort(exponent, significand)
        case ConstructorType(name=name):
            return uninterpreted_sort(name)
        case TypeVariable() | BoundType():
            return ANY
        case MapType(arguments=arguments, result=result):
            sort = sort_of(result, position)
            for argument in reversed(arguments):
                sort = array_sort(sort_of(argument, position), sort)
            return sort
        case _:
            raise UnsupportedError(
                position, f"values of the type {type_name(found)} cannot be reasoned about"
            )


# --- boxes -------------------------------------------------------------------------------------


def box(value: Any, sort: Sort[Any]) -> Any:
    """A value of a sort as one of `Any`."""
    if sort is ANY:
        return value
    if _is_applied(value, _unboxer(sort)):
        return value.key[1]
    return _boxer(sort)(value)


def unbox(value: Any, sort: Sort[Any]) -> Any:
    """The value of a sort that one of `Any` is.

    >>> unbox(box(3, Int), Int)
    3
    """
    if sort is ANY:
        return value
    if _is_applied(value, _boxer(sort)):
        return value.key[1]
    return _unboxer(sort)(value)


def _boxer(sort: Sort[Any]) -> Any:
    return Function(f"box {sort}", [sort], ANY)


def _unboxer(sort: Sort[Any]) -> Any:
    return Function(f"unbox {sort}", [ANY], sort)


def _is_applied(value: Any, function: Any) -> bool:
    return isinstance(value, Term) and value.op.base is APPLY and value.op.params[0] is function


def round_trip(sort: Sort[Any], value: Any) -> Any:
    """The fact that unboxing a boxed value gives it back."""
    return _unboxer(sort)(_boxer(sort)(value)) == value
