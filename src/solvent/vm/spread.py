"""Doing something for every member of a union (rules CO1 and AP2 of figure 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from solvent.terms.core import COMPILED
from solvent.vm.forks import Fork, open_fork
from solvent.vm.machine import Machine, current
from solvent.vm.merge import union_of
from solvent.vm.owned import AS_RESULT, merge_owned
from solvent.vm.shapes import REFERENCE, Group, group
from solvent.vm.state import PathEnd
from solvent.vm.union import Choices, Union
from solvent.vm.values import Choice, Guard, Value, Values

P = ParamSpec("P")
R = TypeVar("R")


def combine(rows: list[Choice]) -> Value:
    """The value of an ordered choice; at least one of the guards holds."""
    if len(rows) > 1 and _are_sorted(rows):
        rows[-1] = (True, rows[-1][1])
        return union_of(tuple(rows))
    result = rows.pop()[1]
    while rows:
        guard, value = rows.pop()
        result = merge_owned(guard, value, result, AS_RESULT, AS_RESULT)
    return result


def _are_sorted(rows: list[Choice]) -> bool:
    """Whether values of different groups, all but the last no references, come in their order."""
    before: Group | None = None
    for _, value in rows:
        if type(value) is Union:
            return False
        key = group(value)
        if before is not None and (before[0] == REFERENCE or not before < key):
            return False
        before = key
    return True


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast

    combine = fast(combine)


def over(union: Union, action: Callable[[Value], Value]) -> Value:
    """Do something for every member under its guard, and merge the results."""
    choices: Choices = union._solvent_choices
    machine = current()
    if machine.limits.directed:
        choices = settled(machine, choices)
        if len(choices) == 1:
            return action(choices[0][1])
    # As a `Chain` does it, without its calls.
    forks: list[Fork] = []
    rows: list[Choice] = []
    try:
        for guard, member in choices[:-1]:
            fork = open_fork(guard, ())  # type: ignore[arg-type]
            forks.append(fork)
            try:
                rows.append((guard, action(member)))
            except BaseException as error:
                fork.end(error)
            fork.flip(())
        guard, member = choices[-1]
        try:
            rows.append((guard, action(member)))
        except BaseException as error:
            if not forks:
                raise
            forks[-1].end(error)
        while forks:
            try:
                forks.pop().join(())
            except PathEnd:
                if not forks:
                    raise
                forks[-1].dead = True
    except BaseException as error:
        while forks:
            forks.pop().abandon(error)
        raise
    if not rows:
        raise PathEnd
    return combine(rows)


def settled(machine: Machine, choices: Choices) -> Choices:
    """The one member that a directed run goes on with, or all of them where it forks."""
    for guard, member in choices[:-1]:
        holds = machine.limits.settle(machine, guard)
        if holds is True:
            return ((True, member),)
        if holds is not False:
            return choices
    return (choices[-1],)


def over_pure(union: Union, action: Callable[[Value], Value]) -> Value:
    """Like `over`, for an action without effects that never fails on the members."""
    return combine([(guard, action(member)) for guard, member in union._solvent_choices])


def over_members_of(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The decorated function never sees a union for these parameters: it is called for each member.

    Parameters are tried in the order of the names.  Where calls are many, functions ask themselves.

    >>> from solvent.terms import Bool
    >>> from solvent.vm.merge import merge
    >>> @over_members_of("item")
    ... def doubled(item):
    ...     return item * 2
    >>> doubled(merge(Bool("b"), 3, "ab"))
    Union(6 if b, 'abab')
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = cast(FunctionType, function).__code__.co_varnames
        places = [(parameters.index(name), name) for name in names]

        @wraps(function)
        def spread(*args: P.args, **named: P.kwargs) -> R:
            for place, name in places:
                if place < len(args):
                    if type(args[place]) is Union:
                        return cast(R, _over_positional(spread, args, named, place))
                elif named and type(named.get(name)) is Union:
                    return cast(R, _over_named(spread, args, named, name))
            return function(*args, **named)

        return spread

    return decorate


def _over_positional(
    function: Callable[..., Value], args: Values, named: Mapping[str, Value], place: int
) -> Value:
    before, after = args[:place], args[place + 1 :]
    return over(args[place], lambda member: function(*before, member, *after, **named))


def _over_named(
    function: Callable[..., Value], args: Values, named: Mapping[str, Value], name: str
) -> Value:
    return over(named[name], lambda member: function(*args, **{**named, name: member}))


def either(guard: Guard, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
    """Do the one where a guard holds and the other elsewhere, and merge the results."""
    if guard is True:
        return then()
    if guard is False:
        return otherwise()
    return over(Union(((guard, True), (True, False))), lambda side: then() if side else otherwise())
