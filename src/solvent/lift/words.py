"""Ints that Python's C code takes as machine words or as floats.

Symbolic ints have no largest value, but many builtins raise as soon as an int does not fit in the
word, the C `int` or the float that they use.  What they raise and say is asked of the running
Python.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from operator import truediv

from solvent.lift.messages import raised
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm, known_width
from solvent.terms.kinds import Integer, IntLike, Text
from solvent.terms.reals import RealTerm
from solvent.vm.machine import current
from solvent.vm.values import Guard, Value

# The smallest and largest machine word, and the smallest and largest C `int`.
LEAST, MOST = -sys.maxsize - 1, sys.maxsize
_LEAST_INT, _MOST_INT = -(1 << 31), (1 << 31) - 1

_HUGE = 1 << 200

# Class and arguments of an exception.
Sample = tuple[type[Exception], tuple[Value, ...]]


def fits(number: Integer) -> Guard:
    """Whether an int or a term fits in a machine word."""
    if type(number) is not IntTerm:
        return not isinstance(number, int) or LEAST <= number <= MOST
    width = known_width(number)
    if width is not None and width < MOST.bit_length():
        return True
    return and_(number >= LEAST, number <= MOST)


@cache
def _sample(action: Callable[..., object], *arguments: object) -> Sample:
    error = raised(action, *arguments)
    return type(error), error.args


def _again(sample: Sample) -> Exception:
    """A new exception like another one."""
    cls, arguments = sample
    return cls(*arguments)


def check_word(number: Integer) -> None:
    """Raise what builtins raise where an int does not fit in a machine word."""
    fitting = fits(number)
    if fitting is not True:
        current().fail_if(not_(fitting), _again(_sample(_rotated, _HUGE)))


def _rotated(count: int) -> None:
    deque[int]().rotate(count)


def check_repetition(number: Integer) -> None:
    """Raise what Python raises where a sequence cannot be repeated so often."""
    fitting = fits(number)
    if fitting is not True:
        current().fail_if(not_(fitting), _again(_sample(_repeated, _HUGE)))


def _repeated(count: int) -> list[object]:
    return [] * count


def check_length(number: Integer) -> None:
    """Raise what `len` raises where a length does not fit in a machine word."""
    fitting = fits(number)
    if fitting is not True:
        current().fail_if(not_(fitting), _again(_sample(len, range(_HUGE))))


def index_message(index: Integer, message: str) -> Text:
    """What an `IndexError` says of an index that is out of range."""
    fitting = fits(index)
    if fitting is True:
        return message
    _, (other,) = _sample(_item, _HUGE)
    return other if fitting is False else ite(fitting, message, other)


def _item(index: int) -> int:
    return [0][index]


def check_range(number: Integer, low: int, high: int, action: Callable[[int], object]) -> None:
    """Raise what an action raises for the ints below and above those that it takes.

    What it says may depend on which C types a number fits in.
    """
    ends = sorted({LEAST, _LEAST_INT, low, high + 1, _MOST_INT + 1, MOST + 1})
    zones = [(None, ends[0] - 1), *((a, b - 1) for a, b in pairwise(ends))]
    for first, last in [*zones, (ends[-1], None)]:
        if first == low:
            continue
        inside: Guard = True if first is None else number >= first
        inside = inside if last is None else and_(inside, number <= last)
        if inside is not False:
            current().fail_if(inside, raised(action, last if first is None else first))


# The largest float, and half of the distance to what would be the next.
_TOO_LARGE = 2**1024 - 2**970


def check_float(number: Value) -> None:
    """Raise what Python raises where an int or a fraction is too large to become a float."""
    if type(number) in (IntTerm, RealTerm) or isinstance(number, (int, Fraction)):
        outside = or_(number >= _TOO_LARGE, number <= -_TOO_LARGE)
        if outside is not False:
            is_int = type(number) is IntTerm or isinstance(number, int)
            sample = _sample(float, _TOO_LARGE) if is_int else _sample(truediv, _TOO_LARGE, 1)
            current().fail_if(outside, _again(sample))


def _whole(number: IntLike) -> Integer:
    return number.as_int() if isinstance(number, BoolTerm) else number


def check_quotient(a: IntLike, b: IntLike) -> None:
    """Raise what Python raises where the quotient of two ints is too large to be a float."""
    outside = abs(_whole(a)) >= _TOO_LARGE * abs(_whole(b))
    if outside is not False:
        current().fail_if(outside, _again(_sample(truediv, _TOO_LARGE, 1)))
