"""What the scanner and the encoder of `json` in C do, the encoder character by character.

The scanner of texts in Python says otherwise what is wrong with a text, and takes more for digits.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call, used-before-def"
from __future__ import annotations

import json as _json
from typing import Any

from solvent.lift.spelling.skeletons import for_each_skeleton as _for_each_skeleton
from solvent.lift.twins.remembering import may_be as _may_be

# What the code of the standard library has defined.
BACKSLASH: Any
JSONDecodeError: Any
JSONDecoder: Any
NUMBER_RE: Any
STRINGCHUNK: Any


def _message(text):
    """What the scanner in C says of a wrong text."""
    try:
        _json.loads(text)
    except ValueError as error:
        return error.msg  # type: ignore[attr-defined]
    raise AssertionError(text)


_OPEN, _CONTROL, _ESCAPE, _CODE = map(_message, ('"', '"\t"', '"\\q"', '"\\uzzzz"'))


def py_scanstring(s, end, strict=True):
    parts = []
    begin = end - 1
    while True:
        chunk = STRINGCHUNK.match(s, end)
        if chunk is None:
            raise JSONDecodeError(_OPEN, s, begin)
        content, stop = chunk.groups()
        end = chunk.end()
        if content:
            parts.append(content)
        if stop == '"':
            return "".join(parts), end
        if stop != "\\":
            if strict:
                raise JSONDecodeError(_CONTROL, s, end - 1)
            parts.append(stop)
            continue
        if end == len(s):
            raise JSONDecodeError(_OPEN, s, begin)
        letter = s[end]
        if letter != "u":
            if letter not in BACKSLASH:
                raise JSONDecodeError(_ESCAPE, s, end - 1)
            parts.append(BACKSLASH[letter])
            end += 1
            continue
        code = _code(s, end)
        end += 5
        if 0xD800 <= code <= 0xDBFF and s[end : end + 2] == "\\u" and end + 6 < len(s):
            second = _code(s, end + 1)
            if 0xDC00 <= second <= 0xDFFF:
                code = 0x10000 + (code - 0xD800) * 0x400 + second - 0xDC00
                end += 6
        parts.append(chr(code))


def _code(s, place):
    """The number that four hexadecimal digits after a place are, behind which the text goes on."""
    if place + 5 >= len(s):
        raise JSONDecodeError(_CODE, s, place)
    number = 0
    for character in s[place + 1 : place + 5]:
        code = ord(character)
        if 48 <= code <= 57:
            digit = code - 48
        elif 97 <= code <= 102:
            digit = code - 87
        elif 65 <= code <= 70:
            digit = code - 55
        else:
            raise JSONDecodeError(_CODE, s, place)
        number = number * 16 + digit
    return number


scanstring = py_scanstring


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


_decode_one = JSONDecoder.decode


def _decode(self, s, *more, **named):
    return _for_each_skeleton(s, lambda text: _decode_one(self, text, *more, **named))


JSONDecoder.decode = _decode
_make_in_python = _make_iterencode


def _complaint(item, key):
    """What the encoder in C says of what is no text between items."""
    try:
        _json.dumps([], separators=(item, key))
    except TypeError as error:
        return str(error).removesuffix("bytes")
    raise AssertionError(item, key)


_NO_ITEM, _NO_KEY = _complaint(b"", ":"), _complaint(",", b"")


def _complaint_of_floats():
    """What the encoder in C says of a float that JSON does not have, `None` if it names it too."""
    try:
        _json.dumps([float("nan")], allow_nan=False)
    except ValueError as error:
        return None if str(error).endswith("nan") else str(error)
    raise AssertionError("there is no NaN in JSON")


_NO_FLOAT = _complaint_of_floats()


def _without_name(floats):
    def written(number):
        try:
            return floats(number)
        except ValueError:
            raise ValueError(_NO_FLOAT) from None

    return written


def _make_iterencode(markers, default, encoder, indent, floats, key, item, sort, skip, one_shot):
    if one_shot and indent is None:
        if _NO_FLOAT is not None:
            floats = _without_name(floats)
        if not isinstance(key, str):
            raise TypeError(_NO_KEY + type(key).__name__)
        if not isinstance(item, str):
            raise TypeError(_NO_ITEM + type(item).__name__)
    return _make_in_python(
        markers, default, encoder, indent, floats, key, item, sort, skip, one_shot
    )


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
