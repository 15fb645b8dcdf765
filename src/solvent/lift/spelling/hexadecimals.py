"""Bytes as hexadecimal digits, and back: `hex`, `fromhex` and what `binascii` makes of them."""

from __future__ import annotations

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import as_ranges, is_in
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import OCTETS
from solvent.lift.spelling.numerals import digit_code
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.classes import Alphabet
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import octets
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.values import Guard, Value

_HYPHEN = "-"


def hex_codes(codes: Codes, separator: Value = None, group: Value = 1) -> list[Integer]:
    """The characters of `data.hex(separator, group)`."""
    if isinstance(separator, Term) or isinstance(group, Term):
        raise NotLiftedError("`hex` of symbolic bytes with a symbolic separator is not lifted")
    arguments = () if separator is None else (separator, group)
    # Python says what is wrong with the arguments, and where the separators are.
    bytes(len(codes)).hex(*arguments)
    layout = bytes(len(codes)).hex(*(() if separator is None else (_HYPHEN, group)))
    between = ord(separator) if separator is not None else 0
    digits = [digit_code(half, 16) for code in codes for half in (code // 16, code % 16)]
    following = iter(digits)
    return [between if mark == _HYPHEN else next(following) for mark in layout]


_SPACES: Alphabet = as_ranges(map(ord, "\t\n\v\f\r "))
_ASCII: Alphabet = ((0, 127),)


def hex_digit(code: Integer) -> tuple[Guard, Integer]:
    """Whether an ASCII character is a hexadecimal digit, and its value where it is."""
    figure = is_in(code, ((48, 57),))
    small, capital = is_in(code, ((97, 102),)), is_in(code, ((65, 70),))
    value = ite(figure, code - 48, ite(small, code - 87, code - 55))
    return or_(figure, or_(small, capital)), value


def from_hex(codes: Codes) -> Value:
    """`bytes.fromhex(text)`: spaces are skipped before each pair of digits."""
    machine = current()
    foreign: Guard = False
    for place, code in enumerate(codes):
        # A character that is not ASCII is complained of before all others.
        here = not_(is_in(code, _ASCII))
        machine.fail_if(and_(not_(foreign), here), raised(bytes.fromhex, " " * place + "\xe9"))
        foreign = or_(foreign, here)
    open_pair: Guard = False
    high: Integer = 0
    parts: list[Value] = []
    for place, code in enumerate(codes):
        valid, value = hex_digit(code)
        space = is_in(code, _SPACES)
        first = and_(not_(open_pair), not_(or_(valid, space)))
        machine.fail_if(first, raised(bytes.fromhex, " " * place + "?"))
        second = and_(open_pair, not_(valid))
        if place and second is not False:
            machine.fail_if(second, raised(bytes.fromhex, " " * (place - 1) + "0?"))
        ends = and_(open_pair, valid)
        rows = [(ends, octets((high * 16 + value,))), (not_(ends), b"")]
        parts.append(gathered([row for row in rows if row[0] is not False]))
        open_pair = and_(valid, not_(open_pair))
        high = value
    if codes:
        machine.fail_if(open_pair, raised(bytes.fromhex, " " * (len(codes) - 1) + "0"))
    return all_of(OCTETS, parts)
