"""Real numbers; their concrete values are `Fraction`s, so nothing is ever rounded."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

from solvent.terms.arithmetic import ArithmeticTerm, mul, plus, quotient
from solvent.terms.booleans import BoolTerm, and_, eq, equals, ite, not_, not_equals
from solvent.terms.integers import TO_REAL, IntTerm, mod, power, to_real
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.sorts import TERM_CLASSES, Bool, Int, Real, RealSort, Sort
from solvent.terms.term import Term, beside_float, binary, unary

RDIV = Op("/", quotient, lambda a, b: Real)
TO_INT = Op("to_int", lambda a: a.numerator // a.denominator, lambda a: Int)
IS_INT = Op("is_int", lambda a: a.denominator == 1, lambda a: Bool)

_rdiv = binary(RDIV)
_to_int = unary(TO_INT, Int)
_is_int = unary(IS_INT, Bool)


class RealTerm(ArithmeticTerm):
    """A symbolic real number, used like a `Fraction`.

    >>> from solvent.terms import Real
    >>> x = Real("x")
    >>> (x + 1) / 2, x * 3 == 1
    (x * 1/2 + 1/2, x == 1/3)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        return equals(self, other)

    def __ne__(self, other: object) -> Any:
        return not_equals(self, other)

    def __truediv__(self, other: Any) -> Any:
        return _of_reals(operator.truediv, divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _of_reals(operator.truediv, divide, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _of_reals(operator.floordiv, _floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _of_reals(operator.floordiv, _floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return _of_reals(operator.mod, _floormod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _of_reals(operator.mod, _floormod, other, self)

    def __pow__(self, exponent: Any) -> Any:
        return power(self, exponent)

    def __floor__(self) -> Any:
        return floor(self)

    def __ceil__(self) -> Any:
        return -floor(-self)

    def __trunc__(self) -> Any:
        return ite(self >= 0, floor(self), -floor(-self))

    def __round__(self, digits: int | None = None) -> Any:
        """Python's rounding of fractions: half to even."""
        if digits is None:
            return round_half_even(self)
        unit = Fraction(10) ** digits
        return to_real(round_half_even(self * unit)) / unit


TERM_CLASSES[RealSort] = RealTerm
Real.term_class = RealTerm


def _coerce_real(sort: RealSort, value: Any) -> Any:
    if value.__class__ is RealTerm or value.__class__ is Fraction:
        return value
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, (IntTerm, BoolTerm)):
        return to_real(value)
    return NotImplemented


Sort.coercers[RealSort] = _coerce_real
Sort.defaults[RealSort] = lambda sort: Fraction(0)


def _of_reals(function: Any, in_reals: Any, a: Any, b: Any) -> Any:
    """Apply a function of reals, or an operator of floats if one operand is a float."""
    x, y = Real.coerce(a), Real.coerce(b)
    if x is NotImplemented or y is NotImplemented:
        return beside_float(function, a, b)
    return in_reals(x, y)


def _floordiv(a: Any, b: Any) -> Any:
    return floor(divide(a, b))


def _floormod(a: Any, b: Any) -> Any:
    return a - b * to_real(_floordiv(a, b))


def divide(a: Any, b: Any) -> Any:
    """`a / b`; a concrete zero divisor raises, a symbolic one gives 0 where it is zero."""
    a, b = Real.require(a), Real.require(b)
    if not isinstance(b, Term):
        if isinstance(a, Term):
            return mul(a, 1 / b)
        return quotient(a, b) if b else a / b
    return _rdiv(a, b)


def floor(value: Any) -> Any:
    """The largest integer that is not larger (SMT-LIB's `to_int`).

    >>> from fractions import Fraction
    >>> floor(Fraction(-1, 2))
    -1
    """
    return TO_INT(Real.require(value))


def is_int(value: Any) -> Any:
    """Whether a real number is an integer."""
    return IS_INT(Real.require(value))


def round_half_even(value: Any) -> Any:
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
def divide_zero(c: Any, x: Any) -> Any:
    return c if c == 0 else None


@rule(TO_INT, "to_int(to_real(x)) = x", lambda x: (to_real(x),), on=TO_REAL, theories=("Int",))
def floor_of_integer(real: Any) -> Any:
    return real.key[1]


@rule(IS_INT, "is_int(to_real(x)) = True", lambda x: (to_real(x),), on=TO_REAL, theories=("Int",))
def integer_is_int(real: Any) -> Any:
    return True
