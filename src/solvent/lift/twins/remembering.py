"""What the code of twins asks of Solvent: what is known of instances, contexts and paths."""

from __future__ import annotations

import csv
import decimal
import gc
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from solvent.errors import NotLiftedError
from solvent.lift.spelling.alphabets import is_code
from solvent.lift.twins.loading import STANDS_FOR
from solvent.terms.integers import IntTerm
from solvent.terms.strings import StringTerm
from solvent.terms.texts import TextTerm
from solvent.vm import hidden
from solvent.vm.machine import current
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value


def known_ordinal(day: Value) -> Value:
    """The number of a day that was made from it, or None.

    The slot of the hash, which is computed otherwise, has it in a tuple, so that paths that know it
    merge with each other and not with those that do not.
    """
    found = day._hashcode
    return found[0] if type(found) is tuple else None


def known_second(moment: Value) -> Value:
    """The number of a second in its day, of which a moment was made, or None."""
    found = moment._hashcode
    return found[1] if type(found) is tuple else None


def is_one(value: Value, twin: Value) -> bool:
    """Whether a value is an instance of a twin, or the one of C that this stands for."""
    known = STANDS_FOR.get(id(value))
    return value is twin or (known is not None and known[1] is twin)


_SETTINGS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def decimal_context() -> tuple[dict[str, Value], list[str]]:
    """The settings of the context of `decimal` that the program computes with, and its traps."""
    divided = hidden.states_of(hidden.CURRENT_CONTEXT) or hidden.states_of(decimal.getcontext())
    if divided is not None:
        raise NotLiftedError(
            "decimal numbers that are symbolic, in a context that differs between paths, are not "
            "lifted; set the context before the program branches"
        )
    found = decimal.getcontext()
    traps = [signal.__name__ for signal, trapped in found.traps.items() if trapped]
    return {name: getattr(found, name) for name in _SETTINGS}, traps


# How many values of a symbolic number are told apart.
_MOST = 64


@over_members_of("value")
def for_known(value: Value, action: Callable[[Value], Value]) -> Value:
    """Do something for each member of a union, or for each value of a number with close bounds."""
    if isinstance(value, StringTerm):
        raise NotLiftedError(
            "a `Decimal` of a symbolic int without bounds is not lifted; assume a least and a "
            "largest value"
        )
    if not isinstance(value, IntTerm):
        return action(value)
    low, high = current().ranges.of(value)
    if low is None or high is None or high - low > _MOST:
        raise NotLiftedError(
            "a `Decimal` with a symbolic exponent is not lifted; round it with a known one"
        )
    return over(
        Union((*((value == each, each) for each in range(low, high)), (True, high))), action
    )


def divided(a: Value, b: Value) -> Value:
    """The quotient of two floats, the second of which is not 0, as the machine computes it."""
    return a / b


def is_zero(value: Value) -> bool:
    """Whether a value is known to be 0 wherever the program is."""
    return type(value) is int and value == 0


def is_small_int(value: Value) -> bool:
    """Whether a value is a known int from 0 to 100."""
    return type(value) is int and 0 <= value <= 100


def plainly(function: Callable[..., Value], /, *args: Value, **named: Value) -> Value:
    """What a function gives for concrete values, as Python runs it: the journal sees nothing."""
    return function(*args, **named)


def language(module: ModuleType) -> Value:
    """The language of dates, as `strptime`, which is that of a module, wants to know it."""
    return module._getlang()


def plain_writer(file: Value, dialect: Value, options: dict[str, Value]) -> Value:
    """A writer of C, which keeps the method `write` of a file and does nothing with it yet."""
    return csv.writer(file, dialect, **options)


_ROUTINES = (BuiltinFunctionType, FunctionType, MethodType)


def write_of(writer: Value) -> Value:
    """The method that a writer of C writes with."""
    return next(found for found in gc.get_referents(writer) if isinstance(found, _ROUTINES))


def may_be(text: Value, character: str) -> bool:
    """Whether the bounds of a text of one character allow for one; others are not looked at."""
    if type(text) is Union:
        return any(may_be(member, character) for _, member in choices_of(text))
    if not isinstance(text, TextTerm) or len(text) != 1:
        return True
    return is_code(text.codes[0], ord(character)) is not False
