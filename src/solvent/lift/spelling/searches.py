"""Methods that look for a part of a text: `find`, `count`, `startswith` and the like."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.lift.longer import note_length
from solvent.lift.messages import raised
from solvent.lift.spelling.arguments import (
    sample_of,
    span_of,
    text_or_none,
    wanted_codes,
    wanted_text,
)
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes, Places, first_of, occurs, place_of, taken
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.machine import current
from solvent.vm.values import Guard, Value


def _note(codes: Codes, part: Codes) -> None:
    """Remember what the program looks for, which it does not if that is a part of its inputs."""
    if any(type(code) is int for code in part):
        note_length(len(codes), len(part), 1)


def _found(
    kind: Kind, name: str, codes: Codes, part: Value, bounds: Sequence[Value]
) -> list[tuple[int, Guard]]:
    """The places at which a part is, between bounds."""
    wanted = wanted_text(kind, name, part)
    low, high = span_of(kind, name, len(codes), part, bounds)
    size = len(wanted)
    _note(codes, wanted)
    return [
        (place, and_(and_(low <= place, place + size <= high), occurs(codes, wanted, place)))
        for place in range(len(codes) - size + 1)
    ]


@method
def find(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.find(part, start, end)`."""
    return place_of(*first_of(_found(kind, "find", codes, part, bounds)), -1)


@method
def rfind(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.rfind(part, start, end)`."""
    return place_of(*first_of(reversed(_found(kind, "rfind", codes, part, bounds))), -1)


def _position(kind: Kind, places: tuple[Places, Guard]) -> Integer:
    found, none = places
    current().fail_if(none, raised(kind.sample(1).index, kind.sample(2)))
    return place_of(found, False, -1)


@method
def index(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.index(part, start, end)`."""
    return _position(kind, first_of(_found(kind, "index", codes, part, bounds)))


@method
def rindex(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.rindex(part, start, end)`."""
    return _position(kind, first_of(reversed(_found(kind, "rindex", codes, part, bounds))))


def contains(kind: Kind, codes: Codes, part: Codes) -> Guard:
    """`part in text`."""
    _note(codes, part)
    return or_([occurs(codes, part, place) for place in range(len(codes) - len(part) + 1)])


@method
def count(kind: Kind, codes: Codes, part: Value, *bounds: Value) -> Integer:
    """`text.count(part, start, end)`."""
    size = len(wanted_text(kind, "count", part))
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
            if text_or_none(kind, one) is None:
                # Python looks at no more of them than it needs.
                wrong = raised(getattr(kind.native(), name), (sample_of(one),))
                current().fail_if(not_(found), wrong)
                return True
            found = or_(found, _affixed(kind, name, codes, one, bounds, at_end))
        return found
    part = wanted_codes(kind, name, affix)
    _note(codes, part)
    low, high = span_of(kind, name, len(codes), affix, bounds)
    size = len(part)
    rows: list[Guard] = []
    for place in range(len(codes) - size + 1):
        inside = and_(low <= place, place + size <= high)
        here = eq(high, place + size) if at_end else eq(low, place)
        rows.append(and_(and_(here, inside), occurs(codes, part, place)))
    return or_(rows)


@method
def startswith(kind: Kind, codes: Codes, prefix: Value, *bounds: Value) -> Guard:
    """`text.startswith(prefix, start, end)`."""
    return _affixed(kind, "startswith", codes, prefix, bounds, False)


@method
def endswith(kind: Kind, codes: Codes, suffix: Value, *bounds: Value) -> Guard:
    """`text.endswith(suffix, start, end)`."""
    return _affixed(kind, "endswith", codes, suffix, bounds, True)
