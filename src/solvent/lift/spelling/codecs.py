"""Text as bytes and back: `encode` and `decode` on code points of which some are symbolic.

Decoding goes through the bytes once.  At each place where a character may start, the bytes say how
many of them belong to it, or to what is wrong; what starts at a place is a text under a guard, and
the places that are inside of something contribute nothing.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import is_in
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.code_pages import CodePage, code_page
from solvent.lift.spelling.kinds import OCTETS, TEXTS
from solvent.lift.spelling.quoting import ESCAPES, hexadecimal
from solvent.lift.spelling.spans import Codes, Places, first_of, place_of
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.texts import octets, text
from solvent.vm.kinds import StandIn
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.union import choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value

_SURROGATES = ((0xD800, 0xDFFF),)
_ESCAPED = ((0xDC80, 0xDCFF),)
_REPLACEMENT = 0xFFFD
_BACKSLASH, _X = ord("\\"), ord("x")

_HANDLERS = (
    "strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass",
)  # fmt: skip
# This one is for encoding only.
_REFERENCES = "xmlcharrefreplace"


# --- exceptions -----------------------------------------------------------------------------------


class SymbolicUnicodeError(StandIn):
    """A `UnicodeEncodeError` or `UnicodeDecodeError` whose arguments may be symbolic."""

    native: type[UnicodeEncodeError] | type[UnicodeDecodeError]
    args: tuple[Value, ...]

    def __init__(self, *arguments: Value) -> None:
        """Python's own would refuse symbolic arguments."""

    def python_type(self) -> type:
        return self.native


def _argument(place: int) -> Value:
    return property(lambda error: error.args[place])


class SymbolicEncodeError(SymbolicUnicodeError, UnicodeEncodeError):
    """A `UnicodeEncodeError` of a symbolic text."""

    native = UnicodeEncodeError
    encoding, object, start, end, reason = map(_argument, range(5))


class SymbolicDecodeError(SymbolicUnicodeError, UnicodeDecodeError):
    """A `UnicodeDecodeError` of symbolic bytes."""

    native = UnicodeDecodeError
    encoding, object, start, end, reason = map(_argument, range(5))


# Reports name exceptions by their class.
for _error in (SymbolicEncodeError, SymbolicDecodeError):
    _error.__name__ = _error.__qualname__ = _error.native.__name__


def message_of(error: SymbolicUnicodeError) -> Value:
    """`str(error)`."""
    name, value, start, end, reason = error.args
    codes: Codes = value.codes
    sample: type[str] | type[bytes] = str if error.native is UnicodeEncodeError else bytes
    rows: list[Choice] = []
    for first, code in enumerate(codes):
        one = and_(eq(start, first), eq(end, first + 1))
        rows += [(and_(one, guard), found) for guard, found in _of_one(error, first, code)]
        for last in range(first + 1, len(codes)):
            several = and_(eq(start, first), eq(end, last + 1))
            stand_in: Value = "x" * len(codes) if sample is str else b"x" * len(codes)
            if several is not False:
                rows.append((several, str(error.native(name, stand_in, first, last + 1, reason))))
    return gathered([row for row in rows if row[0] is not False])


def _of_one(error: SymbolicUnicodeError, place: int, code: Integer) -> list[Choice]:
    """What is said of one character or byte: Python's own words, with other digits."""
    name, _, _, _, reason = error.args
    if error.native is UnicodeDecodeError:
        shown = str(UnicodeDecodeError(name, b"\xf1" * (place + 1), place, place + 1, reason))
        before, after = shown.split("f1")
        return [(True, text([*map(ord, before), *hexadecimal(code, 2), *map(ord, after)]))]
    rows: list[Choice] = []
    least = 0
    for most, _, size in ESCAPES:
        stand_in = " " * place + chr(most)
        shown = str(UnicodeEncodeError(name, stand_in, place, place + 1, reason))
        before, after = shown.split(f"{most:0{size}x}")
        found = text([*map(ord, before), *hexadecimal(code, size), *map(ord, after)])
        rows.append((is_in(code, ((least, most),)), found))
        least = most + 1
    return rows


def _fail(
    error: type[SymbolicEncodeError] | type[SymbolicDecodeError],
    guard: Guard,
    name: str,
    value: Value,
    where: tuple[Integer, Integer],
    reason: str,
) -> None:
    if guard is not False:
        current().fail_if(guard, error(name, value, *where, reason))


# --- encodings ------------------------------------------------------------------------------------


class _Encoding(NamedTuple):
    """What an encoding makes of one character, and which characters it has not."""

    units: Callable[[Integer], list[Choice]]
    wrong: tuple[tuple[int, int], ...]
    start: bytes = b""


def _of_bytes(parts: Sequence[tuple[Guard, Sequence[Integer]]]) -> list[Choice]:
    return [(guard, octets(found)) for guard, found in parts if guard is not False]


def _single(code: Integer) -> list[Choice]:
    return [(True, octets((code,)))]


def _utf_8(code: Integer) -> list[Choice]:
    def rest(*shifts: int) -> list[Integer]:
        return [code // (1 << shift) % 64 + 128 for shift in shifts]

    return _of_bytes(
        [
            (is_in(code, ((0, 0x7F),)), [code]),
            (is_in(code, ((0x80, 0x7FF),)), [code // 64 + 0xC0, *rest(0)]),
            (is_in(code, ((0x800, 0xFFFF),)), [code // 4096 + 0xE0, *rest(6, 0)]),
            (is_in(code, ((0x10000, 0x10FFFF),)), [code // (1 << 18) + 0xF0, *rest(12, 6, 0)]),
        ]
    )


def _ordered(little: bool, *units: tuple[Integer, int]) -> list[Integer]:
    """The bytes of numbers, each of so many bytes, in one of the orders."""
    result: list[Integer] = []
    for value, size in units:
        found = [value // 256**place % 256 for place in range(size)]
        result += found if little else found[::-1]
    return result


def _utf_16(little: bool) -> Callable[[Integer], list[Choice]]:
    def units(code: Integer) -> list[Choice]:
        high, low = (code - 0x10000) // 1024 + 0xD800, (code - 0x10000) % 1024 + 0xDC00
        return _of_bytes(
            [
                (is_in(code, ((0, 0xFFFF),)), _ordered(little, (code, 2))),
                (is_in(code, ((0x10000, 0x10FFFF),)), _ordered(little, (high, 2), (low, 2))),
            ]
        )

    return units


def _utf_32(little: bool) -> Callable[[Integer], list[Choice]]:
    return lambda code: [(True, octets(_ordered(little, (code, 4))))]


_LITTLE = sys.byteorder == "little"

# By the names that `codecs.lookup` gives.
_ENCODINGS: dict[str, _Encoding] = {
    "ascii": _Encoding(_single, ((0x80, 0x10FFFF),)),
    "iso8859-1": _Encoding(_single, ((0x100, 0x10FFFF),)),
    "utf-8": _Encoding(_utf_8, _SURROGATES),
    "utf-16": _Encoding(_utf_16(_LITTLE), _SURROGATES, "".encode("utf-16")),
    "utf-16-le": _Encoding(_utf_16(True), _SURROGATES),
    "utf-16-be": _Encoding(_utf_16(False), _SURROGATES),
    "utf-32": _Encoding(_utf_32(_LITTLE), _SURROGATES, "".encode("utf-32")),
    "utf-32-le": _Encoding(_utf_32(True), _SURROGATES),
    "utf-32-be": _Encoding(_utf_32(False), _SURROGATES),
}


def _check_handler(errors: str, handlers: tuple[str, ...] = _HANDLERS) -> None:
    if errors not in handlers:
        raise NotLiftedError(
            f"encoding or decoding a symbolic text with errors={errors!r} is not lifted; use one "
            f"of {', '.join(handlers)}"
        )


def _known(encoding: str) -> str:
    """The name of an encoding that is spelled out; `LookupError` if there is none."""
    name = codecs.lookup(encoding).name
    if name not in _ENCODINGS:
        page = code_page(name)
        if page is None:
            raise NotLiftedError(
                f"encoding or decoding a symbolic text with {encoding!r} is not lifted; use UTF-8, "
                "UTF-16, UTF-32, ASCII, Latin-1 or another code page with ASCII in it"
            )
        _ENCODINGS[name] = _Encoding(_in_page(page), page.lacks)
        _READERS[name] = _read_page(page)
    return name


def _in_page(page: CodePage) -> Callable[[Integer], list[Choice]]:
    def units(code: Integer) -> list[Choice]:
        rows = [
            (is_in(code, ((run.first, run.last),)), [code - run.first + run.byte])
            for run in page.runs
        ]
        return _of_bytes(rows)

    return units


def _read_page(page: CodePage) -> Callable[[Codes, int], list[_Part]]:
    def read(codes: Codes, place: int) -> list[_Part]:
        byte = codes[place]
        rows: list[tuple[Guard, Integer]] = []
        for run in page.runs:
            end = run.byte + run.last - run.first
            rows.append((is_in(byte, ((run.byte, end),)), byte - run.byte + run.first))
        parts = [_Part(guard, 1, code) for guard, code in rows]
        wrong = not_(or_([guard for guard, _ in rows]))
        return [*parts, _Part(wrong, 1, reason=page.reason)]

    return read


def encode(codes: Codes, encoding: str, errors: str) -> Value:
    """`text.encode(encoding, errors)`."""
    name = _known(encoding)
    _check_handler(errors, (*_HANDLERS, _REFERENCES))
    if errors == "surrogateescape" and code_page(name) is not None:
        raise NotLiftedError(
            f"encoding a symbolic text to {name} with errors='surrogateescape' is not lifted"
        )
    found = _ENCODINGS[name]
    passes = errors == "surrogatepass" and name.startswith("utf")
    bad = [False if passes else is_in(code, found.wrong) for code in codes]
    strict = list(bad)
    # Where each byte has a place of its own, it may stand for itself.
    escapes = errors == "surrogateescape" and not name.startswith(("utf-16", "utf-32"))
    if escapes:
        strict = [
            and_(guard, not_(is_in(code, _ESCAPED))) for guard, code in zip(bad, codes, strict=True)
        ]
    if errors in ("strict", "surrogateescape", "surrogatepass"):
        _refuse(codes, encoding, found, bad, strict)
    parts: list[Value] = [found.start]
    for code, guard in zip(codes, bad, strict=True):
        rows: list[Choice] = []
        # A known character that the encoding lacks has no bytes at all.
        if guard is not True:
            rows += [(and_(not_(guard), here), unit) for here, unit in found.units(code)]
        if guard is not False:
            rows += [(and_(guard, g), v) for g, v in _instead(found, code, errors, escapes)]
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(OCTETS, parts)


def _refuse(
    codes: Codes, encoding: str, found: _Encoding, bad: list[Guard], strict: list[Guard]
) -> None:
    """Raise `UnicodeEncodeError` where a character cannot be encoded."""
    starts, none = first_of(enumerate(strict))
    if none is True:
        return
    wrong = chr(found.wrong[0][0])
    sample = raised((wrong * 2).encode, encoding)
    assert isinstance(sample, UnicodeEncodeError)
    start = place_of(starts, False, 0)
    end: Integer = start + 1
    if sample.end == 2:
        # All neighbours that cannot be encoded are complained of at once.
        ends: Places = {}
        inside: Guard = False
        for place in range(len(codes)):
            inside = and_(or_(inside, starts.get(place, False)), bad[place])
            more = bad[place + 1] if place + 1 < len(codes) else False
            ends[place + 1] = and_(inside, not_(more))
            inside = and_(inside, more)
        end = place_of({p: g for p, g in ends.items() if g is not False}, False, 0)
    name, reason = sample.encoding, sample.reason
    _fail(SymbolicEncodeError, not_(none), name, text(codes), (start, end), reason)


def _instead(found: _Encoding, code: Integer, errors: str, escapes: bool) -> list[Choice]:
    """What stands for a character that cannot be encoded."""
    if escapes:
        return [(True, octets(((code - 0xDC00) % 256,)))]
    if errors == "replace":
        return found.units(ord("?"))
    if errors == "backslashreplace":
        rows: list[Choice] = []
        least = 0
        for most, mark, size in ESCAPES:
            written = [_BACKSLASH, mark, *hexadecimal(code, size)]
            units = [found.units(one)[0][1] for one in written[:2]]
            units += [_first_unit(found, digit) for digit in written[2:]]
            rows.append((is_in(code, ((least, most),)), all_of(OCTETS, units)))
            least = most + 1
        return rows
    if errors == _REFERENCES:
        return _references(found, code)
    return [(True, b"")]


def _references(found: _Encoding, code: Integer) -> list[Choice]:
    """A character by its number, as XML has it."""
    rows: list[Choice] = []
    for size in range(1, len(str(sys.maxunicode)) + 1):
        least, most = 10 ** (size - 1), min(10**size - 1, sys.maxunicode)
        digits = [code // 10**place % 10 + ord("0") for place in range(size - 1, -1, -1)]
        written = [*map(ord, "&#"), *digits, ord(";")]
        units = [_first_unit(found, one) for one in written]
        rows.append((is_in(code, ((least, most),)), all_of(OCTETS, units)))
    return [row for row in rows if row[0] is not False]


def _first_unit(found: _Encoding, digit: Integer) -> Value:
    """The bytes of a character that is ASCII."""
    return found.units(digit)[0][1]


# --- decoding -------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """What may start at a place: under a guard so many bytes are a character, or wrong."""

    guard: Guard
    size: int
    code: Integer = 0
    reason: str = ""
    # Whether it is a character only because surrogates may be some.
    passed: bool = False


_START = str(getattr(raised(b"\xff".decode), "reason", ""))
_CONTINUATION = str(getattr(raised(b"\xc3a".decode), "reason", ""))
_END = str(getattr(raised(b"\xc3".decode), "reason", ""))


def _read_utf_8(codes: Codes, place: int) -> list[_Part]:
    first, rest = codes[place], codes[place + 1 : place + 4]
    parts = [
        _Part(is_in(first, ((0, 0x7F),)), 1, first),
        _Part(is_in(first, ((0x80, 0xC1), (0xF5, 0xFF))), 1, reason=_START),
    ]
    for size, low, high in ((2, 0xC2, 0xDF), (3, 0xE0, 0xEF), (4, 0xF0, 0xF4)):
        so_far = is_in(first, ((low, high),))
        code: Integer = first - (0xC0, 0xE0, 0xF0)[size - 2]
        for number in range(1, size):
            if number > len(rest):
                parts.append(_Part(so_far, number, reason=_END))
                so_far = False
                break
            byte = rest[number - 1]
            valid = is_in(byte, ((0x80, 0xBF),))
            if number == 1 and size > 2:
                valid = and_(valid, _second(first, byte, size))
            parts.append(_Part(and_(so_far, not_(valid)), number, reason=_CONTINUATION))
            so_far = and_(so_far, valid)
            code = code * 64 + (byte - 128)
        parts.append(_Part(so_far, size, code))
    return parts


def _second(first: Integer, byte: Integer, size: int) -> Guard:
    """Whether a second byte makes the code neither too small, nor a surrogate, nor too large."""
    lowest, least, highest, most = (
        (0xE0, 0xA0, 0xED, 0x9F) if size == 3 else (0xF0, 0x90, 0xF4, 0x8F)
    )
    small = and_(eq(first, lowest), byte < least)
    large = and_(eq(first, highest), byte > most)
    return not_(or_(small, large))


_ASCII_REASON = str(getattr(raised(b"\xff".decode, "ascii"), "reason", ""))


def _read_ascii(codes: Codes, place: int) -> list[_Part]:
    plain = is_in(codes[place], ((0, 0x7F),))
    return [_Part(plain, 1, codes[place]), _Part(not_(plain), 1, reason=_ASCII_REASON)]


def _number(codes: Sequence[Integer], little: bool) -> Integer:
    result: Integer = 0
    for code in reversed(codes) if little else codes:
        result = result * 256 + code
    return result


def _reason(data: bytes, encoding: str) -> str:
    return str(getattr(raised(data.decode, encoding), "reason", ""))


_ODD = _reason(b"a", "utf-16-le")
_LONE = _reason(b"\x00\xdcaa", "utf-16-le")
_PAIR = _reason(b"\x00\xd8aa", "utf-16-le")
_OPEN = _reason(b"\x00\xd8", "utf-16-le")


def _read_utf_16(little: bool) -> Callable[[Codes, int], list[_Part]]:
    def read(codes: Codes, place: int) -> list[_Part]:
        left = len(codes) - place
        if left < 2:
            return [_Part(True, left, reason=_ODD)]
        unit = _number(codes[place : place + 2], little)
        high, low = is_in(unit, ((0xD800, 0xDBFF),)), is_in(unit, ((0xDC00, 0xDFFF),))
        parts = [_Part(not_(or_(high, low)), 2, unit), _Part(low, 2, reason=_LONE)]
        if left < 4:
            return [*parts, _Part(high, left, reason=_OPEN)]
        second = _number(codes[place + 2 : place + 4], little)
        follows = is_in(second, ((0xDC00, 0xDFFF),))
        code = (unit - 0xD800) * 1024 + (second - 0xDC00) + 0x10000
        parts.append(_Part(and_(high, follows), 4, code))
        return [*parts, _Part(and_(high, not_(follows)), 2, reason=_PAIR)]

    return read


_SHORT = _reason(b"a", "utf-32-le")
_BEYOND = _reason(b"\0\0\0\xff", "utf-32-le")
_SURROGATE = _reason(b"\0\xd8\0\0", "utf-32-le")


def _read_utf_32(little: bool) -> Callable[[Codes, int], list[_Part]]:
    def read(codes: Codes, place: int) -> list[_Part]:
        left = len(codes) - place
        if left < 4:
            return [_Part(True, left, reason=_SHORT)]
        code = _number(codes[place : place + 4], little)
        beyond, surrogate = code > 0x10FFFF, is_in(code, _SURROGATES)
        return [
            _Part(beyond, 4, reason=_BEYOND),
            _Part(surrogate, 4, reason=_SURROGATE),
            _Part(not_(or_(beyond, surrogate)), 4, code),
        ]

    return read


_READERS: dict[str, Callable[[Codes, int], list[_Part]]] = {
    "utf-8": _read_utf_8,
    "ascii": _read_ascii,
    "utf-16-le": _read_utf_16(True),
    "utf-16-be": _read_utf_16(False),
    "utf-32-le": _read_utf_32(True),
    "utf-32-be": _read_utf_32(False),
}


# Encodings that exceptions call by their own names; all others are one to them.
_OWN_NAMES = frozenset(_READERS)
_PAGE = "charmap"


def decode(codes: Codes, encoding: str, errors: str) -> Value:
    """`data.decode(encoding, errors)`."""
    name = _known(encoding)
    _check_handler(errors)
    if name == "iso8859-1":
        return text(codes)
    if name in _READERS:
        return _decoded(codes, 0, name, errors, True)
    return _decoded_by_mark(codes, name, errors)


def _decoded_by_mark(codes: Codes, name: str, errors: str) -> Value:
    """The text of bytes at whose start a mark may say in which order they are."""
    size = 2 if name == "utf-16" else 4
    rows: list[Choice] = []
    unmarked: Guard = True
    for suffix, little in (("-le", True), ("-be", False)):
        if len(codes) >= size:
            marked = eq(_number(codes[:size], little), 0xFEFF)
            if marked is not False:
                found = _decoded(codes, size, name + suffix, errors, marked)
                rows += [(and_(marked, g), v) for g, v in exclusive(choices_of(found))]
            unmarked = and_(unmarked, not_(marked))
    if unmarked is not False:
        usual = name + ("-le" if _LITTLE else "-be")
        found = _decoded(codes, 0, usual, errors, unmarked)
        rows += [(and_(unmarked, g), v) for g, v in exclusive(choices_of(found))]
    return gathered([row for row in rows if row[0] is not False])


def _decoded(codes: Codes, begin: int, name: str, errors: str, where: Guard) -> Value:
    """The text of bytes from a place on; what is wrong is told only under a guard."""
    if errors == "surrogateescape" and name.startswith(("utf-16", "utf-32")):
        raise NotLiftedError(
            f"decoding symbolic bytes from {name} with errors='surrogateescape' is not lifted"
        )
    size = len(codes)
    starts: dict[int, Guard] = {begin: True}
    parts: list[Value] = []
    wrong: dict[str, list[tuple[Guard, int, int]]] = {}
    passed: Guard = False
    for place in range(begin, size):
        here = starts.get(place, False)
        if here is False:
            continue
        rows: list[Choice] = [(not_(here), "")]
        found = _READERS[name](codes, place)
        if errors == "surrogatepass":
            found = _with_surrogates(name, found, codes, place)
        for part in found:
            guard = and_(here, part.guard)
            if guard is False:
                continue
            end = place + part.size
            starts[end] = or_(starts.get(end, False), guard)
            passed = or_(passed, and_(guard, part.passed))
            if not part.reason:
                rows.append((guard, text((part.code,))))
            else:
                wrong.setdefault(part.reason, []).append((guard, place, end))
                rows.append((guard, _placeholder(codes[place:end], errors)))
        parts.append(gathered([row for row in rows if row[0] is not False]))
    if errors in ("strict", "surrogatepass"):
        _refuse_late(passed, wrong, where)
        _refuse_bytes(codes, _PAGE if name not in _OWN_NAMES else name, wrong, where)
    return all_of(TEXTS, parts)


def _refuse_late(
    passed: Guard, wrong: dict[str, list[tuple[Guard, int, int]]], where: Guard
) -> None:
    """Python raises the exception of a surrogate that has passed, with other attributes."""
    late = and_(where, passed, or_([guard for rows in wrong.values() for guard, _, _ in rows]))
    error = NotLiftedError("bytes that are wrong behind a surrogate are not lifted")
    current().end_unknown(late, error)


def _with_surrogates(name: str, parts: list[_Part], codes: Codes, place: int) -> list[_Part]:
    """What may start at a place if surrogates may; what else is wrong stays so."""
    size = 3 if name == "utf-8" else 2 if name.startswith("utf-16") else 4
    if not name.startswith("utf") or place + size > len(codes):
        return parts
    unit = codes[place : place + size]
    if name == "utf-8":
        code = 0xD000 + (unit[1] - 128) * 64 + (unit[2] - 128)
        follows = and_(is_in(unit[1], ((0xA0, 0xBF),)), is_in(unit[2], ((0x80, 0xBF),)))
        passed = and_(eq(unit[0], 0xED), follows)
    else:
        code = _number(unit, name.endswith("-le"))
        passed = is_in(code, _SURROGATES)
    result = [
        part._replace(guard=and_(part.guard, not_(passed))) if part.reason else part
        for part in parts
    ]
    paired = or_([part.guard for part in parts if not part.reason])
    return [*result, _Part(and_(passed, not_(paired)), size, code, passed=True)]


def _placeholder(codes: Codes, errors: str) -> Value:
    """What stands for bytes that are wrong."""
    if errors == "replace":
        return chr(_REPLACEMENT)
    if errors == "backslashreplace":
        return text([c for code in codes for c in (_BACKSLASH, _X, *hexadecimal(code, 2))])
    if errors == "surrogateescape":
        return text([code + 0xDC00 for code in codes])
    return ""


def _refuse_bytes(
    codes: Codes, name: str, wrong: dict[str, list[tuple[Guard, int, int]]], where: Guard
) -> None:
    """Raise `UnicodeDecodeError` where the first part is that is wrong."""
    before = [or_([g for rows in wrong.values() for g, first, _ in rows if first < place])
              for place in range(len(codes))]  # fmt: skip
    for reason, rows in wrong.items():
        firsts = [(and_(guard, not_(before[start])), start, end) for guard, start, end in rows]
        some = or_([guard for guard, _, _ in firsts])
        start: Integer = firsts[-1][1]
        end: Integer = firsts[-1][2]
        for guard, first, last in reversed(firsts[:-1]):
            start, end = ite(guard, first, start), ite(guard, last, end)
        _fail(SymbolicDecodeError, and_(where, some), name, octets(codes), (start, end), reason)
