"""Regular expressions on code points of which some are symbolic, as CPython's engine matches them.

A pattern is read by Python's own parser and becomes a graph of steps, each of which knows what
comes after it.  The outcome of a step at a place is that of all that is left of the pattern there:
whether it matches, where the match ends, and where its groups are.  A choice takes the outcome of
the first alternative whose rest matches, which is what backtracking finds; since equal rests are
computed once, the work is polynomial in the length of the text.

Only what the rest depends on tells states apart: how often the loops around a step have run,
whether anything was read since their last turn began (an empty turn ends a loop), and where the
groups are that a later `\\1` or `(?(1)...)` asks for.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple, TypeVar

from solvent.errors import NotLiftedError
from solvent.lift.spelling.alphabets import as_ranges, change, changed, is_in
from solvent.lift.spelling.spans import Codes, Maker, Places, ordinals
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.classes import Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.texts import LAST_CODE, codes_of
from solvent.vm.merge import gathered
from solvent.vm.values import Guard, Value

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


# --- outcomes -------------------------------------------------------------------------------------


def _first(a: Outcome, b: Outcome) -> Outcome:
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


def _where(guard: Guard, outcome: Outcome) -> Outcome:
    """An outcome that also needs a guard."""
    matched = and_(guard, outcome.matched)
    return FAILED if matched is False else outcome._replace(matched=matched)


def _one_of(rows: Sequence[tuple[Guard, Outcome]]) -> Outcome:
    """The outcome whose guard holds; at most one does."""
    rows = [(guard, found) for guard, found in rows if found.matched is not False]
    if not rows:
        return FAILED
    if len(rows) == 1:
        return _where(*rows[0])
    ends: dict[tuple[int, Refs], Guard] = {}
    marks: Marks = {}
    for guard, found in rows:
        _add(ends, guard, found.ends)
        for mark, places in found.marks.items():
            _add(marks.setdefault(mark, {}), guard, places)
    return Outcome(or_([and_(guard, found.matched) for guard, found in rows]), ends, marks)


def _add(result: dict[Any, Guard], guard: Guard, rows: dict[Any, Guard]) -> None:
    for key, here in rows.items():
        both = and_(guard, here)
        if both is not False:
            result[key] = or_(result.get(key, False), both)


def _marked(outcome: Outcome, mark: int, earlier: Places) -> Outcome:
    """An outcome after a mark was set, which stays unless the rest sets it again."""
    later = outcome.marks.get(mark)
    if later:
        again = or_(list(later.values()))
        if again is True:
            return outcome
        result = dict(later)
        _add(result, not_(again), earlier)
        earlier = result
    return outcome._replace(marks={**outcome.marks, mark: earlier})


# --- steps ----------------------------------------------------------------------------------------


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
        return _where(guard, (yield self.then(state, state.place + 1)))


class Border(Step):
    """A condition on the characters around a place."""

    def __init__(self, after: Step, test: Callable[[Matcher, int], Guard]) -> None:
        super().__init__(after)
        self.test = test

    def run(self, matcher: Matcher, state: State) -> Run:
        guard = self.test(matcher, state.place)
        if guard is False:
            return FAILED
        return _where(guard, (yield self.then(state)))


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
            result = _marked(result, self.number, {state.place: True})
        if self.number % 2 and LAST in matcher.tracked:
            result = _marked(result, LAST, {self.number // 2 + 1: True})
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
        result = _first(found.pop(), result)
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
    result = _where(inner.matched, _one_of(rows))
    if result.matched is not False:
        for mark, places in inner.marks.items():
            result = _marked(result, mark, places)
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
            return _where(not_(inner.matched), (yield self.then(state)))
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
        return FAILED if guard is False else _where(guard, (yield self.then(state, end)))


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


# --- classes of characters ------------------------------------------------------------------------

Fold = Callable[[str], str]


def _unicode_lower(character: str) -> str:
    return chr(_sre.unicode_tolower(ord(character)))


def _ascii_lower(character: str) -> str:
    return chr(_sre.ascii_tolower(ord(character)))


@cache
def _all_characters() -> str:
    return "".join(map(chr, range(LAST_CODE + 1)))


_ALL_BYTES = bytes(range(256))


# The classes of characters that were asked for, by text and flags.
_KNOWN: dict[tuple[str, int, bool], Alphabet] = {}


def _alphabet(item: tuple[Any, Any], flags: int, octets: bool) -> Alphabet:
    """The characters that a class of a pattern matches, by asking Python's engine."""
    operator, argument = item
    flags &= re.IGNORECASE | re.ASCII | re.UNICODE | re.DOTALL
    if operator is _constants.LITERAL and not flags & re.IGNORECASE:
        return as_ranges((argument,))
    key = (repr(item), int(flags), octets)
    if key not in _KNOWN:
        state = _parser.State()
        inner = _parser.SubPattern(state, [item])
        repeated = (_constants.MAX_REPEAT, (1, _constants.MAXREPEAT, inner))
        found = _compiler.compile(_parser.SubPattern(state, [repeated]), flags)
        subject = _ALL_BYTES if octets else _all_characters()
        _KNOWN[key] = tuple([(match.start(), match.end() - 1) for match in found.finditer(subject)])
    return _KNOWN[key]


def _before(matcher: Matcher, place: int, alphabet: Alphabet) -> Guard:
    return place > 0 and matcher.guards.has(place - 1, alphabet)


def _follows(matcher: Matcher, place: int, alphabet: Alphabet) -> Guard:
    return place < len(matcher.codes) and matcher.guards.has(place, alphabet)


_LINE_BREAK: Alphabet = ((10, 10),)


def _border(kind: Any, flags: int, octets: bool) -> Callable[[Matcher, int], Guard]:
    """What `^`, `$`, `\\b` and the like ask for."""
    lines = flags & re.MULTILINE
    if kind is _constants.AT_BEGINNING and lines:
        return lambda matcher, place: place == 0 or _before(matcher, place, _LINE_BREAK)
    if kind in (_constants.AT_BEGINNING, _constants.AT_BEGINNING_STRING):
        return lambda matcher, place: place == 0
    if kind is _constants.AT_END_STRING:
        return lambda matcher, place: place == len(matcher.codes)
    if kind is _constants.AT_END:
        return lambda matcher, place: (
            place == len(matcher.codes)
            or (
                (bool(lines) or place + 1 == len(matcher.codes))
                and _follows(matcher, place, _LINE_BREAK)
            )
        )
    if kind not in (_constants.AT_BOUNDARY, _constants.AT_NON_BOUNDARY):
        raise NotLiftedError(f"`{kind}` in a pattern is not lifted")
    category = [(_constants.CATEGORY, _constants.CATEGORY_WORD)]
    word = _alphabet((_constants.IN, category), flags, octets)
    inside = kind is _constants.AT_NON_BOUNDARY
    if_empty = bool(re.match(r"\B" if inside else r"\b", ""))

    def test(matcher: Matcher, place: int) -> Guard:
        if not matcher.codes:
            return if_empty
        same = eq(_before(matcher, place, word), _follows(matcher, place, word))
        return same if inside else not_(same)

    return test


# --- reading patterns -----------------------------------------------------------------------------


class Program:
    """A pattern as steps."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        flags = pattern.flags & ~re.DEBUG
        if flags & re.LOCALE:
            raise NotLiftedError(
                "a pattern with the flag `re.LOCALE` is not lifted for symbolic bytes; leave it out"
            )
        self.octets = isinstance(pattern.pattern, bytes)
        tree = _parser.parse(pattern.pattern, flags)
        # Places in `State.refs` by mark, and the groups whose positions matter there.
        self.refs: dict[int, int] = {}
        self.exact: set[int] = set()
        self._find_references(tree, frozenset())
        self.looping = 0
        self.steps: list[Step] = []
        self.start = self._sequence(tree, self._new(Accept(None, whole=True)), tree.state.flags)
        self._find_looks()

    def _new(self, step: StepT) -> StepT:
        self.steps.append(step)
        return step

    def _find_references(self, tree: Any, open_groups: frozenset[int]) -> None:
        """Which groups are referred to, and whether by more than their existence."""
        for operator, argument in tree:
            inside = open_groups
            group = None
            if operator is _constants.GROUPREF:
                group = argument
                self.exact.add(group)
            elif operator is _constants.GROUPREF_EXISTS:
                group = argument[0]
                if group in open_groups:
                    self.exact.add(group)
            elif operator is _constants.SUBPATTERN and argument[0]:
                inside = open_groups | {argument[0]}
            if group is not None:
                for mark in (group * 2 - 2, group * 2 - 1):
                    self.refs.setdefault(mark, len(self.refs))
            for inner in _inner_trees(argument):
                self._find_references(inner, inside)

    def _find_looks(self) -> None:
        """For each step the groups that it and those after it refer to."""
        changed = True
        while changed:
            changed = False
            for step in self.steps:
                found = step.asks_for().union(*[each.looks_at for each in step.following()])
                if found != step.looks_at:
                    step.looks_at = found
                    changed = True

    def _sequence(self, tree: Iterable[Any], after: Step, flags: int) -> Step:
        for operator, argument in reversed(list(tree)):
            after = self._step(operator, argument, after, flags)
        return after

    def _step(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        build = _BUILDERS.get(operator)
        if build is None:
            raise NotLiftedError(f"`{operator}` in a pattern is not lifted")
        found: Step = build(self, operator, argument, after, flags)
        return found

    def character(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """One character."""
        alphabet = _alphabet((operator, argument), flags, self.octets)
        return self._new(Character(after, alphabet))

    def border(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """A condition on a place."""
        return self._new(Border(after, _border(argument, flags, self.octets)))

    def fail(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """What never matches."""
        return self._new(Fail(None))

    def branch(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """Alternatives."""
        options = [self._sequence(option, after, flags) for option in argument[1]]
        return self._new(Branch(options))

    def group(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """A group, with or without a number, with its own flags."""
        number, add, remove, tree = argument
        if add & _parser.TYPE_FLAGS:
            flags &= ~_parser.TYPE_FLAGS
        flags = (flags | add) & ~remove
        if number is None:
            return self._sequence(tree, after, flags)
        return self._mark(
            number * 2 - 2, self._sequence(tree, self._mark(number * 2 - 1, after), flags)
        )

    def _mark(self, mark: int, after: Step) -> Step:
        exact = mark // 2 + 1 in self.exact
        return self._new(Mark(after, mark, self.refs.get(mark), exact))

    def loop(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """A greedy or lazy repetition."""
        low, high, tree = argument
        most = None if high == _constants.MAXREPEAT else int(high)
        lazy = operator is _constants.MIN_REPEAT
        found = self._new(Loop(after, int(low), most, lazy))
        self.looping += 1
        found.body = self._sequence(tree, found, flags)
        self.looping -= 1
        return self._new(Enter(found))

    def possessive(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """A repetition that is never taken back, nor are its turns."""
        low, high, tree = argument
        if not self.looping and _KEEPS_STALE_GROUPS and _has_optional_groups(tree, False):
            raise NotLiftedError(
                "a possessive repetition of a choice with groups is not lifted, since this Python "
                "remembers groups of alternatives that failed; use groups without numbers"
            )
        turn = [(_constants.ATOMIC_GROUP, tree)]
        return self.atomic(operator, [(_constants.MAX_REPEAT, (low, high, turn))], after, flags)

    def atomic(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """`(?>...)`."""
        inner = self._sequence(argument, self._new(Accept(after)), flags)
        return self._new(Atomic(after, inner))

    def look(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """Lookahead and lookbehind."""
        direction, tree = argument
        back = int(tree.getwidth()[0]) if direction < 0 else 0
        inner = self._sequence(tree, self._new(Accept(after)), flags)
        negative = operator is _constants.ASSERT_NOT
        return self._new(Look(after, inner, back, negative))

    def _references(self, group: int) -> tuple[int, int]:
        return self.refs[group * 2 - 2], self.refs[group * 2 - 1]

    def again(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """`\\1`."""
        fold: Fold | None = None
        if flags & re.IGNORECASE:
            fold = _unicode_lower if flags & re.UNICODE else _ascii_lower
        return self._new(Again(after, self._references(argument), fold))

    def condition(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """`(?(1)yes|no)`."""
        group, yes, no = argument
        return self._new(
            Condition(
                self._references(group),
                self._sequence(yes, after, flags),
                self._sequence(no or (), after, flags),
            )
        )


_BUILDERS: dict[Any, Callable[..., Step]] = {
    **dict.fromkeys(
        (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN),
        Program.character,
    ),
    _constants.AT: Program.border,
    _constants.FAILURE: Program.fail,
    _constants.BRANCH: Program.branch,
    _constants.SUBPATTERN: Program.group,
    _constants.MAX_REPEAT: Program.loop,
    _constants.MIN_REPEAT: Program.loop,
    _constants.POSSESSIVE_REPEAT: Program.possessive,
    _constants.ATOMIC_GROUP: Program.atomic,
    _constants.ASSERT: Program.look,
    _constants.ASSERT_NOT: Program.look,
    _constants.GROUPREF: Program.again,
    _constants.GROUPREF_EXISTS: Program.condition,
}


def _inner_trees(argument: Any) -> Iterator[Any]:
    """The parts of an item of a parsed pattern."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, (tuple, list)):
        for part in argument:
            yield from _inner_trees(part)


def _keeps_stale_groups() -> bool:
    found = re.match("(?:(a)b|ac)*+", "abac")
    return found is not None and found.span(1) != (0, 1)


_KEEPS_STALE_GROUPS = _keeps_stale_groups()


def _has_optional_groups(tree: Any, optional: bool) -> bool:
    """Whether a match of a part may leave out a group of it."""
    for operator, argument in tree:
        inside = optional
        if operator is _constants.SUBPATTERN and argument[0] and optional:
            return True
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            # Loops of this kind keep the groups of their turns apart.
            inside = optional or argument[0] == 0
        elif operator in (_constants.SUBPATTERN, _constants.ATOMIC_GROUP, _constants.ASSERT):
            inside = optional
        else:
            inside = True
        if any(_has_optional_groups(inner, inside) for inner in _inner_trees(argument)):
            return True
    return False


@cache
def program_of(pattern: re.Pattern[Any]) -> Program:
    """The steps of a compiled pattern."""
    return Program(pattern)


# --- matching -------------------------------------------------------------------------------------


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
            result = _first(found.pop(), result)
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


class Found(NamedTuple):
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
        self.slots: list[Found] = []
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
                self.slots.append(Found(empty, {place: True}, {place: True}, marks))
                second = matcher.at(place, advance=True)
                missed = or_(missed, and_(empty, not_(second.matched)))
                ends = one_or_other(empty, places_of(second.ends), ends)
                guard = or_(longer, and_(empty, second.matched))
            else:
                guard = longer
            if guard is not False:
                marks = self._marks(place, empty)
                self.slots.append(Found(guard, {place: True}, ends, marks))
                _add(reached, guard, ends)
            _add(reached, missed, {place + 1: True})

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

    def limited(self, most: Integer) -> list[Found]:
        """The matches, at most so many of them; all of them if that is 0."""
        if type(most) is int and most == 0:
            return self.slots
        result: list[Found] = []
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

    def numbered(self, most: Integer = 0) -> list[Found]:
        """The first, second match and so on; each exists only where the one before it does."""
        slots = self.limited(most)
        result: list[Found] = []
        for exactly in ordinals([found.guard for found in slots]):
            rows = [
                (guard, found)
                for place, found in enumerate(slots)
                if (guard := and_(exactly.get(place, False), found.guard)) is not False
            ]
            if rows:
                result.append(_merged(rows))
        return result


def _merged(rows: Sequence[tuple[Guard, Found]]) -> Found:
    """One of several matches; at most one of the guards holds."""
    if len(rows) == 1:
        return rows[0][1]._replace(guard=rows[0][0])

    def gather(of: Callable[[Found], Places]) -> Places:
        result: Places = {}
        for guard, found in rows:
            _add(result, guard, of(found))
        return result

    return Found(
        or_([guard for guard, _ in rows]),
        gather(lambda found: found.starts),
        gather(lambda found: found.ends),
        lambda mark: gather(lambda found: found.marks(mark)),
    )


# --- making texts ---------------------------------------------------------------------------------

# Code points that are there under a guard.
Piece = tuple[Guard, Codes]


def assembled(made: Maker, parts: Iterable[Piece]) -> Value:
    """The text of those pieces whose guards hold, in their order.

    >>> from solvent.terms import Bool
    >>> from solvent.terms.texts import text
    >>> assembled(text, [(True, (97,)), (Bool("p"), (98,))])
    Union('a' if not p, 'ab')
    """
    counts: Places = {0: True}
    columns: dict[int, list[tuple[Guard, Integer]]] = {}
    for guard, codes in parts:
        if guard is False or not codes:
            continue
        after: Places = {}
        _add(after, not_(guard), counts)
        for size, exactly in counts.items():
            here = and_(guard, exactly)
            if here is not False:
                after[size + len(codes)] = or_(after.get(size + len(codes), False), here)
                for offset, code in enumerate(codes):
                    columns.setdefault(size + offset, []).append((here, code))
        counts = after
    characters = [_chosen(columns[place]) for place in sorted(columns)]
    return gathered([(guard, made(characters[:size])) for size, guard in counts.items()])


def _chosen(rows: list[tuple[Guard, Integer]]) -> Integer:
    result = rows[-1][1]
    for guard, code in reversed(rows[:-1]):
        if code is not result:
            result = ite(guard, code, result)
    return result


def between(codes: Codes, guard: Guard, starts: Places, ends: Places) -> Iterator[Piece]:
    """The characters from one position to another, each where it is one of those between them."""
    if not starts or not ends:
        return
    begun: Guard = False
    ended: Guard = False
    for place in range(min(starts), max(ends)):
        begun = or_(begun, starts.get(place, False))
        ended = or_(ended, ends.get(place, False))
        yield and_([guard, begun, not_(ended)]), (codes[place],)


def uncovered(size: int, found: Sequence[Found]) -> list[Guard]:
    """For each character whether no match contains it."""
    covered: list[list[Guard]] = [[] for _ in range(size)]
    for each in found:
        (start,) = each.starts
        going_on: Guard = True
        for place in range(start, size):
            going_on = and_(going_on, not_(each.ends.get(place, False)))
            if going_on is False:
                break
            covered[place].append(and_(each.guard, going_on))
    return [not_(or_(guards)) for guards in covered]


def template_parts(template: Any, pattern: re.Pattern[Any]) -> list[Any]:
    """What a template of `sub` consists of: texts, and the numbers of groups.

    >>> template_parts(r"<\\1>", re.compile("(a)"))
    ['<', 1, '>']
    """
    parsed = _parser.parse_template(template, pattern)
    if isinstance(parsed, tuple):
        numbers, texts = parsed
        result = list(texts)
        for place, number in numbers:
            result[place] = number
    else:
        result = list(parsed)
    return [part for part in result if part is not None and part != template[:0]]
