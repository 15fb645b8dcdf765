"""`str.encode` and `bytes.decode`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.registry import lifts_method
from solvent.lift.spelling.codecs import decode, encode
from solvent.lift.values.byte_items import as_bytes, is_symbolic_buffer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value


def _spread(coder: Callable[..., Value], source: Value, encoding: Value, errors: Value) -> Value:
    """A conversion of a union, or with one among its arguments, or None if there is no union."""
    if type(source) is Union:
        return over(source, lambda member: coder(member, encoding, errors))
    if type(encoding) is Union:
        return over(encoding, lambda member: coder(source, member, errors))
    if type(errors) is Union:
        return over(errors, lambda member: coder(source, encoding, member))
    return None


def _check_names(*names: Value) -> None:
    if any(isinstance(name, Term) for name in names):
        raise NotLiftedError("encoding or decoding with a symbolic name of a codec is not lifted")


def encoded(source: Value, encoding: Value = "utf-8", errors: Value = "strict") -> Value:
    """`source.encode(encoding, errors)`."""
    found = _spread(encoded, source, encoding, errors)
    if found is not None:
        return found
    _check_names(encoding, errors)
    if type(source) is StringTerm:
        raise NotLiftedError(
            "`str.encode` of a symbolic string is not in the theory of strings; use a text of "
            "bounded length"
        )
    if type(source) is not TextTerm:
        return source.encode(encoding, errors)
    "".encode(encoding, errors)
    return encode(source.codes, encoding, errors)


def decoded(source: Value, encoding: Value = "utf-8", errors: Value = "strict") -> Value:
    """`source.decode(encoding, errors)`."""
    if is_symbolic_buffer(source):
        source = as_bytes(source)
    found = _spread(decoded, source, encoding, errors)
    if found is not None:
        return found
    _check_names(encoding, errors)
    if type(source) is not BytesTerm:
        native = source.decode if isinstance(source, (bytes, bytearray)) else partial(str, source)
        return native(encoding, errors)
    b"".decode(encoding, errors)
    return decode(source.codes, encoding, errors)


def _register(
    name: str, function: Callable[..., Value], sample: str | bytes, *classes: type
) -> None:
    signature = inspect.signature(function)

    @lifts_method(*classes, name=name)
    def method(source: Value, /, *arguments: Value, **named: Value) -> Value:
        try:
            signature.bind(source, *arguments, **named)
        except TypeError:
            raise raised(partial(getattr(sample, name), *arguments, **named)) from None
        return function(source, *arguments, **named)


_register("encode", encoded, "", str, TextTerm, StringTerm)
_register("decode", decoded, b"", bytes, BytesTerm)
