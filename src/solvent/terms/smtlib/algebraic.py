"""Irrational numbers in answers: roots of polynomials, by fractions close to them.

z3 gives a polynomial and which of its real roots is meant, cvc5 a polynomial and an interval that
contains just one root.  Sturm's theorem counts the roots in an interval, so that bisection finds
the one that is meant.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

# The coefficients, that of the constant first; the last is not zero.
Polynomial = list[Fraction]

# A root is enclosed in an interval of this size.
PRECISION = Fraction(1, 1 << 64)


def trimmed(p: Polynomial) -> Polynomial:
    """Without leading zeros.

    >>> trimmed([Fraction(1), Fraction(2), Fraction(0)]) == [1, 2]
    True
    """
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def add(p: Polynomial, q: Polynomial) -> Polynomial:
    """The sum of two polynomials."""
    longest = max(len(p), len(q))
    padded = ([*a, *[Fraction(0)] * (longest - len(a))] for a in (p, q))
    return trimmed([a + b for a, b in zip(*padded, strict=True)])


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """The product of two polynomials."""
    result = [Fraction(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return trimmed(result)


def _value(p: Polynomial, x: Fraction) -> Fraction:
    result = Fraction(0)
    for coefficient in reversed(p):
        result = result * x + coefficient
    return result


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    while len(p) >= len(q):
        factor = p[-1] / q[-1]
        shifted = [*[Fraction(0)] * (len(p) - len(q)), *q]
        p = trimmed([a - factor * b for a, b in zip(p, shifted, strict=True)][:-1])
    return p


def _sturm_chain(p: Polynomial) -> list[Polynomial]:
    chain = [p, [power * a for power, a in enumerate(p)][1:]]
    while chain[-1]:
        chain.append([-a for a in _remainder(chain[-2], chain[-1])])
    return chain[:-1]


def _sign_changes(chain: list[Polynomial], x: Fraction) -> int:
    signs = [value > 0 for value in (_value(p, x) for p in chain) if value != 0]
    return sum(a != b for a, b in pairwise(signs))


def root(p: Polynomial, number: int, above: Fraction | None = None) -> Fraction | None:
    """A fraction close to a real root: the first, second, ... above a limit, if there is one.

    >>> x = root([Fraction(-2), Fraction(0), Fraction(1)], 2)
    >>> abs(x * x - 2) < Fraction(1, 10**15)
    True
    """
    p = trimmed(p)
    if len(p) < 2:
        return None
    chain = _sturm_chain(p)
    bound = 1 + max(abs(a / p[-1]) for a in p[:-1])
    low, high = (-bound if above is None else above), bound
    at_start = _sign_changes(chain, low)
    if at_start - _sign_changes(chain, high) < number:
        return None
    while high - low > PRECISION:
        middle = (low + high) / 2
        if at_start - _sign_changes(chain, middle) >= number:
            high = middle
        else:
            low = middle
    return high
