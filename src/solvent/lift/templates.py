"""Templates: `str.format`, `str.format_map` and the operator `%` of strings.

The template is concrete.  A field with a concrete value is Python's own; the others are written by
`formatting`.  A template and values that do not fit are found by trying the template on samples.
"""

from __future__ import annotations

import re
import string
from _string import formatter_field_name_split  # type: ignore[import-not-found]
from collections.abc import Callable
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.attributes import read_attribute
from solvent.lift.formatting import (
    ascii_text,
    field_text,
    formatted,
    formatted_float,
    formatted_int,
    is_native,
    join_texts,
    representation,
    text_of,
)
from solvent.lift.messages import raised
from solvent.lift.spelling.formats import WIDEST, Specification, each_value
from solvent.lift.unlifted import is_concrete
from solvent.lift.values.protocol import get_item
from solvent.lift.words import check_range
from solvent.terms.booleans import BoolTerm
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, TextTerm, text
from solvent.vm.kinds import STANDS_FOR, type_name
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value

# How deep replacement fields may be nested in specifications.
_DEPTH = 2


class Fields:
    """The arguments of `format`, and how its replacement fields are numbered.

    There are no arguments with numbers if `values` is `None`, as in `format_map`.
    """

    def __init__(self, values: tuple[Value, ...] | None, named: Value) -> None:
        self.values = values
        self.named = named
        self.count = 0
        self.automatic: bool | None = None

    def filled(self, template: str, depth: int = _DEPTH) -> Value:
        """A template with its fields replaced."""
        if not depth:
            raise raised("{:{:{}}}".format, 1, 1, 1)
        parts: list[Value] = []
        for literal, field, spec, conversion in string.Formatter().parse(template):
            if literal:
                parts.append(literal)
            if field is not None:
                value = self.value(field)
                if conversion and conversion not in "rsa":
                    raise raised(f"{{!{conversion}}}".format, 1)
                inner = self.filled(spec, depth - 1) if spec and "{" in spec else spec or ""
                parts.append(field_text(value, ord(conversion) if conversion else -1, inner))
        return join_texts(parts)

    def value(self, field: str) -> Value:
        """The value of a field such as `0.name[3]`."""
        first, rest = formatter_field_name_split(field)
        if first == "" or isinstance(first, int):
            value = self.numbered(first)
        else:
            value = get_item(self.named, first)
        for is_attribute, key in rest:
            value = read_attribute(value, key) if is_attribute else get_item(value, key)
        return value

    def numbered(self, number: int | str) -> Value:
        """The value of a field with a number, or with the next one."""
        automatic = number == ""
        if self.automatic is not None and self.automatic is not automatic:
            kinds = ["manual field specification", "automatic field numbering"]
            raise ValueError(f"cannot switch from {kinds[not automatic]} to {kinds[automatic]}")
        self.automatic = automatic
        if isinstance(number, int):
            place = number
        else:
            place = self.count
            self.count += 1
        if self.values is None:
            raise raised("{}".format_map, {})
        if place >= len(self.values):
            message = f"Replacement index {place} out of range for positional args tuple"
            raise IndexError(message)
        return self.values[place]


# --- the operator % -------------------------------------------------------------------------------


class _Directive(NamedTuple):
    """A part of a template: `%(key)-05.3d`; a width or precision may be `*`."""

    key: str | None
    flags: str
    width: str
    precision: str | None
    kind: str


# Behind the key, which may have parentheses inside.
_DIRECTIVE = re.compile(r"([-+ #0]*)(\*|[0-9]+|)(?:\.(\*|[0-9]+|))?[hlL]?(.)", re.DOTALL)


def filled_in(template: str, values: Value) -> Value:
    """`template % values`."""
    if is_concrete(values):
        return template % values
    _try_samples(template, values)
    arguments = list(values) if type(values) is tuple else [values]
    parts: list[Value] = []
    for part in _parsed(template):
        if isinstance(part, str):
            parts.append(part)
        elif part.kind == "%":
            parts.append("%")
        else:
            counts = [arguments.pop(0) for size in (part.width, part.precision) if size == "*"]
            value = arguments.pop(0) if part.key is None else get_item(values, part.key)
            parts.append(_with_counts(part, counts, value))
    return join_texts(parts)


def _try_samples(template: str, values: Value) -> None:
    """Raise what Python raises where a template and values do not fit."""
    samples: Value = _sample(values)
    if type(values) is tuple:
        samples = tuple(map(_sample, values))
    elif type(values) is dict:
        samples = {key: _sample(value) for key, value in values.items()}
    try:
        template % samples
    except OverflowError:
        return
    except Exception as error:
        error.__traceback__ = error.__context__ = None
        raise


def _sample(value: Value) -> Value:
    """A value like another one as far as its type goes."""
    if isinstance(value, Term):
        if isinstance(value, StringTerm):
            return "x"
        cls = STANDS_FOR.get(type(value), object)
        return "x" * len(value) if isinstance(value, TextTerm) else cls()
    if is_native(value):
        return value
    if type(value) in (list, dict, tuple, set):
        return type(value)()
    return type(type_name(value), (), {name: _one for name in _ASKED if hasattr(value, name)})()


# What `%` asks of an object.
_ASKED = ("__index__", "__int__", "__float__", "__getitem__")


def _one(*values: Value) -> int:
    return 1


def _parsed(template: str) -> list[str | _Directive]:
    """The literals and directives of a template that is known to be right."""
    result: list[str | _Directive] = []
    place = 0
    while (start := template.find("%", place)) >= 0:
        result.append(template[place:start])
        place = start + 1
        key = None
        if template[place] == "(":
            end = _closing(template, place)
            key = template[place + 1 : end]
            place = end + 1
        found = _DIRECTIVE.match(template, place)
        assert found is not None, "Python has read the template"
        flags, width, precision, kind = found.groups()
        result.append(_Directive(key, flags, width, precision, kind))
        place = found.end()
    result.append(template[place:])
    return [part for part in result if part]


def _closing(template: str, place: int) -> int:
    """Where the parenthesis at a place is closed."""
    depth = 0
    while True:
        depth += {"(": 1, ")": -1}.get(template[place], 0)
        if not depth:
            return place
        place += 1


def _with_counts(part: _Directive, counts: list[Value], value: Value) -> Value:
    """The text of a directive whose stars are replaced by numbers."""
    if not counts:
        return _over(value, lambda member: _written(part, member))
    return _over(each_value(counts[0]), lambda count: _with_count(part, count, counts[1:], value))


def _with_count(part: _Directive, count: int, counts: list[Value], value: Value) -> Value:
    if abs(count) > WIDEST:
        raise _too_wide()
    if part.width == "*":
        flags = part.flags + "-" if count < 0 else part.flags
        part = part._replace(width=str(abs(count)), flags=flags)
    else:
        part = part._replace(precision=str(max(0, count)))
    return _with_counts(part, counts, value)


def _over(value: Value, action: Callable[[Value], Value]) -> Value:
    return over(value, action) if type(value) is Union else action(value)


def _written(part: _Directive, value: Value) -> Value:
    """The text of a value without unions."""
    _, flags, width, precision, kind = part
    digits = None if precision is None else int(precision or 0)
    if is_native(value):
        behind = "" if digits is None else f".{digits}"
        return f"%{flags}{width}{behind}{kind}" % (value,)
    left = "-" in flags
    if kind in "sra":
        shown = {"s": text_of, "r": representation, "a": ascii_text}[kind](value)
        return _placed(shown, left, width, digits)
    if kind == "c" and type(value) in (TextTerm, StringTerm):
        if type(value) is StringTerm:
            raise NotLiftedError("`%c` of a symbolic string is not lifted; use `%s`")
        return _placed(value, left, width, None)
    decimal = type(value) is FloatTerm and kind in "eEfFgG"
    if type(value) is not IntTerm and type(value) is not BoolTerm and not decimal:
        raise NotLiftedError(
            f"`%{kind}` of a symbolic {type_name(value)} is not lifted; use `int(...)`, or format "
            "it after the run"
        )
    spec = _specification(flags, width, digits, "d" if kind in "iu" else kind)
    shown = f"%{flags}{width}{kind}"
    if decimal:
        return formatted_float(value, spec, shown)
    number = value.as_int() if isinstance(value, BoolTerm) else value
    if kind == "c":
        check_range(number, 0, LAST_CODE, "%c".__mod__)
        return _placed(text((number,)), left, width, None)
    return formatted_int(number, spec, shown)


def _specification(flags: str, width: str, precision: int | None, kind: str) -> Specification:
    """The specification of `format` that means the same, but for the precision of whole numbers."""
    left = "-" in flags
    zeros = "0" in flags and not left
    if max(int(width or 0), precision or 0) > WIDEST:
        raise _too_wide()
    return Specification(
        "0" if zeros else " ",
        "<" if left else "=" if zeros else ">",
        "+" if "+" in flags else " " if " " in flags else "-",
        "#" in flags,
        int(width or 0),
        "",
        precision,
        kind,
    )


def _too_wide() -> NotLiftedError:
    return NotLiftedError(
        f"`%` formatting of symbolic values with more than {WIDEST} characters is not lifted"
    )


def _placed(shown: Value, left: bool, width: str, precision: int | None) -> Value:
    behind = "" if precision is None else f".{precision}"
    return formatted(shown, f"{'<' if left else '>'}{int(width or 0) or ''}{behind}")
