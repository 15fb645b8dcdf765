"""Classes of characters: whether a code point is in a long list of ranges, as one condition.

A class such as the letters has hundreds of ranges.  As one term it costs nothing where a program is
evaluated, is asked once of each character, and is spelled out only for the solver that needs it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from solvent.terms.booleans import and_, ite, or_
from solvent.terms.graph import reachable
from solvent.terms.ops import Op
from solvent.terms.printing import register_function
from solvent.terms.sorts import Bool
from solvent.terms.term import CONSTANT, Term, parametric

if TYPE_CHECKING:
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import Guard, Operand

# First and last code points, in order.
Alphabet = tuple[tuple[int, int], ...]

# Up to so many ranges are compared one by one, more of them by halves.
FEW = 4


class CharacterClass:
    """A set of code points, the same object for equal sets."""

    __slots__ = ("ranges",)

    def __init__(self, ranges: Alphabet) -> None:
        self.ranges = ranges

    def __contains__(self, code: int) -> bool:
        place = bisect_right(self.ranges, (code, float("inf"))) - 1
        return place >= 0 and code <= self.ranges[place][1]

    def __repr__(self) -> str:
        return f"<{len(self.ranges)} ranges from {self.ranges[0][0]}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (character_class, (self.ranges,))


_CLASSES: dict[Alphabet, CharacterClass] = {}


def character_class(ranges: Alphabet) -> CharacterClass:
    """The class of the characters in some ranges."""
    found = _CLASSES.get(ranges)
    return found if found is not None else _CLASSES.setdefault(ranges, CharacterClass(ranges))


def _is_in(members: CharacterClass, code: int) -> bool:
    return code in members


IN_CLASS: Op[Guard] = Op("in_class", _is_in, lambda members, code: Bool)
parametric(IN_CLASS)
register_function(IN_CLASS, "in_class")


def in_class(members: CharacterClass, code: int | IntTerm) -> Guard:
    """Whether a code point is in a class.

    >>> from solvent.terms import Int
    >>> digits = character_class(((48, 57), (1632, 1641)))
    >>> in_class(digits, 50), definition(digits, Int("c"))
    (True, c > 47 and c <= 57 or c > 1631 and c <= 1641)
    """
    return IN_CLASS.at(members)(code)


def spelled_out(term: Operand) -> Any:
    """A term in which classes of characters are replaced by what they mean.

    >>> from solvent.terms import Int, not_
    >>> spelled_out(not_(in_class(character_class(((48, 57),)), Int("c"))))
    not (c > 47 and c <= 57)
    """
    if not isinstance(term, Term):
        return term
    done: dict[Term, Any] = {}
    for old in reachable([term]):
        if old.op is CONSTANT:
            done[old] = old
            continue
        op, *args = old.key
        new = [done[arg] if isinstance(arg, Term) else arg for arg in args]
        if op.base is IN_CLASS:
            done[old] = spelled_class(op.params[0], new[0])
        elif all(a is b for a, b in zip(args, new, strict=True)):
            done[old] = old
        else:
            done[old] = op(*new)
    return done[term]


def spelled_class(members: CharacterClass, code: int | IntTerm) -> Guard:
    """What it means that a code point, known or symbolic, is in a class."""
    return definition(members, code) if isinstance(code, Term) else code in members


def definition(members: CharacterClass, code: IntTerm) -> Guard:
    """What it means that a code point is in a class: comparisons, by halves if they are many."""
    return _halved(members.ranges, code, None, None)


def _halved(ranges: Alphabet, code: IntTerm, low: int | None, high: int | None) -> Guard:
    """Membership of a code that is known to lie between bounds."""
    if len(ranges) <= FEW:
        return or_([_between(code, a, b, low, high) for a, b in ranges])
    middle = len(ranges) // 2
    border = ranges[middle][0]
    below = _halved(ranges[:middle], code, low, border - 1)
    return ite(code < border, below, _halved(ranges[middle:], code, border, high))


def _between(code: IntTerm, first: int, last: int, low: int | None, high: int | None) -> Guard:
    if first == last:
        return code == first
    above: Guard = True if low is not None and first <= low else code >= first
    below: Guard = True if high is not None and last >= high else code <= last
    return and_(above, below)
