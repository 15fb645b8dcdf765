"""Doing something for every member of a union (rules CO1 and AP2 of figure 8)."""

from __future__ import annotations

from collections.abc import Callable

from solvent.vm.forks import Chain
from solvent.vm.machine import Machine, current
from solvent.vm.merge import union_of
from solvent.vm.owned import AS_RESULT, merge_owned
from solvent.vm.shapes import REFERENCE, group
from solvent.vm.state import PathEnd
from solvent.vm.union import Choices, Union
from solvent.vm.values import Choice, Guard, Value


def combine(rows: list[Choice]) -> Value:
    """The value of an ordered choice; at least one of the guards holds."""
    if len(rows) > 1:
        keys = [group(value) if type(value) is not Union else (REFERENCE,) for _, value in rows]
        if type(rows[-1][1]) is not Union and all(
            keys[place][0] != REFERENCE and keys[place] < keys[place + 1]
            for place in range(len(keys) - 1)
        ):
            rows[-1] = (True, rows[-1][1])
            return union_of(tuple(rows))
    result = rows.pop()[1]
    while rows:
        guard, value = rows.pop()
        result = merge_owned(guard, value, result, AS_RESULT, AS_RESULT)
    return result


def over(union: Union, action: Callable[[Value], Value]) -> Value:
    """Do something for every member under its guard, and merge the results."""
    choices: Choices = union._solvent_choices
    machine = current()
    if machine.limits.directed:
        choices = settled(machine, choices)
        if len(choices) == 1:
            return action(choices[0][1])
    chain = Chain()
    rows: list[Choice] = []
    last = len(choices) - 1
    for place, (guard, member) in enumerate(choices):
        if place < last:
            chain.fork(guard, ())
        try:
            rows.append((guard, action(member)))
        except BaseException as error:
            if not chain.forks:
                raise
            chain.end(error)
        chain.next(())
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


def either(guard: Guard, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
    """Do the one where a guard holds and the other elsewhere, and merge the results."""
    if guard is True:
        return then()
    if guard is False:
        return otherwise()
    return over(Union(((guard, True), (True, False))), lambda side: then() if side else otherwise())
