"""Reading and writing number literals other than plain integers."""

from __future__ import annotations

import re

from solvent.boogie import syntax as s
from solvent.reach.positions import NOWHERE, Position

# Python itself refuses to convert longer runs of digits.
DIGIT_LIMIT = 4000
WIDTH_LIMIT = 10**6

_FLOAT = re.compile(r"0x([0-9A-Fa-f]+)\.([0-9A-Fa-f]+)e(-?[0-9]+)f([0-9]+)e([0-9]+)\Z")
_SPECIAL = re.compile(r"0(NaN|nan|\+oo|-oo)([0-9]+)e([0-9]+)\Z")


def parse_bits(text: str, position: Position = NOWHERE) -> s.Expr | str:
    """The literal `5bv8`, or what is wrong with it.

    >>> parse_bits("5bv8"), parse_bits("9bv3")
    (BitVecLiteral(value=5, width=8), 'bitvector literal 9bv3 does not fit in 3 bits')
    """
    digits, width = text.split("bv")
    if len(text) > DIGIT_LIMIT:
        return f"number with {len(text):,} digits is too long"
    if int(width) > WIDTH_LIMIT:
        return f"bitvector width {width} is too large"
    if int(digits) >> int(width):
        return f"bitvector literal {text} does not fit in {width} bits"
    return s.BitVecLiteral(int(digits), int(width), position=position)


def parse_real(text: str, position: Position = NOWHERE) -> s.Expr | str:
    """The literal `1.5` or `15e-1`.

    >>> parse_real("1.50"), parse_real("20e3")
    (RealLiteral(mantissa=15, exponent=-1), RealLiteral(mantissa=2, exponent=4))
    """
    if len(text) > DIGIT_LIMIT:
        return f"number with {len(text):,} digits is too long"
    number, _, exponent = text.partition("e")
    whole, _, fraction = number.partition(".")
    digits = (whole + fraction).rstrip("0")
    power = int(exponent or "0") - len(fraction) + len(whole + fraction) - len(digits)
    mantissa = int(digits or "0")
    return s.RealLiteral(mantissa, power if mantissa else 0, position=position)


def parse_float(text: str, position: Position = NOWHERE) -> s.Expr | str:
    """The literal `0x1.8e0f24e8`, `0NaN24e8` or `0-oo24e8`.

    >>> parse_float("0x1.80e0f24e8").value
    Fraction(3, 2)
    >>> parse_float("0x1.0e32f24e8")
    'float literal 0x1.0e32f24e8 is no number of type float24e8'
    """
    if len(text) > DIGIT_LIMIT:
        return f"number with {len(text):,} digits is too long"
    found = _FLOAT.match(text)
    if found is None:
        special = _SPECIAL.match(text)
        assert special is not None
        name = special.group(1).replace("nan", "NaN")
        sizes = int(special.group(2)), int(special.group(3))
        return s.FloatLiteral(False, 0, 0, name, *sizes, position=position)
    whole, fraction, exponent, significand, exponent_bits = found.groups()
    digits = (whole + fraction).rstrip("0")
    power = int(exponent) - len(fraction) + len(whole + fraction) - len(digits)
    mantissa = int(digits or "0", 16)
    if not _fits(mantissa, 4 * power, int(significand), int(exponent_bits)):
        return f"float literal {text} is no number of type float{significand}e{exponent_bits}"
    return s.FloatLiteral(
        False,
        mantissa,
        power if mantissa else 0,
        "",
        int(significand),
        int(exponent_bits),
        position=position,
    )


def _fits(mantissa: int, power: int, significand: int, exponent_bits: int) -> bool:
    """Whether a mantissa times a power of two is a number of a format, without rounding."""
    if mantissa == 0 or max(significand, exponent_bits) > WIDTH_LIMIT:
        return True
    trailing = (mantissa & -mantissa).bit_length() - 1
    bits, lowest = mantissa.bit_length() - trailing, power + trailing
    largest = (1 << (exponent_bits - 1)) - 1 if exponent_bits else 0
    smallest = 2 - largest - significand
    return bits <= significand and lowest >= smallest and lowest + bits - 1 <= largest


def real_text(literal: s.RealLiteral) -> str:
    """A real literal as source text.

    >>> real_text(s.RealLiteral(15, -1)), real_text(s.RealLiteral(7, 0)), real_text(
    ...     s.RealLiteral(7, 30))
    ('1.5', '7.0', '7e30')
    """
    if literal.exponent == 0:
        return f"{literal.mantissa}.0"
    if -20 <= literal.exponent < 0:
        digits = str(literal.mantissa).rjust(1 - literal.exponent, "0")
        return f"{digits[: literal.exponent]}.{digits[literal.exponent :]}"
    return f"{literal.mantissa}e{literal.exponent}"


def float_text(literal: s.FloatLiteral) -> str:
    """A float literal as source text.

    >>> float_text(s.FloatLiteral(True, 0x18, -1, "", 24, 8))
    '-0x18.0e-1f24e8'
    """
    if literal.special:
        return f"0{literal.special}{literal.significand}e{literal.exponent_bits}"
    size = f"f{literal.significand}e{literal.exponent_bits}"
    sign = "-" if literal.negative else ""
    return f"{sign}0x{literal.mantissa:x}.0e{literal.exponent}{size}"
