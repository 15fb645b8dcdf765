"""Queries with few cases, taken apart into them.

A program that has merged its paths asks about numbers that are nested choices: the digits of a
number, of whichever length it is.  Under the tests of all choices, what is left is mostly plain
arithmetic that simplifies itself, and ranges decide most of the other tests; so the number of cases
is that of the paths which differ, not two to the power of the tests.  All cases together say the
same as the query.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from solvent.terms.arithmetic import LE, le
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, BoolTerm, and_, eq, not_, or_
from solvent.terms.graph import reachable, substitute
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.kinds import Guard
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.ranges import Ranges
from solvent.terms.term import CONSTANT, Term

# On how many tests they may hang, how many there may be, and how many terms are looked at in all.
_TESTS = 24
_CASES = 64
_TERMS = 30_000


def by_cases(formula: Guard) -> Guard | None:
    """The same formula as a disjunction of cases without choices between numbers.

    `None` if there are no such choices, or too many.

    >>> from solvent.terms import Int, ite
    >>> x = Int("x")
    >>> size = ite(x < 0, -x, x)
    >>> by_cases(and_(size <= 5, size > 3))
    x > -1 and (x <= 5 and x > 3) or x <= -1 and (x > -6 and x <= -4)
    """
    if not isinstance(formula, BoolTerm):
        return None
    terms = reachable([formula])
    if len(terms) * 4 > _TERMS or any(term.op.base in QUANTIFIERS for term in terms):
        return None
    if not 0 < len(_tests(terms)) <= _TESTS:
        return None
    return _Cases().of(formula)


def _tests(terms: list[Term]) -> list[BoolTerm]:
    """The conditions, no combinations of others, on which choices between ints hang."""
    tests = [term.key[1] for term in terms if isinstance(term, IntTerm) and term.op.base is ITE]
    return [term for term in reachable(tests) if isinstance(term, BoolTerm) and _is_atom(term)]


def _is_atom(term: BoolTerm) -> bool:
    if term.op in (AND, OR, NOT) or term.op.base is ITE:
        return False
    # An equation between conditions combines them too.
    return term.op is not EQ or not isinstance(term.key[1], BoolTerm)


def by_divisors(formula: Guard) -> Guard | None:
    """The same formula as a disjunction over the values of ints that something is divided by.

    Solvers know little of division by what is not known.  `None` if nothing is divided by an int
    that the formula gives close bounds, or the cases are too many.

    >>> from solvent.terms import Int, and_
    >>> x, n = Int("x"), Int("n")
    >>> sorted(str(by_divisors(and_(0 < n, n < 3, x % n == 1))).split(" and "))
    ['mod(x, 2) == 1', 'n == 2']
    """
    if not isinstance(formula, BoolTerm):
        return None
    terms = reachable([formula])
    ranges = Ranges()
    ranges.learn_common(formula)
    divisors = reachable(term.key[2] for term in terms if term.op is MOD or term.op is DIV)
    values: dict[Term, range] = {}
    cases = 1
    for constant in (term for term in divisors if term.op is CONSTANT):
        low, high = ranges.of(constant) if isinstance(constant, IntTerm) else (None, None)
        if low is not None and high is not None and low <= high:
            values[constant] = range(low, high + 1)
            cases *= len(values[constant])
    if not values or cases > _CASES or cases * len(terms) > _TERMS:
        return None
    found: list[Guard] = []
    for row in product(*values.values()):
        case = dict(zip(values, row, strict=True))
        rest = substitute(formula, case)
        if rest is not False:
            found.append(and_([*(eq(term, value) for term, value in case.items()), rest]))
    return or_(found)


class _Cases:
    """Takes one formula apart."""

    def __init__(self) -> None:
        self._left = _TERMS

    def of(self, formula: BoolTerm) -> Guard | None:
        """All cases of the formula, or `None` if they are too many."""
        ranges = Ranges()
        ranges.learn(formula)
        found: list[Guard] = []
        # What the ranges decide goes from the formula, so that they have to be said beside it.
        pending: list[tuple[Guard, list[Guard], Ranges]] = [(formula, _bounds(ranges), ranges)]
        while pending:
            guard, facts, ranges = pending.pop()
            terms = reachable([guard])
            tests = _tests(terms)
            if not tests:
                if guard is not False:
                    found.append(and_([*facts, guard]))
                continue
            test = tests[0]
            self._left -= 2 * len(terms)
            if self._left < 0 or len(found) + len(pending) >= _CASES:
                return None
            for fact in (test, not_(test)):
                if ranges.refutes(fact):
                    continue
                here = ranges.copy()
                here.learn(fact)
                rest = _simplified(guard, terms, {test: fact is test}, here)
                pending.append((rest, [*facts, fact], here))
        return or_(found)


def _bounds(ranges: Ranges) -> list[Guard]:
    """What is known of constants, as conditions."""
    result: list[Guard] = []
    for constant, (low, high) in ranges.constants().items():
        result += [] if low is None else [le(low, constant)]
        result += [] if high is None else [le(constant, high)]
    return result


def _simplified(guard: Guard, terms: list[Term], known: dict[Term, bool], ranges: Ranges) -> Guard:
    """A formula with what is known put in."""
    done: dict[Term, Any] = dict(known)
    for term in terms:
        if term not in done:
            done[term] = _decided(_rebuilt(term, done), ranges)
    return done[guard] if isinstance(guard, Term) else guard


def _rebuilt(term: Term, done: dict[Term, Any]) -> Any:
    if term.op is CONSTANT:
        return term
    op, *args = term.key
    changed = [done[arg] if isinstance(arg, Term) else arg for arg in args]
    return term if all(map(_is_same, args, changed)) else op(*changed)


def _is_same(a: object, b: object) -> bool:
    return a is b


def _decided(value: Any, ranges: Ranges) -> Any:
    """What a term is if ranges tell: a comparison may be decided, a remainder the number itself."""
    if not isinstance(value, Term):
        return value
    if value.op is MOD and type(value.key[2]) is int:
        low, high = ranges.of(value.key[1])
        inside = low is not None and high is not None and low >= 0 and high < value.key[2]
        return value.key[1] if inside else value
    if isinstance(value, BoolTerm) and (value.op is LE or value.op is EQ):
        if ranges.refutes(value):
            return False
        return True if ranges.refutes(not_(value)) else value
    return value
