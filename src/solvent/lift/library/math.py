"""The module `math`, as far as solvers can express it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.facts import WORD, bounds
from solvent.lift.leaves import MOST_LEAVES, each_leaf
from solvent.lift.library.builtins.conversions import float_
from solvent.lift.library.builtins.functions import check_whole, special
from solvent.lift.messages import raised
from solvent.lift.registry import FUNCTIONS, lifts
from solvent.lift.unlifted import is_concrete, is_data
from solvent.lift.words import check_float
from solvent.terms import (
    RoundingMode,
    float_from_bits,
    fma,
    fp_rem,
    int_to_bv,
    is_finite,
    is_infinite,
    is_nan,
    is_negative,
    round_to_integral,
    sqrt,
)
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.reals import RealTerm
from solvent.terms.term import Term
from solvent.vm.kinds import STANDS_FOR, type_name
from solvent.vm.machine import current
from solvent.vm.slots import is_partial
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
            for name, value in named.items():
                if type(value) is Union:
                    return over(value, lambda m: function(*values, **{**named, name: m}))  # noqa: B023
            given = (*values, *named.values())
            if not any(_is_term(value) or _is_own(value) for value in given):
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
        # What is too small for a float becomes a zero with its sign.
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
    """A number that a symbolic one does not exceed; where it does, the path ends."""
    if not isinstance(value, Term):
        return int(value)
    machine = current()
    _, high = bounds(value)
    if high is not None and high <= limits[-1]:
        return max(0, high)
    for limit in limits:
        if not machine.limits.feasible(machine, value > limit):
            return limit
    error = NotLiftedError(
        f"`math.{what}` of a symbolic number is only lifted up to {limits[-1]}; assume a bound"
    )
    machine.end_unknown(value > limits[-1], error)
    return limits[-1]


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
    limits = (64, 1024, 16384, 2**32, 2**WORD)
    most = math.isqrt(largest(value, "isqrt", limits))
    result: Integer = 0
    if most <= _FEW_ROOTS:
        for root in range(1, most + 1):
            result = ite(value >= root * root, root, result)
        return result
    # Digit by digit, the highest one first.
    for digit in reversed(range(most.bit_length())):
        larger = result + (1 << digit)
        result = ite(larger * larger <= value, larger, result)
    # True of the root in any case, and what solvers would have to find out digit by digit.
    current().assume(and_(result * result <= value, value < (result + 1) * (result + 1)))
    return result


# Up to so many square roots are tried.
_FEW_ROOTS = 128


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


# --- floats ---------------------------------------------------------------------------------------


@_math(math.isclose)
def isclose(a: Value, b: Value, *, rel_tol: Value = 1e-09, abs_tol: Value = 0.0) -> Guard:
    """`math.isclose(a, b, rel_tol=..., abs_tol=...)`, in the steps in which CPython computes it."""
    a, b, relative, absolute = (_float(value) for value in (a, b, rel_tol, abs_tol))
    wrong = or_(relative < 0, absolute < 0)
    current().fail_if(wrong, raised(_far_apart))
    apart = abs(b - a)
    near = or_(apart <= abs(relative * b), apart <= abs(relative * a), apart <= absolute)
    return or_(a == b, and_(not_(isinf(a)), not_(isinf(b)), near))


def _far_apart() -> bool:
    return math.isclose(1.0, 2.0, rel_tol=-1.0)


def _float(value: Value) -> Value:
    """A float for a function whose steps are computed one by one."""
    if type(value) is RealTerm:
        raise NotLiftedError(
            "functions of `math` that round are not lifted for a Real; use a Float"
        )
    return _number(value)


def _check_domain(result: Value, given: Sequence[Value], error: Exception) -> None:
    """Raise where a result is NaN although no argument is."""
    current().fail_if(and_(isnan(result), not_(or_([isnan(value) for value in given]))), error)


def _signed_as(size: Value, sign: Value) -> Value:
    """A number that is not negative, with the sign of another."""
    return copysign(size, sign) if _is_term(sign) or _is_term(size) else math.copysign(size, sign)


@_math(math.fmod)
def fmod(x: Value, y: Value, /) -> Value:
    """`math.fmod(x, y)`: the remainder has the sign of `x`, and is exact."""
    x, y = _float(x), _float(y)
    rest = fp_rem(abs(x), abs(y))
    size = ite(rest < 0, rest + abs(y), rest)
    _check_domain(size, (x, y), raised(math.fmod, 1.0, 0.0))
    return _signed_as(size, x)


@_math(math.remainder)
def remainder(x: Value, y: Value, /) -> Value:
    """`math.remainder(x, y)`: that of IEEE 754."""
    x, y = _float(x), _float(y)
    rest = fp_rem(x, y)
    _check_domain(rest, (x, y), raised(math.remainder, 1.0, 0.0))
    return rest


@_math(math.modf)
def modf(x: Value, /) -> Value:
    """`math.modf(x)`: the part behind the point and the whole part, both with the sign of `x`."""
    x = _float(x)
    whole = round_to_integral(x, RoundingMode.RTZ)
    part = ite(isinf(x), 0.0, abs(x - whole))
    return _signed_as(part, x), whole


# The steps in which a float is brought to a size between 1 and 2.
_SCALES = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)


@_math(math.frexp)
def frexp(x: Value, /) -> Value:
    """`math.frexp(x)`: no step loses a bit, as each is a multiplication by a power of two."""
    x = _float(x)
    size = abs(x)
    exponent: Integer = 0
    for scale in _SCALES:
        large = size >= 2.0**scale
        size = ite(large, size * 2.0**-scale, size)
        exponent = ite(large, exponent + scale, exponent)
    # The smallest float has a size of 2 ** -1074.
    for scale in (512, *_SCALES):
        small = size < 2.0 ** (1 - scale)
        size = ite(small, size * 2.0**scale, size)
        exponent = ite(small, exponent - scale, exponent)
    special = or_(x == 0, not_(isfinite(x)))
    return ite(special, x, _signed_as(size / 2, x)), ite(special, 0, exponent + 1)


# A power of two up to here, and its inverse, are normal floats: to multiply by it rounds once.
_SCALE = 1022


@_math(math.ldexp)
def ldexp(x: Value, i: Value, /) -> Value:
    """`math.ldexp(x, i)`: a product with powers of two, of which only the last one rounds."""
    x = _float(x)
    if not isinstance(i, (int, IntTerm, BoolTerm)):
        sample: Value = STANDS_FOR[type(i)]() if _is_term(i) else i
        raise raised(math.ldexp, 1.0, sample)
    i = _whole(i)
    low, high = bounds(i)
    if low is None or low < -_SCALE:
        error = NotLiftedError(
            f"`math.ldexp` of symbolic numbers by less than -{_SCALE} is not lifted; assume a bound"
        )
        current().end_unknown(and_(i < -_SCALE, not_(x == 0), isfinite(x)), error)
    result = x * _power_of_two(_clamped(i))
    # The largest of all powers bring the smallest float beyond the largest one.
    for step in (1, 2):
        if high is None or high > step * _SCALE:
            result = result * _power_of_two(_clamped(ite(i > step * _SCALE, i - step * _SCALE, 0)))
    too_large = and_(isinf(result), not_(isinf(x)))
    current().fail_if(too_large, raised(math.ldexp, 1.0, 5000))
    return result


def _clamped(i: Integer) -> Integer:
    return ite(i > _SCALE, _SCALE, ite(i < -_SCALE, -_SCALE, i))


def _power_of_two(i: Integer) -> Value:
    """A float, from its bits."""
    return float_from_bits(int_to_bv(i + 1023, 64) << 52)


def _by_constant(original: Callable[..., Value]) -> None:
    """An angle in another unit: CPython multiplies by a constant."""
    factor = original(1.0)

    @_math(original)
    def function(x: Value, /) -> Value:
        return _float(x) * factor


_by_constant(math.degrees)
_by_constant(math.radians)


# What the sum of negative zeros is differs between versions.
_ZERO_SUM = math.fsum([-0.0])


@lifts(math.fsum)
def fsum(seq: Value, /) -> Value:
    """`math.fsum(seq)` of whole numbers, or of at most two floats, which are rounded once."""
    if is_data(seq):
        return math.fsum(seq)
    items = call(list)(seq)
    if type(items) is Union:
        return over(items, fsum)
    if any(is_partial(item) or type(item) is Union for item in items):
        raise NotLiftedError(
            "`math.fsum` of a list whose length or types differ between paths is not lifted; use "
            "`sum`"
        )
    if all(type(item) in _WHOLE for item in items):
        return _sum_of_ints([_whole(item) for item in items])
    numbers = [_float(item) for item in items]
    if len(numbers) > 2:
        raise NotLiftedError(
            "`math.fsum` of more than two floats, one of them symbolic, is not lifted: solvers "
            "cannot round it as the machine does; use `sum`"
        )
    total = numbers[0] if len(numbers) == 1 else numbers[0] + numbers[1]
    _check_domain(total, numbers, raised(math.fsum, [math.inf, -math.inf]))
    too_large = and_(isinf(total), *[not_(isinf(number)) for number in numbers])
    current().fail_if(too_large, raised(math.fsum, [1.7e308, 1.7e308]))
    return ite(total == 0, _ZERO_SUM, total)


_WHOLE = (int, bool, IntTerm, BoolTerm)


def _sum_of_ints(items: list[Integer]) -> Value:
    for item in items:
        low, high = bounds(item)
        if low is None or high is None or max(-low, high) > 2**53:
            raise NotLiftedError(
                "`math.fsum` of symbolic ints is only lifted if they have bounds below 2**53; use "
                "`sum`"
            )
    return float_(sum(items))


# --- what solvers cannot round --------------------------------------------------------------------


def _by_values(original: Callable[..., Value]) -> None:
    """A function that is applied to each of the values that its arguments may have."""

    @lifts(original)
    def function(*values: Value, **named: Value) -> Value:
        for place, value in enumerate(values):
            rows = each_leaf(value)
            if rows is not None:
                return over(
                    rows,
                    lambda m: function(*values[:place], m, *values[place + 1 :], **named),  # noqa: B023
                )
        if all(is_concrete(value) for value in (*values, *named.values())):
            return original(*values, **named)
        raise NotLiftedError(
            f"`math.{original.__name__}` of a symbolic number with more than {MOST_LEAVES} values "
            "is not lifted: solvers cannot round it as the machine does; use arithmetic on Reals "
            "with bounds instead"
        )


for _name in (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh",
    "dist", "erf", "erfc", "exp", "exp2", "expm1", "gamma", "hypot",
    "lgamma", "log", "log10", "log1p", "log2", "nextafter", "pow",
    "sin", "sinh", "tan", "tanh", "ulp",
):  # fmt: skip
    _by_values(getattr(math, _name))


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
