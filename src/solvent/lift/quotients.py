"""Comparisons of an int with the float that `/` gives for two ints: of exact numbers.

A quotient `a / b` that is no int is at least `1 / b` away from each int, and rounding moves it by
at most `abs(a) / b` times `2 ** -53`, which is less if `abs(a) < 2 ** 53`.  Ints up to there are
floats, and nothing is rounded beyond a float.  So the rounded quotient is less than an int exactly
if the quotient is.  Solvers know much of fractions, and little of rounding.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from solvent.lift.facts import bounds
from solvent.terms.arithmetic import MUL
from solvent.terms.booleans import ITE, ite
from solvent.terms.float_ops import TO_FP_FROM_REAL
from solvent.terms.floats import Float64, FloatTerm
from solvent.terms.integers import TO_REAL, IntTerm
from solvent.terms.kinds import Rational
from solvent.terms.reals import RDIV, RealTerm
from solvent.terms.softfloat import FP, RNE
from solvent.terms.sorts import Real
from solvent.terms.term import Term
from solvent.vm.values import Value

# Ints below are floats, and so are the distances between them and quotients by them.
_EXACT = 2**53
_ROUNDED = TO_FP_FROM_REAL.at(RNE, Float64)


def exact_operands(a: Value, b: Value) -> tuple[Value, Value]:
    """The operands of an order between numbers, exact where one is a quotient of ints.

    >>> from solvent.terms import Int
    >>> exact_operands(Int("n") % 10 / 4, 2)
    (to_real(mod(n, 10)) * 1/4, Fraction(2, 1))
    """
    if type(a) is FloatTerm and type(b) in (int, IntTerm):
        quotient = _quotient(a)
        return (a, b) if quotient is None else (quotient, Real.coerce(b))
    if type(b) is FloatTerm and type(a) in (int, IntTerm):
        quotient = _quotient(b)
        return (a, b) if quotient is None else (Real.coerce(a), quotient)
    return a, b


def _quotient(value: FloatTerm | FP) -> Rational | None:
    """The exact quotient that a float was rounded from, if it compares with ints as that does."""
    if isinstance(value, FP):
        number = value.number
        return Fraction(number) if isinstance(number, Fraction) or isfinite(number) else None
    if value.op.base is ITE:
        # Of a quotient by a negative number zero has a sign, and paths may have met.
        _, test, *sides = value.key
        then, otherwise = map(_quotient, sides)
        return None if then is None or otherwise is None else ite(test, then, otherwise)
    if value.op is not _ROUNDED:
        return None
    exact: RealTerm = value.key[1]
    ratio = _ratio(exact)
    if ratio is None:
        return None
    above, below = ratio
    (low, high), (least, most) = bounds(above), bounds(below)
    if low is None or high is None or least is None or most is None:
        return None
    small = max(-low, high) < _EXACT and 1 <= least <= most <= _EXACT
    return exact if small else None


def _ratio(exact: Term) -> tuple[Value, Value] | None:
    """The ints of which a real number is the quotient."""
    if exact.op.base is TO_REAL:
        return exact.key[1], 1
    parts = exact.key[1:]
    if exact.op.base is MUL and len(parts) == 2:
        number, factor = parts if isinstance(parts[1], Fraction) else reversed(parts)
        if isinstance(factor, Fraction) and isinstance(number, Term) and number.op.base is TO_REAL:
            return number.key[1] * factor.numerator, factor.denominator
    if exact.op.base is RDIV and len(parts) == 2:
        above, below = (_whole(part) for part in parts)
        return None if above is None or below is None else (above, below)
    return None


def _whole(value: Value) -> Value | None:
    """The int that a real number is."""
    if isinstance(value, Term):
        return value.key[1] if value.op.base is TO_REAL else None
    return value.numerator if value.denominator == 1 else None
