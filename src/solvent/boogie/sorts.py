"""Boogie types as sorts of terms.

A map with several arguments is an array of arrays.  Values of types with variables are boxed: those
of `Field a` are in a sort of all fields, those of `a` or `[a]int` in the sort `ANY` of all values.
"""

from __future__ import annotations

from typing import Any

from solvent.boogie.diagnostics import BoogieError, Diagnostic
from solvent.boogie.types import (
    BOOL,
    INT,
    REAL,
    RMODE,
    STRING,
    BitVecType,
    BoundType,
    ConstructorType,
    FloatType,
    MapType,
    Type,
    rebuild,
    resolved,
    type_name,
)
from solvent.reach.positions import Position
from solvent.terms import Bool, Int, Real, Str, bv, ite, ult
from solvent.terms.kinds import Bits
from solvent.terms.sorts import Sort, array_sort, bitvec_sort, float_sort, uninterpreted_sort
from solvent.terms.term import Term

# No type of a program has such a name.
ANY = uninterpreted_sort("*any")
# Types as values: `type_terms` says what is known of them.
TYPE = uninterpreted_sort("*type")

# Rounding modes are the first five numbers of three bits.
MODES = {name: bv(number, 3) for number, name in enumerate(("RNE", "RNA", "RTP", "RTN", "RTZ"))}

_BASIC: dict[Type, Sort[Term]] = {
    BOOL: Bool,
    INT: Int,
    REAL: Real,
    STRING: Str,
    RMODE: bitvec_sort(3),
}


class UnsupportedError(BoogieError):
    """A construct that is Boogie, but that no engine here can reason about."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__([Diagnostic(position, message)], "encoding")

    def __reduce__(self) -> Any:
        found = self.diagnostics[0]
        return (UnsupportedError, (found.position, found.message))


def is_open(type_: Type) -> bool:
    """Whether there are type variables in a type, of anything around it."""
    return type_.has_variable or type_.loose > 0


def sort_of(type_: Type, position: Position) -> Sort[Term]:
    """The sort of the values of a type.

    >>> from solvent.reach.positions import NOWHERE
    >>> from solvent.boogie.types import bitvec_type, map_type
    >>> sort_of(map_type((INT, bitvec_type(8)), BOOL), NOWHERE)
    Array(Int, Array(BitVec(8), Bool))
    """
    found = resolved(type_)
    if found in _BASIC:
        return _BASIC[found]
    if is_open(found):
        return open_sort(found.name) if isinstance(found, ConstructorType) else ANY
    match found:
        case BitVecType(width=width) if width > 0:
            return bitvec_sort(width)
        case FloatType(significand=significand, exponent=exponent):
            return float_sort(exponent, significand)
        case ConstructorType():
            # `Field int` and `Field bool` have nothing in common.
            return uninterpreted_sort(type_name(found))
        case MapType(arguments=arguments, result=result):
            sort = sort_of(result, position)
            for argument in reversed(arguments):
                sort = array_sort(sort_of(argument, position), sort)
            for _ in hidden_parameters(found):
                sort = array_sort(TYPE, sort)
            return sort
        case _:
            raise UnsupportedError(
                position, f"values of the type {type_name(found)} cannot be reasoned about"
            )


def open_sort(constructor: str) -> Sort[Term]:
    """The sort of all values of a type constructor, whatever its arguments are."""
    return uninterpreted_sort(f"{constructor} *")


def hidden_parameters(type_: MapType) -> list[int]:
    """The type variables of a map type that its indices do not tell: they are indices too.

    >>> from solvent.boogie.types import bound_type, map_type
    >>> hidden_parameters(map_type((INT,), bound_type(0, 0), 1))
    [0]
    """
    told: set[int] = set()

    def note(part: Type, level: int) -> Type:
        if isinstance(part, BoundType) and part.level == level:
            told.add(part.index)
        return part

    for argument in type_.arguments:
        rebuild(argument, note)
    return [index for index in range(type_.parameters) if index not in told]


def rounding_mode(value: Bits) -> Bits:
    """A value of three bits as one that is a rounding mode: all other numbers are the last one.

    >>> rounding_mode(bv(7, 3))
    bv(4, 3)
    """
    last = MODES["RTZ"]
    return ite(ult(value, last), value, last)
