"""`bytes`: what they do, how they are made, and `memoryview`s of symbolic ones.

Bytes are Python's own, bytes of known length of which some are symbolic (`BytesTerm`), or a union
of such bytes of several lengths.  Their methods are in `text`, beside those of strings.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from solvent.lift.messages import raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.hexadecimals import from_hex, hex_codes
from solvent.lift.spelling.kinds import OCTETS
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values import sequences
from solvent.lift.values.byte_items import (
    NOT_CONVERTED,
    SymbolicView,
    as_bytes,
    byte,
    converted,
    is_plain,
    is_symbolic_buffer,
    is_whole,
    joined,
    number,
    pair,
)
from solvent.lift.values.encodings import encoded
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Evaluation, Texts, behaves, get_item, items_of, ordered
from solvent.lift.values.searching import among, lists_equal
from solvent.lift.values.text import Sequences, Spelled
from solvent.lift.words import check_repetition
from solvent.terms.floats import FloatTerm
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, TextTerm, codes_of, text
from solvent.vm.kinds import STANDS_FOR, python_type, type_name
from solvent.vm.machine import current
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# --- making ---------------------------------------------------------------------------------------


def made_of(source: Value, what: str) -> list[Value]:
    """The items of `bytes(source)` or `bytearray(source)`, where not all is concrete."""
    if type(source) in sequences.INDICES:
        count = sequences.whole(source)
        check_repetition(count)
        current().fail_if(count < 0, ValueError("negative count"))
        return sequences.repeat([0], count)  # type: ignore[no-any-return]
    if python_type(source) is str:
        raise raised(bytes if what == "bytes" else bytearray, "")
    item = "bytes" if what == "bytes" else "byte"
    return converted(source, NOT_CONVERTED.replace("bytearray", what), item)


def is_made_as_it_is(arguments: tuple[Value, ...], named: dict[str, Value]) -> bool:
    """Whether a constructor can be called as it is, or with a sample that it refuses."""
    if len(arguments) != 1 or named or type(arguments[0]) is FloatTerm:
        return True
    return is_plain(arguments[0])


def sampled(arguments: tuple[Value, ...]) -> tuple[Value, ...]:
    """Arguments with a concrete source: of a symbolic one, Python would refuse the others."""
    if not arguments or type(arguments[0]) not in STANDS_FOR:
        return arguments
    return (STANDS_FOR[type(arguments[0])](), *arguments[1:])


def _converts(source: Value, name: str) -> bool:
    """Whether an object converts itself, by a special method."""
    return not isinstance(source, Term) and hasattr(type(source), name) and is_concrete(source)


def encoded_source(arguments: tuple[Value, ...], named: dict[str, Value]) -> Value:
    """The bytes of a symbolic text and an encoding, or None for other arguments."""
    if not arguments or not isinstance(arguments[0], (TextTerm, StringTerm)):
        return None
    return encoded(*arguments, **named) if arguments[1:] or named else None


@lifts(bytes)
def bytes_(*arguments: Value, **named: Value) -> Value:
    """`bytes(...)`."""
    if arguments and type(arguments[0]) is Union:
        return over(arguments[0], lambda member: bytes_(member, *arguments[1:], **named))
    found = encoded_source(arguments, named)
    if found is not None:
        return found
    if is_made_as_it_is(arguments, named):
        return Direct(bytes)(*sampled(arguments), **named)
    (source,) = arguments
    if type(source) is bytes or _converts(source, "__bytes__"):
        return Direct(bytes)(source)
    if type(source) is BytesTerm:
        return source
    if is_whole(source) and not isinstance(source, Term):
        return bytes_(number(source))
    return joined(made_of(source, "bytes"))


@lifts(bytes.fromhex)
@over_members_of("source")
def fromhex(source: Value, /) -> Value:
    """`bytes.fromhex(source)`."""
    if type(source) is not TextTerm:
        return Direct(bytes.fromhex)(source)
    return from_hex(source.codes)


# --- methods that take or give more than bytes ----------------------------------------------------


@lifts_method(bytes, BytesTerm, name="hex")
@over_members_of("data")
def hex_(data: Value, sep: Value = None, bytes_per_sep: Value = 1) -> Value:
    """`data.hex(sep, bytes_per_sep)`."""
    if type(data) is bytes and not isinstance(sep, (Term, Union)):
        return data.hex() if sep is None else data.hex(sep, bytes_per_sep)
    if type(sep) is Union:
        return over(sep, lambda member: hex_(data, member, bytes_per_sep))
    return text(hex_codes(codes_of(bytes, data) or (), sep, bytes_per_sep))


@lifts_method(bytes, BytesTerm)
@over_members_of("separator", "source")
def join(separator: Value, source: Value, /) -> Value:
    """`separator.join(source)`."""
    kind = python_type(source)
    if not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
        raise raised(b"".join, *sampled((source,)))
    items = list(items_of(source))
    if sequences.is_ragged(items):
        rows = tuple(sequences.alternatives(items))
        return over(Union(rows), lambda found: join(separator, found))
    if type(separator) is bytes and set(map(type, items)) <= {bytes}:
        return separator.join(items)
    parts: list[Value] = []
    for place, item in enumerate(items):
        if type(item) is Union and not _are_bytes(item):
            return over(item, lambda m: join(separator, [*items[:place], m, *items[place + 1 :]]))  # noqa: B023
        found = item if type(item) is Union else as_bytes(item)
        if found is None:
            found_kind = type_name(item)
            message = f"sequence item {place}: expected a bytes-like object, {found_kind} found"
            raise TypeError(message)
        parts += [separator, found] if parts else [found]
    return all_of(OCTETS, parts)


def _are_bytes(union: Union) -> bool:
    return all(isinstance(member, (bytes, BytesTerm)) for _, member in union._solvent_choices)


# --- what they do ---------------------------------------------------------------------------------


class Bytes(Sequences):
    """What concrete bytes do."""

    def contains(self, container: bytes, item: Value) -> Guard:
        if type(item) in sequences.INDICES:
            return among(byte(item), list(container))
        if type(item) is BytesTerm or is_symbolic_buffer(item):
            return SYMBOLIC.contains(container, item)
        if type(item) is Union:
            found: Guard = over(item, lambda member: self.contains(container, member))
            return found
        if type(item) in STANDS_FOR:
            raise raised(operator.contains, container, STANDS_FOR[type(item)]())
        if not hasattr(type(item), "__index__"):
            # Parts of bytes are looked for, and no items: other containers are refused by Python.
            return item in container
        return super().contains(container, item)

    def equal(self, a: bytes, b: Value) -> Value:
        return SYMBOLIC.equal(a, b)

    def ordered(self, a: bytes, b: Value, name: str) -> Value:
        return SYMBOLIC.ordered(a, b, name)


class SymbolicBytes(Spelled):
    """What bytes do of which some are symbolic."""

    def contains(self, container: Value, item: Value) -> Guard:
        if is_symbolic_buffer(item):
            return self.contains(container, as_bytes(item))
        return super().contains(container, item)

    def equal(self, a: Value, b: Value) -> Value:
        found = pair(a, b)
        return NotImplemented if found is None else lists_equal(*found)

    def ordered(self, a: Value, b: Value, name: str) -> Value:
        found = pair(a, b)
        return NotImplemented if found is None else ordered(*found, name)


SYMBOLIC = SymbolicBytes()
behaves(Bytes(), bytes)
behaves(SYMBOLIC, BytesTerm)


# --- memoryview -----------------------------------------------------------------------------------


@lifts(memoryview)
@over_members_of("source")
def memoryview_(source: Value, /) -> Value:
    """`memoryview(source)`."""
    if type(source) is SymbolicView:
        return source
    return SymbolicView(source) if type(source) is BytesTerm else Direct(memoryview)(source)


_VIEW_INDEX = str(raised(operator.getitem, memoryview(b""), 0))


class Views(Objects):
    """What views of symbolic bytes do."""

    def length(self, value: SymbolicView) -> Integer:
        return len(value.codes)

    def truth(self, value: SymbolicView) -> Guard:
        return bool(value.codes)

    def get_item(self, owner: SymbolicView, key: Value) -> Value:
        if type(key) is slice:
            return memoryview_(get_item(owner.source, key))
        if not is_whole(key):
            raise raised(operator.getitem, memoryview(b""), key)
        place = number(key)
        if type(place) is int and not -len(owner.codes) <= place < len(owner.codes):
            raise IndexError(_VIEW_INDEX)
        return sequences.get_item(owner.codes, place, _VIEW_INDEX)

    def equal(self, a: SymbolicView, b: Value) -> Value:
        return SYMBOLIC.equal(a, b)

    def contains(self, container: SymbolicView, item: Value) -> Guard:
        return among(item, list(container.codes))

    def iterate(self, value: SymbolicView) -> Iterable[Value]:
        return value.codes

    def iterator(self, value: SymbolicView) -> Value:
        return SequenceIterator(value.codes)

    def items(self, value: SymbolicView) -> Iterable[Value]:
        return value.codes

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: SymbolicView) -> Iterable[Value]:
        return (value.source,)

    def shown(self, value: SymbolicView, texts: Texts) -> Value:
        raise texts.refused(value)

    def under(self, value: SymbolicView, evaluate: Evaluation) -> Value:
        return memoryview(evaluate.value(value.source))


class NativeViews(Objects):
    """What views of concrete bytes do: an index may be symbolic."""

    @over_members_of("key")
    def get_item(self, owner: memoryview, key: Value) -> Value:
        is_plain_view = owner.readonly and owner.ndim == 1 and owner.format == "B"
        if is_plain_view and not is_plain(key):
            return VIEWS.get_item(SymbolicView(owner.tobytes()), key)
        return super().get_item(owner, key)


VIEWS = Views()
behaves(VIEWS, SymbolicView)
behaves(NativeViews(), memoryview)


@lifts_method(SymbolicView)
def tobytes(view: SymbolicView, order: str | None = None) -> Value:
    """`view.tobytes()`."""
    return view.source


@lifts_method(SymbolicView)
def tolist(view: SymbolicView, /) -> Value:
    """`view.tolist()`."""
    return list(view.codes)


@lifts_method(SymbolicView, name="hex")
def view_hex(view: SymbolicView, sep: Value = None, bytes_per_sep: Value = 1) -> Value:
    """`view.hex(sep, bytes_per_sep)`."""
    return hex_(view.source, sep, bytes_per_sep)
