"""The types of Python's operators on terms, for type checkers.

The operators of a sort are a few functions, assigned to many names.  A protocol for each sort says
once what they take and give.  The functions below mark an operator with it, and give it back as it
is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, overload

if TYPE_CHECKING:
    from solvent.terms.floats import FloatTerm
    from solvent.terms.kinds import (
        Bits,
        BitVecLike,
        Floating,
        FloatLike,
        Guard,
        Integer,
        IntLike,
        Rational,
        RealLike,
    )
    from solvent.terms.reals import RealTerm
    from solvent.terms.softfloat import FP


# What becomes an operator; the protocols say more about it.
Function = Callable[..., Any]


class IntOperator(Protocol):
    """An operator of Int that is one of Real or Float beside a fraction or a float."""

    @overload
    def __call__(self, other: IntLike, /) -> Integer: ...
    @overload
    def __call__(self, other: Fraction | RealTerm, /) -> Rational: ...
    @overload
    def __call__(self, other: float | FP | FloatTerm, /) -> Floating: ...


class IntDivision(Protocol):
    """Division of integers with `/`: a float, as in Python, or a real number beside one."""

    @overload
    def __call__(self, other: IntLike, /) -> Floating: ...
    @overload
    def __call__(self, other: Fraction | RealTerm, /) -> Rational: ...
    @overload
    def __call__(self, other: float | FP | FloatTerm, /) -> Floating: ...


class IntDivmod(Protocol):
    """`divmod` of integers."""

    @overload
    def __call__(self, other: IntLike, /) -> tuple[Integer, Integer]: ...
    @overload
    def __call__(self, other: Fraction | RealTerm, /) -> tuple[Integer, Rational]: ...
    @overload
    def __call__(self, other: float | FP | FloatTerm, /) -> tuple[Floating, Floating]: ...


class IntFloorDivision(Protocol):
    """Division of integers with `//`, which gives an integer beside a fraction, too."""

    @overload
    def __call__(self, other: RealLike, /) -> Integer: ...
    @overload
    def __call__(self, other: float | FP | FloatTerm, /) -> Floating: ...


class RealOperator(Protocol):
    """An operator of Real that is one of Float beside a float."""

    @overload
    def __call__(self, other: RealLike, /) -> Rational: ...
    @overload
    def __call__(self, other: float | FP | FloatTerm, /) -> Floating: ...


class Comparison(Protocol):
    """An order of numbers of all kinds."""

    def __call__(self, other: FloatLike, /) -> Guard: ...


class FloatOperator(Protocol):
    """An operator of Float."""

    def __call__(self, other: FloatLike, /) -> Floating: ...


class BitVecOperator(Protocol):
    """An operator of bitvectors of one width."""

    def __call__(self, other: BitVecLike, /) -> Bits: ...


class Connective(Protocol):
    """A connective of truth values."""

    def __call__(self, other: Guard, /) -> Guard: ...


def int_operator(function: Function) -> IntOperator:
    """The function, as an operator of Int."""
    return function


def int_division(function: Function) -> IntDivision:
    """The function, as `/` of Int."""
    return function


def int_divmod(function: Function) -> IntDivmod:
    """The function, as `divmod` of Int."""
    return function


def int_floor_division(function: Function) -> IntFloorDivision:
    """The function, as `//` of Int or Real."""
    return function


def real_operator(function: Function) -> RealOperator:
    """The function, as an operator of Real."""
    return function


def float_operator(function: Function) -> FloatOperator:
    """The function, as an operator of Float."""
    return function


def comparison(function: Function) -> Comparison:
    """The function, as an order of numbers."""
    return function


def bitvec_operator(function: Function) -> BitVecOperator:
    """The function, as an operator of bitvectors."""
    return function


def connective(function: Function) -> Connective:
    """The function, as a connective."""
    return function
