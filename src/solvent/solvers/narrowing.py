"""Integers whose ranges are known, as bitvectors.

Where every symbolic int of a query has bounds, as code points and small numbers have, the query has
an exact translation to bitvectors: each number gets as many bits as its range needs, so that no
operation ever overflows.  Neither way is always the better one: linear arithmetic is decided by
few cuts and takes for ever by bits, and what hangs on many small choices is the reverse.  So checks
that take longer than a moment are made in both ways side by side, and the first answer counts.

Floats stay floats, and what becomes a float of an int, or of a quotient of ints, is rounded from
bitvectors: no solver does that well from integers and rational numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import replace
from math import lcm
from typing import Any

from solvent.errors import SolverError, SolverMissingError, UnsupportedError
from solvent.solvers.alphabets import CannotCompressError, Compression
from solvent.solvers.cases import by_cases, by_divisors
from solvent.solvers.choose import Spec, prefers_bits
from solvent.solvers.context import Backend, Context, Frame, ModelParts
from solvent.solvers.engines.minisat_engine import FEATURES
from solvent.solvers.generalizing import generalized
from solvent.solvers.joining import Late
from solvent.solvers.process import pool
from solvent.solvers.questions import Attempt
from solvent.solvers.rows import Data, Figures
from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.bitvector_ops import (
    BV_TO_INT,
    BVADD,
    BVMUL,
    BVNEG,
    BVNOT,
    BVSLE,
    BVULE,
    INT_TO_BV,
)
from solvent.terms.bitvectors import BitVecTerm, extract, sign_extend, udiv, urem, zero_extend
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, BoolTerm, and_, eq, ite, not_, or_
from solvent.terms.classes import IN_CLASS, spelled_class
from solvent.terms.float_ops import FP_DIV, TO_FP_FROM_REAL, TO_FP_FROM_SIGNED
from solvent.terms.floats import FloatTerm
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.kinds import Bits, Concrete, Datum, Guard, Integer, Rational
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.ranges import Ranges
from solvent.terms.ratios import Ratio, ratio
from solvent.terms.reals import RealTerm
from solvent.terms.softfloat import RoundingMode, zero
from solvent.terms.sorts import FloatSort, Int, Real, bitvec_sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, bv
from solvent.verdicts import Deadline

# Numbers of more bits than this are left to the theory of integers.
_WIDEST = 192
# How many seconds the query has as it is, before it is translated; and where bits are better.
_FIRST_SECONDS = 0.3
_FIRST_GLANCE = 0.05
# Up to how many terms a query is tried as bitvectors in this process, before anything else.
_FEW_TERMS = 5_000
# What is translated to that which can be tried there.
_TRIED = FEATURES | {op.name for op in (ADD, LE, MUL, NEG, DIV, MOD, BV_TO_INT, INT_TO_BV)}
# How long a more general query is asked first; with a limit, half of the time that is left.
_GENERAL_SECONDS = 20.0
# How many seconds bitvectors have to themselves where they are better.
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
        self._done: dict[Term, Guard | Bits | Datum] = {}
        # The bitvectors that stand for constants.
        self.constants: dict[IntTerm, BitVecTerm] = {}

    @staticmethod
    def of(formulas: Sequence[Guard]) -> tuple[list[Guard], Narrowing]:
        """Translate formulas; the result has the bounds of all constants too."""
        result = Narrowing(_ranges(formulas))
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
        self._translate(formulas)
        return [self._guard(formula) for formula in formulas]

    def _translate(self, values: Sequence[Guard | Integer]) -> None:
        done = self._done
        for term in reachable(values):
            if term not in done:
                done[term] = self._node(term)

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

    def _node(self, term: Term) -> Guard | Bits | Datum:
        if isinstance(term, IntTerm):
            return self._number(term)
        if isinstance(term, RealTerm):
            # It becomes a float, or is compared, or has no translation.
            return True
        if not isinstance(term, (BoolTerm, BitVecTerm, FloatTerm)):
            # Other theories have solvers of their own, which need not know bitvectors.
            raise CannotNarrowError
        op, args = term.op, term.key[1:]
        if op is CONSTANT:
            return term
        if op.base is TO_FP_FROM_REAL:
            mode, sort = op.params
            return self._as_float(mode, sort, _ratio(args[0]))
        if Real in map(_sort, args):
            return self._compared(term)
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

    # --- rational numbers ----------------------------------------------------------------------

    def _compared(self, term: Term) -> Guard:
        """A comparison of rational numbers as one of ints."""
        parts = [_ratio(part) for part in term.key[1:]]
        known: list[Any] = [part.below for part in parts]
        if term.op not in (LE, EQ) or not all(type(below) is int for below in known):
            raise CannotNarrowError
        below = lcm(*known)
        first, second = (part.over(below) for part in parts)
        return self.translated([first <= second if term.op is LE else eq(first, second)])[0]

    def _as_float(self, mode: RoundingMode, sort: FloatSort, number: Ratio) -> Datum:
        """The float that a rational number is rounded to."""
        above, below = (self._rounded(mode, sort, part, number.below) for part in number)
        if type(number.below) is int:
            return above if number.below == 1 else FP_DIV.at(mode)(above, below)
        # The zero of a quotient has no sign here.
        nothing = or_(eq(number.above, 0), eq(number.below, 0))
        quotient = FP_DIV.at(mode)(above, below)
        return ite(self.translated([nothing])[0], zero(sort), quotient)

    def _rounded(
        self, mode: RoundingMode, sort: FloatSort, number: Integer, below: Integer
    ) -> Datum:
        """An int as a float; the parts of a quotient are not rounded, as that is."""
        self._translate([number])
        low, high = self._range(number)
        exact = type(below) is not int or below != 1
        if exact and max(-low, high) > 1 << sort.sbits:
            raise CannotNarrowError
        width = _width(min(low, -1), high)
        return TO_FP_FROM_SIGNED.at(mode, sort)(self._at(number, width))

    # --- integers ------------------------------------------------------------------------------

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
        """A quotient or remainder, Euclidean ones as SMT-LIB has them."""
        op, value, divisor = term.key
        if type(divisor) is not int or divisor <= 0:
            return self._divided_by_any(op is DIV, value, divisor, width)
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

    def _divided_by_any(self, quotient: bool, value: Integer, divisor: Integer, width: int) -> Bits:
        """A quotient or remainder by a number that is symbolic, negative or zero."""
        (low, high), (least, most) = self._range(value), self._range(divisor)
        # Room for both numbers, the sizes of their opposites, and the result.
        size = max(_width(min(low, -high), max(high, -low)), _width(-1, max(most, -least)), width)
        if size > _WIDEST:
            raise CannotNarrowError
        number, by = self._at(value, size), self._at(divisor, size)
        zero = bv(0, size)
        below, minus = _is_below(number, zero, low), _is_below(by, zero, least)
        by_size = ite(minus, BVNEG(by), by)
        # Rounded down, the quotient of -1 - x is -1 - q and its remainder is d - 1 - r.
        dividend = ite(below, BVNOT(number), number)
        if quotient:
            found = udiv(dividend, by_size)
            found = ite(below, BVNOT(found), found)
            found = ite(minus, BVNEG(found), found)
        else:
            found = urem(dividend, by_size)
            found = ite(below, BVADD(by_size, BVNOT(found)), found)
        if least <= 0 <= most:
            found = ite(eq(by, zero), zero if quotient else number, found)
        return _cut(found, width)

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
        if result is None:
            # Bounds contradict each other, which whoever is asked about the ints will notice.
            raise CannotNarrowError
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


def _ratio(value: Rational) -> Ratio:
    found = ratio(value)
    if found is None:
        raise CannotNarrowError
    return found


def _ranges(formulas: Sequence[Guard]) -> Ranges:
    """What formulas that hold say of the ranges of integers."""
    result = Ranges()
    for formula in formulas:
        result.learn_common(formula)
    return result


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


def _is_below(value: Bits, zero: Bits, low: int) -> Guard:
    """Whether a signed number is negative, if its range has negative ones."""
    return not_(BVSLE(zero, value)) if low < 0 else False


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
        # Whether a model of it may be none of the query that it stands for.
        self.is_general = False

    @property
    def asserted(self) -> list[Guard]:
        """All formulas of the frames."""
        return [term for frame in self.frames for term, _ in frame.entries]

    def narrowed(self) -> _Query | None:
        """The query as bitvectors, or None if it has no translation."""
        narrowing = Narrowing(_ranges(self.asserted))
        try:
            formulas = narrowing.translated(self.asserted)
            assumed = narrowing.translated(self.assumptions)
        except CannotNarrowError:
            return None
        return self._translated(narrowing, [*narrowing.bounds(), *formulas], assumed)

    def by_cases(self) -> _Query:
        """The query taken apart into its cases, or itself if they are many or about assumptions."""
        if self.assumptions:
            return self
        formula = and_(self.asserted)
        found = by_divisors(formula)
        if found is None:
            found = by_cases(formula)
        if found is None:
            return self
        frame = Frame()
        frame.entries = [(found, None)]
        return _Query([frame], ())

    def generalized(self) -> _Query | None:
        """A query without large functions of one int; if it has no model, this one has none."""
        found = None if self.assumptions else generalized(and_(self.asserted))
        if found is None:
            return None
        frame = Frame()
        frame.entries = [(found, None)]
        result = _Query([frame], ())
        result.is_general = True
        return result

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


class _Race:
    """Several queries that are the same question, asked side by side: who answers first wins."""

    def __init__(
        self, entrants: Sequence[_Entrant], deadline: Deadline, interrupted: Callable[[], bool]
    ) -> None:
        self.entrants = entrants
        self.deadline = deadline
        self.interrupted = interrupted
        self.over = threading.Event()
        self.answers: dict[int, tuple[str, str]] = {}
        self.failures: dict[int, BaseException] = {}

    def run(self, place: int) -> None:
        """Ask one entrant; who has no answer leaves the race to the others."""
        context, query = self.entrants[place]
        try:
            answer = self.answers[place] = context.check(
                query.frames,
                query.assumptions,
                self.deadline.left(),
                lambda: self.over.is_set() or self.interrupted(),
            )
        except (SolverMissingError, UnsupportedError):
            return
        except SolverError as error:
            self.failures[place] = error
            return
        except BaseException as error:
            # No word of the others makes good for a mistake of our own, or for Ctrl-C.
            self.failures[place] = error
            self.over.set()
            return
        if answer[0] != "unknown":
            self.over.set()

    def result(self) -> tuple[tuple[str, str], _Entrant] | None:
        """The answer, and who gave it; exceptions end the query, whichever thread raised them."""
        answers = self.answers
        for error in self.failures.values():
            if not (isinstance(error, SolverError) and answers):
                raise error
        decided = [place for place in sorted(answers) if answers[place][0] != "unknown"]
        for place in (*decided, *sorted(answers)):
            return answers[place], self.entrants[place]
        return None


def _race(
    entrants: Sequence[_Entrant],
    deadline: Deadline,
    interrupted: Callable[[], bool],
    head_start: float,
) -> tuple[tuple[str, str], _Entrant] | None:
    """The first answer to one of several queries that are the same question.

    The first entrant starts later than the others, unless it is alone: two of them on one machine
    take longer than one.
    An entrant whose solver is missing, refuses the query, fails or gives up leaves the race to the
    others.  If all do, it is the word of the first that has one, or none; a solver's failure is
    told only if nobody has a word.
    """
    if not entrants:
        return None
    race = _Race(entrants, deadline, interrupted)
    others = [
        threading.Thread(target=copy_context().run, args=(race.run, place), daemon=True)
        for place in range(1, len(entrants))
    ]
    for thread in others:
        thread.start()
    try:
        if not (others and _ended(others, race.over, deadline.up_to(head_start))):
            race.run(0)
        for thread in others:
            thread.join()
    finally:
        race.over.set()
        for thread in others:
            thread.join()
    return race.result()


def _ended(threads: Sequence[threading.Thread], over: threading.Event, seconds: float) -> bool:
    """Whether there is an answer in so many seconds; who gives up is not waited for."""
    end = Deadline(seconds)
    while not end.is_over and not over.is_set() and any(one.is_alive() for one in threads):
        over.wait(_SLICE_SECONDS)
    return over.is_set()


class NarrowingContext(Backend):
    """Checks by the theories of the query, and as bitvectors beside that."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._wide = Context(None, memory)
        # For queries that go to the solvers as they are.
        self._late = Late(self._wide, memory)
        # For small alphabets and for bitvectors, once there is a query that takes so long.
        self._beside: list[Context] = []
        # For bitvectors that are tried at once, in this process.
        self._at_once = Context(None, memory)
        self._last: Context = self._wide
        self._query = _Query((), ())
        # How much has been looked at, and whether there were bounds of integers.
        self._seen: list[tuple[Frame, int]] = []
        self._known: set[Term] = set()
        self._bounded = False
        self._first_attempts: Sequence[Attempt] = ()

    @property
    def name(self) -> str:
        return self._last.name

    @property
    def nodes(self) -> int:
        return sum(context.nodes for context in self._contexts)

    @property
    def _contexts(self) -> tuple[Context, ...]:
        return self._wide, self._at_once, *self._beside, *self._late.contexts

    @property
    def attempts(self) -> Sequence[Attempt]:  # type: ignore[override]
        """What was tried, in the order in which it was started."""
        forms = ("with small alphabets or by cases", "as bitvectors")
        beside = [
            replace(attempt, form=form)
            for form, context in zip(forms, self._beside, strict=False)
            for attempt in context.attempts
        ]
        at_once = [replace(attempt, form=forms[1]) for attempt in self._at_once.attempts]
        first = [*at_once, *self._first_attempts]
        return [*first, *self._wide.attempts, *self._late.attempts, *beside]

    def prepare(self, about: Guard = True) -> None:
        self._wide.prepare(about)

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        original = _Query(frames, assumptions)
        self._last, self._query = self._wide, original
        for context in self._contexts:
            context.wants_model = self.wants_model
        # What the others did belongs to earlier checks, until they are asked again.
        self._first_attempts = ()
        for context in (self._at_once, *self._beside):
            context.attempts = ()
        self._late.forget()
        if not self._may_narrow(frames):
            found = self._late.check(frames, assumptions, seconds, interrupted)
            self._last = self._late.winner
            return found
        deadline = Deadline(seconds)
        features = self._wide.features_of(frames, assumptions)
        first = _FIRST_GLANCE if prefers_bits(features) else _FIRST_SECONDS
        at_once = self._tried_at_once(original, features, deadline, interrupted)
        if at_once is not None:
            return at_once
        limit = deadline.limited(first).left()
        found = self._wide.check(frames, assumptions, limit, interrupted)
        if found[0] != "unknown" or deadline.is_over or interrupted():
            return found
        self._first_attempts = self._wide.attempts
        self._wide.attempts = ()
        general = original.generalized()
        if general is not None:
            left = deadline.left()
            some = deadline.limited(_GENERAL_SECONDS if left is None else left / 2)
            if self._asked_otherwise(general, found, some, interrupted)[0] == "unsat":
                return "unsat", ""
            self._last, self._query = self._wide, original
        return self._asked_otherwise(original, found, deadline, interrupted)

    def _tried_at_once(
        self,
        query: _Query,
        features: set[str],
        deadline: Deadline,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str] | None:
        """The answer to a small query as bitvectors, without another process.

        One of sums and comparisons only is not tried where the process for it runs already.
        """
        if self._wide.encoder.nodes > _FEW_TERMS or not _TRIED.issuperset(features):
            return None
        if not prefers_bits(features) and pool.has_idle("z3", self._memory):
            return None
        narrow = query.narrowed()
        if narrow is None:
            return None
        context = self._at_once
        context.close()
        context.reset()
        found = context.check_here(narrow.frames, narrow.assumptions, deadline, interrupted)
        if found is not None:
            self._last, self._query = context, narrow
        return found

    def _asked_otherwise(
        self,
        query: _Query,
        found: tuple[str, str],
        deadline: Deadline,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        """The answer to what a query becomes by cases, small alphabets and bitvectors."""
        for context in self._beside:
            context.close()
            context.reset()
        if not self._beside:
            self._beside = [Context([Spec(name)], self._memory) for name in ("z3", "bitwuzla")]
            for context in self._beside:
                context.wants_model = self.wants_model
        for_small, for_narrow = self._beside
        cases = query.by_cases()
        if any(formula is False for formula in cases.asserted):
            return "unsat", ""
        small = cases.compressed()
        narrow = small.narrowed()
        entrants = [] if narrow is None else [(for_narrow, narrow)]
        if small is not query or query.is_general:
            entrants.insert(0, (for_small, small))
        elif found[1] == "timeout":
            entrants.insert(0, (self._wide, query))
        on_bits = small is not cases or prefers_bits(self._wide.encoder.features)
        head_start = _HEAD_START if on_bits else 0.0
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
                self._bounded = self._bounded or self._has_bounds(term)
            self._seen[place] = (frame, len(frame.entries))
        return self._bounded

    def _has_bounds(self, formula: Guard) -> bool:
        """Whether some ints of a formula have bounds, or are those of bitvectors."""
        if _ranges([formula]).constants():
            return True
        known = self._known
        pending: list[object] = [formula]
        while pending:
            term = pending.pop()
            if isinstance(term, Term) and term not in known:
                if term.op is BV_TO_INT:
                    return True
                known.add(term)
                if term.op is not CONSTANT:
                    pending += term.key[1:]
        return False

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
