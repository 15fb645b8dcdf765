"""Texts taken apart by what tells known characters from symbolic ones.

Where parts of several lengths were put together, as in `f"[{a}, {b}]"`, texts of one length have a
comma at several places, each with its condition, and what reads the text meets all of them at once.
A reader is better off with one text at a time: each condition is decided, so that every place has
one character that is known, or one that is symbolic on all paths.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solvent.lift.facts import bounds
from solvent.terms.booleans import AND, ITE, NOT, OR, BoolTerm
from solvent.terms.graph import reachable, substitute
from solvent.terms.integers import MOD, IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm
from solvent.vm.spread import either, over
from solvent.vm.state import PathEnd
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Guard, Value

# Into how many texts one is taken apart at most, and of how many parts of a character it is asked
# what they are.
_MOST = 256
_PARTS = 500
_JUNCTIONS = frozenset((AND, OR, NOT, ITE))


def for_each_skeleton(text: Value, action: Callable[[Value], Value]) -> Value:
    """Do something with a text, for each arrangement of known and symbolic characters in it.

    >>> from solvent.terms import Bool, Int, ite
    >>> from solvent.terms.texts import text
    >>> found = []
    >>> for_each_skeleton(text([ite(Bool("p"), 45, Int("c")), 49]), found.append)
    >>> found
    ['-1', text(c, 49)]
    """
    return _Parting(action).of_any(text)


class _Parting:
    """What is done with the parts of one text."""

    def __init__(self, action: Callable[[Value], Value]) -> None:
        self.action = action
        self.left = _MOST

    def of_any(self, text: Value) -> Value:
        """Take apart each text of a union."""
        if type(text) is not Union:
            return self.of(True, text)
        rows = exclusive(choices_of(text))
        members = tuple((guard, partial(self.of, guard, member)) for guard, member in rows)
        return over(Union((*members[:-1], (True, members[-1][1]))), lambda part: part())

    def of(self, guard: Guard, text: Value) -> Value:
        """Decide one condition, if there is one, and go on with both sides."""
        if guard is False:
            # No input has such a text.
            raise PathEnd
        atom = _dividing(text.codes) if type(text) is TextTerm and self.left > 1 else None
        if atom is None:
            return self.action(_plainer(text))
        then, otherwise = (substitute(guard, {atom: holds}) for holds in (True, False))
        # A side that no input has need not be taken.
        test: Guard = atom if then is not False and otherwise is not False else then is not False
        self.left -= test is atom
        return either(
            test,
            lambda: self.of(then, substitute(text, {atom: True})),
            lambda: self.of(otherwise, substitute(text, {atom: False})),
        )


def _plainer(text: Value) -> Value:
    """The same text on this path, without remainders of numbers that are less than the divisor."""
    if type(text) is not TextTerm:
        return text
    shorter: dict[Term, Integer] = {}
    for term in reachable([text]):
        if term.op is MOD and type(term.key[2]) is int:
            low, high = bounds(term.key[1])
            if low is not None and high is not None and low >= 0 and high < term.key[2]:
                shorter[term] = term.key[1]
    return substitute(text, shorter) if shorter else text


def _dividing(codes: tuple[Integer, ...]) -> BoolTerm | None:
    """A condition that decides whether a character is a known one, or which one of two."""
    for code in codes:
        if isinstance(code, IntTerm) and code.op.base is ITE and _is_divided(code):
            return _atom(code.key[1])
    return None


def _is_divided(code: IntTerm) -> bool:
    """Whether a choice is between known and symbolic characters, or between two known ones."""
    known: set[int] = set()
    symbolic = False
    pending: list[Integer] = [code]
    seen: set[Term] = set()
    while pending and len(seen) < _PARTS:
        part = pending.pop()
        if not isinstance(part, Term):
            known.add(part)
        elif part.op.base is not ITE:
            symbolic = True
        elif part not in seen:
            seen.add(part)
            pending += part.key[2:]
    return bool(known) if symbolic else len(known) == 2


def _atom(test: BoolTerm) -> BoolTerm:
    """The first condition in another that is not made of conditions."""
    while test.op.base in _JUNCTIONS:
        test = next(part for part in test.key[1:] if isinstance(part, BoolTerm))
    return test
