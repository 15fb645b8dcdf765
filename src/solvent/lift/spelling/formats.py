"""Format specifications: ints and texts written as `format` and `%` write them.

A specification is read once and tried on a sample: what the running Python raises is raised, and
where it writes the sample in another way than it is written here, the specification is refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.leaves import each_text, few_floats
from solvent.lift.spelling.decimals import (
    Digits,
    Style,
    as_double,
    fixed,
    general,
    leading,
    scientific,
)
from solvent.lift.spelling.fixed_point import fixed_digits, special_rows
from solvent.lift.spelling.numerals import digit_rows, is_negative
from solvent.lift.spelling.shortest import fixed_rows, leading_digits, shortest_digits
from solvent.lift.spelling.significands import Significand, of_ints, significand
from solvent.lift.spelling.spans import Codes
from solvent.lift.words import check_range
from solvent.terms import is_negative as has_minus
from solvent.terms.booleans import BoolTerm, and_, eq, ite, not_, or_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.texts import LAST_CODE, TextTerm, text
from solvent.vm.merge import gathered
from solvent.vm.spread import over_pure
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

# Wider texts, and more digits behind the point, are not spelled out.
WIDEST = 1000
# The texts of so many floats are made one by one, if their digits are hard to compute.
_MOST_TEXTS = 4096
# A symbolic specification is one of at most so many.
MOST_SPECIFICATIONS = 128

_BASES = {"b": 2, "o": 8, "x": 16, "X": 16}
_FLOATING = frozenset("eEfFgG%")
# Its digits are enough to be grouped, and it is the code of a character.
_SAMPLES: dict[type, int | str | float] = {int: 123456, bool: True, str: "ab", float: 1.5}


class Specification(NamedTuple):
    """What a format specification asks for.

    >>> specification("*^+#12_x", int)[:6]
    ('*', '^', '+', True, 12, '_')
    """

    fill: str
    align: str
    sign: str
    alternate: bool
    width: int
    grouping: str
    precision: int | None
    kind: str
    # Whether a negative number that is rounded to zero has no sign.
    unsigned_zero: bool = False


# What `repr` writes of a float.
PLAIN = Specification(" ", ">", "-", False, 0, "", None, "")

_GRAMMAR = re.compile(
    r"(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?(.)?", re.DOTALL
)


def _parsed(spec: str, default_align: str) -> Specification | None:
    found = _GRAMMAR.fullmatch(spec)
    if found is None:
        return None
    fill, align, sign, unsigned, alternate, zero, width, grouping, precision, kind = found.groups()
    # With a fill character, a zero is the first digit of the width.
    if zero and fill is None:
        fill = "0"
        align = align or ("=" if default_align == ">" else default_align)
    return Specification(
        fill or " ",
        align or default_align,
        sign or "-",
        alternate is not None,
        int(width or 0),
        grouping or "",
        None if precision is None else int(precision),
        kind or "",
        unsigned is not None,
    )


def specification(spec: str, native: type) -> Specification:
    """What a specification asks for; raises what the running Python raises for a wrong one."""
    found = _parsed(spec, "<" if native is str else ">")
    if found is not None:
        for size in (found.width, found.precision or 0):
            if WIDEST < size <= sys.maxsize:
                raise NotLiftedError(
                    f"the format specification {spec!r} of a symbolic value is not lifted, as it "
                    f"asks for more than {WIDEST} characters"
                )
    sample = _SAMPLES[native]
    written = format(sample, spec)
    if found is None or (native is not float and _written(sample, found) != written):
        raise NotLiftedError(
            f"the format specification {spec!r} is not lifted for symbolic values; format them "
            "after the run"
        )
    return found


def _written(sample: int | str | float, spec: Specification) -> Value:
    if isinstance(sample, str):
        return spelled_text(tuple(map(ord, sample)), spec)
    return spelled_int(int(sample), spec)


def each_specification(spec: TextTerm) -> Value:
    """A symbolic specification as a choice between the texts that it may be.

    >>> from solvent.terms import Int
    >>> each_specification(text((Int("w") % 2 + 49, 100)))
    Union('1d' if mod(w, 2) == 0, '2d')
    """
    found = each_text(spec, MOST_SPECIFICATIONS)
    if found is None:
        raise NotLiftedError(
            "a symbolic format specification is not lifted unless it is one of at most "
            f"{MOST_SPECIFICATIONS}; assume bounds on its width, or choose between concrete "
            "ones with `if`"
        )
    return found


def each_value(value: Value) -> Value:
    """A symbolic int as a choice between the numbers that it may be.

    >>> from solvent.terms import Int
    >>> each_value(Int("w") % 3)
    Union(0 if mod(w, 3) == 0, 1 if mod(w, 3) == 1, 2)
    """
    if type(value) is BoolTerm:
        value = value.as_int()
    if type(value) is not IntTerm:
        return value
    low, high = bounds(value)
    if low is None or high is None or high - low >= MOST_SPECIFICATIONS:
        raise NotLiftedError(
            f"a symbolic width, precision or base with more than {MOST_SPECIFICATIONS} values is "
            "not lifted; assume bounds on it"
        )
    if low == high:
        return low
    rows = [(eq(value, number), number) for number in range(low, high)]
    return Union((*rows, (True, high)))


# --- texts ----------------------------------------------------------------------------------------


def spelled_text(codes: Codes, spec: Specification) -> Value:
    """`format(text, spec)`."""
    return text(_padded(codes[: spec.precision], spec.width, spec.fill, spec.align))


def _padded(codes: Sequence[Integer], width: int, fill: str, align: str) -> list[Integer]:
    missing = max(0, width - len(codes))
    left = {"<": 0, ">": missing, "^": missing // 2}[align]
    return [*(ord(fill),) * left, *codes, *(ord(fill),) * (missing - left)]


# --- ints -----------------------------------------------------------------------------------------


def spelled_int(value: Integer, spec: Specification) -> Value:
    """`format(value, spec)`, or `None` if the int may be too large to be spelled out."""
    if spec.kind == "c":
        check_range(value, 0, LAST_CODE, _as_character)
        # A character is no digit, so that zeros are filled in and not grouped.
        return text(_arranged(spec, "", "", (), (value,)))
    negative = is_negative(value)
    rows = _digits(ite(negative, -value, value), spec)
    if rows is None:
        return None
    return _with_signs(spec, negative, rows)


def _with_signs(spec: Specification, negative: Guard, rows: list[Digits]) -> Value:
    """Numbers with their signs, prefixes and what fills them up, as one text."""
    prefix = f"0{spec.kind}" if spec.alternate and spec.kind in _BASES else ""
    plus = "" if spec.sign == "-" else spec.sign
    found: list[Choice] = []
    for guard, whole, rest in rows:
        for here, sign in ((not_(negative), plus), (negative, "-")):
            both = and_(guard, here)
            if both is not False:
                found.append((both, text(_arranged(spec, sign, prefix, whole, rest))))
    return gathered(found)


def spelled_float(value: FloatTerm, spec: Specification) -> Value:
    """`format(value, spec)`, or `None` if it has too many decimals.

    Of few values CPython itself writes the texts.
    """
    few = few_floats(value)
    if few is None and not _is_easy(value, spec):
        few = few_floats(value, _MOST_TEXTS)
    if few is not None:
        return over_pure(few, lambda number: format(number, _written_out(spec)))
    number = value * 100.0 if spec.kind == "%" else value
    assert isinstance(number, FloatTerm), "a symbolic float times a number is symbolic"
    found = _fixed(number, spec) if spec.kind and spec.kind in "fF%" else _floating(number, spec)
    if found is None:
        return None
    negative, zero, rows = found
    if spec.kind and spec.kind in "EFG":
        rows = [row if row.whole else row._replace(rest=capital(row.rest)) for row in rows]
    elif spec.kind == "%":
        rows = [row._replace(rest=(*row.rest, 37)) for row in rows]
    if spec.unsigned_zero:
        negative = and_(negative, not_(zero))
    return _with_signs(spec, negative, rows)


def _is_easy(value: FloatTerm, spec: Specification) -> bool:
    """Whether the digits of a float are those of an int that is not divided by much."""
    size = of_ints(value)
    shortest = not spec.kind and spec.precision is None
    return size is not None and (size.decimal is not None or not shortest)


def _written_out(spec: Specification) -> str:
    """A specification as it is written."""
    return "".join(
        (
            spec.fill + spec.align + spec.sign,
            "z" if spec.unsigned_zero else "",
            "#" if spec.alternate else "",
            str(spec.width or ""),
            spec.grouping,
            "" if spec.precision is None else f".{spec.precision}",
            spec.kind,
        )
    )


# Whether a float has a minus, whether it is written as zero, and its digits.
_Parts = tuple[Guard, Guard, list[Digits]]


def _floating(value: FloatTerm, spec: Specification) -> _Parts:
    """A float with so many digits, or the shortest ones."""
    size = significand(value)
    finite = not_(or_(size.nan, size.infinite))
    rows = [
        *special_rows(size.nan, size.infinite),
        *(row._replace(guard=and_(finite, row.guard)) for row in _floating_rows(size, spec)),
    ]
    zero = and_(finite, eq(size.number, 0))
    return size.negative, zero, [row for row in rows if row.guard is not False]


def _fixed(value: FloatTerm, spec: Specification) -> _Parts | None:
    """A float with a fixed number of decimals."""
    precision = 6 if spec.precision is None else spec.precision
    size = of_ints(value)
    if size is None or size.nan is not False:
        found = fixed_digits(value, precision, spec.alternate)
        return None if found is None else (has_minus(value), *found)
    exact = fixed_rows(size, precision, spec.alternate)
    return None if exact is None else (size.negative, *exact)


# So many digits tell all floats apart that have an exponent which `repr` does not write.
_UNWRITTEN = 16


def _floating_rows(size: Significand, spec: Specification) -> list[Digits]:
    """The digits of a finite float as the types `e`, `g`, `n` and none write them."""
    letter = "E" if spec.kind.isupper() else "e"
    precision = 6 if spec.precision is None else spec.precision
    if spec.kind and spec.kind in "eE":
        return scientific(leading_digits(size, precision + 1), spec.alternate, letter)
    if not spec.kind and spec.precision is None:
        style = Style(_UNWRITTEN, spec.alternate, digit=True)
        return general(shortest_digits(size), style)
    if spec.kind == "n" and format(1234567.5, ".8n") != "1234567.5":
        raise NotLiftedError(
            "the type `n` of a symbolic float is not lifted in a locale that groups digits or has "
            "another point; use `g`"
        )
    precision = max(1, precision)
    bare = not spec.kind
    style = Style(precision - bare, spec.alternate, bare, letter, zeros=spec.alternate)
    return general(leading_digits(size, precision), style)


def _as_character(number: int) -> str:
    return format(number, "c")


def _digits(size: Integer, spec: Specification) -> list[Digits] | None:
    """The digits of an int that is not negative, without sign and prefix."""
    kind = spec.kind
    if kind in _FLOATING:
        precision = 6 if spec.precision is None else spec.precision
        return floating_digits(size, kind, precision, spec.alternate)
    rows = digit_rows(size, _BASES.get(kind, 10))
    if rows is None:
        return None
    # Only `%` takes a precision here: the least number of digits.
    least = spec.precision or 0
    rows = [(guard, (*(48,) * (least - len(codes)), *codes)) for guard, codes in rows]
    if kind == "X":
        rows = [(guard, capital(codes)) for guard, codes in rows]
    return [Digits(guard, codes) for guard, codes in rows]


def capital(codes: Codes) -> Codes:
    """Digits with capital letters."""
    return tuple(ite(code >= 97, code - 32, code) for code in codes)


def floating_digits(
    size: Integer, kind: str, precision: int, alternate: bool
) -> list[Digits] | None:
    """The digits of an int that is not negative, as a float has them."""
    number = as_double(size)
    if number is not None and kind == "%":
        number = as_double(100 * number)
    if number is None:
        return None
    letter = "E" if kind.isupper() else "e"
    if kind in "eE":
        digits = leading(number, precision + 1)
        return None if digits is None else scientific(digits, alternate, letter)
    if kind in "gG":
        precision = max(1, precision)
        digits = leading(number, precision)
        style = Style(precision, alternate, letter=letter, zeros=alternate)
        return None if digits is None else general(digits, style)
    rows = fixed(number, precision, alternate)
    if rows is None or kind != "%":
        return rows
    return [Digits(guard, whole, (*rest, 37)) for guard, whole, rest in rows]


def _arranged(
    spec: Specification, sign: str, prefix: str, whole: Codes, rest: Codes
) -> list[Integer]:
    """A number with its sign and prefix, its digits in groups, and what fills it up."""
    front = tuple(map(ord, sign + prefix))
    zeros = spec.fill == "0" and spec.align == "="
    grouped = _grouped(whole, spec, spec.width - len(front) - len(rest) if zeros else 0)
    if spec.align != "=":
        return _padded((*front, *grouped, *rest), spec.width, spec.fill, spec.align)
    missing = spec.width - len(front) - len(grouped) - len(rest)
    return [*front, *(ord(spec.fill),) * missing, *grouped, *rest]


def _grouped(whole: Codes, spec: Specification, least: int) -> Codes:
    """Digits with separators between groups, and zeros in front of them up to a least width."""
    if not spec.grouping or not whole:
        return whole
    size = 4 if spec.kind in _BASES else 3
    separator = ord(spec.grouping)
    result: Codes = ()
    while whole or len(result) < least:
        if result:
            result = (separator, *result)
        # A group has at least one digit, also where the width would end at the separator.
        count = min(size, max(len(whole), least - len(result), 1))
        group = whole[-count:]
        result = (*(48,) * (count - len(group)), *group, *result)
        whole = whole[:-count]
    return result
