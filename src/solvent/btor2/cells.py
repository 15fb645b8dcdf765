"""Arrays while a model is run on literals: a base, and the writes above it in their order.

A write has a condition under which it happens.  A choice between two versions of one memory is that
memory with the writes of both, each under its side of the choice, so that a version is always one
row of writes.  Reading compares an index with those of the writes, from the newest on.  What a base
that may be anything holds at an index is a new word; two words of one base are equal if their
indices are (Ackermann's reduction), which `side_conditions` says.
"""

from __future__ import annotations

import math

from solvent.solvers.gates import FALSE, TRUE, Gates
from solvent.solvers.words import Word, choice, constant, equal, number
from solvent.terms.sorts import ArraySort, BitVecSort
from solvent.verdicts import GaveUp

# A number, or a word of which a literal is not constant.
Bits = int | Word


def as_word(value: Bits, width: int) -> Word:
    """A value as literals."""
    return constant(value, width) if isinstance(value, int) else value


def as_value(word: Word) -> Bits:
    """Literals as a number, if they are one."""
    first = word[0]
    if first != TRUE and first != FALSE:
        return word
    found = number(word)
    return word if found is None else found


class Base:
    """What is below all writes: one element everywhere, or anything."""

    def __init__(
        self, sort: ArraySort, element: Word | None, side: list[int], most: float = math.inf
    ) -> None:
        assert isinstance(sort.index, BitVecSort)
        assert isinstance(sort.element, BitVecSort)
        self.sort = sort
        self.index_width = sort.index.width
        self.element_width = sort.element.width
        self.element = element
        # What was asked of a base that may be anything, and what holds of the answers.
        self.asked: dict[Word, Word] = {}
        self._side = side
        self._most = most

    def read(self, index: Word, gates: Gates) -> Word:
        """The element at an index."""
        if self.element is not None:
            return self.element
        found = self.asked.get(index)
        if found is None:
            if len(self.asked) >= self._most:
                raise GaveUp(f"a memory is looked at in more than {self._most} places")
            found = tuple([gates.variable() for _ in range(self.element_width)])
            for other, word in self.asked.items():
                same = equal(gates, index, other)
                if same != FALSE:
                    self._side.append(gates.either(-same, equal(gates, found, word)))
            self.asked[index] = found
        return found


class Either:
    """A choice between memories that have different bases."""

    def __init__(self, test: int, first: Cells, second: Cells) -> None:
        self.test = test
        self.first = first
        self.second = second


class Cells:
    """One version of an array.

    >>> from solvent.terms import Array, BitVec
    >>> sort, gates = Array(BitVec(4), BitVec(8)), Gates()
    >>> memory = Cells(Base(sort, constant(0, 8), []))
    >>> memory.write(3, 7, gates).read(3, gates)
    7
    """

    __slots__ = ("base", "below", "depth", "guard", "index", "value")

    def __init__(
        self,
        base: Base | Either,
        below: Cells | None = None,
        write: tuple[int, Word, Word] | None = None,
    ) -> None:
        self.base = base
        self.below = below
        self.depth: int = 0 if below is None else below.depth + 1
        if write is not None:
            self.guard, self.index, self.value = write

    def _plain_base(self) -> Base:
        base = self.base
        while isinstance(base, Either):
            base = base.first.base
        return base

    @property
    def index_width(self) -> int:
        """The bits of an address."""
        return self._plain_base().index_width

    def indices(self) -> range:
        """All addresses."""
        return range(1 << self.index_width)

    def write(self, index: Bits, value: Bits, gates: Gates) -> Cells:
        """The memory with an element replaced."""
        plain = self._plain_base()
        where, what = as_word(index, plain.index_width), as_word(value, plain.element_width)
        return Cells(self.base, self, (TRUE, where, what))

    def choose(self, test: Word, other: Cells, gates: Gates) -> Cells:
        """This memory where a condition holds, else the other."""
        if self is other:
            return self
        (literal,) = test
        mine, theirs, common = _apart(self, other)
        if common is None:
            return Cells(Either(literal, self, other))
        result = common
        for side, writes in ((-literal, theirs), (literal, mine)):
            for one in reversed(writes):
                guard = gates.both(side, one.guard)
                if guard != FALSE:
                    result = Cells(result.base, result, (guard, one.index, one.value))
        return result

    def read(self, index: Bits, gates: Gates) -> Bits:
        """The element at an index."""
        return as_value(self.word_at(as_word(index, self.index_width), gates))

    def word_at(self, where: Word, gates: Gates) -> Word:
        """The literals of the element at an index."""
        done: dict[Cells, Word] = {}
        stack: list[Cells] = [self]
        while stack:
            version = stack[-1]
            base = version.base
            if isinstance(base, Either):
                missing = [one for one in (base.first, base.second) if one not in done]
                if missing:
                    stack += missing
                    continue
                below = choice(gates, base.test, done[base.first], done[base.second])
            else:
                below = None
            done[version] = version._read(where, below, gates)
            stack.pop()
        return done[self]

    def _read(self, index: Word, below: Word | None, gates: Gates) -> Word:
        """The element at an index, if the base holds another one there."""
        hits: list[tuple[int, Word]] = []
        version: Cells = self
        found: Word | None = None
        while version.below is not None:
            hit = gates.both(version.guard, equal(gates, index, version.index))
            if hit == TRUE:
                found = version.value
                break
            if hit != FALSE:
                hits.append((hit, version.value))
            version = version.below
        if found is None:
            found = below
        if found is None:
            assert isinstance(self.base, Base)
            found = self.base.read(index, gates)
        for hit, value in reversed(hits):
            found = choice(gates, hit, value, found)
        return found


def _apart(a: Cells, b: Cells) -> tuple[list[Cells], list[Cells], Cells | None]:
    """The writes that only one of two versions has, the newest first, and what both stand on."""
    mine: list[Cells] = []
    theirs: list[Cells] = []
    while a is not b:
        if a.below is None and b.below is None:
            return mine, theirs, None
        if a.depth >= b.depth and a.below is not None:
            mine.append(a)
            a = a.below
        else:
            assert b.below is not None
            theirs.append(b)
            b = b.below
    return mine, theirs, a
