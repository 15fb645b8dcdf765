"""Integers whose ranges are known, as bitvectors.

Where every symbolic int of a query has bounds, as code points and small numbers have, the query has
an exact translation to bitvectors: each number gets as many bits as its range needs, so that no
operation ever overflows.  Neither way is always the better one: linear arithmetic is decided by
few cuts and takes for ever by bits, and what hangs on many small choices is the reverse.  So checks
that take longer than a moment are made in turns, with more time each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, and_, eq, ite, not_, or_
from solvent.terms.classes import IN_CLASS, spelled_class
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.kinds import Bits, Guard, Integer
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.ranges import Ranges
from solvent.terms.sorts import Int, bitvec_sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, bv
from solvent.verdicts import Deadline

# Numbers of more bits than this are left to the theory of integers.
_WIDEST = 192
# How many seconds the first attempt has, and by how much the turns grow.
_FIRST_SECONDS = 0.5
_GROWTH = 3.0
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
        op, args = term.op, term.key[1:]
        if op is CONSTANT:
            return term  # type: ignore[return-value]
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


class NarrowingContext(Backend):
    """Checks by the theories of the query, and in turns with them as bitvectors."""

    def __init__(self, memory: int) -> None:
        self._wide = Context(None, memory)
        self._narrow = Context([Spec("bitwuzla")], memory)
        self._last: Context = self._wide
        self._narrowing: Narrowing | None = None
        self._originals: dict[Guard, Guard] = {}
        # How much has been looked at, and whether there were bounds of integers.
        self._seen: list[tuple[Frame, int]] = []
        self._bounded = False

    @property
    def name(self) -> str:
        return self._last.name

    @property
    def nodes(self) -> int:
        return self._wide.nodes + self._narrow.nodes

    def prepare(self) -> None:
        self._wide.prepare()

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        self._last, self._narrowing = self._wide, None
        if not self._may_narrow(frames):
            return self._wide.check(frames, assumptions, seconds, interrupted)
        deadline = Deadline(seconds)
        turn = _FIRST_SECONDS
        narrow: Sequence[Frame] | None = None
        while True:
            limit = deadline.limited(turn).left()
            self._last = self._wide
            found = self._wide.check(frames, assumptions, limit, interrupted)
            if found[1] != "timeout" or deadline.is_over or interrupted():
                return found
            if narrow is None:
                try:
                    narrow, narrowed = self._translated(frames, assumptions)
                except CannotNarrowError:
                    return self._wide.check(frames, assumptions, deadline.left(), interrupted)
            turn *= _GROWTH
            self._last = self._narrow
            self._narrow.close()
            self._narrow.reset()
            limit = deadline.limited(turn).left()
            found = self._narrow.check(narrow, narrowed, limit, interrupted)
            if found[1] != "timeout" or deadline.is_over or interrupted():
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

    def _translated(
        self, frames: Sequence[Frame], assumptions: Sequence[Guard]
    ) -> tuple[list[Frame], list[Guard]]:
        asserted = [term for frame in frames for term, _ in frame.entries]
        self._narrowing = Narrowing(Ranges(asserted))
        formulas = self._narrowing.translated(asserted)
        assumed = self._narrowing.translated(assumptions)
        self._originals = dict(zip(assumed, assumptions, strict=True))
        frame = Frame()
        frame.entries = [(formula, None) for formula in (*self._narrowing.bounds(), *formulas)]
        return [frame], assumed

    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        narrowing = self._narrowing
        if self._last is self._wide or narrowing is None:
            return self._wide.model(wanted)
        known = narrowing.constants
        found = self._narrow.model(
            wanted and [known[t] if isinstance(t, IntTerm) and t in known else t for t in wanted]
        )
        if found is None:
            return None
        values, functions, inexact = found
        result = dict(values)
        for constant, bits in known.items():
            value = result.pop(bits, None)
            if isinstance(value, BV):
                result[constant] = narrowing.value(constant, value)
        return result, functions, inexact

    def core(self) -> list[Guard] | None:
        found = self._last.core()
        if found is None or self._last is self._wide:
            return found
        return [self._originals[guard] for guard in found]

    def objectives(self) -> list[Data] | None:
        return self._wide.objectives()

    def total_conversion_seconds(self) -> float:
        return self._wide.total_conversion_seconds() + self._narrow.total_conversion_seconds()

    def figures(self) -> Figures:
        return self._last.figures()

    def reset(self) -> None:
        self._wide.reset()
        self._narrow.reset()

    def abandon(self) -> None:
        self._wide.abandon()
        self._narrow.abandon()

    def close(self) -> None:
        self._wide.close()
        self._narrow.close()
