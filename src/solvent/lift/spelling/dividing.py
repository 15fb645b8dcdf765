"""Methods that take a text apart: `split`, `partition`, `removeprefix` and the like."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import as_ranges, is_code, is_in
from solvent.lift.spelling.arguments import count_of, wanted_codes
from solvent.lift.spelling.choosing import listed
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import (
    Codes,
    Places,
    cut,
    first_of,
    occurrences,
    occurs,
    ordinals,
    pieces,
    separated,
    taken,
)
from solvent.terms.booleans import and_, eq, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import codes_of
from solvent.vm.merge import FEW_ATOMS, gathered, merge
from solvent.vm.slots import slot
from solvent.vm.union import choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value


@method
def removeprefix(kind: Kind, codes: Codes, prefix: Value, /) -> Value:
    """`text.removeprefix(prefix)`."""
    part = wanted_codes(kind, "removeprefix", prefix)
    if not part:
        return kind.made(codes)
    there = and_(len(part) <= len(codes), occurs(codes, part, 0))
    return cut(kind.made, codes, {len(part): there, 0: not_(there)}, {len(codes): True})


@method
def removesuffix(kind: Kind, codes: Codes, suffix: Value, /) -> Value:
    """`text.removesuffix(suffix)`."""
    part = wanted_codes(kind, "removesuffix", suffix)
    if not part:
        return kind.made(codes)
    rest = len(codes) - len(part)
    there = rest >= 0 and occurs(codes, part, rest)
    return cut(kind.made, codes, {0: True}, {rest: there, len(codes): not_(there)})


def _separator(kind: Kind, name: str, value: Value) -> Codes:
    part = wanted_codes(kind, name, value)
    if not part:
        raise raised(getattr(kind.native, name), kind.sample(1), kind.native())
    return part


@method
def partition(kind: Kind, codes: Codes, separator: Value, /) -> Value:
    """`text.partition(separator)`."""
    part = _separator(kind, "partition", separator)
    places, none = first_of(enumerate(occurrences(codes, part)))
    return _parted(kind, codes, separator, places, none, len(codes))


@method
def rpartition(kind: Kind, codes: Codes, separator: Value, /) -> Value:
    """`text.rpartition(separator)`."""
    part = _separator(kind, "rpartition", separator)
    places, none = first_of(reversed(list(enumerate(occurrences(codes, part)))))
    return _parted(kind, codes, separator, places, none, 0)


def _parted(
    kind: Kind,
    codes: Codes,
    separator: Value,
    places: Places,
    none: Guard,
    missing: int,
) -> Value:
    """What is before a separator, the separator, and what is after it.

    Without a separator the text is before it or, if that is missing at the start, after it.
    """
    size, end = len(separator), len(codes)
    stops = dict(places)
    starts = {place + size: guard for place, guard in places.items()}
    stops[missing] = or_(stops.get(missing, False), none)
    starts[missing] = or_(starts.get(missing, False), none)
    middle = merge(none, kind.native(), separator)
    return (
        cut(kind.made, codes, {0: True}, stops),
        middle,
        cut(kind.made, codes, starts, {end: True}),
    )


@method
def split(kind: Kind, codes: Codes, sep: Value = None, maxsplit: Value = -1) -> Value:
    """`text.split(sep, maxsplit)`."""
    limit = count_of(kind, "split", maxsplit, None)
    if sep is None:
        return listed(_words(kind, codes, limit))
    part = _separator(kind, "split", sep)
    cuts = taken(occurrences(codes, part), len(part), limit)
    return listed(separated(kind.made, codes, cuts, len(part)))


@method
def rsplit(kind: Kind, codes: Codes, sep: Value = None, maxsplit: Value = -1) -> Value:
    """`text.rsplit(sep, maxsplit)`."""
    limit = count_of(kind, "rsplit", maxsplit, None)
    part = () if sep is None else _separator(kind, "rsplit", sep)
    # From both ends the same cuts are found, unless separators can overlap.
    if type(limit) is int and limit < 0 and len(part) < 2:
        return split(kind, codes, sep)
    mirrored: list[Choice]
    if sep is None:
        mirrored = _words(kind, codes[::-1], limit)
    else:
        cuts = taken(occurrences(codes[::-1], part[::-1]), len(part), limit)
        mirrored = separated(kind.made, codes[::-1], cuts, len(part))
    return _from_the_end(kind, mirrored)


def _from_the_end(kind: Kind, rows: Sequence[Choice]) -> Value:
    """A list of the texts, in the other order and each read backwards, for each length."""
    result: list[Choice] = []
    parts: list[Value] = []
    for place, (_, value) in enumerate(rows):
        parts.insert(0, _backwards(kind, value))
        more = rows[place + 1][0] if place + 1 < len(rows) else False
        result.append((and_(rows[place][0], not_(more)), list(parts)))
    if rows and rows[0][0] is not True:
        result.append((not_(rows[0][0]), []))
    return _one_list(result)


def _one_list(rows: Sequence[Choice]) -> Value:
    """The list that lists under exclusive guards are: items of one place merge."""
    longest = max((len(items) for _, items in rows), default=0)
    result: list[Value] = []
    for place in range(longest):
        here = [(guard, items[place]) for guard, items in rows if place < len(items)]
        exists = or_([guard for guard, _ in here])
        if len(here) == len(rows):
            exists = True
        flat = [
            (and_(guard, inner), value)
            for guard, item in here
            for inner, value in exclusive(choices_of(item))
        ]
        result.append(slot(exists, gathered(flat, FEW_ATOMS)))
    return result


def _backwards(kind: Kind, value: Value) -> Value:
    rows = [(g, kind.made((codes_of(kind.native, v) or ())[::-1])) for g, v in choices_of(value)]
    return gathered(exclusive(tuple(rows)))


def _words(kind: Kind, codes: Codes, limit: Integer) -> list[Choice]:
    """The parts between white space; the one after the last cut keeps what follows it."""
    size = len(codes)
    inside = [not_(is_in(code, kind.spaces())) for code in codes]
    begin = [
        and_(here, not_(inside[place - 1]) if place else True) for place, here in enumerate(inside)
    ]
    end: list[Guard] = [False]
    for place, here in enumerate(inside):
        end.append(and_(here, not_(inside[place + 1]) if place + 1 < size else True))
    starts, stops = ordinals(begin), ordinals(end)
    begins: list[Places] = []
    ends: list[Places] = []
    exists: list[Guard] = []
    for number in range(len(starts)):
        first = {p: and_(g, begin[p]) for p, g in starts[number].items() if p < size}
        last = {p: and_(g, end[p]) for p, g in stops[number].items() if p <= size}
        rest = eq(limit, number)
        if rest is not False:
            last = {p: and_(g, not_(rest)) for p, g in last.items()}
            last[size] = or_(last.get(size, False), rest)
        guard = and_(or_(list(first.values())), or_(limit < 0, number <= limit))
        begins.append(first)
        ends.append(last)
        exists.append(guard)
    return pieces(kind.made, codes, begins, ends, exists)


_TEXT_LINES = as_ranges(
    sorted(code for code in range(0x3000) if len(f"a{chr(code)}b".splitlines()) > 1)
)
_BYTE_LINES = as_ranges((10, 13))


@method
def splitlines(kind: Kind, codes: Codes, keepends: Value = False) -> Value:
    """`text.splitlines(keepends)`."""
    if isinstance(keepends, Term):
        raise NotLiftedError("`splitlines` with a symbolic `keepends` is not lifted")
    size = len(codes)
    lines = _TEXT_LINES if kind.native is str else _BYTE_LINES
    returns = [is_code(code, 13) for code in codes]
    feeds = [is_code(code, 10) for code in codes]
    double = [and_(returns[p], feeds[p + 1]) if p + 1 < size else False for p in range(size)]
    breaks = [
        and_(is_in(code, lines), not_(double[place - 1]) if place else True)
        for place, code in enumerate(codes)
    ]
    start: Places = {0: True}
    begins: list[Places] = []
    ends: list[Places] = []
    exists: list[Guard] = []
    for places in ordinals(breaks):
        here = {p: and_(guard, breaks[p]) for p, guard in places.items() if p < size}
        after: Places = {}
        for place, guard in here.items():
            for step, found in ((1, not_(double[place])), (2, double[place])):
                joint = and_(guard, found)
                if joint is not False:
                    after[place + step] = or_(after.get(place + step, False), joint)
        stop = dict(after if keepends else here)
        stop[size] = or_(stop.get(size, False), places.get(size, False))
        begins.append({p: g for p, g in start.items() if p < size})
        ends.append(stop)
        exists.append(or_(list(begins[-1].values())))
        start = after
    return listed(pieces(kind.made, codes, begins, ends, exists))
