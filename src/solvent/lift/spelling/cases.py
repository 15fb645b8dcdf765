"""Methods that change the case of letters; characters that change length are right."""

from __future__ import annotations

from collections.abc import Callable

from solvent.lift.spelling.alphabets import as_ranges, characters, is_in
from solvent.lift.spelling.changes import change, changed
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.classifying import class_of, class_of_bytes
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, ite, not_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import octets
from solvent.vm.merge import gathered
from solvent.vm.union import choices_of, exclusive
from solvent.vm.values import Guard, Value

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
    table = change(str.lower)
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


@method
def lower(kind: Kind, codes: Codes) -> Value:
    """`text.lower()`."""
    return all_of(kind, _lowered(kind, codes))


@method
def upper(kind: Kind, codes: Codes) -> Value:
    """`text.upper()`."""
    return all_of(kind, [_changed_to(kind, code, "upper") for code in codes])


@method
def casefold(kind: Kind, codes: Codes) -> Value:
    """`text.casefold()`."""
    return all_of(kind, [_changed_to(kind, code, "casefold") for code in codes])


def _either(guard: Guard, a: Value, b: Value) -> Value:
    rows = [(and_(guard, g), v) for g, v in exclusive(choices_of(a))]
    rows += [(and_(not_(guard), g), v) for g, v in exclusive(choices_of(b))]
    return gathered([row for row in rows if row[0] is not False])


@method
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


@method
def capitalize(kind: Kind, codes: Codes) -> Value:
    """`text.capitalize()`."""
    if not codes:
        return kind.native()
    first = _changed_to(kind, codes[0], "title")
    return all_of(kind, [first, *_lowered(kind, codes)[1:]])


@method
def title(kind: Kind, codes: Codes) -> Value:
    """`text.title()`."""
    small = _lowered(kind, codes)
    inside: Guard = False
    parts: list[Value] = []
    for place, code in enumerate(codes):
        parts.append(_either(inside, small[place], _changed_to(kind, code, "title")))
        cased = characters(_ends_word) if kind.native is str else class_of_bytes("isalpha")
        inside = is_in(code, cased)
    return all_of(kind, parts)
