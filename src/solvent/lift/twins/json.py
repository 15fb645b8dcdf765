"""What the scanner and the encoder of `json` in C do, the encoder character by character."""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"
from __future__ import annotations

from typing import Any

from solvent.lift.twins.remembering import may_be as _may_be

# What the code of the standard library has defined.
JSONDecoder: Any
NUMBER_RE: Any


def py_make_scanner(context):
    """As the standard library has it, but what no input has there is not read."""

    def scan_value(string, idx):
        try:
            nextchar = string[idx]
        except IndexError:
            raise StopIteration(idx) from None
        if _may_be(nextchar, '"') and nextchar == '"':
            return context.parse_string(string, idx + 1, context.strict)
        if _may_be(nextchar, "{") and nextchar == "{":
            return context.parse_object(
                (string, idx + 1), context.strict, scan_value, context.object_hook,
                context.object_pairs_hook, context.memo,
            )  # fmt: skip
        if _may_be(nextchar, "[") and nextchar == "[":
            return context.parse_array((string, idx + 1), scan_value)
        for word, value in (("null", None), ("true", True), ("false", False)):
            if string[idx : idx + len(word)] == word:
                return value, idx + len(word)
        match = NUMBER_RE.match(string, idx)
        if match is not None:
            integer, frac, exp = match.groups()
            if frac or exp:
                return context.parse_float(integer + (frac or "") + (exp or "")), match.end()
            return context.parse_int(integer), match.end()
        for word in ("NaN", "Infinity", "-Infinity"):
            if string[idx : idx + len(word)] == word:
                return context.parse_constant(word), idx + len(word)
        raise StopIteration(idx)

    def scan_once(string, idx):
        try:
            return scan_value(string, idx)
        finally:
            context.memo.clear()

    return scan_once


make_scanner = py_make_scanner


def _scan(scanner, string, idx):
    decoder = JSONDecoder(
        object_hook=scanner.object_hook,
        parse_float=scanner.parse_float,
        parse_int=scanner.parse_int,
        parse_constant=scanner.parse_constant,
        strict=scanner.strict,
        object_pairs_hook=scanner.object_pairs_hook,
    )
    return decoder.scan_once(string, idx)


def encode_basestring(s, /):
    return '"' + "".join([_escaped(character, 0x110000) for character in s]) + '"'


def encode_basestring_ascii(s, /):
    return '"' + "".join([_escaped(character, 0x7F) for character in s]) + '"'


py_encode_basestring, py_encode_basestring_ascii = encode_basestring, encode_basestring_ascii

_SHORT = {34: '"', 92: "\\", 10: "n", 13: "r", 9: "t", 12: "f", 8: "b"}


def _escaped(character, limit):
    """A character as it is, if it is below the limit and may be, or as what stands for it."""
    code = ord(character)
    if 32 <= code < limit and code != 34 and code != 92:
        return character
    for known, letter in _SHORT.items():
        if code == known:
            return "\\" + letter
    if code < 0x10000:
        return _numbered(code)
    code = code - 0x10000
    return _numbered(0xD800 + code // 0x400) + _numbered(0xDC00 + code % 0x400)


def _numbered(code):
    digits = [code // 4096, code // 256 % 16, code // 16 % 16, code % 16]
    return "\\u" + "".join([chr(d + 48 if d < 10 else d + 87) for d in digits])


__calls__ = {"Scanner": _scan}
