"""Conversions between numbers and text: `int`, `float`, `str`, `repr`, `format` and so on.

`int(text)` of a symbolic string is exact for what consists of ASCII digits with at most a sign, and
for what Python refuses.  Strings that Python reads although they hold spaces, underscores or other
digits are reported as not lifted.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import cache

from solvent.errors import NotLiftedError
from solvent.lift.formatting import ascii_text, formatted, join_texts, representation, text_of
from solvent.lift.library.builtins.functions import check_whole, special
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.spelling.floats import read_float, wrong_float
from solvent.lift.spelling.formats import each_value
from solvent.lift.spelling.numerals import read_int, signed, wrong_literal
from solvent.lift.spelling.read_back import written_from
from solvent.lift.values.byte_items import as_bytes, choices, is_symbolic_buffer
from solvent.lift.values.characters import characters, refuse_if
from solvent.lift.values.encodings import decoded
from solvent.lift.words import check_float
from solvent.terms import (
    bv_to_int,
    char_at,
    in_re,
    re_concat,
    re_opt,
    re_plus,
    re_star,
    re_union,
    str_slice,
    str_to_int,
    to_float,
    to_re,
)
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.reals import RealTerm
from solvent.terms.regexes import RegexTerm
from solvent.terms.strings import StringTerm, str_concat
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, CodesTerm
from solvent.vm.kinds import STANDS_FOR, type_name
from solvent.vm.machine import current
from solvent.vm.spread import over, over_pure
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

# So many characters of a text that it cannot read are shown by `int`.
_MOST_SHOWN = 200


@lifts(int)
def int_(value: Value = 0, /, *base: Value, **named: Value) -> Value:
    """`int(value)` or `int(text, base)`."""
    if is_symbolic_buffer(value):
        value = as_bytes(value)
    if type(value) is Union:
        return over(value, lambda member: int_(member, *base, **named))
    base = (*base, *named.values())
    if type(value) is StringTerm and base in ((), (10,)):
        return _parsed(value)
    if isinstance(value, CodesTerm):
        return _read(value, base[0] if base else 10)
    if base:
        if type(value) is StringTerm:
            raise NotLiftedError(
                "`int` of a symbolic string in another base is not lifted; add up its digits"
            )
        if isinstance(value, Term):
            raise raised(int, 0, 10)
        found = each_value(base[0])
        if type(found) is Union:
            return over(found, lambda member: int(value, member))
        return int(value, STANDS_FOR[type(found)]() if isinstance(found, Term) else found)
    if isinstance(value, Term):
        return _whole(value)
    for name in ("__int__", "__index__", "__trunc__"):
        result = special(value, name)
        if result is not NotImplemented:
            return result
    return int(value)


def _whole(value: Term) -> Integer:
    if type(value) is IntTerm:
        return value
    if type(value) is BoolTerm:
        return value.as_int()
    if type(value) is BitVecTerm:
        return bv_to_int(value)
    if type(value) is FloatTerm:
        check_whole(value)
    if isinstance(value, (FloatTerm, RealTerm)):
        return math.trunc(value)
    raise TypeError(
        "int() argument must be a string, a bytes-like object or a real number, not "
        f"'{type_name(value)}'"
    )


def _parsed(text: StringTerm) -> Integer:
    number = str_to_int(text)
    sign = char_at(text, 0)
    after_sign = str_to_int(str_slice(text, 1))
    signed = and_(or_(sign == "-", sign == "+"), after_sign >= 0)
    readable = or_(number >= 0, signed)
    if readable is not True:
        other = and_(not_(readable), in_re(text, _literals()))
        refuse_if(
            other,
            "`int` of a symbolic string with spaces, underscores or digits other than 0 to 9 is "
            "not lifted",
        )
        message = str_concat("invalid literal for int() with base 10: '", text, "'")
        current().fail_if(not_(readable), ValueError(message))
    return ite(number >= 0, number, ite(sign == "-", -after_sign, after_sign))


def _read(text: CodesTerm, base: Value) -> Integer:
    """`int(text, base)` for a text or bytes that are spelled out."""
    base = each_value(base)
    if type(base) is Union:
        return over(base, lambda member: _read(text, member))  # type: ignore[no-any-return]
    if isinstance(base, Term) or not hasattr(type(base), "__index__"):
        raise raised(int, "0", STANDS_FOR.get(type(base), type(base))())
    base = operator.index(base)
    if base != 0 and not 2 <= base <= 36:
        raise raised(int, "0", base)
    valid, number = read_int(text.codes, base, text.native)
    if valid is not True:
        wrong = join_texts([wrong_literal(base), _cut_off(representation(text))])
        current().fail_if(not_(valid), ValueError(wrong))
    return number


def _cut_off(shown: Value) -> Value:
    """What `int` shows of a text that it cannot read."""
    return over_pure(shown, _cut_off) if type(shown) is Union else shown[:_MOST_SHOWN]


@cache
def _literals() -> RegexTerm:
    """The regular expression of all that `int` reads."""
    spaces = re_star(characters(str.isspace))
    digits = re_plus(characters(str.isdecimal))
    groups = re_star(re_concat(to_re("_"), digits))
    sign = re_opt(re_union(to_re("+"), to_re("-")))
    return re_concat(spaces, sign, digits, groups, spaces)


@lifts(float)
def float_(value: Value = 0.0, /) -> Value:
    """`float(value)`."""
    if type(value) is bytearray:
        value = choices(value)
    if type(value) is Union:
        return over(value, float_)
    if type(value) is BoolTerm:
        return to_float(value.as_int())
    if type(value) in (IntTerm, RealTerm):
        check_float(value)
        return to_float(value)
    if type(value) is FloatTerm:
        return value
    if isinstance(value, CodesTerm):
        written = written_from(value)
        if written is not None:
            return written
        valid, number = read_float(value.codes, value.native)
        if valid is not True:
            wrong = join_texts([wrong_float(), representation(value)])
            current().fail_if(not_(valid), ValueError(wrong))
        return number
    if isinstance(value, Term):
        raise NotLiftedError(
            f"`float` of a symbolic value of sort {value.sort} is not lifted; use numbers"
        )
    for name in ("__float__", "__index__"):
        result = special(value, name)
        if result is not NotImplemented:
            return result
    return float(value)


@lifts(str)
def str_(*arguments: Value, **named: Value) -> Value:
    """`str(value)`."""
    if len(arguments) == 1 and not named:
        return text_of(arguments[0])
    if arguments and _holds_bytes(arguments[0]):
        return decoded(*arguments, **named)
    return str(*arguments, **named)


def _holds_bytes(value: Value) -> bool:
    """Whether a value is, or may be, symbolic bytes."""
    if type(value) is Union:
        return all(_holds_bytes(m) or type(m) is bytes for _, m in choices_of(value))
    return type(value) is BytesTerm or is_symbolic_buffer(value)


@lifts(repr)
def repr_(value: Value, /) -> Value:
    """`repr(value)`."""
    return representation(value)


@lifts(ascii)
def ascii_(value: Value, /) -> Value:
    """`ascii(value)`."""
    return ascii_text(value)


@lifts(format)
def format_(value: Value, spec: Value = "", /) -> Value:
    """`format(value, spec)`."""
    return formatted(value, spec)


def _in_base(native: Callable[[Value], str], base: int) -> None:
    @lifts(native)
    def convert(value: Value, /) -> Value:
        if type(value) is Union:
            return over(value, convert)
        if isinstance(value, (IntTerm, BoolTerm)):
            number = value.as_int() if isinstance(value, BoolTerm) else value
            found = signed(number, native(0)[:2], base)
            if found is None:
                raise NotLiftedError(
                    f"`{native.__name__}` of a symbolic number without known bounds is not lifted; "
                    "assume bounds on it"
                )
            return found
        if isinstance(value, CodesTerm):
            value = value.native()
        elif isinstance(value, FloatTerm):
            value = 0.0
        elif isinstance(value, Term):
            raise NotLiftedError(
                f"`{native.__name__}` of a symbolic value of sort {value.sort} is not lifted"
            )
        result = special(value, "__index__")
        return native(value if result is NotImplemented else result)


for _native, _base in {bin: 2, oct: 8, hex: 16}.items():
    _in_base(_native, _base)
