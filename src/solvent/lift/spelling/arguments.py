"""Arguments of the methods of texts: what they must be, and what Python says if they are not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from inspect import Signature
from typing import NoReturn

from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.spelling.kinds import Kind
from solvent.lift.spelling.spans import Codes
from solvent.lift.words import check_word
from solvent.terms.bitvectors import BitVecTerm, bv_to_int
from solvent.terms.booleans import BoolTerm, ite, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import CodesTerm, codes_of
from solvent.vm.kinds import STANDS_FOR
from solvent.vm.machine import current
from solvent.vm.values import Value


def fail_as_python(kind: Kind, name: str, *arguments: Value) -> NoReturn:
    """Raise what Python raises for arguments of wrong types."""
    raise raised(getattr(kind.native, name), kind.sample(1), *map(sample_of, arguments))


def sample_of(value: Value) -> Value:
    if isinstance(value, Term):
        stands_for = STANDS_FOR.get(type(value))
        return value if stands_for is None else stands_for()
    return value


def check_arguments(
    kind: Kind, name: str, method: Signature, arguments: tuple[Value, ...], named: dict[str, Value]
) -> None:
    """Raise what Python raises for arguments that a method does not have."""
    try:
        bound = method.bind(kind, (), *arguments, **named)
        # What is searched for is between at most two bounds.
        if len(bound.arguments.get("bounds", ())) > 2:
            raise TypeError
        # Which arguments have names differs between versions.
        told = getattr(getattr(kind.native, name), "__text_signature__", None)
        if named and told is not None and told.endswith("/)"):
            raise TypeError
    except TypeError:
        kept = {key: sample_of(value) for key, value in named.items()}
        native = partial(getattr(kind.native, name), kind.sample(1), **kept)
        raise raised(native, *map(sample_of, arguments)) from None


def text_or_none(kind: Kind, value: Value) -> Codes | None:
    """The code points of a text, or of what is like bytes."""
    found = codes_of(kind.native, value)
    return _buffer(value) if found is None and kind.native is bytes else found


def wanted_codes(kind: Kind, name: str, value: Value, *before: Value) -> Codes:
    """The code points of an argument that must be a text, or like bytes."""
    found = text_or_none(kind, value)
    if found is None:
        fail_as_python(kind, name, *before, value)
    return found


def wanted_text(kind: Kind, name: str, value: Value) -> Codes:
    """The code points of what to search for; among bytes it may be a number."""
    found = byte_codes(value) if kind.native is bytes else None
    return wanted_codes(kind, name, value) if found is None else found


def byte_codes(value: Value) -> Codes | None:
    """The bytes of what bytes take as a part: a number, or something like bytes."""
    if isinstance(value, CodesTerm):
        return codes_of(bytes, value)
    number = whole(value)
    if number is None:
        return _buffer(value)
    if not isinstance(number, Term):
        return (number,) if 0 <= number < 256 else None
    low, high = bounds(number)
    if low is None or high is None or low < 0 or high > 255:
        outside = or_(number < 0, number > 255)
        current().fail_if(outside, raised(b"".find, 256))
    return (number,)


def _buffer(value: Value) -> Codes | None:
    """The bytes of a concrete object that is like bytes."""
    try:
        return tuple(memoryview(value).tobytes())
    except TypeError:
        return None


def whole(value: Value) -> Integer | None:
    """An argument that Python takes as an index, or `None`."""
    if type(value) is int or type(value) is IntTerm:
        return value
    if type(value) is BoolTerm:
        return value.as_int()
    if type(value) is BitVecTerm:
        return bv_to_int(value)
    if isinstance(value, Term) or not hasattr(type(value), "__index__"):
        return None
    return int(value.__index__())


def count_of(kind: Kind, name: str, value: Value, *before: Value) -> Integer:
    found = whole(value)
    if found is None:
        fail_as_python(kind, name, *before, value)
    check_word(found)
    return found


def span_of(
    kind: Kind, name: str, size: int, part: Value, bounds: Sequence[Value]
) -> tuple[Integer, Integer]:
    """The bounds of a search, as Python adjusts them; the first may be beyond the end."""
    start, end = (*bounds, None, None)[:2]
    low: Integer = 0
    high: Integer = size
    if start is not None:
        low = _index(kind, name, part, start)
        low = ite(low < 0, ite(low + size < 0, 0, low + size), low)
    if end is not None:
        high = _index(kind, name, part, None, end)
        high = ite(high > size, size, ite(high < 0, ite(high + size < 0, 0, high + size), high))
    return low, high


def _index(kind: Kind, name: str, *arguments: Value) -> Integer:
    found = whole(arguments[-1])
    if found is None:
        fail_as_python(kind, name, *arguments)
    return found
