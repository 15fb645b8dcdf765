"""What `urllib.parse` asks tables about, asked of the characters themselves."""

from __future__ import annotations

import sys
import unicodedata
import urllib.parse
from functools import cache

from solvent.lift.api import lifted
from solvent.lift.registry import lifts
from solvent.lift.unlifted import Library, is_concrete
from solvent.vm.values import Value

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
