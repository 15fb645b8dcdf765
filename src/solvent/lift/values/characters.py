"""Symbolic strings: items, membership, and what the theory of strings can say of characters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from solvent.errors import NotLiftedError
from solvent.lift.spelling.theory import as_string
from solvent.lift.words import index_message
from solvent.terms import (
    bv_to_int,
    in_re,
    length,
    re_plus,
    re_range,
    re_star,
    re_union,
    str_index,
    str_slice,
)
from solvent.terms import contains as contains_term
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer, Text
from solvent.terms.regexes import RegexTerm
from solvent.terms.strings import MAX_CODE, StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


def refuse_if(condition: Guard, message: str) -> None:
    """Refuse to go on where a condition holds.

    The inputs for which it holds are reported as failing, so that nothing is claimed about them.
    """
    current().fail_if(condition, NotLiftedError(message))


def string_item(owner: StringTerm, key: Value) -> Text:
    """`owner[key]` for a symbolic string."""
    if type(key) is Union:
        result: Text = over(key, lambda member: string_item(owner, member))
        return result
    if type(key) is slice:
        return _slice(owner, key)
    index = as_index(key)
    if index is None:
        message = f"string indices must be integers, not '{type_name(key)}'"
        raise TypeError(message)
    size = length(owner)
    outside = or_(index >= size, index < -size)
    if outside is not False:
        text = index_message(index, "string index out of range")
        current().fail_if(outside, IndexError(text))
    return str_index(owner, index)


def as_index(key: Value) -> Integer | None:
    """An int or a symbolic one, if a value can be used as an index, else None."""
    if type(key) is BoolTerm:
        return key.as_int()
    if type(key) is BitVecTerm:
        return bv_to_int(key)
    if type(key) is IntTerm:
        return key
    if isinstance(key, Term) or not hasattr(type(key), "__index__"):
        return None
    place: int = key.__index__()
    return place


def _slice(owner: StringTerm, part: slice) -> Text:
    for name in ("start", "stop", "step"):
        bound = getattr(part, name)
        if type(bound) is Union:
            bounds = {"start": part.start, "stop": part.stop, "step": part.step}
            result: Text = over(
                bound,
                lambda m: _slice(owner, slice(*{**bounds, name: m}.values())),  # noqa: B023
            )
            return result
    step = part.step
    if isinstance(step, Term) or step not in (None, 1):
        raise NotLiftedError(
            f"a slice of a symbolic string with the step {step} is not lifted; go through the "
            "string in a loop"
        )
    return str_slice(owner, _bound(part.start), _bound(part.stop))


def _bound(bound: Value) -> Integer | None:
    if bound is None:
        return None
    index = as_index(bound)
    if index is None:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return index


def contains(container: Text, item: Value) -> Guard:
    """`item in container` for strings."""
    if type(item) is Union:
        result: Guard = over(item, lambda member: contains(container, member))
        return result
    if type(item) is TextTerm:
        return contains(container, as_string(item))
    if not isinstance(item, (str, StringTerm)):
        name = type_name(item)
        raise TypeError(f"'in <string>' requires string as left operand, not {name}")
    if type(container) is not StringTerm and type(item) is not StringTerm:
        return item in container
    return contains_term(container, item)


# --- classes of characters ------------------------------------------------------------------------


@cache
def characters(test: Callable[[str], bool]) -> RegexTerm:
    """The regular expression of the characters that pass a test."""
    ranges: list[RegexTerm] = []
    start = -1
    for code in range(MAX_CODE + 2):
        inside = code <= MAX_CODE and test(chr(code))
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            ranges.append(re_range(chr(start), chr(code - 1)))
            start = -1
    return _union(ranges)


def _union(regexes: list[RegexTerm]) -> RegexTerm:
    """A union as a balanced tree, since some classes have hundreds of ranges."""
    if len(regexes) <= 2:
        return re_union(*regexes)
    middle = len(regexes) // 2
    return re_union(_union(regexes[:middle]), _union(regexes[middle:]))


def all_are(text: Text, test: Callable[[str], bool], empty: bool) -> Guard:
    """Whether all characters of a string pass a test, and what holds for the empty string."""
    regex = characters(test)
    return in_re(text, re_star(regex) if empty else re_plus(regex))
