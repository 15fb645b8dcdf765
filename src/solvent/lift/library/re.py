"""`re`: patterns on texts and bytes of known length whose characters may be symbolic.

Patterns are concrete, and concrete texts are matched by Python's own engine.  A match on a symbolic
text is an object of our own, which knows where its groups are as positions under guards, and cuts
the text when it is asked for them; see `solvent.lift.spelling.steps`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from sys import maxsize
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.calls import call, for_each
from solvent.lift.facts import possible
from solvent.lift.longer import note_length
from solvent.lift.messages import raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.spelling.alphabets import as_ranges, is_in
from solvent.lift.spelling.arguments import whole
from solvent.lift.spelling.assembling import Piece, assembled, between, template_parts, uncovered
from solvent.lift.spelling.choosing import all_of, listed
from solvent.lift.spelling.kinds import OCTETS, TEXTS, Kind
from solvent.lift.spelling.matching import Guards, Matcher, places_of
from solvent.lift.spelling.outcomes import LAST, START, one_or_other
from solvent.lift.spelling.programs import program_of
from solvent.lift.spelling.scanning import PossibleMatch, Scan
from solvent.lift.spelling.spans import Codes, Places, cut, place_of
from solvent.lift.unlifted import Direct
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves
from solvent.terms.booleans import eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import CodesTerm, codes_of
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.merge import merge, union_of
from solvent.vm.slots import slot
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

Pattern = re.Pattern[Any]


# --- matches --------------------------------------------------------------------------------------


class Match(StandIn):
    """A match on a symbolic text; it exists only where the pattern matches."""

    # Without a dict, so that matches are never merged attribute by attribute.
    __slots__ = (
        "endpos",
        "ends",
        "how",
        "known",
        "marks",
        "pos",
        "re",
        "starts",
        "string",
        "subject",
    )  # fmt: skip

    def __init__(
        self,
        subject: Subject,
        how: str,
        starts: Places,
        ends: Places,
        marks: Callable[[int], Places],
    ) -> None:
        self.subject = subject
        # The method that found it.
        self.how = how
        self.starts = starts
        self.ends = ends
        self.marks = marks
        self.known: dict[int, tuple[Guard, Places, Places]] = {}
        self.re = subject.pattern
        self.string = subject.text
        self.pos = subject.pos
        self.endpos = len(subject.codes)

    def python_type(self) -> type:
        return re.Match

    def where(self, number: int) -> tuple[Guard, Places, Places]:
        """Whether a group takes part in the match, and where it begins and ends."""
        if number == 0:
            return True, self.starts, self.ends
        if number not in self.known:
            starts, ends = self.marks(number * 2 - 2), self.marks(number * 2 - 1)
            self.known[number] = or_(list(ends.values())), starts, ends
        return self.known[number]

    def text_of(self, number: int, default: Value) -> Value:
        """The text of a group."""
        there, starts, ends = self.where(number)
        if there is False:
            return default
        subject = self.subject
        return merge(there, cut(subject.kind.made, subject.codes, starts, ends), default)

    @over_members_of("group")
    def of_each(self, group: Value, action: Callable[[int], Value]) -> Value:
        """Do something with a group that is given by number or name, by its number."""
        number = whole(group)
        if isinstance(number, Term):
            rows: list[Choice] = [(eq(number, each), each) for each in range(self.re.groups + 1)]
            return self.of_each(union_of((*rows, (True, -1))), action)
        if number is None:
            if isinstance(group, Term):
                raise NotLiftedError("a symbolic name of a group is not lifted; use its number")
            number = self.re.groupindex.get(group) if isinstance(group, str) else None
        if number is None or not 0 <= number <= self.re.groups:
            raise raised(_SAMPLE.group, 1)
        return action(number)

    def group(self, *groups: Value) -> Value:
        """`match.group(...)`."""
        found = [
            self.of_each(group, lambda number: self.text_of(number, None))
            for group in groups or (0,)
        ]
        return tuple(found) if len(found) > 1 else found[0]

    def groups(self, default: Value = None) -> Value:
        """`match.groups(default)`."""
        return tuple([self.text_of(number + 1, default) for number in range(self.re.groups)])

    def groupdict(self, default: Value = None) -> Value:
        """`match.groupdict(default)`."""
        names = self.re.groupindex
        return {name: self.text_of(number, default) for name, number in names.items()}

    def place(self, number: int, end: bool) -> Integer:
        """Where a group begins or ends."""
        there, *places = self.where(number)
        return place_of(places[end], not_(there), -1)

    def start(self, group: Value = 0) -> Value:
        """`match.start(group)`."""
        return self.of_each(group, lambda number: self.place(number, False))

    def end(self, group: Value = 0) -> Value:
        """`match.end(group)`."""
        return self.of_each(group, lambda number: self.place(number, True))

    def span(self, group: Value = 0) -> Value:
        """`match.span(group)`."""
        return self.of_each(
            group, lambda number: (self.place(number, False), self.place(number, True))
        )

    def expand(self, template: Value) -> Value:
        """`match.expand(template)`."""
        subject = self.subject
        _check_template(template)
        parts: list[Value] = []
        for part in template_parts(template, self.re):
            empty = subject.kind.native()
            parts.append(self.text_of(part, empty) if isinstance(part, int) else part)
        return all_of(subject.kind, parts)

    @property
    def regs(self) -> Value:
        """The spans of all groups."""
        return tuple([self.span(number) for number in range(self.re.groups + 1)])

    @property
    def lastindex(self) -> Value:
        """The number of the group that was closed last."""
        numbers = self.marks(LAST)
        return _chosen(numbers, {number: number for number in numbers})

    @property
    def lastgroup(self) -> Value:
        """The name of the group that was closed last."""
        names = {number: name for name, number in self.re.groupindex.items()}
        numbers = self.marks(LAST)
        return _chosen(numbers, {number: names.get(number) for number in numbers})

    def native(self, evaluate: Evaluation) -> Value:
        """The match that Python finds under a model."""
        text = evaluate.value(self.string)
        if self.how != "finditer":
            return getattr(self.re, self.how)(text, self.pos, self.endpos)
        span = evaluate.value(self.span())
        found = self.re.finditer(text, self.pos, self.endpos)
        return next((match for match in found if match.span() == span), None)


_SAMPLE: Any = re.match("", "")


def _chosen(guards: Places, values: dict[int, Value]) -> Value:
    """The value of the number whose guard holds, `None` if none does."""
    result: Value = None
    for number, guard in guards.items():
        result = merge(guard, values[number], result)
    return result


class Matches(Objects):
    """What matches do."""

    def truth(self, value: Match) -> Guard:
        return True

    def get_item(self, owner: Match, key: Value) -> Value:
        return owner.group(key)

    def parts(self, value: Match) -> Iterable[Value]:
        return (value.string,)

    def copied(self, value: Match, copying: Copying) -> Value:
        return value

    def shown(self, value: Match, texts: Texts) -> Value:
        span, text = texts.of(value.span()), texts.of(value.group())
        return texts.joined("<re.Match object; span=", span, ", match=", text, ">")

    def under(self, value: Match, evaluate: Evaluation) -> Value:
        return value.native(evaluate)


class Fixed(Objects):
    """What concrete patterns and matches do, which are their own copies."""

    def copied(self, value: Value, copying: Copying) -> Value:
        return value


behaves(Matches(), Match)
behaves(Fixed(), re.Match, re.Pattern)


class MatchIterator(SequenceIterator):
    """What `finditer` gives."""

    __slots__ = ()

    def python_type(self) -> type:
        return type(re.finditer("", ""))


# --- subjects -------------------------------------------------------------------------------------


class Subject:
    """A symbolic text up to the end of the search, and the pattern that is looked for."""

    def __init__(self, pattern: Pattern, text: Value, pos: int = 0, endpos: int = maxsize) -> None:
        self.pattern = pattern
        self.text = text
        self.kind: Kind = TEXTS if python_type(text) is str else OCTETS
        codes: Codes = codes_of(self.kind.native, text) or ()
        self.codes = codes[: max(0, endpos)]
        self.pos = min(max(0, pos), len(codes))
        if not isinstance(pattern.pattern, self.kind.native):
            raise raised(pattern.match, self.kind.sample(1))
        self.program = program_of(pattern)
        note_length(len(self.codes), self.pos + self.program.shortest)
        self.guards = Guards(self.codes)

    def matched(self, how: str) -> Value:
        """`match`, `fullmatch` or `search`."""
        if self.pos > len(self.codes):
            if how == "search":
                return None
            raise NotLiftedError(
                f"`{how}` of a symbolic text is not lifted where it starts after its end"
            )
        first = self._outcome(how, ())
        if first.matched is False:
            return None
        starts = first.marks.get(START, {self.pos: True})

        def marks(mark: int) -> Places:
            found: Places = self._outcome(how, (mark,)).marks.get(mark, {})
            return found

        match = Match(self, how, starts, places_of(first.ends), marks)
        return union_of(((not_(first.matched), None), (True, match)))

    def _outcome(self, how: str, tracked: Sequence[int]) -> Any:
        matcher = Matcher(self.program, self.guards, how == "fullmatch", tracked)
        return matcher.search(self.pos) if how == "search" else matcher.at(self.pos)

    def scan(self) -> Scan:
        """All matches, one after the other."""
        return Scan(self.program, self.guards, self.pos)

    def match(self, found: PossibleMatch) -> Match:
        """One of the matches of a scan."""
        return Match(self, "finditer", found.starts, found.ends, found.marks)

    def found(self) -> list[tuple[Guard, Match]]:
        """The first match, the second and so on, with where they exist."""
        return [(found.guard, self.match(found)) for found in self.scan().numbered()]

    def listed(self) -> Value:
        """`findall`."""
        empty = self.kind.native()
        count = self.pattern.groups
        rows: list[Choice] = []
        for guard, match in self.found():
            groups = range(1, count + 1) if count else (0,)
            texts = tuple([match.text_of(number, empty) for number in groups])
            rows.append((guard, texts if count > 1 else texts[0]))
        return listed(rows)

    def pieces(self, most: Integer) -> Value:
        """`split`."""
        rows: list[Choice] = []
        exists: Guard = True
        begins: Places = {0: True}
        size = len(self.codes)
        for found in self.scan().numbered(most):
            stops = one_or_other(found.guard, found.starts, {size: True})
            rows.append((exists, cut(self.kind.made, self.codes, begins, stops)))
            match = self.match(found)
            exists, begins = found.guard, found.ends
            for number in range(1, self.pattern.groups + 1):
                rows.append((exists, match.text_of(number, None)))
        rows.append((exists, cut(self.kind.made, self.codes, begins, {size: True})))
        return listed(rows)

    def filled(self, template: Value, most: Integer) -> tuple[Value, Integer]:
        """`subn` with a template."""
        _check_template(template)
        parts = template_parts(template, self.pattern)
        found = self.scan().limited(most)
        stays = uncovered(len(self.codes), found)
        by_place: dict[int, list[PossibleMatch]] = {}
        count: Integer = 0
        for each in found:
            (start,) = each.starts
            by_place.setdefault(start, []).append(each)
            count = count + ite(each.guard, 1, 0)
        pieces: list[Piece] = []
        for place in range(len(self.codes) + 1):
            for each in by_place.get(place, ()):
                pieces += self._template(parts, each)
            if place < len(self.codes):
                pieces.append((stays[place], (self.codes[place],)))
        return assembled(self.kind.made, pieces), count

    def _template(self, parts: list[Any], found: PossibleMatch) -> Iterable[Piece]:
        match = self.match(found)
        for part in parts:
            if isinstance(part, int):
                _, starts, ends = match.where(part)
                yield from between(self.codes, found.guard, starts, ends)
            else:
                yield found.guard, codes_of(self.kind.native, part) or ()

    def computed(self, function: Value, most: Integer) -> tuple[Value, Integer]:
        """`subn` with a function."""
        size = len(self.codes)
        begins: Places = {0: True}
        texts: list[Value] = []
        count: Integer = 0
        called = call(function)
        for found in self.scan().numbered(most):
            before = cut(self.kind.made, self.codes, begins, found.starts)
            match = self.match(found)

            def replaced(before: Value = before, match: Value = match) -> Value:
                return all_of(self.kind, [before, _replacement(self.kind, called(match))])

            texts.append(either(found.guard, replaced, self.kind.native))
            begins = one_or_other(found.guard, found.ends, begins)
            count = count + ite(found.guard, 1, 0)
        texts.append(cut(self.kind.made, self.codes, begins, {size: True}))
        return all_of(self.kind, texts), count


def _check_template(template: Value) -> None:
    if isinstance(template, (Term, Union)):
        raise NotLiftedError(
            "a symbolic template of `re` is not lifted; give a function that returns the text"
        )


@over_members_of("value")
def _replacement(kind: Kind, value: Value) -> Value:
    """What a function of `sub` returned, as a text."""
    if value is None:
        return kind.native()
    if codes_of(kind.native, value) is None:
        raise NotLiftedError(
            f"a function for `re.sub` that returns a '{type_name(value)}' is not lifted; let it "
            f"return a `{kind.native.__name__}` of known length"
        )
    return value


# --- methods of patterns --------------------------------------------------------------------------


def _spread(action: Callable[[Value, int, int], Value], text: Value, *bounds: Value) -> Value:
    """Do something with a text between bounds, for each of the bounds where they are symbolic."""
    known: list[int] = []
    for place, bound in enumerate(bounds):
        if type(bound) is Union:
            pass
        elif isinstance(bound, Term):
            number = whole(bound)
            if number is None:
                raise TypeError(f"'{type_name(bound)}' object cannot be interpreted as an integer")
            bound = union_of(tuple(_places(number, len(text))))
        else:
            known.append(operator.index(bound))
            continue
        before, after = bounds[:place], bounds[place + 1 :]
        return for_each(bound, lambda member: _spread(action, text, *before, member, *after))  # noqa: B023
    return action(text, known[0], known[1])


def _places(number: Integer, last: int) -> list[Choice]:
    """Where a symbolic bound lies in a text, as an ordered choice."""
    few = possible(number)
    if few is None:
        rows: list[Choice] = [(number <= each, each) for each in range(last)]
        return [(number < 0, 0), *rows, (True, last)]
    guards: Places = {}
    for each in few:
        place = min(max(0, each), last)
        guards[place] = or_(guards.get(place, False), eq(number, each))
    *others, final = guards
    return [*((guards[place], place) for place in others), (True, final)]


def _check_text(text: Value, name: str) -> None:
    if isinstance(text, StringTerm):
        raise NotLiftedError(
            f"`re.{name}` of a string of the theory of strings is not lifted; use a text of known "
            "length"
        )


def _is_symbolic(value: Value) -> bool:
    return isinstance(value, (Term, Union))


def _register_search(name: str, found: Callable[[Subject], Value]) -> None:
    """A method that looks for matches between two bounds."""

    def method(pattern: Pattern, string: Value, pos: Value = 0, endpos: Value = maxsize) -> Value:
        if type(string) is Union:
            return over(string, lambda member: method(pattern, member, pos, endpos))
        _check_text(string, name)
        if isinstance(string, CodesTerm):
            return _spread(lambda *all: found(Subject(pattern, *all)), string, pos, endpos)
        native = getattr(pattern, name)
        if type(string) is str and type(pos) is int and type(endpos) is int:
            return _adopted(native(string, pos, endpos))
        if isinstance(string, (str, bytes)) and (_is_symbolic(pos) or _is_symbolic(endpos)):
            return _spread(lambda *all: _adopted(native(*all)), string, pos, endpos)
        return _adopted(Direct(native)(string, pos, endpos))

    def function(pattern: Value, string: Value, flags: Value = 0) -> Value:
        return for_pattern(lambda made: method(made, string), pattern, flags)

    lifts_method(re.Pattern, name=name)(method)
    if hasattr(re, name):
        lifts(getattr(re, name))(function)


def _adopted(found: Value) -> Value:
    """An iterator of Python's own as one whose progress can be taken back."""
    return MatchIterator(list(found)) if hasattr(type(found), "__next__") else found


_register_search("match", lambda subject: subject.matched("match"))
_register_search("fullmatch", lambda subject: subject.matched("fullmatch"))
_register_search("search", lambda subject: subject.matched("search"))
_register_search("findall", lambda subject: subject.listed())
_register_search(
    "finditer",
    lambda subject: MatchIterator([slot(guard, match) for guard, match in subject.found()]),
)


@over_members_of("pattern")
def for_pattern(action: Callable[[Pattern], Value], pattern: Value, flags: Value) -> Value:
    """Do something with a pattern that is compiled first."""
    if isinstance(pattern, Term) or _is_symbolic(flags):
        raise NotLiftedError(
            "a symbolic pattern of `re` is not lifted; choose between concrete ones with `if`"
        )
    return action(re.compile(pattern, flags))


@lifts(re.compile)
def compile_(pattern: Value, flags: Value = 0) -> Value:
    """`re.compile(pattern, flags)`."""
    return for_pattern(lambda made: made, pattern, flags)


@lifts_method(re.Pattern)
@over_members_of("string", "maxsplit")
def split(pattern: Pattern, string: Value, maxsplit: Value = 0) -> Value:
    """`pattern.split(string, maxsplit)`."""
    _check_text(string, "split")
    most = whole(maxsplit)
    if most is not None and _is_spelled(string, most):
        return Subject(pattern, string).pieces(most)
    return Direct(pattern.split)(string, maxsplit)


def _is_spelled(text: Value, number: Integer) -> bool:
    """Whether a text or number is symbolic, and the text one whose characters are at hand."""
    return isinstance(text, CodesTerm) or (isinstance(number, Term) and type(text) in _TEXTUAL)


_TEXTUAL = (str, bytes)


@lifts(re.split)
def split_by(pattern: Value, string: Value, maxsplit: Value = 0, flags: Value = 0) -> Value:
    """`re.split(pattern, string, maxsplit, flags)`."""
    return for_pattern(lambda made: split(made, string, maxsplit), pattern, flags)


@lifts_method(re.Pattern)
@over_members_of("string", "repl", "count")
def subn(pattern: Pattern, repl: Value, string: Value, count: Value = 0) -> Value:
    """`pattern.subn(repl, string, count)`."""
    _check_text(string, "sub")
    most = whole(count)
    if most is not None and _is_spelled(string, most):
        subject = Subject(pattern, string)
        if callable(repl):
            return subject.computed(repl, most)
        if not isinstance(repl, (*_TEXTUAL, Term)):
            raise raised(pattern.sub, repl, subject.kind.sample(1))
        return subject.filled(repl, most)
    if callable(repl) and type(count) is int and isinstance(string, pattern.pattern.__class__):
        return _computed(pattern, repl, string, count)
    return Direct(pattern.subn)(repl, string, count)


def _computed(pattern: Pattern, repl: Value, string: Any, count: int) -> Value:
    """`subn` of a concrete text with a function, which is lifted."""
    kind = TEXTS if isinstance(string, str) else OCTETS
    called = call(repl)
    texts: list[Value] = []
    place = number = 0
    for match in pattern.finditer(string):
        if count and number >= count:
            break
        texts += [string[place : match.start()], _replacement(kind, called(match))]
        place = match.end()
        number += 1
    return all_of(kind, [*texts, string[place:]]), number


@lifts_method(re.Pattern)
def sub(pattern: Pattern, repl: Value, string: Value, count: Value = 0) -> Value:
    """`pattern.sub(repl, string, count)`."""
    found = subn(pattern, repl, string, count)
    return over(found, operator.itemgetter(0)) if type(found) is Union else found[0]


@lifts(re.sub)
def sub_by(pattern: Value, repl: Value, string: Value, count: Value = 0, flags: Value = 0) -> Value:
    """`re.sub(pattern, repl, string, count, flags)`."""
    return for_pattern(lambda made: sub(made, repl, string, count), pattern, flags)


@lifts(re.subn)
def subn_by(
    pattern: Value, repl: Value, string: Value, count: Value = 0, flags: Value = 0
) -> Value:
    """`re.subn(pattern, repl, string, count, flags)`."""
    return for_pattern(lambda made: subn(made, repl, string, count), pattern, flags)


# The characters that `escape` puts a backslash before; all of them are ASCII.
_SPECIAL = as_ranges(code for code in range(128) if len(re.escape(chr(code))) > 1)


@lifts(re.escape)
@over_members_of("pattern")
def escape(pattern: Value) -> Value:
    """`re.escape(pattern)`."""
    _check_text(pattern, "escape")
    if not isinstance(pattern, CodesTerm):
        return re.escape(pattern)
    pieces: list[Piece] = []
    for code in pattern.codes:
        pieces += [(is_in(code, _SPECIAL), (ord("\\"),)), (True, (code,))]
    return assembled(type(pattern).made, pieces)
