"""Patterns of Python's `re` module as regexes of the theory of strings.

Python's own parser reads the pattern; what it finds is translated piece by piece.  The regex has
the strings that `re.fullmatch` accepts.  `\\d`, `\\w` and `\\s` are the ASCII characters of these
kinds, as with `re.ASCII`.  What is no regular language, or depends on how the matcher searches,
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from solvent.errors import SortError
from solvent.terms.regexes import (
    RegexTerm,
    re_allchar,
    re_concat,
    re_loop,
    re_opt,
    re_plus,
    re_power,
    re_range,
    re_star,
    re_union,
    to_re,
)
from solvent.terms.sorts import describe
from solvent.terms.strings import MAX_CODE

# Characters by their codes: pairs of a first and a last one, in order and apart from each other.
Codes = list[tuple[int, int]]

_SUPPORTED_FLAGS = re.ASCII | re.UNICODE | re.DOTALL | re.VERBOSE | re.MULTILINE

_DIGITS: Codes = [(ord("0"), ord("9"))]
_SPACES: Codes = [(ord("\t"), ord("\r")), (ord(" "), ord(" "))]
_WORD: Codes = [*_DIGITS, (ord("A"), ord("Z")), (ord("_"), ord("_")), (ord("a"), ord("z"))]


def _ordered(codes: Iterable[tuple[int, int]]) -> Codes:
    """The same characters in order, none listed twice, none beyond the theory's last."""
    result: Codes = []
    for first, last in sorted(codes):
        last = min(last, MAX_CODE)
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        elif first <= last:
            result.append((first, last))
    return result


def _others(codes: Iterable[tuple[int, int]]) -> Codes:
    """All other characters."""
    result: Codes = []
    start = 0
    for first, last in _ordered(codes):
        if start < first:
            result.append((start, first - 1))
        start = last + 1
    return [*result, (start, MAX_CODE)] if start <= MAX_CODE else result


_CATEGORIES: dict[object, Codes] = {
    sre.CATEGORY_DIGIT: _DIGITS,
    sre.CATEGORY_NOT_DIGIT: _others(_DIGITS),
    sre.CATEGORY_SPACE: _SPACES,
    sre.CATEGORY_NOT_SPACE: _others(_SPACES),
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_NOT_WORD: _others(_WORD),
}
_NOT_NEWLINE = _others([(ord("\n"), ord("\n"))])

# Anchors that hold at the start of the string, and at its end.
_AT_START = (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING)
_AT_END = (sre.AT_END, sre.AT_END_STRING)

_REFUSED = {
    sre.GROUPREF: "a backreference",
    sre.GROUPREF_EXISTS: "a conditional group",
    sre.ASSERT: "a lookahead or lookbehind",
    sre.ASSERT_NOT: "a lookahead or lookbehind",
    sre.AT: "an anchor or boundary inside the pattern",
    sre.POSSESSIVE_REPEAT: "a possessive repetition",
    sre.ATOMIC_GROUP: "an atomic group",
}


def regex(pattern: str | re.Pattern[str]) -> RegexTerm:
    """The regex of the strings that `re.fullmatch` accepts for a pattern.

    Supported are literals, `.`, classes, `\\\\d \\\\w \\\\s` and their complements (ASCII), groups,
    alternatives, repetitions, anchors at the ends, and the flags DOTALL, VERBOSE and MULTILINE.

    >>> from solvent.terms import in_re
    >>> in_re("x42", regex(r"[a-z]\\d+")), in_re("x42y", regex(r"[a-z]\\d+"))
    (True, False)
    """
    text = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    if not isinstance(text, str):
        raise SortError(f"a pattern is a str, not {describe(text)}")
    flags = pattern.flags if isinstance(pattern, re.Pattern) else 0
    try:
        parsed = parser.parse(text, flags)
    except re.error as error:
        raise SortError(f"{text!r} is not a pattern: {error}") from error
    return _Translation(text).sequence(parsed, parsed.state.flags, True, True)


# What Python's parser of patterns makes: kinds of items with what belongs to each.
Items = Sequence[tuple[Any, Any]]


class _Translation:
    """The translation of one pattern; its nesting is bounded by Python's own parser."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def refuse(self, construct: str) -> SortError:
        return SortError(f"the pattern {self.pattern!r} has {construct}, which has no regex")

    def sequence(self, items: Items, flags: int, first: bool, last: bool) -> RegexTerm:
        """A sequence of items; `first` and `last`: it stands at that end of the pattern."""
        unsupported = re.RegexFlag(flags) & ~_SUPPORTED_FLAGS
        if unsupported:
            raise self.refuse(f"the flag {unsupported.name}")
        pieces: list[RegexTerm] = []
        literal = ""
        count = len(items)
        for position, (kind, value) in enumerate(items):
            at_first, at_last = first and position == 0, last and position == count - 1
            if kind is sre.LITERAL and value <= MAX_CODE:
                literal += chr(value)
                continue
            if kind is sre.AT and (
                (value in _AT_START and at_first) or (value in _AT_END and at_last)
            ):
                continue
            if literal:
                pieces.append(to_re(literal))
                literal = ""
            pieces.append(self.item(kind, value, flags, at_first, at_last))
        if literal:
            pieces.append(to_re(literal))
        return re_concat(*pieces)

    def item(self, kind: Any, value: Any, flags: int, first: bool, last: bool) -> RegexTerm:
        """One item of a sequence."""
        if kind is sre.LITERAL:
            return self.characters(_ordered([(value, value)]))
        if kind is sre.NOT_LITERAL:
            return self.characters(_others([(value, value)]))
        if kind is sre.ANY:
            return re_allchar() if flags & re.DOTALL else self.characters(_NOT_NEWLINE)
        if kind is sre.IN:
            return self.character_class(value)
        if kind is sre.BRANCH:
            return re_union(*(self.sequence(branch, flags, first, last) for branch in value[1]))
        if kind is sre.SUBPATTERN:
            _group, added, removed, items = value
            return self.sequence(items, (flags | added) & ~removed, first, last)
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            least, most, items = value
            repeated = self.sequence(items, flags, False, False)
            return _repeated(least, None if most is sre.MAXREPEAT else most, repeated)
        raise self.refuse(_REFUSED.get(kind, f"the construct {str(kind).lower()}"))

    def character_class(self, items: Items) -> RegexTerm:
        """The class of a pair of brackets."""
        codes: Codes = []
        negated = False
        for kind, value in items:
            if kind is sre.NEGATE:
                negated = True
            elif kind is sre.LITERAL:
                codes.append((value, value))
            elif kind is sre.RANGE:
                codes.append(value)
            else:
                codes += _CATEGORIES[value]
        return self.characters(_others(codes) if negated else _ordered(codes))

    def characters(self, codes: Codes) -> RegexTerm:
        """One character of these."""
        return re_union(
            *(
                to_re(chr(first)) if first == last else re_range(chr(first), chr(last))
                for first, last in codes
            )
        )


def _repeated(least: int, most: int | None, repeated: RegexTerm) -> RegexTerm:
    if most is not None:
        return re_opt(repeated) if (least, most) == (0, 1) else re_loop(least, most, repeated)
    if least <= 1:
        return re_plus(repeated) if least else re_star(repeated)
    return re_concat(re_power(least, repeated), re_star(repeated))
