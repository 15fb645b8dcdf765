"""`fractions`: a symbolic fraction is one already; all else is made by the module's own Python."""

from __future__ import annotations

from fractions import Fraction

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.twins.conversion import twin_call
from solvent.lift.unlifted import is_concrete
from solvent.terms.reals import RealTerm
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value

_EXACT = frozenset((int, bool, Fraction))


@lifts(Fraction)
def fraction(numerator: Value = 0, denominator: Value = None) -> Value:
    """`Fraction(numerator, denominator)`."""
    if type(numerator) is Union:
        return over(numerator, lambda member: fraction(member, denominator))
    if type(denominator) is Union:
        return over(denominator, lambda member: fraction(numerator, member))
    if type(numerator) is RealTerm and denominator is None:
        return numerator
    if RealTerm in (type(numerator), type(denominator)):
        return _quotient(numerator, denominator)
    if is_concrete((numerator, denominator)):
        return Fraction(numerator, denominator)
    make = twin_call(Fraction)
    assert make is not None
    return make(numerator, denominator)


def _quotient(numerator: Value, denominator: Value) -> Value:
    """A fraction of two numbers of which one is symbolic."""
    if type(numerator) is RealTerm and type(denominator) in _EXACT and denominator:
        return operators.truediv(numerator, denominator)
    if type(numerator) is int and type(denominator) is RealTerm:
        fault = raised(Fraction, numerator, 0)
        current().fail_if(denominator == 0, fault)
        return operators.truediv(numerator, denominator)
    raise NotLiftedError("`Fraction` of two symbolic numbers is not lifted; divide them with `/`")
