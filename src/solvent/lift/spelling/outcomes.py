"""Outcomes of the rest of a pattern at a place: which comes first, and how they merge."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from solvent.lift.spelling.spans import Places
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.vm.values import Guard

if TYPE_CHECKING:
    from solvent.lift.spelling.steps import Step


# More states than this are refused.
MOST_STATES = 50_000

# Instead of a mark of a group: the number of the group that was closed last, where a match begins.
LAST, START = -1, -2

# Where the groups are that are referred to later on.
Refs = tuple[int | None, ...]
# For each loop around a step how often it has run, and whether nothing was read in this turn.
Loops = tuple[tuple[int, bool], ...]
Marks = dict[int, Places]


class Outcome(NamedTuple):
    """What comes of the rest of a pattern at a place.

    The guards of ends and marks are relative to `matched`: elsewhere they say nothing.
    """

    matched: Guard
    ends: dict[tuple[int, Refs], Guard]
    marks: Marks


FAILED = Outcome(False, {}, {})


class State(NamedTuple):
    """A step that is about to be taken."""

    step: Step
    place: int
    loops: Loops
    refs: Refs


Run = Generator[State, Outcome, Outcome]


def first_outcome(a: Outcome, b: Outcome) -> Outcome:
    """The first outcome where it matches, elsewhere the second."""
    if a.matched is True or b.matched is False:
        return a
    if a.matched is False:
        return b
    marks = {
        mark: one_or_other(a.matched, a.marks.get(mark, {}), b.marks.get(mark, {}))
        for mark in {**a.marks, **b.marks}
    }
    return Outcome(or_(a.matched, b.matched), one_or_other(a.matched, a.ends, b.ends), marks)


def one_or_other(guard: Guard, a: dict[Any, Guard], b: dict[Any, Guard]) -> dict[Any, Guard]:
    """The position that is the first where a guard holds, and the second elsewhere."""
    if a is b:
        return a
    return _possible({key: ite(guard, a.get(key, False), b.get(key, False)) for key in {**a, **b}})


def _possible(rows: dict[Any, Guard]) -> dict[Any, Guard]:
    return {key: guard for key, guard in rows.items() if guard is not False}


def outcome_where(guard: Guard, outcome: Outcome) -> Outcome:
    """An outcome that also needs a guard."""
    matched = and_(guard, outcome.matched)
    return FAILED if matched is False else outcome._replace(matched=matched)


def chosen_outcome(rows: Sequence[tuple[Guard, Outcome]]) -> Outcome:
    """The outcome whose guard holds; at most one does."""
    rows = [(guard, found) for guard, found in rows if found.matched is not False]
    if not rows:
        return FAILED
    if len(rows) == 1:
        return outcome_where(*rows[0])
    ends: dict[tuple[int, Refs], Guard] = {}
    marks: Marks = {}
    for guard, found in rows:
        add_rows(ends, guard, found.ends)
        for mark, places in found.marks.items():
            add_rows(marks.setdefault(mark, {}), guard, places)
    return Outcome(or_([and_(guard, found.matched) for guard, found in rows]), ends, marks)


def add_rows(result: dict[Any, Guard], guard: Guard, rows: dict[Any, Guard]) -> None:
    for key, here in rows.items():
        both = and_(guard, here)
        if both is not False:
            result[key] = or_(result.get(key, False), both)


def marked_outcome(outcome: Outcome, mark: int, earlier: Places) -> Outcome:
    """An outcome after a mark was set, which stays unless the rest sets it again."""
    later = outcome.marks.get(mark)
    if later:
        again = or_(list(later.values()))
        if again is True:
            return outcome
        result = dict(later)
        add_rows(result, not_(again), earlier)
        earlier = result
    return outcome._replace(marks={**outcome.marks, mark: earlier})
