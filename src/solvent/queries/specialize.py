"""Putting concrete values into terms, from the top: what the values make irrelevant is not visited.

`substitute` rebuilds all of a term.  Here the condition of an if-then-else comes before its
branches, and the rest of a conjunction is left alone once a part of it is false; with values for
most constants little of a large term remains to be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import overload

from solvent.terms.booleans import AND, ITE, OR
from solvent.terms.graph import substitute
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import external
from solvent.terms.term import CONSTANT, Term, TermT

# What is not known yet: it stands for a result, and has the type of one.
_MISSING: Operand = object()  # type: ignore[assignment]

Done = dict[Term, Operand]


@overload
def specialize(root: Guard, values: Mapping[TermT, Concrete]) -> Guard: ...
@overload
def specialize(root: Operand, values: Mapping[TermT, Concrete]) -> Operand: ...


def specialize(root: Operand, values: Mapping[TermT, Concrete]) -> Operand:
    """A term with values for some constants, simplified.

    >>> from solvent import Bool, Int
    >>> from solvent.terms import ite
    >>> p, x, y = Bool("p"), Int("x"), Int("y")
    >>> specialize(ite(p, x + y, x * y), {p: True, x: 3})
    y + 3
    """
    if not isinstance(root, Term):
        return root
    done: Done = {constant: constant.sort.require(value) for constant, value in values.items()}
    stack: list[Term] = [root]
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        op = term.op
        if op.base in QUANTIFIERS:
            # Rare, and their variables need care.
            replaced: Operand = substitute(root, values)
            return replaced
        if op is CONSTANT:
            found: Operand = term
        elif op is AND:
            found = _connected(term, False, done, stack)
        elif op is OR:
            found = _connected(term, True, done, stack)
        elif op.base is ITE:
            found = _chosen(term, done, stack)
        else:
            found = _applied(term, done, stack)
        if found is not _MISSING:
            done[term] = found
            stack.pop()
    result: Operand = external(done[root])
    return result


def _known(arg: Operand, done: Done, stack: list[Term]) -> Operand:
    """What an argument has become; if that is missing, it is looked for next."""
    if not isinstance(arg, Term):
        return arg
    found = done.get(arg, _MISSING)
    if found is _MISSING:
        stack.append(arg)
    return found


def _connected(term: Term, absorbing: bool, done: Done, stack: list[Term]) -> Operand:
    """A conjunction or disjunction, which one part may settle."""
    # Without calls of `_known`: most of a large term is of these, and each is looked at thrice.
    op, a, b = term.key
    right = done.get(b, _MISSING)
    if right is absorbing:
        return right
    left = done.get(a, _MISSING)
    if left is _MISSING:
        stack.append(a)
        return _MISSING
    if left is absorbing:
        return left
    if right is _MISSING:
        stack.append(b)
        return _MISSING
    if left is (not absorbing):
        return right
    if right is (not absorbing):
        return left
    result: Operand = term if left is a and right is b else op(left, right)
    return result


def _chosen(term: Term, done: Done, stack: list[Term]) -> Operand:
    """An if-then-else, of which a known condition leaves one branch."""
    _, test, a, b = term.key
    condition = _known(test, done, stack)
    if condition is _MISSING:
        return _MISSING
    if condition is True:
        return _known(a, done, stack)
    if condition is False:
        return _known(b, done, stack)
    return _applied(term, done, stack)


def _applied(term: Term, done: Done, stack: list[Term]) -> Operand:
    """Any other operator."""
    op, *args = term.key
    found: list[Operand] = []
    depth = len(stack)
    for arg in args:
        new = done.get(arg, _MISSING) if isinstance(arg, Term) else arg
        if new is _MISSING:
            stack.append(arg)
        found.append(new)
    if len(stack) > depth:
        return _MISSING
    if all(map(is_, found, args)):
        return term
    result: Operand = op(*found)
    return result
