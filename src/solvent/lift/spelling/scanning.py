"""All matches of a pattern in a text, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solvent.lift.spelling.matching import Guards, Matcher, places_of
from solvent.lift.spelling.outcomes import add_rows, one_or_other
from solvent.lift.spelling.programs import Program
from solvent.lift.spelling.spans import Places, ordinals
from solvent.terms.booleans import and_, eq, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.values import Guard


class PossibleMatch(NamedTuple):
    """A match that a scan may find: where it is one, where it begins and ends, and its marks.

    Guards of places are relative to the first one.
    """

    guard: Guard
    starts: Places
    ends: Places
    marks: Callable[[int], Places]


class Scan:
    """All matches of a pattern in a text, one after the other.

    Where the search goes on at a place is known by the last match having ended there; if it was
    empty, the next one must not be.  So at most two matches begin at a place, an empty one first.
    """

    def __init__(self, program: Program, guards: Guards, start: int) -> None:
        self.program = program
        self.guards = guards
        self.start = start
        self._tracking: dict[int, Matcher] = {}
        # By place: the matches of both kinds, and where the second follows the first.
        self.slots: list[PossibleMatch] = []
        self._scan(Matcher(program, guards))

    def _scan(self, matcher: Matcher) -> None:
        size = len(self.guards.codes)
        reached: Places = {self.start: True}
        for place in range(self.start, size + 1):
            here = reached.get(place, False)
            if here is False:
                continue
            found = matcher.at(place)
            matched = and_(here, found.matched)
            ends = places_of(found.ends)
            empty = and_(matched, ends.pop(place, False))
            missed = and_(here, not_(found.matched))
            longer = and_(matched, not_(empty))
            if empty is not False:
                marks = self._marks(place, False)
                self.slots.append(PossibleMatch(empty, {place: True}, {place: True}, marks))
                second = matcher.at(place, advance=True)
                missed = or_(missed, and_(empty, not_(second.matched)))
                ends = one_or_other(empty, places_of(second.ends), ends)
                guard = or_(longer, and_(empty, second.matched))
            else:
                guard = longer
            if guard is not False:
                marks = self._marks(place, empty)
                self.slots.append(PossibleMatch(guard, {place: True}, ends, marks))
                add_rows(reached, guard, ends)
            add_rows(reached, missed, {place + 1: True})

    def _marks(self, place: int, advance: Guard) -> Callable[[int], Places]:
        """The marks of the match at a place, by number; of the one that is not empty if so."""

        def marks(mark: int) -> Places:
            matcher = self._tracking.get(mark)
            if matcher is None:
                matcher = self._tracking[mark] = Matcher(self.program, self.guards, False, (mark,))
            found: list[Places] = []
            for must in (True, False):
                needed = advance if must else not_(advance)
                known = matcher.at(place, must).marks if needed is not False else {}
                found.append(known.get(mark, {}))
            return one_or_other(advance, *found)

        return marks

    def limited(self, most: Integer) -> list[PossibleMatch]:
        """The matches, at most so many of them; all of them if that is 0."""
        if type(most) is int and most == 0:
            return self.slots
        result: list[PossibleMatch] = []
        numbers = list(enumerate(ordinals([found.guard for found in self.slots])))
        for place, found in enumerate(self.slots):
            allowed = or_(
                [
                    and_(exactly[place], or_(eq(most, 0), number < most))
                    for number, exactly in numbers
                    if place in exactly
                ]
            )
            guard = and_(found.guard, allowed)
            if guard is not False:
                result.append(found._replace(guard=guard))
        return result

    def numbered(self, most: Integer = 0) -> list[PossibleMatch]:
        """The first, second match and so on; each exists only where the one before it does."""
        slots = self.limited(most)
        result: list[PossibleMatch] = []
        for exactly in ordinals([found.guard for found in slots]):
            rows = [
                (guard, found)
                for place, found in enumerate(slots)
                if (guard := and_(exactly.get(place, False), found.guard)) is not False
            ]
            if rows:
                result.append(_merged(rows))
        return result


def _merged(rows: Sequence[tuple[Guard, PossibleMatch]]) -> PossibleMatch:
    """One of several matches; at most one of the guards holds."""
    if len(rows) == 1:
        return rows[0][1]._replace(guard=rows[0][0])

    def gather(of: Callable[[PossibleMatch], Places]) -> Places:
        result: Places = {}
        for guard, found in rows:
            add_rows(result, guard, of(found))
        return result

    return PossibleMatch(
        or_([guard for guard, _ in rows]),
        gather(lambda found: found.starts),
        gather(lambda found: found.ends),
        lambda mark: gather(lambda found: found.marks(mark)),
    )
