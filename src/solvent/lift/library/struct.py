"""The module `struct`: formats are known, or a few known ones; values and bytes may be symbolic.

Where each field lies is asked of `struct.calcsize`, which knows how the machine aligns them, and
what is wrong with a value of `struct.pack`.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.facts import bounds
from solvent.lift.leaves import each_text
from solvent.lift.messages import raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.spelling.spans import cut
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values.byte_items import as_bytes, number, set_slice
from solvent.lift.values.int_bytes import bytes_of, number_of
from solvent.lift.values.protocol import iter_of, truth
from solvent.terms import (
    BitVec,
    Float16,
    Float32,
    Float64,
    bv_to_int,
    concat,
    extract,
    float_from_bits,
    float_to_bits,
    int_to_bv,
    is_infinite,
    is_nan,
    to_float,
)
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.float_functions import pattern_of
from solvent.terms.floats import FloatTerm
from solvent.terms.kinds import Bits, Integer
from solvent.terms.sorts import FloatSort
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm, codes_of, octets
from solvent.vm.kinds import STANDS_FOR, python_type
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_FIELD = re.compile(r"\s*(\d*)([a-zA-Z?])")
_SIGNED, _UNSIGNED = frozenset("bhilqn"), frozenset("BHILQN")


class _Field(NamedTuple):
    """A value of a format: its code, and where its bytes are."""

    code: str
    offset: int
    size: int


class _Layout(NamedTuple):
    """What a format describes."""

    fields: tuple[_Field, ...]
    size: int
    order: str
    prefix: str


@cache
def _layout(form: str) -> _Layout:
    size = struct.calcsize(form)
    prefix = form[:1] if form[:1] in tuple("@=<>!") else "@"
    little = prefix == "<" or (prefix in "@=" and sys.byteorder == "little")
    fields: list[_Field] = []
    so_far = prefix
    for count, code in _FIELD.findall(form.removeprefix(prefix)):
        if code == "x":
            so_far += f"{count}x"
        elif code in "sp":
            end = struct.calcsize(f"{so_far}{count}{code}")
            width = int(count or 1)
            fields.append(_Field(code, end - width, width))
            so_far += f"{count}{code}"
        else:
            width = struct.calcsize(prefix + code)
            for _ in range(int(count or 1)):
                so_far += code
                fields.append(_Field(code, struct.calcsize(so_far) - width, width))
            so_far += f"0{code}"
    return _Layout(tuple(fields), size, "little" if little else "big", prefix)


# How many formats a symbolic one may be.
_FORMS = 64


def _form(form: Value) -> str:
    return form.decode() if isinstance(form, bytes) else form


def _each_form(form: Value) -> Value:
    """A symbolic format as a choice between those that it may be."""
    if not isinstance(form, Term):
        return form
    found = each_text(form, _FORMS) if type(form) is TextTerm else None
    if found is None:
        raise NotLiftedError(
            f"`struct` with a symbolic format is not lifted unless it is one of at most {_FORMS} "
            "texts; choose between concrete ones with `if`"
        )
    return found


def _not_lifted(code: str) -> NotLiftedError:
    return NotLiftedError(
        f"`struct` with the format code {code!r} and a symbolic value is not lifted; use whole "
        "numbers and bytes"
    )


# --- packing --------------------------------------------------------------------------------------


def _sampled(value: Value) -> Value:
    return STANDS_FOR[type(value)]() if type(value) in STANDS_FOR else value


def _packed(layout: _Layout, form: str, values: tuple[Value, ...]) -> list[Integer]:
    """The bytes of values, none of which is a union."""
    if len(values) != len(layout.fields):
        raise raised(struct.pack, form, *map(_sampled, values))
    result: list[Integer] = [0] * layout.size
    for field, value in zip(layout.fields, values, strict=True):
        items = _field_bytes(layout, field, value)
        result[field.offset : field.offset + field.size] = items
    return result


def _field_bytes(layout: _Layout, field: _Field, value: Value) -> Sequence[Integer]:
    code, size = field.code, field.size
    if code in _SIGNED or code in _UNSIGNED:
        if not hasattr(python_type(value), "__index__"):
            raise raised(struct.pack, layout.prefix + code, _sampled(value))
        whole = number(value)
        _check_number(layout.prefix + code, size, code in _SIGNED, whole)
        return bytes_of(whole, size, layout.order)
    if code == "?":
        return [ite(truth(value), 1, 0)]
    if code in _FLOATS:
        if not isinstance(value, Term):
            return tuple(struct.pack(layout.prefix + code, value))
        return _float_bytes(layout, code, value)
    if code not in "csp":
        raise _not_lifted(code)
    found = as_bytes(value) if code != "c" or python_type(value) is bytes else None
    codes = codes_of(bytes, found)
    if codes is None or (code == "c" and len(codes) != 1):
        wrong = _sampled(value)
        raise raised(struct.pack, layout.prefix + code, wrong)
    if code == "c":
        return codes
    if code == "s":
        return [*codes[:size], *[0] * (size - len(codes))]
    kept = codes[: max(0, size - 1)]
    return [min(len(kept), 255), *kept, *[0] * (size - 1 - len(kept))] if size else []


_FLOATS: dict[str, FloatSort] = {"e": Float16, "f": Float32, "d": Float64}


# Under this key a machine remembers which bits it took for a float.
_BITS = object()


def _float_bytes(layout: _Layout, code: str, value: Term) -> list[Integer]:
    """The bytes of a symbolic number as a float, rounded to its size."""
    if not issubclass(python_type(value), (int, float)):
        raise raised(struct.pack, layout.prefix + code, _sampled(value))
    exact = call(float)(value)
    found = to_float(exact, _FLOATS[code])
    if isinstance(found, Term) and code != "d":
        error = raised(struct.pack, layout.prefix + code, _LARGEST)
        current().fail_if(and_(is_infinite(found), not_(is_infinite(exact))), error)
    return _bytes_of_bits(_bits_of(found), layout.order)


def _bits_of(found: Value) -> Bits:
    """The bits of a float.

    They are any whose float it is, and the same each time.  A NaN that was unpacked may have other
    bits by now: Python changes them where it computes with it, and terms have only one NaN.
    """
    if not isinstance(found, FloatTerm):
        return float_to_bits(found)
    known = pattern_of(found)
    if known is not None:
        current().end_unknown(is_nan(found), NotLiftedError(_NAN))
        return known
    sort = found.sort
    bits: Bits = BitVec.fresh("bits", sort.ebits + sort.sbits)
    bits = current().notes.setdefault(_BITS, {}).setdefault(found, bits)
    current().assume(eq(float_from_bits(bits, sort), found))
    return bits


def _bytes_of_bits(bits: Bits, order: str) -> list[Integer]:
    """The bytes of a bitvector, as ints."""
    found = [bv_to_int(extract(start + 7, start, bits)) for start in range(0, bits.sort.width, 8)]
    return found if order == "little" else found[::-1]


def _bits_of_bytes(items: Sequence[Integer], order: str) -> Bits:
    """The bitvector that some bytes are."""
    parts = [int_to_bv(item, 8) for item in (items if order == "big" else reversed(items))]
    return concat(*parts)


_NAN = (
    "packing a NaN that was unpacked from symbolic bytes is not lifted, as its bits may have "
    "changed in between; assume that it is a number with `x == x`"
)
_LARGEST = 1.7e308
_EDGES = (-(1 << 63), 0, 1 << 63, 1 << 64)


def _check_number(form: str, size: int, signed: bool, value: Integer) -> None:
    """Raise what Python raises where a number does not fit; it says so in several ways."""
    high = 1 << (8 * size - 1 if signed else 8 * size)
    low = -high if signed else 0
    least, most = bounds(value)
    if least is not None and most is not None and low <= least and most < high:
        return
    edges = sorted({low, high, *_EDGES})
    for start, end in zip([None, *edges], [*edges, None], strict=True):
        if start is not None and end is not None and low <= start and end <= high:
            continue
        guard: Guard = True
        if start is not None:
            guard = and_(guard, value >= start)
        if end is not None:
            guard = and_(guard, value < end)
        if guard is not False:
            sample = edges[0] - 1 if start is None else start
            current().fail_if(guard, raised(struct.pack, form, sample))


def _each(function: Callable[..., Value], form: Value, *values: Value) -> Value:
    """A call with a symbolic format or a union among its arguments, as `_spread`."""
    known = _each_form(form)
    if known is not form and type(known) is not Union:
        return function(known, *values)
    return _spread(function, known, *values)


def _spread(function: Callable[..., Value], *values: Value) -> Value:
    """A call with a union among its arguments, for each member; None if there is none."""
    for place, value in enumerate(values):
        if type(value) is Union:
            return over(value, lambda m: function(*values[:place], m, *values[place + 1 :]))  # noqa: B023
    return None


@lifts(struct.pack)
def pack(form: Value, /, *values: Value) -> Value:
    """`struct.pack(form, *values)`."""
    found = _each(pack, form, *values)
    if found is not None:
        return found
    if is_concrete((form, values)):
        return Direct(struct.pack)(form, *values)
    layout = _layout(_form(form))
    flat = tuple([value if isinstance(value, Term) else _opened(value) for value in values])
    found = _spread(lambda *each: octets(_packed(layout, _form(form), each)), *flat)
    return octets(_packed(layout, _form(form), flat)) if found is None else found


def _opened(value: Value) -> Value:
    """Bytes in place of a bytearray with symbolic contents; other values are what they are."""
    found = None if is_concrete(value) else as_bytes(value)
    return value if found is None else found


@lifts(struct.pack_into)
def pack_into(form: Value, buffer: Value, offset: Value, /, *values: Value) -> None:
    """`struct.pack_into(form, buffer, offset, *values)`."""
    if is_concrete((form, buffer, offset, values)):
        Direct(struct.pack_into)(form, buffer, offset, *values)
        return
    form = _each_form(form)
    if Union in (type(form), type(buffer), type(offset)):
        _spread(lambda *each: pack_into(*each, *values), form, buffer, offset)
        return
    if not isinstance(buffer, bytearray) or isinstance(offset, Term):
        raise NotLiftedError(
            "`struct.pack_into` with symbolic values is lifted for bytearrays and a concrete "
            "offset; use `struct.pack` and a slice"
        )
    size = _layout(_form(form)).size
    packed = pack(form, *values)
    held = as_bytes(buffer)
    if type(held) is Union:
        over(held, lambda member: _pack_at(form, buffer, member, offset, size, packed))
    else:
        _pack_at(form, buffer, held, offset, size, packed)


def _pack_at(
    form: Value, buffer: bytearray, held: Value, offset: int, size: int, packed: Value
) -> None:
    _check_room(struct.pack_into, form, bytearray(len(held)), offset, size)
    start = offset + len(held) if offset < 0 else offset
    set_slice(buffer, slice(start, start + size), packed)


def _check_room(
    function: Callable[..., Value], form: Value, sample: bytes | bytearray, offset: int, size: int
) -> None:
    """Raise what Python raises for an offset beyond the bytes."""
    start = offset + len(sample) if offset < 0 else offset
    if start < 0 or start + size > len(sample):
        zeros = struct.unpack(form, bytes(size)) if function is struct.pack_into else ()
        raise raised(function, form, sample, offset, *zeros)


# --- unpacking ------------------------------------------------------------------------------------


def _unpacked(layout: _Layout, codes: Sequence[Integer]) -> tuple[Value, ...]:
    return tuple([_field_value(layout, field, codes) for field in layout.fields])


def _field_value(layout: _Layout, field: _Field, codes: Sequence[Integer]) -> Value:
    items = tuple(codes[field.offset : field.offset + field.size])
    code = field.code
    if code in _SIGNED or code in _UNSIGNED:
        return number_of(items, layout.order, code in _SIGNED)
    if code == "?":
        return not_(eq(items[0], 0))
    if code in "cs":
        return octets(items)
    if code in _FLOATS:
        bits = _bits_of_bytes(items, layout.order)
        return to_float(float_from_bits(bits, _FLOATS[code]), Float64)
    if code != "p":
        raise _not_lifted(code)
    if not items:
        return b""
    size, rest = items[0], items[1:]
    stops = {place: eq(size, place) for place in range(len(rest))}
    stops[len(rest)] = or_([size >= len(rest)])
    return cut(octets, rest, {0: True}, stops)


@lifts(struct.unpack)
def unpack(form: Value, buffer: Value, /) -> Value:
    """`struct.unpack(form, buffer)`."""
    if is_concrete((form, buffer)):
        return Direct(struct.unpack)(form, buffer)
    found = _each(unpack, form, _bytes(struct.unpack, form, buffer))
    if found is not None:
        return found
    layout = _layout(_form(form))
    codes = codes_of(bytes, _bytes(struct.unpack, form, buffer)) or ()
    if len(codes) != layout.size:
        raise raised(struct.unpack, form, bytes(len(codes)))
    return _unpacked(layout, codes)


def _bytes(function: Callable[..., Value], form: Value, buffer: Value) -> Value:
    """The bytes of a buffer, a union if they have several lengths."""
    if type(buffer) is Union:
        return buffer
    found = as_bytes(buffer)
    if found is None:
        raise raised(function, form, _sampled(buffer))
    return found


@lifts(struct.unpack_from)
def unpack_from(format: Value, /, buffer: Value, offset: Value = 0) -> Value:
    """`struct.unpack_from(form, buffer, offset)`."""
    if is_concrete((format, buffer, offset)):
        return Direct(struct.unpack_from)(format, buffer, offset)
    found = _each(unpack_from, format, _bytes(struct.unpack_from, format, buffer), offset)
    if found is not None:
        return found
    if isinstance(offset, Term):
        raise NotLiftedError(
            "`struct.unpack_from` with a symbolic offset is not lifted; unpack a slice"
        )
    layout = _layout(_form(format))
    codes = codes_of(bytes, _bytes(struct.unpack_from, format, buffer)) or ()
    _check_room(struct.unpack_from, format, bytes(len(codes)), offset, layout.size)
    start = offset + len(codes) if offset < 0 else offset
    return _unpacked(layout, codes[start : start + layout.size])


@lifts(struct.iter_unpack)
def iter_unpack(form: Value, buffer: Value, /) -> Value:
    """`struct.iter_unpack(form, buffer)`."""
    if type(buffer) is bytes and is_concrete(form):
        return iter_of(list(struct.iter_unpack(form, buffer)))
    if is_concrete((form, buffer)):
        return Direct(struct.iter_unpack)(form, buffer)
    found = _each(iter_unpack, form, _bytes(struct.iter_unpack, form, buffer))
    if found is not None:
        return found
    layout = _layout(_form(form))
    codes = codes_of(bytes, _bytes(struct.iter_unpack, form, buffer)) or ()
    if not layout.size or len(codes) % layout.size:
        raise raised(struct.iter_unpack, form, bytes(len(codes)))
    return iter_of(list(_rows(layout, codes)))


def _rows(layout: _Layout, codes: Sequence[Integer]) -> Iterator[tuple[Value, ...]]:
    for start in range(0, len(codes), layout.size):
        yield _unpacked(layout, codes[start : start + layout.size])


# --- compiled formats -----------------------------------------------------------------------------


@lifts(struct.Struct)
def compiled(format: Value) -> Value:
    """`struct.Struct(format)`."""
    found = _each(compiled, format)
    return Direct(struct.Struct)(format) if found is None else found


def _of_struct(name: str, function: Callable[..., Value]) -> None:
    @lifts_method(struct.Struct, name=name)
    def method(form: struct.Struct, /, *arguments: Value, **named: Value) -> Value:
        return function(form.format, *arguments, **named)


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "pack": pack, "pack_into": pack_into, "unpack": unpack, "unpack_from": unpack_from,
    "iter_unpack": iter_unpack,
}  # fmt: skip
for _name, _function in _FUNCTIONS.items():
    _of_struct(_name, _function)
