"""The module `math`, as far as solvers can express it."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.library.builtins.conversions import float_
from solvent.lift.library.builtins.functions import check_whole, special
from solvent.lift.messages import raised
from solvent.lift.registry import FUNCTIONS, lifts
from solvent.lift.unlifted import is_concrete, is_data
from solvent.lift.words import check_float
from solvent.terms import fma, is_finite, is_infinite, is_nan, is_negative, sqrt
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.reals import RealTerm
from solvent.terms.term import Term
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# The numbers up to which functions on whole numbers try all values.
_LIMITS = (8, 16, 32, 64, 128)

_NUMBERS = (int, float, IntTerm, BoolTerm, RealTerm, FloatTerm)


def _math(original: Callable[..., Value]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function of `math`: native on concrete numbers, spread over unions."""

    def register(symbolic: Callable[..., Value]) -> Callable[..., Value]:
        def function(*values: Value, **named: Value) -> Value:
            for place, value in enumerate(values):
                if type(value) is Union:
                    return over(
                        value,
                        lambda m: function(*values[:place], m, *values[place + 1 :], **named),  # noqa: B023
                    )
            if not any(_is_term(value) or _is_own(value) for value in values):
                return original(*values, **named)
            return symbolic(*values, **named)

        function.__name__ = original.__name__
        lifts(original)(function)
        return function

    return register


def _is_term(value: object) -> bool:
    return isinstance(value, Term)


def _is_own(value: object) -> bool:
    return type(getattr(type(value), "__init__", None)) is FunctionType


def _number(value: Value) -> Value:
    """A number for a float function: ints become floats as in Python."""
    if not isinstance(value, _NUMBERS):
        raise TypeError(f"must be real number, not {type_name(value)}")
    return float_(value)


def _rounding(native: Callable[..., Value], name: str) -> Callable[..., Value]:
    @_math(native)
    def function(value: Value, /) -> Value:
        result = special(value, name)
        if result is not NotImplemented:
            return result
        if type(value) is BoolTerm:
            return value.as_int()
        if type(value) is FloatTerm:
            check_whole(value)
        return native(value)

    return FUNCTIONS[native]


floor = _rounding(math.floor, "__floor__")
ceil = _rounding(math.ceil, "__ceil__")
trunc = _rounding(math.trunc, "__trunc__")


@_math(math.fabs)
def fabs(value: Value, /) -> Value:
    """`math.fabs(value)`."""
    return abs(_number(value))


@_math(math.isnan)
def isnan(value: Value, /) -> Guard:
    """`math.isnan(value)`."""
    value = _number(value)
    return is_nan(value) if type(value) is FloatTerm else False


@_math(math.isinf)
def isinf(value: Value, /) -> Guard:
    """`math.isinf(value)`."""
    value = _number(value)
    return is_infinite(value) if type(value) is FloatTerm else False


@_math(math.isfinite)
def isfinite(value: Value, /) -> Guard:
    """`math.isfinite(value)`."""
    value = _number(value)
    return is_finite(value) if type(value) is FloatTerm else True


@_math(math.copysign)
def copysign(value: Value, sign: Value, /) -> Value:
    """`math.copysign(value, sign)`."""
    size = abs(_number(value))
    check_float(sign)
    if isinstance(sign, (RealTerm, IntTerm, BoolTerm)):
        negative = sign < 0
    else:
        sign = _number(sign)
        if not isinstance(sign, FloatTerm):
            negative = math.copysign(1.0, sign) < 0
        else:
            negative = is_negative(sign)
    return ite(negative, -size, size)


@_math(math.sqrt)
def square_root(value: Value, /) -> Value:
    """`math.sqrt(value)`: the correctly rounded one of a float."""
    if type(value) is RealTerm:
        raise NotLiftedError(
            "the square root of a Real is not lifted; use a Float, or `r * r == x`"
        )
    value = _number(value)
    current().fail_if(value < 0, raised(math.sqrt, -1.0))
    return sqrt(value)


# --- whole numbers --------------------------------------------------------------------------------


def _whole(value: Value) -> Value:
    if type(value) is BoolTerm:
        return value.as_int()
    if isinstance(value, Term) and type(value) is not IntTerm:
        raise TypeError(f"'{type_name(value)}' object cannot be interpreted as an integer")
    result = special(value, "__index__")
    return value if result is NotImplemented else result


def largest(value: Integer, what: str, limits: tuple[int, ...] = _LIMITS) -> int:
    """A number that a symbolic one does not exceed; a solver is asked."""
    if not isinstance(value, Term):
        return int(value)
    machine = current()
    for limit in limits:
        if not machine.limits.feasible(machine, value > limit):
            return limit
    raise NotLiftedError(
        f"`math.{what}` of a symbolic number is only lifted up to {limits[-1]}; assume a "
        "bound on it"
    )


def _table(value: Integer, most: int, result: Callable[[int], Value]) -> Value:
    """What a function has for the number from 0 to `most` that a term stands for."""
    if not isinstance(value, Term):
        return result(value)
    found = result(most)
    for number in range(most):
        found = ite(value == number, result(number), found)
    return found


@_math(math.gcd)
def gcd(*values: Value) -> Integer:
    """`math.gcd(...)`: the largest of the possible divisors that divides all."""
    result: Integer = 0
    for value in values:
        result = _gcd(result, abs(_whole(value)))
    return result


def _gcd(a: Integer, b: Integer) -> Integer:
    if not isinstance(a, Term) and not isinstance(b, Term):
        return math.gcd(a, b)
    if not isinstance(a, Term):
        a, b = b, a
    if not isinstance(b, Term):
        if b == 0:
            return a
        divisors = [number for number in range(1, b + 1) if b % number == 0]
        both = [a % number == 0 for number in divisors]
    else:
        # If one of them is zero, the other is the result.
        smaller = ite(or_(a == 0, b == 0), 0, ite(a < b, a, b))
        most = largest(smaller, "gcd")
        divisors = list(range(1, most + 1))
        both = [and_(a % number == 0, b % number == 0) for number in divisors]
    result: Integer = 1
    for number, divides in zip(divisors, both, strict=True):
        result = ite(divides, number, result)
    return ite(a == 0, b, ite(b == 0, a, result)) if _is_term(b) else result


@_math(math.lcm)
def lcm(*values: Value) -> Integer:
    """`math.lcm(...)`."""
    result: Integer = 1
    for value in values:
        number = abs(_whole(value))
        common = _gcd(result, number)
        whole = ite(common == 0, 1, common) if _is_term(common) else max(common, 1)
        result = result // whole * number
    return result


@_math(math.isqrt)
def isqrt(value: Value, /) -> Integer:
    """`math.isqrt(value)`."""
    value = _whole(value)
    error = raised(math.isqrt, -1)
    current().fail_if(value < 0, error)
    result: Integer = 0
    for root in range(1, math.isqrt(largest(value, "isqrt", (64, 1024, 16384))) + 1):
        result = ite(value >= root * root, root, result)
    return result


@_math(math.factorial)
def factorial(value: Value, /) -> Value:
    """`math.factorial(value)`."""
    value = _whole(value)
    error = raised(math.factorial, -1)
    current().fail_if(value < 0, error)
    return _table(value, largest(value, "factorial"), math.factorial)


@_math(math.perm)
def perm(n: Value, k: Value = None, /) -> Value:
    """`math.perm(n, k)`."""
    return factorial(n) if k is None else _counted(_whole(n), _whole(k), math.perm)


@_math(math.comb)
def comb(n: Value, k: Value, /) -> Value:
    """`math.comb(n, k)`."""
    return _counted(_whole(n), _whole(k), math.comb)


def _counted(n: Integer, k: Integer, count: Callable[[int, int], int]) -> Value:
    machine = current()
    machine.fail_if(n < 0, raised(count, -1, 0))
    machine.fail_if(k < 0, raised(count, 0, -1))
    most = largest(n, count.__name__)
    # Of more than there are, there is no selection.
    size = most if isinstance(k, Term) else k
    found = _table(n, most, lambda whole: _table(k, size, lambda part: count(whole, part)))
    return ite(k > n, 0, found)


@lifts(math.prod)
def prod(iterable: Value, /, *, start: Value = 1) -> Value:
    """`math.prod(iterable, start=...)`."""
    if is_data(iterable) and is_data(start):
        return math.prod(iterable, start=start)
    return _product(iterable, start)


@lifted
def _product(source: Value, result: Value) -> Value:
    for item in source:
        result = result * item
    return result


# --- what is refused ------------------------------------------------------------------------------


def _refused(original: Callable[..., Value]) -> None:
    @lifts(original)
    def function(*values: Value, **named: Value) -> Value:
        for place, value in enumerate(values):
            if type(value) is Union:
                return over(
                    value,
                    lambda m: function(*values[:place], m, *values[place + 1 :], **named),  # noqa: B023
                )
        if all(is_concrete(value) for value in (*values, *named.values())):
            return original(*values, **named)
        raise NotLiftedError(
            f"`math.{original.__name__}` of a symbolic number is not lifted: solvers cannot round "
            "it as the machine does; use arithmetic on Reals with bounds instead"
        )


for _name in (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "degrees",
    "dist", "erf", "erfc", "exp", "exp2", "expm1", "fmod", "frexp", "fsum", "gamma", "hypot",
    "isclose", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "modf", "nextafter", "pow",
    "radians", "remainder", "sin", "sinh", "tan", "tanh", "ulp",
):  # fmt: skip
    _refused(getattr(math, _name))


# --- from Python 3.12 on --------------------------------------------------------------------------

_SUMPROD: Value = getattr(math, "sumprod", None)
_FMA: Value = getattr(math, "fma", None)


def sumprod(p: Value, q: Value, /) -> Value:
    """`math.sumprod(p, q)` of whole numbers; that of floats is rounded only once."""
    if is_data(p) and is_data(q):
        return _SUMPROD(p, q)
    unequal = raised(_SUMPROD, (1,), ())
    return _products(p, q, lambda: unequal, _check_summand)


def _check_summand(value: Value) -> None:
    if isinstance(value, float):
        raise NotLiftedError(
            "`math.sumprod` of symbolic floats is not lifted: solvers cannot round it as the "
            "machine does; use `sum` of products"
        )


@lifted
def _products(
    p: Value, q: Value, unequal: Callable[[], Exception], check: Callable[[Value], None]
) -> Value:
    total = 0
    rest = iter(q)
    for a in p:
        for b in rest:
            check(a)
            check(b)
            total += a * b
            break
        else:
            raise unequal()
    for _ in rest:
        raise unequal()
    return total


if _SUMPROD is not None:
    lifts(_SUMPROD)(sumprod)

if _FMA is not None:

    @_math(_FMA)
    def multiply_add(x: Value, y: Value, z: Value, /) -> Value:
        """`math.fma(x, y, z)`."""
        x, y, z = (_number(value) for value in (x, y, z))
        result = fma(x, y, z)
        machine = current()
        given = or_([is_nan(value) for value in (x, y, z)])
        machine.fail_if(and_(is_nan(result), not_(given)), raised(_FMA, 0.0, math.inf, 1.0))
        infinite = or_([is_infinite(value) for value in (x, y, z)])
        machine.fail_if(and_(is_infinite(result), not_(infinite)), raised(_FMA, 1e300, 1e300, 1.0))
        return result
