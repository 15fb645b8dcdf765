"""Queries in which large functions of one int are taken for unknown numbers.

What `lower` makes of a character is a choice between hundreds of ranges.  That a list sorted by it
is in order does not depend on any of them: if there is no counterexample whatever numbers stand in
their place, there is none.  Only that answer counts, for such a number may be one that the function
never gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from solvent.terms.booleans import EQ, ITE, BoolTerm, and_, eq, ite
from solvent.terms.graph import constants, reachable, substitute
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Guard, Integer
from solvent.terms.model import evaluate
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.ranges import Ranges
from solvent.terms.sorts import Int
from solvent.terms.term import CONSTANT, Term

# How large a function is at least, counted as a tree, and how much of one is its core.
_LARGE = 200
_CORE = 0.9
# For how many numbers it is said what a function gives.
_FEW = 8


def generalized(formula: Guard) -> Guard | None:
    """A formula that holds wherever the given one does; `None` without large functions of one int.

    >>> from solvent.terms import Int, ite
    >>> generalized(Int("x") > 0) is None
    True
    """
    if not isinstance(formula, BoolTerm):
        return None
    terms = reachable([formula])
    if any(term.op.base in QUANTIFIERS for term in terms):
        return None
    found = _Functions(terms).used()
    if not found:
        return None
    ranges = Ranges()
    ranges.learn_common(formula)
    numbers = {term: Int.fresh("general") for term in found}
    bounds: list[Guard] = []
    for term, number in numbers.items():
        low, high = ranges.of(term)
        bounds += [] if low is None else [number >= low]
        bounds += [] if high is None else [number <= high]
    asked = _compared(substitute(formula, numbers))
    values = {term: _with_known_values(term, number, asked) for term, number in numbers.items()}
    return and_([substitute(formula, values), *bounds])


def _compared(formula: Guard) -> dict[Term, list[int]]:
    """The known numbers that ints are compared with."""
    result: dict[Term, list[int]] = {}
    for term in reachable([formula]):
        if term.op.base is EQ and type(term.key[1]) is IntTerm and type(term.key[2]) is int:
            result.setdefault(term.key[1], []).append(term.key[2])
    return result


def _with_known_values(
    function: IntTerm, number: IntTerm, asked: Mapping[Term, Sequence[int]]
) -> Integer:
    """An unknown number, except where the function is asked of numbers that occur elsewhere."""
    (constant,) = constants(function)
    result: Integer = number
    for value in asked.get(constant, ())[:_FEW]:
        result = ite(eq(constant, value), evaluate(function, {constant: value}), result)
    return result


class _Functions:
    """The choices between ints that depend on one constant."""

    def __init__(self, terms: list[Term]) -> None:
        self._terms = terms
        # On which constant a term depends, itself if they are several, and how large it is.
        self._constants: dict[Term, Term] = {}
        self._sizes: dict[Term, int] = {}
        for term in terms:
            self._measure(term)

    def _measure(self, term: Term) -> None:
        parts = _parts(term)
        constants = {self._constants[part] for part in parts if part in self._constants}
        self._sizes[term] = 1 + sum(self._sizes[part] for part in parts)
        if term.op is CONSTANT or len(constants) > 1:
            self._constants[term] = term
        elif constants:
            self._constants[term] = constants.pop()

    def _is_function(self, term: Term) -> bool:
        constant = self._constants.get(term)
        return (
            isinstance(term, IntTerm)
            and term.op.base is ITE
            and self._sizes[term] >= _LARGE
            and constant is not None
            and constant.op is CONSTANT
        )

    def used(self) -> list[IntTerm]:
        """The cores of functions that something else than a larger one uses, in order."""
        result: dict[IntTerm, None] = {}
        for term in self._terms:
            if not self._is_function(term):
                for part in _parts(term):
                    if isinstance(part, IntTerm) and self._is_function(part):
                        result[self._core(part)] = None
        return list(result)

    def _core(self, term: IntTerm) -> IntTerm:
        """The function without the few exceptions around it, which others may not have."""
        least = _CORE * self._sizes[term]
        for part in _parts(term):
            if isinstance(part, IntTerm) and self._is_function(part) and self._sizes[part] >= least:
                return self._core(part)
        return term


def _parts(term: Term) -> Iterable[Term]:
    return [part for part in term.key[1:] if isinstance(part, Term)]
