"""Unions: whatever is done with one is done with each member, under its guard.

Also the contents of slots that only some paths have filled, where they are met as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from solvent.lift.calls import call
from solvent.lift.registry import OBJECTS
from solvent.lift.values.iterators import steps
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import (
    Copying,
    Evaluation,
    Texts,
    behaves,
    contained,
    delete_item,
    get_item,
    is_lazy,
    items_of,
    iter_of,
    iterate,
    length,
    set_item,
    truth,
)
from solvent.terms.booleans import not_
from solvent.terms.kinds import Integer
from solvent.vm.machine import current
from solvent.vm.slots import Maybe, mapped, opened
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


class Unions(Objects):
    """What unions do."""

    def truth(self, value: Union) -> Guard:
        return over(value, truth)  # type: ignore[no-any-return]

    def length(self, value: Union) -> Integer:
        result: Integer = over(value, length)
        return result

    def get_item(self, owner: Union, key: Value) -> Value:
        return over(owner, lambda member: get_item(member, key))

    def set_item(self, owner: Union, key: Value, value: Value) -> None:
        over(owner, lambda member: set_item(member, key, value))

    def delete_item(self, owner: Union, key: Value) -> None:
        over(owner, lambda member: delete_item(member, key))

    def contains(self, container: Union, item: Value) -> Guard:
        return over(container, lambda member: contained(item, member))  # type: ignore[no-any-return]

    def iterate(self, value: Union) -> Iterable[Value]:
        if any(is_lazy(type(member)) for _, member in value._solvent_choices):
            return steps(iter_of(value))
        return over(value, lambda member: list(iterate(member)))  # type: ignore[no-any-return]

    def iterator(self, value: Union) -> Value:
        return over(value, iter_of)

    def items(self, value: Union) -> Iterable[Value]:
        return over(value, lambda member: list(items_of(member)))  # type: ignore[no-any-return]

    def parts(self, value: Union) -> Iterable[Value]:
        return [member for _, member in value._solvent_choices]

    def guarded(self, value: Union) -> Iterable[Value]:
        return chain.from_iterable(value._solvent_choices)

    def copied(self, value: Union, copying: Copying) -> Value:
        return Union(tuple((guard, copying.part(part)) for guard, part in value._solvent_choices))

    def shown(self, value: Union, texts: Texts) -> Value:
        return over(value, texts.of)

    def under(self, value: Union, evaluate: Evaluation) -> Value:
        for guard, member in value._solvent_choices:
            if evaluate.term(guard):
                return evaluate.value(member)
        raise AssertionError("a union without a last choice")


class Slots(Objects):
    """What only some paths have."""

    def parts(self, value: Maybe) -> Iterable[Value]:
        return (value.value,)

    def guarded(self, value: Maybe) -> Iterable[Value]:
        return opened(value)

    def copied(self, value: Maybe, copying: Copying) -> Value:
        return mapped(copying.part, value)


def _each_member(union: Union) -> Callable[..., Value]:
    return lambda *args, **named: over(union, lambda member: call(member)(*args, **named))


def _where_set(content: Maybe) -> Callable[..., Value]:
    current().fail_if(not_(content.guard), AttributeError("attribute is not set"))
    return call(content.value)


behaves(Unions(), Union)
behaves(Slots(), Maybe)
OBJECTS[Union] = _each_member
OBJECTS[Maybe] = _where_set
