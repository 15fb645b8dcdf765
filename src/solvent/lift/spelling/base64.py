"""Base 64 and base 32 on bytes of which some are symbolic."""

from __future__ import annotations

import base64
import binascii
from functools import partial

from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import is_in
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import OCTETS
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.texts import octets
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

_PAD = ord("=")
# First and last characters of the alphabet, and the value of the first.
_RUNS = ((65, 90, 0), (97, 122, 26), (48, 57, 52), (43, 43, 62), (47, 47, 63))


def _character(value: Integer) -> Integer:
    """The character that stands for six bits."""
    result: Integer = _RUNS[-1][0]
    for first, last, least in reversed(_RUNS[:-1]):
        result = ite(value <= least + last - first, value - least + first, result)
    return result


def _value(code: Integer) -> tuple[Guard, Integer]:
    """Whether a character stands for six bits, and for which."""
    valid: Guard = False
    value: Integer = 0
    for first, last, least in _RUNS:
        here = is_in(code, ((first, last),))
        valid = or_(valid, here)
        value = ite(here, code - first + least, value)
    return valid, value


def to_base64(codes: Codes) -> list[Integer]:
    """The characters of bytes in base 64, with padding."""
    result: list[Integer] = []
    for start in range(0, len(codes), 3):
        group = codes[start : start + 3]
        a, b, c = (*group, 0, 0)[:3]
        bits = [a // 4, a % 4 * 16 + b // 16, b % 16 * 4 + c // 64, c % 64]
        kept = [_character(value) for value in bits[: len(group) + 1]]
        result += [*kept, *[_PAD] * (4 - len(kept))]
    return result


def from_base64(codes: Codes) -> Value:
    """`binascii.a2b_base64(data)`: other characters are skipped, and what follows the padding."""
    # How many characters of a group of four there are, and whether one `=` followed them.
    counts: list[Guard] = [True, False, False, False]
    padded: Guard = False
    done: Guard = False
    rest: Integer = 0
    size: Integer = 0
    parts: list[Value] = []
    for code in codes:
        valid, value = _value(code)
        valid = and_(valid, not_(done))
        pad = and_(eq(code, _PAD), not_(done))
        byte = ite(counts[1], rest * 4 + value // 16,
                   ite(counts[2], rest * 16 + value // 4, rest * 64 + value))  # fmt: skip
        rest = ite(valid, ite(counts[0], value, ite(counts[1], value % 16, value % 4)), rest)
        written = and_(valid, not_(counts[0]))
        rows = [(written, octets((byte,))), (not_(written), b"")]
        parts.append(gathered([row for row in rows if row[0] is not False]))
        size = size + ite(written, 1, 0)
        done = or_(done, and_(pad, or_(counts[3], and_(counts[2], padded))))
        padded = and_(not_(valid), or_(padded, and_(pad, counts[2])))
        counts = [ite(valid, counts[place - 1], counts[place]) for place in range(4)]
    _check_end(len(codes), counts, done, size)
    return all_of(OCTETS, parts)


def _check_end(length: int, counts: list[Guard], done: Guard, size: Integer) -> None:
    """Raise what Python raises where the last group is not complete."""
    machine = current()
    for groups in range(length // 4 + 1):
        one = and_(and_(counts[1], not_(done)), eq(size, 3 * groups))
        if one is not False:
            machine.fail_if(one, raised(binascii.a2b_base64, "A" * (4 * groups + 1)))
    some = and_(or_(counts[2], counts[3]), not_(done))
    machine.fail_if(some, raised(binascii.a2b_base64, "AA"))


_strictly = partial(binascii.a2b_base64, strict_mode=True)
# Characters that stand for six bits, or for nothing.
_SOME, _OTHER = b"A", b"!"


def from_strict_base64(codes: Codes) -> Value:
    """`binascii.a2b_base64(data, strict_mode=True)`: no character is skipped.

    What is said of padding depends on where it begins, on how much there is and on what follows it,
    so Python is asked about bytes that are alike in that.
    """
    found = [_value(code) for code in codes]
    valid = [each for each, _ in found]
    pads = [eq(code, _PAD) for code in codes]
    rows: list[Choice] = []
    failures: dict[str, tuple[BaseException, list[Guard]]] = {}

    def outcome(where: Guard, sample: bytes) -> None:
        """What becomes of bytes that are like a sample."""
        if where is False:
            return
        try:
            size = len(_strictly(sample))
        except binascii.Error as error:
            failures.setdefault(str(error), (error, []))[1].append(where)
        else:
            rows.append((where, octets(_octets_of_sixes([value for _, value in found])[:size])))

    before: Guard = True
    for place in range(len(codes) + 1):
        some = _SOME * place
        if place == len(codes):
            outcome(before, some)
            break
        outcome(and_(before, not_(or_(valid[place], pads[place]))), some + _OTHER)
        padded = and_(before, pads[place])
        for after in range(place + 1, len(codes) + 1):
            sample = some + b"=" * (after - place)
            if padded is False:
                break
            if after == len(codes):
                outcome(padded, sample)
                break
            rest = _SOME * (len(codes) - after - 1)
            outcome(and_(padded, valid[after]), sample + _SOME + rest)
            outcome(and_(padded, not_(or_(valid[after], pads[after]))), sample + _OTHER + rest)
            padded = and_(padded, pads[after])
        before = and_(before, valid[place])
    for error, guards in failures.values():
        current().fail_if(or_(guards), error)
    return gathered(rows) if rows else b""


def _octets_of_sixes(values: list[Integer]) -> list[Integer]:
    """The bytes that groups of six bits make."""
    result: list[Integer] = []
    for start in range(0, len(values), 4):
        a, b, c, d = (*values[start : start + 4], 0, 0, 0)[:4]
        result += [a * 4 + b // 16, b % 16 * 16 + c // 4, c % 4 * 64 + d]
    return result


# --- base 32 --------------------------------------------------------------------------------------


def to_base32(codes: Codes) -> list[Integer]:
    """The characters of bytes in base 32, with padding."""
    result: list[Integer] = []
    for start in range(0, len(codes), 5):
        group = codes[start : start + 5]
        whole: Integer = 0
        for code in (*group, *[0] * (5 - len(group))):
            whole = whole * 256 + code
        digits = [whole // 32**place % 32 for place in range(7, -1, -1)]
        kept = (len(group) * 8 + 4) // 5
        result += [ite(digit < 26, digit + 65, digit + 24) for digit in digits[:kept]]
        result += [_PAD] * (8 - kept)
    return result


def from_base32(codes: Codes, folded: bool) -> Value:
    """`base64.b32decode(data)`, also of small letters if these are folded."""
    if len(codes) % 8:
        raise raised(base64.b32decode, b"A")
    machine = current()
    digits = [_digit(code, folded) for code in codes]
    pads = [eq(code, _PAD) for code in codes]
    rows: list[tuple[Guard, Value]] = []
    for size in range(len(codes), -1, -1):
        here = and_(pads[size:])
        if size:
            here = and_(here, not_(pads[size - 1]))
        if here is False:
            continue
        wrong = not_(and_([valid for valid, _ in digits[:size]]))
        machine.fail_if(and_(here, wrong), raised(base64.b32decode, b"!AAAAAAA"))
        if len(codes) - size not in (0, 1, 3, 4, 6):
            machine.fail_if(here, raised(base64.b32decode, b"AAAAAA=="))
        else:
            rows.append((here, octets(_octets_of([value for _, value in digits[:size]]))))
    return gathered(rows) if rows else b""


def _digit(code: Integer, folded: bool) -> tuple[Guard, Integer]:
    """Whether a character stands for five bits, and for which."""
    letter, figure = is_in(code, ((65, 90),)), is_in(code, ((50, 55),))
    small = is_in(code, ((97, 122),)) if folded else False
    value = ite(letter, code - 65, ite(figure, code - 24, code - 97))
    return or_(letter, or_(figure, small)), value


def _octets_of(values: list[Integer]) -> list[Integer]:
    """The bytes that groups of five bits make, without those that are not complete."""
    result: list[Integer] = []
    for start in range(0, len(values), 8):
        group = values[start : start + 8]
        whole: Integer = 0
        for value in (*group, *[0] * (8 - len(group))):
            whole = whole * 32 + value
        found = [whole // 256**place % 256 for place in range(4, -1, -1)]
        result += found[: len(group) * 5 // 8]
    return result
