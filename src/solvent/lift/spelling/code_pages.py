"""Encodings with a table of 256 characters, such as `cp1252`, as the running Python has them."""

from __future__ import annotations

import codecs
import sys
from functools import cache
from typing import NamedTuple

_ASCII = bytes(range(128))
_LAST = sys.maxunicode


class Run(NamedTuple):
    """Neighbouring characters, from the first to the last, and the byte that the first one is."""

    first: int
    last: int
    byte: int


class CodePage(NamedTuple):
    """The characters of an encoding in order, those that it lacks, and what is said of bytes that
    are none."""

    runs: tuple[Run, ...]
    lacks: tuple[tuple[int, int], ...]
    reason: str


@cache
def code_page(name: str) -> CodePage | None:
    """The table of an encoding that has ASCII and one byte for each character, or `None`.

    >>> code_page("cp1252").runs[:2]
    (Run(first=0, last=127, byte=0), Run(first=160, last=255, byte=160))
    >>> code_page("cp500"), code_page("big5")
    (None, None)
    """
    module = sys.modules.get(codecs.lookup(name).incrementaldecoder.__module__)
    table = getattr(module, "decoding_table", None)
    if not isinstance(table, str) or _ASCII.decode(name, "replace") != _ASCII.decode("ascii"):
        return None
    reason = ""
    known: dict[int, int] = {}
    for byte in range(256):
        try:
            known[ord(bytes((byte,)).decode(name))] = byte
        except UnicodeDecodeError as error:
            reason = error.reason
    if any(chr(code).encode(name) != bytes((byte,)) for code, byte in known.items()):
        return None
    return CodePage(tuple(_runs(known)), tuple(_gaps(sorted(known))), reason)


def _runs(known: dict[int, int]) -> list[Run]:
    result: list[Run] = []
    for code in sorted(known):
        last = result[-1] if result else None
        if last and last.last == code - 1 and known[code] == last.byte + code - last.first:
            result[-1] = last._replace(last=code)
        else:
            result.append(Run(code, code, known[code]))
    return result


def _gaps(codes: list[int]) -> list[tuple[int, int]]:
    ends = [*codes, _LAST + 1]
    return [(a + 1, b - 1) for a, b in zip(codes, ends[1:], strict=True) if a + 1 < b]
