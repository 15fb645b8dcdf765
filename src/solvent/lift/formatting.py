"""Text of values: `str`, `repr`, `format`, f-strings.

A symbolic int of a known range, or a text of known length, is spelled out (`spelling.formats`).
An int without a range becomes a string of the solvers' theory, with the width, fill and sign that a
format asks for; what that theory cannot say (other bases, groups of digits) is refused.  Unions are
spread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.messages import raised
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.codecs import SymbolicUnicodeError, message_of
from solvent.lift.spelling.formats import (
    Specification,
    each_specification,
    specification,
    spelled_float,
    spelled_int,
    spelled_text,
)
from solvent.lift.spelling.kinds import TEXTS
from solvent.lift.spelling.quoting import escaped, quoted
from solvent.lift.spelling.theory import as_string
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values.characters import refuse_if
from solvent.lift.values.protocol import shown
from solvent.terms import in_re, int_to_str, length, re_range, re_star, substr
from solvent.terms.booleans import BoolTerm, ite, not_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer, Text
from solvent.terms.strings import StringTerm, str_concat
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.vm.hidden import ELSEWHERE, states_of
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.shapes import record_fields
from solvent.vm.slots import opened
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

_NATIVE = frozenset((str, int, float, bool, bytes, type(None), complex, range))


def is_native(value: Value) -> bool:
    """Whether a value is plain data, of which Python makes the text."""
    return type(value) in _NATIVE


def join_texts(texts: list[Value]) -> Value:
    """The concatenation of strings, symbolic strings and unions of them."""
    if all(type(text) is str for text in texts):
        return "".join(texts)
    if not any(type(member) is StringTerm for text in texts for _, member in choices_of(text)):
        return all_of(TEXTS, texts)
    return str_concat(*[as_term(text) for text in texts])


def as_term(text: Value) -> Text:
    """A union of strings as one symbolic string."""
    choices = list(choices_of(text))
    result = as_string(choices.pop()[1])
    while choices:
        guard, value = choices.pop()
        result = ite(guard, as_string(value), result)
    return result


# --- str and repr ---------------------------------------------------------------------------------


def text_of(value: Value) -> Value:
    """`str(value)`: a string or a symbolic one."""
    # A chain by type: of all types only strings and exceptions have another text here.
    cls = type(value)
    if cls in _NATIVE:
        return str(value)
    if cls is StringTerm or cls is TextTerm:
        return value
    if cls is Union:
        return over(value, text_of)
    if ELSEWHERE and states_of(value) is not None:
        return Direct(str)(value)
    method: Callable[..., Value] = cls.__str__
    if type(method) is FunctionType and not isinstance(value, Term):
        return checked(call(method)(value), "__str__")
    if isinstance(value, SymbolicUnicodeError):
        return message_of(value)
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
        if not isinstance(member, (str, StringTerm, TextTerm)):
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


def formatted(value: Value, spec: Value = "") -> Value:
    """`format(value, spec)`."""
    if type(spec) is Union:
        return over(spec, lambda member: formatted(value, member))
    if type(value) is Union:
        return over(value, lambda member: formatted(member, spec))
    if type(spec) is TextTerm:
        return formatted(value, each_specification(spec))
    if isinstance(spec, StringTerm):
        raise NotLiftedError(
            "a symbolic format specification without a known length is not lifted; choose between "
            "concrete ones with `if`"
        )
    if type(spec) is not str and not isinstance(spec, str):
        raise TypeError(f"format() argument 2 must be str, not {type_name(spec)}")
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
    if cls is TextTerm:
        return spelled_text(value.codes, specification(spec, str))
    if cls is BytesTerm:
        raise raised(format, b"", spec)
    if cls is StringTerm:
        return _formatted_string(value, specification(spec, str))
    if cls is IntTerm or cls is BoolTerm:
        found = specification(spec, int if cls is IntTerm else bool)
        return formatted_int(value if cls is IntTerm else value.as_int(), found, spec)
    if cls is FloatTerm:
        return formatted_float(value, specification(spec, float), spec)
    raise NotLiftedError(
        f"the format specification {spec!r} is not lifted for a symbolic value of sort "
        f"{value.sort}; format it after the run"
    )


def _formatted_string(text: StringTerm, spec: Specification) -> Text:
    part = text if spec.precision is None else substr(text, 0, spec.precision)
    return padded(part, spec.width, spec.fill, spec.align)


def formatted_int(value: IntTerm, spec: Specification, shown: str) -> Value:
    """A symbolic int as a specification asks for it, which has a text of its own."""
    result = spelled_int(value, spec)
    if result is not None:
        return result
    if spec.kind not in ("", "d", "n") or spec.grouping or spec.precision is not None:
        raise NotLiftedError(
            f"the format specification {shown!r} is not lifted for a symbolic int without known "
            "bounds; assume bounds on it"
        )
    digits = int_to_str(ite(value >= 0, value, -value))
    front = ite(value >= 0, spec.sign if spec.sign in ("+", " ") else "", "-")
    if spec.align == "=":
        missing = spec.width - length(front)
        filling = _padding(spec.fill, spec.width, missing - length(digits))
        return str_concat(front, filling, digits)
    return padded(str_concat(front, digits), spec.width, spec.fill, spec.align)


def formatted_float(value: FloatTerm, spec: Specification, shown: str) -> Value:
    """A symbolic float as a specification asks for it, which has a text of its own."""
    result = spelled_float(value, spec)
    if result is None:
        raise NotLiftedError(
            f"the format specification {shown!r} is not lifted for this symbolic float; assume "
            "that it is below 1e15 and use a fixed number of decimals such as `.2f`"
        )
    return result


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
    return join_texts([part if isinstance(part, str) else field_text(*part) for part in parts])


def field_text(value: Value, conversion: int, spec: Value) -> Value:
    """The text of a replacement field; the conversion is the code of a letter, or negative."""
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
    if type(value) is TextTerm:
        return quoted(value.codes, in_ascii=True)
    if type(value) is Union:
        return over(value, ascii_text)
    text = representation(value)
    if type(value) is BytesTerm:
        return text
    return over(text, _ascii) if type(text) is Union else _ascii(text)


def _ascii(text: Value) -> Value:
    if type(text) is TextTerm:
        return escaped(text.codes)
    if isinstance(text, StringTerm):
        plain = in_re(text, re_star(re_range("\0", "\x7f")))
        refuse_if(
            not_(plain), "the `ascii` of a symbolic value with other characters is not lifted"
        )
        return text
    plain_text: str = text.encode("ascii", "backslashreplace").decode("ascii")
    return plain_text
