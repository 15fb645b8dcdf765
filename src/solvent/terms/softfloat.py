"""Concrete IEEE 754 floats of any format and all five rounding modes, computed exactly.

Every operation is done on exact rational numbers, and the result is rounded once, by `rounded`.
That is slow and plainly right; binary64 with Python's own rounding mode takes the machine's
arithmetic instead.

As in SMT-LIB there is one NaN in each format.  Functions that round take the rounding mode as
their first argument.
"""

from __future__ import annotations

import decimal
import math
import operator
import struct
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, overload

from solvent.errors import SortError
from solvent.terms.sorts import FloatSort, describe, float_sort

if TYPE_CHECKING:
    from solvent.terms.kinds import Datum, Floating

BINARY64 = float_sort(11, 53)

ValueT = TypeVar("ValueT")


class RoundingMode(Enum):
    """The rounding modes of IEEE 754, under SMT-LIB's names.

    >>> RoundingMode.RTZ, RoundingMode("roundNearestTiesToEven")
    (RTZ, RNE)
    """

    RNE = "roundNearestTiesToEven"
    RNA = "roundNearestTiesToAway"
    RTP = "roundTowardPositive"
    RTN = "roundTowardNegative"
    RTZ = "roundTowardZero"

    # The modes are parts of keys; the hash of `Enum` is a slow function.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


RNE, RNA, RTP, RTN, RTZ = RoundingMode


class Layout(NamedTuple):
    """The constants of a format.  A positive float's bits, read as a number, grow with it."""

    fraction_bits: int
    sign_bit: int
    infinity: int
    nan: int
    smallest_exponent: int
    """The smallest positive float is 2 to this power."""


@cache
def layout(sort: FloatSort) -> Layout:
    """The constants of a format."""
    fraction_bits = sort.sbits - 1
    infinity = ((1 << sort.ebits) - 1) << fraction_bits
    return Layout(
        fraction_bits=fraction_bits,
        sign_bit=1 << (sort.ebits + fraction_bits),
        infinity=infinity,
        nan=infinity | 1 << (fraction_bits - 1),
        smallest_exponent=3 - (1 << (sort.ebits - 1)) - sort.sbits,
    )


class FP:
    """A concrete float of some format; make one with `fp(value, sort)`.

    Arithmetic and order are those of Python's `float` (rounding to nearest, ties to even).
    Equality is the one of the logic, which tells the two zeros apart and holds for NaN, so that
    floats can be keys; `ieee_eq` is the comparison of IEEE 754.

    >>> from solvent.terms import Float32, fp
    >>> fp(1.5, Float32) + 0.1, fp(16777216.0, Float32) + 1
    (fp(1.6, Float32), fp(16777216.0, Float32))
    >>> fp(0.0, Float32) == fp(-0.0, Float32)
    False
    """

    __slots__ = ("bits", "sort")

    bits: int
    sort: FloatSort

    def __init__(self) -> None:
        raise TypeError("make a float with `fp(value, sort)` or `from_bits(sort, bits)`")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a float cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a float cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, FP):
            return self.bits == other.bits and self.sort is other.sort
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.bits)

    def __reduce__(self) -> tuple[object, ...]:
        return (from_bits, (self.sort, self.bits))

    @property
    def negative(self) -> bool:
        """The sign bit; NaN has none."""
        return self.bits >= layout(self.sort).sign_bit

    @property
    def magnitude(self) -> int:
        """The bits without the sign."""
        return self.bits & (layout(self.sort).sign_bit - 1)

    @property
    def number(self) -> float | Fraction:
        """The same number as a `float` if there is one, else as a `Fraction`."""
        if is_nan(self):
            return math.nan
        if is_infinite(self):
            return -math.inf if self.negative else math.inf
        wide = convert(RNE, BINARY64, self)
        if not is_finite(wide) or to_fraction(wide) != to_fraction(self):
            return to_fraction(self)
        return to_python(wide)

    @property
    def smt(self) -> str:
        """The literal of SMT-LIB.

        >>> from solvent.terms import Float16, fp
        >>> fp(-1.5, Float16).smt
        '(fp #b1 #b01111 #b1000000000)'
        """
        ebits, sbits = self.sort.ebits, self.sort.sbits
        if is_nan(self):
            return f"(_ NaN {ebits} {sbits})"
        text = f"{self.bits:0{ebits + sbits}b}"
        return f"(fp #b{text[0]} #b{text[1 : ebits + 1]} #b{text[ebits + 1 :]})"

    def __repr__(self) -> str:
        return f"fp({literal(self)}, {self.sort})"

    # Python's operators.

    def __add__(self, other: FP | float) -> FP:
        return self._apply(add, other)

    def __radd__(self, other: FP | float) -> FP:
        return self._apply(add, other, reflected=True)

    def __sub__(self, other: FP | float) -> FP:
        return self._apply(sub, other)

    def __rsub__(self, other: FP | float) -> FP:
        return self._apply(sub, other, reflected=True)

    def __mul__(self, other: FP | float) -> FP:
        return self._apply(mul, other)

    def __rmul__(self, other: FP | float) -> FP:
        return self._apply(mul, other, reflected=True)

    def __truediv__(self, other: FP | float) -> FP:
        return self._apply(_python_div, other)

    def __rtruediv__(self, other: FP | float) -> FP:
        return self._apply(_python_div, other, reflected=True)

    def __lt__(self, other: FP | float) -> bool:
        return self._compare(operator.lt, other)

    def __le__(self, other: FP | float) -> bool:
        return self._compare(operator.le, other)

    def __gt__(self, other: FP | float) -> bool:
        return self._compare(operator.gt, other)

    def __ge__(self, other: FP | float) -> bool:
        return self._compare(operator.ge, other)

    def _apply(self, function: Callable[..., FP], other: FP | float, reflected: bool = False) -> FP:
        if isinstance(other, FP):
            self._require_format(other)
        elif isinstance(other, (int, float)):
            other = from_number(RNE, self.sort, other)
        else:
            return NotImplemented
        return function(RNE, other, self) if reflected else function(RNE, self, other)

    def _compare(self, relation: Callable[[Any, Any], bool], other: FP | float) -> bool:
        if isinstance(other, int):
            return relation(self.number, other)  # exact, as Python compares int and float
        if isinstance(other, float):
            other = from_number(RNE, self.sort, other)
        elif not isinstance(other, FP):
            return NotImplemented
        self._require_format(other)
        return relation(self.number, other.number)

    def _require_format(self, other: FP) -> None:
        if other.sort is not self.sort:
            raise SortError(
                f"operands of one format are needed: {describe(self)} and {describe(other)}"
            )

    def __neg__(self) -> FP:
        return neg(self)

    def __pos__(self) -> FP:
        return self

    def __abs__(self) -> FP:
        return absolute(self)

    def __bool__(self) -> bool:
        return not is_zero(self)

    def __float__(self) -> float:
        return to_python(convert(RNE, BINARY64, self))

    def __int__(self) -> int:
        return int(self.number)

    def __trunc__(self) -> int:
        return int(self.number)

    def __floor__(self) -> int:
        return math.floor(self.number)

    def __ceil__(self) -> int:
        return math.ceil(self.number)

    def __round__(self) -> int:
        return round(self.number)


# The only ways past `__setattr__`.
_set_bits = FP.__dict__["bits"].__set__
_set_sort = FP.__dict__["sort"].__set__


def make(sort: FloatSort, bits: int) -> FP:
    """The float of bits that are known to be in range and, for NaN, the canonical ones."""
    result = object.__new__(FP)
    _set_bits(result, bits)
    _set_sort(result, sort)
    return result


def from_bits(sort: FloatSort, bits: int) -> FP:
    """The float whose representation in memory is this number.

    >>> from_bits(float_sort(5, 11), 0x3E00)
    fp(1.5, Float16)
    """
    constants = layout(sort)
    bits &= 2 * constants.sign_bit - 1
    is_number = bits & (constants.sign_bit - 1) <= constants.infinity
    return make(sort, bits if is_number else constants.nan)


def nan(sort: FloatSort) -> FP:
    """Not a number."""
    return make(sort, layout(sort).nan)


def infinity(sort: FloatSort, negative: bool = False) -> FP:
    """Plus or minus infinity."""
    constants = layout(sort)
    return make(sort, constants.infinity | (constants.sign_bit if negative else 0))


def zero(sort: FloatSort, negative: bool = False) -> FP:
    """Plus or minus zero."""
    return make(sort, layout(sort).sign_bit if negative else 0)


# --- rounding ----------------------------------------------------------------------------------


def round_quotient(rm: RoundingMode, negative: bool, numerator: int, denominator: int) -> int:
    """The quotient of natural numbers as an integer; `negative` tells what "up" means."""
    quotient, rest = divmod(numerator, denominator)
    if rest == 0:
        return quotient
    if rm is RNE:
        up = 2 * rest + (quotient & 1) > denominator
    elif rm is RNA:
        up = 2 * rest >= denominator
    else:
        up = rm is (RTN if negative else RTP)
    return quotient + up


def rounded(
    rm: RoundingMode, sort: FloatSort, negative: bool, numerator: int, denominator: int = 1
) -> FP:
    """The float nearest to a sign and a quotient of natural numbers."""
    constants = layout(sort)
    sign = constants.sign_bit if negative else 0
    if numerator == 0:
        return make(sort, sign)
    # The exponent of the leading bit of the quotient.
    exponent = numerator.bit_length() - denominator.bit_length()
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    # The exponent of the last bit that is kept.
    last = max(exponent - constants.fraction_bits, constants.smallest_exponent)
    significand = round_quotient(
        rm, negative, numerator << max(-last, 0), denominator << max(last, 0)
    )
    # The leading bit of the significand, or a carry out of it, adds one to the exponent's field.
    field = last - constants.smallest_exponent
    magnitude = (field << constants.fraction_bits) + significand
    if magnitude >= constants.infinity:
        away = rm in (RNE, RNA) or rm is (RTN if negative else RTP)
        magnitude = constants.infinity if away else constants.infinity - 1
    return make(sort, sign | magnitude)


def ratio(a: FP) -> tuple[int, int]:
    """The absolute value of a finite float as numerator and denominator."""
    constants = layout(a.sort)
    field, fraction = divmod(a.magnitude, 1 << constants.fraction_bits)
    significand = fraction | 1 << constants.fraction_bits if field else fraction
    exponent = constants.smallest_exponent + max(field - 1, 0)
    return significand << max(exponent, 0), 1 << max(-exponent, 0)


def round_to_integer(rm: RoundingMode, a: FP) -> int:
    """A finite float as an integer."""
    natural = round_quotient(rm, a.negative, *ratio(a))
    return -natural if a.negative else natural


# --- classification and order ------------------------------------------------------------------


def is_nan(a: FP) -> bool:
    """Whether it is not a number."""
    return a.bits == layout(a.sort).nan


def is_infinite(a: FP) -> bool:
    """Whether it is an infinity."""
    return a.magnitude == layout(a.sort).infinity


def is_finite(a: FP) -> bool:
    """Whether it is a number other than the infinities."""
    return a.magnitude < layout(a.sort).infinity


def is_zero(a: FP) -> bool:
    """Whether it is one of the zeros."""
    return a.magnitude == 0


def is_normal(a: FP) -> bool:
    """Whether it is finite and has a full significand."""
    constants = layout(a.sort)
    return 1 << constants.fraction_bits <= a.magnitude < constants.infinity


def is_subnormal(a: FP) -> bool:
    """Whether it is so small that bits of its significand are lost; zero is not."""
    return 0 < a.magnitude < 1 << layout(a.sort).fraction_bits


def is_negative(a: FP) -> bool:
    """Whether it has a minus sign; NaN has no sign."""
    return a.negative


def is_positive(a: FP) -> bool:
    """Whether it has a plus sign; NaN has no sign."""
    return not a.negative and not is_nan(a)


def _rank(a: FP) -> int:
    """A number that grows with the float."""
    return -a.magnitude if a.negative else a.magnitude


def lt(a: FP, b: FP) -> bool:
    """IEEE `<`: never with NaN."""
    return not is_nan(a) and not is_nan(b) and _rank(a) < _rank(b)


def leq(a: FP, b: FP) -> bool:
    """IEEE `<=`: never with NaN."""
    return not is_nan(a) and not is_nan(b) and _rank(a) <= _rank(b)


def ieee_eq(a: FP, b: FP) -> bool:
    """IEEE `==`: the zeros are equal, NaN equals nothing.

    >>> minus, plus = zero(BINARY64, negative=True), zero(BINARY64)
    >>> ieee_eq(minus, plus), minus == plus
    (True, False)
    """
    return not is_nan(a) and not is_nan(b) and _rank(a) == _rank(b)


# --- arithmetic --------------------------------------------------------------------------------


def neg(a: FP) -> FP:
    """The other sign."""
    return a if is_nan(a) else make(a.sort, a.bits ^ layout(a.sort).sign_bit)


def absolute(a: FP) -> FP:
    """Without the sign."""
    return make(a.sort, a.magnitude)


Signed = tuple[bool, int, int]


def _signed(a: FP) -> Signed:
    return (a.negative, *ratio(a))


def _rounded_sum(rm: RoundingMode, sort: FloatSort, a: Signed, b: Signed) -> FP:
    """The sum of two rational numbers, of which zeros have a sign."""
    (a_negative, a_numerator, a_denominator), (b_negative, b_numerator, b_denominator) = a, b
    left = a_numerator * b_denominator
    right = b_numerator * a_denominator
    total = (-left if a_negative else left) + (-right if b_negative else right)
    # Zeros and summands of different signs that cancel give the plus sign, but for one mode.
    cancelled = rm is RTN if a_negative != b_negative else a_negative
    negative = cancelled if total == 0 else total < 0
    return rounded(rm, sort, negative, abs(total), a_denominator * b_denominator)


def _is_native(rm: RoundingMode, sort: FloatSort) -> bool:
    """Whether the machine computes in this format and mode."""
    return rm is RNE and sort is BINARY64


def add(rm: RoundingMode, a: FP, b: FP) -> FP:
    """The rounded sum."""
    sort = a.sort
    if _is_native(rm, sort):
        return from_python(to_python(a) + to_python(b))
    if is_finite(a) and is_finite(b):
        return _rounded_sum(rm, sort, _signed(a), _signed(b))
    if is_nan(a) or is_nan(b) or (is_infinite(a) and is_infinite(b) and a != b):
        return nan(sort)
    return a if is_infinite(a) else b


def sub(rm: RoundingMode, a: FP, b: FP) -> FP:
    """The rounded difference."""
    return add(rm, a, neg(b))


def mul(rm: RoundingMode, a: FP, b: FP) -> FP:
    """The rounded product."""
    sort = a.sort
    if _is_native(rm, sort):
        return from_python(to_python(a) * to_python(b))
    negative = a.negative != b.negative
    if is_finite(a) and is_finite(b):
        (n, d), (m, e) = ratio(a), ratio(b)
        return rounded(rm, sort, negative, n * m, d * e)
    if is_nan(a) or is_nan(b) or is_zero(a) or is_zero(b):
        return nan(sort)
    return infinity(sort, negative)


def div(rm: RoundingMode, a: FP, b: FP) -> FP:
    """The rounded quotient; a zero divisor gives an infinity, or NaN for 0 / 0."""
    sort = a.sort
    if is_nan(a) or is_nan(b):
        return nan(sort)
    negative = a.negative != b.negative
    if is_infinite(a) or is_zero(b):
        undefined = is_infinite(b) or is_zero(a)
        return nan(sort) if undefined else infinity(sort, negative)
    if is_infinite(b):
        return zero(sort, negative)
    if _is_native(rm, sort):
        return from_python(to_python(a) / to_python(b))
    (n, d), (m, e) = ratio(a), ratio(b)
    return rounded(rm, sort, negative, n * e, d * m)


def _python_div(rm: RoundingMode, a: FP, b: FP) -> FP:
    if is_zero(b):
        raise ZeroDivisionError("float division by zero")
    return div(rm, a, b)


def fma(rm: RoundingMode, a: FP, b: FP, c: FP) -> FP:
    """`a * b + c`, rounded once."""
    sort = a.sort
    if is_finite(a) and is_finite(b):
        if not is_finite(c):
            return c
        (n, d), (m, e) = ratio(a), ratio(b)
        product = (a.negative != b.negative, n * m, d * e)
        return _rounded_sum(rm, sort, product, _signed(c))
    # The product is exact, hence so is the sum, but for NaN and the infinities of c.
    return add(rm, mul(rm, a, b), c)


def sqrt(rm: RoundingMode, a: FP) -> FP:
    """The rounded square root; that of -0 is -0.

    >>> sqrt(RoundingMode.RTP, from_python(2.0))
    fp(1.4142135623730951, Float64)
    """
    sort = a.sort
    if is_zero(a) or a == infinity(sort):
        return a
    if is_nan(a) or a.negative:
        return nan(sort)
    if _is_native(rm, sort):
        return from_python(math.sqrt(to_python(a)))
    numerator, denominator = ratio(a)
    # The root of n * d is d times the root of n / d; it is computed to more bits than are kept.
    shift = sort.sbits + 2
    scaled = numerator * denominator << 2 * shift
    root = math.isqrt(scaled)
    # A half stands for whatever is left over: it rounds the same way.
    rest = root * root != scaled
    return rounded(rm, sort, False, 2 * root + rest, denominator << (shift + 1))


def rem(a: FP, b: FP) -> FP:
    """IEEE's remainder: `a - b * n` for the integer n nearest to a / b, the even one of two.

    >>> rem(from_python(5.0), from_python(3.0))
    fp(-1.0, Float64)
    """
    sort = a.sort
    if is_nan(a) or is_nan(b) or is_infinite(a) or is_zero(b):
        return nan(sort)
    if is_infinite(b) or is_zero(a):
        return a
    if _is_native(RNE, sort):
        return from_python(math.remainder(to_python(a), to_python(b)))
    (n, d), (m, e) = ratio(a), ratio(b)
    left, right = n * e, m * d
    rest = left - right * round_quotient(RNE, False, left, right)
    negative = a.negative != (rest < 0)
    return rounded(RNE, sort, negative, abs(rest), d * e)


def round_to_integral(rm: RoundingMode, a: FP) -> FP:
    """The integer in the same format; zeros keep the sign."""
    if not is_finite(a) or is_zero(a):
        return a
    natural = round_quotient(rm, a.negative, *ratio(a))
    return rounded(rm, a.sort, a.negative, natural)


def minimum(a: FP, b: FP) -> FP:
    """The smaller one, a number before NaN, -0 before +0."""
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) else a
    return a if (_rank(a), not a.negative) <= (_rank(b), not b.negative) else b


def maximum(a: FP, b: FP) -> FP:
    """The larger one, a number before NaN, +0 before -0."""
    return neg(minimum(neg(a), neg(b)))


# --- conversions -------------------------------------------------------------------------------


def convert(rm: RoundingMode, sort: FloatSort, a: FP) -> FP:
    """A float in another format."""
    if a.sort is sort:
        return a
    if is_nan(a):
        return nan(sort)
    if is_infinite(a):
        return infinity(sort, a.negative)
    return rounded(rm, sort, a.negative, *ratio(a))


def from_fraction(rm: RoundingMode, sort: FloatSort, value: int | Fraction) -> FP:
    """A rational number, rounded; zero has the plus sign."""
    return rounded(rm, sort, value < 0, abs(value.numerator), value.denominator)


def to_fraction(a: FP) -> Fraction:
    """A finite float exactly.

    >>> to_fraction(from_python(0.1))
    Fraction(3602879701896397, 36028797018963968)
    """
    if not is_finite(a):
        return Fraction(to_python(convert(RNE, BINARY64, a)))  # raises as Python does
    return Fraction(*ratio(a)) * (-1 if a.negative else 1)


_pack, _unpack = struct.Struct("<d").pack, struct.Struct("<d").unpack
_pack_bits, _unpack_bits = struct.Struct("<Q").pack, struct.Struct("<Q").unpack
_NAN64 = layout(BINARY64).nan


def from_python(value: float) -> FP:
    """A Python float in its own format."""
    return make(BINARY64, _unpack_bits(_pack(value))[0] if value == value else _NAN64)


def to_python(a: FP) -> float:
    """A float of Python's own format."""
    return _unpack(_pack_bits(a.bits))[0]


@overload
def external(value: FP) -> float | FP: ...
@overload
def external(value: Datum) -> Floating: ...
@overload
def external(value: ValueT) -> ValueT: ...


def external(value: Any) -> Any:
    """A value as users see it: a Python float if it is of that format, else as it is.

    >>> external(from_python(1.5)), external(3)
    (1.5, 3)
    """
    if value.__class__ is FP and value.sort is BINARY64:
        return _unpack(_pack_bits(value.bits))[0]
    return value


@overload
def internal(value: float) -> FP: ...
@overload
def internal(value: ValueT) -> ValueT: ...


def internal(value: object) -> object:
    """A value as it occurs inside terms: the inverse of `external`."""
    return from_python(value) if isinstance(value, float) else value


def from_number(rm: RoundingMode, sort: FloatSort, value: FP | float | Fraction) -> FP:
    """A Python number or float of any format, rounded into a format."""
    if isinstance(value, FP):
        return convert(rm, sort, value)
    if isinstance(value, float):
        return convert(rm, sort, from_python(value))
    return from_fraction(rm, sort, value)


def from_text(rm: RoundingMode, sort: FloatSort, text: str) -> FP:
    """A decimal or fraction as text, `inf`, `-inf` or `nan`, rounded once.

    >>> from_text(RoundingMode.RNE, float_sort(8, 24), "0.1")
    fp(0.1, Float32)
    """
    special = {"nan": nan(sort), "inf": infinity(sort), "-inf": infinity(sort, negative=True)}
    if text in special:
        return special[text]
    result = from_fraction(rm, sort, Fraction(text))
    return neg(result) if is_zero(result) and text.lstrip().startswith("-") else result


def literal(a: FP) -> str:
    """The shortest argument of `fp` that gives this float."""
    if not is_finite(a):
        return repr(str(a.number))
    if a.sort is BINARY64:
        return repr(to_python(a))
    numerator, denominator = ratio(a)
    for digits in range(1, a.sort.sbits + 2):
        context = decimal.Context(
            prec=digits, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[]
        )
        short = context.divide(decimal.Decimal(numerator), decimal.Decimal(denominator))
        text = f"-{short}" if a.negative else str(short)
        if from_text(RNE, a.sort, text) == a:
            number = float(text)
            is_same = from_number(RNE, a.sort, number) == a
            return repr(number) if is_same else repr(text)
    raise AssertionError("sbits + 1 decimal digits always tell a float")
