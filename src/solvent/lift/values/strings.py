"""Symbolic strings of the solvers' theory, which have any length: what they do, and their methods.

What the theory of strings cannot express (case, stripping, searching from the right) is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.formatting import padded
from solvent.lift.messages import raised
from solvent.lift.values import characters as theory
from solvent.lift.values.characters import all_are, as_index, characters
from solvent.lift.values.iterators import SequenceIterator, steps
from solvent.lift.values.numbers import Terms
from solvent.lift.values.protocol import Texts, behaves
from solvent.lift.words import check_word
from solvent.terms import (
    contains,
    in_re,
    index_of,
    length,
    prefix_of,
    re_range,
    re_star,
    re_union,
    replace_all,
    str_slice,
    suffix_of,
)
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer, Text
from solvent.terms.strings import StringTerm, str_concat
from solvent.terms.term import Term
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_SHOWN_AS_THEY_ARE = re_star(
    re_union(re_range(" ", "&"), re_union(re_range("(", "["), re_range("]", "~")))
)


class SymbolicStrings(Terms[StringTerm]):
    """What symbolic strings do."""

    def truth(self, value: StringTerm) -> Guard:
        return not_(value == "")

    def length(self, value: StringTerm) -> Integer:
        return length(value)

    def get_item(self, owner: StringTerm, key: Value) -> Value:
        return theory.string_item(owner, key)

    def contains(self, container: StringTerm, item: Value) -> Guard:
        return theory.contains(container, item)

    def iterate(self, value: StringTerm) -> Iterable[Value]:
        return steps(SequenceIterator(value))

    def iterator(self, value: StringTerm) -> Value:
        return SequenceIterator(value)

    def items(self, value: StringTerm) -> Iterable[Value]:
        return SequenceIterator(value).listed()

    def is_lazy(self, cls: type) -> bool:
        return True

    def shown(self, value: StringTerm, texts: Texts) -> Value:
        theory.refuse_if(
            not_(in_re(value, _SHOWN_AS_THEY_ARE)),
            "the `repr` of a symbolic string is only lifted for printable ASCII characters without "
            "quotes and backslashes",
        )
        return str_concat("'", value, "'")


behaves(SymbolicStrings(), StringTerm)


# --- methods --------------------------------------------------------------------------------------

_TEXTS = (str, StringTerm)


# The methods on symbolic strings, or with symbolic arguments, by name.
THEORY: dict[str, Callable[..., Value]] = {}


def _text_method(symbolic: Callable[..., Value]) -> Callable[..., Value]:
    """Register a method of strings of the theory."""
    THEORY[symbolic.__name__.rstrip("_")] = symbolic
    return symbolic


def _part(text: Text, start: Value, end: Value) -> tuple[Text, Guard]:
    """`text[start:end]`, and whether the start is not beyond the end of the text."""
    if start is None and end is None:
        return text, True
    lower = None if start is None else as_index(start)
    upper = None if end is None else as_index(end)
    size = length(text)
    part = str_slice(text, lower, upper)
    if lower is None:
        return part, True
    # Python finds nothing, not even an empty string, if the bounds cross.
    begin = ite(lower < 0, ite(lower + size < 0, 0, lower + size), lower)
    if upper is None:
        return part, begin <= size
    stop = ite(upper < 0, upper + size, ite(upper > size, size, upper))
    return part, begin <= ite(stop < 0, 0, stop)


def _affix(
    name: str,
    text: Text,
    affix: Value,
    bounds: tuple[Value, ...],
    test: Callable[[Text, Text], Guard],
) -> Guard:
    if type(affix) is tuple:
        return or_([_affix(name, text, each, bounds, test) for each in affix])
    if type(affix) is Union:
        result: Guard = over(affix, lambda member: _affix(name, text, member, bounds, test))
        return result
    if not isinstance(affix, _TEXTS):
        kind = type_name(affix)
        raise TypeError(f"{name} first arg must be str or a tuple of str, not {kind}")
    part, valid = _part(text, *(*bounds, None, None)[:2])
    return and_(valid, test(affix, part))


@_text_method
def startswith(text: Text, prefix: Value, *bounds: Value) -> Guard:
    """`text.startswith(prefix, start, end)`."""
    return _affix("startswith", text, prefix, bounds, prefix_of)


@_text_method
def endswith(text: Text, suffix: Value, *bounds: Value) -> Guard:
    """`text.endswith(suffix, start, end)`."""
    return _affix("endswith", text, suffix, bounds, suffix_of)


@_text_method
def find(text: Text, part: Value, start: Value = None, end: Value = None) -> Integer:
    """`text.find(part, start, end)`."""
    _check_text(part)
    whole, _ = _part(text, None, end)
    if start is None:
        return index_of(whole, part, 0)
    size = length(text)
    begin: Value = as_index(start)
    begin = ite(begin < 0, ite(begin + size < 0, 0, begin + size), begin)
    return index_of(whole, part, begin)


def _check_text(part: object) -> None:
    if not isinstance(part, _TEXTS):
        raise TypeError(f"must be str, not {type_name(part)}")


@_text_method
def index(text: Text, part: Value, *bounds: Value) -> Integer:
    """`text.index(part, start, end)`."""
    result: Integer = find(text, part, *bounds)
    current().fail_if(result == -1, raised("".index, "-"))
    return result


@_text_method
def count(text: Text, part: Value, start: Value = None, end: Value = None) -> Integer:
    """`text.count(part, start, end)`."""
    _check_text(part)
    text, valid = _part(text, start, end)
    size = length(part)
    lost = length(text) - length(replace_all(text, part, ""))
    found = ite(size == 0, length(text) + 1, lost // ite(size == 0, 1, size))
    return ite(valid, found, 0)


@_text_method
def replace(text: Text, old: Value, new: Value, limit: Value = -1, /) -> Text:
    """`text.replace(old, new, limit)`."""
    for value in (old, new):
        if not isinstance(value, _TEXTS):
            place = 1 if value is old else 2
            message = f"replace() argument {place} must be str, not {type_name(value)}"
            raise TypeError(message)
    if isinstance(limit, Term):
        raise NotLiftedError("`replace` with a symbolic count is not lifted; use a concrete one")
    return StringTerm.replace(text, old, new, limit)  # type: ignore[arg-type]


@_text_method
def removeprefix(text: Text, prefix: Value, /) -> Text:
    """`text.removeprefix(prefix)`."""
    return ite(prefix_of(prefix, text), str_slice(text, length(prefix)), text)


@_text_method
def removesuffix(text: Text, suffix: Value, /) -> Text:
    """`text.removesuffix(suffix)`."""
    end = length(text) - length(suffix)
    return ite(suffix_of(suffix, text), str_slice(text, 0, end), text)


@_text_method
def partition(text: Text, separator: Value, /) -> tuple[Text, Text, Text]:
    """`text.partition(separator)`."""
    _check_separator(separator)
    place = index_of(text, separator, 0)
    found = contains(text, separator)
    before = ite(found, str_slice(text, 0, place), text)
    after = ite(found, str_slice(text, place + length(separator)), "")
    return before, ite(found, separator, ""), after


def _check_separator(separator: Value) -> None:
    _check_text(separator)
    current().fail_if(separator == "", raised("".split, ""))


@_text_method
def split(text: Text, sep: Value = None, maxsplit: Value = -1) -> Value:
    """`text.split(sep, maxsplit)`."""
    if sep is None:
        raise NotLiftedError(
            "splitting a symbolic string at white space is not lifted; split it at one separator"
        )
    _check_separator(sep)
    if type(maxsplit) in (int, IntTerm):
        check_word(maxsplit)
    return _pieces(text, sep, length(sep), maxsplit)


@lifted
def _pieces(text: Value, separator: Value, size: Value, limit: Value) -> Value:
    result = []
    while limit != 0:
        place = text.find(separator)
        if place < 0:
            break
        result.append(text[:place])
        text = text[place + size :]
        limit -= 1
    result.append(text)
    return result


# --- widths ---------------------------------------------------------------------------------------


def _justified(name: str, align: str) -> None:
    def method(text: Text, width: Value, fillchar: Value = " ", /) -> Value:
        if isinstance(width, Term) or isinstance(fillchar, Term):
            raise NotLiftedError(f"`{name}` with a symbolic width or fill character is not lifted")
        if align == "^":
            return _centered(text, width, fillchar)
        return padded(text, width, fillchar, align)

    method.__name__ = name
    _text_method(method)


_justified("ljust", "<")
_justified("rjust", ">")
_justified("center", "^")


def _centered(text: Text, width: int, fill: str) -> Text:
    missing = width - length(text)
    # Of an odd number, the larger half is on the left exactly if the width is odd.
    left = missing // 2 + (missing % 2 if width % 2 else 0)
    before = str_slice(fill * width, 0, ite(left < 0, 0, left))
    right = missing - left
    after = str_slice(fill * width, 0, ite(right < 0, 0, right))
    return str_concat(before, text, after)


@_text_method
def zfill(text: Text, width: Value, /) -> Text:
    """`text.zfill(width)`."""
    if isinstance(width, Term):
        raise NotLiftedError("`zfill` with a symbolic width is not lifted")
    signed = or_(prefix_of("-", text), prefix_of("+", text))
    front = ite(signed, str_slice(text, 0, 1), "")
    rest = ite(signed, str_slice(text, 1), text)
    missing = width - length(text)
    return str_concat(front, str_slice("0" * width, 0, ite(missing < 0, 0, missing)), rest)


# --- classes of characters ------------------------------------------------------------------------


def _class_method(name: str, empty: bool) -> None:
    test = getattr(str, name)

    def method(text: StringTerm, /) -> Guard:
        return all_are(text, test, empty)

    THEORY[name] = method


for _name in ("isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace"):
    _class_method(_name, False)
for _name in ("isascii", "isprintable"):
    _class_method(_name, True)


def _not_lower(character: str) -> bool:
    return not character.islower()


def _not_upper(character: str) -> bool:
    return not character.isupper()


def _not_upper_or_title(character: str) -> bool:
    return not character.isupper() and not character.istitle()


def _not_lower_or_title(character: str) -> bool:
    return not character.islower() and (character.isupper() or not character.istitle())


@_text_method
def islower(text: StringTerm, /) -> Guard:
    """`text.islower()`."""
    only = in_re(text, re_star(characters(_not_upper_or_title)))
    return and_(only, not_(in_re(text, re_star(characters(_not_lower)))))


@_text_method
def isupper(text: StringTerm, /) -> Guard:
    """`text.isupper()`."""
    only = in_re(text, re_star(characters(_not_lower_or_title)))
    return and_(only, not_(in_re(text, re_star(characters(_not_upper)))))
