"""Forks: both sides of a symbolic branch, one after the other (rule IFSYM of figure 6).

`flip` undoes what the first side wrote, `join` merges what the sides wrote and the local variables
that they assigned.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING

from solvent.terms.booleans import NOT, BoolTerm, ite, not_
from solvent.terms.core import COMPILED
from solvent.vm.journal import NOTHING, Effects, Layer, Record, apply, blend, capture, undo
from solvent.vm.machine import JOURNALING, MACHINE, Machine, current
from solvent.vm.merge import PRIMITIVE, choice
from solvent.vm.owned import (
    NEVER,
    ON_FIRST_SIDE,
    ON_SECOND_SIDE,
    PLAIN_INSTANCES,
    VALUES,
    merge_owned,
)
from solvent.vm.places import ITEMS
from solvent.vm.state import Path, PathEnd, State
from solvent.vm.values import Guard, Values


class Fork:
    """Both sides of a symbolic branch."""

    __slots__ = (
        "code", "condition", "dead", "effects", "first", "first_path", "first_start", "flipped",
        "frame", "layer", "machine", "path", "saved", "scopes",
    )  # fmt: skip

    def __init__(self, condition: BoolTerm, saved: Values) -> None:
        try:
            machine = MACHINE.get()
        except LookupError:
            machine = current()
        self.machine = machine
        if machine.waiting:
            machine.give_layers()
        layers = machine.layers
        if not layers:
            JOURNALING.add(id(machine))
        self.layer: Layer = {}
        layers.append(self.layer)
        self.effects: Effects | None = None
        self.condition = condition
        self.flipped = False
        self.saved: Values | None = saved
        self.scopes = len(machine.scopes)
        frame = sys._getframe(1)
        self.code: CodeType | None = frame.f_code
        self.frame: int | None = id(frame)
        machine.forks.append(self)
        machine.stats.forks += 1
        state = machine.state
        self.path = path = state.path
        self.first_start = state.path = Path(path, condition)
        self.dead = False

    @property
    def side(self) -> Guard:
        """The condition of the side that runs now."""
        return not_(self.condition) if self.flipped else self.condition

    def end(self, error: BaseException) -> None:
        """The side that runs has ended with an exception."""
        machine = self.machine
        self.settle()
        try:
            machine.end_with(error)
        except BaseException:
            self.abandon(error)
            raise
        self.dead = True

    def abandon(self, error: BaseException) -> None:
        """Neither side will be merged: an exception goes through, which is not the program's."""
        machine = self.machine
        if any(fork is self for fork in machine.forks):
            while machine.forks.pop() is not self:
                pass
        if any(layer is self.layer for layer in machine.layers):
            while machine.layers[-1] is not self.layer:
                machine.drop_layer()
            machine.drop_layer()
        machine.take_path(self.path, error)

    def settle(self) -> None:
        """Close what an exception left open above this fork."""
        machine = self.machine
        forks = machine.forks
        while forks[-1] is not self:
            forks.pop()
        if len(machine.scopes) > self.scopes:
            del machine.scopes[self.scopes :]
            machine.stop_waiting()
        while machine.layers[-1] is not self.layer:
            machine.drop_layer()

    def flip(self, values: Values) -> Values:
        """The first side is done; the local variables for the second."""
        state = self.machine.state
        layer = self.layer
        self.effects = None
        self.first: Values | None = None
        if not self.dead:
            self.first = values
            if layer:
                self.effects = capture((layer,))
        if layer:
            undo(layer)
        self.first_path = state.path
        state.path = Path(self.path, self.condition, False)
        saved = self.saved
        self.saved = None
        self.dead = False
        self.flipped = True
        assert saved is not None
        return saved

    def join(self, values: Values) -> Values:
        """The second side is done too; the merged local variables."""
        try:
            return self._join(values)
        except BaseException as error:
            self.machine.take_back(self.layer)
            if type(error) is not PathEnd and self.machine.ambient:
                self.abandon(error)
            raise

    def _join(self, values: Values) -> Values:
        machine = self.machine
        machine.forks.pop()
        layers = machine.layers
        layer = layers.pop()
        state = machine.state
        if self.dead:
            return self._first_alone(layer)
        first = self.first
        effects = self.effects
        if first is None:
            machine.close_layer(layer)
            return values
        stats = machine.stats
        stats.joins += 1
        if stats.listeners:
            stats.tell("join", None)
        c = self.condition
        if layer or effects:
            blend(c, effects or {}, layer)
            # What the journal holds on to must not look like an alias below.
            self.effects = effects = None
            machine.close_layer(layer)
            self.layer = layer = {}
        elif not layers:
            JOURNALING.discard(id(machine))
        if state.path.parent is self.path and self.first_path is self.first_start:
            state.path = self.path
        else:
            self._narrow(state, c)
        if not values:
            return values
        # A choice by a negation is the other choice by what it negates.
        swapped = c.op is NOT
        if swapped:
            c = c.key[1]
        merged = []
        for place in range(len(values)):
            a = first[place]
            b = values[place]
            if a is not b:
                sort = PRIMITIVE.get(type(a))
                if sort is not None and sort is PRIMITIVE.get(type(b)):
                    a = choice(sort, c, b, a) if swapped else choice(sort, c, a, b)
                elif swapped:
                    a = merge_owned(c, b, a, ON_SECOND_SIDE, ON_FIRST_SIDE)
                else:
                    a = merge_owned(c, a, b, ON_FIRST_SIDE, ON_SECOND_SIDE)
            merged.append(a)
        return tuple(merged)

    def _first_alone(self, layer: Layer) -> Values:
        """The second side has ended: what the first has left, unless it has ended too."""
        machine = self.machine
        undo(layer)
        if self.first is None:
            machine.close_layer(layer)
            raise PathEnd
        if self.effects:
            apply(self.effects, layer)
        machine.close_layer(layer)
        machine.state.path = self.first_path
        return self.first

    def _narrow(self, state: State, c: BoolTerm) -> None:
        """Models were lost on one of the sides: the path after the join."""
        start = state.path
        while start.parent is not self.path:
            assert start.parent is not None
            start = start.parent
        inside = ite(c, self.first_path.since(self.first_start), state.path.since(start))
        state.path = self.path if inside is True else Path(self.path, inside)


# What makes a fork.
open_fork: Callable[[BoolTerm, Values], Fork] = Fork

if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import call_as_join, fast, setup_forks, setup_journal

    def _counts(_c, a, b, _refs_a, _refs_b):
        return sys.getrefcount(a), sys.getrefcount(b)

    def _as_counted_here(refs):
        """A number of references, if the compiled core passes values with as many; else none."""
        found = call_as_join(_counts, (object(),), (object(),))
        return refs if found == (ON_FIRST_SIDE, ON_FIRST_SIDE) else NEVER

    # The methods above are what these ask where a side has written, ended or lost inputs.
    setup_forks(
        Fork,
        Machine,
        State,
        Path,
        MACHINE,
        JOURNALING,
        merge_owned,
        _as_counted_here(ON_FIRST_SIDE),
        _as_counted_here(ON_SECOND_SIDE),
        VALUES,
        PLAIN_INSTANCES,
    )
    setup_journal(Record, Machine, ITEMS, NOTHING)
    Fork.__init__, Fork.flip = fast(Fork.__init__), fast(Fork.flip)
    Fork.join = fast(Fork.join)
    open_fork = fast(Fork, None, "open_fork")


class Chain:
    """Forks one inside the other, each on the second side of the one before: `elif`, unions."""

    __slots__ = ("done", "flipped", "forks")

    def __init__(self) -> None:
        self.forks: list[Fork] = []
        # Whether the innermost fork runs its second side.
        self.flipped = True
        self.done = False

    def fork(self, condition: Guard, saved: Values) -> None:
        """Decide once more, where all conditions before were false."""
        # Of all choices but the last the guard is symbolic.
        self.forks.append(open_fork(condition, saved))  # type: ignore[arg-type]
        self.flipped = False

    def end(self, error: BaseException) -> None:
        """The side that runs has ended with an exception."""
        try:
            self.forks[-1].end(error)
        except BaseException:
            self._abandon(error)
            raise

    def _abandon(self, error: BaseException) -> None:
        while self.forks:
            self.forks.pop().abandon(error)

    def next(self, values: Values) -> Values:
        """A side is done: the variables for the next, or the merged ones after the last."""
        if not self.flipped:
            self.flipped = True
            return self.forks[-1].flip(values)
        self.done = True
        forks = self.forks
        while forks:
            try:
                values = forks.pop().join(values)
            except PathEnd:
                if not forks:
                    raise
                forks[-1].dead = True
            except BaseException as error:
                self._abandon(error)
                raise
        return values


def chain(known: Chain | None, condition: Guard, saved: Values) -> Chain:
    """Decide in an `if` statement with several arms."""
    result = Chain() if known is None else known
    result.fork(condition, saved)
    return result
