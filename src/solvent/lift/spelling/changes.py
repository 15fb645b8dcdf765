"""Changes of case of symbolic characters, as the running Python has them.

A change is a table that is made by asking a method of `str` about every character: ranges that move
by one distance, and the characters that become several.  Of a symbolic character it makes the first
one as an expression over the code point, and remembers what this was made of.  A second change is
then one table for that code point, in which both are composed, and not a choice of choices.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from solvent.lift.facts import has_bounds_everywhere
from solvent.lift.spelling.alphabets import (
    Made,
    as_ranges,
    everything,
    is_in,
    known_range,
    made_of,
    note_made,
    of_choice,
    of_everything,
)
from solvent.terms.booleans import BoolTerm, and_, ite, not_
from solvent.terms.classes import FEW, Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, text
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

# --- tables ---------------------------------------------------------------------------------------


class Shift(NamedTuple):
    """Characters from the first to the last, one or two apart, that move by one distance."""

    first: int
    last: int
    step: int
    distance: int


# Characters that become several, and what they become.
Entries = tuple[tuple[int, str], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Change:
    """What becomes of characters, and for those that become several, of what length."""

    images: Mapping[int, str]
    # Where the first character of what becomes of one is another one.
    moves: Mapping[int, int]
    shifts: tuple[Shift, ...]
    several: Mapping[int, Entries]
    keys: Mapping[int, Alphabet]

    def image(self, code: int) -> str:
        """What becomes of a character.

        >>> change(str.upper).image(ord("ß"))
        'SS'
        """
        return self.images.get(code) or chr(code)

    @cache  # noqa: B019 - as many tables as there are changes of case
    def sources(self, alphabet: Alphabet) -> Alphabet:
        """The characters whose images begin with one of a class.

        >>> change(str.lower).sources(((107, 107),))
        ((75, 75), (107, 107), (8490, 8490))
        """
        moved = sorted(self.moves)
        result: list[tuple[int, int]] = []
        for first, last in alphabet:
            start = first
            for code in moved[bisect_left(moved, first) : bisect_right(moved, last)]:
                if start < code:
                    result.append((start, code - 1))
                start = code + 1
            if start <= last:
                result.append((start, last))
        result += [(code, code) for code in moved if is_in(self.moves[code], alphabet) is True]
        return _united(sorted(result))


def _united(ranges: Iterable[tuple[int, int]]) -> Alphabet:
    """Ranges in order, of which neighbours become one."""
    result: list[tuple[int, int]] = []
    for first, last in ranges:
        if result and result[-1][1] == first - 1:
            first = result.pop()[0]
        result.append((first, last))
    return tuple(result)


@cache
def change(method: Callable[[str], str]) -> Change:
    """What a method of `str` makes of single characters.

    >>> [chr(code) for code, image in change(str.upper).several[2] if image == "SS"]
    ['ß']
    """
    pairs = zip(everything(), of_everything(method), strict=True)
    return _table({ord(old): new for old, new in pairs if old != new})


def _table(images: dict[int, str]) -> Change:
    moves = {code: ord(new[0]) for code, new in images.items() if ord(new[0]) != code}
    several: dict[int, list[tuple[int, str]]] = {}
    for code, new in images.items():
        if len(new) > 1:
            several.setdefault(len(new), []).append((code, new))
    return Change(
        images,
        moves,
        tuple(_shifts([(code, new - code) for code, new in moves.items()])),
        {length: tuple(entries) for length, entries in several.items()},
        {length: as_ranges(code for code, _ in entries) for length, entries in several.items()},
    )


_TABLES: dict[tuple[tuple[int, str], ...], Change] = {}


@cache
def after(first: Change, second: Change) -> Change:
    """What the second change makes of the first characters of what the first one has made.

    >>> after(change(str.upper), change(str.lower)).image(ord("ß"))
    's'
    """
    codes = sorted({*first.moves, *second.images})
    images = {code: second.image(first.moves.get(code, code)) for code in codes}
    images = {code: new for code, new in images.items() if new != chr(code)}
    key = tuple(images.items())
    # However often cases are changed in turn, there are few different tables.
    found = _TABLES.get(key)
    return found if found is not None else _TABLES.setdefault(key, _table(images))


def _shifts(moves: list[tuple[int, int]]) -> Iterable[Shift]:
    """Runs of neighbours that move alike; in many alphabets every second character does."""
    place = 0
    while place < len(moves):
        first, distance = moves[place]
        step = 1
        if place + 1 < len(moves) and moves[place + 1] == (first + 2, distance):
            step = 2
        end = place + 1
        while end < len(moves) and moves[end] == (moves[end - 1][0] + step, distance):
            end += 1
        yield Shift(first, moves[end - 1][0], step, distance)
        place = end


# --- symbolic characters --------------------------------------------------------------------------


def changed(code: Integer, table: Change) -> Value:
    """A text: what becomes of a character."""
    if not isinstance(code, Term):
        return table.image(code)
    first = of_choice(code, table, partial(_first_of, table))
    rows: list[Choice] = []
    others: Guard = True
    for length, entries in table.several.items():
        guard = of_choice(code, table.keys[length], partial(_is_key, table, length))
        if guard is not False:
            rest = of_choice(code, entries, partial(_rest_of, table, length), _one_or_other)
            rows.append((guard, text((first, *rest))))
            others = and_(others, not_(guard))
    return gathered([*rows, (others, text((first,)))])


def _composed(code: Integer, table: Change) -> tuple[Integer, Change]:
    """What becomes of a character, as a change of what that is made of."""
    made = made_of(code)
    return (code, table) if made is None else (made.code, after(made.table, table))


def _first_of(table: Change, code: Integer) -> Integer:
    """The first of the characters that become of one."""
    origin, whole = _composed(code, table)
    made = made_of(code)
    if made is not None and whole.moves == made.table.moves:
        return code
    low, high = _range_of(origin)
    found = _shifted(origin, whole.shifts, low, high)
    if not isinstance(origin, Term) or not isinstance(found, Term) or found is origin:
        return found
    # What is only due to what is known on this path is no result of the change on others.
    if has_bounds_everywhere(origin) or (low, high) == (0, LAST_CODE):
        note_made(found, Made(origin, whole))
    return found


def _is_key(table: Change, length: int, code: Integer) -> Guard:
    """Whether a character becomes several of that number."""
    origin, whole = _composed(code, table)
    return is_in(origin, whole.keys.get(length, ()))


def _rest_of(table: Change, length: int, code: Integer) -> tuple[Integer, ...] | None:
    """What follows the first of several characters, `None` if there are none."""
    origin, whole = _composed(code, table)
    low, high = _range_of(origin)
    entries = [entry for entry in whole.several.get(length, ()) if low <= entry[0] <= high]
    if not entries:
        return None
    result: list[Integer] = list(map(ord, entries[-1][1][1:]))
    for key, new in reversed(entries[:-1]):
        here = origin == key
        result = [ite(here, ord(a), b) for a, b in zip(new[1:], result, strict=True)]
    return tuple(result)


def _one_or_other(
    test: BoolTerm, first: tuple[Integer, ...] | None, second: tuple[Integer, ...] | None
) -> tuple[Integer, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return tuple(ite(test, a, b) for a, b in zip(first, second, strict=True))


def _range_of(code: Integer) -> tuple[int, int]:
    return known_range(code) if isinstance(code, Term) else (code, code)


def _shifted(code: Integer, shifts: Sequence[Shift], low: int, high: int) -> Integer:
    first = bisect_right(shifts, low, key=lambda shift: shift.last)
    if first and shifts[first - 1].last >= low:
        first -= 1
    last = bisect_right(shifts, high, key=lambda shift: shift.first)
    parts = shifts[first:last]
    if len(parts) > FEW and isinstance(code, Term):
        middle = len(parts) // 2
        border = parts[middle].first
        below = _shifted(code, parts[:middle], low, border - 1)
        return ite(code < border, below, _shifted(code, parts[middle:], border, high))
    result: Integer = code
    for part in parts:
        here = and_(part.first <= code, code <= part.last)
        if part.step == 2:
            here = and_(here, code % 2 == part.first % 2)
        result = ite(here, code + part.distance, result)
    return result
