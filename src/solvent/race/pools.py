"""Which values are worth trying for one constant: small ones, boundaries, and those of the source.

>>> from solvent.queries.inputs import bind
>>> from solvent.race.concrete import Program
>>> from solvent.race.leaves import leaves_of
>>> def f(n: int) -> None: ...
>>> [leaf] = leaves_of(Program(f, bind(f, (), {})))
>>> pool = Pools(Hints(ints=(40,))).of(leaf)
>>> pool.small[:8], pool.big[:2]
((0, 1, -1, 2, 40, 39, 41, 3), (2147483647, 2147483648))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solvent.race.hints import Hints
from solvent.race.leaves import Leaf, Role
from solvent.terms.functions import FunctionSymbol
from solvent.terms.softfloat import BINARY64, RNE, from_number
from solvent.terms.sorts import BitVecSort, BoolSort, FloatSort, IntSort, Sort, UninterpretedSort
from solvent.terms.term import Term
from solvent.terms.values import Element, FunctionValue, bv

FIRST_INTS = (0, 1, -1, 2)
OTHER_INTS = (
    3,
    -2,
    10,
    4,
    5,
    7,
    -3,
    8,
    100,
    -10,
    16,
    255,
    256,
    1000,
    -100,
    12,
    60,
    64,
    2000,
    2024,
    1900,
)
BIG_INTS = (
    2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1,
    2**53 + 1, 10**20, -(10**20), 2**32, 10**6,
)  # fmt: skip
FIRST_FLOATS = (0.0, 1.0, -1.0, 0.5)
OTHER_FLOATS = (
    float("nan"), float("inf"), -0.0, 0.1, 2.0, float("-inf"), 3.0, -0.5, 10.0, 0.3, 1.5, 100.0,
    2.5, -2.0, 1e-9, 1e16, 0.7,
)  # fmt: skip
BIG_FLOATS = (1.7976931348623157e308, 5e-324, 1e308, -1e308, 2.0**53, 1e22, 2.2e-308)
CHARACTERS = "ab0 A1zZ9-._,/\n\téß²\0:+(\"'\\%İ٣😀\ud800"
TEXTS = ("", "a", "0", " ", "A", "ab", "aa", "-1", "1.5", "\n", "ß", "a b", "²", "aba", "é")
# Ints beyond this are big: a loop over so many takes long.
MODERATE = 100_000
# Of an interval with at most so many ints, all are tried.
_FEW = 24


@dataclass(frozen=True, slots=True)
class Pool:
    """Values in the order in which they are tried; big ones may take a program long."""

    small: tuple[Any, ...]
    big: tuple[Any, ...] = ()


class Pools:
    """Gives the values for each constant, given those of the source."""

    def __init__(self, hints: Hints) -> None:
        self.hints = hints
        self._known: dict[tuple[object, ...], Pool] = {}

    def of(self, leaf: Leaf) -> Pool:
        """The values for a leaf; at least one, though it may be none that is assumed."""
        if leaf.role is Role.FUNCTION:
            return self._functions(leaf)
        key = (leaf.role, leaf.sort, leaf.low, leaf.high)
        if leaf.conditions:
            return self._limited(leaf)
        if key not in self._known:
            self._known[key] = self._limited(leaf)
        return self._known[key]

    def _limited(self, leaf: Leaf) -> Pool:
        small = distinct(value for value in self.small(leaf) if leaf.allows(value))
        if leaf.role in (Role.LENGTH, Role.CHOICE, Role.TRUTH):
            small = tuple(sorted(small))
        big = distinct(value for value in self.big(leaf) if leaf.allows(value))
        return Pool(small or big or (leaf.sort.default,), big)

    def small(self, leaf: Leaf) -> Iterator[Any]:
        """Candidates of which none is big."""
        if leaf.role is Role.CHARACTER:
            yield from map(ord, self.characters())
            return
        if not isinstance(leaf.sort, IntSort):
            yield from self._of_sort(leaf.sort)
            return
        for literal in leaf.literals():
            if abs(literal) <= MODERATE:
                yield from (literal, literal - 1, literal + 1)
        yield from self._numbers(leaf)

    def _numbers(self, leaf: Leaf) -> Iterator[int]:
        low, high = leaf.low, leaf.high
        if low is not None and high is not None and high - low < _FEW:
            yield from sorted(range(low, high + 1), key=lambda n: (abs(n), n < 0))
            return
        yield from self._of_sort(leaf.sort)
        if leaf.may_be_character:
            yield from map(ord, self.characters())

    def _of_sort(self, sort: Sort[Term]) -> Iterator[Any]:
        ints = self._ints()
        if isinstance(sort, IntSort):
            yield from ints
        elif isinstance(sort, BoolSort):
            yield from (False, True)
        elif isinstance(sort, FloatSort):
            # Where there is no better hint, floats are as big as ints of the source.
            near = map(float, self.hints.floats or self._near()[:6])
            yield from _floats(sort, (*FIRST_FLOATS, *near, *OTHER_FLOATS))
        elif isinstance(sort, BitVecSort):
            width = sort.default.width
            corners = (1 << (width - 1), (1 << (width - 1)) - 1)
            yield from (bv(value, width) for value in (*FIRST_INTS, *corners, *ints))
        elif isinstance(sort, UninterpretedSort):
            yield from (Element(sort, index) for index in range(3))
        elif sort.default == "":
            yield from (*TEXTS[:3], *self.hints.texts, *TEXTS[3:])
        elif isinstance(sort.default, Fraction):
            yield from map(Fraction, ints[:4])
            yield from (Fraction(1, 2), *map(Fraction, ints[4:]), Fraction(-1, 3), Fraction(1, 10))
        else:
            yield sort.default

    def _ints(self) -> tuple[int, ...]:
        return (*FIRST_INTS, *self._near(), *OTHER_INTS)

    def _near(self, most: float = MODERATE) -> list[int]:
        """The ints of the source and those next to them, up to a size."""
        near = [n for hint in self.hints.ints for n in (hint, hint - 1, hint + 1)]
        return [n for n in near if abs(n) <= most]

    def big(self, leaf: Leaf) -> Iterator[Any]:
        """Candidates with which a loop may take long."""
        if leaf.role is Role.CHARACTER or leaf.role in (Role.LENGTH, Role.CHOICE):
            return
        ints = (*(n for n in self._near(math.inf) if abs(n) > MODERATE), *BIG_INTS)
        if isinstance(leaf.sort, IntSort):
            yield from ints
        elif isinstance(leaf.sort, FloatSort):
            yield from _floats(leaf.sort, BIG_FLOATS)
        elif leaf.role is Role.FRACTION:
            yield from map(Fraction, ints)

    def characters(self) -> Iterator[str]:
        """Characters, those of the source after the simplest ones."""
        yield from CHARACTERS[:4]
        for text in self.hints.texts:
            yield from text[:8]
        for octets in self.hints.octets:
            yield from octets[:8].decode("latin-1")
        yield from CHARACTERS[4:]

    def _functions(self, leaf: Leaf) -> Pool:
        """Functions that give the same for all arguments, and some that do not."""
        symbol = leaf.constant
        assert isinstance(symbol, FunctionSymbol)
        results = tuple(itertools.islice(self._of_sort(symbol.range), 6))
        found = [FunctionValue(symbol.range, result) for result in results[:4]]
        arguments = [tuple(itertools.islice(self._of_sort(sort), 3)) for sort in symbol.domain]
        rows = list(itertools.product(*arguments))[:6]
        for shift in range(1, 4):
            table = {row: results[(i + shift) % len(results)] for i, row in enumerate(rows)}
            found.append(FunctionValue(symbol.range, results[0], table))
        return Pool(tuple(found))


def _floats(sort: FloatSort, values: Iterable[float]) -> Iterator[Any]:
    """Floats, rounded to another format if there is one."""
    if sort is BINARY64:
        return iter(values)
    return (from_number(RNE, sort, value) for value in values)


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """Values without those that were there before; `0` is not `False`, nor `0.0` `-0.0`."""
    return tuple({(type(value), repr(value)): value for value in values}.values())
