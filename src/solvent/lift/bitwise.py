"""Bits, shifts and powers of symbolic ints, exactly as Python has them.

An int has no width, so one is found for it: from what is known on the path, or by asking a solver.
One operand with bounds is enough, as all further bits of the result are then those of the other
operand, or none.  Where neither has bounds, the numbers of a machine word are looked at, and
nothing is claimed about larger ones.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.facts import WORD, asked_bounds, bounds
from solvent.lift.messages import message, raised
from solvent.terms.bitvectors import bv_to_int, int_to_bv
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.integers import (
    IntTerm,
    bit_and,
    bit_or,
    bit_xor,
    floormod,
    shift_left,
    shift_right,
)
from solvent.terms.kinds import Bits, Integer
from solvent.terms.ranges import Range
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.spread import combine
from solvent.vm.values import Choice, Guard, Value

# So many values of a shift or of an exponent are told apart if it has bounds, and if it has none.
MOST_VALUES = 1024
FEW_VALUES = 64


# --- bits -----------------------------------------------------------------------------------------


def conjunction(a: Integer, b: Integer) -> Integer:
    """`a & b`."""
    if not isinstance(a, Term) or not isinstance(b, Term):
        return bit_and(a, b)
    found = _ranges(a, b, "&")
    if found.both is not None:
        return _by_bits(a, b, found.both, lambda x, y: x & y)
    return _by_one(a, b, found)


def disjunction(a: Integer, b: Integer) -> Integer:
    """`a | b`."""
    if not isinstance(a, Term) or not isinstance(b, Term):
        return bit_or(a, b)
    found = _ranges(a, b, "|")
    if found.both is not None:
        return _by_bits(a, b, found.both, lambda x, y: x | y)
    return a + b - _by_one(a, b, found)


def difference(a: Integer, b: Integer) -> Integer:
    """`a ^ b`."""
    if not isinstance(a, Term) or not isinstance(b, Term):
        return bit_xor(a, b)
    found = _ranges(a, b, "^")
    if found.both is not None:
        return _by_bits(a, b, found.both, lambda x, y: x ^ y)
    return a + b - 2 * _by_one(a, b, found)


class _Known(NamedTuple):
    """The ranges of two numbers, of which at least one has one."""

    first: tuple[int, int] | None
    second: tuple[int, int] | None

    @property
    def both(self) -> tuple[int, int] | None:
        """A range that has both numbers."""
        if self.first is None or self.second is None:
            return None
        return min(self.first[0], self.second[0]), max(self.first[1], self.second[1])


def _ranges(a: IntTerm, b: IntTerm, symbol: str) -> _Known:
    found = _Known(_whole_range(bounds(a)), _whole_range(bounds(b)))
    if found == (None, None):
        found = _Known(_whole_range(asked_bounds(a)), _whole_range(asked_bounds(b)))
    if found != (None, None):
        return found
    half = 1 << WORD - 1
    refuse_if(
        or_([or_(value < -half, value >= half) for value in (a, b)]),
        f"`{symbol}` of two symbolic ints without bounds is only lifted for numbers up to {WORD} "
        "bits; assume bounds on one of them, or take the lowest bits with `x % 2**n`",
    )
    return _Known((-half, half - 1), (-half, half - 1))


def _whole_range(found: Range) -> tuple[int, int] | None:
    low, high = found
    return None if low is None or high is None else (low, high)


def _by_one(a: Integer, b: Integer, known: _Known) -> Integer:
    """`a & b` if one of them has a range."""
    found = known.second
    if found is None:
        a, b, found = b, a, known.first
    assert found is not None
    width = _width(*found)
    least = bv_to_int(int_to_bv(a, width) & int_to_bv(b, width))
    if found[0] >= 0:
        return least
    # A negative number has ones above its own bits.
    return ite(b < 0, a - a % (1 << width), 0) + least


def _width(low: int, high: int) -> int:
    """How many bits the numbers of a range have, without the sign."""
    sizes = [~bound if bound < 0 else bound for bound in (low, high)]
    return max(1, *[size.bit_length() for size in sizes])


def _by_bits(
    a: Integer, b: Integer, both: tuple[int, int], operation: Callable[[Bits, Bits], Bits]
) -> Integer:
    """A bitwise operator on two numbers of a range, by bitvectors."""
    low, high = both
    width = _width(low, high)
    if low >= 0:
        return bv_to_int(operation(int_to_bv(a, width), int_to_bv(b, width)))
    # With the sign turned over, the bits of a number are those of its distance from the least one.
    sign = 1 << width
    bits = operation(int_to_bv(a, width + 1), int_to_bv(b, width + 1))
    return bv_to_int(bits ^ sign) - sign


def refuse_if(condition: Guard, text: str) -> None:
    """Claim nothing about the inputs for which a condition holds."""
    current().end_unknown(condition, NotLiftedError(text))


# --- shifts ---------------------------------------------------------------------------------------

_NEGATIVE_SHIFT = message(operator.lshift, 1, -1)


def shifted_left(a: Integer, count: Integer) -> Integer:
    """`a << count`."""
    if not isinstance(count, Term):
        _check_count(count)
        return shift_left(a, count)
    _check_not_negative(count)
    low, high = _limited(count, "shifting to the left by a symbolic number", eq(a, 0))
    return _table(count, low, high, lambda number: shift_left(a, number))


def shifted_right(a: Integer, count: Integer) -> Integer:
    """`a >> count`."""
    if not isinstance(count, Term):
        _check_count(count)
        return shift_right(a, count)
    _check_not_negative(count)
    least, most = bounds(a)
    if least is None or most is None or _width(least, most) > MOST_VALUES:
        harmless = and_(a >= -(1 << FEW_VALUES), a < 1 << FEW_VALUES)
        low, high = _limited(count, "shifting to the right by a symbolic number", harmless)
    else:
        low, high = _within(count, 0, _width(least, most))
    # After all bits, nothing but the sign is left.
    rest = ite(a < 0, -1, 0)
    return ite(count > high, rest, _table(count, low, high, lambda number: shift_right(a, number)))


def _check_not_negative(count: IntTerm) -> None:
    low, _ = bounds(count)
    if low is None or low < 0:
        current().fail_if(count < 0, ValueError(_NEGATIVE_SHIFT))


def _check_count(count: int) -> None:
    if count > _LARGEST_SHIFT:
        raise NotLiftedError(
            f"shifting a symbolic number by more than {_LARGEST_SHIFT} bits is not lifted"
        )


# The largest number of bits by which a symbolic int is shifted.
_LARGEST_SHIFT = 1 << 20


def _within(value: Integer, least: int, most: int) -> tuple[int, int]:
    """The range of an int, cut off; one number of it if no input gets here."""
    low, high = bounds(value)
    low = least if low is None else max(low, least)
    high = most if high is None else min(high, most)
    return low, max(low, high)


def _limited(
    value: Integer, what: str, harmless: Guard = False, most: int = MOST_VALUES
) -> tuple[int, int]:
    """The range of a number from 0 on, of which each value is told apart.

    Where there is none, larger numbers end the path, unless they are known to make no difference.
    """
    machine = current()
    least, high = bounds(value)
    if high is None or high > most:
        limits = (FEW_VALUES, most)
        high = next((n for n in limits if not machine.limits.feasible(machine, value > n)), None)
    if high is None:
        high = FEW_VALUES
        error = NotLiftedError(f"{what} is only lifted up to {high}; assume a bound on it")
        if least is not None and least > high and harmless is False:
            raise error
        machine.end_unknown(and_(value > high, not_(harmless)), error)
    return _within(value, 0, high)


def _table(value: Integer, low: int, high: int, result: Callable[[int], Integer]) -> Integer:
    """What a function has for the number of a range that a term stands for."""
    found = result(high)
    for number in reversed(range(low, high)):
        found = ite(eq(value, number), result(number), found)
    return found


# --- powers ---------------------------------------------------------------------------------------


_POWER = "a power with a symbolic exponent"
# Bases of more bits than these have large powers.
_SMALL = 16


def power(base: Integer, exponent: IntTerm) -> Value:
    """`base ** exponent`: an int, but a float for a negative exponent."""
    machine = current()
    rows: list[Choice] = []
    low, _ = bounds(exponent)
    if (low is None or low < 0) and machine.limits.feasible(machine, exponent < 0):
        rows += _fractions(base, exponent)
    small = not isinstance(base, Term) and base.bit_length() <= _SMALL
    most = MOST_VALUES if small else FEW_VALUES
    low, high = _limited(exponent, _POWER, most=most)
    found: Integer = base**low
    for number in range(low, high + 1):
        rows.append((eq(exponent, number), found))
        found = found * base
    return combine(rows)


def _fractions(base: Integer, exponent: IntTerm) -> list[Choice]:
    """Exponents and results where the exponent is negative."""
    negative = exponent < 0
    current().fail_if(and_(negative, eq(base, 0)), raised(pow, 0, -1))
    if isinstance(base, Term):
        refuse_if(
            negative,
            "a symbolic int to a negative power is not lifted, as solvers cannot round it as the "
            "machine does; assume that the exponent is not negative",
        )
        return []
    if base == 0:
        return []
    try:
        float(base)
    except OverflowError as error:
        current().fail_if(negative, error)
        return []
    least = -_limited(-exponent, _POWER)[1]
    return [(eq(exponent, number), base**number) for number in range(least, 0)]


def modular_power(base: Integer, exponent: Integer, modulus: Integer) -> Value:
    """`pow(base, exponent, modulus)`, of which one is symbolic."""
    current().fail_if(eq(modulus, 0), raised(pow, 1, 1, 0))
    if not isinstance(exponent, Term):
        if exponent < 0:
            base, exponent = _inverse(base, modulus, True), -exponent
        return _raised_to(base, exponent, modulus)
    low, high = bounds(exponent)
    if low is not None and low == high:
        return modular_power(base, low, modulus)
    negative = exponent < 0
    if low is None or low < 0:
        base = ite(negative, _inverse(base, modulus, negative), base)
        exponent = ite(negative, -exponent, exponent)
    low, high = _limited(exponent, _POWER)
    powers = [_raised_to(base, low, modulus)]
    for _ in range(low, high):
        powers.append(floormod(powers[-1] * base, modulus))
    return _table(exponent, low, high, lambda number: powers[number - low])


def _raised_to(base: Integer, exponent: int, modulus: Integer) -> Integer:
    result = floormod(1, modulus)
    square = floormod(base, modulus)
    while exponent:
        if exponent & 1:
            result = floormod(result * square, modulus)
        exponent >>= 1
        square = floormod(square * square, modulus) if exponent else square
    return result


def _inverse(base: Integer, modulus: Integer, needed: Guard) -> Integer:
    """The number that gives 1 if it is multiplied, where it is needed."""
    if isinstance(modulus, Term) or abs(modulus) > MOST_VALUES:
        refuse_if(
            needed,
            "`pow` with a negative exponent and symbolic numbers is only lifted if the third "
            f"argument is a concrete number up to {MOST_VALUES}; assume that the exponent is not "
            "negative",
        )
        return base
    size = abs(modulus)
    rest = floormod(base, size)
    numbers = [number for number in range(size) if math.gcd(number, size) == 1]
    invertible = or_([eq(rest, number) for number in numbers])
    current().fail_if(and_(needed, not_(invertible)), raised(pow, 2, -1, 4))
    result: Integer = 0
    for number in numbers:
        result = ite(eq(rest, number), pow(number, -1, modulus), result)
    return result
