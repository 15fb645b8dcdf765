"""Rational terms as quotients of ints, for where only ints can be computed with."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from solvent.terms.arithmetic import ADD, MUL, NEG
from solvent.terms.booleans import ITE, ite
from solvent.terms.graph import reachable
from solvent.terms.integers import TO_REAL
from solvent.terms.reals import RDIV, RealTerm

if TYPE_CHECKING:
    from solvent.terms.kinds import Integer, Rational


class Ratio(NamedTuple):
    """A rational number: the quotient of two ints, 0 if the second is."""

    above: Integer
    below: Integer

    def over(self, below: int) -> Integer:
        """What is above a common multiple of the known number below."""
        assert type(self.below) is int
        return self.above * (below // self.below)


def ratio(value: Rational) -> Ratio | None:
    """A rational term as a quotient of ints, `None` if it is not made from ints.

    >>> from solvent.terms import Int, Real, to_real
    >>> ratio(to_real(Int("n")) / 4 + Fraction(1, 6)), ratio(Real("r"))
    (Ratio(above=n * 3 + 2, below=12), None)
    """
    done: dict[RealTerm, Ratio | None] = {}
    for term in reachable([value]):
        if isinstance(term, RealTerm):
            done[term] = _made(term, done)
    return _known(value, done)


def _known(value: Rational, done: dict[RealTerm, Ratio | None]) -> Ratio | None:
    if isinstance(value, Fraction):
        return Ratio(value.numerator, value.denominator)
    return done[value]


def _made(term: RealTerm, done: dict[RealTerm, Ratio | None]) -> Ratio | None:
    op, args = term.op, term.key[1:]
    if op is TO_REAL:
        return Ratio(args[0], 1)
    chosen = op.base is ITE
    if op not in (ADD, MUL, NEG, RDIV) and not chosen:
        return None
    parts = [_known(part, done) for part in (args[1:] if chosen else args)]
    known: list[Any] = [None if part is None else part.below for part in parts]
    if not all(type(below) is int for below in known):
        return None
    first, *others = [part for part in parts if part is not None]
    if op is NEG:
        return Ratio(-first.above, first.below)
    (second,) = others
    if op is RDIV:
        return Ratio(first.above * second.below, second.above * first.below)
    if op is MUL:
        return Ratio(first.above * second.above, first.below * second.below)
    below = lcm(*known)
    a, b = first.over(below), second.over(below)
    return Ratio(ite(args[0], a, b) if chosen else a + b, below)
