"""Reading patterns: Python's own parser makes trees, of which a graph of steps is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.spelling.matchable import Fold, alphabet_of, ascii_lower, border_of, unicode_lower
from solvent.lift.spelling.steps import (
    Accept,
    Again,
    Atomic,
    Border,
    Branch,
    Character,
    Condition,
    Enter,
    Fail,
    Look,
    Loop,
    Mark,
    Step,
    StepT,
)


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
        # How many characters a match has at least.
        self.shortest: int = tree.getwidth()[0]
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
        alphabet = alphabet_of((operator, argument), flags, self.octets)
        return self._new(Character(after, alphabet))

    def border(self, operator: Any, argument: Any, after: Step, flags: int) -> Step:
        """A condition on a place."""
        return self._new(Border(after, border_of(argument, flags, self.octets)))

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
            fold = unicode_lower if flags & re.UNICODE else ascii_lower
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
