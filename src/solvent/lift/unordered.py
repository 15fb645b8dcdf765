"""Sorting by keys that have no total order: floats of which one is NaN, sets, a class's own `<`.

What comes out then depends on which keys are compared, which differs from one Python to the next.
So Python's own sort is run on keys that know nothing but their places: each comparison is answered
in both ways, one after the other, and the answers of all these sorts form a tree with an order of
the places at each of its leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from types import FunctionType

from solvent.lift.values.sequences import pick, walk
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.float_functions import is_nan
from solvent.terms.floats import FloatTerm
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

# The most keys of which all sorts are looked at: ten times as many for each one more.
MOST = 5

Less = Callable[[int, int], Guard]


# --- keys -----------------------------------------------------------------------------------------


def no_number(key: Value) -> Guard:
    """Whether a key is NaN, or has one in it.

    >>> from solvent.terms import Float
    >>> no_number((1, [Float("x")])), no_number((1, 2.5))
    (is_nan(x), False)
    """
    if type(key) is float or type(key) is FloatTerm:
        return is_nan(key)
    if type(key) is Union:
        return _of_members(choices_of(key))
    if isinstance(key, tuple):
        return or_([no_number(part) for part in key])
    if type(key) is list:
        return or_([and_(guard, no_number(part)) for guard, part in walk(key)])
    return False


def _of_members(choices: Sequence[tuple[Guard, Value]]) -> Guard:
    """Whether the member of a union that is its value has no number."""
    result: Guard = False
    for guard, member in reversed(choices):
        result = or_(and_(guard, no_number(member)), and_(not_(guard), result))
    return result


def has_own_order(key: Value) -> bool:
    """Whether a key is compared by what a program says, or by inclusion."""
    if type(key) is Union:
        return any(has_own_order(member) for _, member in choices_of(key))
    if isinstance(key, tuple):
        return any(map(has_own_order, key))
    if isinstance(key, (Term, StandIn)) or type(key) in NATIVE:
        return False
    return isinstance(key, (set, frozenset)) or type(type(key).__lt__) is FunctionType


def has_no_order(guards: Sequence[Guard], less: Less) -> Guard:
    """Whether the keys that are there have no order in which those that are equal form groups.

    If they have one, every sort that is stable has one result.
    """
    result: Guard = False
    count = len(guards)
    for a, b in permutations(range(count), 2):
        if a < b:
            result = or_(result, and_(less(a, b), less(b, a)))
        for c in range(count):
            if c != a and c != b:
                # If `a` comes before `b`, it does so before `c`, or `c` before `b`.
                after = and_(guards[c], not_(less(a, c)), not_(less(c, b)))
                result = or_(result, and_(less(a, b), after))
    return result


# --- sorts ----------------------------------------------------------------------------------------


class _Undecided(Exception):
    """A sort compares two places of which nobody has said which comes first."""


class _Sort:
    """One sort, whose first comparisons are answered already."""

    def __init__(self, answers: tuple[bool, ...]) -> None:
        self.answers: Iterator[bool] = iter(answers)
        self.compared = (0, 0)

    def less(self, a: int, b: int) -> bool:
        """The answer to the next comparison."""
        for answer in self.answers:
            return answer
        self.compared = a, b
        raise _Undecided


class _Place:
    """The key at a place, as one sort sees it."""

    def __init__(self, sort: _Sort, place: int) -> None:
        self.sort = sort
        self.place = place

    def __lt__(self, other: _Place) -> bool:
        return self.sort.less(self.place, other.place)


# Two places, and what follows if the first comes before the second and if it does not.
_Tree = tuple[int, ...] | tuple[tuple[int, int], "_Tree", "_Tree"]


@cache
def _sorts(count: int, reverse: bool, answers: tuple[bool, ...] = ()) -> _Tree:
    """All sorts of so many keys that begin with some answers: a tree, or the order of places.

    >>> _sorts(2, False)
    ((1, 0), (1, 0), (0, 1))
    """
    sort = _Sort(answers)
    try:
        found = sorted((_Place(sort, place) for place in range(count)), reverse=reverse)
    except _Undecided:
        yes, no = (_sorts(count, reverse, (*answers, answer)) for answer in (True, False))
        return sort.compared, yes, no
    return tuple(key.place for key in found)


def as_python_sorts(values: list[Value], less: Less, reverse: bool) -> list[Value]:
    """Values in the order into which Python brings them, whatever their keys are like."""

    def sorted_by(tree: _Tree) -> list[Value]:
        first = tree[0]
        if not isinstance(first, tuple):
            return [values[place] for place in tree]  # type: ignore[index]
        _, yes, no = tree
        comes_first = less(*first)
        if comes_first is True or comes_first is False:
            return sorted_by(yes if comes_first else no)  # type: ignore[arg-type]
        return [
            pick(comes_first, a, b)
            for a, b in zip(sorted_by(yes), sorted_by(no), strict=True)  # type: ignore[arg-type]
        ]

    return sorted_by(_sorts(len(values), reverse))
