"""Builtin functions on iterables, numbers and objects."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from types import FunctionType
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift import bitwise, operators
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.facts import bounds
from solvent.lift.formatting import text_of
from solvent.lift.hashing import (
    any_number_will_do,
    hash_from_method,
    hash_of_int,
    hash_of_tuple,
    hashed_fields,
    is_symbolic_key,
)
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.spelling.fixed_point import rounded
from solvent.lift.spelling.formats import each_value
from solvent.lift.typed import is_made
from solvent.lift.unlifted import is_data
from solvent.lift.values import entries
from solvent.lift.values.byte_items import as_bytes, is_symbolic_buffer
from solvent.lift.values.iterators import advance
from solvent.lift.values.protocol import iter_of
from solvent.lift.values.twins import settled
from solvent.lift.words import check_range
from solvent.terms import Int, is_infinite, is_nan
from solvent.terms.booleans import BoolTerm, not_
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.strings import StringTerm, length, str_concat, to_code
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE, CodesTerm, text
from solvent.vm.kinds import STANDS_FOR, type_name
from solvent.vm.machine import current
from solvent.vm.slots import is_partial
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

_MISSING = object()
_SEQUENCES = (list, tuple, range, str)

# --- consuming iterables --------------------------------------------------------------------------


_NOT_SUMMED = (
    (str, "strings", "''.join(seq)"),
    (StringTerm, "strings", "''.join(seq)"),
    (bytes, "bytes", "b''.join(seq)"),
    (bytearray, "bytearray", "b''.join(seq)"),
)


@lifts(sum)
def sum_(source: Value, /, start: Value = 0) -> Value:
    """`sum(source, start)`."""
    if is_data(source) and is_data(start):
        return sum(source, start)
    for kind, what, advice in _NOT_SUMMED:
        if type(start) is kind:
            raise TypeError(f"sum() can't sum {what} [use {advice} instead]")
    return (_compensated if _COMPENSATES else _total)(source, start)


@lifted
def _total(source: Value, total: Value) -> Value:
    for item in source:
        total = total + item
    return total


# From Python 3.12 on, what is lost when floats are added is added in the end.
_COMPENSATES = sum([1e16, 1.0, -1e16]) == 1.0


@lifted
def _compensated(source: Value, total: Value) -> Value:
    # First whole numbers are added, then floats, and from the first other item on anything.
    whole = type(total) is int
    floats = type(total) is float
    lost = 0.0
    for item in source:
        if whole:
            total = total + item
            if type(total) is not int:
                whole = False
                floats = type(total) is float
        elif not floats:
            total = total + item
        elif type(item) is float:
            found = total + item
            if abs(total) >= abs(item):
                lost = lost + ((total - found) + item)
            else:
                lost = lost + ((item - found) + total)
            total = found
        elif isinstance(item, int) and -(2**63) <= item < 2**63:
            total = total + item
        else:
            total = _with_lost(total, lost) + item
            floats = False
    if floats:
        return _with_lost(total, lost)
    return total


@lifted
def _with_lost(total: Value, lost: Value) -> Value:
    # What is lost is neither added if it is infinite, nor if it is no number.
    if lost != 0 and lost - lost == 0:
        return total + lost
    return total


@lifts(any)
def any_(source: Value, /) -> Guard:
    """`any(source)`."""
    return any(source) if is_data(source) else _some(source)


@lifted
def _some(source: Value) -> Guard:
    for item in source:  # noqa: SIM110
        if item:
            return True
    return False


@lifts(all)
def all_(source: Value, /) -> Guard:
    """`all(source)`."""
    return all(source) if is_data(source) else _every(source)


@lifted
def _every(source: Value) -> Guard:
    for item in source:  # noqa: SIM110
        if not item:
            return False
    return True


@lifts(min)
def min_(*values: Value, key: Value = None, default: Value = _MISSING) -> Value:
    """`min(...)`."""
    if key is None and default is _MISSING and is_data(values):
        return min(*values)
    return _extreme("min", _least, values, key, default)


@lifts(max)
def max_(*values: Value, key: Value = None, default: Value = _MISSING) -> Value:
    """`max(...)`."""
    if key is None and default is _MISSING and is_data(values):
        return max(*values)
    return _extreme("max", _largest, values, key, default)


def _extreme(
    name: str,
    find: Callable[[Value, Value, Value], Value],
    values: tuple[Value, ...],
    key: Value,
    default: Value,
) -> Value:
    if not values:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(values) > 1 and default is not _MISSING:
        raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    items = values if len(values) > 1 else values[0]
    # A key function may change the list meanwhile, comparisons do not.
    if key is None and type(items) in _SEQUENCES and items and not is_partial(items[0]):
        return find(items[1:], items[0], key)
    source = iter_of(items)
    guard, first = advance(source)
    if default is _MISSING:
        current().fail_if(not_(guard), raised(getattr(builtins, name), ()))
        return find(source, first, key)
    return either(guard, lambda: find(source, first, key), lambda: default)


@lifted
def _least(source: Value, best: Value, key: Value) -> Value:
    if key is None:
        for item in source:
            if item < best:
                best = item
        return best
    least = key(best)
    for item in source:
        value = key(item)
        if value < least:
            best, least = item, value
    return best


@lifted
def _largest(source: Value, best: Value, key: Value) -> Value:
    if key is None:
        for item in source:
            if item > best:
                best = item
        return best
    largest = key(best)
    for item in source:
        value = key(item)
        if value > largest:
            best, largest = item, value
    return best


# --- numbers --------------------------------------------------------------------------------------


def special(value: Value, name: str, *arguments: Value) -> Value:
    """The result of a special method that is written in Python, else `NotImplemented`."""
    method = getattr(type(value), name, None)
    if type(method) is not FunctionType or isinstance(value, Term):
        return NotImplemented
    return call(method)(value, *arguments)


@lifts(abs)
def abs_(value: Value, /) -> Value:
    """`abs(value)`."""
    if type(value) is Union:
        return over(value, abs_)
    result = special(value, "__abs__")
    return abs(value) if result is NotImplemented else result


@lifts(divmod)
@over_members_of("a", "b")
def divmod_(a: Value, b: Value, /) -> Value:
    """`divmod(a, b)`."""
    if not isinstance(a, Term) and not isinstance(b, Term):
        if not any(_is_own(found, "__divmod__", "__rdivmod__") for found in (a, b)):
            return divmod(a, b)
        return operators.by_method(a, b, divmod, "divmod")
    if not (type(a) in operators.NUMBERS and type(b) in operators.NUMBERS):
        return operators.by_method(a, b, _no_divmod, "divmod")
    operators.check_floats(a, b)
    if isinstance(a, (float, FloatTerm)) or isinstance(b, (float, FloatTerm)):
        current().fail_if(b == 0, raised(divmod, 1.0, 0.0))
    return operators.floordiv(a, b), operators.mod(a, b)


def _no_divmod(a: Value, b: Value) -> NoReturn:
    names = f"'{type_name(a)}' and '{type_name(b)}'"
    raise TypeError(f"unsupported operand type(s) for divmod(): {names}")


def _is_own(value: object, *names: str) -> bool:
    return any(type(getattr(type(value), name, None)) is FunctionType for name in names)


@lifts(pow)
def pow_(base: Value, exp: Value, mod: Value = None) -> Value:
    """`pow(base, exp, mod)`."""
    if mod is None:
        return operators.power(base, exp)
    for place, value in enumerate((base, exp, mod)):
        if type(value) is Union:
            three = [base, exp, mod]
            return over(value, lambda m: pow_(*[*three[:place], m, *three[place + 1 :]]))  # noqa: B023
    if not any(isinstance(value, Term) for value in (base, exp, mod)):
        return pow(base, exp, mod)
    whole = [value.as_int() if type(value) is BoolTerm else value for value in (base, exp, mod)]
    for value in whole:
        if type(value) is not IntTerm and not isinstance(value, int):
            native = [STANDS_FOR[type(v)]() if isinstance(v, Term) else v for v in whole]
            raise raised(pow, *native)
    return bitwise.modular_power(*whole)


@lifts(round)
@over_members_of("number", "ndigits")
def round_(number: Value, ndigits: Value = None) -> Value:
    """`round(number, ndigits)`."""
    if isinstance(ndigits, (IntTerm, BoolTerm)):
        return round_(number, each_value(ndigits))
    if isinstance(ndigits, Term):
        raise raised(round, 1, STANDS_FOR[type(ndigits)]())
    arguments = () if ndigits is None else (ndigits,)
    result = special(number, "__round__", *arguments)
    if result is not NotImplemented:
        return result
    if isinstance(number, Term) and ndigits is not None and not hasattr(ndigits, "__index__"):
        raise raised(round, 1, ndigits)
    if type(number) is BoolTerm:
        number = number.as_int()
    if type(number) is FloatTerm:
        if ndigits is None:
            check_whole(number)
        elif type(ndigits) is int and ndigits != 0:
            return rounded(number, ndigits)
    return round(number, *arguments)


def check_whole(value: FloatTerm) -> None:
    """Raise what Python raises when NaN or an infinity becomes an int."""
    machine = current()
    machine.fail_if(is_nan(value), raised(int, math.nan))
    machine.fail_if(is_infinite(value), raised(int, math.inf))


# --- characters, identity, classes ----------------------------------------------------------------


@lifts(ord)
def ord_(character: Value, /) -> Value:
    """`ord(character)`."""
    if is_symbolic_buffer(character):
        character = as_bytes(character)
    if type(character) is Union:
        return over(character, ord_)
    if isinstance(character, CodesTerm) and len(character) == 1:
        return character.codes[0]
    if isinstance(character, CodesTerm):
        wrong = len(character)
        raise raised(ord, bytes(wrong) if character.native is bytes else "x" * wrong)
    if type(character) is not StringTerm:
        return ord(character)
    size = length(character)
    message = str_concat(
        "ord() expected a character, but string of length ", text_of(size), " found"
    )
    current().fail_if(not_(size == 1), TypeError(message))
    return to_code(character)


@lifts(chr)
@over_members_of("code")
def chr_(code: Value, /) -> Value:
    """`chr(code)`."""
    if type(code) is BoolTerm:
        code = code.as_int()
    if type(code) is not IntTerm:
        return chr(code)
    low, high = bounds(code)
    if low is None or high is None or low < 0 or high > LAST_CODE:
        check_range(code, 0, LAST_CODE, chr)
    return text((code,))


@lifts(hash)
@over_members_of("value")
def hash_(value: Value, /) -> Value:
    """`hash(value)`: that of a symbolic int, or of a tuple of such, is exact."""
    if type(value) in NATIVE:
        value = settled(value)
    method = type(value).__hash__
    if type(method) is FunctionType and not isinstance(value, Term) and not is_made(method):
        return hash_from_method(call(method)(value))
    if not is_symbolic_key(value):
        return hash(value)
    entries.check_key(value)
    if any_number_will_do():
        return Int.fresh("hash")
    if isinstance(value, (IntTerm, BoolTerm)):
        return hash_of_int(value.as_int() if isinstance(value, BoolTerm) else value)
    fields = hashed_fields(value)
    if fields is not None:
        return hash_of_tuple([hash_(part) for part in fields])
    raise NotLiftedError(
        f"the hash of a symbolic {type_name(value)} is not lifted; compare values with `==`, or "
        "use the value itself as a key of a dict"
    )


@lifts(id)
@over_members_of("value")
def id_(value: Value, /) -> Value:
    """`id(value)`."""
    if isinstance(value, Term):
        raise NotLiftedError("the `id` of a symbolic value is not lifted; compare with `==`")
    return id(value)


@lifts(callable)
@over_members_of("value")
def callable_(value: Value, /) -> Guard:
    """`callable(value)`."""
    return callable(value) and not isinstance(value, Term)


@lifts(issubclass)
@over_members_of("cls", "classes")
def is_subclass(cls: Value, classes: Value, /) -> Guard:
    """`issubclass(cls, classes)`."""
    return issubclass(cls, classes)


@lifts(slice)
def slice_(*bounds: Value) -> slice:
    """`slice(...)`."""
    return slice(*bounds)


@lifts(object)
def object_() -> object:
    """`object()`."""
    return object()
