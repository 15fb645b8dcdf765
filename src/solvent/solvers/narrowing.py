"""Integers whose ranges are known, as bitvectors.

Where every symbolic int of a query has bounds, as code points and small numbers have, the query has
an exact translation to bitvectors: each number gets as many bits as its range needs, so that no
operation ever overflows.  Neither way is always the better one: linear arithmetic is decided by
few cuts and takes for ever by bits, and what hangs on many small choices is the reverse.  So checks
that take longer than a moment are made in both ways side by side, and the first answer counts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any

from solvent.errors import SolverMissingError, UnsupportedError
from solvent.solvers.alphabets import CannotCompressError, Compression
from solvent.solvers.choose import Spec
from solvent.solvers.context import Backend, Context, Frame, ModelParts
from solvent.solvers.rows import Data, Figures
from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.bitvector_ops import (
    BV_TO_INT,
    BVADD,
    BVMUL,
    BVNEG,
    BVSLE,
    BVULE,
    INT_TO_BV,
)
from solvent.terms.bitvectors import BitVecTerm, extract, sign_extend, udiv, urem, zero_extend
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, BoolTerm, and_, eq, ite, not_, or_
from solvent.terms.classes import IN_CLASS, spelled_class
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.kinds import Bits, Concrete, Guard, Integer
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.ranges import Ranges
from solvent.terms.sorts import Int, bitvec_sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, bv
from solvent.verdicts import Deadline

# Numbers of more bits than this are left to the theory of integers.
_WIDEST = 192
# How many seconds the query has as it is, before it is translated.
_FIRST_SECONDS = 0.3
# How many seconds bitvectors have to themselves where characters have been compressed.
_HEAD_START = 2.0
_SLICE_SECONDS = 0.02
# Up to so many possible quotients, a division by a constant is a choice between them.
_QUOTIENTS = 4


class CannotNarrowError(Exception):
    """A query that has no translation."""


class Narrowing:
    """The translation of some formulas, which are all that is asserted.

    >>> from solvent.terms import Int, and_
    >>> x = Int("x")
    >>> formulas, narrowing = Narrowing.of([and_(0 <= x, x <= 9), x * x == 49])
    >>> narrowing.widths
    {x: 4}
    """

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges
        self._done: dict[Term, Guard | Bits] = {}
        # The bitvectors that stand for constants.
        self.constants: dict[IntTerm, BitVecTerm] = {}

    @staticmethod
    def of(formulas: Sequence[Guard]) -> tuple[list[Guard], Narrowing]:
        """Translate formulas; the result has the bounds of all constants too."""
        result = Narrowing(Ranges(formulas))
        translated = result.translated(formulas)
        return [*result.bounds(), *translated], result

    @property
    def widths(self) -> dict[IntTerm, int]:
        """How many bits each constant has got."""
        return {constant: found.sort.width for constant, found in self.constants.items()}

    def bounds(self) -> list[Guard]:
        """That each constant lies in its range."""
        result: list[Guard] = []
        for constant, found in self.constants.items():
            low, high = self._range(constant)
            width = found.sort.width
            below = BVSLE if low < 0 else BVULE
            result.append(and_(below(bv(low, width), found), below(found, bv(high, width))))
        return result

    def translated(self, formulas: Sequence[Guard]) -> list[Guard]:
        """The formulas, translated; `CannotNarrowError` if that is not possible."""
        done = self._done
        for term in reachable(formulas):
            if term not in done:
                done[term] = self._node(term)
        return [self._guard(formula) for formula in formulas]

    def value(self, constant: IntTerm, found: BV) -> int:
        """The value of a constant, from that of its bitvector."""
        return found.signed if self._range(constant)[0] < 0 else found.value

    # --- parts ---------------------------------------------------------------------------------

    def _guard(self, part: Guard) -> Guard:
        return self._done[part] if isinstance(part, Term) else part  # type: ignore[return-value]

    def _range(self, value: Integer) -> tuple[int, int]:
        low, high = self._ranges.of(value)
        if low is None or high is None:
            raise CannotNarrowError
        return low, high

    def _at(self, value: Integer, width: int) -> Bits:
        """The lowest bits of a number; all that it needs, if so many are asked for."""
        if not isinstance(value, Term):
            return bv(value, width)
        found: Bits = self._done[value]  # type: ignore[assignment]
        low, high = self._range(value)
        own = _width(low, high)
        if own >= width:
            return extract(width - 1, 0, found) if own > width else found
        extend = sign_extend if low < 0 else zero_extend
        return extend(width - own, found)

    # --- operators -----------------------------------------------------------------------------

    def _node(self, term: Term) -> Guard | Bits:
        if isinstance(term, IntTerm):
            return self._number(term)
        if not isinstance(term, (BoolTerm, BitVecTerm)):
            # Other theories have solvers of their own, which need not know bitvectors.
            raise CannotNarrowError
        op, args = term.op, term.key[1:]
        if op is CONSTANT:
            return term
        if op is LE and Int in map(_sort, args):
            return self._at_most(*args)
        if op is EQ and Int in map(_sort, args):
            return self._equal(*args)
        if op.base is IN_CLASS:
            meaning = spelled_class(op.params[0], args[0])
            return self.translated([meaning])[0]
        if op.base is INT_TO_BV:
            return self._at(args[0], term.sort.width)  # type: ignore[attr-defined]
        if op.base is APPLY or op.base in QUANTIFIERS or Int in map(_sort, args):
            raise CannotNarrowError
        parts: list[Any] = [self._done[part] if isinstance(part, Term) else part for part in args]
        if op is NOT:
            return not_(parts[0])
        if op is AND or op is OR:
            return (and_ if op is AND else or_)(parts)
        if op.base is ITE:
            return ite(parts[0], parts[1], parts[2])  # type: ignore[no-any-return]
        return op(*parts)  # type: ignore[no-any-return]

    def _number(self, term: IntTerm) -> Bits:
        op, args = term.op, term.key[1:]
        low, high = self._range(term)
        width = _width(low, high)
        if width > _WIDEST:
            raise CannotNarrowError
        if op is CONSTANT:
            found = bitvec_sort(width).fresh(term.name)
            self.constants[term] = found
            return found
        if op is ADD:
            return BVADD(self._at(args[0], width), self._at(args[1], width))
        if op is MUL:
            return BVMUL(self._at(args[0], width), self._at(args[1], width))
        if op is NEG:
            return BVNEG(self._at(args[0], width))
        if op.base is ITE:
            return ite(self._guard(args[0]), self._at(args[1], width), self._at(args[2], width))
        if op is DIV or op is MOD:
            return self._divided(term, width)
        if op is BV_TO_INT:
            return self._done[args[0]]  # type: ignore[return-value]
        raise CannotNarrowError

    def _divided(self, term: Term, width: int) -> Bits:
        """A quotient or remainder by a positive number."""
        op, value, divisor = term.key
        if type(divisor) is not int or divisor <= 0:
            raise CannotNarrowError
        low, high = self._range(value)
        first, last = low // divisor, high // divisor
        if last - first < _QUOTIENTS:
            return self._by_cases(op is DIV, value, divisor, (first, last), width)
        # Whole multiples are added, so that the dividend is not negative.
        size = _width(0, max(high - first * divisor, divisor))
        dividend = BVADD(self._at(value, size), bv(-first * divisor, size))
        if op is MOD:
            return _cut(urem(dividend, bv(divisor, size)), width)
        quotient = udiv(dividend, bv(divisor, size))
        return BVADD(_fitted(quotient, width), bv(first, width))

    def _by_cases(
        self, quotient: bool, value: Integer, divisor: int, cases: tuple[int, int], width: int
    ) -> Bits:
        first, last = cases
        result: Bits | None = None
        for number in range(first, last + 1):
            found = (
                bv(number, width)
                if quotient
                else BVADD(self._at(value, width), bv(-number * divisor, width))
            )
            if result is None:
                result = found
            else:
                result = ite(self._at_most(number * divisor, value), found, result)
        assert result is not None, "a range has a number"
        return result

    def _at_most(self, a: Integer, b: Integer) -> Guard:
        (low_a, high_a), (low_b, high_b) = self._range(a), self._range(b)
        if high_a <= low_b:
            return True
        if low_a > high_b:
            return False
        low = min(low_a, low_b)
        width = _width(low, max(high_a, high_b))
        below = BVSLE if low < 0 else BVULE
        return below(self._at(a, width), self._at(b, width))

    def _equal(self, a: Integer, b: Integer) -> Guard:
        (low_a, high_a), (low_b, high_b) = self._range(a), self._range(b)
        if high_a < low_b or high_b < low_a:
            return False
        width = _width(min(low_a, low_b), max(high_a, high_b))
        return eq(self._at(a, width), self._at(b, width))


def _sort(value: object) -> object:
    return value.sort if isinstance(value, Term) else None


def _width(low: int, high: int) -> int:
    """How many bits the numbers of a range need, one more for the sign if some are negative.

    >>> _width(0, 255), _width(-1, 255), _width(0, 0)
    (8, 9, 1)
    """
    if low >= 0:
        return max(1, high.bit_length())
    return max((-low - 1).bit_length(), max(high, 0).bit_length()) + 1


def _cut(value: Bits, width: int) -> Bits:
    own = value.sort.width
    return value if own == width else extract(width - 1, 0, value)


def _fitted(value: Bits, width: int) -> Bits:
    own = value.sort.width
    return zero_extend(width - own, value) if own < width else _cut(value, width)


class _Query:
    """What is asked instead of a query, with the way back to it."""

    def __init__(
        self, frames: Sequence[Frame], assumptions: Sequence[Guard], original: _Query | None = None
    ) -> None:
        self.frames = frames
        self.assumptions = assumptions
        self._original = original
        self._translation: Narrowing | Compression | None = None

    @property
    def asserted(self) -> list[Guard]:
        """All formulas of the frames."""
        return [term for frame in self.frames for term, _ in frame.entries]

    def narrowed(self) -> _Query | None:
        """The query as bitvectors, or None if it has no translation."""
        narrowing = Narrowing(Ranges(self.asserted))
        try:
            formulas = narrowing.translated(self.asserted)
            assumed = narrowing.translated(self.assumptions)
        except CannotNarrowError:
            return None
        return self._translated(narrowing, [*narrowing.bounds(), *formulas], assumed)

    def compressed(self) -> _Query:
        """The query with small alphabets for its characters, or itself if it has none."""
        try:
            compression = Compression([*self.asserted, *self.assumptions])
        except CannotCompressError:
            return self
        formulas = [*compression.bounds(), *map(compression.translated, self.asserted)]
        assumed = [compression.translated(guard) for guard in self.assumptions]
        return self._translated(compression, formulas, assumed)

    def _translated(
        self,
        translation: Narrowing | Compression,
        formulas: Sequence[Guard],
        assumed: Sequence[Guard],
    ) -> _Query:
        frame = Frame()
        frame.entries = [(formula, None) for formula in formulas]
        result = _Query([frame], assumed, self)
        result._translation = translation
        return result

    def wanted(self, constants: Sequence[Term]) -> Sequence[Term]:
        """What to ask a model for instead of constants of the first query."""
        if self._original is None or self._translation is None:
            return constants
        known = self._translation.constants
        return [
            known[one] if isinstance(one, IntTerm) and one in known else one
            for one in self._original.wanted(constants)
        ]

    def restored(self, values: dict[Term, Concrete]) -> dict[Term, Concrete]:
        """The values of the first query's constants."""
        if self._original is None or self._translation is None:
            return values
        result = dict(values)
        for constant, bits in self._translation.constants.items():
            value = result.pop(bits, None)
            if isinstance(value, BV):
                result[constant] = self._translation.value(constant, value)
        return self._original.restored(result)

    def core(self, guards: Sequence[Guard]) -> list[Guard]:
        """The assumptions of the first query that some of this one's come from."""
        if self._original is None:
            return list(guards)
        originals = dict(zip(self.assumptions, self._original.assumptions, strict=True))
        return self._original.core([originals[guard] for guard in guards])


_Entrant = tuple[Context, _Query]


def _race(
    entrants: Sequence[_Entrant],
    deadline: Deadline,
    interrupted: Callable[[], bool],
    head_start: float,
) -> tuple[tuple[str, str], _Entrant] | None:
    """The first answer to one of several queries that are the same question.

    The first entrant starts later than the others, unless it is alone: two of them on one machine
    take longer than one.
    An entrant whose solver is missing, refuses the query or gives up leaves the race to the others.
    If all do, it is the word of the first that has one, or none.
    """
    if not entrants:
        return None
    over = threading.Event()
    answers: dict[int, tuple[str, str]] = {}

    def run(place: int) -> None:
        context, query = entrants[place]
        try:
            answers[place] = context.check(
                query.frames,
                query.assumptions,
                deadline.left(),
                lambda: over.is_set() or interrupted(),
            )
        except (SolverMissingError, UnsupportedError):
            return
        if answers[place][0] != "unknown":
            over.set()

    others = [
        threading.Thread(target=copy_context().run, args=(run, place), daemon=True)
        for place in range(1, len(entrants))
    ]
    for thread in others:
        thread.start()
    try:
        if not (others and _ended(others, over, deadline.up_to(head_start))):
            run(0)
        for thread in others:
            thread.join()
    finally:
        over.set()
        for thread in others:
            thread.join()
    decided = [place for place in sorted(answers) if answers[place][0] != "unknown"]
    for place in (*decided, *sorted(answers)):
        return answers[place], entrants[place]
    return None


def _ended(threads: Sequence[threading.Thread], over: threading.Event, seconds: float) -> bool:
    """Whether there is an answer in so many seconds; who gives up is not waited for."""
    end = Deadline(seconds)
    while not end.is_over and not over.is_set() and any(one.is_alive() for one in threads):
        over.wait(_SLICE_SECONDS)
    return over.is_set()


class NarrowingContext(Backend):
    """Checks by the theories of the query, and as bitvectors beside that."""

    def __init__(self, memory: int) -> None:
        self._wide = Context(None, memory)
        self._small = Context([Spec("z3")], memory)
        self._narrow = Context([Spec("bitwuzla")], memory)
        self._last: Context = self._wide
        self._query = _Query((), ())
        # How much has been looked at, and whether there were bounds of integers.
        self._seen: list[tuple[Frame, int]] = []
        self._bounded = False

    @property
    def name(self) -> str:
        return self._last.name

    @property
    def nodes(self) -> int:
        return sum(context.nodes for context in self._contexts)

    @property
    def _contexts(self) -> tuple[Context, ...]:
        return self._wide, self._small, self._narrow

    def prepare(self) -> None:
        self._wide.prepare()

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        original = _Query(frames, assumptions)
        self._last, self._query = self._wide, original
        if not self._may_narrow(frames):
            return self._wide.check(frames, assumptions, seconds, interrupted)
        deadline = Deadline(seconds)
        limit = deadline.limited(_FIRST_SECONDS).left()
        found = self._wide.check(frames, assumptions, limit, interrupted)
        if found[0] != "unknown" or deadline.is_over or interrupted():
            return found
        for context in (self._small, self._narrow):
            context.close()
            context.reset()
        small = original.compressed()
        narrow = small.narrowed()
        entrants = [] if narrow is None else [(self._narrow, narrow)]
        if small is not original:
            entrants.insert(0, (self._small, small))
        elif found[1] == "timeout":
            entrants.insert(0, (self._wide, original))
        head_start = _HEAD_START if small is not original else 0.0
        answer = _race(entrants, deadline, interrupted, head_start)
        if answer is None:
            return found
        found, (self._last, self._query) = answer
        return found

    def _may_narrow(self, frames: Sequence[Frame]) -> bool:
        """Whether some integers have had bounds, and nothing is to be optimized: a cheap look."""
        for place, frame in enumerate(frames):
            if place == len(self._seen) or self._seen[place][0] is not frame:
                self._seen[place:] = [(frame, 0)]
            for term, goal in frame.entries[self._seen[place][1] :]:
                if goal is not None:
                    return False
                self._bounded = self._bounded or bool(Ranges([term]).constants())
            self._seen[place] = (frame, len(frame.entries))
        return self._bounded

    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        found = self._last.model(wanted and self._query.wanted(wanted))
        if found is None:
            return None
        values, functions, inexact = found
        return self._query.restored(values), functions, inexact

    def core(self) -> list[Guard] | None:
        found = self._last.core()
        return None if found is None else self._query.core(found)

    def objectives(self) -> list[Data] | None:
        return self._wide.objectives()

    def total_conversion_seconds(self) -> float:
        return sum(context.total_conversion_seconds() for context in self._contexts)

    def figures(self) -> Figures:
        return self._last.figures()

    def reset(self) -> None:
        for context in self._contexts:
            context.reset()

    def abandon(self) -> None:
        for context in self._contexts:
            context.abandon()

    def close(self) -> None:
        for context in self._contexts:
            context.close()
