"""Running the steps of a pattern at the places of a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.spelling.alphabets import is_in
from solvent.lift.spelling.changes import change, changed
from solvent.lift.spelling.matchable import Fold
from solvent.lift.spelling.outcomes import (
    FAILED,
    MOST_STATES,
    START,
    Outcome,
    Refs,
    State,
    first_outcome,
)
from solvent.lift.spelling.programs import Program
from solvent.lift.spelling.spans import Codes, Places
from solvent.terms.booleans import eq, or_
from solvent.terms.classes import Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.texts import codes_of
from solvent.vm.values import Guard


class Guards:
    """Conditions on the characters of a text, each made once."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.known: dict[tuple[int, Alphabet], Guard] = {}
        self.folded: dict[tuple[int, Fold], Integer] = {}

    def has(self, place: int, alphabet: Alphabet) -> Guard:
        """Whether the character at a place is one of a class."""
        key = (place, alphabet)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = is_in(self.codes[place], alphabet)
        return found

    def same(self, a: int, b: int, fold: Fold | None) -> Guard:
        """Whether the characters at two places are equal, but for their case if it is folded."""
        if fold is None:
            return eq(self.codes[a], self.codes[b])
        return eq(self._fold(a, fold), self._fold(b, fold))

    def _fold(self, place: int, fold: Fold) -> Integer:
        key = (place, fold)
        if key not in self.folded:
            small = codes_of(str, changed(self.codes[place], change(fold)))
            assert small is not None, "small letters are single characters"
            self.folded[key] = small[0]
        return self.folded[key]


class Matcher:
    """The outcomes of a pattern at the places of a text, with some of its marks."""

    def __init__(
        self, program: Program, guards: Guards, full: bool = False, tracked: Iterable[int] = ()
    ) -> None:
        self.program = program
        self.guards = guards
        self.codes = guards.codes
        self.full = full
        self.tracked = frozenset(tracked)
        self._known: dict[State, Outcome] = {}

    def at(self, place: int, advance: bool = False) -> Outcome:
        """The match that begins at a place, and that must not be empty if `advance`."""
        refs: Refs = (None,) * len(self.program.refs)
        return self._outcome(State(self.program.start, place, ((0, advance),), refs))

    def search(self, start: int) -> Outcome:
        """The first match from a place on."""
        found: list[Outcome] = []
        for place in range(start, len(self.codes) + 1):
            here = self.at(place)
            found.append(here._replace(marks={**here.marks, START: {place: True}}))
            if here.matched is True:
                break
        result = FAILED
        while found:
            result = first_outcome(found.pop(), result)
        return result

    def _outcome(self, wanted: State) -> Outcome:
        """Find the outcome of a state; without recursion, as texts may be long."""
        known = self._known
        if wanted in known:
            return known[wanted]
        runs = [(wanted, wanted.step.run(self, wanted))]
        value: Any = None
        while runs:
            state, run = runs[-1]
            try:
                needed = run.send(value)
            except StopIteration as done:
                value = known[state] = done.value
                runs.pop()
                continue
            value = known.get(needed)
            if value is None:
                runs.append((needed, needed.step.run(self, needed)))
                if len(known) + len(runs) > MOST_STATES:
                    raise NotLiftedError(
                        f"matching this pattern on {len(self.codes)} symbolic characters needs "
                        f"more than {MOST_STATES} states; use a shorter text, or a pattern with "
                        "fewer counted repetitions and backreferences"
                    )
        return known[wanted]


def places_of(ends: dict[tuple[int, Refs], Guard]) -> Places:
    """Where a match ends."""
    result: Places = {}
    for (place, _), guard in ends.items():
        result[place] = or_(result.get(place, False), guard)
    return result
