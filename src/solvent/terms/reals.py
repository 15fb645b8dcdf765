"""Real numbers; their concrete values are `Fraction`s, so nothing is ever rounded."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, overload

from solvent.terms.arithmetic import ArithmeticTerm, mul, plus, quotient
from solvent.terms.booleans import BoolTerm, and_, eq, equals, ite, not_, not_equals
from solvent.terms.hooks import BinaryFunction
from solvent.terms.integers import TO_REAL, IntTerm, mod, power, to_real
from solvent.terms.operators import RealOperator, int_floor_division, real_operator
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.sorts import TERM_CLASSES, Bool, Int, Real, RealSort, Sort
from solvent.terms.term import Term, beside_float, binary, unary, whole

if TYPE_CHECKING:
    from solvent.terms.kinds import FloatLike, Guard, Integer, Rational, RealLike

RDIV: Op[Rational] = Op("/", quotient, lambda a, b: Real)
TO_INT: Op[Integer] = Op("to_int", lambda a: a.numerator // a.denominator, lambda a: Int)
IS_INT: Op[Guard] = Op("is_int", lambda a: a.denominator == 1, lambda a: Bool)

_rdiv = binary(RDIV)
_to_int = unary(TO_INT, Int)
_is_int = unary(IS_INT, Bool)


class RealTerm(ArithmeticTerm[RealOperator, "Fraction | RealTerm"]):
    """A symbolic real number, used like a `Fraction`.

    >>> from solvent.terms import Real
    >>> x = Real("x")
    >>> (x + 1) / 2, x * 3 == 1
    (x * 1/2 + 1/2, x == 1/3)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return not_equals(self, other)

    @real_operator
    def __truediv__(self, other: FloatLike) -> object:
        return _of_reals(operator.truediv, divide, self, other)

    @real_operator
    def __rtruediv__(self, other: FloatLike) -> object:
        return _of_reals(operator.truediv, divide, other, self)

    @int_floor_division
    def __floordiv__(self, other: FloatLike) -> object:
        return _of_reals(operator.floordiv, _floordiv, self, other)

    @int_floor_division
    def __rfloordiv__(self, other: FloatLike) -> object:
        return _of_reals(operator.floordiv, _floordiv, other, self)

    @real_operator
    def __mod__(self, other: FloatLike) -> object:
        return _of_reals(operator.mod, _floormod, self, other)

    @real_operator
    def __rmod__(self, other: FloatLike) -> object:
        return _of_reals(operator.mod, _floormod, other, self)

    def __pow__(self, exponent: int) -> Rational:
        return power(self, exponent)

    def __floor__(self) -> Integer:
        return floor(self)

    def __ceil__(self) -> Integer:
        return -floor(-self)

    def __trunc__(self) -> Integer:
        return ite(self >= 0, floor(self), -floor(-self))

    @overload
    def __round__(self, digits: None = None) -> Integer: ...
    @overload
    def __round__(self, digits: int) -> Rational: ...

    def __round__(self, digits: int | None = None) -> Integer | Rational:
        """Python's rounding of fractions: half to even."""
        if digits is None:
            return round_half_even(self)
        unit = Fraction(10) ** digits
        return to_real(round_half_even(self * unit)) / unit


TERM_CLASSES[RealSort] = RealTerm
Real.term_class = RealTerm


def _coerce_real(sort: RealSort, value: object) -> Rational:
    if value.__class__ is RealTerm or value.__class__ is Fraction:
        return value
    if value.__class__ is IntTerm:
        return to_real(value)
    if value.__class__ is int:
        return whole(value)
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, (IntTerm, BoolTerm)):
        return to_real(value)
    return NotImplemented


Sort.coercers[RealSort] = _coerce_real
Sort.defaults[RealSort] = lambda sort: Fraction(0)


def _of_reals(
    function: BinaryFunction,
    in_reals: Callable[[Rational, Rational], object],
    a: FloatLike,
    b: FloatLike,
) -> object:
    """Apply a function of reals, or an operator of floats if one operand is a float."""
    x, y = Real.coerce(a), Real.coerce(b)
    if x is NotImplemented or y is NotImplemented:
        return beside_float(function, a, b)
    return in_reals(x, y)


def _floordiv(a: Rational, b: Rational) -> Integer:
    return floor(divide(a, b))


def _floormod(a: Rational, b: Rational) -> Rational:
    return a - b * to_real(_floordiv(a, b))


def divide(a: RealLike, b: RealLike) -> Rational:
    """`a / b`; a concrete zero divisor raises, a symbolic one gives 0 where it is zero."""
    a, b = Real.require(a), Real.require(b)
    if not isinstance(b, Term):
        if isinstance(a, Term):
            return mul(a, _inverse(b))
        return quotient(a, b) if b else a / b
    return _rdiv(a, b)


# One divided by small numbers, which takes long to compute.
_INVERSES = {number: Fraction(1, number) for number in range(1, 65)}


def _inverse(value: Fraction) -> Fraction:
    found = _INVERSES.get(value.numerator) if value.denominator == 1 else None
    return 1 / value if found is None else found


def floor(value: RealLike) -> Integer:
    """The largest integer that is not larger (SMT-LIB's `to_int`).

    >>> from fractions import Fraction
    >>> floor(Fraction(-1, 2))
    -1
    """
    return TO_INT(Real.require(value))


def is_int(value: RealLike) -> Guard:
    """Whether a real number is an integer."""
    return IS_INT(Real.require(value))


def round_half_even(value: RealLike) -> Integer:
    """The nearest integer, the even one of two.

    >>> from fractions import Fraction
    >>> round_half_even(Fraction(5, 2)), round_half_even(Fraction(7, 2))
    (2, 4)
    """
    value = Real.require(value)
    if not isinstance(value, Term):
        return round(value)
    shifted = plus(value, Fraction(1, 2))
    up = floor(shifted)
    tie = and_(eq(to_real(up), shifted), not_(eq(mod(up, 2), 0)))
    return ite(tie, up - 1, up)


@rule(RDIV, "0 / x = 0", lambda x, u: (u, x), left_constant=True, theories=("Real",))
def divide_zero(c: Fraction, x: RealTerm) -> Fraction | None:
    return c if c == 0 else None


@rule(TO_INT, "to_int(to_real(x)) = x", lambda x: (to_real(x),), on=TO_REAL, theories=("Int",))
def floor_of_integer(real: RealTerm) -> Integer:
    return real.key[1]


@rule(IS_INT, "is_int(to_real(x)) = True", lambda x: (to_real(x),), on=TO_REAL, theories=("Int",))
def integer_is_int(real: RealTerm) -> bool:
    return True
