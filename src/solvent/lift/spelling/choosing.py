"""Texts of several lengths: how they are made, compared and gathered."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.lift.longer import note_length
from solvent.lift.spelling.kinds import OCTETS, TEXTS, Kind
from solvent.lift.spelling.spans import Codes, occurs
from solvent.terms.booleans import and_, ite, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, TextTerm, codes_of
from solvent.vm.merge import FEW_ATOMS, gathered
from solvent.vm.slots import slot
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value


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
    # One of several texts is what the program has made, and not what it looks for.
    for here, there in ((first, second), (second, first)):
        if len(there) == 1 and here:
            _note(min(len(text) for _, text in here), there[0][1])
    return or_([and_(and_(g, h), _spells_same(x, y)) for g, x in first for h, y in second])


def is_same_text(a: Value, b: Value) -> Guard:
    """Whether two texts of known lengths are equal, decided by ranges where they can tell."""
    _note(len(a), b)
    _note(len(b), a)
    return _spells_same(a, b)


def _note(there: int, wanted: Value) -> None:
    """Remember how long a text is that the program looks for."""
    if not isinstance(wanted, Term):
        note_length(there, len(wanted))


def _spells_same(a: Value, b: Value) -> Guard:
    if len(a) != len(b):
        return False
    native = bytes if isinstance(a, (bytes, BytesTerm)) else str
    return occurs(codes_of(native, a) or (), codes_of(native, b) or (), 0)


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
