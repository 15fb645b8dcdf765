"""Templates: `str.format`, `str.format_map` and the operator `%` of strings and bytes.

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
from solvent.terms.texts import LAST_CODE, CodesTerm, TextTerm, codes_of, octets, text
from solvent.vm.buffers import shadow
from solvent.vm.kinds import STANDS_FOR, StandIn, python_type, type_name
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
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


# What is written of a value without unions.
_Written = Callable[[_Directive, Value], Value]

# Behind the key, which may have parentheses inside.
_DIRECTIVE = re.compile(r"([-+ #0]*)(\*|[0-9]+|)(?:\.(\*|[0-9]+|))?[hlL]?(.)", re.DOTALL)


def filled_in(template: str, values: Value) -> Value:
    """`template % values`."""
    if is_concrete(values):
        return template % values
    return _each_kind(values, "c" in template, lambda found: _filled_in(template, found))


def _filled_in(template: str, values: Value) -> Value:
    _try_samples(template, values)
    return _joined(template, values, _written, str)


def filled_in_bytes(template: bytes, values: Value) -> Value:
    """`template % values`: like a text in which a byte is the character with its number."""
    if is_concrete(values):
        return template % values
    return _each_kind(values, b"c" in template, lambda found: _filled_in_bytes(template, found))


def _filled_in_bytes(template: bytes, values: Value) -> Value:
    for value in _parts(values).values():
        _refuse_buffer(value)
    _try_samples(template, values)
    found = _joined(template.decode("latin-1"), values, _written_as_bytes, _key_of_bytes)
    return _over(found, _as_octets)


def _as_octets(found: Value) -> Value:
    """Bytes with the numbers of the characters of a text."""
    codes = codes_of(str, found)
    if codes is None:
        raise NotLiftedError(
            "`%` formatting of a symbolic number without known bounds into bytes is not lifted; "
            "assume bounds on it"
        )
    return octets(codes)


def _refuse_buffer(value: Value) -> None:
    """Refuse what is like bytes, and holds symbolic ones."""
    is_view = isinstance(value, StandIn) and python_type(value) is memoryview
    if is_view or (isinstance(value, bytearray) and shadow(value) is not None):
        raise NotLiftedError(
            f"`%` formatting of a symbolic {type_name(value)} into bytes is not lifted; make "
            "`bytes(...)` of it first"
        )


def _key_of_bytes(key: str) -> bytes:
    return key.encode("latin-1")


def _parts(values: Value) -> dict[Value, Value]:
    """What a template is filled with, by its place or key."""
    if type(values) is dict:
        return values
    return dict(enumerate(values if type(values) is tuple else [values]))


def _each_kind(values: Value, by_length: bool, action: Callable[[Value], Value]) -> Value:
    """Do something with values, apart for the members of a union that directives take unlike.

    Which type a value has decides whether a template fits, and of one character `%c` its length.
    """
    for place, part in _parts(values).items():
        if type(part) is not Union:
            continue
        if len({_kind(member, by_length) for _, member in choices_of(part)}) > 1:
            return over(
                part,
                lambda member: _each_kind(_replaced(values, place, member), by_length, action),  # noqa: B023
            )
    return action(values)


def _kind(value: Value, by_length: bool) -> tuple[type, bool]:
    is_text = by_length and isinstance(value, (str, bytes, CodesTerm))
    return python_type(value), is_text and len(value) == 1


def _replaced(values: Value, place: Value, member: Value) -> Value:
    """Values with another one at a place."""
    if type(values) is dict:
        return {**values, place: member}
    if type(values) is tuple:
        return (*values[:place], member, *values[place + 1 :])
    return member


def _joined(
    template: str,
    values: Value,
    written: _Written,
    key_of: Callable[[str], str | bytes],
) -> Value:
    """The parts of a template with what is written of each value."""
    arguments = list(values) if type(values) is tuple else [values]
    parts: list[Value] = []
    for part in _parsed(template):
        if isinstance(part, str):
            parts.append(part)
        elif part.kind == "%":
            parts.append("%")
        else:
            counts = [arguments.pop(0) for size in (part.width, part.precision) if size == "*"]
            value = arguments.pop(0) if part.key is None else get_item(values, key_of(part.key))
            parts.append(_with_counts(part, counts, value, written))
    return join_texts(parts)


def _try_samples(template: str | bytes, values: Value) -> None:
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
    """A value like another one as far as its type goes; members of a union are of one kind."""
    if type(value) is Union:
        return _sample(choices_of(value)[0][1])
    if isinstance(value, Term):
        if isinstance(value, StringTerm):
            return "x"
        cls = STANDS_FOR.get(type(value), object)
        return _LETTERS[value.native] * len(value) if isinstance(value, CodesTerm) else cls()
    if is_native(value) or isinstance(value, _BUFFERS):
        return value
    if type(value) in (list, dict, tuple, set):
        return type(value)()
    asked: dict[str, Value] = {name: _one for name in _ASKED if hasattr(value, name)}
    if hasattr(value, "__bytes__"):
        asked["__bytes__"] = _one_byte
    return type(type_name(value), (), asked)()


# What bytes are read from.
_BUFFERS = (bytearray, memoryview)
# A character of each kind of text.
_LETTERS: dict[type, Value] = {str: "x", bytes: b"x"}
# What `%` asks of an object.
_ASKED = ("__index__", "__int__", "__float__", "__getitem__")


def _one(*values: Value) -> int:
    return 1


def _one_byte(*values: Value) -> bytes:
    return b"x"


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


def _with_counts(part: _Directive, counts: list[Value], value: Value, written: _Written) -> Value:
    """The text of a directive whose stars are replaced by numbers."""
    if not counts:
        return _over(value, lambda member: written(part, member))
    return _over(
        each_value(counts[0]), lambda count: _with_count(part, count, counts[1:], value, written)
    )


def _with_count(
    part: _Directive, count: int, counts: list[Value], value: Value, written: _Written
) -> Value:
    if abs(count) > WIDEST:
        raise _too_wide()
    if part.width == "*":
        flags = part.flags + "-" if count < 0 else part.flags
        part = part._replace(width=str(abs(count)), flags=flags)
    else:
        part = part._replace(precision=str(max(0, count)))
    return _with_counts(part, counts, value, written)


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


def _written_as_bytes(part: _Directive, value: Value) -> Value:
    """What is written of a value without unions into bytes, as a text of Latin-1."""
    kind, left = part.kind, "-" in part.flags
    codes = codes_of(bytes, bytes(value) if isinstance(value, _BUFFERS) else value)
    if kind in "ra":
        return _written(part._replace(kind="a"), value)
    if codes is not None and kind == "c":
        return _placed(text(codes), left, part.width, None)
    if codes is not None and kind in "bs":
        return _written(part._replace(kind="s"), text(codes))
    if kind == "c" and isinstance(value, (IntTerm, BoolTerm)):
        number = value.as_int() if isinstance(value, BoolTerm) else value
        check_range(number, 0, 255, b"%c".__mod__)
        return _placed(text((number,)), left, part.width, None)
    if kind in "bs":
        raise NotLiftedError(
            f"`%{kind}` of a {type_name(value)} into bytes beside symbolic values is not lifted; "
            "make `bytes(...)` of it first"
        )
    return _written(part, value)


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
