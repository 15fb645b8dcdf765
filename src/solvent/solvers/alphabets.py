"""Characters by what is asked about them: a large alphabet in place of which a small one will do.

Most programs only ask of a character whether it is in some classes, is one of a few known ones, or
is equal to another character of the text.  Code points that no such question tells apart form a
cell, and a handful of members of each cell will do: a model over all code points can be changed,
one to one within each cell, into one over these members, as long as there is a member for each
symbolic character.  A character is then a choice of few bits instead of 21, and a class with
hundreds of ranges becomes a comparison or two.

Numbers with which a program calculates, or whose order among each other it asks for, stay as they
are, and so does everything that may be equal to them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from solvent.terms.arithmetic import LE
from solvent.terms.bitvector_ops import BVULE
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, and_, eq, ite, not_, or_
from solvent.terms.classes import IN_CLASS
from solvent.terms.graph import reachable
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Bits, Guard
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.sorts import bitvec_sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, bv

# A set of integers: first and last ones of its ranges, in order; `None` has no end.
Bound = int | None
Interval = tuple[Bound, Bound]
Members = tuple[Interval, ...]

# Members that read well are chosen first.
_READABLE: Members = ((97, 122), (48, 57), (65, 90), (33, 47), (58, 126), (32, 32))


class CannotCompressError(Exception):
    """Formulas in which characters cannot be told from other numbers."""


@dataclass(eq=False, slots=True)
class _Group:
    """Numbers that must be written in the same alphabet, with all that is asked about them."""

    constants: list[IntTerm] = field(default_factory=list)
    questions: dict[Members, None] = field(default_factory=dict)
    compared: bool = False
    calculated: bool = False


class _Groups:
    """The symbolic numbers of formulas, together if one may be chosen or be equal to another."""

    def __init__(self) -> None:
        self._parents: dict[Term, Term] = {}
        self._groups: dict[Term, _Group] = {}

    def of(self, term: Term) -> _Group:
        return self._groups[self._root(term)]

    def add(self, term: Term) -> None:
        self._parents[term] = term
        self._groups[term] = _Group()

    def join(self, a: Term, b: Term) -> None:
        first, second = self._root(a), self._root(b)
        if first is second:
            return
        kept, gone = self._groups[first], self._groups.pop(second)
        self._parents[second] = first
        kept.constants += gone.constants
        kept.questions |= gone.questions
        kept.compared |= gone.compared
        kept.calculated |= gone.calculated

    def __iter__(self) -> Iterator[_Group]:
        return iter(self._groups.values())

    def _root(self, term: Term) -> Term:
        parents = self._parents
        while parents[term] is not term:
            parents[term] = parents[parents[term]]
            term = parents[term]
        return term


def _grouped(terms: Iterable[Term]) -> _Groups:
    """Sort the numbers in some terms, arguments of which come first."""
    groups = _Groups()
    for term in terms:
        op, args = term.op, term.key[1:]
        if isinstance(term, IntTerm):
            groups.add(term)
            if op is CONSTANT:
                groups.of(term).constants.append(term)
                continue
            if op.base is ITE:
                _choose(groups, term, args[1:])
                continue
            groups.of(term).calculated = True
        elif op is CONSTANT:
            continue
        elif op.base in QUANTIFIERS:
            raise CannotCompressError
        elif op is EQ and _known(args[1]) is not None:
            _ask(groups, args[0], ((args[1], args[1]),))
            continue
        elif op is EQ:
            if isinstance(args[0], IntTerm):
                groups.join(*args)
                groups.of(args[0]).compared = True
            continue
        elif op is LE and _known(args[1]) is not None:
            _ask(groups, args[0], ((None, args[1]),))
            continue
        elif op is LE and _known(args[0]) is not None:
            _ask(groups, args[1], ((args[0], None),))
            continue
        elif op.base is IN_CLASS:
            _ask(groups, args[0], op.params[0].ranges)
            continue
        for part in args:
            if isinstance(part, IntTerm):
                groups.of(part).calculated = True
    return groups


def _known(value: object) -> int | None:
    return value if type(value) is int else None


def _ask(groups: _Groups, term: Term, members: Members) -> None:
    if isinstance(term, IntTerm):
        groups.of(term).questions[members] = None


def _choose(groups: _Groups, choice: Term, parts: Sequence[Any]) -> None:
    for part in parts:
        if isinstance(part, Term):
            groups.join(choice, part)
        else:
            _ask(groups, choice, ((part, part),))


# --- cells ----------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _cells(questions: tuple[Members, ...]) -> tuple[tuple[tuple[bool, ...], Members], ...]:
    """What the integers answer to some questions, with all that answer so.

    >>> for answers, members in _cells((((48, 57),), ((None, 50),))):
    ...     print(answers, members)
    (False, False) ((58, None),)
    (False, True) ((None, 47),)
    (True, False) ((51, 57),)
    (True, True) ((48, 50),)
    """
    borders = set()
    for members in questions:
        for first, last in members:
            if first is not None:
                borders.add(first)
            if last is not None:
                borders.add(last + 1)
    starts: list[Bound] = [None, *sorted(borders)]
    found: dict[tuple[bool, ...], list[Interval]] = {}
    for place, start in enumerate(starts):
        end = starts[place + 1] - 1 if place + 1 < len(starts) else None  # type: ignore[operator]
        sample = start if start is not None else (0 if end is None else end)
        answers = tuple(_contains(members, sample) for members in questions)
        found.setdefault(answers, []).append((start, end))
    return tuple((answers, tuple(found[answers])) for answers in sorted(found))


def _contains(members: Members, number: int) -> bool:
    # Ranges without a beginning come first, and are the only ones of their kind.
    place = bisect_right(members, number, key=lambda one: number if one[0] is None else one[0])
    if not place:
        return False
    last = members[place - 1][1]
    return last is None or number <= last


def _some(members: Members, count: int) -> list[int]:
    """Up to so many numbers of a set, those that read well first."""
    found: dict[int, None] = {}
    for wanted in (*_READABLE, (None, None)):
        for first, last in members:
            low, high = _inner(first, wanted[0], max), _inner(last, wanted[1], min)
            for number in _first(low, high, 2 * count):
                found[number] = None
                if len(found) == count:
                    return list(found)
    return list(found)


def _first(low: Bound, high: Bound, count: int) -> range:
    """Up to so many numbers of a range, from an end that it has."""
    if low is not None:
        return range(low, low + count if high is None else min(high + 1, low + count))
    return range(count) if high is None else range(high, high - count, -1)


def _inner(a: Bound, b: Bound, closer: Any) -> Bound:
    if a is None or b is None:
        return b if a is None else a
    return closer(a, b)  # type: ignore[no-any-return]


class Alphabet:
    """A small alphabet for a group of numbers: the integers that its letters stand for."""

    def __init__(self, group: _Group) -> None:
        questions = tuple(group.questions)
        count = len(group.constants) if group.compared else 1
        self.letters: list[int] = []
        self._ranges: dict[Members, list[tuple[int, int]]] = {asked: [] for asked in questions}
        for answers, members in _cells(questions):
            first = len(self.letters)
            self.letters += _some(members, count)
            for asked, answer in zip(questions, answers, strict=True):
                if answer:
                    _extend(self._ranges[asked], first, len(self.letters) - 1)
        self._numbers = {letter: place for place, letter in enumerate(self.letters)}
        self.width = max(1, (len(self.letters) - 1).bit_length())

    def fresh(self, name: str) -> BitVecTerm:
        """A symbolic letter."""
        return bitvec_sort(self.width).fresh(name)

    def exists(self, letter: Bits) -> Guard:
        """That a symbolic letter is one of the alphabet."""
        return BVULE(letter, bv(len(self.letters) - 1, self.width))

    def letter(self, number: int) -> BV:
        """What stands for a known number that occurs in the formulas."""
        return bv(self._numbers[number], self.width)

    def is_in(self, letter: Bits, members: Members) -> Guard:
        """Whether a letter stands for a number of a set that is asked for."""
        parts: list[Guard] = []
        for first, last in self._ranges[members]:
            if first == last:
                parts.append(eq(letter, bv(first, self.width)))
                continue
            low = BVULE(bv(first, self.width), letter) if first else True
            high = BVULE(letter, bv(last, self.width)) if last + 1 < 1 << self.width else True
            parts.append(and_(low, high))
        return or_(parts)


def _extend(ranges: list[tuple[int, int]], first: int, last: int) -> None:
    if ranges and ranges[-1][1] + 1 == first:
        ranges[-1] = (ranges[-1][0], last)
    elif last >= first:
        ranges.append((first, last))


# --- formulas -------------------------------------------------------------------------------------


class Compression:
    """The translation of some formulas, which are all that is asserted or assumed.

    >>> from solvent.terms import Int, and_
    >>> a, b = Int("a"), Int("b")
    >>> formulas, compression = Compression.of([and_(0 <= a, a <= 0x10FFFF), a == b, b != 65])
    >>> compression.constants[a].sort
    BitVec(3)
    """

    def __init__(self, formulas: Sequence[Guard]) -> None:
        terms = reachable(formulas)
        groups = _grouped(terms)
        self._alphabets: dict[IntTerm, Alphabet] = {}
        # The bitvectors that stand for constants.
        self.constants: dict[IntTerm, BitVecTerm] = {}
        known = {id(group): Alphabet(group) for group in groups if _is_worth_it(group)}
        if not known:
            raise CannotCompressError
        self._done: dict[Term, Any] = {}
        for term in terms:
            if isinstance(term, IntTerm):
                alphabet = known.get(id(groups.of(term)))
                if alphabet is not None:
                    self._alphabets[term] = alphabet
            self._done[term] = self._node(term)

    @staticmethod
    def of(formulas: Sequence[Guard]) -> tuple[list[Guard], Compression]:
        """Translate formulas; the result says too that letters are of their alphabets."""
        result = Compression(formulas)
        return [*result.bounds(), *map(result.translated, formulas)], result

    def bounds(self) -> list[Guard]:
        """That each letter is one of its alphabet."""
        return [self._alphabets[old].exists(new) for old, new in self.constants.items()]

    def translated(self, formula: Guard) -> Guard:
        """One of the formulas, translated."""
        return self._done[formula] if isinstance(formula, Term) else formula

    def value(self, constant: IntTerm, letter: BV) -> int:
        """The value of a constant, from that of its letter."""
        return self._alphabets[constant].letters[letter.value]

    def _node(self, term: Term) -> Any:
        op, args = term.op, term.key[1:]
        alphabet = self._alphabets.get(term) if isinstance(term, IntTerm) else None
        if op is CONSTANT:
            if alphabet is None:
                return term
            letter = self.constants[term] = alphabet.fresh(term.name)  # type: ignore[index]
            return letter
        if alphabet is not None:
            test, *parts = args
            return ite(self._part(test), *(self._letter(part, alphabet) for part in parts))
        for place, part in enumerate(args):
            alphabet = self._alphabets.get(part) if isinstance(part, IntTerm) else None
            if alphabet is not None:
                return self._asked(term, alphabet, place)
        new = [self._part(part) for part in args]
        if all(a is b for a, b in zip(args, new, strict=True)):
            return term
        if op is NOT:
            return not_(new[0])
        if op is AND or op is OR:
            return (and_ if op is AND else or_)(new)
        return ite(*new) if op.base is ITE else op(*new)

    def _asked(self, term: Term, alphabet: Alphabet, place: int) -> Guard:
        """A question about a letter: the argument at some place."""
        op, args = term.op, term.key[1:]
        letter = self._done[args[place]]
        if op.base is IN_CLASS:
            return alphabet.is_in(letter, op.params[0].ranges)
        if op is EQ:
            return eq(letter, self._letter(args[1], alphabet))
        return alphabet.is_in(letter, ((None, args[1]),) if place == 0 else ((args[0], None),))

    def _part(self, part: Any) -> Any:
        return self._done[part] if isinstance(part, Term) else part

    def _letter(self, part: Any, alphabet: Alphabet) -> Any:
        return self._done[part] if isinstance(part, Term) else alphabet.letter(part)


def _is_worth_it(group: _Group) -> bool:
    """Whether a group can be compressed and has something to be compressed."""
    return not group.calculated and bool(group.constants)
