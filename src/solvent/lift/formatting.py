"""Text of values: `str`, `repr`, `format`, f-strings.

A symbolic int becomes a symbolic string of its digits, with the width, fill and sign that a format
asks for.  Unions are spread.  What the theory of strings cannot say (the digits of a symbolic
float, other bases) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values.characters import refuse_if
from solvent.lift.values.protocol import shown
from solvent.terms import in_re, int_to_str, length, re_range, re_star, substr
from solvent.terms.booleans import BoolTerm, ite, not_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer, Text
from solvent.terms.strings import StringTerm, str_concat
from solvent.terms.term import Term
from solvent.vm.hidden import ELSEWHERE, states_of
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.shapes import record_fields
from solvent.vm.slots import opened
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

_NATIVE = frozenset((str, int, float, bool, bytes, type(None), complex, range))


def join_texts(texts: list[Value]) -> Value:
    """The concatenation of strings, symbolic strings and unions of them."""
    if all(type(text) is str for text in texts):
        return "".join(texts)
    unions = [place for place, text in enumerate(texts) if type(text) is Union]
    if not unions:
        return str_concat(*texts)
    place = unions[0]
    if len(unions) == 1 and not any(type(text) is StringTerm for text in texts):
        before, after = "".join(texts[:place]), "".join(texts[place + 1 :])
        return over(texts[place], lambda member: join_texts([before, member, after]))
    return str_concat(*[as_term(text) for text in texts])


def as_term(text: Value) -> Text:
    """A union of strings as one symbolic string."""
    choices = list(choices_of(text))
    result: Text = choices.pop()[1]
    while choices:
        guard, value = choices.pop()
        result = ite(guard, value, result)
    return result


# --- str and repr ---------------------------------------------------------------------------------


def text_of(value: Value) -> Value:
    """`str(value)`: a string or a symbolic one."""
    # A chain by type: of all types only strings and exceptions have another text here.
    cls = type(value)
    if cls in _NATIVE:
        return str(value)
    if cls is StringTerm:
        return value
    if cls is Union:
        return over(value, text_of)
    if ELSEWHERE and states_of(value) is not None:
        return Direct(str)(value)
    method: Callable[..., Value] = cls.__str__
    if type(method) is FunctionType and not isinstance(value, Term):
        return checked(call(method)(value), "__str__")
    if isinstance(value, BaseException) and method in (BaseException.__str__, KeyError.__str__):
        return _exception_text(value)
    if method is object.__str__ or isinstance(value, Term):
        return representation(value)
    if is_concrete(value):
        return str(value)
    return representation(value)


def checked(text: Value, name: str) -> Value:
    """The result of a method that must return a string."""
    for _, member in choices_of(text):
        if not isinstance(member, (str, StringTerm)):
            kind = type_name(member)
            raise TypeError(f"{name} returned non-string (type {kind})")
    return text


def _exception_text(error: BaseException) -> Value:
    arguments = error.args
    if len(arguments) == 1:
        (only,) = arguments
        return representation(only) if isinstance(error, KeyError) else text_of(only)
    return representation(arguments) if arguments else ""


def representation(value: Value) -> Value:
    """`repr(value)`: a string or a symbolic one."""
    return repr(value) if type(value) in _NATIVE else shown(value, _TEXTS)


class _Texts:
    """What the types of values make their texts with."""

    def of(self, value: Value) -> Value:
        """`repr(value)`."""
        return representation(value)

    def by_method(self, value: Value) -> Value:
        """What the `__repr__` that is written in Python returns; that of records is known."""
        cls = type(value)
        method = cls.__repr__
        names = record_fields(cls)
        if names is not None and "repr_fmt" in method.__code__.co_freevars:
            return _fields_text(cls.__name__, zip(names, value, strict=True))
        if _is_record_method(method):
            fields = [
                (field.name, getattr(value, field.name))
                for field in value.__dataclass_fields__.values()
                if field.repr and field._field_type.name == "_FIELD"
            ]
            return _fields_text(cls.__qualname__, fields)
        return checked(call(method)(value), "__repr__")

    def joined(self, *texts: Value) -> Value:
        """One text after the other."""
        return join_texts(list(texts))

    def listed(self, start: str, values: Iterable[Value], end: str) -> Value:
        """The texts of values, with commas between them."""
        return join_texts([start, *_separated([representation(value) for value in values]), end])

    def are_plain(self, values: Iterable[Value]) -> bool:
        """Whether values are plain data, so that the text is Python's own."""
        return set(map(type, values)) <= _NATIVE

    def refused(self, value: Value) -> NotLiftedError:
        """Why there is no text of a value whose contents differ between paths."""
        return NotLiftedError(
            f"the text of a {type(value).__name__} whose contents differ between paths is not "
            "lifted; format its items one by one"
        )


_TEXTS = _Texts()


def _is_record_method(method: Value) -> bool:
    """Whether `dataclasses` wrote a `__repr__`."""
    while hasattr(method, "__wrapped__"):
        method = method.__wrapped__
    return "__create_fn__" in method.__code__.co_qualname


def _fields_text(name: str, fields: Iterable[tuple[str, Value]]) -> Value:
    texts = [join_texts([f"{field}=", representation(value)]) for field, value in fields]
    return join_texts([f"{name}(", *_separated(texts), ")"])


def _separated(texts: list[Value]) -> list[Value]:
    result: list[Value] = []
    for text in texts:
        result += [", ", text] if result else [text]
    return result


# --- format ---------------------------------------------------------------------------------------

_INT_SPEC = re.compile(r"(?:(.)?([<>=^]))?([-+ ])?(0)?(\d+)?d?", re.DOTALL)
_TEXT_SPEC = re.compile(r"(?:(.)?([<>^]))?(0)?(\d+)?(?:\.(\d+))?s?", re.DOTALL)


def formatted(value: Value, spec: Value = "") -> Value:
    """`format(value, spec)`."""
    if type(spec) is Union:
        return over(spec, lambda member: formatted(value, member))
    if type(value) is Union:
        return over(value, lambda member: formatted(member, spec))
    if isinstance(spec, Term):
        raise NotLiftedError(
            "a symbolic format specification is not lifted; choose between concrete ones with `if`"
        )
    cls = type(value)
    if cls in _NATIVE:
        return format(value, spec)
    if isinstance(value, Term):
        return _formatted_term(value, spec)
    method: Callable[..., Value] = cls.__format__
    if type(method) is FunctionType:
        return checked(call(method)(value, spec), "__format__")
    if method is object.__format__:
        if spec == "":
            return text_of(value)
        raise TypeError(f"unsupported format string passed to {type_name(value)}.__format__")
    return format(value, spec)


def _formatted_term(value: Value, spec: str) -> Value:
    if spec == "":
        return text_of(value)
    cls = type(value)
    if cls is BoolTerm:
        value, cls = value.as_int(), IntTerm
    found = (_INT_SPEC if cls is IntTerm else _TEXT_SPEC).fullmatch(spec)
    if found is None or cls not in (IntTerm, StringTerm):
        raise NotLiftedError(
            f"the format specification {spec!r} is not lifted for a symbolic value of sort "
            f"{value.sort}; only fill, alignment, sign and width are"
        )
    if cls is IntTerm:
        return _formatted_int(value, *found.groups())
    fill, align, zero, width, precision = found.groups()
    text = value if precision is None else substr(value, 0, int(precision))
    return padded(text, int(width or 0), fill or zero or " ", align or "<")


def _formatted_int(
    value: IntTerm, fill: str | None, align: str | None, sign: str | None, zero: str | None,
    width: str | None,
) -> Text:  # fmt: skip
    digits = int_to_str(ite(value >= 0, value, -value))
    front = ite(value >= 0, sign if sign in ("+", " ") else "", "-")
    align = align or ("=" if zero else ">")
    fill = fill or zero or " "
    if align == "=":
        missing = int(width or 0) - length(front)
        return str_concat(front, _padding(fill, int(width or 0), missing - length(digits)), digits)
    return padded(str_concat(front, digits), int(width or 0), fill, align)


def _padding(fill: str, most: int, count: Integer) -> Text:
    """A fill character, repeated a symbolic number of times."""
    return substr(fill * most, 0, count)


def padded(text: Text, width: int, fill: str, align: str) -> Text:
    """A symbolic string with a least width."""
    missing = width - length(text)
    if align == "<":
        return str_concat(text, _padding(fill, width, missing))
    if align == ">":
        return str_concat(_padding(fill, width, missing), text)
    left = missing // 2
    before, after = _padding(fill, width, left), _padding(fill, width, missing - left)
    return str_concat(before, text, after)


def format_parts(parts: tuple[str | tuple[Value, int, Value], ...]) -> Value:
    """An f-string: literals, and triples of a value, a conversion and a format specification."""
    texts = [part if isinstance(part, str) else _part(*part) for part in parts]
    return join_texts(texts)


def _part(value: Value, conversion: int, spec: Value) -> Value:
    guard, value = opened(value)
    if guard is not True:
        current().fail_if(not_(guard), AttributeError("attribute is not set"))
    if conversion == 115:
        value = text_of(value)
    elif conversion == 114:
        value = representation(value)
    elif conversion == 97:
        value = ascii_text(value)
    return formatted(value, spec)


def ascii_text(value: Value) -> Value:
    """`ascii(value)`: `repr` for what holds symbolic values, which it escapes or refuses alike."""
    if type(value) in _NATIVE:
        return ascii(value)
    text = representation(value)
    return over(text, _ascii) if type(text) is Union else _ascii(text)


def _ascii(text: Text) -> Text:
    if isinstance(text, StringTerm):
        plain = in_re(text, re_star(re_range("\0", "\x7f")))
        refuse_if(
            not_(plain), "the `ascii` of a symbolic value with other characters is not lifted"
        )
        return text
    return text.encode("ascii", "backslashreplace").decode("ascii")
