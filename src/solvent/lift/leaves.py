"""Symbolic numbers that have few values: what is applied to each of them, one by one.

Numbers of several paths merge into one term, a tree of choices whose leaves may all be known; and a
symbolic int with narrow bounds is one of few.  What no solver can express is done for each value
under its condition, by CPython itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from solvent.lift.facts import bounds, possible
from solvent.terms.booleans import ITE, BoolTerm, and_, eq, not_, or_
from solvent.terms.floats import FloatTerm
from solvent.terms.graph import applied_functions, constants
from solvent.terms.integers import IntTerm
from solvent.terms.model import evaluate
from solvent.terms.softfloat import FP, external
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, TextTerm
from solvent.vm.machine import current
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

# A number with more values than these is not taken apart.
MOST_LEAVES = 256


def each_leaf(value: Value) -> Union | None:
    """A symbolic number as a choice between its values; `None` if it is none, or has too many.

    >>> from solvent.terms import Bool, Int, ite
    >>> each_leaf(ite(Bool("p"), 0.5, 2.5)), each_leaf(Int("w") % 2)
    (Union(0.5 if p, 2.5), Union(0 if mod(w, 2) == 0, 1))
    """
    if type(value) is BoolTerm:
        value = value.as_int()
    known = known_leaves(value)
    if known is not None or type(value) is not IntTerm:
        return known
    low, high = bounds(value)
    if low is None or high is None or not 0 <= high - low < MOST_LEAVES:
        return None
    rows = [(eq(value, number), number) for number in range(low, high)]
    return Union((*rows, (True, high)))


def known_leaves(value: Value) -> Union | None:
    """A number that was merged from known ones as a choice between them, and unions as they are."""
    if type(value) is Union:
        return value
    if not isinstance(value, (IntTerm, FloatTerm)):
        return None
    rows = _leaves(value)
    if rows is None:
        return None
    return Union((*rows[:-1], (True, rows[-1][1])))


def few_floats(value: FloatTerm, most: int = MOST_LEAVES) -> Union | None:
    """A symbolic float as a choice between its values, if it depends on choices or small ints.

    >>> from solvent.terms import Bool, ite
    >>> few_floats(ite(Bool("p"), 0.5, 2.5))
    Union(0.5 if p, 2.5)
    """
    known = known_leaves(value)
    if known is not None:
        return known
    found = constants(value)
    domains = _domains(found, most)
    if domains is None or applied_functions(value):
        return None
    path = current().state.path.term
    if applied_functions(path) or not set(constants(path)) <= set(found):
        path = True
    rows: dict[str, Choice] = {}
    for numbers in product(*domains):
        model = dict(zip(found, numbers, strict=True))
        if not evaluate(path, model):
            continue
        result = evaluate(value, model)
        here = and_([eq(one, number) for one, number in zip(found, numbers, strict=True)])
        guard, _ = rows.get(repr(result), (False, None))
        rows[repr(result)] = (or_(guard, here), result)
    if not rows:
        return None
    *others, (_, last) = rows.values()
    return Union((*others, (True, last)))


def _domains(found: Sequence[Term], most: int) -> list[Sequence[int]] | None:
    """The values of some constants, if they are few in all."""
    result: list[Sequence[int]] = []
    for constant in found:
        low, high = bounds(constant) if type(constant) is IntTerm else (None, None)
        if type(constant) is BoolTerm:
            result.append((False, True))
        elif low is None or high is None or not 0 <= high - low < most:
            return None
        else:
            result.append(range(low, high + 1))
        most //= len(result[-1])
    return result if result and most else None


def _leaves(value: Term) -> list[tuple[Guard, Value]] | None:
    """The known leaves of a tree of choices, each with the condition that leads there."""
    guards: dict[str, Guard] = {}
    found: dict[str, Value] = {}
    pending: list[tuple[Guard, Value]] = [(True, value)]
    steps = 0
    while pending:
        guard, node = pending.pop()
        steps += 1
        if isinstance(node, Term):
            if node.op.base is not ITE or steps > MOST_LEAVES:
                return None
            _, test, then, otherwise = node.key
            pending += [(and_(guard, not_(test)), otherwise), (and_(guard, test), then)]
            continue
        number = external(node) if isinstance(node, FP) else node
        name = repr(number)
        guards[name] = or_(guards.get(name, False), guard)
        found[name] = number
    return [(guards[name], found[name]) for name in found if guards[name] is not False]


def each_text(found: TextTerm, most: int) -> Union | str | None:
    """A symbolic text as a choice between the texts that it may be; `None` if there are too many.

    >>> from solvent.terms import Int
    >>> from solvent.terms.texts import text
    >>> each_text(text((Int("w") % 2 + 49, 100)), 10)
    Union('1d' if mod(w, 2) == 0, '2d')
    """
    rows: list[tuple[Guard, str]] = [(True, "")]
    for code in found.codes:
        values: Sequence[int] | None = possible(code)
        if values is None:
            low, high = bounds(code)
            if low is None or high is None:
                return None
            values = range(low, high + 1)
        if not values or values[-1] > LAST_CODE or len(rows) * len(values) > most:
            return None
        rows = [
            (here, before + chr(one))
            for guard, before in rows
            for one in values
            if (here := and_(guard, eq(code, one))) is not False
        ]
    if len(rows) < 2:
        return rows[0][1] if rows else None
    return Union((*rows[:-1], (True, rows[-1][1])))
