"""`urllib.parse`: what it asks tables about is asked of the characters themselves."""

from __future__ import annotations

import sys
import unicodedata
import urllib.parse
from collections.abc import Callable
from functools import cache

from solvent.lift.api import lifted
from solvent.lift.calls import method
from solvent.lift.function import lift_function
from solvent.lift.registry import lifts
from solvent.lift.spelling.alphabets import as_ranges, is_in
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import TEXTS
from solvent.lift.undone import are_texts, original_of, remember
from solvent.lift.unlifted import Library, is_concrete
from solvent.terms.booleans import and_, eq, ite, not_
from solvent.terms.classes import Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.texts import codes_of, text
from solvent.vm.merge import gathered
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Choice, Value

# What must not come out of a character of the place of a URL.
_MARKS = "/?#@:"


@cache
def _expanding() -> str:
    """All characters that become others with a mark among them, under NFKC normalization."""
    return "".join(
        found
        for found in map(chr, range(128, sys.maxunicode + 1))
        if any(mark in unicodedata.normalize("NFKC", found) for mark in _MARKS)
    )


@lifts(urllib.parse._checknetloc)  # type: ignore[attr-defined]
def check_place(place: Value) -> None:
    """Refuse a place with a character that becomes a mark.

    No mark is composed with what follows it, so that each character can be looked at by itself.
    """
    if is_concrete(place):
        Library(urllib.parse._checknetloc)(place)  # type: ignore[attr-defined]
    else:
        _check(place, _expanding())


@lifted
def _check(place: str, expanding: str) -> None:
    for character in place:
        if character in expanding:
            raise ValueError(
                "netloc '" + place + "' contains invalid characters under NFKC normalization"
            )


# As Python has them.
_QUOTE: Value = urllib.parse.quote
_QUOTE_PLUS: Value = urllib.parse.quote_plus

# How UTF-8 writes code points: up to which, with what in the first byte, in how many further ones.
_LEADS = ((0x7F, 0, 0), (0x7FF, 0xC0, 1), (0xFFFF, 0xE0, 2), (0x10FFFF, 0xF0, 3))


@lifts(urllib.parse.quote)
def quote(string: Value, safe: Value = "/", encoding: Value = None, errors: Value = None) -> Value:
    """`urllib.parse.quote(string, safe)`: each character by itself."""
    if not _is_quoted_by_character(string, safe, encoding, errors):
        return lift_function(_QUOTE)(string, safe, encoding, errors)
    ways: tuple[str, ...] = () if "%" in safe else ("unquote",)
    if ways and "+" not in safe:
        ways += ("unquote_plus",)
    return remember(ways, string, _quoted(urllib.parse.quote, string, safe))


@lifts(urllib.parse.quote_plus)
def quote_plus(
    string: Value, safe: Value = "", encoding: Value = None, errors: Value = None
) -> Value:
    """`urllib.parse.quote_plus(string, safe)`: a space becomes a plus."""
    if not _is_quoted_by_character(string, safe, encoding, errors):
        return lift_function(_QUOTE_PLUS)(string, safe, encoding, errors)
    ways = () if "%" in safe or "+" in safe else ("unquote_plus",)
    return remember(ways, string, _quoted(urllib.parse.quote_plus, string, safe))


def _is_quoted_by_character(string: Value, safe: Value, encoding: Value, errors: Value) -> bool:
    usual = encoding in (None, "utf-8") and errors in (None, "strict")
    return usual and type(safe) is str and safe.isascii() and are_texts(string)


def _quoted(function: Callable[[str, str], str], string: Value, safe: str) -> Value:
    """A text in which what is not safe is written as its bytes in UTF-8."""
    if type(string) is Union:
        return over(string, lambda member: _quoted(function, member, safe))
    if type(string) is str:
        return function(string, safe)
    # Raises for surrogates.
    method(string, "encode")("utf-8")
    kept = as_ranges(code for code in range(128) if function(chr(code), safe) == chr(code))
    space = function(" ", safe)
    return all_of(TEXTS, [_of_character(code, kept, space) for code in codes_of(str, string) or ()])


def _of_character(code: Integer, kept: Alphabet, space: str) -> Value:
    rows: list[Choice] = [(eq(code, 32), space), (is_in(code, kept), text((code,)))]
    rest = and_([not_(guard) for guard, _ in rows])
    rows[1] = (and_(not_(rows[0][0]), rows[1][0]), rows[1][1])
    for last, lead, further in _LEADS:
        # Six bits in each further byte.
        parts = [code // 64**place % 64 for place in range(further, 0, -1)] + [code % 64]
        octets = [lead + parts[0], *(part + 0x80 for part in parts[1:])] if further else [code]
        digits = [digit for octet in octets for digit in (37, *_in_hexadecimal(octet))]
        rows.append((and_(rest, code <= last), text(digits)))
        rest = and_(rest, code > last)
    return gathered([row for row in rows if row[0] is not False])


def _in_hexadecimal(octet: Integer) -> tuple[Integer, Integer]:
    high, low = octet // 16, octet % 16
    return tuple(ite(digit < 10, digit + 48, digit + 55) for digit in (high, low))  # type: ignore[return-value]


@lifts(urllib.parse.unquote)
def unquote(string: Value, encoding: Value = "utf-8", errors: Value = "replace") -> Value:
    """`urllib.parse.unquote(string)`."""
    return _read_back("unquote", string, encoding, errors)


@lifts(urllib.parse.unquote_plus)
def unquote_plus(string: Value, encoding: Value = "utf-8", errors: Value = "replace") -> Value:
    """`urllib.parse.unquote_plus(string)`."""
    return _read_back("unquote_plus", string, encoding, errors)


def _read_back(way: str, string: Value, encoding: Value, errors: Value) -> Value:
    """What quoted characters stand for; where nothing else is safe, this is what was quoted."""
    found = original_of(way, string) if encoding in (None, "utf-8") else None
    if found is not None:
        return found
    return lift_function(getattr(urllib.parse, way))(string, encoding, errors)


@lifts(urllib.parse.unquote_to_bytes)
def unquote_to_bytes(string: Value) -> Value:
    """`urllib.parse.unquote_to_bytes(string)`."""
    if is_concrete(string):
        return Library(urllib.parse.unquote_to_bytes)(string)
    return _unquoted(string)


@lifted
def _unquoted(string: Value) -> bytes:
    if isinstance(string, str):
        string = string.encode("utf-8")
    found = []
    skipped = 0
    for place, byte in enumerate(string):
        if skipped > 0:
            skipped -= 1
        elif byte == 0x25 and place + 2 < len(string):
            high, low = _digit(string[place + 1]), _digit(string[place + 2])
            if high >= 0 and low >= 0:
                found.append(high * 16 + low)
                skipped = 2
            else:
                found.append(byte)
        else:
            found.append(byte)
    return bytes(found)


@lifted
def _digit(byte: int) -> int:
    """The value of a hexadecimal digit, -1 for all others."""
    if 0x30 <= byte <= 0x39:
        return byte - 0x30
    if 0x41 <= byte <= 0x46:
        return byte - 0x37
    if 0x61 <= byte <= 0x66:
        return byte - 0x57
    return -1
