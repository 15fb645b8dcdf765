"""Powers that are floats: `**` with a float, and of an int with a negative exponent.

CPython leaves these to the C library, whose `pow` is not a chain of multiplications and need not
round to the nearest float.  But it errs by less than the last bit, so that what is a float
exactly is right.  So numbers with few values are raised by CPython itself, one by one; other powers
are given where they are exact, and where they are not, the path ends: nobody knows the last bit.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.errors import NotLiftedError
from solvent.lift.leaves import MOST_LEAVES, each_leaf, few_floats
from solvent.lift.messages import raised
from solvent.lift.words import check_float
from solvent.terms import fma, fp_mul, is_finite, is_infinite, is_nan, sqrt, to_float
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.floats import Float64, FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Floating
from solvent.terms.softfloat import RTZ
from solvent.terms.term import Term
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

# The largest exponent for which exact powers are told apart.
_MOST = 16
# A float that is not smaller has no bits below the smallest float, also after a rounding.
_NORMAL = 2.0**-900
_HALF_OF_LARGEST = 2.0**1023


def is_machine_number(value: Value) -> bool:
    """Whether a value is an int, or a float as Python has them."""
    if type(value) is FloatTerm:
        return value.sort is Float64
    return type(value) in (int, float, bool, IntTerm, BoolTerm)


def as_float(value: Value) -> Value:
    """A symbolic number as a float."""
    return value if type(value) is FloatTerm else to_float(value)


def values_of(number: Value) -> Union | None:
    """A number as a choice between its values, if these are few."""
    if type(number) is FloatTerm:
        return few_floats(number)
    return each_leaf(number) if type(number) in (IntTerm, BoolTerm) else None


def float_power(a: Value, b: Value) -> Value:
    """`a ** b` for numbers with many values, of which one is a float or `b` is negative."""
    if isinstance(b, Term) or not (b == 0.5 or (abs(b) <= _MOST and b == int(b))):
        raise NotLiftedError(
            f"`**` of a {type_name(a)} and a {type_name(b)}, one of them symbolic, is not lifted "
            f"unless the exponent is 0.5 or a whole number up to {_MOST}, or both have at most "
            f"{MOST_LEAVES} values in all: solvers cannot round it as the machine does; multiply "
            "instead, or assume bounds"
        )
    check_float(a)
    x: Value = as_float(a)
    if b == 0.5:
        return _root(x)
    exponent = int(b)
    if exponent < 0:
        current().fail_if(x == 0, raised(pow, 0.0, -1))
    result = _whole_power(x, abs(exponent))
    if exponent >= 0:
        return result
    inverse: Value = 1.0 / result
    _end_unless(or_(is_infinite(x), is_nan(x), _is_product(result, inverse, 1.0)))
    return inverse


def _whole_power(x: FloatTerm, exponent: int) -> Value:
    """A power with a positive exponent, or 0: each product is exact, or none after it."""
    if exponent == 0:
        return 1.0
    result: Value = x
    exact: Guard = or_(is_nan(x), is_infinite(x), x == 0)
    finite: Guard = is_finite(x)
    for _ in range(exponent - 1):
        larger = result * x
        overflow = and_(is_finite(result), finite, is_infinite(larger))
        # What is too large for sure is an error; what is just at the end is not known.
        half = fp_mul(abs(result) * 0.5, abs(x), RTZ)
        current().fail_if(and_(overflow, half >= _HALF_OF_LARGEST), raised(pow, 1e200, 2.0))
        _end_unless(or_(exact, _is_product(result, x, larger)))
        result = larger
    return result


def _is_product(a: Floating, b: Floating, product: Floating) -> Guard:
    """Whether a float is the product of two others, without any rounding."""
    rest = fma(a, b, -product)
    return and_(is_finite(product), abs(product) >= _NORMAL, rest == 0)


def _root(x: FloatTerm) -> Value:
    """`x ** 0.5`, which has no sign at zero and is complex below it."""
    complex_root = and_(is_finite(x), x < 0)
    error = NotLiftedError(
        "a fractional power of a negative symbolic number, which is complex, is not lifted; assume "
        "that it is not negative"
    )
    current().end_unknown(complex_root, error)
    root = sqrt(x)
    exact = and_(x >= _NORMAL, _is_product(root, root, x))
    _end_unless(or_(x == 0, not_(is_finite(x)), exact))
    return ite(x == 0, 0.0, ite(is_infinite(x), abs(x), root))


def _end_unless(exact: Guard) -> None:
    error = NotLiftedError(
        "a power of a symbolic float that has to be rounded is not lifted: the last bit depends on "
        "the C library; multiply instead, use `math.sqrt`, or assume few values"
    )
    current().end_unknown(not_(exact), error)


def power_by_values(a: Value, b: Value, raise_to: Callable[[Value, Value], Value]) -> Value:
    """The power of numbers with few values, as CPython computes it; `None` if they have many.

    If only the exponent has few, each of them is a case of its own.
    """
    first, second = values_of(a), values_of(b)
    if second is None and (isinstance(b, Term) or first is None):
        return None
    rows = len(choices_of(first)) if first is not None else 1
    if second is not None and rows * len(choices_of(second)) > MOST_LEAVES:
        return None
    return raise_to(a if first is None else first, b if second is None else second)
