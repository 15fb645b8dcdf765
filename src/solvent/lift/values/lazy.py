"""Iterators and generators as values: taking their items runs code, or changes their state."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from types import GeneratorType

from solvent.lift.registry import lifts_method
from solvent.lift.values.generators import (
    SOME_ENDED,
    Running,
    certain,
    check_ended,
    check_frame,
    is_internal,
    note_end,
    state_of,
)
from solvent.lift.values.iterators import Checked, Stateful, generator_step, steps
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import behaves
from solvent.lift.values.stepping import all_items
from solvent.lift.values.tapes import SOME_MARKED, Tape, is_uneven, release, tape_of
from solvent.terms.booleans import not_
from solvent.vm.machine import JOURNALING, current
from solvent.vm.merge import merge
from solvent.vm.slots import opened, slot
from solvent.vm.values import Choice, Guard, Value


class Iterators(Objects):
    """What the iterators do whose state is journaled."""

    def iterate(self, value: Stateful) -> Iterable[Value]:
        return steps(value)

    def iterator(self, value: Stateful) -> Value:
        return value

    def items(self, value: Stateful) -> Iterable[Value]:
        return value.listed()

    def is_lazy(self, cls: type) -> bool:
        return True

    def lent(self, value: Stateful) -> Value:
        return Checked(value)


class Generators(Objects):
    """What generators do."""

    def iterate(self, value: Running) -> Iterable[Value]:
        return value if is_internal(value) else generator_items(value)

    def iterator(self, value: Value) -> Value:
        return value

    def items(self, value: Running) -> Iterable[Value]:
        if (JOURNALING or SOME_MARKED) and is_uneven(value):
            return all_items(value)
        return self.iterate(value)

    def is_lazy(self, cls: type) -> bool:
        return True

    def lent(self, value: Value) -> Value:
        return Checked(value)


def generator_items(generator: Running) -> Generator[Value, Value, Value]:
    """The items of a generator for a `for` loop, one by one; gives what the generator returns.

    The generator may be advanced by others in between, and on other paths.
    """
    while not JOURNALING and not SOME_MARKED and not SOME_ENDED:
        try:
            item = next(generator)
        except StopIteration as end:
            return end.value
        yield item
    machine = current()
    count = 0
    while True:
        guard, value = generator_step(generator)
        if guard is False:
            return value
        if guard is not True and is_uneven(generator):
            count += 1
            if not machine.limits.may_go_on(machine, count, guard):
                return None
        yield slot(guard, value)


def next_item(generator: Running, *default: Value) -> Value:
    """`next(generator)` or `next(generator, default)`."""
    tape = tape_of(generator) if JOURNALING or SOME_MARKED else None
    if tape is None:
        check_ended(generator)
        return given(*opened(next(generator, *default)), default)
    return tape.each(lambda place: _item_at(tape, generator, place, default))


def _item_at(tape: Tape, generator: Running, place: int, default: tuple[Value, ...]) -> Value:
    try:
        guard, value = tape.take(generator, place)
    except StopIteration:
        if not default:
            raise
        return default[0]
    return given(guard, value, default)


def given(guard: Guard, value: Value, default: tuple[Value, ...]) -> Value:
    """What `next` gives for an item that is there under a guard."""
    if not default:
        current().fail_if(not_(guard), StopIteration())
        return value
    if guard is False:
        return default[0]
    return value if guard is True else merge(guard, value, default[0])


@lifts_method(GeneratorType)
def send(generator: Running, value: Value) -> Value:
    """`generator.send(value)`."""
    if value is None:
        return next_item(generator)
    release(generator)
    check_ended(generator)
    state = state_of(generator)
    if state is not None:
        state.sent_to = True
    return certain(generator.send(value), "send to")


@lifts_method(GeneratorType)
def throw(generator: Running, *error: Value) -> Value:
    """`generator.throw(error)`."""
    release(generator)
    check_ended(generator)
    state = check_frame(generator)
    try:
        return certain(generator.throw(*error), "throw into")
    finally:
        note_end(generator, state)


def throw_on_paths(generator: Running, choices: Sequence[Choice]) -> Value:
    """Advance a generator that first raises, where it had yielded, what some paths have for it."""
    release(generator)
    check_ended(generator)
    state = state_of(generator)
    if state is None:
        current().fail_on_paths(choices)
        return next(generator)
    state.plain, state.thrown = False, choices
    try:
        return next(generator)
    finally:
        state.thrown = ()
        if JOURNALING:
            note_end(generator, state)


@lifts_method(GeneratorType, name="__next__")
def step(generator: Running) -> Value:
    """`generator.__next__()`."""
    return next_item(generator)


@lifts_method(GeneratorType)
def close(generator: Running) -> None:
    """`generator.close()`."""
    release(generator)
    state = check_frame(generator)
    try:
        generator.close()
    finally:
        note_end(generator, state)


behaves(Iterators(), Stateful)
behaves(Generators(), GeneratorType)
