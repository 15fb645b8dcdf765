"""Which characters a class, a category or a border of a pattern matches."""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
from collections.abc import Callable
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from solvent.errors import NotLiftedError
from solvent.lift.spelling.alphabets import as_ranges
from solvent.terms.booleans import eq, not_
from solvent.terms.classes import Alphabet
from solvent.terms.texts import LAST_CODE
from solvent.vm.values import Guard

if TYPE_CHECKING:
    from solvent.lift.spelling.matching import Matcher


Fold = Callable[[str], str]


def unicode_lower(character: str) -> str:
    return chr(_sre.unicode_tolower(ord(character)))


def ascii_lower(character: str) -> str:
    return chr(_sre.ascii_tolower(ord(character)))


@cache
def _all_characters() -> str:
    return "".join(map(chr, range(LAST_CODE + 1)))


_ALL_BYTES = bytes(range(256))

# The classes of characters that were asked for, by text and flags.
_KNOWN: dict[tuple[str, int, bool], Alphabet] = {}


def alphabet_of(item: tuple[Any, Any], flags: int, octets: bool) -> Alphabet:
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


def border_of(kind: Any, flags: int, octets: bool) -> Callable[[Matcher, int], Guard]:
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
    word = alphabet_of((_constants.IN, category), flags, octets)
    inside = kind is _constants.AT_NON_BOUNDARY
    if_empty = bool(re.match(r"\B" if inside else r"\b", ""))

    def test(matcher: Matcher, place: int) -> Guard:
        if not matcher.codes:
            return if_empty
        same = eq(_before(matcher, place, word), _follows(matcher, place, word))
        return same if inside else not_(same)

    return test
