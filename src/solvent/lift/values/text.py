"""Text: what strings do, and their methods.

A text is a `str`, a text of known length with symbolic characters (`solvent.lift.spelling`), a
union of such texts of several lengths, or a string of the solvers' theory (`strings`).  Methods of
concrete strings with concrete arguments are Python's own.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from functools import partial

from solvent.errors import NotLiftedError
from solvent.lift.facts import possible
from solvent.lift.formatting import join_texts
from solvent.lift.messages import message, raised
from solvent.lift.registry import lifts_method
from solvent.lift.spelling import methods as spelled
from solvent.lift.spelling.arguments import byte_codes, check_arguments, whole
from solvent.lift.spelling.kinds import OCTETS, TEXTS, Kind
from solvent.lift.spelling.quoting import quoted
from solvent.lift.spelling.searches import contains
from solvent.lift.spelling.spans import cut
from solvent.lift.spelling.theory import as_string
from solvent.lift.templates import Fields
from solvent.lift.values import characters as theory
from solvent.lift.values import sequences
from solvent.lift.values.byte_items import as_bytes, is_symbolic_buffer
from solvent.lift.values.iterators import SequenceIterator
from solvent.lift.values.numbers import Atoms, Terms
from solvent.lift.values.protocol import Texts, behaves, items_of
from solvent.lift.values.sequences import INDICES
from solvent.lift.values.slices import by_union, get_slice, has_union
from solvent.lift.values.strings import THEORY
from solvent.lift.words import index_message
from solvent.terms.booleans import and_, eq, ite
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, CodesTerm, TextTerm, codes_of
from solvent.vm.kinds import STANDS_FOR, python_type, type_name
from solvent.vm.machine import current
from solvent.vm.merge import gathered, merge
from solvent.vm.owned import VARYING
from solvent.vm.slots import opened, slot
from solvent.vm.spread import over, over_members_of, over_pure
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value

_INDEX = {cls: message(operator.getitem, cls(), 0) for cls in (str, bytes)}


class Sequences(Atoms):
    """What concrete strings and bytes do."""

    def length(self, value: str | bytes) -> Integer:
        return len(value)

    def get_item(self, owner: str | bytes, key: Value) -> Value:
        if type(key) is Union:
            return over(key, lambda member: self.get_item(owner, member))
        if type(key) is slice:
            return sliced(_kind(owner), codes_of(type(owner), owner) or (), key)
        return sequences.get_item(owner, key, _INDEX[bytes if isinstance(owner, bytes) else str])

    def iterator(self, value: str | bytes) -> Value:
        return SequenceIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False


class Strings(Sequences):
    """What concrete strings do."""

    def contains(self, container: str, item: Value) -> Guard:
        if type(item) is Union:
            found: Guard = over(item, lambda member: self.contains(container, member))
            return found
        if type(item) is TextTerm:
            return contains(TEXTS, tuple(map(ord, container)), item.codes)
        return theory.contains(container, item)


def _kind(value: Value) -> Kind:
    """Which kind of text a value is."""
    return TEXTS if type(value) is TextTerm or isinstance(value, str) else OCTETS


class Spelled(Terms[CodesTerm]):
    """What texts and bytes of known length do whose characters may be symbolic."""

    def truth(self, value: CodesTerm) -> Guard:
        return True

    def length(self, value: CodesTerm) -> Integer:
        return len(value)

    def get_item(self, owner: CodesTerm, key: Value) -> Value:
        kind = _kind(owner)
        if type(key) is Union:
            return over(key, lambda member: self.get_item(owner, member))
        if type(key) is slice:
            return sliced(kind, owner.codes, key)
        if type(key) not in INDICES and not hasattr(python_type(key), "__index__"):
            raise raised(operator.getitem, kind.sample(1), sampled(key))
        if type(key) is int and not -len(owner) <= key < len(owner):
            raise IndexError(index_message(key, _INDEX[kind.native]))
        code = sequences.get_item(owner.codes, key, _INDEX[kind.native])
        return kind.made((code,)) if kind is TEXTS else code

    def contains(self, container: CodesTerm, item: Value) -> Guard:
        if type(item) is Union:
            found: Guard = over(item, lambda member: self.contains(container, member))
            return found
        kind = _kind(container)
        if type(item) is StringTerm and kind is TEXTS:
            return theory.contains(as_string(container), item)
        if kind is OCTETS and is_symbolic_buffer(item):
            return self.contains(container, as_bytes(item))
        part = byte_codes(item) if kind is OCTETS else codes_of(str, item)
        if part is None:
            raise raised(operator.contains, kind.sample(1), sampled(item))
        return contains(kind, codes_of(kind.native, container) or (), part)

    def iterate(self, value: CodesTerm) -> Iterable[Value]:
        return each_character(value)

    def iterator(self, value: CodesTerm) -> Value:
        return SequenceIterator(each_character(value))

    def items(self, value: CodesTerm) -> Iterable[Value]:
        return each_character(value)

    def shown(self, value: CodesTerm, texts: Texts) -> Value:
        return quoted(value.codes, _kind(value))


def sampled(value: Value) -> Value:
    """A value of the type that a term stands for."""
    return STANDS_FOR[type(value)]() if type(value) in STANDS_FOR else value


def each_character(value: CodesTerm) -> tuple[Value, ...]:
    """The items of a text: texts of one character, or the numbers of bytes."""
    if type(value) is BytesTerm:
        return value.codes
    return tuple([TEXTS.made((code,)) for code in value.codes])


def sliced(kind: Kind, codes: tuple[Integer, ...], part: slice) -> Value:
    """`text[part]`."""
    if has_union(part):
        return by_union(part, lambda found: sliced(kind, codes, found))
    symbolic = [type(bound) in INDICES for bound in (part.start, part.stop, part.step)]
    if not any(symbolic):
        return kind.made(codes[part])
    if symbolic[2] or part.step not in (None, 1):
        found = get_slice(codes, part)
        if type(found) is Union:
            return over_pure(found, kind.made)
        return kind.made(found)
    size = len(codes)
    rows = _one_by_one_cut(kind, codes, part)
    if rows is not None:
        return gathered(rows)
    low = _clamped(part.start, size, 0)
    high = _clamped(part.stop, size, size)
    high = ite(high < low, low, high)
    starts = {place: eq(low, place) for place in range(size + 1)}
    stops = {place: eq(high, place) for place in range(size + 1)}
    return cut(kind.made, codes, starts, stops)


def _one_by_one_cut(kind: Kind, codes: tuple[Integer, ...], part: slice) -> list[Choice] | None:
    """What a slice is for each pair of places where it may start and stop, if these are few."""
    begins, ends = _few_places(part.start), _few_places(part.stop)
    if begins is None or ends is None:
        return None
    rows: list[Choice] = []
    for start, starts in begins:
        for stop, stops in ends:
            both = and_(starts, stops)
            if both is not False:
                rows.append((both, kind.made(codes[start:stop])))
        # Ends that do not depend on where it starts have more in common than that.
        if len(rows) > 2 * max(len(begins), len(ends)):
            return None
    return rows or None


def _few_places(bound: Value) -> list[tuple[int | None, Guard]] | None:
    """The values of a bound of a slice with their conditions, if they are few."""
    if bound is None:
        return [(None, True)]
    places = possible(bound)
    return None if places is None else [(place, eq(bound, place)) for place in places]


def _clamped(bound: Value, size: int, default: int) -> Integer:
    if bound is None:
        return default
    place = whole(bound)
    if place is None:
        raise raised(operator.getitem, "", slice(bound))
    return ite(place < 0, ite(place + size < 0, 0, place + size), ite(place > size, size, place))


behaves(Strings(), str)
behaves(Spelled(), TextTerm, BytesTerm)


# --- methods --------------------------------------------------------------------------------------


def _spread(
    method: Callable[..., Value], arguments: tuple[Value, ...], named: dict[str, Value]
) -> Value:
    """A method with a union among its arguments, for each member; None if there is no union."""
    for place, value in enumerate(arguments):
        if type(value) is tuple and any(type(item) is Union for item in value):
            value = _one_by_one(value)
        if type(value) is Union:
            return over(value, partial(_put, method, arguments, named, place))
    for name, value in named.items():
        if type(value) is Union:
            return over(value, partial(_put_named, method, arguments, named, name))
    return None


def _put(
    method: Callable[..., Value],
    arguments: tuple[Value, ...],
    named: dict[str, Value],
    place: int,
    value: Value,
) -> Value:
    return method(*arguments[:place], value, *arguments[place + 1 :], **named)


def _put_named(
    method: Callable[..., Value],
    arguments: tuple[Value, ...],
    named: dict[str, Value],
    name: str,
    value: Value,
) -> Value:
    return method(*arguments, **{**named, name: value})


def _one_by_one(values: tuple[Value, ...]) -> Value:
    """A tuple that holds unions, as a union of tuples."""
    result: Value = ()
    for value in values:
        rows = [
            (and_(first, second), (*before, item))
            for first, before in exclusive(choices_of(result))
            for second, item in exclusive(choices_of(value))
        ]
        result = Union((*rows[:-1], (True, rows[-1][1]))) if len(rows) > 1 else rows[0][1]
    return result


def _sorts(values: Iterable[Value]) -> set[type]:
    """The classes of the terms among arguments, also of those in tuples and tables."""
    result: set[type] = set()
    for value in values:
        if isinstance(value, Term):
            result.add(type(value))
        elif type(value) is tuple:
            result |= _sorts(value)
        elif type(value) in (dict, list) and _varies(value):
            result.add(type(value))
    return result


def _varies(table: dict[Value, Value] | list[Value]) -> bool:
    """Whether something in a table for `translate` is symbolic."""
    values = table if isinstance(table, list) else (*table, *table.values())
    return any(isinstance(value, VARYING) for value in values)


def _register(kind: Kind, name: str) -> None:
    """Register a method: native if all is concrete, spread over unions, else by representation."""
    native = getattr(kind.native, name)
    spelled_out = spelled.METHODS.get(name)
    signature = None if spelled_out is None else inspect.signature(spelled_out)

    def method(text: Value, *arguments: Value, **named: Value) -> Value:
        if kind is OCTETS and any(map(is_symbolic_buffer, (*arguments, *named.values()))):
            converted_names = {key: _as_bytes(value) for key, value in named.items()}
            return method(text, *map(_as_bytes, arguments), **converted_names)
        spread = _spread(method, (text, *arguments), named)
        if spread is not None:
            return spread
        found = _sorts((text, *arguments, *named.values()))
        if not found:
            return native(text, *arguments, **named)
        if StringTerm in found:
            if name not in THEORY:
                raise _not_in_theory(name)
            converted = [_as_string(value) for value in (text, *arguments)]
            return THEORY[name](*converted, **{key: _as_string(v) for key, v in named.items()})
        if spelled_out is None or signature is None:
            kind_name = kind.native.__name__
            raise NotLiftedError(f"`{kind_name}.{name}` of a symbolic {kind_name} is not lifted")
        check_arguments(kind, name, signature, arguments, named)
        codes = codes_of(kind.native, text) or ()
        return spelled_out(kind, codes, *arguments, **named)

    method.__name__ = name
    classes = (str, TextTerm, StringTerm) if kind is TEXTS else (bytes, BytesTerm)
    lifts_method(*classes, name=name)(method)


def _as_bytes(value: Value) -> Value:
    return as_bytes(value) if is_symbolic_buffer(value) else value


def _as_string(value: Value) -> Value:
    if type(value) is tuple:
        return tuple(map(_as_string, value))
    return as_string(value)


def _not_in_theory(name: str) -> NotLiftedError:
    return NotLiftedError(
        f"`str.{name}` of a symbolic string is not in the theory of strings; make the string "
        "concrete, or a choice between concrete ones"
    )


_OWN = ("join", "format", "format_map", "encode", "decode", "maketrans", "fromhex", "hex")
for _each in (TEXTS, OCTETS):
    for _method in dir(_each.native):
        if not _method.startswith("_") and _method not in _OWN:
            _register(_each, _method)


@lifts_method(str, TextTerm, StringTerm)
@over_members_of("separator", "source")
def join(separator: Value, source: Value, /) -> Value:
    """`separator.join(source)`."""
    items = list(items_of(source))
    if type(separator) is str and set(map(type, items)) <= {str}:
        return separator.join(items)
    for place, content in enumerate(items):
        guard, item = opened(content)
        if type(item) is Union and not _is_text(item):
            return over(item, partial(_join_with, separator, items, place, guard))
        if not isinstance(item, (str, StringTerm, TextTerm, Union)):
            kind = type_name(item)
            wrong = TypeError(f"sequence item {place}: expected str instance, {kind} found")
            if guard is True:
                raise wrong
            current().fail_if(guard, wrong)
            items = items[:place]
            break
    texts: list[Value] = []
    for place, content in enumerate(items):
        guard, item = opened(content)
        text = join_texts([separator, item]) if place else item
        texts.append(text if guard is True else merge(guard, text, ""))
    return join_texts(texts) if texts else ""


def _join_with(
    separator: Value, items: list[Value], place: int, guard: Guard, item: Value
) -> Value:
    return join(separator, [*items[:place], slot(guard, item), *items[place + 1 :]])


def _is_text(union: Union) -> bool:
    return all(
        isinstance(member, (str, StringTerm, TextTerm)) for _, member in union._solvent_choices
    )


# --- format ---------------------------------------------------------------------------------------


@lifts_method(str, name="format")
def format_method(template: str, /, *values: Value, **named: Value) -> Value:
    """`template.format(...)`."""
    return Fields(values, named).filled(template)


@lifts_method(str)
def format_map(template: str, /, *mappings: Value) -> Value:
    """`template.format_map(mapping)`."""
    if len(mappings) != 1:
        raise raised(template.format_map, *mappings)
    (mapping,) = mappings
    if type(mapping) is Union:
        return over(mapping, lambda member: format_map(template, member))
    return Fields(None, mapping).filled(template)


@lifts_method(TextTerm, StringTerm, name="format")
def symbolic_template(template: Value, /, *values: Value, **named: Value) -> Value:
    """`template.format(...)` of a symbolic template, which is refused."""
    raise NotLiftedError(
        "a symbolic template of `str.format` is not lifted; use a concrete one, or `replace`"
    )


lifts_method(TextTerm, StringTerm, name="format_map")(symbolic_template)
