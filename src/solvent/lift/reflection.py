"""Symbolic reflection: looking at symbolic values from a program (sections 2.3 and 4.7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import TypeVar, cast

from solvent.lift.library.builtins.types import type_of
from solvent.lift.unlifted import is_concrete
from solvent.lift.values.protocol import guarded, truth
from solvent.lift.values.sequences import alternatives, is_ragged
from solvent.terms.booleans import ITE
from solvent.terms.graph import constants
from solvent.terms.kinds import Text
from solvent.terms.strings import STR_CONCAT, StringTerm, str_concat
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.state import State
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value

Function = TypeVar("Function", bound=Callable[..., Value])


def is_union(value: object) -> bool:
    """Whether a value is a union.

    >>> is_union(3)
    False
    """
    return type(value) is Union


def is_symbolic(value: Value) -> bool:
    """Whether a value is, or contains, something symbolic.

    >>> from solvent import Int
    >>> is_symbolic([1, Int("x")]), is_symbolic([1, 2])
    (True, False)
    """
    return bool(symbolics(value)) or not is_concrete(value)


def members(value: Value) -> list[Choice]:
    """Guards and values of a union: under any model exactly one of the guards holds.

    Other values are their own only member; a list whose length differs between paths has a member
    for each length.

    >>> members(3)
    [(True, 3)]
    """
    if type(value) is list and is_ragged(value):
        return exclusive(tuple(alternatives(value)))
    return exclusive(choices_of(value))


def cardinality(value: Value) -> int:
    """How many members a value has.

    >>> cardinality("a")
    1
    """
    return len(members(value))


def symbolics(value: Value) -> list[Term]:
    """The symbolic constants that occur in a value, in order of first occurrence.

    >>> from solvent import Int
    >>> symbolics([Int("x") + Int("y"), (Int("x"),)])
    [x, y]
    """
    found: dict[Term, None] = {}
    seen: dict[int, Value] = {}
    stack: list[Value] = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, Term):
            found.update(dict.fromkeys(constants(value)))
            continue
        if id(value) in seen or isinstance(value, (int, str, float, bytes, type)):
            continue
        seen[id(value)] = value
        stack.extend(reversed(list(guarded(value))))
    return list(found)


def for_all(value: Value, function: Callable[[Value], Value]) -> Value:
    """Apply a function to each member of a union as it is, under its guard, and merge the results.

    A term that can only have a few values, such as a choice between constants or a string made of
    such choices, is taken apart in the same way.

    >>> from solvent import Bool
    >>> from solvent.terms import ite
    >>> for_all(" a ", str.strip), for_all(ite(Bool("p"), 2, 3), lambda n: "ab" * n)
    ('a', Union('abab' if p, 'ababab'))
    """
    if type(value) is list and is_ragged(value):
        value = Union(tuple(alternatives(value)))
    if type(value) is Union:
        return over(value, lambda member: for_all(member, function))
    if isinstance(value, Term):
        return _for_each_value(value, function)
    return function(value)


def _for_each_value(term: Term, function: Callable[[Value], Value]) -> Value:
    """Decide the choices that a term is made of."""
    if isinstance(term, StringTerm) and term.op is STR_CONCAT:
        return _for_each_text("", _concatenated(term), function)
    if term.op.base is ITE:
        return over(_choice_of(term), lambda value: for_all(value, function))
    return function(term)


def _for_each_text(text: str, parts: list[Text], function: Callable[[Value], Value]) -> Value:
    """Decide one part of a string after the other; equal results for the rest merge early."""
    for place, part in enumerate(parts):
        if isinstance(part, str):
            text += part
        elif part.op.base is ITE:
            return over(_choice_of(part), partial(_with_part, text, parts[place + 1 :], function))
        else:
            return function(str_concat(text, *parts[place:]))
    return function(text)


def _with_part(
    text: str, rest: list[Text], function: Callable[[Value], Value], part: Text
) -> Value:
    """Go on after one part of a string has been decided."""
    return _for_each_text(text, [*_concatenated(part), *rest], function)


def _choice_of(term: Term) -> Union:
    """The ordered choice that an if-then-else is."""
    choices = []
    while isinstance(term, Term) and term.op.base is ITE:
        _, test, a, term = term.key
        choices.append((test, a))
    return Union((*choices, (True, term)))


def _concatenated(term: Text) -> list[Text]:
    """The strings that a string is the concatenation of."""
    result: list[Text] = []
    stack = [term]
    while stack:
        part = stack.pop()
        if isinstance(part, Term) and part.op is STR_CONCAT:
            stack.extend(reversed(part.key[1:]))
        else:
            result.append(part)
    return result


# What may have several members.
_SPREAD = frozenset((Union, list))


def lift_with_for_all(function: Function) -> Function:
    """Make a function that knows nothing of symbolic values take unions: each member in turn.

    >>> import re
    >>> starts_with_digit = lift_with_for_all(lambda s: re.match("[0-9]", s) is not None)
    >>> starts_with_digit("1a")
    True
    """

    @wraps(function)
    def spread(*args: Value, **named: Value) -> Value:
        for place, value in enumerate(args):
            if type(value) is Union or (type(value) is list and is_ragged(value)):
                return for_all(
                    value,
                    lambda m: spread(*args[:place], m, *args[place + 1 :], **named),  # noqa: B023
                )
        for name, value in named.items():
            if type(value) is Union:
                return for_all(value, lambda m: spread(*args, **{**named, name: m}))  # noqa: B023
        return function(*args, **named)

    return cast(Function, _with_parameters(function, spread) or spread)


def _with_parameters(
    function: Callable[..., Value], spread: Callable[..., Value]
) -> Callable[..., Value] | None:
    """What looks whether to spread, with the parameters of a function if these are few and plain.

    Then it is called as fast as the function itself, where nothing is to be spread.
    """
    if type(function) is not FunctionType:
        return None
    code = function.__code__
    count = code.co_argcount
    if code.co_kwonlyargcount or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
        return None
    if not 1 <= count <= len(_TESTS):
        return None
    result = _TESTS[count - 1](function, spread)
    result.__code__ = result.__code__.replace(
        co_varnames=code.co_varnames[:count], co_posonlyargcount=code.co_posonlyargcount
    )
    result.__defaults__ = function.__defaults__
    return wraps(function)(result)


def _test_one(function: Callable[..., Value], spread: Callable[..., Value]) -> FunctionType:
    def test(a: Value) -> Value:
        return spread(a) if a.__class__ in _SPREAD else function(a)

    return cast(FunctionType, test)


def _test_two(function: Callable[..., Value], spread: Callable[..., Value]) -> FunctionType:
    def test(a: Value, b: Value) -> Value:
        if a.__class__ in _SPREAD or b.__class__ in _SPREAD:
            return spread(a, b)
        return function(a, b)

    return cast(FunctionType, test)


def _test_three(function: Callable[..., Value], spread: Callable[..., Value]) -> FunctionType:
    def test(a: Value, b: Value, c: Value) -> Value:
        if a.__class__ in _SPREAD or b.__class__ in _SPREAD or c.__class__ in _SPREAD:
            return spread(a, b, c)
        return function(a, b, c)

    return cast(FunctionType, test)


_TESTS = (_test_one, _test_two, _test_three)


def assume(condition: Guard) -> None:
    """Go on only where the condition holds; other inputs are not of interest."""
    current().assume(truth(condition))


def state() -> State:
    """The state of the run that is going on: assumptions, assertions, failures, path."""
    return current().state


__all__ = [
    "assume", "cardinality", "for_all", "is_symbolic", "is_union", "lift_with_for_all", "members",
    "state", "symbolics", "type_of",
]  # fmt: skip
