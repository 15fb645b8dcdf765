"""Which values are simpler than others, and what to try instead of one.

`rank` puts the values of a constant into an order in which zero, the empty and the first come
first; `simpler` gives candidates that may come before a value in it.
"""

from __future__ import annotations

import math
import string
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from solvent.race.leaves import Leaf, Role
from solvent.terms.functions import FunctionSymbol
from solvent.terms.values import BV, FunctionValue, bv

# From simple to strange.
_SIMPLE = "a0 bcAB1" + string.ascii_letters + string.digits + string.punctuation + "\n\t"
_CODES = {ord(character): place for place, character in reversed(list(enumerate(_SIMPLE)))}
_FLOATS = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 10.0, 0.5, 0.1, 1e16, 1e308, -1e308, math.inf, -math.inf)

# Up to which denominators fractions are tried.
_DENOMINATORS = 12

Rank = tuple[Any, ...]


def rank(leaf: Leaf, value: Any) -> Rank:
    """Smaller for simpler values of a leaf."""
    role = leaf.role
    if role in (Role.LENGTH, Role.CHOICE, Role.TRUTH, Role.NUMBER):
        return (abs(value), value < 0)
    if role is Role.CHARACTER:
        return _of_character(value)
    if role is Role.FLOAT and isinstance(value, float):
        return _of_float(value)
    if role is Role.FRACTION:
        return (value.denominator, abs(value.numerator), value < 0)
    if role is Role.BITS and isinstance(value, BV):
        return (int(value),)
    if role is Role.TEXT:
        return (len(value), *(_of_character(ord(character)) for character in value))
    if isinstance(value, FunctionValue):
        return (len(value.table), value.default != leaf.sort.default, repr(value))
    return (value != leaf.sort.default, repr(value))


def _of_character(code: int) -> Rank:
    place = _CODES.get(code)
    return (1, code) if place is None else (0, place)


def _of_float(value: float) -> Rank:
    is_negative = math.copysign(1.0, value) < 0
    if not math.isfinite(value):
        return (3, math.isnan(value), is_negative)
    if value.is_integer() and abs(value) < 2.0**53:
        return (0, abs(value), is_negative)
    # Few digits are simple.
    return (1 if abs(value) < 2.0**53 else 2, len(repr(abs(value))), abs(value), is_negative)


def simpler(leaf: Leaf, value: Any) -> Iterator[Any]:
    """Candidates that may be simpler, the simplest first; not all of them are."""
    role = leaf.role
    if role is Role.TRUTH:
        yield False
    elif role in (Role.LENGTH, Role.CHOICE):
        yield from range(leaf.low or 0, value)
    elif role is Role.NUMBER:
        yield from (0, 1, -1, 2, abs(value))
        if leaf.low is not None and leaf.low > 0:
            yield from (leaf.low, leaf.low + 1)
        if leaf.high is not None and leaf.high < 0:
            yield leaf.high
    elif role is Role.CHARACTER:
        yield from map(ord, "a0 bA1\n-")
        yield from (ord(found) for found in chr(value).lower()[:1])
        yield from map(ord, _plainer(chr(value)))
        yield from range(128, min(value, 136))
    elif role is Role.FLOAT and isinstance(value, float):
        yield from _simpler_floats(value)
    elif role is Role.FRACTION:
        yield from _simpler_fractions(value)
    elif role is Role.BITS and isinstance(value, BV):
        yield from (bv(number, value.width) for number in (0, 1, 2))
    elif role is Role.TEXT:
        yield from _simpler_texts(value)
    elif isinstance(leaf.constant, FunctionSymbol):
        yield FunctionValue(leaf.constant.range, leaf.sort.default)
        yield FunctionValue(leaf.constant.range, value.default)
    else:
        yield leaf.sort.default


def _plainer(character: str) -> str:
    """The digit or letter that a character is another form of, if it is one."""
    digit = unicodedata.decimal(character, None)
    return unicodedata.normalize("NFKD", character)[:1] if digit is None else str(digit)


def _simpler_floats(value: float) -> Iterator[float]:
    yield from _FLOATS
    if math.isfinite(value):
        yield abs(value)
        yield float(math.trunc(value))
        for digits in (1, 2, 3):
            yield round(value, digits)


def _simpler_fractions(value: Fraction) -> Iterator[Fraction]:
    yield from (Fraction(0), Fraction(1), Fraction(-1), Fraction(round(value)), abs(value))
    for below in range(2, min(value.denominator, _DENOMINATORS) + 1):
        yield Fraction(1, below)
        yield value.limit_denominator(below)
    yield Fraction(value.numerator % value.denominator, value.denominator)


def _simpler_texts(value: str) -> Iterator[str]:
    yield ""
    for place in range(len(value)):
        yield value[:place] + value[place + 1 :]
    for place in range(len(value)):
        for character in "a0 ":
            yield value[:place] + character + value[place + 1 :]


def as_number(leaf: Leaf, value: Any) -> int | None:
    """The value as an int between which and zero there may be others that do, if it is one."""
    if leaf.role is Role.NUMBER:
        return int(value)
    if leaf.role is Role.BITS and isinstance(value, BV):
        return int(value)
    is_float = leaf.role is Role.FLOAT and isinstance(value, float)
    if is_float and math.isfinite(value) and value.is_integer():
        return int(value)
    if leaf.role is Role.FRACTION and value.denominator == 1:
        return int(value)
    return None


def from_number(leaf: Leaf, number: int, like: Any) -> Any:
    """The inverse of `as_number`."""
    if isinstance(like, BV):
        return bv(number, like.width)
    if leaf.role is Role.FLOAT:
        return float(number)
    return Fraction(number) if leaf.role is Role.FRACTION else number
