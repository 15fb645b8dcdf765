"""Classes of characters, as the running Python has them.

The tables are made by asking the methods of `str` about every character, so that they agree with it
by construction.  A class is a list of ranges of code points.  Of a character that a change of case
has made it is asked what it was made of.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from threading import Thread
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from solvent.errors import InternalError
from solvent.lift.facts import bounds, has_bounds_everywhere
from solvent.terms.booleans import ITE, and_, eq, ite, or_
from solvent.terms.classes import FEW, Alphabet, character_class, in_class
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE
from solvent.vm.machine import current
from solvent.vm.values import Guard

if TYPE_CHECKING:
    from solvent.lift.spelling.changes import Change
    from solvent.terms.booleans import BoolTerm

# Of how many parts of a choice it is asked whether they belong to a small class.
_PARTS = 64


@cache
def characters(test: Callable[[str], bool]) -> Alphabet:
    """The characters that pass a test.

    >>> characters(str.isdecimal)[:2]
    ((48, 57), (1632, 1641))
    """
    flags = bytes(of_everything(test))
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
def everything() -> str:
    """All characters in order."""
    return "".join(map(chr, range(LAST_CODE + 1)))


Answer = TypeVar("Answer")


def of_everything(function: Callable[[str], Answer]) -> Sequence[Answer]:
    """What a function gives for all characters in order.

    The interpreter gets memory for the frames of functions in blocks.  At a depth where a call
    begins a new one, a million calls would get and return it a million times; a thread of its own
    has room.
    """
    if type(function) is not FunctionType:
        return list(map(function, everything()))
    found: list[Answer] = []
    thread = Thread(target=lambda: found.extend(map(function, everything())))
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
    made = made_of(code)
    if made is not None:
        return is_in(made.code, made.table.sources(alphabet))
    if len(alphabet) > FEW:
        found: Guard = of_choice(code, alphabet, partial(_belongs, alphabet))
        return found
    if code.op.base is ITE:
        return _told_apart(code, alphabet)
    return _belongs(alphabet, code)


def _belongs(alphabet: Alphabet, code: Integer) -> Guard:
    if isinstance(code, Term) and made_of(code) is None:
        return _within(code, alphabet, *known_range(code))
    return is_in(code, alphabet)


class Made(NamedTuple):
    """Of which code point a symbolic one was made, and how."""

    code: IntTerm
    table: Change


def made_of(code: Integer) -> Made | None:
    """What a character is known to be made of, whatever the path."""
    found: Made | None = current().notes.get(Made, _NOTHING).get(code)
    return found


_NOTHING: dict[object, Made] = {}


def note_made(code: Integer, made: Made) -> None:
    """Remember that a character is that function of another one, on all paths."""
    current().notes.setdefault(Made, {})[code] = made


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
        if term.op.base is not ITE or made_of(term) is not None:
            found = _belongs(alphabet, term)
            if len(known) > _PARTS or (type(found) is not bool and made_of(term) is None):
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


def of_choice(
    code: IntTerm,
    table: object,
    answer: Callable[[Integer], Any],
    joined: Callable[[BoolTerm, Any, Any], Any] = ite,
) -> Any:
    """What a table says of a character: asked once of each one that it may be."""
    everywhere: dict[tuple[Term, int], tuple[Any, object]]
    everywhere = current().notes.setdefault(of_choice, {})
    # Answers that are due to what is known on this path stay on it.
    here: dict[Term, Any] = {}
    name = id(table)
    stack: list[IntTerm] = [code]
    while stack:
        term = stack[-1]
        if term in here or (term, name) in everywhere:
            stack.pop()
            continue
        made = made_of(term)
        if made is not None or term.op.base is not ITE:
            found = answer(term)
            general = has_bounds_everywhere(term if made is None else made.code)
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
            found, general = joined(test, first, second), here.keys().isdisjoint(parts)
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
