"""What `quopri` and `uu` have in C: bytes as printable characters, and back.

All of it is lifted Python.  Which characters are written depends on the bytes, so that what comes
out has one of several lengths.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable

from solvent.lift.api import lifted
from solvent.lift.library.binascii import of_data
from solvent.lift.messages import raised
from solvent.terms.texts import octets
from solvent.vm.values import Value

_NEWLINE, _RETURN, _TAB, _SPACE, _DOT, _EQUALS, _LINE = 10, 13, 9, 32, 46, 61, 95
# How long a line may get, without its end.
_LONGEST = 76


def _on_bytes(function: Callable[..., Value]) -> Callable[..., Value]:
    """A lifted function of bytes as one of their codes."""
    return lambda codes, *arguments, **named: function(octets(codes), *arguments, **named)


# --- quoted-printable -----------------------------------------------------------------------------


@lifted
def _digit(value: Value) -> Value:
    return value + 48 if value < 10 else value + 55


@lifted
def _ends_line(data: Value, place: int) -> Value:
    """Whether nothing, or the end of a line or of a text in C, follows a place."""
    if place + 1 == len(data):
        return True
    after = data[place + 1]
    return after in (_NEWLINE, _RETURN) or after == 0


@lifted
def _is_quoted(
    data: Value, place: int, width: Value, quotetabs: Value, istext: Value, header: Value
) -> Value:
    """Whether a byte is written as two digits."""
    code = data[place]
    if code > 126 or code == _EQUALS:
        return True
    if code == _LINE:
        return header
    if code == _DOT:
        return width == 0 and _ends_line(data, place)
    if code in (_NEWLINE, _RETURN):
        return not istext
    if code in (_TAB, _SPACE):
        return quotetabs or place + 1 == len(data)
    return code < _SPACE


@lifted
def _first_line_returns(data: Value) -> Value:
    """Whether the first line ends with two characters; then all are written so."""
    before = 0
    for code in data:
        if code == _NEWLINE:
            return before == _RETURN
        before = code
    return False


@lifted
def _quoted(
    data: Value, quotetabs: Value = False, istext: Value = True, header: Value = False
) -> Value:
    written: list[Value] = []
    end = [_RETURN, _NEWLINE] if _first_line_returns(data) else [_NEWLINE]
    width = 0
    passed = False
    for place in range(len(data)):
        code = data[place]
        last = place + 1 == len(data)
        if passed:
            passed = False
        elif _is_quoted(data, place, width, quotetabs, istext, header):
            if width + 3 >= _LONGEST:
                written += [_EQUALS, *end]
                width = 0
            written += [_EQUALS, _digit(code // 16), _digit(code % 16)]
            width += 3
        elif istext and (
            code == _NEWLINE or (code == _RETURN and not last and data[place + 1] == _NEWLINE)
        ):
            width = 0
            if written and (written[-1] == _SPACE or written[-1] == _TAB):
                blank = written.pop()
                written += [_EQUALS, _digit(blank // 16), _digit(blank % 16)]
            written += end
            passed = code == _RETURN
        else:
            if width + 1 >= _LONGEST and not last and data[place + 1] != _NEWLINE:
                written += [_EQUALS, *end]
                width = 0
            width += 1
            written.append(_LINE if header and code == _SPACE else code)
    return bytes(written)


@lifted
def _value(code: Value) -> Value:
    """What a hexadecimal digit stands for, -1 if it is none."""
    if 48 <= code <= 57:
        return code - 48
    if 65 <= code <= 70:
        return code - 55
    if 97 <= code <= 102:
        return code - 87
    return -1


@lifted
def _unquoted(data: Value, header: Value = False) -> Value:
    written: list[Value] = []
    passed = 0
    in_break = False
    for place in range(len(data)):
        code = data[place]
        if in_break:
            in_break = code != _NEWLINE
        elif passed:
            passed -= 1
        elif code == _EQUALS:
            if place + 1 < len(data):
                after = data[place + 1]
                value = _value(after) if place + 2 < len(data) else -1
                low = _value(data[place + 2]) if value >= 0 else -1
                if after == _NEWLINE:
                    passed = 1
                elif after == _RETURN:
                    # All up to the end of the line is left out.
                    in_break = True
                elif after == _EQUALS:
                    written.append(_EQUALS)
                    passed = 1
                elif low >= 0:
                    written.append(value * 16 + low)
                    passed = 2
                else:
                    written.append(_EQUALS)
        elif header and code == _LINE:
            written.append(_SPACE)
        else:
            written.append(code)
    return bytes(written)


of_data(binascii.b2a_qp)(_on_bytes(_quoted))
of_data(binascii.a2b_qp, True)(_on_bytes(_unquoted))


# --- uuencode -------------------------------------------------------------------------------------

_TOO_LONG = str(raised(binascii.b2a_uu, b"a" * 46))
_ILLEGAL = str(raised(binascii.a2b_uu, b"!\x01"))
_TRAILING = str(raised(binascii.a2b_uu, b" a"))
# What an empty line is read as, how many characters a line may have, and how many bytes they are.
_LENGTH_OF_NOTHING = len(binascii.a2b_uu(b""))
_CHARACTERS, _BYTES = 84, 63


@lifted
def _uuencoded(data: Value, *, backtick: Value = False) -> Value:
    if len(data) > 45:
        raise binascii.Error(_TOO_LONG)
    zero = 96 if backtick else _SPACE
    written = [len(data) + 32 if len(data) else zero]
    for start in range(0, len(data), 3):
        group = [*data[start : start + 3], 0, 0]
        whole = (group[0] * 256 + group[1]) * 256 + group[2]
        for place in (262144, 4096, 64, 1):
            value = whole // place % 64
            written.append(value + 32 if value else zero)
    written.append(_NEWLINE)
    return bytes(written)


@lifted
def _uudecoded(data: Value) -> Value:
    size = (data[0] - 32) % 64 if data else _LENGTH_OF_NOTHING
    used = (size * 4 + 2) // 3
    values: list[Value] = []
    for place in range(1, len(data)):
        code = data[place]
        value = 0
        ends = code in (_NEWLINE, _RETURN)
        if place > used:
            if not ends and code != _SPACE and code != 96:
                raise binascii.Error(_TRAILING)
        elif not ends:
            if code < _SPACE or code > 96:
                raise binascii.Error(_ILLEGAL)
            value = (code - _SPACE) % 64
        values.append(value)
    values = (values + [0] * _CHARACTERS)[:_CHARACTERS]
    written: list[Value] = []
    for start in range(0, _CHARACTERS, 4):
        a, b, c, d = values[start : start + 4]
        written += [a * 4 + b // 16, b % 16 * 16 + c // 4, c % 4 * 64 + d]
    return bytes(written[:size])


of_data(binascii.b2a_uu)(_on_bytes(_uuencoded))
of_data(binascii.a2b_uu, True)(_on_bytes(_uudecoded))
