"""Where parts of a text are, and cutting it there.

A position that depends on symbolic characters is a dict from each place that it may be to the guard
under which it is that place; the guards exclude each other.  The characters of a part that starts
at such a position do not depend on where it ends, so that cutting costs the square of the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from solvent.lift.spelling.alphabets import is_code
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

Codes = tuple[Integer, ...]
# Guards by place.
Places = dict[int, Guard]
# What makes a text or bytes of code points.
Maker = Callable[[Sequence[Integer]], Value]


def cut(made: Maker, codes: Codes, starts: Places, stops: Places) -> Value:
    """The part of a text between two positions.

    >>> from solvent.terms import Bool, not_
    >>> from solvent.terms.texts import text
    >>> p = Bool("p")
    >>> cut(text, (97, 98, 99), {0: p, 1: not_(p)}, {2: True})
    Union('ab' if p, 'b')
    """
    starts = {place: guard for place, guard in starts.items() if guard is not False}
    stops = {place: guard for place, guard in stops.items() if guard is not False}
    if len(starts) == 1 and len(stops) == 1:
        return made(codes[next(iter(starts)) : next(iter(stops))])
    lengths: dict[int, list[tuple[Guard, int]]] = {}
    for start, begins in starts.items():
        for stop, ends in stops.items():
            both = and_(begins, ends)
            if start <= stop and both is not False:
                lengths.setdefault(stop - start, []).append((both, start))
    several = max((size for size, found in lengths.items() if len(found) > 1), default=0)
    shifted = _from_each(codes, starts, several)
    rows: list[Choice] = []
    for size, found in lengths.items():
        guard, start = found[0]
        if len(found) == 1:
            rows.append((guard, made(codes[start : start + size])))
        else:
            rows.append((or_([both for both, _ in found]), made(shifted[:size])))
    # Without a row the part is one that no path has.
    return gathered(rows or [(True, made(()))])


def _from_each(codes: Codes, starts: Places, size: int) -> list[Integer]:
    """The characters that follow a position; those beyond the end are never looked at."""
    result: list[Integer] = []
    for offset in range(size):
        found: Integer | None = None
        for start, guard in starts.items():
            if start + offset < len(codes):
                code = codes[start + offset]
                found = code if found is None else ite(guard, code, found)
        assert found is not None, "no part is longer than the text"
        result.append(found)
    return result


def first_of(guards: Iterable[tuple[int, Guard]]) -> tuple[Places, Guard]:
    """The first place whose guard holds, and whether there is none.

    >>> from solvent.terms import Bool
    >>> first_of([(0, Bool("p")), (1, Bool("q"))])
    ({0: p, 1: not p and q}, not p and not q)
    """
    result: Places = {}
    none: Guard = True
    for place, guard in guards:
        here = and_(none, guard)
        if here is not False:
            result[place] = here
        none = and_(none, not_(guard))
        if none is False:
            break
    return result, none


def occurs(codes: Codes, part: Codes, place: int) -> Guard:
    """Whether a text has a part at a place."""
    if place + len(part) > len(codes):
        return False
    result: list[Guard] = []
    for code, wanted in zip(codes[place : place + len(part)], part, strict=True):
        same = is_code(code, wanted)
        if same is False:
            return False
        result.append(same)
    return and_(result)


def occurrences(codes: Codes, part: Codes) -> list[Guard]:
    """For each place whether the part is there."""
    if len(part) == 1:
        return [is_code(code, part[0]) for code in codes]
    return [occurs(codes, part, place) for place in range(len(codes) - len(part) + 1)]


def taken(found: Sequence[Guard], size: int, limit: Integer = -1) -> list[Guard]:
    """The occurrences of a part that do not overlap, from the left, at most so many of them.

    >>> from solvent.terms import Bool
    >>> taken([True, True, Bool("p")], 2)
    [True, False, p]
    """
    result: list[Guard] = []
    count: Integer = 0
    limited = type(limit) is not int or limit >= 0
    for place, guard in enumerate(found):
        busy = or_(result[max(0, place - size + 1) : place])
        here = and_(guard, not_(busy))
        if limited and here is not False:
            here = and_(here, or_(limit < 0, count < limit))
            count = count + ite(here, 1, 0)
        result.append(here)
    return result


def ordinals(guards: Sequence[Guard]) -> list[Places]:
    """For each number the places that have so many places before them whose guards hold.

    The last entry of each is `len(guards)`: whether there are exactly so many in all.

    >>> from solvent.terms import Bool
    >>> ordinals([Bool("p"), True])
    [{0: True, 1: not p}, {1: p, 2: not p}, {2: p}]
    """
    result: list[Places] = [{0: True}]
    before: list[Guard] = [True]
    for place, guard in enumerate(guards):
        after: list[Guard] = []
        for number in range(len(before) + 1):
            less = before[number - 1] if number else False
            same = before[number] if number < len(before) else False
            after.append(or_(and_(guard, less), and_(not_(guard), same)))
        while after and after[-1] is False:
            after.pop()
        before = after
        for number, exactly in enumerate(before):
            if number == len(result):
                result.append({})
            if exactly is not False:
                result[number][place + 1] = exactly
    return result


def pieces(
    made: Maker,
    codes: Codes,
    begins: Sequence[Places],
    ends: Sequence[Places],
    exists: Sequence[Guard],
) -> list[Choice]:
    """The parts between the k-th of some positions and of others, with where they exist."""
    return [
        (guard, cut(made, codes, start, stop))
        for start, stop, guard in zip(begins, ends, exists, strict=True)
        if guard is not False
    ]


def separated(made: Maker, codes: Codes, cuts: Sequence[Guard], size: int) -> list[Choice]:
    """The parts of a text between separators of one size, with where they exist."""
    numbers = ordinals(cuts)
    end = len(cuts)
    begins: list[Places] = [{0: True}]
    ends: list[Places] = []
    exists: list[Guard] = []
    more: Guard = True
    for places in numbers:
        here = {place: and_(guard, cuts[place]) for place, guard in places.items() if place < end}
        ends.append({**here, len(codes): places.get(end, False)})
        begins.append({place + size: guard for place, guard in here.items()})
        exists.append(more)
        more = and_(more, not_(places.get(end, False)))
    return pieces(made, codes, begins[:-1], ends, exists)


def place_of(places: Places, none: Guard, otherwise: int) -> Integer:
    """A position as a number."""
    result: Integer = otherwise
    rows = list(places.items())
    if none is False and rows:
        result = rows.pop()[0]
    for place, guard in reversed(rows):
        result = ite(guard, place, result)
    return result
