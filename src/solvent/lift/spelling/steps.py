"""Regular expressions on code points of which some are symbolic, as CPython's engine matches them.

A pattern is read by Python's own parser (`programs`) and becomes a graph of steps, each of which
knows what comes after it.  The outcome of a step at a place is that of all that is left of the
pattern there: whether it matches, where the match ends, and where its groups are (`outcomes`).  A
choice takes the outcome of the first alternative whose rest matches, which is what backtracking
finds; since equal rests are computed once (`matching`), the work is polynomial in the length of the
text.

Only what the rest depends on tells states apart: how often the loops around a step have run,
whether anything was read since their last turn began (an empty turn ends a loop), and where the
groups are that a later `\\1` or `(?(1)...)` asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from solvent.lift.spelling.outcomes import (
    FAILED,
    LAST,
    Outcome,
    Refs,
    Run,
    State,
    chosen_outcome,
    first_outcome,
    marked_outcome,
    outcome_where,
)
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.classes import Alphabet
from solvent.vm.values import Guard

if TYPE_CHECKING:
    from solvent.lift.spelling.matchable import Fold
    from solvent.lift.spelling.matching import Matcher


class Step:
    """A part of a pattern that knows what comes after it."""

    def __init__(self, after: Step | None) -> None:
        self.after = after
        # The places in `State.refs` that this step or a later one looks at.
        self.looks_at: frozenset[int] = frozenset()

    def following(self) -> Iterator[Step]:
        """The steps that may be taken after this one."""
        if self.after is not None:
            yield self.after

    def asks_for(self) -> frozenset[int]:
        """The places in `State.refs` that this step looks at."""
        return frozenset()

    def run(self, matcher: Matcher, state: State) -> Run:
        """Find the outcome, asking for those of later steps."""
        raise NotImplementedError

    def then(self, state: State, place: int | None = None) -> State:
        """The state after this step."""
        assert self.after is not None
        return _at(self.after, state.place if place is None else place, state)


StepT = TypeVar("StepT", bound=Step)


def _at(step: Step, place: int, state: State) -> State:
    """Go on with a step at a place; where something was read, no loop stalls."""
    loops, refs = state.loops, state.refs
    if place != state.place:
        loops = tuple([(count, False) for count, _ in loops])
    return State(step, place, loops, _looked_at(step, refs))


def _looked_at(step: Step, refs: Refs) -> Refs:
    """Forget the groups that nothing refers to any more."""
    return tuple([at if number in step.looks_at else None for number, at in enumerate(refs)])


class Accept(Step):
    """The end of the pattern, or of a part that is matched for itself, after which comes a step."""

    def __init__(self, after: Step | None, whole: bool = False) -> None:
        super().__init__(after)
        self.whole = whole

    def run(self, matcher: Matcher, state: State) -> Run:
        yield from ()
        if self.whole:
            too_short = matcher.full and state.place != len(matcher.codes)
            if too_short or state.loops[0][1]:
                return FAILED
        return Outcome(True, {(state.place, state.refs): True}, {})


class Fail(Step):
    """What never matches."""

    def run(self, matcher: Matcher, state: State) -> Run:
        yield from ()
        return FAILED


class Character(Step):
    """A character of a class."""

    def __init__(self, after: Step, alphabet: Alphabet) -> None:
        super().__init__(after)
        self.alphabet = alphabet

    def run(self, matcher: Matcher, state: State) -> Run:
        if state.place >= len(matcher.codes):
            return FAILED
        guard = matcher.guards.has(state.place, self.alphabet)
        if guard is False:
            return FAILED
        return outcome_where(guard, (yield self.then(state, state.place + 1)))


class Border(Step):
    """A condition on the characters around a place."""

    def __init__(self, after: Step, test: Callable[[Matcher, int], Guard]) -> None:
        super().__init__(after)
        self.test = test

    def run(self, matcher: Matcher, state: State) -> Run:
        guard = self.test(matcher, state.place)
        if guard is False:
            return FAILED
        return outcome_where(guard, (yield self.then(state)))


class Mark(Step):
    """The start of a group or, with an odd number, its end."""

    def __init__(self, after: Step, number: int, ref: int | None, exact: bool) -> None:
        super().__init__(after)
        self.number = number
        self.ref = ref
        self.exact = exact

    def run(self, matcher: Matcher, state: State) -> Run:
        following = self.then(state)
        if self.ref is not None and self.after is not None and self.ref in self.after.looks_at:
            refs = list(following.refs)
            # Who only asks whether a group is there need not know where.
            refs[self.ref] = state.place if self.exact else 0
            following = following._replace(refs=tuple(refs))
        result = yield following
        if self.number in matcher.tracked:
            result = marked_outcome(result, self.number, {state.place: True})
        if self.number % 2 and LAST in matcher.tracked:
            result = marked_outcome(result, LAST, {self.number // 2 + 1: True})
        return result


class Branch(Step):
    """Alternatives in their order."""

    def __init__(self, options: Sequence[Step]) -> None:
        super().__init__(None)
        self.options = options

    def following(self) -> Iterator[Step]:
        return iter(self.options)

    def run(self, matcher: Matcher, state: State) -> Run:
        return (yield from _first_of(_at(option, state.place, state) for option in self.options))


def _first_of(states: Iterable[State]) -> Run:
    found: list[Outcome] = []
    for state in states:
        found.append((yield state))
        if found[-1].matched is True:
            break
    result = found.pop()
    while found:
        result = first_outcome(found.pop(), result)
    return result


class Enter(Step):
    """The start of a loop."""

    def run(self, matcher: Matcher, state: State) -> Run:
        following = self.then(state)
        return (yield following._replace(loops=(*following.loops, (0, False))))


class Loop(Step):
    """What is repeated, and what comes after it."""

    body: Step

    def __init__(self, after: Step, low: int, high: int | None, lazy: bool) -> None:
        super().__init__(after)
        self.low = low
        self.high = high
        self.lazy = lazy

    def following(self) -> Iterator[Step]:
        yield self.body
        yield from super().following()

    def run(self, matcher: Matcher, state: State) -> Run:
        count, stalls = state.loops[-1]
        around = state.loops[:-1]
        again = _at(self.body, state.place, state)
        if count < self.low:
            # As long as turns are needed, empty ones are too.
            return (yield again._replace(loops=(*around, (count + 1, False))))
        more = count + 1 if self.high is not None else self.low
        options = [self.then(state)._replace(loops=around)]
        if not stalls and (self.high is None or count < self.high):
            turn = again._replace(loops=(*around, (more, True)))
            options.insert(len(options) if self.lazy else 0, turn)
        return (yield from _first_of(options))


class Inner(Step):
    """A part that is matched for itself: its first match is never taken back."""

    def __init__(self, after: Step, inner: Step) -> None:
        super().__init__(after)
        self.inner = inner

    def following(self) -> Iterator[Step]:
        yield self.inner
        yield from super().following()

    def found(self, state: State, place: int) -> Run:
        """The outcome of the part."""
        return (yield State(self.inner, place, (), _looked_at(self.inner, state.refs)))


class Atomic(Inner):
    """`(?>...)`."""

    def run(self, matcher: Matcher, state: State) -> Run:
        inner = yield from self.found(state, state.place)
        rows: list[tuple[Guard, Outcome]] = []
        for (place, refs), guard in inner.ends.items():
            rows.append((guard, (yield self.then(state._replace(refs=refs), place))))
        return _after(inner, rows)


def _after(inner: Outcome, rows: list[tuple[Guard, Outcome]]) -> Outcome:
    """What comes of a part and the rest for each of its ends."""
    if len(rows) == 1:
        rows = [(True, rows[0][1])]
    result = outcome_where(inner.matched, chosen_outcome(rows))
    if result.matched is not False:
        for mark, places in inner.marks.items():
            result = marked_outcome(result, mark, places)
    return result


class Look(Inner):
    """Lookahead, or lookbehind by a number of characters."""

    def __init__(self, after: Step, inner: Step, back: int, negative: bool) -> None:
        super().__init__(after, inner)
        self.back = back
        self.negative = negative

    def run(self, matcher: Matcher, state: State) -> Run:
        start = state.place - self.back
        inner = FAILED if start < 0 else (yield from self.found(state, start))
        if self.negative:
            if inner.matched is True:
                return FAILED
            return outcome_where(not_(inner.matched), (yield self.then(state)))
        by_refs: dict[Refs, Guard] = {}
        for (_, refs), guard in inner.ends.items():
            by_refs[refs] = or_(by_refs.get(refs, False), guard)
        rows: list[tuple[Guard, Outcome]] = []
        for refs, guard in by_refs.items():
            rows.append((guard, (yield self.then(state._replace(refs=refs)))))
        return _after(inner, rows)


class Again(Step):
    """The text of a group once more."""

    def __init__(self, after: Step, refs: tuple[int, int], fold: Fold | None) -> None:
        super().__init__(after)
        self.refs = refs
        self.fold = fold

    def asks_for(self) -> frozenset[int]:
        return frozenset(self.refs)

    def run(self, matcher: Matcher, state: State) -> Run:
        start, stop = (state.refs[number] for number in self.refs)
        if start is None or stop is None or stop < start:
            return FAILED
        end = state.place + stop - start
        if end > len(matcher.codes):
            return FAILED
        same = [
            matcher.guards.same(start + offset, state.place + offset, self.fold)
            for offset in range(stop - start)
        ]
        guard = and_(same)
        return FAILED if guard is False else outcome_where(guard, (yield self.then(state, end)))


class Condition(Step):
    """`(?(1)yes|no)`."""

    def __init__(self, refs: tuple[int, int], yes: Step, no: Step) -> None:
        super().__init__(None)
        self.refs = refs
        self.yes = yes
        self.no = no

    def following(self) -> Iterator[Step]:
        yield self.yes
        yield self.no

    def asks_for(self) -> frozenset[int]:
        return frozenset(self.refs)

    def run(self, matcher: Matcher, state: State) -> Run:
        start, stop = (state.refs[number] for number in self.refs)
        exists = start is not None and stop is not None and start <= stop
        return (yield _at(self.yes if exists else self.no, state.place, state))
