"""`repr` and `ascii` of texts and bytes with symbolic characters."""

from __future__ import annotations

from solvent.lift.spelling.alphabets import as_ranges, characters, is_in, known_range
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import OCTETS, TEXTS, Kind
from solvent.lift.spelling.numerals import digit_code
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.classes import Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.texts import text
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

_QUOTE, _DOUBLE, _BACKSLASH = 39, 34, 92
# Characters with escapes of their own, and the letters of those.
_LETTERS = {9: 116, 10: 110, 13: 114}
_ASCII: Alphabet = ((32, 126),)


# Bytearrays have the single quote escaped also between double ones.
_ALWAYS_ESCAPED = "\\" in repr(bytearray(b"'"))


def quoted(
    codes: Codes, kind: Kind = TEXTS, *, in_ascii: bool = False, in_bytearray: bool = False
) -> Value:
    """`repr(text)`, or `ascii(text)`.

    >>> from solvent.terms import Int
    >>> quoted((Int("c") % 2 + 97,))
    text(39, mod(c, 2) + 97, 39)
    """
    single = or_([_is(code, _QUOTE) for code in codes])
    double = or_([_is(code, _DOUBLE) for code in codes])
    quote = ite(and_(single, not_(double)), _DOUBLE, _QUOTE)
    plain = _ASCII if kind is OCTETS or in_ascii else characters(str.isprintable)
    marked = _QUOTE if in_bytearray and _ALWAYS_ESCAPED else quote
    parts = [_shown(code, marked, plain) for code in codes]
    start = "b" if kind is OCTETS else ""
    return all_of(TEXTS, [start, text((quote,)), *parts, text((quote,))])


def _is(code: Integer, character: int) -> Guard:
    """Whether a character is a certain one, decided by its range where that can tell."""
    return is_in(code, ((character, character),))


def _shown(code: Integer, quote: Integer, plain: Alphabet) -> Value:
    """How one character is written between quotes."""
    rows: list[Choice] = []
    rest: Guard = True

    def case(guard: Guard, codes: list[Integer]) -> None:
        nonlocal rest
        here = and_(rest, guard)
        if here is not False:
            rows.append((here, text(codes)))
        rest = and_(rest, not_(guard))

    quotes = [and_(_is(code, one), eq(quote, one)) for one in (_QUOTE, _DOUBLE)]
    escaped = or_([*quotes, _is(code, _BACKSLASH)])
    letters = is_in(code, as_ranges(_LETTERS))
    letter: Integer = code
    for control, name in _LETTERS.items():
        letter = ite(_is(code, control), name, letter)
    case(and_(is_in(code, plain), not_(escaped)), [code])
    case(or_(escaped, letters), [_BACKSLASH, letter])
    for most, mark, size in ESCAPES:
        case(code <= most, [_BACKSLASH, mark, *hexadecimal(code, size)])
    return gathered(rows)


# Up to which code point a letter and so many digits are the escape of a character.
ESCAPES = ((0xFF, ord("x"), 2), (0xFFFF, ord("u"), 4), (0x10FFFF, ord("U"), 8))


def escaped(codes: Codes) -> Value:
    """A text with escapes for what is not ASCII, as `ascii` makes it of a `repr`."""
    parts: list[Value] = []
    for code in codes:
        if known_range(code)[1] < 128:
            parts.append(text((code,)))
            continue
        rows: list[Choice] = [(code < 128, text((code,)))]
        least = 128
        for most, mark, size in ESCAPES:
            here = and_(code >= least, code <= most)
            rows.append((here, text([_BACKSLASH, mark, *hexadecimal(code, size)])))
            least = most + 1
        parts.append(gathered(rows))
    return all_of(TEXTS, parts)


def hexadecimal(code: Integer, size: int) -> list[Integer]:
    """So many hexadecimal digits of a number."""
    return [digit_code(code // 16**place % 16, 16) for place in range(size - 1, -1, -1)]
