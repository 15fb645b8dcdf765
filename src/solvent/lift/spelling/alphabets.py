"""Classes of characters and changes of case, as the running Python has them.

The tables are made by asking the methods of `str` about every character, so that they agree with it
by construction.  A class is a list of ranges of code points; a change of case is a list of ranges
that move by one distance, and of the characters that become several.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from threading import Thread
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

from solvent.errors import InternalError
from solvent.lift.facts import bounds, has_bounds_everywhere
from solvent.terms.booleans import ITE, and_, eq, ite, or_
from solvent.terms.classes import FEW, Alphabet, character_class, in_class
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, text
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

# Of how many parts of a choice it is asked whether they belong to a small class.
_PARTS = 64


@cache
def characters(test: Callable[[str], bool]) -> Alphabet:
    """The characters that pass a test.

    >>> characters(str.isdecimal)[:2]
    ((48, 57), (1632, 1641))
    """
    flags = bytes(_of_everything(test))
    result: list[tuple[int, int]] = []
    start = flags.find(1)
    while start >= 0:
        end = flags.find(0, start)
        if end < 0:
            end = len(flags)
        result.append((start, end - 1))
        start = flags.find(1, end)
    return tuple(result)


@cache
def _everything() -> str:
    """All characters in order."""
    return "".join(map(chr, range(LAST_CODE + 1)))


Answer = TypeVar("Answer")


def _of_everything(function: Callable[[str], Answer]) -> Sequence[Answer]:
    """What a function gives for all characters in order.

    The interpreter gets memory for the frames of functions in blocks.  At a depth where a call
    begins a new one, a million calls would get and return it a million times; a thread of its own
    has room.
    """
    if type(function) is not FunctionType:
        return list(map(function, _everything()))
    found: list[Answer] = []
    thread = Thread(target=lambda: found.extend(map(function, _everything())))
    thread.start()
    thread.join()
    # What is remembered of an exception in the thread would be a class that lacks characters.
    if len(found) <= LAST_CODE:
        raise InternalError("a class of characters could not be computed")
    return found


def as_ranges(codes: Iterable[int]) -> Alphabet:
    """Code points in order, as ranges.

    >>> as_ranges([1, 2, 3, 7])
    ((1, 3), (7, 7))
    """
    result: list[tuple[int, int]] = []
    start = last = -2
    for code in codes:
        if code != last + 1:
            if start >= 0:
                result.append((start, last))
            start = code
        last = code
    if start >= 0:
        result.append((start, last))
    return tuple(result)


def known_range(code: Integer) -> tuple[int, int]:
    """Between which code points a symbolic one lies."""
    low, high = bounds(code)
    return max(0, low or 0), LAST_CODE if high is None else min(high, LAST_CODE)


def is_in(code: Integer, alphabet: Alphabet) -> Guard:
    """Whether a character belongs to a class.

    >>> from solvent.terms import Int
    >>> is_in(53, ((48, 57),)), is_in(Int("c"), ((48, 57),))
    (True, c > 47 and c <= 57)
    """
    if not isinstance(code, Term):
        place = bisect_right(alphabet, (code, LAST_CODE)) - 1
        return place >= 0 and alphabet[place][0] <= code <= alphabet[place][1]
    if len(alphabet) > FEW:
        found: Guard = _of_choice(code, alphabet, partial(_belongs, alphabet))
        return found
    if code.op.base is ITE:
        return _told_apart(code, alphabet)
    return _belongs(alphabet, code)


def _belongs(alphabet: Alphabet, code: Integer) -> Guard:
    if isinstance(code, Term):
        return _within(code, alphabet, *known_range(code))
    return is_in(code, alphabet)


def is_code(code: Integer, wanted: Integer) -> Guard:
    """Whether a character is another one, decided by ranges where they can tell.

    A digit that was merged with a sign is no comma, and a sign on the paths that have one.

    >>> from solvent.terms import Bool, Int, ite
    >>> merged = ite(Bool("p"), 45, Int("n") % 10 + 48)
    >>> is_code(merged, 44), is_code(merged, 45)
    (False, p)
    """
    if isinstance(code, Term):
        return eq(code, wanted) if isinstance(wanted, Term) else is_in(code, ((wanted, wanted),))
    return is_in(wanted, ((code, code),)) if isinstance(wanted, Term) else code == wanted


def _told_apart(code: IntTerm, alphabet: Alphabet) -> Guard:
    """Whether a choice belongs to a small class: by its tests alone, if they tell for all parts."""
    known: dict[Term, Guard] = {}
    stack: list[IntTerm] = [code]
    while stack:
        term = stack[-1]
        if term in known:
            stack.pop()
            continue
        if term.op.base is not ITE:
            found = _belongs(alphabet, term)
            if type(found) is not bool or len(known) > _PARTS:
                return _belongs(alphabet, code)
            known[term] = found
            continue
        _, test, a, b = term.key
        missing = [x for x in (a, b) if type(x) is not int and x not in known]
        if missing:
            stack += missing
            continue
        first, second = (is_in(x, alphabet) if type(x) is int else known[x] for x in (a, b))
        known[term] = ite(test, first, second)
    return known[code]


def _of_choice(code: IntTerm, table: object, answer: Callable[[Integer], Any]) -> Any:
    """What a table says of a character: asked once of each one that it may be."""
    everywhere: dict[tuple[Term, int], tuple[Any, object]]
    everywhere = current().notes.setdefault(_of_choice, {})
    # Answers that are due to what is known on this path stay on it.
    here: dict[Term, Any] = {}
    name = id(table)
    stack: list[IntTerm] = [code]
    while stack:
        term = stack[-1]
        if term in here or (term, name) in everywhere:
            stack.pop()
            continue
        if term.op.base is not ITE:
            found, general = answer(term), has_bounds_everywhere(term)
        else:
            _, test, a, b = term.key
            parts = [x for x in (a, b) if type(x) is not int]
            missing = [x for x in parts if x not in here and (x, name) not in everywhere]
            if missing:
                stack += missing
                continue
            first, second = (
                answer(x) if type(x) is int else here[x] if x in here else everywhere[x, name][0]
                for x in (a, b)
            )
            found, general = ite(test, first, second), here.keys().isdisjoint(parts)
        if general:
            # The table is kept beside the answer, so that its number stays its own.
            everywhere[term, name] = (found, table)
        else:
            here[term] = found
    return here[code] if code in here else everywhere[code, name][0]


def _within(code: IntTerm, alphabet: Alphabet, low: int, high: int) -> Guard:
    """Whether a character that is known to lie between two belongs to a class."""
    first = bisect_right(alphabet, (low, -1))
    if first and alphabet[first - 1][1] >= low:
        first -= 1
    members = character_class(alphabet[first : bisect_right(alphabet, (high, LAST_CODE))])
    if len(members.ranges) <= FEW:
        return or_([_between(code, a, b, low, high) for a, b in members.ranges])
    return in_class(members, code)


def _between(code: IntTerm, first: int, last: int, low: int, high: int) -> Guard:
    if first == last:
        return code == first
    above: Guard = True if first <= low else code >= first
    below: Guard = True if last >= high else code <= last
    return and_(above, below)


# --- changes --------------------------------------------------------------------------------------


class Shift(NamedTuple):
    """Characters from the first to the last, one or two apart, that move by one distance."""

    first: int
    last: int
    step: int
    distance: int


class Change(NamedTuple):
    """What becomes of characters: those that stay single, and those that become several."""

    shifts: tuple[Shift, ...]
    several: tuple[tuple[int, str], ...]


@cache
def change(method: Callable[[str], str]) -> Change:
    """What a method of `str` makes of single characters.

    >>> [chr(code) for code, several in change(str.upper).several if several == "SS"]
    ['ß']
    """
    pairs = zip(_everything(), _of_everything(method), strict=True)
    different = [(ord(old), new) for old, new in pairs if old != new]
    moves = [(code, ord(new) - code) for code, new in different if len(new) == 1]
    several = [(code, new) for code, new in different if len(new) != 1]
    return Change(tuple(_shifts(moves)), tuple(several))


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


def changed(code: Integer, table: Change) -> Value:
    """A text: what becomes of a character."""
    if is_left_alone(code, table):
        return text((code,))
    if not isinstance(code, Term):
        low = high = code
    else:
        low, high = known_range(code)
    single = _moved(code, table)
    rows: list[Choice] = []
    by_length: dict[int, list[tuple[int, str]]] = {}
    for key, new in table.several:
        if low <= key <= high:
            by_length.setdefault(len(new), []).append((key, new))
    others: Guard = True
    for entries in by_length.values():
        guard = is_in(code, as_ranges(key for key, _ in entries))
        rows.append((guard, text(_looked_up(code, entries))))
        others = and_(others, _not(guard))
    return gathered([*rows, (others, text((single,)))])


def _not(guard: Guard) -> Guard:
    return ite(guard, False, True)


def _looked_up(code: Integer, entries: Sequence[tuple[int, str]]) -> list[Integer]:
    """The characters of the entry of a code, which is one of the keys."""
    result: list[Integer] = list(map(ord, entries[-1][1]))
    for key, new in reversed(entries[:-1]):
        here = code == key
        result = [ite(here, ord(a), b) for a, b in zip(new, result, strict=True)]
    return result


def _moved(code: Integer, table: Change) -> Integer:
    """A character that stays single, moved by its distance."""
    shifts = table.shifts
    if not isinstance(code, Term):
        return _shifted(code, shifts, code, code)
    found: Integer = _of_choice(
        code, shifts, lambda part: _shifted(part, shifts, *known_range(part))
    )
    # What is only due to what is known on this path is no result of the change on others.
    is_general = (code, id(shifts)) in current().notes.get(_of_choice, {})
    if is_general and isinstance(found, Term) and _is_done_once(table):
        current().notes.setdefault(_moved, {})[found, id(shifts)] = table
    return found


@cache
def _is_done_once(table: Change) -> bool:
    """Whether a change leaves alone what it has made of characters."""
    return all(
        _stays(code + shift.distance, table)
        for shift in table.shifts
        for code in range(shift.first, shift.last + 1, shift.step)
    )


def _stays(code: int, table: Change) -> bool:
    is_single = all(code != key for key, _ in table.several)
    return is_single and _shifted(code, table.shifts, code, code) in (code,)


def is_left_alone(code: Integer, table: Change) -> bool:
    """Whether a character is known to be one that a change has made, and makes nothing else of."""
    results = current().notes.get(_moved, {})
    pending, seen = [code], {code}
    while pending:
        part = pending.pop()
        if not isinstance(part, Term):
            if not _stays(part, table):
                return False
        elif (part, id(table.shifts)) not in results:
            if part.op.base is not ITE:
                return False
            branches = {one for one in part.key[2:] if one not in seen}
            seen |= branches
            pending += branches
    return True


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
