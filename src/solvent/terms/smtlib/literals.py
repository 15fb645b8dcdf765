r"""Concrete values as SMT-LIB text, and the text of literals as values.

Negative numbers and fractions are applications of `-` and `/`.  In strings, everything but
printable ASCII is written as `\u{...}`, and so is the backslash, which would begin such an escape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from solvent.errors import SortError
from solvent.terms.kinds import Concrete
from solvent.terms.softfloat import FP, from_python
from solvent.terms.sorts import bitvec_sort, describe
from solvent.terms.values import BV, make_bv

# Python refuses to convert between int and decimal text beyond some 4,300 digits at once.
_DIGITS = 4000


def numeral(value: int) -> str:
    """The digits of a natural number, however many.

    >>> numeral(120), len(numeral(10**10000))
    ('120', 10001)
    """
    blocks = []
    while value >= 10**_DIGITS:
        value, block = divmod(value, 10**_DIGITS)
        blocks.append(str(block).zfill(_DIGITS))
    return str(value) + "".join(reversed(blocks))


# The text of a number has at most so many digits, those of the largest number in terms.
MOST_DIGITS = 300_000


def number(digits: str) -> int:
    """The natural number that digits stand for, however many.

    >>> number("120"), number("1" + "0" * 10000) == 10**10000
    (120, True)
    """
    if len(digits) <= _DIGITS:
        return int(digits)
    value = 0
    for start in range(0, len(digits), _DIGITS):
        block = digits[start : start + _DIGITS]
        value = value * 10 ** len(block) + int(block)
    return value


def _int_text(value: int) -> str:
    return numeral(value) if value >= 0 else f"(- {numeral(-value)})"


def _fraction_text(value: Fraction) -> str:
    text = f"{numeral(abs(value.numerator))}.0"
    if value.denominator != 1:
        text = f"(/ {text} {numeral(value.denominator)}.0)"
    return text if value >= 0 else f"(- {text})"


def _bits_text(value: BV) -> str:
    width = value.sort.width
    if width % 4 == 0:
        return f"#x{value.value:0{width // 4}x}"
    return f"#b{value.value:0{width}b}"


_UNPRINTABLE = re.compile(r"[^ -\[\]-~]")


def _string_text(value: str) -> str:
    escaped = _UNPRINTABLE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", value)
    return '"' + escaped.replace('"', '""') + '"'


# A reference to a character: \u{X} with up to five digits, or \uXXXX.
_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))")


def _unescape(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code <= 0x2FFFF else match[0]


def string_value(token: str) -> str:
    r"""The string that a literal stands for.

    >>> string_value(r'"say ""hi""\u{21}"')
    'say "hi"!'
    """
    return _ESCAPE.sub(_unescape, token[1:-1].replace('""', '"'))


def bits_value(token: str) -> BV:
    """The bitvector that a hexadecimal or binary literal stands for.

    >>> bits_value("#x0f"), bits_value("#b101")
    (bv(15, 8), bv(5, 3))
    """
    digits = token[2:]
    if token[1] == "x":
        return make_bv(int(digits, 16), bitvec_sort(4 * len(digits)))
    return make_bv(int(digits, 2), bitvec_sort(len(digits)))


VALUE_TEXT: dict[type, Callable[[Any], str]] = {
    bool: lambda value: "true" if value else "false",
    int: _int_text,
    Fraction: _fraction_text,
    BV: _bits_text,
    str: _string_text,
    FP: lambda value: value.smt,
    float: lambda value: from_python(value).smt,
}


def value_text(value: Concrete) -> str:
    r"""A concrete number, truth value, bitvector, float or string as SMT-LIB text.

    >>> from fractions import Fraction
    >>> from solvent.terms import bv
    >>> [value_text(v) for v in (-5, Fraction(-1, 3), bv(10, 8), True, "é\\")]
    ['(- 5)', '(- (/ 1.0 3.0))', '#x0a', 'true', '"\\u{e9}\\u{5c}"']
    """
    write = VALUE_TEXT.get(value.__class__)
    if write is None:
        raise SortError(f"{describe(value)} has no literal in SMT-LIB")
    return write(value)
