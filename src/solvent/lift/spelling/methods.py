"""The methods of `str` and `bytes`, on code points of which some are symbolic.

Each function takes the kind of text, its code points, and the arguments of the method, none of
which is a union.  What an argument of a wrong type leads to is asked of the running Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import Signature
from typing import NamedTuple, NoReturn

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import as_ranges, change, changed, characters, is_in
from solvent.lift.spelling.spans import (
    Codes,
    Maker,
    Places,
    cut,
    first_of,
    occurrences,
    occurs,
    ordinals,
    pieces,
    place_of,
    separated,
    taken,
)
from solvent.lift.words import check_word
from solvent.terms.bitvectors import BitVecTerm, bv_to_int
from solvent.terms.booleans import BoolTerm, and_, eq, ite, not_, or_
from solvent.terms.classes import Alphabet
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, CodesTerm, TextTerm, codes_of, octets, text
from solvent.vm.kinds import STANDS_FOR, python_type
from solvent.vm.machine import current
from solvent.vm.merge import FEW_ATOMS, gathered, merge
from solvent.vm.slots import opened, slot
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value


class Kind(NamedTuple):
    """What is different between texts and bytes."""

    native: type[str] | type[bytes]
    made: Maker
    term: type[CodesTerm]

    def spaces(self) -> Alphabet:
        """The characters that count as white space."""
        return characters(str.isspace) if self.native is str else _BYTE_SPACES

    def sample(self, size: int) -> str | bytes:
        """A text of a length, to see what Python does with wrong arguments."""
        return "x" * size if self.native is str else b"x" * size


TEXTS = Kind(str, text, TextTerm)
OCTETS = Kind(bytes, octets, BytesTerm)

_BYTE_SPACES = as_ranges(code for code in range(256) if bytes((code,)).isspace())

Method = Callable[..., Value]
METHODS: dict[str, Method] = {}


def _method(function: Method) -> Method:
    METHODS[function.__name__.rstrip("_")] = function
    return function


# --- arguments ------------------------------------------------------------------------------------


def _wrong(kind: Kind, name: str, *arguments: Value) -> NoReturn:
    """Raise what Python raises for arguments of wrong types."""
    raise raised(getattr(kind.native, name), kind.sample(1), *map(_sampled, arguments))


def _sampled(value: Value) -> Value:
    if isinstance(value, Term):
        stands_for = STANDS_FOR.get(type(value))
        return value if stands_for is None else stands_for()
    return value


def check_arguments(
    kind: Kind, name: str, method: Signature, arguments: tuple[Value, ...], named: dict[str, Value]
) -> None:
    """Raise what Python raises for arguments that a method does not have."""
    try:
        bound = method.bind(kind, (), *arguments, **named)
        # What is searched for is between at most two bounds.
        if len(bound.arguments.get("bounds", ())) > 2:
            raise TypeError
    except TypeError:
        kept = {key: _sampled(value) for key, value in named.items()}
        native = partial(getattr(kind.native, name), kind.sample(1), **kept)
        raise raised(native, *map(_sampled, arguments)) from None


def _text_or_none(kind: Kind, value: Value) -> Codes | None:
    """The code points of a text, or of what is like bytes."""
    found = codes_of(kind.native, value)
    return _buffer(value) if found is None and kind.native is bytes else found


def _codes(kind: Kind, name: str, value: Value, *before: Value) -> Codes:
    """The code points of an argument that must be a text, or like bytes."""
    found = _text_or_none(kind, value)
    if found is None:
        _wrong(kind, name, *before, value)
    return found


def _wanted(kind: Kind, name: str, value: Value) -> Codes:
    """The code points of what to search for; among bytes it may be a number."""
    found = byte_codes(value) if kind.native is bytes else None
    return _codes(kind, name, value) if found is None else found


def byte_codes(value: Value) -> Codes | None:
    """The bytes of what bytes take as a part: a number, or something like bytes."""
    if isinstance(value, CodesTerm):
        return codes_of(bytes, value)
    number = whole(value)
    if number is None:
        return _buffer(value)
    if not isinstance(number, Term):
        return (number,) if 0 <= number < 256 else None
    low, high = bounds(number)
    if low is None or high is None or low < 0 or high > 255:
        outside = or_(number < 0, number > 255)
        current().fail_if(outside, raised(b"".find, 256))
    return (number,)


def _buffer(value: Value) -> Codes | None:
    """The bytes of a concrete object that is like bytes."""
    try:
        return tuple(memoryview(value).tobytes())
    except TypeError:
        return None


def whole(value: Value) -> Integer | None:
    """An argument that Python takes as an index, or `None`."""
    if type(value) is int or type(value) is IntTerm:
        return value
    if type(value) is BoolTerm:
        return value.as_int()
    if type(value) is BitVecTerm:
        return bv_to_int(value)
    if isinstance(value, Term) or not hasattr(type(value), "__index__"):
        return None
    return int(value.__index__())


def _count(kind: Kind, name: str, value: Value, *before: Value) -> Integer:
    found = whole(value)
    if found is None:
        _wrong(kind, name, *before, value)
    check_word(found)
    return found


def _bounds(
    kind: Kind, name: str, size: int, part: Value, bounds: Sequence[Value]
) -> tuple[Integer, Integer]:
    """The bounds of a search, as Python adjusts them; the first may be beyond the end."""
    start, end = (*bounds, None, None)[:2]
    low: Integer = 0
    high: Integer = size
    if start is not None:
        low = _index(kind, name, part, start)
        low = ite(low < 0, ite(low + size < 0, 0, low + size), low)
    if end is not None:
        high = _index(kind, name, part, None, end)
        high = ite(high > size, size, ite(high < 0, ite(high + size < 0, 0, high + size), high))
    return low, high


def _index(kind: Kind, name: str, *arguments: Value) -> Integer:
    found = whole(arguments[-1])
    if found is None:
        _wrong(kind, name, *arguments)
    return found


def both(a: Value, b: Value) -> Value:
    """The concatenation of two texts, which may be unions of texts of several lengths."""
    if type(a) is not Union and type(b) is not Union:
        return a + b
    first, second = exclusive(choices_of(a)), exclusive(choices_of(b))
    if len(first) == 1 or len(second) == 1:
        pairs = [(and_(g, h), x + y) for g, x in first for h, y in second]
        return gathered(pairs, FEW_ATOMS)
    return _joint(first, second)


def _joint(first: list[Choice], second: list[Choice]) -> Value:
    """The concatenation of two unions.

    What comes where the one text ends does not depend on the length of the other, so that wholes of
    all lengths have their characters in common.
    """
    kind = TEXTS if isinstance(first[0][1], (str, TextTerm)) else OCTETS
    heads = [(guard, codes_of(kind.native, value) or ()) for guard, value in first]
    tails = [(guard, codes_of(kind.native, value) or ()) for guard, value in second]
    by_length: dict[int, list[tuple[Guard, Codes]]] = {}
    for guard, head in heads:
        for other, tail in tails:
            joint = and_(guard, other)
            if joint is not False:
                found = by_length.setdefault(len(head) + len(tail), [])
                found.append((joint, (*head, *tail)))
    tail_codes = _common(tails)
    longest = max(by_length)
    padded = [(guard, (*head, *tail_codes)[:longest]) for guard, head in heads]
    common = _common(padded)
    rows: list[Choice] = []
    for size, wholes in by_length.items():
        if all(type(code) is int for _, codes in wholes for code in codes):
            rows += [(guard, kind.made(codes)) for guard, codes in wholes]
            continue
        codes = list(common[:size])
        for place in range(size):
            here = wholes[0][1][place]
            if all(_is_same(here, whole[place]) for _, whole in wholes):
                codes[place] = here
        rows.append((or_([guard for guard, _ in wholes]), kind.made(codes)))
    return gathered(rows, FEW_ATOMS)


def _is_same(a: Integer, b: Integer) -> bool:
    return a is b or (type(a) is int and type(b) is int and a == b)


def _common(rows: Sequence[tuple[Guard, Codes]]) -> Codes:
    """The characters at each place of whichever text it is; beyond its end they do not matter."""
    result: list[Integer] = []
    for place in range(max(len(codes) for _, codes in rows)):
        found: Integer | None = None
        for guard, codes in rows:
            if place < len(codes) and (found is None or not _is_same(found, codes[place])):
                found = codes[place] if found is None else ite(guard, codes[place], found)
        assert found is not None, "the longest text has a character here"
        result.append(found)
    return tuple(result)


def same_texts(a: Value, b: Value) -> Guard:
    """Whether two texts are equal, each of which may be a union of texts."""
    first, second = exclusive(choices_of(a)), exclusive(choices_of(b))
    return or_([and_(and_(g, h), x == y) for g, x in first for h, y in second if len(x) == len(y)])


def all_of(kind: Kind, parts: Sequence[Value]) -> Value:
    """The concatenation of many texts."""
    result: Value = kind.native()
    known: list[Integer] = []
    for part in parts:
        if type(part) is Union:
            if known:
                result = both(result, kind.made(known))
                known = []
            result = both(result, part)
        else:
            known += codes_of(kind.native, part) or ()
    return both(result, kind.made(known)) if known else result


def listed(rows: Sequence[Choice]) -> list[Value]:
    """A list whose last items exist under guards only."""
    return [slot(guard, value) for guard, value in rows]


# --- searching ------------------------------------------------------------------------------------


def _found(
    kind: Kind, name: str, codes: Codes, part: Value, bounds: Sequence[Value]
) -> list[tuple[int, Guard]]:
    """The places at which a part is, between bounds."""
    wanted = _wanted(kind, name, part)
    low, high = _bounds(kind, name, len(codes), part, bounds)
    size = len(wanted)
    return [
        (place, and_(and_(low <= place, place + size <= high), occurs(codes, wanted, place)))
        for place in range(len(codes) - size + 1)
    ]


@_method
def find(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.find(part, start, end)`."""
    return place_of(*first_of(_found(kind, "find", codes, part, bounds)), -1)


@_method
def rfind(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.rfind(part, start, end)`."""
    return place_of(*first_of(reversed(_found(kind, "rfind", codes, part, bounds))), -1)


def _position(kind: Kind, places: tuple[Places, Guard]) -> Integer:
    found, none = places
    current().fail_if(none, raised(kind.sample(1).index, kind.sample(2)))
    return place_of(found, False, -1)


@_method
def index(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.index(part, start, end)`."""
    return _position(kind, first_of(_found(kind, "index", codes, part, bounds)))


@_method
def rindex(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.rindex(part, start, end)`."""
    return _position(kind, first_of(reversed(_found(kind, "rindex", codes, part, bounds))))


def contains(kind: Kind, codes: Codes, part: Codes) -> Guard:
    """`part in text`."""
    return or_([occurs(codes, part, place) for place in range(len(codes) - len(part) + 1)])


@_method
def count(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.count(part, start, end)`."""
    size = len(_wanted(kind, "count", part))
    found = [guard for _, guard in _found(kind, "count", codes, part, bounds)]
    result: Integer = 0
    for guard in taken(found, size) if size else found:
        result = result + ite(guard, 1, 0)
    return result


def _affixed(
    kind: Kind, name: str, codes: Codes, affix: Value, bounds: Sequence[Value], at_end: bool
) -> Guard:
    if type(affix) is tuple:
        found: Guard = False
        for one in affix:
            if _text_or_none(kind, one) is None:
                # Python looks at no more of them than it needs.
                wrong = raised(getattr(kind.native(), name), (_sampled(one),))
                current().fail_if(not_(found), wrong)
                return True
            found = or_(found, _affixed(kind, name, codes, one, bounds, at_end))
        return found
    part = _codes(kind, name, affix)
    low, high = _bounds(kind, name, len(codes), affix, bounds)
    size = len(part)
    rows: list[Guard] = []
    for place in range(len(codes) - size + 1):
        inside = and_(low <= place, place + size <= high)
        here = eq(high, place + size) if at_end else eq(low, place)
        rows.append(and_(and_(here, inside), occurs(codes, part, place)))
    return or_(rows)


@_method
def startswith(kind: Kind, codes: Codes, prefix: Value, *bounds: Value) -> Guard:
    """`text.startswith(prefix, start, end)`."""
    return _affixed(kind, "startswith", codes, prefix, bounds, False)


@_method
def endswith(kind: Kind, codes: Codes, suffix: Value, *bounds: Value) -> Guard:
    """`text.endswith(suffix, start, end)`."""
    return _affixed(kind, "endswith", codes, suffix, bounds, True)


# --- taking apart ---------------------------------------------------------------------------------


@_method
def removeprefix(kind: Kind, codes: Codes, prefix: Value, /) -> Value:
    """`text.removeprefix(prefix)`."""
    part = _codes(kind, "removeprefix", prefix)
    if not part:
        return kind.made(codes)
    there = and_(len(part) <= len(codes), occurs(codes, part, 0))
    return cut(kind.made, codes, {len(part): there, 0: not_(there)}, {len(codes): True})


@_method
def removesuffix(kind: Kind, codes: Codes, suffix: Value, /) -> Value:
    """`text.removesuffix(suffix)`."""
    part = _codes(kind, "removesuffix", suffix)
    if not part:
        return kind.made(codes)
    rest = len(codes) - len(part)
    there = rest >= 0 and occurs(codes, part, rest)
    return cut(kind.made, codes, {0: True}, {rest: there, len(codes): not_(there)})


def _separator(kind: Kind, name: str, value: Value) -> Codes:
    part = _codes(kind, name, value)
    if not part:
        raise raised(getattr(kind.native, name), kind.sample(1), kind.native())
    return part


@_method
def partition(kind: Kind, codes: Codes, separator: Value, /) -> Value:
    """`text.partition(separator)`."""
    part = _separator(kind, "partition", separator)
    places, none = first_of(enumerate(occurrences(codes, part)))
    return _parted(kind, codes, separator, places, none, len(codes))


@_method
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


@_method
def split(kind: Kind, codes: Codes, sep: Value = None, maxsplit: Value = -1) -> Value:
    """`text.split(sep, maxsplit)`."""
    limit = _count(kind, "split", maxsplit, None)
    if sep is None:
        return listed(_words(kind, codes, limit))
    part = _separator(kind, "split", sep)
    cuts = taken(occurrences(codes, part), len(part), limit)
    return listed(separated(kind.made, codes, cuts, len(part)))


@_method
def rsplit(kind: Kind, codes: Codes, sep: Value = None, maxsplit: Value = -1) -> Value:
    """`text.rsplit(sep, maxsplit)`."""
    limit = _count(kind, "rsplit", maxsplit, None)
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


@_method
def splitlines(kind: Kind, codes: Codes, keepends: Value = False) -> Value:
    """`text.splitlines(keepends)`."""
    if isinstance(keepends, Term):
        raise NotLiftedError("`splitlines` with a symbolic `keepends` is not lifted")
    size = len(codes)
    lines = _TEXT_LINES if kind.native is str else _BYTE_LINES
    returns = [eq(code, 13) for code in codes]
    feeds = [eq(code, 10) for code in codes]
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


# --- stripping ------------------------------------------------------------------------------------


def _stripped(kind: Kind, name: str, codes: Codes, chars: Value, left: bool, right: bool) -> Value:
    if chars is None:
        gone = [is_in(code, kind.spaces()) for code in codes]
    else:
        wanted = _codes(kind, name, chars)
        gone = [or_([eq(code, one) for one in wanted]) for code in codes]
    size = len(codes)
    starts: Places = {0: True}
    stops: Places = {size: True}
    kept = [(place, not_(guard)) for place, guard in enumerate(gone)]
    if left:
        starts, none = first_of(kept)
        starts[size] = or_(starts.get(size, False), none)
    if right:
        stops, none = first_of([(place + 1, guard) for place, guard in reversed(kept)])
        rest = size if left else 0
        stops[rest] = or_(stops.get(rest, False), none)
    return cut(kind.made, codes, starts, stops)


@_method
def strip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.strip(chars)`."""
    return _stripped(kind, "strip", codes, chars, True, True)


@_method
def lstrip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.lstrip(chars)`."""
    return _stripped(kind, "lstrip", codes, chars, True, False)


@_method
def rstrip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.rstrip(chars)`."""
    return _stripped(kind, "rstrip", codes, chars, False, True)


# --- replacing ------------------------------------------------------------------------------------


@_method
def replace(kind: Kind, codes: Codes, old: Value, new: Value, limit: Value = -1, /) -> Value:
    """`text.replace(old, new, limit)`."""
    wanted, found = _text_or_none(kind, old), _text_or_none(kind, new)
    if wanted is None or found is None:
        _wrong(kind, "replace", old, new)
    instead = kind.made(found)
    most = _count(kind, "replace", limit, old, new)
    size = len(wanted)
    if not size:
        return _interspersed(kind, codes, instead, most)
    here = taken(occurrences(codes, wanted), size, most)
    parts: list[Value] = []
    for place, code in enumerate(codes):
        starts = here[place] if place < len(here) else False
        covered = or_(here[max(0, place - size + 1) : place])
        stays = not_(or_(starts, covered))
        rows = [(starts, instead), (covered, kind.native()), (stays, kind.made((code,)))]
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)


def _interspersed(kind: Kind, codes: Codes, new: Value, limit: Integer) -> Value:
    """A text with another between all characters, and before and after them."""
    parts: list[Value] = []
    for place in range(len(codes) + 1):
        here = or_(limit < 0, place < limit)
        rows = [(here, new), (not_(here), kind.native())]
        parts.append(gathered([row for row in rows if row[0] is not False]))
        if place < len(codes):
            parts.append(kind.made((codes[place],)))
    return all_of(kind, parts)


@_method
def expandtabs(kind: Kind, codes: Codes, tabsize: Value = 8) -> Value:
    """`text.expandtabs(tabsize)`."""
    width = whole(tabsize)
    if width is None:
        _wrong(kind, "expandtabs", tabsize)
    if isinstance(width, Term):
        raise NotLiftedError("`expandtabs` with a symbolic size is not lifted; use a concrete one")
    column: Places = {0: True}
    parts: list[Value] = []
    for code in codes:
        tab = eq(code, 9)
        line = or_(eq(code, 10), eq(code, 13))
        rows: list[Choice] = [(not_(tab), kind.made((code,)))]
        after: Places = {0: or_(line, and_(tab, width > 0))}
        for place, guard in column.items():
            spaces = kind.made((32,) * (width - place)) if width > 0 else kind.native()
            rows.append((and_(tab, guard), spaces))
            onward = and_(guard, not_(or_(tab, line)))
            following = (place + 1) % width if width > 0 else 0
            after[following] = or_(after.get(following, False), onward)
        parts.append(gathered([row for row in rows if row[0] is not False]))
        column = {place: guard for place, guard in after.items() if guard is not False}
    return all_of(kind, parts)


# --- padding --------------------------------------------------------------------------------------

# A text is padded to at most so many characters where its width is symbolic.
WIDEST = 64


def _widths(kind: Kind, name: str, size: int, width: Value) -> list[tuple[Guard, int]]:
    """The numbers of characters that a text lacks."""
    wanted = _count(kind, name, width)
    if not isinstance(wanted, Term):
        return [(True, max(0, wanted - size))]
    _, most = bounds(wanted)
    if most is None or most > WIDEST:
        raise NotLiftedError(
            f"`{name}` with a symbolic width that may be greater than {WIDEST} is not lifted; "
            "assume a bound on it"
        )
    rows: list[tuple[Guard, int]] = [(wanted <= size, 0)]
    return rows + [(eq(wanted, size + lack), lack) for lack in range(1, most - size + 1)]


def _padded(
    kind: Kind, name: str, codes: Codes, width: Value, fill: Value, left: Callable[[int], int]
) -> Value:
    filling = _codes(kind, name, fill, width)
    if len(filling) != 1:
        raise raised(getattr(kind.native, name), kind.sample(1), 1, kind.native())
    rows: list[Choice] = []
    for guard, lack in _widths(kind, name, len(codes), width):
        before = left(lack)
        padded = (*filling * before, *codes, *filling * (lack - before))
        rows.append((guard, kind.made(padded)))
    return gathered(rows)


def _blank(kind: Kind) -> Value:
    return kind.made((32,))


@_method
def ljust(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.ljust(width, fill)`."""
    return _padded(kind, "ljust", codes, width, _blank(kind) if fill is None else fill, lambda _: 0)


@_method
def rjust(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.rjust(width, fill)`."""
    filling = _blank(kind) if fill is None else fill
    return _padded(kind, "rjust", codes, width, filling, lambda lack: lack)


@_method
def center(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.center(width, fill)`."""
    size = len(codes)
    filling = _blank(kind) if fill is None else fill
    # Of an odd number, the larger half is on the left exactly if the width is odd.
    return _padded(
        kind, "center", codes, width, filling, lambda lack: lack // 2 + (lack & (size + lack) & 1)
    )


@_method
def zfill(kind: Kind, codes: Codes, width: Value, /) -> Value:
    """`text.zfill(width)`."""
    signed = or_(eq(codes[0], 43), eq(codes[0], 45)) if codes else False
    rows: list[Choice] = []
    for guard, lack in _widths(kind, "zfill", len(codes), width):
        filled: list[Integer] = [*(48,) * lack, *codes]
        if lack and codes:
            filled[0] = ite(signed, codes[0], 48)
            filled[lack] = ite(signed, 48, codes[0])
        rows.append((guard, kind.made(filled)))
    return gathered(rows)


# --- classes of characters ------------------------------------------------------------------------


def _byte_class(name: str) -> Alphabet:
    test = getattr(bytes, name)
    return as_ranges(code for code in range(256) if test(bytes((code,))))


def class_of(kind: Kind, name: str) -> Alphabet:
    """The single characters of which a method such as `isalpha` is true."""
    return characters(getattr(str, name)) if kind.native is str else _byte_class(name)


def _all_in(name: str, empty: bool) -> None:
    def method(kind: Kind, codes: Codes) -> Guard:
        if not codes:
            return empty
        alphabet = class_of(kind, name)
        return and_([is_in(code, alphabet) for code in codes])

    METHODS[name] = method


for _name in ("isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace"):
    _all_in(_name, False)
for _name in ("isascii", "isprintable"):
    _all_in(_name, True)


def _cased(name: str) -> None:
    def method(kind: Kind, codes: Codes) -> Guard:
        other = "isupper" if name == "islower" else "islower"
        wanted, unwanted = class_of(kind, name), class_of(kind, other)
        bad = [is_in(code, unwanted) for code in codes]
        if kind.native is str:
            bad += [is_in(code, characters(_is_title_only)) for code in codes]
        return and_(or_([is_in(code, wanted) for code in codes]), not_(or_(bad)))

    METHODS[name] = method


def _is_title_only(character: str) -> bool:
    return character.istitle() and not character.isupper()


_cased("islower")
_cased("isupper")


@_method
def istitle(kind: Kind, codes: Codes) -> Guard:
    """`text.istitle()`."""
    high, low = class_of(kind, "istitle"), class_of(kind, "islower")
    inside: Guard = False
    wrong: Guard = False
    some: Guard = False
    for code in codes:
        upper, lower = is_in(code, high), is_in(code, low)
        wrong = or_(wrong, or_(and_(upper, inside), and_(lower, not_(or_(upper, inside)))))
        inside = or_(upper, lower)
        some = or_(some, inside)
    return and_(some, not_(wrong))


def _continues(character: str) -> bool:
    return f"a{character}".isidentifier()


@_method
def isidentifier(kind: Kind, codes: Codes) -> Guard:
    """`text.isidentifier()`."""
    if not codes:
        return False
    first = is_in(codes[0], characters(str.isidentifier))
    return and_(first, and_([is_in(code, characters(_continues)) for code in codes[1:]]))


# --- changes of case ------------------------------------------------------------------------------

_SIGMA, _FINAL_SIGMA, _SMALL_SIGMA = 0x3A3, 0x3C2, 0x3C3


def _stops_sigma(character: str) -> bool:
    """Whether a letter has case and is not passed over where a sigma looks for its neighbours."""
    return f"{character}\u03a3".lower()[-1] == "\u03c2"


def _is_passed(character: str) -> bool:
    passed = f"A{character}\u03a3".lower()[-1] == "\u03c2"
    return passed and not _stops_sigma(character)


def _ends_word(character: str) -> bool:
    """Whether a letter has case, so that the next one is not the first of a word for `title`."""
    return f"{character}a".title()[-1] == "a"


def _lowered(kind: Kind, codes: Codes) -> list[Value]:
    """What becomes of each character where it is made small."""
    if kind.native is bytes:
        return [_byte_changed(code, bytes.lower) for code in codes]
    table = change(_lower_alone)
    result = [changed(code, table) for code in codes]
    sigma = [is_in(code, ((_SIGMA, _SIGMA),)) for code in codes]
    if all(guard is False for guard in sigma):
        return result
    stop = [is_in(code, characters(_stops_sigma)) for code in codes]
    passed = [is_in(code, characters(_is_passed)) for code in codes]
    before: list[Guard] = [False]
    for place in range(len(codes)):
        before.append(ite(passed[place], before[place], stop[place]))
    after: Guard = False
    for place in range(len(codes) - 1, -1, -1):
        if sigma[place] is not False:
            final = and_(before[place], not_(after))
            small = kind.made((ite(final, _FINAL_SIGMA, _SMALL_SIGMA),))
            result[place] = _either(sigma[place], small, result[place])
        after = ite(passed[place], after, stop[place])
    return result


def _lower_alone(character: str) -> str:
    return character.lower()


def _changed_to(kind: Kind, code: Integer, method: str) -> Value:
    if kind.native is bytes:
        return _byte_changed(code, getattr(bytes, method))
    return changed(code, change(getattr(str, method)))


def _byte_changed(code: Integer, method: Callable[[bytes], bytes]) -> Value:
    if not isinstance(code, Term):
        return method(bytes((code,)))
    moved = as_ranges(byte for byte in range(256) if method(bytes((byte,)))[0] != byte)
    result: Integer = code
    for first, last in moved:
        distance = method(bytes((first,)))[0] - first
        result = ite(is_in(code, ((first, last),)), code + distance, result)
    return octets((result,))


@_method
def lower(kind: Kind, codes: Codes) -> Value:
    """`text.lower()`."""
    return all_of(kind, _lowered(kind, codes))


@_method
def upper(kind: Kind, codes: Codes) -> Value:
    """`text.upper()`."""
    return all_of(kind, [_changed_to(kind, code, "upper") for code in codes])


@_method
def casefold(kind: Kind, codes: Codes) -> Value:
    """`text.casefold()`."""
    return all_of(kind, [_changed_to(kind, code, "casefold") for code in codes])


def _either(guard: Guard, a: Value, b: Value) -> Value:
    rows = [(and_(guard, g), v) for g, v in exclusive(choices_of(a))]
    rows += [(and_(not_(guard), g), v) for g, v in exclusive(choices_of(b))]
    return gathered([row for row in rows if row[0] is not False])


@_method
def swapcase(kind: Kind, codes: Codes) -> Value:
    """`text.swapcase()`."""
    small = _lowered(kind, codes)
    parts: list[Value] = []
    for place, code in enumerate(codes):
        is_upper = is_in(code, class_of(kind, "isupper"))
        is_lower = is_in(code, class_of(kind, "islower"))
        other = _either(is_lower, _changed_to(kind, code, "upper"), kind.made((code,)))
        parts.append(_either(is_upper, small[place], other))
    return all_of(kind, parts)


@_method
def capitalize(kind: Kind, codes: Codes) -> Value:
    """`text.capitalize()`."""
    if not codes:
        return kind.native()
    first = _changed_to(kind, codes[0], "title")
    return all_of(kind, [first, *_lowered(kind, codes)[1:]])


@_method
def title(kind: Kind, codes: Codes) -> Value:
    """`text.title()`."""
    small = _lowered(kind, codes)
    inside: Guard = False
    parts: list[Value] = []
    for place, code in enumerate(codes):
        parts.append(_either(inside, small[place], _changed_to(kind, code, "title")))
        cased = characters(_ends_word) if kind.native is str else _byte_class("isalpha")
        inside = is_in(code, cased)
    return all_of(kind, parts)


@_method
def translate(kind: Kind, codes: Codes, table: Value, /, delete: Value = b"") -> Value:
    """`text.translate(table)`."""
    if kind.native is bytes:
        return _translated_bytes(kind, codes, table, delete)
    if type(table) is not dict:
        raise NotLiftedError(
            "`translate` of a symbolic text by a table that is no dict is not lifted"
        )
    parts: list[Value] = []
    for code in codes:
        rows: list[Choice] = []
        stays: Guard = True
        for key, new in table.items():
            there, value = opened(new)
            here = and_(there, _is_key(code, key))
            if here is False:
                continue
            for guard, one in exclusive(choices_of(value)):
                rows.append((and_(here, guard), _translation(and_(here, guard), one)))
            stays = and_(stays, not_(here))
        rows.append((stays, text((code,))))
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)


def _is_key(code: Integer, key: Value) -> Guard:
    """Where a code point is a key of a table: numbers of other types are equal to it too."""
    if issubclass(python_type(key), int):
        found = whole(key)
        return False if found is None else eq(code, found)
    if isinstance(key, Term) and not isinstance(key, CodesTerm):
        raise NotLiftedError(f"`translate` by a table with the key {key!r} is not lifted; use ints")
    return eq(code, int(key)) if isinstance(key, float) and key.is_integer() else False


def _translation(here: Guard, new: Value) -> Value:
    """The text for a character, where `here` holds; a wrong one matters nowhere else."""
    if new is None:
        return ""
    if codes_of(str, new) is not None:
        return new
    if isinstance(new, StringTerm):
        raise NotLiftedError(
            "`translate` to a string of the solvers' theory is not lifted; use a text of known "
            "length"
        )
    if not issubclass(python_type(new), int):
        current().fail_if(here, raised("a".translate, {97: _sampled(new)}))
        return ""
    code = whole(new)
    assert code is not None
    for wrong, sample in ((code < 0, -1), (code > 0x10FFFF, 0x110000)):
        current().fail_if(and_(here, wrong), raised("a".translate, {97: sample}))
    return text((code,)) if isinstance(code, Term) or 0 <= code <= 0x10FFFF else ""


def _translated_bytes(kind: Kind, codes: Codes, table: Value, delete: Value) -> Value:
    gone = _codes(kind, "translate", delete, None)
    wanted = None if table is None else _codes(kind, "translate", table)
    if wanted is not None and len(wanted) != 256:
        raise raised(b"".translate, b"")
    parts: list[Value] = []
    for code in codes:
        new = code
        if wanted is not None:
            for byte, other in enumerate(wanted):
                if isinstance(other, Term) or other != byte:
                    new = ite(eq(code, byte), other, new)
        dropped = or_([eq(code, one) for one in gone])
        rows = [(not_(dropped), kind.made((new,))), (dropped, b"")]
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)
